//! A look ahead: failures that a few iterations from the start bring about, before invariants are looked for.
//!
//! Invariants take most of the time where bodies are large, and say nothing where a check fails. The solver keeps what it
//! learns here.

use super::Engine;
use crate::problem::Problem;
use foghorn_smt::SolverError;

/// Numbers of copies.
const COPIES: [u32; 4] = [1, 2, 4, 8];

/// A part of the time that is left.
const SHARE: u32 = 6;

impl Engine<'_> {
    /// Looks for failures with a few copies.
    pub(super) fn scout(&mut self) -> Result<(), SolverError> {
        let Some(left) = self.budget.remaining() else {
            return Ok(());
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
            self.session.assert_axioms(&mut trace)?;
            let loops = self.cut.take_loops();
            // Without loops there is nothing but failures from the start, and they are looked for without haste.
            if loops.is_empty() || self.cut.refusal().is_some() {
                break;
            }
            let events = std::mem::take(&mut trace.events);
            let problem = Problem::new(&mut self.session.pool, loops, events, copies);
            self.list_sites(&trace);
            self.refute(&trace, &problem, &budget)?;
        }
        Ok(())
    }
}
