//! Exact numbers and the one place where they are rounded.
//!
//! A finite float is an integer times a power of two. Every operation computes such a number exactly, or far enough with
//! a mark that something non-zero was cut off, and rounds it once, for any format and every IEEE rounding mode.

use super::float::FloatValue;
use super::{BitVecValue, bitvec::mask_big};
use crate::op::RoundingMode;
use crate::sort::FloatFormat;
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Zero};

/// `± magnitude · 2^exponent`, plus something smaller than the last bit when `sticky`.
#[derive(Clone, Debug)]
pub(super) struct Exact {
    pub negative: bool,
    pub magnitude: BigUint,
    pub exponent: i64,
    pub sticky: bool,
}

impl FloatFormat {
    /// The exponent of the smallest normal number.
    pub(super) fn least_exponent(self) -> i64 {
        1 - self.bias()
    }

    /// The exponent of the greatest number.
    pub(super) fn bias(self) -> i64 {
        (1i64 << (self.exponent - 1)) - 1
    }
}

impl Exact {
    /// The number of a finite float.
    pub fn of(value: &FloatValue) -> Self {
        let format = value.format();
        let fraction_bits = i64::from(format.significand) - 1;
        let fraction = value.fraction_bits().to_biguint();
        let biased = value
            .exponent_bits()
            .to_u64()
            .expect("invariant: exponents fit a word") as i64;
        let (magnitude, exponent) = if biased == 0 {
            (fraction, format.least_exponent() - fraction_bits)
        } else {
            let hidden = BigUint::one() << (format.significand - 1);
            (fraction | hidden, biased - format.bias() - fraction_bits)
        };
        Exact {
            negative: value.sign_bit(),
            magnitude,
            exponent,
            sticky: false,
        }
    }

    /// An integer.
    pub fn of_integer(value: &BigInt) -> Self {
        let negative = value.sign() == Sign::Minus;
        Exact {
            negative,
            magnitude: value.magnitude().clone(),
            exponent: 0,
            sticky: false,
        }
    }

    /// Magnitude with its sign, scaled down to a smaller exponent.
    pub fn signed_at(&self, exponent: i64) -> BigInt {
        debug_assert!(exponent <= self.exponent && !self.sticky);
        let scaled = &self.magnitude << (self.exponent - exponent);
        BigInt::from_biguint(
            if self.negative {
                Sign::Minus
            } else {
                Sign::Plus
            },
            scaled,
        )
    }

    /// Exact sum; the sign of a zero sum is for the caller to decide.
    pub fn add(&self, other: &Self) -> Self {
        let exponent = self.exponent.min(other.exponent);
        let sum = self.signed_at(exponent) + other.signed_at(exponent);
        Exact {
            exponent,
            ..Self::of_integer(&sum)
        }
    }

    /// Exact product.
    pub fn mul(&self, other: &Self) -> Self {
        Exact {
            negative: self.negative != other.negative,
            magnitude: &self.magnitude * &other.magnitude,
            exponent: self.exponent + other.exponent,
            sticky: false,
        }
    }

    /// Quotient to at least `bits` bits, and whether something is left over.
    pub fn div(&self, other: &Self, bits: u32) -> Self {
        let wanted = i64::from(bits) + other.magnitude.bits() as i64 - self.magnitude.bits() as i64;
        let scale = wanted.max(0);
        let dividend = &self.magnitude << scale;
        let quotient = &dividend / &other.magnitude;
        let sticky = &quotient * &other.magnitude != dividend;
        Exact {
            negative: self.negative != other.negative,
            magnitude: quotient,
            exponent: self.exponent - other.exponent - scale,
            sticky,
        }
    }

    /// Square root to at least `bits` bits, and whether something is left over.
    pub fn sqrt(&self, bits: u32) -> Self {
        let wanted = (2 * i64::from(bits) - self.magnitude.bits() as i64).max(0);
        let scale = wanted + (self.exponent - wanted).rem_euclid(2);
        let radicand = &self.magnitude << scale;
        let magnitude = radicand.sqrt();
        let sticky = &magnitude * &magnitude != radicand;
        Exact {
            negative: false,
            magnitude,
            exponent: (self.exponent - scale) / 2,
            sticky,
        }
    }

    pub fn is_zero(&self) -> bool {
        self.magnitude.is_zero() && !self.sticky
    }

    /// The magnitude in units of 2^quantum, rounded.
    fn in_units(&self, quantum: i64, mode: RoundingMode) -> BigUint {
        let cut = quantum - self.exponent;
        if cut <= 0 {
            debug_assert!(
                !self.sticky,
                "invariant: inexact numbers come with bits to spare"
            );
            return &self.magnitude << -cut;
        }
        let cut = cut as u64;
        let kept = &self.magnitude >> cut;
        let half = self.magnitude.bit(cut - 1);
        let below = self
            .magnitude
            .trailing_zeros()
            .is_some_and(|zeros| zeros + 1 < cut);
        let rest = below || self.sticky;
        if rounds_up(mode, self.negative, kept.bit(0), half, rest) {
            kept + 1u32
        } else {
            kept
        }
    }

    /// The nearest integer in the sense of the mode.
    pub fn to_integer(&self, mode: RoundingMode) -> BigInt {
        let magnitude = self.in_units(0, mode);
        BigInt::from_biguint(
            if self.negative {
                Sign::Minus
            } else {
                Sign::Plus
            },
            magnitude,
        )
    }

    /// The float of that format, rounded once. A zero keeps the sign of the number.
    pub fn round(&self, format: FloatFormat, mode: RoundingMode) -> FloatValue {
        if self.is_zero() {
            return FloatValue::zero(format, self.negative);
        }
        let precision = i64::from(format.significand);
        let leading = self.exponent + self.magnitude.bits() as i64 - 1;
        let mut quantum = leading.max(format.least_exponent()) - (precision - 1);
        let mut units = self.in_units(quantum, mode);
        if units.bits() as i64 > precision {
            units >>= 1;
            quantum += 1;
        }
        self.encode(format, mode, &units, quantum)
    }

    fn encode(
        &self,
        format: FloatFormat,
        mode: RoundingMode,
        units: &BigUint,
        quantum: i64,
    ) -> FloatValue {
        let precision = u64::from(format.significand);
        let leading = quantum + precision as i64 - 1;
        if leading > format.bias() {
            return overflow(format, mode, self.negative);
        }
        let normal = units.bits() == precision;
        let biased = if normal {
            (leading + format.bias()) as u64
        } else {
            0
        };
        let exponent = BitVecValue::from_u64(format.exponent, biased);
        let fraction = units & mask_big(format.significand - 1);
        let fraction = BitVecValue::from_biguint(format.significand - 1, fraction);
        FloatValue::assemble(format, self.negative, &exponent, &fraction)
    }
}

fn rounds_up(mode: RoundingMode, negative: bool, odd: bool, half: bool, rest: bool) -> bool {
    match mode {
        RoundingMode::NearestEven => half && (rest || odd),
        RoundingMode::NearestAway => half,
        RoundingMode::TowardPositive => !negative && (half || rest),
        RoundingMode::TowardNegative => negative && (half || rest),
        RoundingMode::TowardZero => false,
    }
}

fn overflow(format: FloatFormat, mode: RoundingMode, negative: bool) -> FloatValue {
    let to_infinity = match mode {
        RoundingMode::NearestEven | RoundingMode::NearestAway => true,
        RoundingMode::TowardPositive => !negative,
        RoundingMode::TowardNegative => negative,
        RoundingMode::TowardZero => false,
    };
    if to_infinity {
        FloatValue::infinity(format, negative)
    } else {
        FloatValue::max_finite(format, negative)
    }
}
