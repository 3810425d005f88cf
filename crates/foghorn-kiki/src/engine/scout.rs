//! A look ahead: failures that a few iterations from the start bring about, and checks that follow from those of a few
//! iterations before, before invariants are looked for.
//!
//! Invariants take most of the time where bodies are large, and say nothing where a check fails. The solver keeps what it
//! learns here. A proof counts only if it is one of all checks: what is left would need invariants anyway, and a proof of
//! one kind is easier to certify.

use super::{Engine, Round};
use crate::problem::Problem;
use foghorn_core::Budget;
use foghorn_encode::execute::Trace;
use foghorn_smt::SolverError;
use rustc_hash::FxHashSet;

/// Numbers of copies.
const COPIES: [u32; 6] = [1, 2, 3, 4, 6, 8];

/// A part of the time that is left.
const SHARE: u32 = 4;

impl Engine<'_> {
    /// Looks for failures with a few copies, and for a proof by k-induction without invariants; what became of it if that
    /// is the end.
    pub(super) fn scout(&mut self) -> Result<Option<Round>, SolverError> {
        let Some(left) = self.budget.remaining() else {
            return Ok(None);
        };
        let budget = self.budget.within(left / SHARE);
        for copies in COPIES {
            let is_over = budget.check().is_err() || copies > self.options.most_copies;
            if is_over || self.has_failure() {
                break;
            }
            self.tell(copies, "looking ahead");
            self.cut.set_copies(copies);
            let Ok(mut trace) = self.execute(&budget) else {
                break;
            };
            self.assert_axioms(&mut trace)?;
            let loops = self.cut.take_loops();
            // Without loops there is nothing but failures from the start, and they are looked for without haste.
            if loops.is_empty() || self.cut.refusal().is_some() {
                break;
            }
            let events = std::mem::take(&mut trace.events);
            let problem = Problem::new(&mut self.session.pool, loops, events, copies);
            self.list_sites(&trace);
            self.refute(&trace, &problem, &budget)?;
            if !self.has_failure() && self.follows_from_before(&trace, &problem, &budget)? {
                self.report.copies = copies;
                self.report.statistics.cut_loops = problem.loops.len();
                self.report.notes = trace.notes.clone();
                self.close_unmet();
                self.argue(&problem, copies)?;
                return self.look_for_vacuity(trace, problem).map(Some);
            }
        }
        Ok(None)
    }

    /// Whether all checks hold by those of the copies before; then they are decided.
    fn follows_from_before(
        &mut self,
        trace: &Trace,
        problem: &Problem,
        budget: &Budget,
    ) -> Result<bool, SolverError> {
        let found = self.find_open(trace, problem, &[], budget)?;
        // What is too coarse here need not be with invariants.
        self.is_too_coarse = false;
        if found.is_ok_and(|open| open.is_empty()) {
            self.close(trace, &FxHashSet::default());
        }
        Ok(self.is_all_decided(trace))
    }
}
