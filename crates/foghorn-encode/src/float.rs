//! Floating-point instructions as terms.
//!
//! In the IR a float is its bits, as memory and `bitcast` see them, so its term is a bit-vector.
//! Arithmetic goes through the theory of floats, in which there is one NaN: which bits an
//! operation gives to a NaN is left open, by a fresh bit-vector `b` and the axiom `float(b) = r`.
//! What IEEE 754 defines on bits (negation, absolute value, sign) is done on bits.
//!
//! `fmin` and `fmax` of zeros with different signs may give either, as C allows.

use crate::scalar::{as_bits, from_bits};
use foghorn_ir::{CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, Type};
use foghorn_term::{FloatFormat, FloatValue, Op, RoundingMode, Sort, TermId, TermPool};
use rustc_hash::FxHashMap;

/// Makes terms of float instructions and keeps the axioms that they need.
#[derive(Debug, Default)]
pub struct FloatEncoder {
    /// Bits whose float is known.
    floats: FxHashMap<TermId, TermId>,
    /// The bits that were given to a float.
    bits: FxHashMap<TermId, TermId>,
    axioms: Vec<TermId>,
}

/// The format of a type.
pub fn format_of(ty: Type) -> Option<FloatFormat> {
    match ty {
        Type::F32 => Some(FloatFormat::SINGLE),
        Type::F64 => Some(FloatFormat::DOUBLE),
        Type::Int(_) | Type::Ptr | Type::Memory(_) => None,
    }
}

impl FloatEncoder {
    /// Facts that hold of the bits made so far; those from number `from` on.
    pub fn axioms(&self, from: usize) -> &[TermId] {
        &self.axioms[from..]
    }

    /// The float that these bits mean.
    fn float(&mut self, pool: &mut TermPool, format: FloatFormat, bits: TermId) -> TermId {
        match self.floats.get(&bits) {
            Some(&float) => float,
            None => pool.make(Op::FloatFromBits(format), &[bits]),
        }
    }

    /// Bits that mean this float.
    fn bits_of(&mut self, pool: &mut TermPool, format: FloatFormat, float: TermId) -> TermId {
        if let Some(value) = pool.as_float(float)
            && !value.is_nan()
        {
            let bits = value.bits().clone();
            return pool.bitvec(bits);
        }
        if let Some(&bits) = self.bits.get(&float) {
            return bits;
        }
        let bits = pool.fresh_symbol("float", Sort::BitVec(format.width()));
        let meant = pool.make(Op::FloatFromBits(format), &[bits]);
        let axiom = pool.equal(meant, float);
        self.axioms.push(axiom);
        self.floats.insert(bits, float);
        self.bits.insert(float, bits);
        bits
    }

    /// An operator on one float.
    pub fn unary(
        &mut self,
        pool: &mut TermPool,
        op: FloatUnaryOp,
        format: FloatFormat,
        operand: TermId,
    ) -> TermId {
        let mode = match op {
            FloatUnaryOp::Neg => {
                let sign = sign_mask(pool, format);
                return pool.make(Op::BvXor, &[operand, sign]);
            }
            FloatUnaryOp::Abs => return magnitude(pool, format, operand),
            FloatUnaryOp::Sqrt => None,
            FloatUnaryOp::Floor => Some(RoundingMode::TowardNegative),
            FloatUnaryOp::Ceil => Some(RoundingMode::TowardPositive),
            FloatUnaryOp::Trunc => Some(RoundingMode::TowardZero),
            FloatUnaryOp::Round => Some(RoundingMode::NearestAway),
            FloatUnaryOp::RoundEven => Some(RoundingMode::NearestEven),
        };
        let operand = self.float(pool, format, operand);
        let op = match mode {
            Some(mode) => Op::FloatRoundToIntegral(mode),
            None => Op::FloatSqrt(RoundingMode::NearestEven),
        };
        let result = pool.make(op, &[operand]);
        self.bits_of(pool, format, result)
    }

    /// An operator on two floats.
    pub fn binary(
        &mut self,
        pool: &mut TermPool,
        op: FloatBinaryOp,
        format: FloatFormat,
        lhs: TermId,
        rhs: TermId,
    ) -> TermId {
        let even = RoundingMode::NearestEven;
        let (a, b) = (self.float(pool, format, lhs), self.float(pool, format, rhs));
        let result = match op {
            FloatBinaryOp::Add => pool.float_add(even, a, b),
            FloatBinaryOp::Sub => pool.float_sub(even, a, b),
            FloatBinaryOp::Mul => pool.float_mul(even, a, b),
            FloatBinaryOp::Div => pool.float_div(even, a, b),
            FloatBinaryOp::Rem => return self.remainder(pool, format, lhs, rhs),
            FloatBinaryOp::Min => return least(pool, (a, lhs), (b, rhs)),
            FloatBinaryOp::Max => return greatest(pool, (a, lhs), (b, rhs)),
            FloatBinaryOp::CopySign => return with_sign(pool, format, lhs, rhs),
        };
        self.bits_of(pool, format, result)
    }

    /// C's `fmod`: the remainder that has the sign of the dividend. From IEEE's, whose quotient is
    /// rounded to nearest: where that came out negative one divisor is missing, and adding it is
    /// exact.
    fn remainder(
        &mut self,
        pool: &mut TermPool,
        format: FloatFormat,
        lhs: TermId,
        rhs: TermId,
    ) -> TermId {
        let (dividend, divisor) = (magnitude(pool, format, lhs), magnitude(pool, format, rhs));
        let (dividend, divisor) = (
            self.float(pool, format, dividend),
            self.float(pool, format, divisor),
        );
        let nearest = pool.make(Op::FloatRem, &[dividend, divisor]);
        let zero = pool.float(FloatValue::zero(format, false));
        let missing = pool.float_lt(nearest, zero);
        let added = pool.float_add(RoundingMode::NearestEven, nearest, divisor);
        let float = pool.ite(missing, added, nearest);
        let bits = self.bits_of(pool, format, float);
        let signed = with_sign(pool, format, bits, lhs);
        let is_nan = pool.make(Op::FloatIsNan, &[float]);
        pool.ite(is_nan, bits, signed)
    }

    /// `a · b + c` with one rounding.
    pub fn fused_multiply_add(
        &mut self,
        pool: &mut TermPool,
        format: FloatFormat,
        operands: [TermId; 3],
    ) -> TermId {
        let floats = operands.map(|bits| self.float(pool, format, bits));
        let result = pool.make(Op::FloatFma(RoundingMode::NearestEven), &floats);
        self.bits_of(pool, format, result)
    }

    /// The comparison of two floats.
    pub fn compare(
        &mut self,
        pool: &mut TermPool,
        predicate: FloatPredicate,
        format: FloatFormat,
        lhs: TermId,
        rhs: TermId,
    ) -> TermId {
        use FloatPredicate as P;
        let (a, b) = (self.float(pool, format, lhs), self.float(pool, format, rhs));
        let nans = [a, b].map(|float| pool.make(Op::FloatIsNan, &[float]));
        let unordered = pool.or(&nans);
        let ordered_result = match predicate {
            P::False => return pool.bool(false),
            P::True => return pool.bool(true),
            P::Ord => return pool.not(unordered),
            P::Uno => return unordered,
            P::Oeq | P::Ueq => pool.float_eq(a, b),
            P::One | P::Une => {
                let equal = pool.float_eq(a, b);
                pool.not(equal)
            }
            P::Ogt | P::Ugt => pool.float_lt(b, a),
            P::Oge | P::Uge => pool.float_le(b, a),
            P::Olt | P::Ult => pool.float_lt(a, b),
            P::Ole | P::Ule => pool.float_le(a, b),
        };
        match predicate {
            // The theory's comparisons are false of NaN by themselves.
            P::Oeq | P::Ogt | P::Oge | P::Olt | P::Ole | P::Une => ordered_result,
            P::One => {
                let ordered = pool.not(unordered);
                pool.and(&[ordered, ordered_result])
            }
            P::Ueq | P::Ugt | P::Uge | P::Ult | P::Ule => pool.or(&[unordered, ordered_result]),
            P::False | P::True | P::Ord | P::Uno => {
                unreachable!("invariant: answered above")
            }
        }
    }

    /// A conversion from or to floats; `None` for one between other types.
    pub fn cast(
        &mut self,
        pool: &mut TermPool,
        op: CastOp,
        from: Type,
        to: Type,
        operand: TermId,
    ) -> Option<TermId> {
        let even = RoundingMode::NearestEven;
        let (source, target) = (format_of(from), format_of(to));
        Some(match (op, source, target) {
            (CastOp::FpTrunc | CastOp::FpExt, Some(source), Some(target)) => {
                let float = self.float(pool, source, operand);
                let result = pool.make(Op::FloatFromFloat(even, target), &[float]);
                self.bits_of(pool, target, result)
            }
            (CastOp::UiToFp, None, Some(target)) => {
                let bits = as_bits(pool, operand);
                let result = pool.make(Op::FloatFromUnsigned(even, target), &[bits]);
                self.bits_of(pool, target, result)
            }
            (CastOp::SiToFp, None, Some(target)) => {
                let bits = as_bits(pool, operand);
                let result = pool.make(Op::FloatFromSigned(even, target), &[bits]);
                self.bits_of(pool, target, result)
            }
            (CastOp::FpToUi | CastOp::FpToSi, Some(source), None) => {
                let float = self.float(pool, source, operand);
                let signed = op == CastOp::FpToSi;
                let bits = saturated(pool, source, float, to.int_width()?, signed);
                from_bits(pool, bits)
            }
            (CastOp::Bitcast, _, _) => operand,
            (
                CastOp::Trunc
                | CastOp::ZExt
                | CastOp::SExt
                | CastOp::FpTrunc
                | CastOp::FpExt
                | CastOp::FpToUi
                | CastOp::FpToSi
                | CastOp::UiToFp
                | CastOp::SiToFp
                | CastOp::PtrToInt
                | CastOp::IntToPtr,
                _,
                _,
            ) => return None,
        })
    }
}

/// Towards zero; NaN is 0 and what is out of range is the nearest end of it.
fn saturated(
    pool: &mut TermPool,
    format: FloatFormat,
    float: TermId,
    width: u32,
    signed: bool,
) -> TermId {
    let zeros_to = RoundingMode::TowardZero;
    let convert = if signed {
        Op::FloatToSigned(zeros_to, width)
    } else {
        Op::FloatToUnsigned(zeros_to, width)
    };
    let converted = pool.make(convert, &[float]);
    // 2^(width-1) or 2^width as a number with room for it.
    let one = pool.bv(width + 2, 1);
    let exponent = pool.bv(width + 2, u64::from(if signed { width - 1 } else { width }));
    let limit = pool.make(Op::BvShl, &[one, exponent]);
    let above = pool.make(
        Op::FloatFromUnsigned(RoundingMode::NearestEven, format),
        &[limit],
    );
    let zero = pool.bv_zero(width);
    let ones = pool.bv_ones(width);
    let (smallest, largest) = if signed {
        let one = pool.bv(width, 1);
        let last = pool.bv(width, u64::from(width - 1));
        let smallest = pool.make(Op::BvShl, &[one, last]);
        let largest = pool.bv_not(smallest);
        (smallest, largest)
    } else {
        (zero, ones)
    };
    let too_high = pool.float_le(above, float);
    let below = if signed {
        // -2^(width-1) is in range, and -2^(width-1) - 1/2 truncates to it as well.
        pool.make(Op::FloatNeg, &[above])
    } else {
        pool.float(FloatValue::zero(format, true))
    };
    let too_low = pool.float_le(float, below);
    let is_nan = pool.make(Op::FloatIsNan, &[float]);
    let result = pool.ite(too_low, smallest, converted);
    let result = pool.ite(too_high, largest, result);
    pool.ite(is_nan, zero, result)
}

fn sign_mask(pool: &mut TermPool, format: FloatFormat) -> TermId {
    let width = format.width();
    let (one, last) = (pool.bv(width, 1), pool.bv(width, u64::from(width - 1)));
    pool.make(Op::BvShl, &[one, last])
}

fn magnitude(pool: &mut TermPool, format: FloatFormat, bits: TermId) -> TermId {
    let sign = sign_mask(pool, format);
    let rest = pool.bv_not(sign);
    pool.make(Op::BvAnd, &[bits, rest])
}

/// The magnitude of `bits` with the sign of `other`.
fn with_sign(pool: &mut TermPool, format: FloatFormat, bits: TermId, other: TermId) -> TermId {
    let last = format.width() - 1;
    let sign = pool.extract(last, last, other);
    let rest = pool.extract(last - 1, 0, bits);
    pool.concat(sign, rest)
}

/// A float and its bits.
type Both = (TermId, TermId);

fn least(pool: &mut TermPool, a: Both, b: Both) -> TermId {
    let (first, second) = (pool.float_lt(a.0, b.0), pool.float_lt(b.0, a.0));
    chosen(pool, a, b, first, second)
}

fn greatest(pool: &mut TermPool, a: Both, b: Both) -> TermId {
    let (first, second) = (pool.float_lt(b.0, a.0), pool.float_lt(a.0, b.0));
    chosen(pool, a, b, first, second)
}

/// The first or the second; a NaN loses, and equals (zeros of either sign) are anybody's choice.
fn chosen(pool: &mut TermPool, a: Both, b: Both, first: TermId, second: TermId) -> TermId {
    let either = pool.fresh_symbol("zero", Sort::Bool);
    let result = pool.ite(either, a.1, b.1);
    let result = pool.ite(second, b.1, result);
    let result = pool.ite(first, a.1, result);
    let (no_a, no_b) = (
        pool.make(Op::FloatIsNan, &[a.0]),
        pool.make(Op::FloatIsNan, &[b.0]),
    );
    let result = pool.ite(no_b, a.1, result);
    pool.ite(no_a, b.1, result)
}
