//! IEEE 754 operations on floats of any format, as SMT-LIB's theory of floating-point numbers defines them.

use super::BitVecValue;
use super::float::FloatValue;
use super::float_round::Exact;
use crate::op::RoundingMode;
use crate::sort::FloatFormat;
use num_bigint::BigInt;
use num_traits::Zero;

/// Bits beyond the significand that make one later rounding right: a half, a rest and one to spare.
const SPARE: u32 = 3;

impl FloatValue {
    fn finite(&self) -> bool {
        !self.is_nan() && !self.is_infinite()
    }

    /// The sign of an exact sum that is zero.
    fn zero_sum_sign(mode: RoundingMode, a: bool, b: bool) -> bool {
        if a == b {
            a
        } else {
            mode == RoundingMode::TowardNegative
        }
    }

    /// Sum.
    pub fn add(&self, other: &Self, mode: RoundingMode) -> Self {
        let format = self.format();
        if self.is_nan() || other.is_nan() {
            return Self::nan(format);
        }
        if self.is_infinite() && other.is_infinite() && self.sign_bit() != other.sign_bit() {
            return Self::nan(format);
        }
        if self.is_infinite() {
            return self.clone();
        }
        if other.is_infinite() {
            return other.clone();
        }
        let (a, b) = (Exact::of(self), Exact::of(other));
        Self::round_sum(&a, &b, format, mode)
    }

    fn round_sum(a: &Exact, b: &Exact, format: FloatFormat, mode: RoundingMode) -> Self {
        let sum = a.add(b);
        if sum.is_zero() {
            return Self::zero(format, Self::zero_sum_sign(mode, a.negative, b.negative));
        }
        sum.round(format, mode)
    }

    /// Product.
    pub fn mul(&self, other: &Self, mode: RoundingMode) -> Self {
        let format = self.format();
        let negative = self.sign_bit() != other.sign_bit();
        if self.is_nan() || other.is_nan() {
            return Self::nan(format);
        }
        if self.is_infinite() || other.is_infinite() {
            let invalid = self.is_zero() || other.is_zero();
            return if invalid {
                Self::nan(format)
            } else {
                Self::infinity(format, negative)
            };
        }
        Exact::of(self).mul(&Exact::of(other)).round(format, mode)
    }

    /// Quotient.
    pub fn div(&self, other: &Self, mode: RoundingMode) -> Self {
        let format = self.format();
        let negative = self.sign_bit() != other.sign_bit();
        if self.is_nan()
            || other.is_nan()
            || (self.is_infinite() && other.is_infinite())
            || (self.is_zero() && other.is_zero())
        {
            return Self::nan(format);
        }
        if self.is_infinite() || other.is_zero() {
            return Self::infinity(format, negative);
        }
        if self.is_zero() || other.is_infinite() {
            return Self::zero(format, negative);
        }
        let bits = format.significand + SPARE;
        Exact::of(self)
            .div(&Exact::of(other), bits)
            .round(format, mode)
    }

    /// `self * other + addend`, rounded once.
    pub fn fma(&self, other: &Self, addend: &Self, mode: RoundingMode) -> Self {
        let format = self.format();
        if self.is_nan() || other.is_nan() || addend.is_nan() {
            return Self::nan(format);
        }
        if self.finite() && other.finite() {
            if addend.is_infinite() {
                return addend.clone();
            }
            let product = Exact::of(self).mul(&Exact::of(other));
            return Self::round_sum(&product, &Exact::of(addend), format, mode);
        }
        self.mul(other, mode).add(addend, mode)
    }

    /// Square root.
    pub fn sqrt(&self, mode: RoundingMode) -> Self {
        let format = self.format();
        if self.is_nan() || self.is_zero() {
            return self.clone();
        }
        if self.sign_bit() {
            return Self::nan(format);
        }
        if self.is_infinite() {
            return self.clone();
        }
        Exact::of(self)
            .sqrt(format.significand + SPARE)
            .round(format, mode)
    }

    /// IEEE remainder: `self - other * n` with n the integer nearest to the quotient, ties to even. Exact.
    pub fn rem(&self, other: &Self) -> Self {
        let format = self.format();
        if self.is_nan() || other.is_nan() || self.is_infinite() || other.is_zero() {
            return Self::nan(format);
        }
        if other.is_infinite() || self.is_zero() {
            return self.clone();
        }
        let (a, b) = (Exact::of(self), Exact::of(other));
        let exponent = a.exponent.min(b.exponent);
        let (x, y) = (a.signed_at(exponent), b.signed_at(exponent));
        let rest = &x - &y * nearest_quotient(&x, &y);
        if rest.is_zero() {
            return Self::zero(format, self.sign_bit());
        }
        Exact {
            exponent,
            ..Exact::of_integer(&rest)
        }
        .round(format, RoundingMode::NearestEven)
    }

    /// The nearest integral float in the sense of the mode; zero keeps its sign.
    pub fn round_to_integral(&self, mode: RoundingMode) -> Self {
        if !self.finite() || self.is_zero() {
            return self.clone();
        }
        let integer = Exact::of(self).to_integer(mode);
        if integer.is_zero() {
            return Self::zero(self.format(), self.sign_bit());
        }
        Exact::of_integer(&integer).round(self.format(), mode)
    }

    /// The same number in another format.
    pub fn convert(&self, format: FloatFormat, mode: RoundingMode) -> Self {
        if self.is_nan() {
            return Self::nan(format);
        }
        if self.is_infinite() {
            return Self::infinity(format, self.sign_bit());
        }
        Exact::of(self).round(format, mode)
    }

    /// The float nearest to an integer.
    pub fn from_integer(format: FloatFormat, mode: RoundingMode, value: &BigInt) -> Self {
        Exact::of_integer(value).round(format, mode)
    }

    /// The nearest integer, unless the value is NaN or infinite.
    pub fn to_integer(&self, mode: RoundingMode) -> Option<BigInt> {
        self.finite().then(|| Exact::of(self).to_integer(mode))
    }

    /// As a signed bit-vector; `None` where SMT-LIB leaves the result open.
    pub fn to_signed_bits(&self, width: u32, mode: RoundingMode) -> Option<BitVecValue> {
        let integer = self.to_integer(mode)?;
        let bits = BitVecValue::from_bigint(width, &integer);
        (bits.to_signed() == integer).then_some(bits)
    }

    /// As an unsigned bit-vector; `None` where SMT-LIB leaves the result open.
    pub fn to_unsigned_bits(&self, width: u32, mode: RoundingMode) -> Option<BitVecValue> {
        let integer = self.to_integer(mode)?;
        let bits = BitVecValue::from_bigint(width, &integer);
        (BigInt::from(bits.to_biguint()) == integer).then_some(bits)
    }

    /// IEEE equality: zeros are equal, NaN equals nothing.
    pub fn ieee_eq(&self, other: &Self) -> bool {
        !self.is_nan() && !other.is_nan() && (self == other || (self.is_zero() && other.is_zero()))
    }

    /// IEEE `<`.
    pub fn ieee_lt(&self, other: &Self) -> bool {
        if self.is_nan() || other.is_nan() || (self.is_zero() && other.is_zero()) {
            return false;
        }
        match (self.sign_bit(), other.sign_bit()) {
            (true, false) => true,
            (false, true) => false,
            (false, false) => self.bits().ult(other.bits()),
            (true, true) => other.bits().ult(self.bits()),
        }
    }

    /// IEEE `≤`.
    pub fn ieee_le(&self, other: &Self) -> bool {
        self.ieee_lt(other) || self.ieee_eq(other)
    }

    /// The smaller of two; a NaN loses. Open (`None`) for zeros of different sign.
    pub fn min(&self, other: &Self) -> Option<Self> {
        self.choose(other, other.ieee_lt(self))
    }

    /// The greater of two; a NaN loses. Open (`None`) for zeros of different sign.
    pub fn max(&self, other: &Self) -> Option<Self> {
        self.choose(other, self.ieee_lt(other))
    }

    fn choose(&self, other: &Self, take_other: bool) -> Option<Self> {
        if self.is_zero() && other.is_zero() && self.sign_bit() != other.sign_bit() {
            return None;
        }
        Some(if take_other || self.is_nan() {
            other.clone()
        } else {
            self.clone()
        })
    }
}

/// The integer nearest to `x / y`, ties to even.
fn nearest_quotient(x: &BigInt, y: &BigInt) -> BigInt {
    let floor = num_integer::Integer::div_floor(x, y);
    let rest = x - &floor * y;
    let twice: BigInt = rest * 2;
    // `rest` has the sign of `y` and is smaller in magnitude.
    let odd = floor.bit(0);
    match twice.magnitude().cmp(y.magnitude()) {
        std::cmp::Ordering::Less => floor,
        std::cmp::Ordering::Equal => {
            if odd {
                floor + 1
            } else {
                floor
            }
        }
        std::cmp::Ordering::Greater => floor + 1,
    }
}
