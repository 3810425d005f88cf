//! Questions about sums over summarised loops, one check at a time.

use crate::engine::Engine;
use crate::summarise::Folds;
use foghorn_encode::execute::Trace;
use foghorn_encode::execute::event::{Event, What};
use foghorn_query::{Session, Settled};
use foghorn_smt::SolverError;
use foghorn_smt::solver::Answer;
use foghorn_term::rules::simplifier;
use foghorn_term::{Op, TermId, TermPool};
use std::time::{Duration, Instant};

/// What putting the folds of one check in order may take, and each question for it.
const FOR_FOLDS: Duration = Duration::from_secs(10);
const FOR_ORDER: Duration = Duration::from_millis(500);

impl Engine<'_> {
    /// Asks one by one about checks of sums over summarised loops; those that hold are assumptions from then
    /// on.
    pub(crate) fn ask_about_folds(
        &mut self,
        trace: &mut Trace,
        mut folds: Folds,
        settled: &mut Settled,
    ) -> Result<(), SolverError> {
        for index in 0..trace.events.len() {
            let What::Check { condition, site } = trace.events[index].what else {
                continue;
            };
            let guard = trace.events[index].guard;
            let both = [guard, condition];
            if settled.sites.contains(&site)
                || !both
                    .iter()
                    .any(|&term| folds.occur_in(&self.session.pool, term))
            {
                continue;
            }
            let budget = self.budget.within(FOR_FOLDS);
            let Session {
                pool,
                solver,
                effort,
                ..
            } = &mut self.session;
            let reached = reach(pool, &trace.events[..=index], &folds);
            let holds = pool.implies(guard, condition);
            let mut implied = |pool: &mut TermPool, claim: TermId| {
                let not = pool.not(claim);
                let formula = pool.and(&[reached, not]);
                if pool.as_bool(formula) == Some(false) {
                    return Ok(true);
                }
                solver.set_budget(budget.within(FOR_ORDER));
                effort.queries += 1;
                match solver.check_assuming(pool, &[formula]) {
                    Ok(answer) => Ok(answer == Answer::Unsatisfiable),
                    Err(SolverError::Exhausted(_)) => Ok(false),
                    Err(error) => Err(error),
                }
            };
            let started = Instant::now();
            let in_order = folds.put_in_order(pool, holds, &mut implied)?;
            effort.solving += started.elapsed();
            let in_order = simplifier().rewrite(pool, in_order);
            let not = pool.not(in_order);
            let fails = pool.and(&[reached, not]);
            if self.session.ask(fails, self.budget)? == Answer::Unsatisfiable {
                trace.events[index].what = What::Assume { condition };
            } else {
                settled.sites.insert(site);
                self.leave_open(trace, site);
            }
        }
        Ok(())
    }
}

/// What holds whenever the last of these events is reached and all before it went well, as far as no folds
/// are involved.
fn reach(pool: &mut TermPool, events: &[Event], folds: &Folds) -> TermId {
    let (last, before) = events.split_last().expect("invariant: there is an event");
    let guard = match pool.op(last.guard) {
        Op::And => pool.children(last.guard).to_vec(),
        _ => vec![last.guard],
    };
    let without_folds = guard
        .into_iter()
        .filter(|&part| !folds.occur_in(pool, part));
    let mut conditions: Vec<TermId> = without_folds.collect();
    for event in before {
        if let What::Assume { condition }
        | What::Check { condition, .. }
        | What::Obligation { condition, .. } = event.what
            && !folds.occur_in(pool, condition)
            && !folds.occur_in(pool, event.guard)
        {
            conditions.push(pool.implies(event.guard, condition));
        }
    }
    pool.and(&conditions)
}
