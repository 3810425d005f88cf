//! Normal form of n-ary operators: merged, folded, ordered.
//!
//! Merging copies the children of the nested application, so it is bounded: a sum that grows by one operand a million
//! times must not become quadratic. Up to `MERGE_LIMIT` children are merged; what is larger stays nested.

use super::Children;
use crate::op::Op;
use crate::pool::{TermId, TermPool};
use crate::value::BitVecValue;
use num_bigint::BigInt;

/// Nested applications are merged as long as the result has no more children than this.
const MERGE_LIMIT: usize = 16;

impl TermPool {
    /// Conjunction, disjunction, sum, product or bitwise operation over any number of children. Of none, the neutral
    /// element of Boolean operators.
    pub(crate) fn make_associative(&mut self, op: Op, children: &[TermId]) -> TermId {
        let mut merged = self.merge(op, children);
        merged.sort_unstable_by_key(|&child| self.order_key(child));
        self.combine_literals(op, &mut merged);
        if self.drop_repeated(op, &mut merged) {
            return self.absorbing(op, merged[0]);
        }
        match merged[..] {
            [] => self.neutral(op, children),
            [only] => only,
            [first, .., last] if self.is_absorbing(op, last) => {
                debug_assert_eq!(self.sort_id(first), self.sort_id(last));
                last
            }
            _ => self.intern(op, &merged),
        }
    }

    fn merge(&self, op: Op, children: &[TermId]) -> Children {
        let nested = |child: &TermId| self.op(*child) == op;
        if !children.iter().any(nested) {
            return Children::from_slice(children);
        }
        let mut merged = Children::new();
        let mut room = MERGE_LIMIT.saturating_sub(children.len());
        for child in children {
            let grandchildren = self.children(*child);
            if nested(child) && grandchildren.len() <= room {
                room -= grandchildren.len();
                merged.extend_from_slice(grandchildren);
            } else {
                merged.push(*child);
            }
        }
        merged
    }

    /// Folds the literals, which stand last, into one, and drops it when it is neutral.
    fn combine_literals(&mut self, op: Op, children: &mut Children) {
        while let [.., a, b] = children[..]
            && self.is_literal(a)
        {
            let folded = self
                .fold_constants(op, &[a, b])
                .expect("invariant: these operators fold");
            children.truncate(children.len() - 2);
            children.push(folded);
        }
        if children.len() > 1
            && let Some(&last) = children.last()
            && self.is_neutral(op, last)
        {
            children.pop();
        }
    }

    /// Removes repetitions where the operator is idempotent and pairs where it is nilpotent. True when an operand and its
    /// complement meet, which decides the whole.
    fn drop_repeated(&mut self, op: Op, children: &mut Children) -> bool {
        match op {
            Op::And | Op::Or => {
                children.dedup();
                children.len() > 1 && self.holds_complements(children, Op::Not)
            }
            Op::BvAnd | Op::BvOr => {
                children.dedup();
                children.len() > 1 && self.holds_complements(children, Op::BvNot)
            }
            Op::BvXor => {
                self.cancel_pairs(children);
                false
            }
            _ => false,
        }
    }

    fn holds_complements(&self, children: &[TermId], complement: Op) -> bool {
        children.iter().any(|&child| {
            self.op(child) == complement
                && children
                    .binary_search_by_key(&self.order_key(self.child(child, 0)), |&other| {
                        self.order_key(other)
                    })
                    .is_ok()
        })
    }

    fn cancel_pairs(&mut self, children: &mut Children) {
        let Some(&first) = children.first() else {
            return;
        };
        let mut kept = Children::new();
        for &child in children.iter() {
            if kept.last() == Some(&child) {
                kept.pop();
            } else {
                kept.push(child);
            }
        }
        if kept.is_empty() {
            kept.push(self.bv_zero(self.width(first)));
        }
        *children = kept;
    }

    fn absorbing(&mut self, op: Op, operand: TermId) -> TermId {
        match op {
            Op::And => self.bool(false),
            Op::Or => self.bool(true),
            Op::BvAnd => self.bv_zero(self.width(operand)),
            Op::BvOr => self.bv_ones(self.width(operand)),
            other => unreachable!("invariant: {other:?} is idempotent"),
        }
    }

    fn neutral(&mut self, op: Op, children: &[TermId]) -> TermId {
        match op {
            Op::And => self.bool(true),
            Op::Or => self.bool(false),
            other => unreachable!("invariant: {other:?} has operands, got {}", children.len()),
        }
    }

    fn is_neutral(&self, op: Op, literal: TermId) -> bool {
        let bits = |test: fn(&BitVecValue) -> bool| self.as_bitvec(literal).is_some_and(test);
        match op {
            Op::And => self.op(literal) == Op::True,
            Op::Or => self.op(literal) == Op::False,
            Op::BvAdd | Op::BvOr | Op::BvXor => bits(BitVecValue::is_zero),
            Op::BvMul => bits(BitVecValue::is_one),
            Op::BvAnd => bits(BitVecValue::is_ones),
            Op::IntAdd => self.as_int(literal) == Some(&BigInt::ZERO),
            Op::IntMul => self.as_int(literal) == Some(&BigInt::from(1)),
            _ => false,
        }
    }

    fn is_absorbing(&self, op: Op, literal: TermId) -> bool {
        let bits = |test: fn(&BitVecValue) -> bool| self.as_bitvec(literal).is_some_and(test);
        match op {
            Op::And => self.op(literal) == Op::False,
            Op::Or => self.op(literal) == Op::True,
            Op::BvAnd | Op::BvMul => bits(BitVecValue::is_zero),
            Op::BvOr => bits(BitVecValue::is_ones),
            Op::IntMul => self.as_int(literal) == Some(&BigInt::ZERO),
            _ => false,
        }
    }

    /// Concatenation, merged, with neighbouring literals joined.
    pub(super) fn make_concat(&mut self, children: &[TermId]) -> TermId {
        let merged = self.merge(Op::Concat, children);
        let mut joined = Children::new();
        for child in merged {
            match joined.last() {
                Some(&last) if self.is_literal(last) && self.is_literal(child) => {
                    let both = self
                        .fold_constants(Op::Concat, &[last, child])
                        .expect("invariant: literals concatenate");
                    joined.pop();
                    joined.push(both);
                }
                Some(_) | None => joined.push(child),
            }
        }
        if let [only] = joined[..] {
            only
        } else {
            self.intern(Op::Concat, &joined)
        }
    }
}
