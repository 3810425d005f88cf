//! Several members for one system, each in a process of its own.
//!
//! No setting of Spacer is best for all systems, and nobody knows beforehand which one is. So every
//! member gets a short slice of processor time in turn, and the slices double: a system that some
//! member solves in `t` is solved after at most a small multiple of `t` times the number of members,
//! and hard systems give every member long slices. A member that waits is stopped, not ended, so
//! what it has learned is kept. The first answer counts, since every member checks its own; then the
//! others are killed at once. A member that dies is out, and says nothing about the others.
//!
//! Processes and not threads, because Z3 can neither be paused nor, inside some of its passes, be
//! interrupted, and because a crash must stay with the member.

mod process;
mod protocol;
mod schedule;

pub use protocol::serve;
pub use schedule::{FIRST_SLICE, Turn};

use super::member::Member;
use super::{Hint, HornAnswer, HornOptions, HornSolver, HornSystem};
use crate::chc;
use crate::error::SolverError;
use foghorn_term::{Sort, SortId, TermPool};
use process::Worker;
use protocol::Request;
use schedule::Schedule;
use std::path::PathBuf;

/// How a worker process is started: it must call [`serve`] on its standard input and output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerCommand {
    pub program: PathBuf,
    pub arguments: Vec<String>,
}

/// Members that take turns.
#[derive(Clone, Debug)]
pub struct Portfolio {
    worker: WorkerCommand,
    jobs: usize,
    turns: Option<Vec<Turn>>,
}

/// A member and its share of the time. On 30 systems sampled from CHC-COMP's LIA-Lin global guidance
/// solves most of what is solved at all, so it gets much of it; what finds refutations only finds them soon. Large constants
/// as parameters decide at once or not at all, and cost nothing where there are none, so they come first.
type Share = (&'static str, u32);

/// The members where no predicate has an array, in their order.
const SCALARS: &[Share] = &[
    ("spacer-generalised", 2),
    ("spacer-global", 4),
    ("execution", 1),
    ("spacer-given", 1),
    ("unrolling", 2),
    ("spacer-generalised-plain", 1),
    ("spacer", 1),
    ("spacer-global-given", 1),
];

/// The members where some predicate has one.
const ARRAYS: &[Share] = &[
    ("spacer-quantified", 4),
    ("spacer", 2),
    ("unrolling", 2),
    ("execution", 1),
    ("spacer-global", 2),
    ("spacer-quantified-transformed", 1),
    ("spacer-given", 1),
];

/// In front of them where there are hints.
const HINTED: &[Share] = &[("spacer-hints", 3), ("spacer-hints-induction", 2)];

fn first_turns(shares: &[Share]) -> impl Iterator<Item = Turn> {
    shares.iter().map(|(name, share)| Turn {
        member: Member::named(name).expect("invariant: the member is in the table"),
        until: FIRST_SLICE * *share,
    })
}

/// The members for a system with their first turns, in their order.
pub fn plan(pool: &TermPool, system: &HornSystem, hints: bool) -> Vec<Turn> {
    let is_array = |sort: &SortId| matches!(pool.sort_of(*sort), Sort::Array { .. });
    let arrays = system.predicates.iter().any(|predicate| {
        pool.function_data(*predicate)
            .arguments
            .iter()
            .any(is_array)
    });
    let hinted = if hints { HINTED } else { &[] };
    let others = if arrays { ARRAYS } else { SCALARS };
    first_turns(hinted).chain(first_turns(others)).collect()
}

impl Portfolio {
    /// A portfolio of one job at a time.
    pub fn new(worker: WorkerCommand) -> Self {
        Portfolio {
            worker,
            jobs: 1,
            turns: None,
        }
    }

    /// As many members at once.
    #[must_use]
    pub fn with_jobs(mut self, jobs: usize) -> Self {
        self.jobs = jobs.max(1);
        self
    }

    /// These first turns instead of those that fit the system.
    #[must_use]
    pub fn with_turns(mut self, turns: Vec<Turn>) -> Self {
        self.turns = Some(turns);
        self
    }

    /// Solves a system whose text is already there: it must read as the system does, and its rules
    /// must have different names.
    ///
    /// # Errors
    /// When the budget is spent, or no worker could be started.
    pub fn solve_text(
        &self,
        text: &str,
        pool: &TermPool,
        system: &HornSystem,
        hints: &[Hint],
        options: &HornOptions,
    ) -> Result<HornAnswer, SolverError> {
        let turns = match &self.turns {
            Some(turns) => turns.clone(),
            None => plan(pool, system, !hints.is_empty()),
        };
        let request = Request::new(text, pool, system, hints, options)?;
        let start = |member: &'static Member| Worker::start(&self.worker, member, &request);
        let schedule = Schedule::new(turns, self.jobs);
        let reply = schedule.run(start, &options.budget)?;
        Ok(reply.into_answer(system))
    }
}

impl HornSolver for Portfolio {
    fn name(&self) -> &str {
        "portfolio"
    }

    fn solve(
        &mut self,
        pool: &TermPool,
        system: &HornSystem,
        hints: &[Hint],
        options: &HornOptions,
    ) -> Result<HornAnswer, SolverError> {
        // Replies name rules, so no two may share a name.
        let mut named = system.clone();
        for (number, rule) in named.rules.iter_mut().enumerate() {
            rule.name = format!("rule-{number}");
        }
        let text = chc::print(pool, &named)?;
        self.solve_text(&text, pool, &named, hints, options)
    }
}
