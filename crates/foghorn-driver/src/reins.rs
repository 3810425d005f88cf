//! Turns of a worker: it can be held and let go on, and counts only the time in which it worked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Holds a worker and lets it go on, ends it for its size, and tells how large it is.
#[derive(Clone, Debug, Default)]
pub struct Reins(Arc<ReinsState>);

#[derive(Debug, Default)]
struct ReinsState {
    is_held: AtomicBool,
    is_too_large: AtomicBool,
    resident: AtomicU64,
}

impl Reins {
    /// Stops the worker; it keeps what it has.
    pub fn hold(&self) {
        self.0.is_held.store(true, Ordering::Relaxed);
    }

    /// Lets it go on.
    pub fn release(&self) {
        self.0.is_held.store(false, Ordering::Relaxed);
    }

    pub fn is_held(&self) -> bool {
        self.0.is_held.load(Ordering::Relaxed)
    }

    /// Ends it as one that uses too much memory.
    pub fn end_for_memory(&self) {
        self.0.is_too_large.store(true, Ordering::Relaxed);
    }

    /// Notes how large it is now; whether it is to end for that.
    pub(crate) fn see(&self, resident: u64) -> bool {
        self.0.resident.store(resident, Ordering::Relaxed);
        self.0.is_too_large.load(Ordering::Relaxed)
    }

    /// The resident bytes that were seen last, with those of its children.
    pub fn resident_bytes(&self) -> u64 {
        self.0.resident.load(Ordering::Relaxed)
    }
}

/// How long a worker worked.
pub(crate) struct Pace {
    started: Instant,
    /// Time in which it was held, apart from now.
    held: Duration,
    held_since: Option<Instant>,
}

impl Pace {
    pub fn new(started: Instant) -> Self {
        Pace {
            started,
            held: Duration::ZERO,
            held_since: None,
        }
    }

    pub fn worked(&self) -> Duration {
        let until = self.held_since.unwrap_or_else(Instant::now);
        until.duration_since(self.started).saturating_sub(self.held)
    }

    /// Notes whether it is held from now on; whether that is new.
    pub fn turn(&mut self, is_held: bool) -> bool {
        match (is_held, self.held_since) {
            (true, None) => self.held_since = Some(Instant::now()),
            (false, Some(since)) => {
                self.held += since.elapsed();
                self.held_since = None;
            }
            (true, Some(_)) | (false, None) => return false,
        }
        true
    }
}
