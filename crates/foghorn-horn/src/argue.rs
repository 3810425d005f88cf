//! The argument for what was proved: claims that another program can prove again.

use crate::claims;
use crate::form::{Form, ProcedureForm};
use crate::solve::{Decision, Outcome, Proof, Solving, solve};
use foghorn_core::Budget;
use foghorn_encode::execute::settings::Settings;
use foghorn_engine::{Silent, Task};
use std::time::Duration;

/// Time for an argument: whoever has proved something need not wait longer for it.
const MOST_TIME: Duration = Duration::from_secs(2);

/// Makes claims of the proofs. Where a loop is in a function that was part of its callers, its contract is asked of the
/// clauses once more, with a summary for every function.
pub fn argue(
    task: &Task,
    settings: &Settings,
    solving: &Solving,
    budget: &Budget,
    outcome: &mut Outcome,
) {
    let is_refuted = |it: &Decision| matches!(it, Decision::Unsafe(_));
    if outcome.proofs.is_empty() || outcome.decisions.values().any(is_refuted) {
        return;
    }
    let module = task.pure();
    // The claims of a program with mixed semantics are about its copies.
    let is_mixed = outcome.proofs.iter().any(|proof| proof.mixed.is_some());
    let by_summaries = match is_mixed || claims::lacks_contracts(module, &outcome.proofs) {
        true => prove_again(task, settings, solving, budget, &outcome.proofs),
        false => vec![],
    };
    let proofs = match by_summaries.is_empty() {
        true if is_mixed => return,
        true => &outcome.proofs,
        false => &by_summaries,
    };
    let claimed = claims::argument(module, proofs);
    let count = |name: &str, value: usize| (name.to_owned(), value as f64);
    outcome.statistics.extend([
        count("horn_conjuncts_claimed", claimed.conjuncts),
        count("horn_conjuncts_without_words", claimed.unsaid),
    ]);
    outcome.facts = claimed.facts;
    outcome.argument = Some(claimed.argument);
}

/// Proofs in which every function has a summary.
fn prove_again(
    task: &Task,
    settings: &Settings,
    solving: &Solving,
    budget: &Budget,
    proofs: &[Proof],
) -> Vec<Proof> {
    let third = budget.remaining().map(|left| left / 3);
    let time = third.map_or(MOST_TIME, |third| third.min(MOST_TIME));
    let forms = proofs.iter().map(|proof| Form {
        procedures: ProcedureForm::Summaries,
        ..proof.form
    });
    let solving = Solving {
        forms: forms.collect(),
        argues: false,
        ..solving.clone()
    };
    let budget = budget.within(time);
    solve(task, settings, &solving, &budget, &mut Silent).proofs
}
