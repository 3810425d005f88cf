//! From terms to bits.
//!
//! Every Boolean, bit-vector or pointer term becomes a word of edges in the and-inverter graph
//! (Booleans one edge; pointers the offset below the base). A term is translated once. Free
//! constants are words of inputs, but for what [`super::facts`] knows of them; an application of a
//! function is a word of inputs too, remembered with its arguments for [`super::functions`] to
//! relate. Arithmetic goes through [`super::polynomial`] first. The walk has its own stack.

use super::facts::{Definition, Facts};
use super::fragment::{sort_bits, unsupported};
use super::operators;
use super::polynomial::{Polynomial, Polynomials, WordEquation};
use crate::aig::{Aig, Edge};
use crate::circuit::{self, Word};
use crate::error::SolverError;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use foghorn_term::{BitVecValue, Constant, FunctionId, Op, Sort, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// An application of an uninterpreted function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ApplicationId(u32);
entity_impl!(ApplicationId, "application");

/// What is remembered of an application.
pub(super) struct Application {
    pub function: FunctionId,
    /// All argument bits, one after the other.
    pub arguments: Word,
    /// Inputs, younger than the arguments.
    pub result: Word,
}

/// Where the word of a term stands; empty if it has none yet.
#[derive(Clone, Copy, Default)]
struct Place {
    start: u32,
    length: u32,
}

/// The graph and what each term became in it.
#[derive(Default)]
pub(super) struct Blaster {
    pub aig: Aig,
    pub facts: Facts,
    bits: Vec<Edge>,
    places: SecondaryMap<TermId, Place>,
    translated: usize,
    pub applications: PrimaryMap<ApplicationId, Application>,
    /// Quotient and remainder come from one circuit.
    divisions: FxHashMap<(TermId, TermId), (Word, Word)>,
    polynomials: Polynomials,
}

/// A step of the walk.
#[derive(Clone, Copy)]
enum Visit {
    Enter(TermId),
    /// The children have their words.
    Leave(TermId),
    /// The term that defines this free constant has its word.
    Define(TermId, Definition),
}

impl Blaster {
    /// The bits of a term, least significant first. `checkpoint` is asked now and then whether to
    /// go on; after it refused, the same term can be asked for again.
    pub fn word(
        &mut self,
        pool: &TermPool,
        root: TermId,
        checkpoint: &mut dyn FnMut() -> Result<(), SolverError>,
    ) -> Result<&[Edge], SolverError> {
        let mut being_defined = FxHashSet::default();
        let mut stack = vec![Visit::Enter(root)];
        while let Some(visit) = stack.pop() {
            match visit {
                Visit::Enter(term) if self.has_word(term) => {}
                Visit::Enter(term) => {
                    if being_defined.contains(&term) {
                        // The definition is circular: the constant stays free.
                        let word = self.free_word(pool, term)?;
                        self.place(term, &word);
                    } else if let Some(definition) = self.facts.take_definition(term) {
                        being_defined.insert(term);
                        stack.push(Visit::Define(term, definition));
                        stack.push(Visit::Enter(definition.term));
                    } else {
                        self.enter(pool, term, &mut stack);
                    }
                }
                Visit::Leave(term) if self.has_word(term) => {}
                Visit::Leave(term) => {
                    if self.translated.is_multiple_of(64) {
                        checkpoint()?;
                    }
                    let word = self.node(pool, term)?;
                    debug_assert_eq!(word.len(), sort_bits(pool.sort(term))?);
                    self.place(term, &word);
                }
                Visit::Define(symbol, definition) => self.define(symbol, definition),
            }
        }
        Ok(self.known(root))
    }

    fn enter(&mut self, pool: &TermPool, term: TermId, stack: &mut Vec<Visit>) {
        stack.push(Visit::Leave(term));
        for child in pool.children(term).iter().rev() {
            if !self.has_word(*child) {
                stack.push(Visit::Enter(*child));
            }
        }
    }

    fn define(&mut self, symbol: TermId, definition: Definition) {
        if self.has_word(symbol) {
            return;
        }
        let mut word = self.known(definition.term).to_vec();
        word.iter_mut()
            .for_each(|edge| *edge = edge.negate_if(definition.negated));
        self.place(symbol, &word);
    }

    fn has_word(&self, term: TermId) -> bool {
        self.places[term].length != 0
    }

    fn place(&mut self, term: TermId, word: &[Edge]) {
        let number = |n: usize| u32::try_from(n).expect("invariant: fewer than 2^32 bits");
        self.places[term] = Place {
            start: number(self.bits.len()),
            length: number(word.len()),
        };
        self.bits.extend_from_slice(word);
        self.translated += 1;
    }

    fn known(&self, term: TermId) -> &[Edge] {
        known(&self.bits, &self.places, term)
    }

    /// Inputs, but constants where a bit is known.
    fn free_word(&mut self, pool: &TermPool, symbol: TermId) -> Result<Word, SolverError> {
        let width = sort_bits(pool.sort(symbol))?;
        let Blaster { aig, facts, .. } = self;
        let bit = |i| match facts.bit(symbol, i) {
            Some(value) => Edge::constant(value),
            None => aig.input(),
        };
        Ok((0..width).map(bit).collect())
    }

    fn node(&mut self, pool: &TermPool, term: TermId) -> Result<Word, SolverError> {
        let width = sort_bits(pool.sort(term))?;
        let op = pool.op(term);
        if let Op::Symbol(_) = op {
            return self.free_word(pool, term);
        }
        if let Op::Constant(id) = op {
            return literal(width, pool.constant_data(id));
        }
        if let Op::Apply(function) = op {
            return Ok(self.application(pool, term, function, width));
        }
        if let Op::Equal = op
            && let Some(edge) = self.equation(pool, term)
        {
            return Ok(vec![edge]);
        }
        match self.polynomial(pool, term) {
            None => self.structure(pool, term, width),
            Some(polynomial) => {
                let word = match self.polynomials.word(&polynomial) {
                    Some(word) if !is_wiring(op) => word,
                    Some(_) | None => match op {
                        Op::BvMul => self.product(&polynomial),
                        _ => None,
                    }
                    .map_or_else(|| self.structure(pool, term, width), Ok)?,
                };
                self.polynomials.record(term, polynomial, &word);
                Ok(word)
            }
        }
    }

    /// A product of sums as a sum of products, if that takes no more multipliers.
    fn product(&mut self, polynomial: &Polynomial) -> Option<Word> {
        self.polynomials.expanded(&mut self.aig, polynomial)
    }

    /// The circuit that the operator says.
    fn structure(
        &mut self,
        pool: &TermPool,
        term: TermId,
        width: usize,
    ) -> Result<Word, SolverError> {
        if let Op::BvAdd = pool.op(term) {
            return Ok(self.sum(pool, term, width));
        }
        if let Op::BvUdiv | Op::BvUrem = pool.op(term) {
            let (quotient, remainder) = self.division(pool, term);
            let wants_quotient = pool.op(term) == Op::BvUdiv;
            return Ok(if wants_quotient { quotient } else { remainder });
        }
        let Blaster {
            aig, bits, places, ..
        } = self;
        let children: Vec<&[Edge]> = pool
            .children(term)
            .iter()
            .map(|child| known(bits, places, *child))
            .collect();
        operators::circuit_of(aig, pool.op(term), &children, width)
    }

    fn application(
        &mut self,
        pool: &TermPool,
        term: TermId,
        function: FunctionId,
        width: usize,
    ) -> Word {
        let arguments = pool.children(term).iter();
        let arguments = arguments.flat_map(|child| self.known(*child)).copied();
        let arguments = arguments.collect();
        let result: Word = (0..width).map(|_| self.aig.input()).collect();
        self.applications.push(Application {
            function,
            arguments,
            result: result.clone(),
        });
        result
    }

    fn polynomial_of(&mut self, term: TermId) -> Arc<Polynomial> {
        let word = known(&self.bits, &self.places, term);
        self.polynomials.of(term, word)
    }

    /// The polynomial of an arithmetic term, if it is small.
    fn polynomial(&mut self, pool: &TermPool, term: TermId) -> Option<Arc<Polynomial>> {
        let children = pool.children(term);
        let combined = match pool.op(term) {
            Op::BvAdd => self.combined(children, Polynomial::add)?,
            Op::BvMul => self.combined(children, Polynomial::multiply)?,
            Op::BvNeg => self.polynomial_of(children[0]).negate(),
            Op::BvNot => {
                let ones = BitVecValue::ones(pool.width(term));
                let negated = self.polynomial_of(children[0]).negate();
                negated.add(&Polynomial::constant(&ones))?
            }
            Op::BvShl => {
                let amount = self.polynomial_of(children[1]).as_constant()?;
                let factor = BitVecValue::one(pool.width(term)).shl(&amount);
                self.polynomial_of(children[0]).scale(&factor)
            }
            _ => return None,
        };
        Some(Arc::new(combined))
    }

    fn combined(
        &mut self,
        children: &[TermId],
        combine: fn(&Polynomial, &Polynomial) -> Option<Polynomial>,
    ) -> Option<Polynomial> {
        let (first, rest) = children.split_first()?;
        let first = (*self.polynomial_of(*first)).clone();
        rest.iter().try_fold(first, |combined, child| {
            combine(&combined, &self.polynomial_of(*child))
        })
    }

    /// An equation that arithmetic simplifies.
    fn equation(&mut self, pool: &TermPool, term: TermId) -> Option<Edge> {
        let [left, right] = pool.child_array(term)?;
        let (Sort::BitVec(_), true) = (
            pool.sort(left),
            self.polynomials.is_arithmetic(left) || self.polynomials.is_arithmetic(right),
        ) else {
            return None;
        };
        let (p, q) = (self.polynomial_of(left), self.polynomial_of(right));
        Some(match self.polynomials.equation(&p, &q)? {
            WordEquation::Decided(value) => Edge::constant(value),
            WordEquation::Same(x, y) => circuit::equal(&mut self.aig, &x, &y),
            WordEquation::Value(x, value) => {
                let bit = |i| value.bit(u32::try_from(i).unwrap_or(u32::MAX));
                let value = circuit::constant(x.len(), bit);
                circuit::equal(&mut self.aig, &x, &value)
            }
        })
    }

    /// A sum, negated operands as subtractions: `a + -b` is one carry chain, not two.
    fn sum(&mut self, pool: &TermPool, term: TermId, width: usize) -> Word {
        let Blaster {
            aig, bits, places, ..
        } = self;
        let word = |term: TermId| known(bits, places, term);
        let mut total: Option<Word> = None;
        let mut subtracted = Vec::new();
        for child in pool.children(term) {
            if pool.op(*child) == Op::BvNeg {
                subtracted.push(pool.child(*child, 0));
                continue;
            }
            total = Some(match total {
                None => word(*child).to_vec(),
                Some(total) => circuit::add(aig, &total, word(*child)),
            });
        }
        let total = total.unwrap_or_else(|| circuit::zero(width));
        subtracted.iter().fold(total, |total, term| {
            circuit::subtract(aig, &total, word(*term))
        })
    }

    fn division(&mut self, pool: &TermPool, term: TermId) -> (Word, Word) {
        let key = (pool.child(term, 0), pool.child(term, 1));
        if let Some(found) = self.divisions.get(&key) {
            return found.clone();
        }
        let Blaster {
            aig, bits, places, ..
        } = self;
        let (dividend, divisor) = (known(bits, places, key.0), known(bits, places, key.1));
        let made = circuit::unsigned_divide_and_remainder(aig, dividend, divisor);
        self.divisions.insert(key, made.clone());
        made
    }

    /// How many applications there are, to see later which are new.
    pub fn application_count(&self) -> ApplicationId {
        ApplicationId::new(self.applications.len())
    }
}

/// Operators that cost no gate once their operand has its word.
fn is_wiring(op: Op) -> bool {
    matches!(op, Op::BvNot | Op::BvShl)
}

fn known<'a>(bits: &'a [Edge], places: &SecondaryMap<TermId, Place>, term: TermId) -> &'a [Edge] {
    let place = places[term];
    &bits[place.start as usize..][..place.length as usize]
}

fn literal(width: usize, constant: &Constant) -> Result<Word, SolverError> {
    match constant {
        Constant::BitVec(value) => Ok(circuit::constant(width, |i| {
            value.bit(u32::try_from(i).unwrap_or(u32::MAX))
        })),
        Constant::Int(_) => Err(unsupported("integers")),
        Constant::Float(_) => Err(unsupported("floating-point numbers")),
    }
}
