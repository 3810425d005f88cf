//! What a rule sees: the pool, facts about terms, and the proof system for (dis-)equalities that the side conditions of
//! the thesis' rules (`⊢ i = j`, `⊢ i ≠ j`) are decided by.

use super::facts::{Fact, Facts};
use crate::op::{Op, OpKind};
use crate::pool::{TermId, TermPool};
use crate::sort::Sort;
use crate::value::BitVecValue;
use num_bigint::BigInt;

/// What a rule works with.
pub struct Context<'a> {
    pub pool: &'a mut TermPool,
    pub facts: &'a mut Facts,
}

/// A literal distance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Distance {
    Bits(BitVecValue),
    Int(BigInt),
}

impl Context<'_> {
    /// The children, when there are exactly `N`.
    pub fn args<const N: usize>(&self, term: TermId) -> Option<[TermId; N]> {
        self.pool.child_array(term)
    }

    /// The children of a term with this operator, when there are exactly `N`.
    pub fn view<const N: usize>(&self, term: TermId, kind: OpKind) -> Option<[TermId; N]> {
        (self.pool.op(term).kind() == kind)
            .then(|| self.pool.child_array(term))
            .flatten()
    }

    /// The value of a bit-vector literal.
    pub fn bits(&self, term: TermId) -> Option<BitVecValue> {
        self.pool.as_bitvec(term).cloned()
    }

    /// What is known of a term's bits.
    pub fn fact(&mut self, term: TermId) -> Option<Fact> {
        self.facts.get(self.pool, term)
    }

    /// The other operand and the value, when one of two operands is a bit-vector literal.
    pub fn literal_side(&self, a: TermId, b: TermId) -> Option<(TermId, BitVecValue)> {
        self.bits(b)
            .map(|value| (a, value))
            .or_else(|| self.bits(a).map(|value| (b, value)))
    }

    /// The term as a base plus a literal. The base is `None` for a literal.
    fn base_and_distance(&mut self, term: TermId) -> (Option<TermId>, Option<Distance>) {
        let literal = |pool: &TermPool, term: TermId| {
            let bits = pool.as_bitvec(term).cloned().map(Distance::Bits);
            bits.or_else(|| pool.as_int(term).cloned().map(Distance::Int))
        };
        if let Some(value) = literal(self.pool, term) {
            return (None, Some(value));
        }
        let op = self.pool.op(term);
        let children = self.pool.children(term);
        if let (Op::BvAdd | Op::IntAdd, [rest @ .., last]) = (op, children)
            && let Some(value) = literal(self.pool, *last)
        {
            let rest = rest.to_vec();
            return (Some(self.pool.make(op, &rest)), Some(value));
        }
        (Some(term), None)
    }

    /// `a - b`, when it is the same number in every model.
    pub(super) fn distance(&mut self, a: TermId, b: TermId) -> Option<Distance> {
        let sort = self.pool.sort(a);
        let (base_a, a) = self.base_and_distance(a);
        let (base_b, b) = self.base_and_distance(b);
        if base_a != base_b {
            return None;
        }
        match sort {
            Sort::BitVec(width) => {
                let bits = |distance: Option<Distance>| match distance {
                    Some(Distance::Bits(value)) => value,
                    Some(Distance::Int(_)) | None => BitVecValue::zero(width),
                };
                Some(Distance::Bits(bits(a).sub(&bits(b))))
            }
            Sort::Int => {
                let int = |distance: Option<Distance>| match distance {
                    Some(Distance::Int(value)) => value,
                    Some(Distance::Bits(_)) | None => BigInt::ZERO,
                };
                Some(Distance::Int(int(a) - int(b)))
            }
            Sort::Bool
            | Sort::Float(_)
            | Sort::Array { .. }
            | Sort::Pointer { .. }
            | Sort::Memory { .. }
            | Sort::FiniteMap { .. }
            | Sort::Uninterpreted(_) => None,
        }
    }

    /// Whether `a = b` in every model (`Some(true)`), in none (`Some(false)`), or unknown.
    pub fn decide_equal(&mut self, a: TermId, b: TermId) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        if self.pool.is_literal(a) && self.pool.is_literal(b) {
            return Some(false);
        }
        match self.distance(a, b) {
            Some(Distance::Bits(distance)) => return Some(distance.is_zero()),
            Some(Distance::Int(distance)) => return Some(distance == BigInt::ZERO),
            None => {}
        }
        let (a, b) = (self.fact(a)?, self.fact(b)?);
        a.excludes(&b).then_some(false)
    }

    /// Whether `index` is one of the `size` indices from `start` on, if that is the same in every model.
    pub(super) fn decide_in_range(
        &mut self,
        index: TermId,
        start: TermId,
        size: TermId,
    ) -> Option<bool> {
        match self.distance(index, start)? {
            Distance::Bits(distance) => {
                if let Some(size) = self.bits(size) {
                    return Some(distance.ult(&size));
                }
                let (distance, size) = (distance.to_u128()?, self.fact(size)?);
                if distance < size.low {
                    Some(true)
                } else if distance >= size.high {
                    Some(false)
                } else {
                    None
                }
            }
            Distance::Int(distance) => {
                if distance < BigInt::ZERO {
                    return Some(false);
                }
                self.pool.as_int(size).map(|size| distance < *size)
            }
        }
    }
}
