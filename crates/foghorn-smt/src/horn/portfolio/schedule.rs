//! Who runs when.
//!
//! Several systems can race, each with its members. All members wait in one queue: rounds of slices that double, and
//! within a round the systems alternate, so that no system waits for another to be done.

use super::protocol::Reply;
use crate::error::SolverError;
use crate::horn::member::Member;
use foghorn_core::{Budget, Exhausted};
use std::collections::{BTreeMap, BTreeSet};
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

/// A system among those that race.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntrantId(u32);

impl EntrantId {
    pub(super) fn new(number: usize) -> Self {
        EntrantId(u32::try_from(number).expect("invariant: fewer systems than numbers"))
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A member's place in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub member: &'static Member,
    /// Processor time it may have used when this turn ends.
    pub until: Duration,
}

/// When a turn comes: after all turns of earlier rounds, and within a round the systems alternate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    round: u32,
    position: usize,
    entrant: EntrantId,
}

/// A member with its racer; dropping it ends the racer.
struct Runner<R> {
    place: Place,
    turn: Turn,
    racer: R,
}

/// The order of members, and how many run at once.
pub(super) struct Schedule<R> {
    waiting: BTreeMap<Place, Turn>,
    paused: Vec<Runner<R>>,
    running: Vec<Runner<R>>,
    jobs: usize,
    /// Why members are out.
    reasons: Vec<(EntrantId, String)>,
}

impl<R: Racer> Schedule<R> {
    /// Nobody yet, and as many at once.
    pub fn new(jobs: usize) -> Self {
        Schedule {
            waiting: BTreeMap::new(),
            paused: vec![],
            running: vec![],
            jobs,
            reasons: vec![],
        }
    }

    /// Members for a system, which start with these turns; a member's next turn ends at twice the time. Whoever comes late
    /// has the turns first that others had before.
    pub fn enter(&mut self, entrant: EntrantId, turns: Vec<Turn>) {
        let round = 0;
        let places = turns.into_iter().enumerate().map(|(position, turn)| {
            let place = Place {
                round,
                position,
                entrant,
            };
            (place, turn)
        });
        self.waiting.extend(places);
    }

    /// Ends all members of a system.
    pub fn withdraw(&mut self, entrant: EntrantId) {
        self.waiting.retain(|place, _| place.entrant != entrant);
        self.paused.retain(|it| it.place.entrant != entrant);
        self.running.retain(|it| it.place.entrant != entrant);
        self.reasons.retain(|(of, _)| *of != entrant);
    }

    /// Runs until a member answers or all members of a system are out; nobody runs afterwards.
    pub fn run(
        &mut self,
        mut start: impl FnMut(EntrantId, &'static Member) -> Result<R, SolverError>,
        budget: &Budget,
    ) -> Result<Finish, SolverError> {
        let finish = self.run_on(&mut start, budget);
        for mut runner in std::mem::take(&mut self.running) {
            runner.racer.pause();
            self.waiting.insert(runner.place, runner.turn);
            self.paused.push(runner);
        }
        finish
    }

    fn run_on(
        &mut self,
        start: &mut impl FnMut(EntrantId, &'static Member) -> Result<R, SolverError>,
        budget: &Budget,
    ) -> Result<Finish, SolverError> {
        loop {
            self.fill(start)?;
            if self.running.is_empty() {
                return Ok(Finish::Over);
            }
            std::thread::sleep(HEARTBEAT);
            if let Err(exhausted) = budget.check() {
                return Err(self.told(exhausted).into());
            }
            if let Some(finish) = self.look() {
                return Ok(finish);
            }
            // Whoever stops and continues all of us at once continues these too.
            self.paused
                .iter_mut()
                .for_each(|runner| runner.racer.pause());
            self.spare_memory(budget);
        }
    }

    /// Starts or continues whoever is next, as long as there is room.
    fn fill(
        &mut self,
        start: &mut impl FnMut(EntrantId, &'static Member) -> Result<R, SolverError>,
    ) -> Result<(), SolverError> {
        while self.running.len() < self.jobs
            && let Some((place, turn)) = self.waiting.pop_first()
        {
            let is_it = |p: &Runner<R>| {
                p.place.entrant == place.entrant && p.place.position == place.position
            };
            let racer = match self.paused.iter().position(is_it) {
                Some(index) => {
                    let mut runner = self.paused.swap_remove(index);
                    runner.racer.resume();
                    runner.racer
                }
                None => start(place.entrant, turn.member)?,
            };
            self.running.push(Runner { place, turn, racer });
        }
        Ok(())
    }

    /// Looks once at everybody who runs.
    fn look(&mut self) -> Option<Finish> {
        let mut finish = None;
        for mut runner in std::mem::take(&mut self.running) {
            if finish.is_some() {
                self.running.push(runner);
                continue;
            }
            let entrant = runner.place.entrant;
            let reason = match runner.racer.poll() {
                Some(Ok(reply)) if reply.is_conclusive() => {
                    finish = Some(Finish::Answered(entrant, runner.turn.member, reply));
                    continue;
                }
                Some(Ok(reply)) => reply.reason(),
                Some(Err(error)) => error.to_string(),
                None if self.is_over(&runner) => {
                    runner.racer.pause();
                    runner.turn.until *= 2;
                    runner.place.round += 1;
                    self.waiting.insert(runner.place, runner.turn);
                    self.paused.push(runner);
                    continue;
                }
                None => {
                    self.running.push(runner);
                    continue;
                }
            };
            let what = reason_of(&runner.turn, &reason);
            self.reasons.push((entrant, what));
        }
        finish.or_else(|| self.given_up())
    }

    /// A system whose members are all out.
    fn given_up(&mut self) -> Option<Finish> {
        let runs = self.running.iter().map(|it| it.place.entrant);
        let waits = self.waiting.keys().map(|it| it.entrant);
        let left: BTreeSet<EntrantId> = runs.chain(waits).collect();
        let mut out = self.reasons.iter().map(|(entrant, _)| *entrant);
        let entrant = out.find(|entrant| !left.contains(entrant))?;
        let (own, others) = std::mem::take(&mut self.reasons)
            .into_iter()
            .partition(|(of, _)| *of == entrant);
        self.reasons = others;
        let own: Vec<(EntrantId, String)> = own;
        let own: Vec<String> = own.into_iter().map(|(_, what)| what).collect();
        Some(Finish::GivenUp(entrant, own.join("; ")))
    }

    /// Whether a slice is over; it never is if nobody waits for its place.
    fn is_over(&self, runner: &Runner<R>) -> bool {
        !self.waiting.is_empty() && runner.racer.used() >= runner.turn.until
    }

    /// Ends the largest of those that wait when all together are too large.
    fn spare_memory(&mut self, budget: &Budget) {
        let Some(limit) = budget.memory_bytes() else {
            return;
        };
        let sizes: Vec<u64> = self.paused.iter().map(|p| p.racer.memory_bytes()).collect();
        let largest = (0..sizes.len()).max_by_key(|index| sizes[*index]);
        if sizes.iter().sum::<u64>() > limit
            && let Some(index) = largest
        {
            let Runner { place, turn, .. } = self.paused.swap_remove(index);
            self.waiting.remove(&place);
            let what = reason_of(&turn, "out of memory");
            self.reasons.push((place.entrant, what));
        }
    }

    /// Members that gave up before the budget was spent are worth a line in the log.
    fn told(&self, exhausted: Exhausted) -> Exhausted {
        for (_, reason) in &self.reasons {
            tracing::info!("{reason}");
        }
        exhausted
    }
}

/// Why a race stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Finish {
    /// A member has an answer.
    Answered(EntrantId, &'static Member, Reply),
    /// No member of a system is left, and why.
    GivenUp(EntrantId, String),
    /// Nobody is in the race.
    Over,
}

fn reason_of(turn: &Turn, what: &str) -> String {
    format!("{}: {what}", turn.member.name)
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

    fn race(needs: &[Option<u64>], jobs: usize) -> (Result<Finish, SolverError>, Vec<String>) {
        let log = Rc::new(RefCell::new(Vec::new()));
        let turn = |member| Turn {
            member,
            until: FIRST_SLICE,
        };
        let turns = MEMBERS.iter().take(needs.len()).map(turn).collect();
        let start = |_, member: &'static Member| {
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
        let mut schedule = Schedule::new(jobs);
        schedule.enter(EntrantId(0), turns);
        let reply = schedule.run(start, &budget);
        let log = log.borrow().clone();
        (reply, log)
    }

    #[test]
    fn slices_double_and_what_was_learned_is_kept() {
        let (reply, log) = race(&[None, Some(900)], 1);
        assert!(
            matches!(
                reply,
                Ok(Finish::Answered(EntrantId(0), _, Reply::Solved(_)))
            ),
            "{reply:?}"
        );
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
    fn systems_alternate_and_one_that_is_withdrawn_is_asked_no_more() {
        let log = Rc::new(RefCell::new(Vec::new()));
        let turn = |number: usize| Turn {
            member: &MEMBERS[number],
            until: FIRST_SLICE,
        };
        let mut schedule = Schedule::new(1);
        schedule.enter(EntrantId(0), vec![turn(0), turn(1)]);
        schedule.enter(EntrantId(1), vec![turn(0), turn(2)]);
        let start = |entrant: EntrantId, member: &'static Member| {
            let said = format!("start {} of {}", member.name, entrant.index());
            log.borrow_mut().push(said);
            let answers = member == &MEMBERS[2] || (entrant.index(), member) == (0, &MEMBERS[0]);
            Ok(Fake {
                name: member.name,
                needs: answers.then_some(Duration::from_millis(900)),
                used: Duration::ZERO,
                paused: false,
                log: log.clone(),
            })
        };
        let first = schedule.run(start, &Budget::unlimited());
        assert!(
            matches!(first, Ok(Finish::Answered(EntrantId(0), ..))),
            "{first:?}"
        );
        schedule.withdraw(EntrantId(0));
        let second = schedule.run(start, &Budget::unlimited());
        assert!(
            matches!(second, Ok(Finish::Answered(EntrantId(1), ..))),
            "{second:?}"
        );
        let names = [MEMBERS[0].name, MEMBERS[1].name, MEMBERS[2].name];
        let expected = [
            format!("start {} of 0", names[0]),
            format!("start {} of 1", names[0]),
            format!("start {} of 0", names[1]),
            format!("start {} of 1", names[2]),
            format!("again {}", names[0]),
            format!("again {}", names[0]),
            format!("again {}", names[2]),
        ];
        assert_eq!(log.borrow()[..], expected);
    }

    #[test]
    fn a_system_whose_members_are_out_is_given_up_and_the_others_go_on() {
        let mut schedule = Schedule::new(1);
        let turn = |number: usize| Turn {
            member: &MEMBERS[number],
            until: FIRST_SLICE,
        };
        let unrolling = MEMBERS.iter().position(|it| it.name == "unrolling");
        schedule.enter(EntrantId(0), vec![turn(unrolling.unwrap())]);
        schedule.enter(EntrantId(1), vec![turn(0)]);
        let start = |_, member: &'static Member| {
            Ok(Fake {
                name: member.name,
                needs: Some(Duration::from_millis(200)),
                used: Duration::ZERO,
                paused: false,
                log: Rc::default(),
            })
        };
        let mut finish = || schedule.run(start, &Budget::unlimited()).unwrap();
        assert!(
            matches!(finish(), Finish::GivenUp(EntrantId(0), why) if why == "unrolling: no way")
        );
        assert!(matches!(finish(), Finish::Answered(EntrantId(1), ..)));
        assert_eq!(finish(), Finish::Over);
    }

    #[test]
    fn the_budget_ends_a_race_that_nobody_wins() {
        let (reply, _) = race(&[None, None], 2);
        assert!(matches!(reply, Err(SolverError::Exhausted(_))), "{reply:?}");
    }

    #[test]
    fn members_at_once_are_all_started() {
        let (reply, log) = race(&[None, Some(300)], 2);
        assert!(
            matches!(
                reply,
                Ok(Finish::Answered(EntrantId(0), _, Reply::Solved(_)))
            ),
            "{reply:?}"
        );
        assert_eq!(log.len(), 2);
    }
}
