//! From terms to bits.
//!
//! Every Boolean, bit-vector or pointer term becomes a word of edges in the and-inverter graph
//! (Booleans one edge; pointers the offset below the base). A term is translated once. Free
//! constants are words of inputs; an application of a function is a word of inputs too, remembered
//! with its arguments for [`super::functions`] to relate. The walk has its own stack.

use crate::aig::{Aig, Edge};
use crate::circuit::{self, Shift, Word};
use crate::error::SolverError;
use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use foghorn_term::{Constant, FunctionId, Op, Sort, TermId, TermPool};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// An application of an uninterpreted function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ApplicationId(u32);
entity_impl!(ApplicationId, "application");

/// What is remembered of an application.
pub(super) struct Application {
    pub function: FunctionId,
    /// All argument bits, one after the other.
    pub arguments: Word,
    pub result: Word,
}

/// The graph and what each term became in it.
#[derive(Default)]
pub(super) struct Blaster {
    pub aig: Aig,
    bits: Vec<Edge>,
    words: FxHashMap<TermId, Range<usize>>,
    pub applications: PrimaryMap<ApplicationId, Application>,
    /// Quotient and remainder come from one circuit.
    divisions: FxHashMap<(TermId, TermId), (Word, Word)>,
}

/// How many bits a sort has here.
fn sort_bits(sort: Sort) -> Result<usize, SolverError> {
    match sort {
        Sort::Bool => Ok(1),
        Sort::BitVec(width) => Ok(width as usize),
        Sort::Pointer { width } => Ok(2 * width as usize),
        Sort::Int => Err(unsupported("integers")),
        Sort::Float(_) => Err(unsupported("floating-point numbers")),
        Sort::Array { .. } => Err(unsupported("arrays")),
        Sort::Memory { .. } => Err(unsupported("memories")),
        Sort::FiniteMap { .. } => Err(unsupported("finite maps")),
        Sort::Uninterpreted(_) => Err(unsupported("uninterpreted sorts")),
    }
}

fn unsupported(construct: &str) -> SolverError {
    SolverError::Unsupported {
        solver: "sat",
        construct: construct.to_owned(),
    }
}

impl Blaster {
    /// The bits of a term, least significant first. `checkpoint` is asked now and then whether to
    /// go on.
    pub fn word(
        &mut self,
        pool: &TermPool,
        root: TermId,
        checkpoint: &mut dyn FnMut() -> Result<(), SolverError>,
    ) -> Result<Word, SolverError> {
        let mut stack = vec![(root, false)];
        while let Some((term, children_done)) = stack.pop() {
            if self.words.contains_key(&term) {
                continue;
            }
            if !children_done {
                // Refused before its children are, so that the complaint names the right sort.
                sort_bits(pool.sort(term))?;
                stack.push((term, true));
                for child in pool.children(term).iter().rev() {
                    if !self.words.contains_key(child) {
                        stack.push((*child, false));
                    }
                }
                continue;
            }
            if self.words.len().is_multiple_of(64) {
                checkpoint()?;
            }
            let word = self.node(pool, term)?;
            debug_assert_eq!(word.len(), sort_bits(pool.sort(term))?);
            let start = self.bits.len();
            self.bits.extend(word);
            self.words.insert(term, start..self.bits.len());
        }
        Ok(self.known(root).to_vec())
    }

    fn known(&self, term: TermId) -> &[Edge] {
        &self.bits[self.words[&term].clone()]
    }

    fn inputs(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.aig.input()).collect()
    }

    fn node(&mut self, pool: &TermPool, term: TermId) -> Result<Word, SolverError> {
        let width = sort_bits(pool.sort(term))?;
        let children: Vec<Word> = pool
            .children(term)
            .iter()
            .map(|child| self.known(*child).to_vec())
            .collect();
        match pool.op(term) {
            Op::True => Ok(vec![Edge::TRUE]),
            Op::False => Ok(vec![Edge::FALSE]),
            Op::Constant(id) => match pool.constant_data(id) {
                Constant::BitVec(value) => Ok(circuit::constant(width, |i| {
                    value.bit(u32::try_from(i).unwrap_or(u32::MAX))
                })),
                Constant::Int(_) => Err(unsupported("integers")),
                Constant::Float(_) => Err(unsupported("floating-point numbers")),
            },
            Op::Symbol(_) => Ok(self.inputs(width)),
            Op::Apply(function) => Ok(self.application(function, &children, width)),
            Op::BvAdd => Ok(self.sum(pool, term, width)),
            Op::BvUdiv | Op::BvUrem => {
                let (quotient, remainder) = self.division(pool, term, &children);
                Ok(match pool.op(term) {
                    Op::BvUdiv => quotient,
                    _ => remainder,
                })
            }
            op => boolean(&mut self.aig, op, &children)
                .or_else(|| bit_vector(&mut self.aig, op, &children, width))
                .or_else(|| pointer(&mut self.aig, op, &children))
                .ok_or_else(|| unsupported(op.kind().name())),
        }
    }

    fn application(&mut self, function: FunctionId, arguments: &[Word], width: usize) -> Word {
        let result = self.inputs(width);
        self.applications.push(Application {
            function,
            arguments: arguments.concat(),
            result: result.clone(),
        });
        result
    }

    /// A sum, negated operands as subtractions: `a + -b` is one carry chain, not two.
    fn sum(&mut self, pool: &TermPool, term: TermId, width: usize) -> Word {
        let mut total: Option<Word> = None;
        let mut subtracted = Vec::new();
        for child in pool.children(term) {
            if pool.op(*child) == Op::BvNeg {
                subtracted.push(pool.child(*child, 0));
                continue;
            }
            let word = self.known(*child).to_vec();
            total = Some(match total {
                None => word,
                Some(total) => circuit::add(&mut self.aig, &total, &word),
            });
        }
        let total = total.unwrap_or_else(|| circuit::zero(width));
        subtracted.iter().fold(total, |total, term| {
            let word = self.known(*term).to_vec();
            circuit::subtract(&mut self.aig, &total, &word)
        })
    }

    fn division(&mut self, pool: &TermPool, term: TermId, children: &[Word]) -> (Word, Word) {
        let key = (pool.child(term, 0), pool.child(term, 1));
        if let Some(found) = self.divisions.get(&key) {
            return found.clone();
        }
        let made =
            circuit::unsigned_divide_and_remainder(&mut self.aig, &children[0], &children[1]);
        self.divisions.insert(key, made.clone());
        made
    }

    /// How many applications there are, to see later which are new.
    pub fn application_count(&self) -> ApplicationId {
        ApplicationId::new(self.applications.len())
    }
}

/// The core theory.
fn boolean(aig: &mut Aig, op: Op, children: &[Word]) -> Option<Word> {
    let first_bits = || -> Word { children.iter().map(|word| word[0]).collect() };
    Some(match op {
        Op::Not => vec![!children[0][0]],
        Op::And => vec![aig.and_all(&first_bits())],
        Op::Or => vec![aig.or_all(&first_bits())],
        Op::Xor => vec![aig.xor(children[0][0], children[1][0])],
        Op::Implies => vec![aig.implies(children[0][0], children[1][0])],
        Op::Ite => circuit::mux(aig, children[0][0], &children[1], &children[2]),
        Op::Equal => vec![circuit::equal(aig, &children[0], &children[1])],
        _ => return None,
    })
}

fn bit_vector(aig: &mut Aig, op: Op, children: &[Word], width: usize) -> Option<Word> {
    let fold = |aig: &mut Aig, f: fn(&mut Aig, &[Edge], &[Edge]) -> Word| -> Word {
        let (first, rest) = children
            .split_first()
            .expect("invariant: an n-ary operator has children");
        rest.iter()
            .fold(first.clone(), |left, right| f(aig, &left, right))
    };
    let (x, y) = (children.first()?, children.get(1));
    let two = || (x, y.expect("invariant: terms have their arity"));
    Some(match op {
        Op::BvNot => circuit::complement(x),
        Op::BvNeg => circuit::negate(aig, x),
        Op::BvMul => fold(aig, circuit::multiply),
        Op::BvAnd => fold(aig, |aig, a, b| circuit::bitwise(aig, a, b, Aig::and)),
        Op::BvOr => fold(aig, |aig, a, b| circuit::bitwise(aig, a, b, Aig::or)),
        Op::BvXor => fold(aig, |aig, a, b| circuit::bitwise(aig, a, b, Aig::xor)),
        Op::BvSdiv => circuit::signed_divide(aig, two().0, two().1),
        Op::BvSrem => circuit::signed_remainder(aig, two().0, two().1),
        Op::BvSmod => circuit::signed_modulo(aig, two().0, two().1),
        Op::BvShl => circuit::shift(aig, Shift::Left, two().0, two().1),
        Op::BvLshr => circuit::shift(aig, Shift::LogicalRight, two().0, two().1),
        Op::BvAshr => circuit::shift(aig, Shift::ArithmeticRight, two().0, two().1),
        Op::BvUlt => vec![circuit::less_than(aig, two().0, two().1)],
        Op::BvUle => vec![circuit::less_or_equal(aig, two().0, two().1)],
        Op::BvSlt => vec![circuit::signed_less_than(aig, two().0, two().1)],
        Op::BvSle => vec![circuit::signed_less_or_equal(aig, two().0, two().1)],
        Op::BvUmulOverflow => vec![circuit::unsigned_product_overflows(aig, two().0, two().1)],
        Op::BvSmulOverflow => vec![circuit::signed_product_overflows(aig, two().0, two().1)],
        Op::Concat => children.iter().rev().flatten().copied().collect(),
        Op::Extract(high, low) => x[low as usize..=high as usize].to_vec(),
        Op::ZeroExtend(_) => extended(x, width, Edge::FALSE),
        Op::SignExtend(_) => extended(x, width, *x.last()?),
        _ => return None,
    })
}

fn extended(word: &[Edge], width: usize, fill: Edge) -> Word {
    let mut word = word.to_vec();
    word.resize(width, fill);
    word
}

/// Pointers: the offset is the low half.
fn pointer(aig: &mut Aig, op: Op, children: &[Word]) -> Option<Word> {
    let halves = |word: &Word| {
        let (offset, base) = word.split_at(word.len() / 2);
        (base.to_vec(), offset.to_vec())
    };
    let (base, offset) = halves(children.first()?);
    let mut ordered = |less: fn(&mut Aig, &[Edge], &[Edge]) -> Edge| {
        let (other_base, other_offset) = halves(&children[1]);
        let same = circuit::equal(aig, &base, &other_base);
        let less = less(aig, &offset, &other_offset);
        vec![aig.and(same, less)]
    };
    Some(match op {
        Op::Pointer => [children[1].clone(), children[0].clone()].concat(),
        Op::PointerBase => base,
        Op::PointerOffset => offset,
        Op::PointerAdd => [circuit::add(aig, &offset, &children[1]), base].concat(),
        Op::PointerDifference => circuit::subtract(aig, &offset, &halves(&children[1]).1),
        Op::PointerLt => ordered(circuit::signed_less_than),
        Op::PointerLe => ordered(circuit::signed_less_or_equal),
        _ => return None,
    })
}
