//! CaDiCaL as the receiver of our clauses.

use crate::aig::cnf::ClauseSink;
use crate::error::SolverError;
use crate::patience::Patience;
use foghorn_core::Exhausted;
use rustsat::solvers::{ControlSignal, Solve, SolveIncremental, SolverResult, Terminate};
use rustsat::types::{Cl, Lit, TernaryVal};
use rustsat_cadical::{CaDiCaL, ProofFormat};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    Model,
    Refutation,
}

/// A CaDiCaL instance, with a log of its clauses if a proof may be wanted.
pub(super) struct Cadical {
    solver: CaDiCaL<'static, 'static>,
    log: Option<Vec<Vec<i32>>>,
    scratch: Vec<Lit>,
    /// The first error while adding clauses, reported by the next search.
    failed: Option<String>,
}

fn lit(literal: i32) -> Lit {
    Lit::from_ipasir(literal).expect("invariant: literals are never zero")
}

fn internal(error: impl std::fmt::Display) -> SolverError {
    SolverError::Internal(format!("CaDiCaL: {error}"))
}

impl Cadical {
    pub fn new(keep_log: bool) -> Self {
        Cadical {
            solver: CaDiCaL::default(),
            log: keep_log.then(Vec::new),
            scratch: Vec::new(),
            failed: None,
        }
    }

    /// Searches under assumptions within the patience.
    pub fn search(
        &mut self,
        assumptions: &[i32],
        patience: &Patience,
    ) -> Result<Found, SolverError> {
        if let Some(error) = self.failed.take() {
            return Err(internal(error));
        }
        let spent: Arc<Mutex<Option<Exhausted>>> = Arc::default();
        let mut alarm = patience.alarm();
        let seen = spent.clone();
        self.solver.attach_terminator(move || match alarm() {
            None => ControlSignal::Continue,
            Some(exhausted) => {
                if let Ok(mut slot) = seen.lock() {
                    *slot = Some(exhausted);
                }
                ControlSignal::Terminate
            }
        });
        let literals: Vec<Lit> = assumptions.iter().map(|l| lit(*l)).collect();
        let result = self.solver.solve_assumps(&literals);
        self.solver.detach_terminator();
        match result.map_err(internal)? {
            SolverResult::Sat => Ok(Found::Model),
            SolverResult::Unsat => Ok(Found::Refutation),
            SolverResult::Interrupted => {
                let exhausted = spent.lock().ok().and_then(|slot| *slot);
                Err(exhausted.unwrap_or(Exhausted::Cancelled).into())
            }
        }
    }

    /// The value of a variable in the model.
    pub fn value(&self, variable: i32) -> Result<bool, SolverError> {
        match self.solver.lit_val(lit(variable)).map_err(internal)? {
            TernaryVal::True => Ok(true),
            TernaryVal::False | TernaryVal::DontCare => Ok(false),
        }
    }

    /// The assumptions that the refutation used.
    pub fn core(&mut self) -> Result<Vec<i32>, SolverError> {
        let negated = self.solver.core().map_err(internal)?;
        Ok(negated.iter().map(|l| (!*l).to_ipasir()).collect())
    }

    /// Refutes the logged clauses and these units again, in a fresh solver that writes a proof,
    /// and writes the clauses beside it.
    pub fn write_proof(
        &self,
        units: &[i32],
        formula: &Path,
        proof: &Path,
        patience: &Patience,
    ) -> Result<(), SolverError> {
        let clauses = self
            .log
            .as_ref()
            .ok_or(SolverError::NoProof("this solver was made without proofs"))?;
        let mut all: Vec<Vec<i32>> = clauses.clone();
        all.extend(units.iter().map(|unit| vec![*unit]));
        write_dimacs(&all, formula)?;
        let mut fresh = Cadical::new(false);
        fresh
            .solver
            .trace_proof(proof, ProofFormat::Drat { binary: false })
            .map_err(internal)?;
        for clause in &all {
            fresh.add_clause(clause);
        }
        match fresh.search(&[], patience)? {
            Found::Refutation => Ok(()),
            Found::Model => Err(internal("a refuted formula has a model")),
        }
    }
}

impl ClauseSink for Cadical {
    fn add_clause(&mut self, clause: &[i32]) {
        self.scratch.clear();
        self.scratch.extend(clause.iter().map(|l| lit(*l)));
        if let Err(error) = self.solver.add_clause_ref(Cl::new(&self.scratch)) {
            self.failed.get_or_insert(error.to_string());
        }
        if let Some(log) = &mut self.log {
            log.push(clause.to_vec());
        }
    }
}

fn write_dimacs(clauses: &[Vec<i32>], path: &Path) -> Result<(), SolverError> {
    use std::fmt::Write;
    let variables = clauses.iter().flatten().map(|l| l.abs()).max().unwrap_or(0);
    let mut text = format!("p cnf {variables} {}\n", clauses.len());
    for clause in clauses {
        for literal in clause {
            write!(text, "{literal} ").map_err(internal)?;
        }
        text.push_str("0\n");
    }
    std::fs::write(path, text).map_err(|error| SolverError::file(path, &error))
}
