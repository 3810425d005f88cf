//! The time that counts for budgets.
//!
//! Usually it is the time on the wall. A process that others may stop and continue, because it takes turns with them
//! on one core, counts the time in which it could work: a thread looks at the wall every few milliseconds, and what
//! it slept too long by was no time of ours. So a deadline does not pass while its process is stopped, and nobody has
//! to be told how long that was.
//!
//! Invariants: the clock never goes back; a deadline that has passed stays passed.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often attention is counted, which is also how exact the clock is then.
const TICK: Duration = Duration::from_millis(5);
/// What counts of a longer absence.
const LONGEST_GAP: Duration = Duration::from_millis(100);
/// Later than every deadline, and far from the end of the numbers.
const AFTER_ALL: u64 = u64::MAX / 2;

/// Nanoseconds of attention; 0 as long as the wall counts.
static ATTENDED: AtomicU64 = AtomicU64::new(0);

fn on_the_wall() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(AFTER_ALL)
}

/// The time since some moment of this process.
pub fn now() -> Duration {
    match ATTENDED.load(Ordering::Relaxed) {
        0 => on_the_wall(),
        attended => Duration::from_nanos(attended),
    }
}

/// From now on only the time counts in which this process is not stopped.
pub fn count_attention() {
    let begin = nanoseconds(on_the_wall()).max(1);
    let first = ATTENDED.compare_exchange(0, begin, Ordering::Relaxed, Ordering::Relaxed);
    if first.is_ok() {
        thread::spawn(attend);
    }
}

fn attend() {
    let mut last = Instant::now();
    loop {
        thread::sleep(TICK);
        let now = Instant::now();
        let gap = now.duration_since(last).min(LONGEST_GAP);
        ATTENDED.fetch_add(nanoseconds(gap), Ordering::Relaxed);
        last = now;
    }
}

/// Every deadline that was set before has passed, if attention is counted.
pub fn expire() {
    if ATTENDED.load(Ordering::Relaxed) != 0 {
        ATTENDED.fetch_max(AFTER_ALL, Ordering::Relaxed);
    }
}
