//! The solver of an analysis: what it was told, and when it starts afresh.
//!
//! One solver is asked all questions, and keeps what it has learned. It keeps all formulas too, and every question goes
//! through them: after a look ahead with many copies, questions about one copy would take as long as those about many.

use super::Engine;
use crate::bench::Twice;
use crate::options::Kiki;
use foghorn_core::Budget;
use foghorn_encode::execute::Trace;
use foghorn_smt::SolverError;
use foghorn_smt::choice::{self, EngineSolver, SolverOptions};
use std::sync::Arc;

impl Engine<'_> {
    /// Tells the solver what holds of symbols in every execution of a trace.
    pub(super) fn assert_axioms(&mut self, trace: &mut Trace) -> Result<(), SolverError> {
        self.axioms.extend(trace.axioms.iter().copied());
        self.session.assert_axioms(trace)
    }

    /// A solver that has heard of nothing but axioms: every question goes through all formulas that there ever were.
    pub(super) fn renew_solver(&mut self) -> Result<(), SolverError> {
        self.session.solver = open(self.options, self.budget)?;
        for &axiom in &self.axioms {
            self.session.solver.assert(&self.session.pool, axiom)?;
        }
        Ok(())
    }
}

/// How a solver is opened.
pub(super) fn options(own: &Kiki, budget: &Budget) -> SolverOptions {
    SolverOptions {
        choice: own.solver,
        dump: None,
        budget: budget.clone(),
    }
}

/// A solver that has heard of nothing.
pub(super) fn open(own: &Kiki, budget: &Budget) -> Result<Box<dyn EngineSolver>, SolverError> {
    let solver = options(own, budget);
    match &own.compared {
        Some(compared) => Ok(Box::new(Twice::new(&solver, Arc::clone(compared))?)),
        None => choice::open(&solver),
    }
}
