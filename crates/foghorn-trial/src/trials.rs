//! A few concrete runs (random testing).
//!
//! Deep loops over constants cost a bounded model checker as much as shallow ones over inputs, but
//! an interpreter hardly anything: many failures need no particular input, only a long run. So the
//! program is executed a few times, with zeros and with pseudo-random values, as `foghorn run`
//! would; one that reads text gets texts that are made up for it ([`crate::typist`]). A trial
//! proves nothing by passing. One that fails is a failure like any other: it was executed.
//!
//! Invariant: a run that passed an operation which is not modelled precisely counts for nothing.

use crate::typist::{Typist, Vocabulary};
use foghorn_core::{Budget, CheckKind, SpanId};
use foghorn_engine::Candidate;
use foghorn_ir::Module;
use foghorn_ir::interpret::{
    ChoiceSource, Options, Outcome, Program, ProgramPoint, RecordedWorld, Seeded, Zeros,
};
use foghorn_witness::stream;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Trials made at most.
const TRIALS: u64 = 24;
/// Steps of one trial; enough for a few passes over the largest arrays of the public suites.
const STEPS: u64 = 30_000_000;
/// Memory of one trial: a random size is a huge one.
const MEMORY: u64 = 16 << 20;
/// Time for all trials together, where nothing else limits it more.
const TIME: Duration = Duration::from_secs(3);
/// Time for trials after the first with pseudo-random values, if none fails: what the first ones do
/// not find, the next ones seldom do.
const PATIENCE: Duration = Duration::from_millis(150);
/// Trials and their time where the program reads text: made-up text finds more the more there is of
/// it, and a run is short.
const TYPED_TRIALS: u64 = 4000;
const TYPED_PATIENCE: Duration = Duration::from_millis(800);
/// Trials after a failing one that look for others.
const TRIALS_AFTER_FAILURE: u64 = 24;
/// The part of the whole time limit that trials may take: one in so many.
const SHARE: u32 = 8;

/// Runs the program until the trials or their time are used up, and tells of the first run that fails
/// at each place. A program that asks for nothing is run once. The number of runs.
pub fn try_runs(
    module: &Module,
    options: &Options,
    budget: &Budget,
    tell: &mut dyn FnMut(&Candidate),
) -> u64 {
    let time = budget
        .remaining()
        .map_or(TIME, |left| TIME.min(left / SHARE));
    let begin = Instant::now();
    let end = begin + time;
    let options = Options {
        max_steps: Some(STEPS),
        max_memory: MEMORY,
        budget: budget.within(time),
        ..options.clone()
    };
    let program = Program::new(module);
    let mut told: BTreeSet<(CheckKind, SpanId, Option<ProgramPoint>)> = BTreeSet::new();
    let (mut last, mut patience) = (TRIALS, PATIENCE);
    let mut vocabulary = None;
    let mut number = 0;
    while number < last {
        let mut source: Box<dyn ChoiceSource> = match (number, &vocabulary) {
            (0, _) => Box::new(Zeros),
            (seed, None) => Box::new(Seeded::new(seed)),
            (seed, Some(vocabulary)) => Box::new(Typist::new(vocabulary, seed)),
        };
        let mut world = RecordedWorld::default();
        let Ok(run) = program.run(&options, &mut *source, &mut world) else {
            break;
        };
        drop(source);
        number += 1;
        let deterministic = run.choices.is_empty();
        let trustworthy = run.is_trustworthy();
        if vocabulary.is_none() && run.choices.iter().any(|c| stream::is_stream(&c.origin)) {
            vocabulary = Some(Vocabulary::of(module));
            (last, patience) = (TYPED_TRIALS, TYPED_PATIENCE);
        }
        if let (Outcome::Failed(failure), true) = (run.outcome, trustworthy) {
            if told.is_empty() {
                last = last.min(number + TRIALS_AFTER_FAILURE);
            }
            if told.insert((failure.kind, failure.span, failure.point)) {
                tell(&Candidate {
                    choices: run.choices,
                    failure,
                    steps: run.steps,
                    layout: vec![],
                });
            }
        }
        let now = Instant::now();
        // Zeros alone say little: they are all equal.
        let had_enough = number > 1 && told.is_empty() && now >= begin + patience;
        if deterministic || now >= end || had_enough {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_ir::text::parse_module;

    /// The kinds of failures that trials of a body find.
    fn trials(body: &str) -> Vec<CheckKind> {
        let text = format!(
            "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\
             function @main() -> i32 {{\nblock0:\n{body}\n}}\n"
        );
        let module = parse_module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut found = vec![];
        let mut tell = |candidate: &Candidate| found.push(candidate.failure.kind);
        let runs = try_runs(
            &module,
            &Options::default(),
            &Budget::unlimited(),
            &mut tell,
        );
        assert!(runs > 0);
        found
    }

    /// A hundred thousand iterations, whatever the input is.
    #[test]
    fn a_long_run_needs_no_particular_input() {
        let found = trials(
            "v0:i32 = nondet input \"f\"
            jump block1(0:i32)
            block1(v1:i32):
            v2:i32 = add v1, 1
            v3:i1 = compare ult v2, 100000
            branch v3, block1(v2), block2
            block2:
            v4:i1 = compare eq v2, 7
            check assertion v4
            return 0:i32",
        );
        assert_eq!(found, [CheckKind::Assertion]);
    }

    /// Zeros pass, and take their time; the next values do not.
    #[test]
    fn a_long_run_is_made_with_other_values_too() {
        let found = trials(
            "v0:i32 = nondet input \"f\"
            v1:i32 = nondet input \"f\"
            jump block1(0:i32)
            block1(v2:i32):
            v3:i32 = add v2, 1
            v4:i1 = compare ult v3, 1000000
            branch v4, block1(v3), block2
            block2:
            v5:i1 = compare eq v0, v1
            check assertion v5
            return 0:i32",
        );
        assert!(!found.is_empty());
    }

    #[test]
    fn what_holds_fails_in_no_trial() {
        let found = trials(
            "v0:i32 = nondet input \"f\"
            v1:i1 = compare eq v0, v0
            check assertion v1
            return 0:i32",
        );
        assert!(found.is_empty());
    }
}
