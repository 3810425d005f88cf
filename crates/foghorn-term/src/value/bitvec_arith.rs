//! The operations of the SMT-LIB theory of fixed-size bit-vectors on values, total as that theory defines them: division
//! by zero yields all ones, the remainder by zero its dividend, and a shift by the width or more shifts everything out.

use super::bitvec::{BitVecValue, Bits, mask_big, mask64};
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

fn zip(
    a: &BitVecValue,
    b: &BitVecValue,
    small: impl FnOnce(u64, u64) -> u64,
    large: impl FnOnce(&BigUint, &BigUint) -> BigUint,
) -> BitVecValue {
    assert_eq!(a.width, b.width, "invariant: operands have one width");
    match (&a.bits, &b.bits) {
        (Bits::Small(x), Bits::Small(y)) => BitVecValue::from_u64(a.width, small(*x, *y)),
        (Bits::Large(x), Bits::Large(y)) => BitVecValue::from_biguint(a.width, large(x, y)),
        (Bits::Small(_), Bits::Large(_)) | (Bits::Large(_), Bits::Small(_)) => {
            unreachable!("invariant: the representation follows from the width")
        }
    }
}

impl BitVecValue {
    /// Bitwise complement.
    pub fn not(&self) -> Self {
        match &self.bits {
            Bits::Small(value) => Self::from_u64(self.width, !value),
            Bits::Large(value) => Self::from_biguint(self.width, mask_big(self.width) ^ value),
        }
    }

    /// Two's complement negation.
    pub fn neg(&self) -> Self {
        match &self.bits {
            Bits::Small(value) => Self::from_u64(self.width, value.wrapping_neg()),
            Bits::Large(_) => self.not().add(&Self::one(self.width)),
        }
    }

    /// Sum modulo 2^width.
    pub fn add(&self, other: &Self) -> Self {
        zip(self, other, u64::wrapping_add, |x, y| x + y)
    }

    /// Difference modulo 2^width.
    pub fn sub(&self, other: &Self) -> Self {
        self.add(&other.neg())
    }

    /// Product modulo 2^width.
    pub fn mul(&self, other: &Self) -> Self {
        zip(self, other, u64::wrapping_mul, |x, y| x * y)
    }

    /// Unsigned quotient; all ones when the divisor is zero.
    pub fn udiv(&self, other: &Self) -> Self {
        if other.is_zero() {
            return Self::ones(self.width);
        }
        zip(self, other, |x, y| x / y, |x, y| x / y)
    }

    /// Unsigned remainder; the dividend when the divisor is zero.
    pub fn urem(&self, other: &Self) -> Self {
        if other.is_zero() {
            return self.clone();
        }
        zip(self, other, |x, y| x % y, |x, y| x % y)
    }

    fn magnitude(&self) -> Self {
        if self.sign_bit() {
            self.neg()
        } else {
            self.clone()
        }
    }

    /// Signed quotient, rounded towards zero; by zero: 1 for negative dividends, else all ones.
    pub fn sdiv(&self, other: &Self) -> Self {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.sign_bit() == other.sign_bit() {
            quotient
        } else {
            quotient.neg()
        }
    }

    /// Signed remainder with the sign of the dividend.
    pub fn srem(&self, other: &Self) -> Self {
        let remainder = self.magnitude().urem(&other.magnitude());
        if self.sign_bit() {
            remainder.neg()
        } else {
            remainder
        }
    }

    /// Signed remainder with the sign of the divisor.
    pub fn smod(&self, other: &Self) -> Self {
        let remainder = self.magnitude().urem(&other.magnitude());
        if remainder.is_zero() {
            return remainder;
        }
        match (self.sign_bit(), other.sign_bit()) {
            (false, false) => remainder,
            (true, false) => remainder.neg().add(other),
            (false, true) => remainder.add(other),
            (true, true) => remainder.neg(),
        }
    }

    /// Bitwise conjunction.
    pub fn and(&self, other: &Self) -> Self {
        zip(self, other, |x, y| x & y, |x, y| x & y)
    }

    /// Bitwise disjunction.
    pub fn or(&self, other: &Self) -> Self {
        zip(self, other, |x, y| x | y, |x, y| x | y)
    }

    /// Bitwise exclusive disjunction.
    pub fn xor(&self, other: &Self) -> Self {
        zip(self, other, |x, y| x ^ y, |x, y| x ^ y)
    }

    /// Left shift by a number; zero when it reaches the width.
    pub fn shl_by(&self, amount: u32) -> Self {
        if amount >= self.width {
            return Self::zero(self.width);
        }
        match &self.bits {
            Bits::Small(value) => Self::from_u64(self.width, value << amount),
            Bits::Large(value) => Self::from_biguint(self.width, value << amount),
        }
    }

    /// Logical right shift by a number; zero when it reaches the width.
    pub fn lshr_by(&self, amount: u32) -> Self {
        if amount >= self.width {
            return Self::zero(self.width);
        }
        match &self.bits {
            Bits::Small(value) => Self::from_u64(self.width, value >> amount),
            Bits::Large(value) => Self::from_biguint(self.width, value >> amount),
        }
    }

    /// Arithmetic right shift by a number; all sign bits when it reaches the width.
    pub fn ashr_by(&self, amount: u32) -> Self {
        if self.sign_bit() {
            self.not().lshr_by(amount).not()
        } else {
            self.lshr_by(amount)
        }
    }

    /// The shift amount as a number, saturated at the width.
    fn amount(&self) -> u32 {
        let amount = match &self.bits {
            Bits::Small(value) => u32::try_from(*value).ok(),
            Bits::Large(value) => value.to_u32(),
        };
        amount.unwrap_or(self.width).min(self.width)
    }

    /// Left shift.
    pub fn shl(&self, amount: &Self) -> Self {
        self.shl_by(amount.amount())
    }

    /// Logical right shift.
    pub fn lshr(&self, amount: &Self) -> Self {
        self.lshr_by(amount.amount())
    }

    /// Arithmetic right shift.
    pub fn ashr(&self, amount: &Self) -> Self {
        self.ashr_by(amount.amount())
    }

    /// Unsigned comparison.
    pub fn ult(&self, other: &Self) -> bool {
        debug_assert_eq!(self.width, other.width);
        self.bits < other.bits
    }

    /// Unsigned comparison.
    pub fn ule(&self, other: &Self) -> bool {
        !other.ult(self)
    }

    /// Signed comparison.
    pub fn slt(&self, other: &Self) -> bool {
        match (self.sign_bit(), other.sign_bit()) {
            (true, false) => true,
            (false, true) => false,
            (false, false) | (true, true) => self.ult(other),
        }
    }

    /// Signed comparison.
    pub fn sle(&self, other: &Self) -> bool {
        !other.slt(self)
    }

    /// `self` as the high part, `low` as the low part.
    pub fn concat(&self, low: &Self) -> Self {
        let width = self.width + low.width;
        match (&self.bits, &low.bits) {
            (Bits::Small(high), Bits::Small(small)) if width <= 64 => {
                Self::from_u64(width, high << low.width | small)
            }
            (Bits::Small(_) | Bits::Large(_), Bits::Small(_) | Bits::Large(_)) => {
                Self::from_biguint(width, (self.to_biguint() << low.width) | low.to_biguint())
            }
        }
    }

    /// Bits `high..=low`, both included.
    pub fn extract(&self, high: u32, low: u32) -> Self {
        assert!(
            high < self.width && low <= high,
            "invariant: the slice lies in the vector"
        );
        let width = high - low + 1;
        match &self.bits {
            Bits::Small(value) => Self::from_u64(width, value >> low),
            Bits::Large(value) => Self::from_biguint(width, value >> low),
        }
    }

    /// Zero extension by `by` bits.
    pub fn zero_extend(&self, by: u32) -> Self {
        let width = self.width + by;
        match &self.bits {
            Bits::Small(value) => Self::from_u64(width, *value),
            Bits::Large(value) => Self::from_biguint(width, value.clone()),
        }
    }

    /// Sign extension by `by` bits.
    pub fn sign_extend(&self, by: u32) -> Self {
        if self.sign_bit() {
            self.not().zero_extend(by).not()
        } else {
            self.zero_extend(by)
        }
    }

    /// Whether the unsigned product does not fit.
    pub fn umul_overflows(&self, other: &Self) -> bool {
        match (&self.bits, &other.bits) {
            (Bits::Small(x), Bits::Small(y)) => {
                u128::from(*x) * u128::from(*y) > u128::from(mask64(self.width))
            }
            (Bits::Small(_) | Bits::Large(_), Bits::Small(_) | Bits::Large(_)) => {
                (self.to_biguint() * other.to_biguint()).bits() > u64::from(self.width)
            }
        }
    }

    /// Whether the signed product does not fit.
    pub fn smul_overflows(&self, other: &Self) -> bool {
        let product = self.to_signed() * other.to_signed();
        Self::from_bigint(self.width, &product).to_signed() != product
    }

    /// The lowest `ones` bits set, the others clear.
    pub fn low_mask(width: u32, ones: u32) -> Self {
        if ones == 0 {
            return Self::zero(width);
        }
        if ones >= width {
            return Self::ones(width);
        }
        Self::from_biguint(width, (BigUint::one() << ones) - BigUint::one())
    }

    /// `Some(k)` when exactly the lowest `k` bits are set, `k ≥ 1`.
    pub fn low_mask_bits(&self) -> Option<u32> {
        let ones = self.count_ones();
        (ones > 0 && self.active_bits() == ones).then_some(ones)
    }
}
