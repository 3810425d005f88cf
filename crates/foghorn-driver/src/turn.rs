//! One turn of a stage.

use std::time::{Duration, Instant};

/// How long it is this stage's turn, or since when it waits for the next.
pub(crate) struct Turn {
    length: Duration,
    since: Instant,
    /// Who waits with the smallest number is next.
    pub ticket: u64,
    /// It was told to end.
    pub is_ending: bool,
}

impl Turn {
    /// The first turn, from now on.
    pub fn first(length: Duration) -> Self {
        Turn {
            length,
            since: Instant::now(),
            ticket: 0,
            is_ending: false,
        }
    }

    /// Whether others may have the place.
    pub fn is_over(&self) -> bool {
        self.since.elapsed() >= self.length
    }

    /// Waits for a turn that is twice as long.
    pub fn wait(&mut self, ticket: u64) {
        self.length = self.length.saturating_mul(2);
        self.ticket = ticket;
    }

    /// Goes on, from now.
    pub fn begin(&mut self) {
        self.since = Instant::now();
    }
}
