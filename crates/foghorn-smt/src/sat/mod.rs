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
mod functions;

use crate::aig::cnf::{ClauseSink, CnfEncoder, Polarity};
use crate::aig::{AigNode, AigValues, Edge};
use crate::error::SolverError;
use crate::patience::{Interrupter, Patience};
use crate::solver::{Answer, Interrupt, Limits, Proof, Proofs, PushPop, Solver, UnsatCore};
use blast::{ApplicationId, Blaster};
use cadical::{Cadical, Found};
use cranelift_entity::{EntityRef, SecondaryMap};
use foghorn_core::Budget;
use foghorn_term::eval::Value;
use foghorn_term::{BitVecValue, Sort, TermId, TermPool};
use num_bigint::BigUint;
use std::path::{Path, PathBuf};

/// The bit-blasting solver.
pub struct SatSolver {
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
    Satisfiable {
        inputs: SecondaryMap<AigNode, bool>,
        /// Applications from here on are younger than the model.
        known: ApplicationId,
    },
    Unsatisfiable {
        core: Vec<i32>,
    },
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

    fn word(&mut self, pool: &TermPool, term: TermId) -> Result<Vec<Edge>, SolverError> {
        let patience = &self.patience;
        let mut checkpoint = || patience.check().map_err(SolverError::from);
        self.blaster.word(pool, term, &mut checkpoint)
    }

    fn bit(&mut self, pool: &TermPool, term: TermId) -> Result<Edge, SolverError> {
        let word = self.word(pool, term)?;
        match pool.sort(term) {
            Sort::Bool => Ok(word[0]),
            other => Err(SolverError::Internal(format!(
                "a formula of sort {other:?}"
            ))),
        }
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
                    let inputs = self.read_inputs()?;
                    let values = self.blaster.aig.evaluate(|node| inputs[node]);
                    let violated = functions::violations(&self.blaster, &values);
                    if violated.is_empty() {
                        let known = self.blaster.application_count();
                        self.last = Last::Satisfiable { inputs, known };
                        return Ok(Answer::Satisfiable);
                    }
                    self.statistics.consistency_instances += violated.len();
                    for pair in violated {
                        let edge = functions::consistency(&mut self.blaster, pair);
                        self.encoder
                            .assert(&self.blaster.aig, edge, &mut self.cadical);
                    }
                }
            }
        }
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

    /// All node values of the last model, with applications made after it given consistent results.
    fn model_values(&mut self) -> Result<AigValues, SolverError> {
        let Last::Satisfiable { inputs, known } = &mut self.last else {
            return Err(SolverError::NoModel);
        };
        let mut values = self.blaster.aig.evaluate(|node| inputs[node]);
        let end = self.blaster.application_count();
        if *known == end {
            return Ok(values);
        }
        let mut graph = functions::graph(&self.blaster, &values, *known);
        for index in known.index()..end.index() {
            let id = ApplicationId::new(index);
            let point = functions::point_of(&self.blaster, &values, id);
            let result = &self.blaster.applications[id].result;
            let wanted = graph
                .entry(point)
                .or_insert_with(|| vec![false; result.len()]);
            for (edge, bit) in result.iter().zip(wanted.iter()) {
                inputs[edge.node()] = *bit;
            }
            values = self.blaster.aig.evaluate(|node| inputs[node]);
        }
        *known = end;
        Ok(values)
    }

    fn run_check(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
    ) -> Result<Answer, SolverError> {
        self.patience.check()?;
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
        self.word(pool, symbol).map(|_| ())
    }

    fn assert(&mut self, pool: &TermPool, term: TermId) -> Result<(), SolverError> {
        let edge = self.bit(pool, term)?;
        self.last = Last::Nothing;
        match self.frames.last() {
            None => self
                .encoder
                .assert(&self.blaster.aig, edge, &mut self.cadical),
            Some(selector) => {
                let literal = self
                    .encoder
                    .literal(&self.blaster.aig, edge, &mut self.cadical);
                self.cadical.add_clause(&[-selector, literal]);
            }
        }
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
        if !matches!(self.last, Last::Satisfiable { .. }) {
            return Err(SolverError::NoModel);
        }
        let word = self.word(pool, term)?;
        let values = self.model_values()?;
        let bits: Vec<bool> = word.iter().map(|edge| values.value(*edge)).collect();
        Ok(match pool.sort(term) {
            Sort::Bool => Value::Bool(bits[0]),
            Sort::Pointer { width } => {
                let (offset, base) = bits.split_at(width as usize);
                Value::Pointer {
                    base: bit_vector(base),
                    offset: bit_vector(offset),
                }
            }
            _ => Value::BitVec(bit_vector(&bits)),
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
