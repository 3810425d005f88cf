//! Vacuity: checks that no execution reaches.
//!
//! A check is vacuous if its guard contradicts the assumptions before it: it is safe, but it says
//! nothing. That is worth a warning, and as much time as the proof took. Checks and obligations are
//! not asked for again: only assumptions decide what is reached. Each model of "some check that was
//! not seen reached yet is reached" covers many checks at once, so few questions are asked.

use crate::model::model;
use crate::question;
use foghorn_core::Budget;
use foghorn_encode::execute::Trace;
use foghorn_encode::execute::event::{Event, SiteIndex, What};
use foghorn_smt::SolverError;
use foghorn_smt::solver::{Answer, Solver};
use foghorn_term::eval::Evaluator;
use foghorn_term::{TermId, TermPool};
use rustc_hash::FxHashSet;

/// The sites with checks of the program's own that nothing reaches. Where time runs out, those
/// that were not decided are left out.
pub fn find_unreached(
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    trace: &Trace,
    budget: &Budget,
) -> Result<FxHashSet<SiteIndex>, SolverError> {
    let mut open: FxHashSet<SiteIndex> = trace
        .events
        .iter()
        .filter_map(|event| match event.what {
            What::Check { site, .. } => Some(site),
            What::Input { .. }
            | What::Read { .. }
            | What::Assume { .. }
            | What::Unwinding { .. }
            | What::Obligation { .. } => None,
        })
        .collect();
    while !open.is_empty() {
        if budget.check().is_err() {
            return Ok(FxHashSet::default());
        }
        let formula = question::reaches(pool, &trace.events, &open);
        if pool.as_bool(formula) == Some(false) {
            return Ok(open);
        }
        match solver.check_assuming(pool, &[formula]) {
            Ok(Answer::Unsatisfiable) => return Ok(open),
            Ok(Answer::Unknown(_)) | Err(SolverError::Exhausted(_)) => {
                return Ok(FxHashSet::default());
            }
            Err(error) => return Err(error),
            Ok(Answer::Satisfiable) => {
                let before = open.len();
                let model = model(solver, pool, &[formula])?;
                let mut evaluator = Evaluator::new(pool, &model);
                remove_reached(&mut evaluator, &trace.events, &mut open);
                if open.len() == before {
                    return Ok(FxHashSet::default());
                }
            }
        }
    }
    Ok(open)
}

/// Whether every execution ends at an assumption that does not hold. Where time runs out, it is not
/// said.
pub fn is_contradictory(
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    trace: &Trace,
    budget: &Budget,
) -> Result<bool, SolverError> {
    let mut conditions = vec![];
    for event in &trace.events {
        if let What::Assume { condition } = event.what {
            conditions.push(pool.implies(event.guard, condition));
        }
    }
    if conditions.is_empty() || budget.check().is_err() {
        return Ok(false);
    }
    let formula = pool.and(&conditions);
    if let Some(holds) = pool.as_bool(formula) {
        return Ok(!holds);
    }
    match solver.check_assuming(pool, &[formula]) {
        Ok(answer) => Ok(answer == Answer::Unsatisfiable),
        Err(SolverError::Exhausted(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Walks along the execution until an assumption fails.
fn remove_reached(
    evaluator: &mut Evaluator<'_>,
    events: &[Event],
    open: &mut FxHashSet<SiteIndex>,
) {
    let mut truth = |term: TermId| evaluator.evaluate(term).is_ok_and(|value| value.as_bool());
    for event in events {
        if !truth(event.guard) {
            continue;
        }
        match &event.what {
            What::Check { condition, site } => {
                open.remove(site);
                if !truth(*condition) {
                    return;
                }
            }
            What::Assume { condition } | What::Obligation { condition, .. } => {
                if !truth(*condition) {
                    return;
                }
            }
            What::Input { .. } | What::Read { .. } | What::Unwinding { .. } => {}
        }
    }
}
