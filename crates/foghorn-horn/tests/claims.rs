//! What proofs claim is proved again, by a check that knows no engine.

mod common;

use common::{program, task};
use foghorn_certify::inductive_part;
use foghorn_core::Budget;
use foghorn_encode::claim::{Argument, Formula, LoopClaim};
use foghorn_engine::Task;
use foghorn_horn::form::{Form, IntegerForm};
use foghorn_horn::solve::{Decision, Outcome, Solving, decide};
use std::time::Duration;

const CHECKS: &str = "assertions,memory-safety";

fn solved(name: &str, form: Form) -> (Task, Outcome) {
    let text = format!(
        "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n{}",
        program(name)
    );
    let task = task(&text, CHECKS);
    let solving = Solving {
        forms: vec![form],
        argues: true,
        ..Solving::default()
    };
    let budget = Budget::unlimited().within(Duration::from_secs(60));
    let outcome = decide(&task, &solving, &budget);
    let mut decisions = outcome.decisions.values();
    assert!(
        decisions.all(|it| matches!(it, Decision::Safe)),
        "{name}: {:?}",
        outcome.decisions
    );
    (task, outcome)
}

/// The checks that follow from an argument, and those that do not.
fn certify(task: &Task, argument: Argument) -> (usize, usize) {
    let budget = Budget::unlimited().within(Duration::from_secs(60));
    let (_, proof) =
        inductive_part(task.pure(), task.checks(), argument, &budget).expect("the solver answers");
    assert!(proof.holds(), "{:?}", proof.failures);
    let shown = proof.sites.values().filter(|holds| **holds).count();
    (shown, proof.sites.len() - shown)
}

#[test]
fn proofs_are_certified_by_their_claims() {
    let usual = Form::default();
    let bits = Form {
        integers: IntegerForm::Bits,
        ..usual
    };
    let cases = [
        ("sum-good", usual),
        ("recursion-good", usual),
        ("fill-good", usual),
        ("wrap-good", usual),
        ("wrap-good", bits),
    ];
    for (name, form) in cases {
        let (task, outcome) = solved(name, form);
        let argument = outcome.argument.expect("there are claims");
        let (shown, open) = certify(&task, argument);
        assert_eq!((shown > 0, open), (true, 0), "{name}, {form}");
    }
}

/// Without the claims the same checks do not follow, so it is the claims that show them.
#[test]
fn it_is_the_claims_that_show_it() {
    let (task, outcome) = solved("sum-good", Form::default());
    let mut argument = outcome.argument.expect("there are claims");
    for claims in argument.functions.values_mut() {
        for claim in claims.loops.values_mut() {
            *claim = LoopClaim::invariant(vec![]);
        }
    }
    assert_eq!(certify(&task, argument).1, 1);
}

/// Bounds at loops go to other engines, and say that nobody has proved them again.
#[test]
fn bounds_at_loops_are_facts() {
    let (task, outcome) = solved("sum-good", Form::default());
    let facts = outcome.facts.first().expect("there are facts");
    assert_eq!((facts.function, facts.block), (0, 1));
    let report = foghorn_horn::door::report(outcome);
    assert!(!report.certified && !report.facts.is_empty());
    drop(task);
}

/// A loop that nothing comes to is claimed to be one.
#[test]
fn a_loop_that_nothing_comes_to_is_claimed_to_be_one() {
    let (_, outcome) = solved("unreached-good", Form::default());
    let argument = outcome.argument.expect("there are claims");
    let LoopClaim::Invariant { holds, .. } = &argument.functions["main"].loops[&2] else {
        panic!("it is an invariant");
    };
    assert_eq!(holds[..], [Formula::Constant(false)]);
}
