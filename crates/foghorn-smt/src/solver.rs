//! The small solver trait and one trait per further capability.
//!
//! A back end implements [`Solver`] and those capabilities it has; asking for one it lacks is then
//! a compile error and never a surprise at run time. Every method that meets terms takes the pool
//! they live in; a solver must be used with one pool only.

use crate::error::SolverError;
use foghorn_core::Budget;
use foghorn_term::eval::Value;
use foghorn_term::{TermId, TermPool};
use std::path::PathBuf;

use crate::patience::Interrupter;

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Satisfiable,
    Unsatisfiable,
    /// The solver gave up by itself, with its own words why.
    Unknown(String),
}

impl Answer {
    /// SMT-LIB's word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Answer::Satisfiable => "sat",
            Answer::Unsatisfiable => "unsat",
            Answer::Unknown(_) => "unknown",
        }
    }

    pub fn is_definite(&self) -> bool {
        match self {
            Answer::Satisfiable | Answer::Unsatisfiable => true,
            Answer::Unknown(_) => false,
        }
    }
}

/// What every solver can do.
pub trait Solver {
    /// For messages, dumps and tables.
    fn name(&self) -> &str;

    /// Makes a free constant known, so that a model has a value for it even if no assertion
    /// mentions it. Asserting a term declares what it mentions.
    fn declare(&mut self, pool: &TermPool, symbol: TermId) -> Result<(), SolverError>;

    /// Adds a Boolean term to what must hold.
    fn assert(&mut self, pool: &TermPool, term: TermId) -> Result<(), SolverError>;

    /// Is there a model of the assertions?
    fn check(&mut self, pool: &TermPool) -> Result<Answer, SolverError> {
        self.check_assuming(pool, &[])
    }

    /// Is there a model of the assertions and these Boolean terms? The assumptions are forgotten
    /// afterwards.
    fn check_assuming(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
    ) -> Result<Answer, SolverError>;

    /// The value of a term in the model of the last check, which must have said satisfiable and
    /// after which nothing was asserted, pushed or popped.
    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, SolverError>;
}

/// Frames of assertions.
pub trait PushPop: Solver {
    fn push(&mut self) -> Result<(), SolverError>;

    /// Removes what was asserted since the matching pushes.
    fn pop(&mut self, frames: usize) -> Result<(), SolverError>;
}

/// Which assumptions were to blame.
pub trait UnsatCore: Solver {
    /// A subset of the last check's assumptions that cannot hold together with the assertions. The
    /// last check must have said unsatisfiable.
    fn core(&mut self) -> Result<Vec<TermId>, SolverError>;
}

/// Can be stopped from another thread.
pub trait Interrupt: Solver {
    fn interrupter(&self) -> Interrupter;
}

/// Respects a limit on time and memory.
pub trait Limits: Solver {
    /// Every following check ends with [`SolverError::Exhausted`] at the latest shortly after the
    /// budget does. Memory is the whole process's for solvers that run in it.
    fn set_budget(&mut self, budget: Budget);
}

/// Can be told how to solve.
pub trait Tactic: Solver {
    /// Uses the tactic of this name from now on. Assertions made before are kept.
    fn set_tactic(&mut self, tactic: &str) -> Result<(), SolverError>;
}

/// A proof that the assertions have no model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A proof term in the solver's own language.
    Term(String),
    /// A clausal proof: the clauses (DIMACS) and the DRAT file that refutes them.
    Drat { formula: PathBuf, proof: PathBuf },
}

/// Can show its work.
pub trait Proofs: Solver {
    /// The proof of the last check, which must have said unsatisfiable.
    fn proof(&mut self) -> Result<Proof, SolverError>;
}
