//! Who runs when.

use super::protocol::Reply;
use crate::error::SolverError;
use crate::horn::member::Member;
use foghorn_core::{Budget, Exhausted};
use std::collections::VecDeque;
use std::time::Duration;

/// Processor time of a first slice for a member with a share of one. Most systems that a member
/// solves at all it solves within a few seconds, and many at once.
pub const FIRST_SLICE: Duration = Duration::from_millis(500);

/// How often members are looked at.
const HEARTBEAT: Duration = Duration::from_millis(5);

/// Something that can take turns.
pub(super) trait Racer {
    /// The reply, once there is one; an error if the racer died.
    fn poll(&mut self) -> Option<Result<Reply, SolverError>>;
    fn pause(&mut self);
    fn resume(&mut self);
    /// Processor time used so far.
    fn used(&self) -> Duration;
    fn memory_bytes(&self) -> u64;
}

/// A member's place in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub member: &'static Member,
    /// Processor time it may have used when this turn ends.
    pub until: Duration,
}

/// A member with its racer; dropping it ends the racer.
struct Runner<R> {
    turn: Turn,
    racer: R,
}

/// The order of members, and how many run at once.
pub(super) struct Schedule {
    waiting: VecDeque<Turn>,
    jobs: usize,
}

impl Schedule {
    /// Starts with these turns; a member's next turn ends at twice the time.
    pub fn new(turns: Vec<Turn>, jobs: usize) -> Self {
        Schedule {
            waiting: turns.into(),
            jobs,
        }
    }

    /// Runs until a member answers; then the others end.
    pub fn run<R: Racer>(
        mut self,
        mut start: impl FnMut(&'static Member) -> Result<R, SolverError>,
        budget: &Budget,
    ) -> Result<Reply, SolverError> {
        let mut paused: Vec<Runner<R>> = Vec::new();
        let mut running: Vec<Runner<R>> = Vec::new();
        let mut reasons: Vec<String> = Vec::new();
        loop {
            while running.len() < self.jobs
                && let Some(turn) = self.waiting.pop_front()
            {
                let known = paused.iter().position(|p| p.turn.member == turn.member);
                let racer = match known {
                    Some(index) => {
                        let mut runner = paused.swap_remove(index);
                        runner.racer.resume();
                        runner.racer
                    }
                    None => start(turn.member)?,
                };
                running.push(Runner { turn, racer });
            }
            if running.is_empty() {
                return Ok(Reply::Unknown(reasons.join("; ")));
            }
            std::thread::sleep(HEARTBEAT);
            if let Err(exhausted) = budget.check() {
                return Err(told(exhausted, &reasons).into());
            }
            let mut still = Vec::with_capacity(running.len());
            for mut runner in running {
                match runner.racer.poll() {
                    Some(Ok(reply)) if reply.is_conclusive() => return Ok(reply),
                    Some(Ok(reply)) => reasons.push(reason(&runner.turn, &reply.reason())),
                    Some(Err(error)) => reasons.push(reason(&runner.turn, &error.to_string())),
                    None if self.is_over(&runner, !paused.is_empty()) => {
                        runner.racer.pause();
                        let until = runner.turn.until * 2;
                        let member = runner.turn.member;
                        self.waiting.push_back(Turn { member, until });
                        paused.push(runner);
                    }
                    None => still.push(runner),
                }
            }
            running = still;
            // Whoever stops and continues all of us at once continues these too.
            paused.iter_mut().for_each(|runner| runner.racer.pause());
            self.spare_memory(budget, &mut paused, &mut reasons);
        }
    }

    /// Whether a slice is over; it never is if nobody waits for its place.
    fn is_over<R: Racer>(&self, runner: &Runner<R>, somebody_paused: bool) -> bool {
        (somebody_paused || !self.waiting.is_empty()) && runner.racer.used() >= runner.turn.until
    }

    /// Ends the largest of those that wait when all together are too large.
    fn spare_memory<R: Racer>(
        &mut self,
        budget: &Budget,
        paused: &mut Vec<Runner<R>>,
        reasons: &mut Vec<String>,
    ) {
        let Some(limit) = budget.memory_bytes() else {
            return;
        };
        let sizes: Vec<u64> = paused.iter().map(|p| p.racer.memory_bytes()).collect();
        let largest = (0..sizes.len()).max_by_key(|index| sizes[*index]);
        if sizes.iter().sum::<u64>() > limit
            && let Some(index) = largest
        {
            let runner = paused.swap_remove(index);
            self.waiting
                .retain(|turn| turn.member != runner.turn.member);
            reasons.push(reason(&runner.turn, "out of memory"));
        }
    }
}

fn reason(turn: &Turn, what: &str) -> String {
    format!("{}: {what}", turn.member.name)
}

/// Members that gave up before the budget was spent are worth a line in the log.
fn told(exhausted: Exhausted, reasons: &[String]) -> Exhausted {
    for reason in reasons {
        tracing::info!("{reason}");
    }
    exhausted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::horn::member::MEMBERS;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// A racer that answers after so much time; a poll costs a tenth of a second.
    struct Fake {
        name: &'static str,
        needs: Option<Duration>,
        used: Duration,
        paused: bool,
        log: Rc<RefCell<Vec<String>>>,
    }

    impl Racer for Fake {
        fn poll(&mut self) -> Option<Result<Reply, SolverError>> {
            assert!(!self.paused, "a paused racer is not asked");
            self.used += Duration::from_millis(100);
            let needs = self.needs?;
            (self.used >= needs).then(|| {
                Ok(match self.name {
                    "unrolling" => Reply::Unknown("no way".into()),
                    _ => Reply::Solved(Vec::new()),
                })
            })
        }

        fn pause(&mut self) {
            self.paused = true;
        }

        fn resume(&mut self) {
            self.paused = false;
            self.log.borrow_mut().push(format!("again {}", self.name));
        }

        fn used(&self) -> Duration {
            self.used
        }

        fn memory_bytes(&self) -> u64 {
            0
        }
    }

    fn race(needs: &[Option<u64>], jobs: usize) -> (Result<Reply, SolverError>, Vec<String>) {
        let log = Rc::new(RefCell::new(Vec::new()));
        let turn = |member| Turn {
            member,
            until: FIRST_SLICE,
        };
        let turns = MEMBERS.iter().take(needs.len()).map(turn).collect();
        let start = |member: &'static Member| {
            log.borrow_mut().push(format!("start {}", member.name));
            let index = MEMBERS.iter().position(|m| m == member).unwrap_or(0);
            Ok(Fake {
                name: member.name,
                needs: needs[index].map(Duration::from_millis),
                used: Duration::ZERO,
                paused: false,
                log: log.clone(),
            })
        };
        let budget = Budget::unlimited().within(Duration::from_millis(700));
        let reply = Schedule::new(turns, jobs).run(start, &budget);
        let log = log.borrow().clone();
        (reply, log)
    }

    #[test]
    fn slices_double_and_what_was_learned_is_kept() {
        let (reply, log) = race(&[None, Some(900)], 1);
        assert!(matches!(reply, Ok(Reply::Solved(_))), "{reply:?}");
        let names = [MEMBERS[0].name, MEMBERS[1].name];
        let expected = [
            format!("start {}", names[0]),
            format!("start {}", names[1]),
            format!("again {}", names[0]),
            format!("again {}", names[1]),
        ];
        assert_eq!(log, expected);
    }

    #[test]
    fn the_budget_ends_a_race_that_nobody_wins() {
        let (reply, _) = race(&[None, None], 2);
        assert!(matches!(reply, Err(SolverError::Exhausted(_))), "{reply:?}");
    }

    #[test]
    fn members_at_once_are_all_started() {
        let (reply, log) = race(&[None, Some(300)], 2);
        assert!(matches!(reply, Ok(Reply::Solved(_))), "{reply:?}");
        assert_eq!(log.len(), 2);
    }
}
