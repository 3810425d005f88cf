//! Builders of integer and float terms.

use crate::op::{Op, RoundingMode};
use crate::pool::{Constant, TermId, TermPool};
use crate::sort::{FloatFormat, Sort};
use crate::value::{BitVecValue, FloatValue};
use num_bigint::BigInt;

impl TermPool {
    /// An integer literal.
    pub fn int(&mut self, value: impl Into<BigInt>) -> TermId {
        self.constant(Constant::Int(value.into()))
    }

    /// The value of an integer literal.
    pub fn as_int(&self, term: TermId) -> Option<&BigInt> {
        match self.op(term) {
            Op::Constant(id) => match self.constant_data(id) {
                Constant::Int(value) => Some(value),
                Constant::BitVec(_) | Constant::Float(_) => None,
            },
            _ => None,
        }
    }

    /// A free constant of integer sort.
    pub fn int_symbol(&mut self, name: &str) -> TermId {
        self.symbol(name, Sort::Int)
    }

    /// Sum of any number of integers.
    pub fn int_sum(&mut self, terms: &[TermId]) -> TermId {
        if terms.is_empty() {
            self.int(0)
        } else {
            self.make_associative(Op::IntAdd, terms)
        }
    }

    /// Sum.
    pub fn int_add(&mut self, a: TermId, b: TermId) -> TermId {
        self.make(Op::IntAdd, &[a, b])
    }

    /// Difference, as a sum.
    pub fn int_sub(&mut self, a: TermId, b: TermId) -> TermId {
        let negated = self.int_neg(b);
        self.int_add(a, negated)
    }

    /// Product.
    pub fn int_mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.make(Op::IntMul, &[a, b])
    }

    /// Negation.
    pub fn int_neg(&mut self, a: TermId) -> TermId {
        self.make(Op::IntNeg, &[a])
    }

    /// Euclidean quotient.
    pub fn int_div(&mut self, a: TermId, b: TermId) -> TermId {
        self.make(Op::IntDiv, &[a, b])
    }

    /// Euclidean remainder.
    pub fn int_mod(&mut self, a: TermId, b: TermId) -> TermId {
        self.make(Op::IntMod, &[a, b])
    }

    /// `≤`.
    pub fn int_le(&mut self, a: TermId, b: TermId) -> TermId {
        self.make(Op::IntLe, &[a, b])
    }

    /// `<`.
    pub fn int_lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.make(Op::IntLt, &[a, b])
    }

    /// The unsigned number of a bit-vector.
    pub fn bv_to_int(&mut self, a: TermId) -> TermId {
        self.make(Op::BvToInt, &[a])
    }

    /// The signed number of a bit-vector.
    pub fn bv_to_signed_int(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        let unsigned = self.bv_to_int(a);
        let modulus = self.int(-(BigInt::from(1) << width));
        let shifted = self.int_add(unsigned, modulus);
        let negative = self.bv_is_negative(a);
        self.ite(negative, shifted, unsigned)
    }

    /// The integer modulo 2^width.
    pub fn int_to_bv(&mut self, width: u32, a: TermId) -> TermId {
        self.make(Op::IntToBv(width), &[a])
    }

    /// A float literal.
    pub fn float(&mut self, value: FloatValue) -> TermId {
        self.constant(Constant::Float(value))
    }

    /// The value of a float literal.
    pub fn as_float(&self, term: TermId) -> Option<&FloatValue> {
        match self.op(term) {
            Op::Constant(id) => match self.constant_data(id) {
                Constant::Float(value) => Some(value),
                Constant::BitVec(_) | Constant::Int(_) => None,
            },
            _ => None,
        }
    }

    /// The float literal with these interchange bits.
    pub fn float_bits(&mut self, format: FloatFormat, bits: BitVecValue) -> TermId {
        self.float(FloatValue::from_bits(format, bits))
    }

    /// Rounded sum.
    pub fn float_add(&mut self, mode: RoundingMode, a: TermId, b: TermId) -> TermId {
        self.make(Op::FloatAdd(mode), &[a, b])
    }

    /// Rounded difference, as a sum: IEEE defines `a - b` as `a + (-b)`.
    pub fn float_sub(&mut self, mode: RoundingMode, a: TermId, b: TermId) -> TermId {
        let negated = self.make(Op::FloatNeg, &[b]);
        self.make(Op::FloatAdd(mode), &[a, negated])
    }

    /// Rounded product.
    pub fn float_mul(&mut self, mode: RoundingMode, a: TermId, b: TermId) -> TermId {
        self.make(Op::FloatMul(mode), &[a, b])
    }

    /// Rounded quotient.
    pub fn float_div(&mut self, mode: RoundingMode, a: TermId, b: TermId) -> TermId {
        self.make(Op::FloatDiv(mode), &[a, b])
    }

    /// IEEE `<`.
    pub fn float_lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.make(Op::FloatLt, &[a, b])
    }

    /// IEEE `≤`.
    pub fn float_le(&mut self, a: TermId, b: TermId) -> TermId {
        self.make(Op::FloatLe, &[a, b])
    }

    /// IEEE `=`.
    pub fn float_eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.make(Op::FloatEq, &[a, b])
    }
}
