//! Long derivations are replayed part by part, and all at once where an early choice matters late.

use foghorn_core::Budget;
use foghorn_smt::chc;
use foghorn_smt::horn::{Alone, HornAnswer, HornOptions, HornSolver, Member};
use std::time::Duration;

/// Counts to `LAST`; the other argument is chosen at the start and looked at at the end.
const COUNT: &str = "(declare-fun inv (Int Int) Bool)
    (assert (forall ((a Int)) (inv 0 a)))
    (assert (forall ((x Int) (a Int)) (=> (and (inv x a) (< x LAST)) (inv (+ x 1) a))))
    (assert (forall ((x Int) (a Int)) (=> (and (inv x a) (= x LAST) LOOK) false)))";

fn steps(last: &str, look: &str) -> usize {
    let text = COUNT.replace("LAST", last).replace("LOOK", look);
    let file = chc::read(&text).expect("it is a system");
    let member = Member::named("execution").expect("it is in the table");
    let options = HornOptions {
        budget: Budget::unlimited().within(Duration::from_secs(120)),
        derivation: true,
    };
    let answer = Alone(member).solve(&file.pool, &file.system, &[], &options);
    match answer {
        Ok(HornAnswer::Refuted(Some(derivation))) => {
            let first = derivation.steps.values().next().expect("it has steps");
            let last = derivation.steps.values().nth_back(1).expect("it has steps");
            assert_eq!(first.arguments[1], last.arguments[1], "nothing changes it");
            derivation.steps.len()
        }
        answer => panic!("{answer:?}"),
    }
}

#[test]
fn a_path_without_choice_is_replayed_in_parts() {
    // The fact, a step for each number, and the query.
    assert_eq!(steps("1000", "true"), 1002);
}

#[test]
fn a_choice_that_matters_late_is_found() {
    assert_eq!(steps("600", "(= a 77)"), 602);
}
