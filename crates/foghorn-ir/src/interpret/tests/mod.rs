//! Programs in textual IR that are run, and what must come of them.

mod calls;
mod failures;
mod inputs;
mod instructions;
mod memory_model;
mod objects;
mod outside;
mod pure;
mod random_arithmetic;

use super::{ChoiceSource, Failure, Options, Outcome, Program, RecordedWorld, Run, Zeros};
use crate::module::Module;
use crate::text::parse_module;
use crate::verify::verify_module;
use foghorn_core::{CheckGroup, CheckKind};

/// A module with these globals and functions besides a `main` of this body.
fn with_main(items: &str, body: &str) -> String {
    format!(
        "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n{items}\n\
         function @main() -> i32 {{\nblock0:\n{body}\n}}\n"
    )
}

fn parse(text: &str) -> Module {
    let module = parse_module(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let breaches = verify_module(&module);
    assert!(breaches.is_empty(), "{breaches:?}\n{text}");
    module
}

/// Everything checked, also memory that was not freed.
fn all_checks() -> Options {
    Options {
        checks: CheckGroup::ALL.iter().copied().collect(),
        max_steps: Some(10_000_000),
        ..Options::default()
    }
}

fn run_with(text: &str, options: &Options, choices: &mut dyn ChoiceSource) -> Run {
    let module = parse(text);
    let mut world = RecordedWorld::default();
    let run = Program::new(&module).run(options, choices, &mut world);
    run.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn run(text: &str) -> Run {
    run_with(text, &all_checks(), &mut Zeros)
}

/// The program exits with this code.
fn exits(text: &str, code: i32) {
    let run = run(text);
    assert_eq!(run.outcome, Outcome::Exited { code }, "{text}");
}

/// The body of a `main` exits with this code.
fn main_exits(body: &str, code: i32) {
    exits(&with_main("", body), code);
}

fn failure(outcome: Outcome) -> Failure {
    match outcome {
        Outcome::Failed(failure) => *failure,
        other => panic!("no failure but {other:?}"),
    }
}

/// The program fails with this kind at this line.
fn fails(text: &str, kind: CheckKind, line: u32) -> Failure {
    let module = parse(text);
    let failure = failure(run(text).outcome);
    let place = module.spans.span(failure.span).line;
    let told = failure.describe(&module.spans);
    assert_eq!((failure.kind, place), (kind, line), "{told}\n{text}");
    failure
}
