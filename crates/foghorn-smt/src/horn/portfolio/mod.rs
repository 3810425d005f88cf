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
mod race;
mod schedule;

pub use protocol::serve;
pub use race::{Arrival, Race};
pub use schedule::{EntrantId, FIRST_SLICE, Turn};

use super::member::Member;
use super::merge;
use super::{Hint, HornAnswer, HornOptions, HornSolver, HornSystem, Rule};
use crate::chc;
use crate::error::SolverError;
use foghorn_term::{Sort, SortId, TermId, TermPool};
use std::path::PathBuf;
use std::time::Duration;

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
    ("spacer-merged", 2),
    ("spacer-global", 4),
    ("execution", 2),
    ("spacer-global-given", 2),
    ("spacer-given", 1),
    ("unrolling", 2),
    ("spacer-generalised-plain", 1),
    ("spacer", 1),
];

/// The members where there are many ways from a predicate to another.
const WAYS: &[Share] = &[
    ("spacer-merged", 8),
    ("unrolling", 1),
    ("spacer-generalised", 1),
    ("spacer-global", 2),
    ("spacer-merged-plain", 4),
    ("execution", 1),
    ("spacer", 1),
];

/// So many ways from each predicate to each other on average are many. Loops of ordinary programs have one to five, state
/// machines ten to thirty.
const MANY_WAYS: usize = 8;

/// The members where some predicate has one.
const ARRAYS: &[Share] = &[
    ("spacer-quantified", 4),
    ("spacer-cells", 4),
    ("spacer", 2),
    ("unrolling", 2),
    ("execution", 1),
    ("spacer-global", 2),
    ("spacer-quantified-transformed", 1),
    ("spacer-cells-generalised", 1),
    ("spacer-given", 1),
];

/// The members where some predicate has a bit-vector: what Spacer solves over bits it solves within a few seconds in most
/// settings, or not at all (record 0263).
const WORDS: &[Share] = &[
    ("spacer-global", 3),
    ("spacer", 2),
    ("unrolling", 1),
    ("spacer-global-given", 2),
    ("execution", 1),
    ("spacer-given", 1),
];

/// In front of them where there are hints.
const HINTED: &[Share] = &[("spacer-hints", 3), ("spacer-hints-induction", 2)];

/// About how long a member takes for each term of a system before it begins to solve, reading and simplification.
const START: Duration = Duration::from_micros(3);

/// A first slice is at least so many times as long as a member takes to begin: otherwise large systems would be read by all
/// members and solved by none.
const STARTS: u32 = 3;

/// The first turns of members for a system of so many terms.
fn first_turns(shares: &[Share], terms: usize) -> impl Iterator<Item = Turn> {
    let start = START * u32::try_from(terms).unwrap_or(u32::MAX);
    shares.iter().map(move |(name, share)| Turn {
        member: Member::named(name).expect("invariant: the member is in the table"),
        until: (FIRST_SLICE * *share).max(start * STARTS),
    })
}

/// All terms of a system.
fn roots(system: &HornSystem) -> Vec<TermId> {
    let of = |rule: &Rule| {
        let applications = rule.body.iter().chain(rule.head.as_ref());
        let arguments = applications.flat_map(|it| it.arguments.iter().copied());
        arguments.chain([rule.constraint]).collect::<Vec<TermId>>()
    };
    system.rules.iter().flat_map(of).collect()
}

/// The members for a system with their first turns, in their order.
pub fn plan(pool: &TermPool, system: &HornSystem, hints: bool) -> Vec<Turn> {
    let is_array = |sort: SortId| matches!(pool.sort_of(sort), Sort::Array { .. });
    let is_word = |sort: SortId| matches!(pool.sort_of(sort), Sort::BitVec(_));
    let has = |is_it: &dyn Fn(SortId) -> bool| {
        let mut predicates = system.predicates.iter();
        predicates.any(|predicate| {
            let mut sorts = pool.function_data(*predicate).arguments.iter();
            sorts.any(|sort| is_it(*sort))
        })
    };
    let hinted = if hints { HINTED } else { &[] };
    let others = match (has(&is_array), has(&is_word)) {
        (true, _) => ARRAYS,
        (false, true) => WORDS,
        (false, false) if merge::has_ways(system, MANY_WAYS) => WAYS,
        (false, false) => SCALARS,
    };
    let terms = pool.dag_size(&roots(system));
    let hinted = first_turns(hinted, terms);
    hinted.chain(first_turns(others, terms)).collect()
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
        let mut race = Race::new(self.worker.clone(), self.jobs);
        race.enter_text(text, pool, system.clone(), (hints, options), turns)?;
        let arrival = race.run(&options.budget)?;
        Ok(arrival.map_or_else(nobody, |arrival| arrival.answer))
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
        let (named, text) = with_named_rules(pool, system)?;
        self.solve_text(&text, pool, &named, hints, options)
    }
}

/// The answer of a portfolio without members.
fn nobody() -> HornAnswer {
    HornAnswer::Unknown("nobody was asked".to_owned())
}

/// A system and its text. Replies name rules, so no two may share a name.
fn with_named_rules(
    pool: &TermPool,
    system: &HornSystem,
) -> Result<(HornSystem, String), SolverError> {
    let mut named = system.clone();
    for (number, rule) in named.rules.iter_mut().enumerate() {
        rule.name = format!("rule-{number}");
    }
    let text = chc::print(pool, &named)?;
    Ok((named, text))
}
