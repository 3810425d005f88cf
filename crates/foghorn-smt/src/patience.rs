//! How long a check may go on: the budget, and whoever may interrupt.
//!
//! [`watched`] is for solvers that block in foreign code: a watchdog looks at the budget and rings when
//! it is spent. Memory is that of the whole process, because solvers in process cannot
//! be told apart from outside.

use foghorn_core::{Budget, Exhausted};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
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

/// A check that is being watched.
struct Watch {
    alarm: Box<dyn FnMut() -> Option<Exhausted> + Send>,
    ring: Box<dyn Fn() + Send>,
    spent: Option<Exhausted>,
}

/// One thread watches all checks of the process: starting a thread per check would cost more than
/// most checks do.
#[derive(Default)]
struct Watchdog {
    watches: Mutex<BTreeMap<u64, Watch>>,
    arrival: Condvar,
    next: AtomicU64,
}

impl Watchdog {
    fn get() -> &'static Watchdog {
        static DOG: OnceLock<&'static Watchdog> = OnceLock::new();
        DOG.get_or_init(|| {
            let dog: &'static Watchdog = Box::leak(Box::default());
            std::thread::spawn(|| dog.walk());
            dog
        })
    }

    fn watches(&self) -> MutexGuard<'_, BTreeMap<u64, Watch>> {
        self.watches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn walk(&self) {
        let mut watches = self.watches();
        loop {
            for watch in watches.values_mut() {
                if let Some(exhausted) = (watch.alarm)() {
                    watch.spent = Some(exhausted);
                    (watch.ring)();
                }
            }
            watches = if watches.is_empty() {
                self.arrival
                    .wait(watches)
                    .unwrap_or_else(PoisonError::into_inner)
            } else {
                drop(watches);
                std::thread::sleep(HEARTBEAT);
                self.watches()
            };
        }
    }
}

/// Takes its watch away when it goes out of scope, also if the body panics: after that nobody rings.
struct Leash(u64);

impl Leash {
    fn release(self) -> Option<Exhausted> {
        Watchdog::get().watches().remove(&self.0)?.spent
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        Watchdog::get().watches().remove(&self.0);
    }
}

/// Runs `body` while the watchdog looks at the patience and calls `ring` (again and again until the
/// body is over) once it is spent. The second result says what was spent. `ring` is never called
/// after this returns.
pub(crate) fn watched<R>(
    patience: &Patience,
    ring: impl Fn() + Send + 'static,
    body: impl FnOnce() -> R,
) -> (R, Option<Exhausted>) {
    let dog = Watchdog::get();
    let number = dog.next.fetch_add(1, Ordering::Relaxed);
    let watch = Watch {
        alarm: Box::new(patience.alarm()),
        ring: Box::new(ring),
        spent: None,
    };
    dog.watches().insert(number, watch);
    let leash = Leash(number);
    dog.arrival.notify_one();
    let result = body();
    (result, leash.release())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spent_budget_rings_and_a_finished_body_does_not() {
        let rung = Arc::new(AtomicU64::new(0));
        let count = rung.clone();
        let bell = move || {
            count.fetch_add(1, Ordering::Relaxed);
        };
        let short = Patience::with(Budget::unlimited().within(Duration::from_millis(20)));
        let waiting = rung.clone();
        let ((), spent) = watched(&short, bell.clone(), || {
            while waiting.load(Ordering::Relaxed) == 0 {
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        assert_eq!(spent, Some(Exhausted::Time));
        let after = rung.load(Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(30));
        assert_eq!(rung.load(Ordering::Relaxed), after);
        let (value, spent) = watched(&Patience::default(), bell, || 7);
        assert_eq!((value, spent), (7, None));
    }

    #[test]
    fn memory_is_a_budget_too() {
        let greedy = Patience::with(Budget::unlimited().with_memory(1));
        assert_eq!(greedy.alarm()(), Some(Exhausted::Memory));
        let modest = Patience::with(Budget::unlimited().with_memory(u64::MAX));
        assert_eq!(modest.alarm()(), None);
    }
}
