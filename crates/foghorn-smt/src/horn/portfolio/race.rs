//! Several systems, each with its members, in one race.
//!
//! What asks one question in several forms does not know which form is answered. A [`Race`] gives all of them turns,
//! until one has an answer; the others are paused, not ended, and go on where they were when the race does. A system
//! can enter late or be withdrawn, for instance to enter again in another shape.

use super::process::Worker;
use super::protocol::{Reply, Request};
use super::schedule::{Finish, Schedule, Turn};
use super::{EntrantId, WorkerCommand, with_named_rules};
use crate::error::SolverError;
use crate::horn::{Hint, HornAnswer, HornOptions, HornSystem};
use foghorn_core::Budget;
use foghorn_term::TermPool;

/// Systems and their members, in one queue.
pub struct Race {
    worker: WorkerCommand,
    schedule: Schedule<Worker>,
    entrants: Vec<Entrant>,
}

/// A system as workers and their replies need it.
struct Entrant {
    request: Request,
    system: HornSystem,
}

/// What came of a race so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    pub entrant: EntrantId,
    /// Who answered; `None` if all members of the system gave up.
    pub member: Option<&'static str>,
    pub answer: HornAnswer,
}

impl Race {
    /// A race of nobody yet, with as many members at once.
    pub fn new(worker: WorkerCommand, jobs: usize) -> Self {
        Race {
            worker,
            schedule: Schedule::new(jobs.max(1)),
            entrants: vec![],
        }
    }

    /// A system with the first turns of its members. All time that passes counts against its own budget.
    ///
    /// # Errors
    /// When it cannot be written down.
    pub fn enter(
        &mut self,
        pool: &TermPool,
        system: &HornSystem,
        hints: &[Hint],
        options: &HornOptions,
        turns: Vec<Turn>,
    ) -> Result<EntrantId, SolverError> {
        let (named, text) = with_named_rules(pool, system)?;
        self.enter_text(&text, pool, named, (hints, options), turns)
    }

    /// The same of a system whose text is already there.
    pub(super) fn enter_text(
        &mut self,
        text: &str,
        pool: &TermPool,
        system: HornSystem,
        (hints, options): (&[Hint], &HornOptions),
        turns: Vec<Turn>,
    ) -> Result<EntrantId, SolverError> {
        let request = Request::new(text, pool, &system, hints, options)?;
        let entrant = EntrantId::new(self.entrants.len());
        self.entrants.push(Entrant { request, system });
        self.schedule.enter(entrant, turns);
        Ok(entrant)
    }

    /// Ends all members of a system.
    pub fn withdraw(&mut self, entrant: EntrantId) {
        self.schedule.withdraw(entrant);
    }

    /// Goes on until some system has an answer, or all members of one gave up; `None` when no system is left. The system
    /// that answered keeps its other members until it is withdrawn.
    ///
    /// # Errors
    /// When the budget is spent, or no worker could be started.
    pub fn run(&mut self, budget: &Budget) -> Result<Option<Arrival>, SolverError> {
        let Race {
            worker,
            schedule,
            entrants,
        } = self;
        let start = |entrant: EntrantId, member: &'static _| {
            Worker::start(worker, member, &entrants[entrant.index()].request)
        };
        let finish = schedule.run(start, budget)?;
        let arrival = |entrant: EntrantId, member, reply: Reply| Arrival {
            entrant,
            member,
            answer: reply.into_answer(&entrants[entrant.index()].system),
        };
        Ok(match finish {
            Finish::Answered(entrant, member, reply) => {
                Some(arrival(entrant, Some(member.name), reply))
            }
            Finish::GivenUp(entrant, why) => Some(arrival(entrant, None, Reply::Unknown(why))),
            Finish::Over => None,
        })
    }
}
