//! What the assertions say of free constants before any circuit is built.
//!
//! Assertions are taken apart into conjuncts. A conjunct `x = t` defines the constant `x`: its word
//! is then the word of `t`, the equation holds by itself, and the value of `x` in a model is that
//! of `t`. Conjuncts that fix bits (`x = 5`, `x <= 7`, `0 <= x` with sign, `x[3:0] = 2`, `b`,
//! `not b`) make these bits constants, which the graph then folds away in everything built from
//! them. This is what word-level solvers call solving equations, propagation of constants and
//! propagation of bounds, done where it costs nothing: no term is rebuilt.
//!
//! Every fact follows from the assertions and these are still asserted, so nothing is lost when a
//! fact comes too late (its constant has a word already) or contradicts another. The facts of
//! assertions that can be taken back are not collected. A definition that would be circular is
//! noticed by [`super::blast`] and dropped there.

use cranelift_entity::EntitySet;
use foghorn_term::{BitVecValue, Constant, Op, Sort, TermId, TermPool};
use rustc_hash::FxHashMap;

/// `symbol = term`, or `symbol = not term`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Definition {
    pub term: TermId,
    pub negated: bool,
}

/// Definitions and known bits of free constants.
#[derive(Default)]
pub(super) struct Facts {
    definitions: FxHashMap<TermId, Definition>,
    /// Least significant bit first.
    bits: FxHashMap<TermId, Vec<Option<bool>>>,
    /// Conjuncts taken apart already, by polarity.
    seen: [EntitySet<TermId>; 2],
}

/// A conjunct: a term that holds, or whose negation does.
#[derive(Clone, Copy)]
pub(super) struct Literal {
    pub term: TermId,
    pub holds: bool,
}

/// Consecutive bits of a free constant.
struct Slice {
    symbol: TermId,
    low: usize,
}

impl Facts {
    /// The definition of a free constant, which is taken out.
    pub fn take_definition(&mut self, symbol: TermId) -> Option<Definition> {
        self.definitions.remove(&symbol)
    }

    /// What is known of bit `index` of a free constant.
    pub fn bit(&self, symbol: TermId, index: usize) -> Option<bool> {
        self.bits.get(&symbol)?.get(index).copied().flatten()
    }

    /// Collects what these assertions say and returns their conjuncts, but those that earlier
    /// assertions had.
    pub fn learn(&mut self, pool: &TermPool, assertions: &[TermId]) -> Vec<Literal> {
        let mut conjuncts = Vec::new();
        let mut bounds = Vec::new();
        let mut pending: Vec<Literal> = assertions
            .iter()
            .rev()
            .map(|term| Literal {
                term: *term,
                holds: true,
            })
            .collect();
        while let Some(literal) = pending.pop() {
            if self.seen[usize::from(literal.holds)].insert(literal.term)
                && !open(pool, literal, &mut pending)
            {
                self.literal(pool, literal, &mut bounds);
                conjuncts.push(literal);
            }
        }
        // A bound with sign may need the sign that another one fixes.
        for _ in 0..2 {
            for bound in &bounds {
                self.bound(pool, bound);
            }
        }
        conjuncts
    }

    fn literal(&mut self, pool: &TermPool, literal: Literal, bounds: &mut Vec<Bound>) {
        let Literal { term, holds } = literal;
        let op = pool.op(term);
        if let Op::Symbol(_) = op {
            self.fix(
                pool,
                &Slice {
                    symbol: term,
                    low: 0,
                },
                0,
                holds,
            );
            return;
        }
        if let Some([left, right]) = pool.child_array::<2>(term) {
            match (op, pool.sort(left) == Sort::Bool) {
                (Op::Equal, boolean) if holds || boolean => self.equal(pool, left, right, !holds),
                (Op::Xor, _) => self.equal(pool, left, right, holds),
                _ => bounds.extend(Bound::of(pool, op, left, right, holds)),
            }
        }
    }

    fn equal(&mut self, pool: &TermPool, left: TermId, right: TermId, negated: bool) {
        for (one, other) in [(left, right), (right, left)] {
            if let (Some(slice), Some(value)) = (slice_of(pool, one), constant_of(pool, other)) {
                for i in 0..value.width() {
                    self.fix(pool, &slice, i as usize, value.bit(i) != negated);
                }
                return;
            }
        }
        for (symbol, term) in [(left, right), (right, left)] {
            if matches!(pool.op(symbol), Op::Symbol(_)) && !self.definitions.contains_key(&symbol) {
                self.definitions
                    .insert(symbol, Definition { term, negated });
                return;
            }
        }
    }

    fn bound(&mut self, pool: &TermPool, bound: &Bound) {
        let value = &bound.value;
        let width = value.width();
        let top = width as usize - 1;
        let mut sign = self.bit(bound.slice.symbol, bound.slice.low + top);
        match (bound.signed, bound.upper) {
            // x <= c < 0 and x >= c >= 0 fix the sign.
            (true, true) if value.sign_bit() => sign = Some(true),
            (true, false) if !value.sign_bit() => sign = Some(false),
            (_, _) => {}
        }
        if bound.signed {
            let Some(sign) = sign else { return };
            self.fix(pool, &bound.slice, top, sign);
            if sign != value.sign_bit() {
                return;
            }
        }
        // Among words with the same sign both orders agree: below c the leading zeros of c are
        // zeros, above c its leading ones are ones.
        let leading = (0..width)
            .rev()
            .skip(usize::from(bound.signed))
            .take_while(|i| value.bit(*i) != bound.upper);
        for i in leading.collect::<Vec<_>>() {
            self.fix(pool, &bound.slice, i as usize, !bound.upper);
        }
    }

    /// The first word on a bit counts; a second that contradicts it makes the assertion false.
    fn fix(&mut self, pool: &TermPool, slice: &Slice, index: usize, value: bool) {
        let Ok(width) = super::fragment::sort_bits(pool.sort(slice.symbol)) else {
            return;
        };
        let bits = self
            .bits
            .entry(slice.symbol)
            .or_insert_with(|| vec![None; width]);
        bits[slice.low + index].get_or_insert(value);
    }
}

/// A slice bounded by a constant, inclusively.
struct Bound {
    slice: Slice,
    value: BitVecValue,
    signed: bool,
    /// The constant is above.
    upper: bool,
}

impl Bound {
    /// Reads a comparison, or its negation, of a slice with a constant.
    fn of(pool: &TermPool, op: Op, left: TermId, right: TermId, holds: bool) -> Option<Bound> {
        let (signed, strict) = match op {
            Op::BvUle => (false, false),
            Op::BvUlt => (false, true),
            Op::BvSle => (true, false),
            Op::BvSlt => (true, true),
            _ => return None,
        };
        // not (l <= r) is r < l.
        let (lower, upper, strict) = if holds {
            (left, right, strict)
        } else {
            (right, left, !strict)
        };
        let (symbol, constant, constant_above) = match constant_of(pool, upper) {
            Some(value) => (lower, value, true),
            None => (upper, constant_of(pool, lower)?, false),
        };
        let width = constant.width();
        let one = BitVecValue::one(width);
        let value = match (strict, constant_above) {
            (false, _) => constant,
            (true, true) if constant == least(width, signed) => return None,
            (true, true) => constant.sub(&one),
            (true, false) if constant == greatest(width, signed) => return None,
            (true, false) => constant.add(&one),
        };
        Some(Bound {
            slice: slice_of(pool, symbol)?,
            value,
            signed,
            upper: constant_above,
        })
    }
}

fn least(width: u32, signed: bool) -> BitVecValue {
    if signed {
        BitVecValue::min_signed(width)
    } else {
        BitVecValue::zero(width)
    }
}

fn greatest(width: u32, signed: bool) -> BitVecValue {
    if signed {
        BitVecValue::max_signed(width)
    } else {
        BitVecValue::ones(width)
    }
}

/// Takes a conjunction apart; false if the literal is none.
fn open(pool: &TermPool, literal: Literal, pending: &mut Vec<Literal>) -> bool {
    let children = pool.children(literal.term);
    let mut push = |term: TermId, holds: bool| pending.push(Literal { term, holds });
    match (pool.op(literal.term), literal.holds) {
        (Op::Not, holds) => push(children[0], !holds),
        (Op::And, true) => children.iter().rev().for_each(|child| push(*child, true)),
        (Op::Or, false) => children.iter().rev().for_each(|child| push(*child, false)),
        (Op::Implies, false) => {
            push(children[1], false);
            push(children[0], true);
        }
        _ => return false,
    }
    true
}

fn constant_of(pool: &TermPool, term: TermId) -> Option<BitVecValue> {
    let Op::Constant(id) = pool.op(term) else {
        return None;
    };
    match pool.constant_data(id) {
        Constant::BitVec(value) => Some(value.clone()),
        Constant::Int(_) | Constant::Float(_) => None,
    }
}

/// Reads a term as consecutive bits of a free constant.
fn slice_of(pool: &TermPool, term: TermId) -> Option<Slice> {
    let of = |term: TermId, low: usize| {
        matches!(pool.op(term), Op::Symbol(_)).then_some(Slice { symbol: term, low })
    };
    match pool.op(term) {
        Op::Symbol(_) => of(term, 0),
        Op::Extract(_, low) => of(pool.child(term, 0), low as usize),
        Op::PointerOffset => of(pool.child(term, 0), 0),
        Op::PointerBase => of(pool.child(term, 0), pool.width(term) as usize),
        _ => None,
    }
}
