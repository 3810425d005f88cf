//! Builders of bit-vector terms. Differences, the mirrored comparisons and the overflow predicates other than those of
//! products are expressed by the operators that exist.

use crate::op::Op;
use crate::pool::{Constant, TermId, TermPool};
use crate::sort::Sort;
use crate::value::BitVecValue;

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident => $op:ident;)+) => {
        impl TermPool {
            $($(#[$doc])*
            pub fn $name(&mut self, a: TermId, b: TermId) -> TermId {
                self.make(Op::$op, &[a, b])
            })+
        }
    };
}

binary! {
    /// Sum modulo 2^width.
    bv_add => BvAdd;
    /// Product modulo 2^width.
    bv_mul => BvMul;
    /// Unsigned quotient.
    bv_udiv => BvUdiv;
    /// Unsigned remainder.
    bv_urem => BvUrem;
    /// Signed quotient towards zero.
    bv_sdiv => BvSdiv;
    /// Signed remainder with the sign of the dividend.
    bv_srem => BvSrem;
    /// Signed remainder with the sign of the divisor.
    bv_smod => BvSmod;
    /// Bitwise and.
    bv_and => BvAnd;
    /// Bitwise or.
    bv_or => BvOr;
    /// Bitwise exclusive or.
    bv_xor => BvXor;
    /// Left shift.
    bv_shl => BvShl;
    /// Logical right shift.
    bv_lshr => BvLshr;
    /// Arithmetic right shift.
    bv_ashr => BvAshr;
    /// Unsigned `<`.
    bv_ult => BvUlt;
    /// Unsigned `≤`.
    bv_ule => BvUle;
    /// Signed `<`.
    bv_slt => BvSlt;
    /// Signed `≤`.
    bv_sle => BvSle;
    /// The unsigned product overflows.
    bv_umul_overflow => BvUmulOverflow;
    /// The signed product overflows.
    bv_smul_overflow => BvSmulOverflow;
}

impl TermPool {
    /// A bit-vector literal.
    pub fn bitvec(&mut self, value: BitVecValue) -> TermId {
        self.constant(Constant::BitVec(value))
    }

    /// A bit-vector literal, modulo 2^width.
    pub fn bv(&mut self, width: u32, value: u64) -> TermId {
        self.bitvec(BitVecValue::from_u64(width, value))
    }

    /// The literal zero.
    pub fn bv_zero(&mut self, width: u32) -> TermId {
        self.bv(width, 0)
    }

    /// The literal with all bits set.
    pub fn bv_ones(&mut self, width: u32) -> TermId {
        self.bitvec(BitVecValue::ones(width))
    }

    /// The value of a bit-vector literal.
    pub fn as_bitvec(&self, term: TermId) -> Option<&BitVecValue> {
        match self.op(term) {
            Op::Constant(id) => match self.constant_data(id) {
                Constant::BitVec(value) => Some(value),
                Constant::Int(_) | Constant::Float(_) => None,
            },
            _ => None,
        }
    }

    /// A free constant of bit-vector sort.
    pub fn bv_symbol(&mut self, name: &str, width: u32) -> TermId {
        self.symbol(name, Sort::BitVec(width))
    }

    /// Bitwise complement.
    pub fn bv_not(&mut self, a: TermId) -> TermId {
        self.make(Op::BvNot, &[a])
    }

    /// Two's complement negation.
    pub fn bv_neg(&mut self, a: TermId) -> TermId {
        self.make(Op::BvNeg, &[a])
    }

    /// Difference, as a sum.
    pub fn bv_sub(&mut self, a: TermId, b: TermId) -> TermId {
        let negated = self.bv_neg(b);
        self.bv_add(a, negated)
    }

    /// Sum of one or more terms.
    pub fn bv_sum(&mut self, terms: &[TermId]) -> TermId {
        self.make_associative(Op::BvAdd, terms)
    }

    /// Unsigned `>`.
    pub fn bv_ugt(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_ult(b, a)
    }

    /// Unsigned `≥`.
    pub fn bv_uge(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_ule(b, a)
    }

    /// Signed `>`.
    pub fn bv_sgt(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_slt(b, a)
    }

    /// Signed `≥`.
    pub fn bv_sge(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_sle(b, a)
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        self.make(Op::Concat, &[high, low])
    }

    /// Bits `high..=low`.
    pub fn extract(&mut self, high: u32, low: u32, a: TermId) -> TermId {
        self.make(Op::Extract(high, low), &[a])
    }

    /// Zero extension by that many bits.
    pub fn zero_extend(&mut self, by: u32, a: TermId) -> TermId {
        self.make(Op::ZeroExtend(by), &[a])
    }

    /// Sign extension by that many bits.
    pub fn sign_extend(&mut self, by: u32, a: TermId) -> TermId {
        self.make(Op::SignExtend(by), &[a])
    }

    /// The term cut or zero-extended to that width.
    pub fn zero_resize(&mut self, width: u32, a: TermId) -> TermId {
        let old = self.width(a);
        if width <= old {
            self.extract(width - 1, 0, a)
        } else {
            self.zero_extend(width - old, a)
        }
    }

    /// The term cut or sign-extended to that width.
    pub fn sign_resize(&mut self, width: u32, a: TermId) -> TermId {
        let old = self.width(a);
        if width <= old {
            self.extract(width - 1, 0, a)
        } else {
            self.sign_extend(width - old, a)
        }
    }

    /// One bit: 1 when the condition holds.
    pub fn bool_to_bv(&mut self, condition: TermId) -> TermId {
        let (one, zero) = (self.bv(1, 1), self.bv(1, 0));
        self.ite(condition, one, zero)
    }

    /// Whether the bit at `index` is set.
    pub fn bv_bit(&mut self, index: u32, a: TermId) -> TermId {
        let bit = self.extract(index, index, a);
        let one = self.bv(1, 1);
        self.equal(bit, one)
    }

    /// The unsigned sum overflows: it is less than an operand.
    pub fn bv_uadd_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.bv_add(a, b);
        self.bv_ult(sum, a)
    }

    /// The signed sum overflows: the operands agree in sign and the sum does not.
    pub fn bv_sadd_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.bv_add(a, b);
        let (left, right) = (self.bv_xor(a, sum), self.bv_xor(b, sum));
        let both = self.bv_and(left, right);
        self.bv_is_negative(both)
    }

    /// The unsigned difference overflows.
    pub fn bv_usub_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_ult(a, b)
    }

    /// The signed difference overflows: the operands differ in sign and the result has not the sign of the first.
    pub fn bv_ssub_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let difference = self.bv_sub(a, b);
        let (operands, result) = (self.bv_xor(a, b), self.bv_xor(a, difference));
        let both = self.bv_and(operands, result);
        self.bv_is_negative(both)
    }

    /// The signed quotient overflows: least number by minus one.
    pub fn bv_sdiv_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let (least, minus_one) = (BitVecValue::min_signed(width), BitVecValue::ones(width));
        let (least, minus_one) = (self.bitvec(least), self.bitvec(minus_one));
        let (first, second) = (self.equal(a, least), self.equal(b, minus_one));
        self.and(&[first, second])
    }

    /// The negation overflows.
    pub fn bv_neg_overflow(&mut self, a: TermId) -> TermId {
        let least = BitVecValue::min_signed(self.width(a));
        let least = self.bitvec(least);
        self.equal(a, least)
    }

    /// The sign bit is set.
    pub fn bv_is_negative(&mut self, a: TermId) -> TermId {
        let zero = self.bv_zero(self.width(a));
        self.bv_slt(a, zero)
    }
}
