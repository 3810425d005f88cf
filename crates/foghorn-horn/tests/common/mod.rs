//! Tasks from textual IR, and what Horn clauses say of them.

use foghorn_core::{Budget, CheckSelection};
use foghorn_engine::{Circumstances, Task};
use foghorn_horn::form::Form;
use foghorn_horn::solve::{Decision, Outcome, Solving, decide};
use foghorn_ir::parse_module;
use std::time::Duration;

/// What is said of a whole program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Safe,
    Unsafe,
    Unknown,
}

/// The task of a program for groups of checks.
pub fn task(text: &str, checks: &str) -> Task {
    let program = parse_module(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut pure = program.clone();
    let options = foghorn_dsa::Options::default();
    let pointers = foghorn_dsa::memory_ssa::plan::purify(&mut pure, &options);
    let checks: CheckSelection = checks.parse().expect("groups of checks");
    let made = Task::new(
        program,
        pure,
        &pointers,
        checks,
        false,
        Circumstances::default(),
    );
    made.expect("a task").0
}

/// Asks in one form, for at most ten seconds.
pub fn ask(task: &Task, form: Form) -> Outcome {
    let solving = Solving {
        forms: vec![form],
        worker: None,
    };
    let budget = Budget::unlimited().within(Duration::from_secs(10));
    decide(task, &solving, &budget)
}

/// The answer for the whole program.
pub fn verdict(text: &str, checks: &str, form: Form) -> Verdict {
    let outcome = ask(&task(text, checks), form);
    let mut verdict = Verdict::Safe;
    for decision in outcome.decisions.values() {
        match decision {
            Decision::Safe => {}
            Decision::Unsafe(_) => return Verdict::Unsafe,
            Decision::Open(_) => verdict = Verdict::Unknown,
        }
    }
    verdict
}
