//! Processor time of one thread.
//!
//! On a machine that has other work to do, wall time says how long a thread waited, not how long it worked.

use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Ticks a second in which the kernel counts for user space (`USER_HZ`, 100 on every Linux).
const TICKS: u64 = 100;

/// A clock that goes while one thread works. Any thread may look at it.
#[derive(Clone, Debug)]
pub struct ThreadClock {
    /// The kernel's count of the thread; without it the clock on the wall is taken.
    counts: Option<PathBuf>,
    began: Instant,
}

impl ThreadClock {
    /// The clock of this thread.
    pub fn of_this_thread() -> Self {
        let link = std::fs::read_link("/proc/thread-self").ok();
        ThreadClock {
            counts: link.map(|link| PathBuf::from("/proc").join(link).join("stat")),
            began: Instant::now(),
        }
    }

    /// What the thread has worked since some moment.
    pub fn now(&self) -> Duration {
        let counts = self.counts.as_ref();
        let text = counts.and_then(|path| std::fs::read_to_string(path).ok());
        let ticks = text.as_deref().and_then(ticks);
        match ticks {
            Some(ticks) => Duration::from_millis(ticks * 1000 / TICKS),
            None => self.began.elapsed(),
        }
    }
}

/// The ticks in user and in kernel mode: fields 14 and 15 of proc_pid_stat(5). The second field is a name in parentheses
/// and may contain anything.
fn ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_contain_anything() {
        let stat = "7 (a) b 1) R 1 7 7 0 -1 4194304 95 0 0 0 12 30 0 0 20 0 1 0 9 8 7";
        assert_eq!(ticks(stat), Some(42));
        assert_eq!(ticks("nothing"), None);
    }

    #[test]
    fn the_clock_goes_while_the_thread_works() {
        let clock = ThreadClock::of_this_thread();
        let (begin, began) = (clock.now(), Instant::now());
        std::thread::sleep(Duration::from_millis(300));
        let slept = clock.now() - begin;
        if clock.counts.is_some() {
            assert!(slept < Duration::from_millis(200), "{slept:?}");
        }
        let mut number = 1_u64;
        while clock.now() - begin < Duration::from_millis(50) {
            number = std::hint::black_box(number.wrapping_mul(3));
            assert!(began.elapsed() < Duration::from_secs(60), "{number}");
        }
    }
}
