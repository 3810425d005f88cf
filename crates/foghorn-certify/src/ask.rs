//! The solver, and whether it is believed.
//!
//! An answer that something is impossible is a proof. On request it is not believed: the question is
//! refuted once more by a SAT solver that writes down why, and that is checked without it
//! ([`crate::drat`]).

use crate::drat::check_drat;
use crate::piece::world::World;
use foghorn_core::Budget;
use foghorn_smt::SolverError;
use foghorn_smt::choice::{EngineSolver, SolverChoice, SolverOptions, open};
use foghorn_smt::sat::SatSolver;
use foghorn_smt::solver::{Answer, Limits as _, Proof, Proofs as _, Solver as _};
use foghorn_term::eval::Value;
use foghorn_term::{TermId, TermPool};
use std::path::PathBuf;

/// What a solver said.
pub(crate) enum Asked {
    Impossible,
    /// It has a model, in which these are true.
    Possible(Vec<bool>),
    Undecided,
}

/// A solver that is asked about one piece after the other.
pub(crate) struct Asker {
    solver: Box<dyn EngineSolver>,
    budget: Budget,
    /// What is known in the piece.
    known: Vec<TermId>,
    /// Where proofs are written, if they are to be checked.
    proofs: Option<PathBuf>,
    /// Answers that something is impossible, and how many of them were checked.
    pub refutations: usize,
    pub checked: usize,
}

impl Asker {
    pub fn new(budget: &Budget, proofs: Option<PathBuf>) -> Result<Self, SolverError> {
        let solver = open(&SolverOptions {
            choice: SolverChoice::Auto,
            dump: None,
            budget: budget.clone(),
        })?;
        Ok(Asker {
            solver,
            budget: budget.clone(),
            known: vec![],
            proofs,
            refutations: 0,
            checked: 0,
        })
    }

    /// A piece begins.
    pub fn begin(&mut self) -> Result<(), SolverError> {
        self.known.clear();
        self.solver.push()
    }

    /// A piece ends.
    pub fn end(&mut self) -> Result<(), SolverError> {
        self.solver.pop(1)
    }

    /// Whether a condition is possible with all axioms so far, and which others then are true.
    pub fn ask(
        &mut self,
        world: &mut World<'_>,
        condition: TermId,
        others: &[TermId],
    ) -> Result<Asked, SolverError> {
        if self.budget.check().is_err() {
            return Ok(Asked::Undecided);
        }
        for axiom in std::mem::take(&mut world.axioms) {
            self.solver.assert(&world.pool, axiom)?;
            self.known.push(axiom);
        }
        self.solver.push()?;
        self.solver.assert(&world.pool, condition)?;
        let answer = match self.solver.check(&world.pool) {
            Ok(Answer::Unsatisfiable) => Asked::Impossible,
            Ok(Answer::Satisfiable) => {
                let mut found = vec![];
                for other in others {
                    let value = self.solver.value(&world.pool, *other);
                    found.push(value.is_ok_and(|value| value == Value::Bool(true)));
                }
                Asked::Possible(found)
            }
            Ok(Answer::Unknown(_)) | Err(SolverError::Exhausted(_)) => Asked::Undecided,
            Err(error) => return Err(error),
        };
        self.solver.pop(1)?;
        match answer {
            Asked::Impossible if !self.is_refuted(&world.pool, condition) => Ok(Asked::Undecided),
            answer => Ok(answer),
        }
    }

    /// Whether a refutation is believed: always, unless proofs are wanted. Questions that no SAT solver
    /// understands have none, and are counted.
    fn is_refuted(&mut self, pool: &TermPool, condition: TermId) -> bool {
        self.refutations += 1;
        let Some(folder) = &self.proofs else {
            return true;
        };
        let mut solver = SatSolver::with_proofs(folder);
        solver.set_budget(self.budget.clone());
        let mut prove = || {
            for term in self.known.iter().chain([&condition]) {
                solver.assert(pool, *term)?;
            }
            match solver.check(pool)? {
                Answer::Unsatisfiable => solver.proof().map(Some),
                Answer::Satisfiable | Answer::Unknown(_) => Ok(None),
            }
        };
        match prove() {
            Ok(Some(Proof::Drat { formula, proof })) => {
                let texts = [&formula, &proof].map(std::fs::read_to_string);
                let _ = std::fs::remove_file(&formula);
                let _ = std::fs::remove_file(&proof);
                let [Ok(formula), Ok(proof)] = texts else {
                    return false;
                };
                let holds = check_drat(&formula, &proof).is_ok();
                self.checked += usize::from(holds);
                holds
            }
            Ok(Some(Proof::Term(_)) | None) => false,
            Err(SolverError::Exhausted(_)) => false,
            // Floats, above all: there is no such proof, and the count says so.
            Err(_) => true,
        }
    }
}
