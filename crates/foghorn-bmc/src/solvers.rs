//! The solvers that the engine can use, behind one object.

use crate::settings::SolverChoice;
use foghorn_core::Budget;
use foghorn_smt::SolverError;
use foghorn_smt::dump::Dumping;
use foghorn_smt::sat::SatSolver;
use foghorn_smt::smtlib::{SmtLibProfile, SmtLibSolver};
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

/// The solver of a choice.
pub fn make(
    choice: &SolverChoice,
    dump: Option<&Path>,
    budget: &Budget,
) -> Result<Box<dyn BmcSolver>, SolverError> {
    let mut solver: Box<dyn BmcSolver> = match choice {
        SolverChoice::Auto => dumped(Auto::new(), dump)?,
        SolverChoice::Z3 => dumped(Z3Solver::for_bit_vectors()?, dump)?,
        SolverChoice::Sat => dumped(SatSolver::new(), dump)?,
        SolverChoice::Yices(program) => dumped(process(SmtLibProfile::yices(program)), dump)?,
        SolverChoice::Cvc5(program) => dumped(process(SmtLibProfile::cvc5(program)), dump)?,
        SolverChoice::Z3Process(program) => dumped(process(SmtLibProfile::z3(program)), dump)?,
    };
    solver.set_budget(budget.clone());
    Ok(solver)
}

fn dumped<S: Limits + 'static>(
    solver: S,
    dump: Option<&Path>,
) -> Result<Box<dyn BmcSolver>, SolverError> {
    Ok(match dump {
        Some(folder) => Box::new(Dumping::new(solver, folder)?),
        None => Box::new(solver),
    })
}

fn process(profile: SmtLibProfile) -> SmtLibSolver {
    SmtLibSolver::new(profile)
}

/// Our own solver as long as it can, then Z3 for good.
struct Auto {
    sat: Option<SatSolver>,
    z3: Option<Z3Solver>,
    asserted: Vec<TermId>,
    budget: Budget,
}

impl Auto {
    fn new() -> Self {
        Auto {
            sat: Some(SatSolver::new()),
            z3: None,
            asserted: vec![],
            budget: Budget::unlimited(),
        }
    }

    /// Goes over to Z3 with everything that was asserted.
    fn switch(&mut self, pool: &TermPool) -> Result<&mut Z3Solver, SolverError> {
        self.sat = None;
        if self.z3.is_none() {
            let mut z3 = Z3Solver::new()?;
            z3.set_budget(self.budget.clone());
            for &term in &self.asserted {
                z3.assert(pool, term)?;
            }
            self.z3 = Some(z3);
        }
        Ok(self.z3.as_mut().expect("invariant: just made"))
    }
}

impl Solver for Auto {
    fn name(&self) -> &str {
        if self.sat.is_some() { "sat" } else { "z3" }
    }

    fn declare(&mut self, pool: &TermPool, symbol: TermId) -> Result<(), SolverError> {
        match &mut self.sat {
            Some(sat) => match sat.declare(pool, symbol) {
                Err(SolverError::Unsupported { .. }) => self.switch(pool)?.declare(pool, symbol),
                other => other,
            },
            None => self.switch(pool)?.declare(pool, symbol),
        }
    }

    fn assert(&mut self, pool: &TermPool, term: TermId) -> Result<(), SolverError> {
        self.asserted.push(term);
        match &mut self.sat {
            Some(sat) => match sat.assert(pool, term) {
                Err(SolverError::Unsupported { .. }) => self.switch(pool).map(|_| ()),
                other => other,
            },
            None => self.switch(pool)?.assert(pool, term),
        }
    }

    fn check_assuming(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
    ) -> Result<Answer, SolverError> {
        if let Some(sat) = &mut self.sat {
            match sat.check_assuming(pool, assumptions) {
                Err(SolverError::Unsupported { .. }) => {}
                other => return other,
            }
        }
        self.switch(pool)?.check_assuming(pool, assumptions)
    }

    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, SolverError> {
        match &mut self.sat {
            Some(sat) => sat.value(pool, term),
            None => self.switch(pool)?.value(pool, term),
        }
    }
}

impl Limits for Auto {
    fn set_budget(&mut self, budget: Budget) {
        if let Some(sat) = &mut self.sat {
            sat.set_budget(budget.clone());
        }
        if let Some(z3) = &mut self.z3 {
            z3.set_budget(budget.clone());
        }
        self.budget = budget;
    }
}
