//! The solvers that the engine can use, behind one object.

use crate::settings::SolverChoice;
use foghorn_core::Budget;
use foghorn_smt::SolverError;
use foghorn_smt::dump::Dumping;
use foghorn_smt::sat::SatSolver;
use foghorn_smt::smtlib::SmtLibSolver;
use foghorn_smt::solver::{Answer, Limits, Solver};
use foghorn_smt::z3::Z3Solver;
use foghorn_term::eval::Value;
use foghorn_term::{TermId, TermPool};
use std::path::Path;

/// A solver that respects a budget.
pub trait BmcSolver: Limits {
    fn as_solver(&mut self) -> &mut dyn Solver;
}

impl<S: Limits> BmcSolver for S {
    fn as_solver(&mut self) -> &mut dyn Solver {
        self
    }
}
