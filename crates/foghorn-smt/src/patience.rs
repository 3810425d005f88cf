//! How long a check may go on: the budget, and whoever may interrupt.
//!
//! [`watched`] is for solvers that block in foreign code: a second thread looks at the budget and
//! rings when it is spent. Memory is that of the whole process, because solvers in process cannot
//! be told apart from outside.

use foghorn_core::{Budget, Exhausted};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Stops a solver from another thread: the check that is running or, if none is, the next one.
#[derive(Clone, Debug)]
pub struct Interrupter {
    flags: Vec<Arc<AtomicBool>>,
}

impl Interrupter {
    pub fn interrupt(&self) {
        for flag in &self.flags {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Takes an interrupt back that no check has seen yet.
    pub fn clear(&self) {
        for flag in &self.flags {
            flag.store(false, Ordering::Relaxed);
        }
    }

    /// One interrupter for several solvers.
    #[must_use]
    pub fn and(&self, other: &Interrupter) -> Interrupter {
        Interrupter {
            flags: [self.flags.as_slice(), &other.flags].concat(),
        }
    }
}

/// A budget and an interrupt flag.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patience {
    pub budget: Budget,
    flag: Arc<AtomicBool>,
}

/// How often the memory is measured; reading it costs a system call.
const MEMORY_INTERVAL: Duration = Duration::from_millis(50);

impl Patience {
    /// A patience that nobody can interrupt but the budget.
    pub fn with(budget: Budget) -> Self {
        Patience {
            budget,
            ..Self::default()
        }
    }

    pub fn interrupter(&self) -> Interrupter {
        Interrupter {
            flags: vec![self.flag.clone()],
        }
    }

    /// `Err` once time is over or somebody rang.
    pub fn check(&self) -> Result<(), Exhausted> {
        if self.flag.load(Ordering::Relaxed) {
            return Err(Exhausted::Cancelled);
        }
        self.budget.check()
    }

    fn check_memory(&self) -> Result<(), Exhausted> {
        match (self.budget.memory_bytes(), resident_bytes()) {
            (Some(limit), Some(used)) if used > limit => Err(Exhausted::Memory),
            (Some(_) | None, _) => Ok(()),
        }
    }

    /// An interrupt counts for one check; called when that check returns.
    pub fn check_is_over(&self) {
        self.flag.store(false, Ordering::Relaxed);
    }

    /// A test that may be called very often: looks at the clock each time, at the memory seldom.
    pub fn alarm(&self) -> impl FnMut() -> Option<Exhausted> + use<> {
        let patience = self.clone();
        let mut next_memory = Instant::now();
        move || {
            if let Err(exhausted) = patience.check() {
                return Some(exhausted);
            }
            if patience.budget.memory_bytes().is_some() && Instant::now() >= next_memory {
                next_memory = Instant::now() + MEMORY_INTERVAL;
                return patience.check_memory().err();
            }
            None
        }
    }
}

/// Resident memory of this process, where the system tells.
pub(crate) fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

const HEARTBEAT: Duration = Duration::from_millis(5);

/// Runs `body` while another thread watches the patience and calls `ring` (again and again until
/// the body is over) once it is spent. The second result says what was spent.
pub(crate) fn watched<R>(
    patience: &Patience,
    ring: impl Fn() + Send,
    body: impl FnOnce() -> R,
) -> (R, Option<Exhausted>) {
    let spent = Mutex::new(None);
    let result = std::thread::scope(|scope| {
        let (over, body_is_over) = channel::<()>();
        let spent = &spent;
        let mut alarm = patience.alarm();
        scope.spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = body_is_over.recv_timeout(HEARTBEAT) {
                if let Some(exhausted) = alarm() {
                    if let Ok(mut spent) = spent.lock() {
                        *spent = Some(exhausted);
                    }
                    ring();
                }
            }
        });
        let result = body();
        drop(over);
        result
    });
    (result, spent.into_inner().ok().flatten())
}
