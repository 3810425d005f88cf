//! `sat`: our own solver for quantifier-free bit-vectors with uninterpreted functions.
//!
//! Terms become an and-inverter graph ([`blast`], over [`crate::circuit`] and [`crate::aig`]), the
//! graph becomes clauses, CaDiCaL searches. After the rewriting of memory a formula of bounded
//! model checking lies in this fragment. Incremental: assertions, gates and learnt clauses stay,
//! frames are guarded by selector variables, assumptions are literals.
//!
//! Anything outside the fragment is refused with a typed error, never approximated.

mod blast;
mod cadical;
mod facts;
mod fragment;
mod functions;
mod model;
mod operators;
mod polynomial;

pub use fragment::Fragment;

use crate::aig::cnf::{ClauseSink, CnfEncoder, Polarity};
use crate::aig::{AigNode, Edge};
use crate::error::SolverError;
use crate::patience::{Interrupter, Patience};
use crate::solver::{Answer, Interrupt, Limits, Proof, Proofs, PushPop, Solver, UnsatCore};
use blast::Blaster;
use cadical::{Cadical, Found};
use cranelift_entity::SecondaryMap;
use facts::Literal;
use foghorn_core::Budget;
use foghorn_term::eval::Value;
use foghorn_term::{BitVecValue, Sort, TermId, TermPool};
use model::Model;
use num_bigint::BigUint;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// The bit-blasting solver.
pub struct SatSolver {
    fragment: Fragment,
    /// Assertions that no check has seen yet, and conjuncts of them that have no clauses yet.
    asserted: Vec<TermId>,
    conjuncts: VecDeque<Literal>,
    blaster: Blaster,
    encoder: CnfEncoder,
    cadical: Cadical,
    /// The selector of each open frame.
    frames: Vec<i32>,
    patience: Patience,
    /// The last check's assumptions with their literals.
    assumptions: Vec<(TermId, i32)>,
    last: Last,
    proofs: Option<ProofFiles>,
    statistics: Statistics,
}

enum Last {
    Nothing,
    Satisfiable(Model),
    Unsatisfiable { core: Vec<i32> },
}

struct ProofFiles {
    folder: PathBuf,
    written: u32,
}

/// Sizes, for tables and curiosity.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Statistics {
    pub gates: usize,
    pub variables: i32,
    /// Instances of functional consistency that a model asked for.
    pub consistency_instances: usize,
}

impl Default for SatSolver {
    fn default() -> Self {
        Self::new()
    }
}

impl SatSolver {
    /// Budget and interrupts are those of whoever uses this solver as a part.
    pub(crate) fn share(&mut self, patience: &Patience) {
        self.patience = patience.clone();
    }

    pub fn new() -> Self {
        Self::with(Polarity::Needed, None)
    }

    /// With another treatment of directions in the clauses; for measuring.
    pub fn with_polarity(polarity: Polarity) -> Self {
        Self::with(polarity, None)
    }

    /// Keeps its clauses, so that proofs can be written to files in this folder.
    pub fn with_proofs(folder: impl AsRef<Path>) -> Self {
        Self::with(Polarity::Needed, Some(folder.as_ref().to_owned()))
    }

    fn with(polarity: Polarity, proofs: Option<PathBuf>) -> Self {
        SatSolver {
            fragment: Fragment::default(),
            asserted: Vec::new(),
            conjuncts: VecDeque::new(),
            blaster: Blaster::default(),
            encoder: CnfEncoder::new(polarity),
            cadical: Cadical::new(proofs.is_some()),
            frames: Vec::new(),
            patience: Patience::default(),
            assumptions: Vec::new(),
            last: Last::Nothing,
            proofs: proofs.map(|folder| ProofFiles { folder, written: 0 }),
            statistics: Statistics::default(),
        }
    }

    pub fn statistics(&self) -> Statistics {
        Statistics {
            gates: self.blaster.aig.len(),
            variables: self.encoder.variable_count(),
            ..self.statistics
        }
    }

    fn word(&mut self, pool: &TermPool, term: TermId) -> Result<&[Edge], SolverError> {
        let patience = &self.patience;
        let mut checkpoint = || patience.check().map_err(SolverError::from);
        self.blaster.word(pool, term, &mut checkpoint)
    }

    fn bit(&mut self, pool: &TermPool, term: TermId) -> Result<Edge, SolverError> {
        match pool.sort(term) {
            Sort::Bool => Ok(self.word(pool, term)?[0]),
            other => Err(SolverError::Internal(format!(
                "a formula of sort {other:?}"
            ))),
        }
    }

    /// Writes the clauses of all assertions that wait. What an interrupt keeps from being written
    /// goes on waiting.
    fn write_waiting(&mut self, pool: &TermPool) -> Result<(), SolverError> {
        if !self.asserted.is_empty() {
            let conjuncts = self.blaster.facts.learn(pool, &self.asserted);
            self.conjuncts.extend(conjuncts);
            self.asserted.clear();
        }
        while let Some(Literal { term, holds }) = self.conjuncts.front().copied() {
            let edge = self.bit(pool, term)?.negate_if(!holds);
            self.encoder
                .assert(&self.blaster.aig, edge, &mut self.cadical);
            self.conjuncts.pop_front();
        }
        Ok(())
    }

    /// Searches until the model respects every function, or there is none.
    fn search(&mut self, literals: &[i32]) -> Result<Answer, SolverError> {
        loop {
            match self.cadical.search(literals, &self.patience)? {
                Found::Refutation => {
                    let core = self.cadical.core()?;
                    self.last = Last::Unsatisfiable { core };
                    return Ok(Answer::Unsatisfiable);
                }
                Found::Model => {
                    let mut model = Model::new(&self.blaster, self.read_inputs()?);
                    if !self.add_violated(&mut model) {
                        self.last = Last::Satisfiable(model);
                        return Ok(Answer::Satisfiable);
                    }
                }
            }
        }
    }

    /// Adds the instances of functional consistency that the model violates; false if it violates
    /// none.
    fn add_violated(&mut self, model: &mut Model) -> bool {
        if self.blaster.applications.is_empty() {
            return false;
        }
        let violated = functions::violations(&self.blaster, model.values(&self.blaster));
        self.statistics.consistency_instances += violated.len();
        for pair in &violated {
            let edge = functions::consistency(&mut self.blaster, *pair);
            self.encoder
                .assert(&self.blaster.aig, edge, &mut self.cadical);
        }
        !violated.is_empty()
    }

    fn read_inputs(&self) -> Result<SecondaryMap<AigNode, bool>, SolverError> {
        let mut inputs = SecondaryMap::with_capacity(self.blaster.aig.len());
        for node in self.blaster.aig.inputs() {
            if let Some(variable) = self.encoder.variable_of(node) {
                inputs[node] = self.cadical.value(variable)?;
            }
        }
        Ok(inputs)
    }

    fn run_check(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
    ) -> Result<Answer, SolverError> {
        self.patience.check()?;
        self.write_waiting(pool)?;
        let mut literals = self.frames.clone();
        for term in assumptions {
            let edge = self.bit(pool, *term)?;
            let literal = self
                .encoder
                .literal(&self.blaster.aig, edge, &mut self.cadical);
            self.assumptions.push((*term, literal));
            literals.push(literal);
        }
        self.search(&literals)
    }
}

impl Solver for SatSolver {
    fn name(&self) -> &str {
        "sat"
    }

    fn declare(&mut self, pool: &TermPool, symbol: TermId) -> Result<(), SolverError> {
        self.fragment.check(pool, symbol)
    }

    /// Without open frames the assertion waits for the next check, so that what all assertions say
    /// of a free constant is known before the first circuit is built from it.
    fn assert(&mut self, pool: &TermPool, term: TermId) -> Result<(), SolverError> {
        self.fragment.check(pool, term)?;
        self.last = Last::Nothing;
        let Some(selector) = self.frames.last().copied() else {
            self.asserted.push(term);
            return Ok(());
        };
        self.write_waiting(pool)?;
        let edge = self.bit(pool, term)?;
        let literal = self
            .encoder
            .literal(&self.blaster.aig, edge, &mut self.cadical);
        self.cadical.add_clause(&[-selector, literal]);
        Ok(())
    }

    fn check_assuming(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
    ) -> Result<Answer, SolverError> {
        self.last = Last::Nothing;
        self.assumptions.clear();
        let answer = self.run_check(pool, assumptions);
        self.patience.check_is_over();
        answer
    }

    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, SolverError> {
        if !matches!(self.last, Last::Satisfiable(_)) {
            return Err(SolverError::NoModel);
        }
        self.fragment.check(pool, term)?;
        let word = self.word(pool, term)?.to_vec();
        let Last::Satisfiable(model) = &mut self.last else {
            return Err(SolverError::NoModel);
        };
        let bits = model.bits(&self.blaster, &word);
        Ok(match pool.sort(term) {
            Sort::Bool => Value::Bool(bits[0]),
            Sort::Pointer { width } => {
                let (offset, base) = bits.split_at(width as usize);
                Value::Pointer {
                    base: bit_vector(base),
                    offset: bit_vector(offset),
                }
            }
            Sort::BitVec(_) => Value::BitVec(bit_vector(&bits)),
            Sort::Int
            | Sort::Float(_)
            | Sort::Array { .. }
            | Sort::Memory { .. }
            | Sort::FiniteMap { .. }
            | Sort::Uninterpreted(_) => {
                return Err(SolverError::Internal("a value outside the fragment".into()));
            }
        })
    }
}

fn bit_vector(bits: &[bool]) -> BitVecValue {
    let mut bytes = vec![0u8; bits.len().div_ceil(8)];
    for (i, _) in bits.iter().enumerate().filter(|(_, bit)| **bit) {
        bytes[i / 8] |= 1 << (i % 8);
    }
    let width = u32::try_from(bits.len()).expect("invariant: widths fit in 32 bits");
    BitVecValue::from_biguint(width, BigUint::from_bytes_le(&bytes))
}

impl PushPop for SatSolver {
    fn push(&mut self) -> Result<(), SolverError> {
        self.last = Last::Nothing;
        self.frames.push(self.encoder.fresh_variable());
        Ok(())
    }

    fn pop(&mut self, frames: usize) -> Result<(), SolverError> {
        let available = self.frames.len();
        if frames > available {
            return Err(SolverError::NothingToPop {
                wanted: frames,
                available,
            });
        }
        self.last = Last::Nothing;
        for selector in self.frames.split_off(available - frames) {
            self.cadical.add_clause(&[-selector]);
        }
        Ok(())
    }
}

impl UnsatCore for SatSolver {
    fn core(&mut self) -> Result<Vec<TermId>, SolverError> {
        let Last::Unsatisfiable { core } = &self.last else {
            return Err(SolverError::NoCore);
        };
        let blamed = self.assumptions.iter().filter(|(_, l)| core.contains(l));
        Ok(blamed.map(|(term, _)| *term).collect())
    }
}

impl Interrupt for SatSolver {
    fn interrupter(&self) -> Interrupter {
        self.patience.interrupter()
    }
}

impl Limits for SatSolver {
    fn set_budget(&mut self, budget: Budget) {
        self.patience.budget = budget;
    }
}

impl Proofs for SatSolver {
    fn proof(&mut self) -> Result<Proof, SolverError> {
        let Last::Unsatisfiable { core } = &self.last else {
            return Err(SolverError::NoProof(
                "the last check did not say unsatisfiable",
            ));
        };
        let files = self
            .proofs
            .as_mut()
            .ok_or(SolverError::NoProof("this solver was made without proofs"))?;
        let formula = files.folder.join(format!("query-{}.cnf", files.written));
        let proof = files.folder.join(format!("query-{}.drat", files.written));
        files.written += 1;
        self.cadical
            .write_proof(core, &formula, &proof, &self.patience)?;
        Ok(Proof::Drat { formula, proof })
    }
}
