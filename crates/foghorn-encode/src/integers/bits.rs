//! Integers as bit-vectors.

use super::{Havoc, Integers, Range, Value};
use crate::scalar;
use foghorn_ir::{BinaryOp, IntPredicate, OverflowOp, UnaryOp};
use foghorn_term::{BitVecValue, Sort, TermId, TermPool};

/// Bit-vectors: everything is exact, ranges are not needed and stay those of the width.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bits;

fn value(width: u32, term: TermId) -> Value {
    Value {
        term,
        range: Range::signed(width),
    }
}

impl Integers for Bits {
    fn name(&self) -> &'static str {
        "bits"
    }

    fn sort(&self, width: u32) -> Sort {
        match width {
            1 => Sort::Bool,
            _ => Sort::BitVec(width),
        }
    }

    fn literal(&mut self, pool: &mut TermPool, width: u32, bits: u128) -> Value {
        let literal = pool.bitvec(BitVecValue::from_u128(width, bits));
        value(width, scalar::from_bits(pool, literal))
    }

    fn any(&self, width: u32, term: TermId) -> Value {
        value(width, term)
    }

    fn validity(&self, _: &mut TermPool, _: u32, _: TermId) -> Option<TermId> {
        None
    }

    fn binary(
        &mut self,
        pool: &mut TermPool,
        op: BinaryOp,
        width: u32,
        lhs: &Value,
        rhs: &Value,
    ) -> Value {
        value(width, scalar::binary(pool, op, width, lhs.term, rhs.term))
    }

    fn unary(&mut self, pool: &mut TermPool, op: UnaryOp, width: u32, operand: &Value) -> Value {
        value(width, scalar::unary(pool, op, operand.term))
    }

    fn overflows(
        &mut self,
        pool: &mut TermPool,
        op: OverflowOp,
        signed: bool,
        _: u32,
        (lhs, rhs): (&Value, &Value),
    ) -> TermId {
        scalar::overflows(pool, op, signed, lhs.term, rhs.term)
    }

    fn compare(
        &mut self,
        pool: &mut TermPool,
        predicate: IntPredicate,
        _: u32,
        lhs: &Value,
        rhs: &Value,
    ) -> TermId {
        scalar::compare(pool, predicate, lhs.term, rhs.term)
    }

    fn truncate(&mut self, pool: &mut TermPool, _: u32, to: u32, operand: &Value) -> Value {
        value(to, scalar::zero_resized(pool, operand.term, to))
    }

    fn zero_extend(&mut self, pool: &mut TermPool, _: u32, to: u32, operand: &Value) -> Value {
        value(to, scalar::zero_resized(pool, operand.term, to))
    }

    fn sign_extend(&mut self, pool: &mut TermPool, _: u32, to: u32, operand: &Value) -> Value {
        value(to, scalar::sign_resized(pool, operand.term, to))
    }

    fn take_havocs(&mut self) -> Vec<Havoc> {
        Vec::new()
    }
}
