//! What an answer may cost.
//!
//! A [`Budget`] is cheap to clone and shared between threads: whoever holds one may ask whether
//! it is spent, and whoever holds any clone may cancel all of them. Time is that of the [`clock`].

use crate::clock;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A deadline, a memory limit and a cancellation flag.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// By the clock of this process.
    deadline: Option<Duration>,
    memory_bytes: Option<u64>,
    cancelled: Arc<AtomicBool>,
}

/// The resource that ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    Time,
    Memory,
    Cancelled,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Cancelled => "patience (cancelled)",
        })
    }
}

impl std::error::Error for Exhausted {}

impl Budget {
    /// A budget that never runs out unless it is cancelled.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// The same budget, but over at most `limit` from now.
    #[must_use]
    pub fn within(&self, limit: Duration) -> Self {
        let end = clock::now().saturating_add(limit);
        let deadline = Some(self.deadline.map_or(end, |old| old.min(end)));
        Budget {
            deadline,
            ..self.clone()
        }
    }

    /// The same budget with a limit on memory.
    #[must_use]
    pub fn with_memory(&self, bytes: u64) -> Self {
        Budget {
            memory_bytes: Some(bytes),
            ..self.clone()
        }
    }

    /// Ends this budget and every clone of it.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Time left; `None` without a deadline.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|end| end.saturating_sub(clock::now()))
    }

    /// The limit on memory, for whoever can measure it.
    pub fn memory_bytes(&self) -> Option<u64> {
        self.memory_bytes
    }

    /// `Err` once time is over or somebody cancelled.
    pub fn check(&self) -> Result<(), Exhausted> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Exhausted::Cancelled);
        }
        match self.deadline {
            Some(end) if clock::now() >= end => Err(Exhausted::Time),
            Some(_) | None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancelling_reaches_every_clone() {
        let budget = Budget::unlimited();
        let other = budget.within(Duration::from_secs(1000));
        assert_eq!(other.check(), Ok(()));
        budget.cancel();
        assert_eq!(other.check(), Err(Exhausted::Cancelled));
    }

    #[test]
    fn a_tighter_deadline_wins() {
        let long = Budget::unlimited().within(Duration::from_secs(1000));
        assert_eq!(long.within(Duration::ZERO).check(), Err(Exhausted::Time));
        let short = Budget::unlimited().within(Duration::ZERO);
        assert_eq!(
            short.within(Duration::from_secs(1000)).check(),
            Err(Exhausted::Time)
        );
    }
}
