//! Questions about sums over closed loops, one check at a time.

use super::Engine;
use crate::event::What;
use crate::execute::Trace;
use crate::query::{self, Settled};
use foghorn_smt::SolverError;
use foghorn_smt::solver::Answer;
use foghorn_term::rules::simplifier;
use foghorn_term::{TermId, TermPool};
use std::time::{Duration, Instant};

/// What putting the folds of one check in order may take, and each question for it.
const FOR_FOLDS: Duration = Duration::from_secs(10);
const FOR_ORDER: Duration = Duration::from_millis(500);

impl Engine<'_> {
    /// Asks one by one about checks of sums over closed loops; those that hold are assumptions from then
    /// on.
    pub(super) fn ask_about_folds(
        &mut self,
        trace: &mut Trace,
        settled: &mut Settled,
    ) -> Result<(), SolverError> {
        let Some(mut folds) = trace.folds.take() else {
            return Ok(());
        };
        for index in 0..trace.events.len() {
            let What::Check { condition, site } = trace.events[index].what else {
                continue;
            };
            let guard = trace.events[index].guard;
            let both = [guard, condition];
            if settled.sites.contains(&site)
                || !both.iter().any(|&term| folds.occur_in(&self.pool, term))
            {
                continue;
            }
            let reached = query::reached(&mut self.pool, &trace.events[..=index], &folds);
            let holds = self.pool.implies(guard, condition);
            let budget = self.budget.within(FOR_FOLDS);
            let mut implied = |pool: &mut TermPool, claim: TermId| {
                let not = pool.not(claim);
                let formula = pool.and(&[reached, not]);
                if pool.as_bool(formula) == Some(false) {
                    return Ok(true);
                }
                self.solver.set_budget(budget.within(FOR_ORDER));
                self.report.statistics.queries += 1;
                match self.solver.check_assuming(pool, &[formula]) {
                    Ok(answer) => Ok(answer == Answer::Unsatisfiable),
                    Err(SolverError::Exhausted(_)) => Ok(false),
                    Err(error) => Err(error),
                }
            };
            let started = Instant::now();
            let in_order = folds.in_order(&mut self.pool, holds, &mut implied)?;
            self.report.statistics.solving += started.elapsed();
            let in_order = simplifier().rewrite(&mut self.pool, in_order);
            let not = self.pool.not(in_order);
            let fails = self.pool.and(&[reached, not]);
            if self.ask(fails)? == Answer::Unsatisfiable {
                trace.events[index].what = What::Assume { condition };
            } else {
                settled.sites.insert(site);
                self.leave_open(&trace.sites[site]);
            }
        }
        Ok(())
    }
}
