//! A float constant: its format and its interchange bits, with one NaN.

use super::BitVecValue;
use crate::sort::FloatFormat;

/// A floating-point value of any format. Invariant: NaN is always the canonical quiet NaN (sign clear, highest fraction
/// bit set), because SMT-LIB knows one NaN.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FloatValue {
    format: FloatFormat,
    bits: BitVecValue,
}

impl FloatValue {
    /// The float with these interchange bits; every NaN becomes the canonical one.
    pub fn from_bits(format: FloatFormat, bits: BitVecValue) -> Self {
        assert_eq!(
            bits.width(),
            format.width(),
            "invariant: the bits fill the format"
        );
        let value = FloatValue { format, bits };
        if value.exponent_bits().is_ones() && !value.fraction_bits().is_zero() {
            Self::nan(format)
        } else {
            value
        }
    }

    /// The canonical NaN.
    pub fn nan(format: FloatFormat) -> Self {
        let fraction = BitVecValue::min_signed(format.significand - 1);
        Self::assemble(
            format,
            false,
            &BitVecValue::ones(format.exponent),
            &fraction,
        )
    }

    /// Infinity of that sign.
    pub fn infinity(format: FloatFormat, negative: bool) -> Self {
        let fraction = BitVecValue::zero(format.significand - 1);
        Self::assemble(
            format,
            negative,
            &BitVecValue::ones(format.exponent),
            &fraction,
        )
    }

    /// Zero of that sign.
    pub fn zero(format: FloatFormat, negative: bool) -> Self {
        let fraction = BitVecValue::zero(format.significand - 1);
        Self::assemble(
            format,
            negative,
            &BitVecValue::zero(format.exponent),
            &fraction,
        )
    }

    /// The greatest finite value of that sign.
    pub fn max_finite(format: FloatFormat, negative: bool) -> Self {
        let exponent = BitVecValue::ones(format.exponent).sub(&BitVecValue::one(format.exponent));
        let fraction = BitVecValue::ones(format.significand - 1);
        Self::assemble(format, negative, &exponent, &fraction)
    }

    /// Sign, biased exponent and fraction put together.
    pub fn assemble(
        format: FloatFormat,
        negative: bool,
        exponent: &BitVecValue,
        fraction: &BitVecValue,
    ) -> Self {
        let bits = BitVecValue::from_bool(negative)
            .concat(exponent)
            .concat(fraction);
        FloatValue { format, bits }
    }

    /// The double with the same bits.
    pub fn from_f64(value: f64) -> Self {
        Self::from_bits(
            FloatFormat::DOUBLE,
            BitVecValue::from_u64(64, value.to_bits()),
        )
    }

    /// The single with the same bits.
    pub fn from_f32(value: f32) -> Self {
        Self::from_bits(
            FloatFormat::SINGLE,
            BitVecValue::from_u64(32, u64::from(value.to_bits())),
        )
    }

    /// Format of the value.
    pub fn format(&self) -> FloatFormat {
        self.format
    }

    /// Interchange bits.
    pub fn bits(&self) -> &BitVecValue {
        &self.bits
    }

    /// The biased exponent.
    pub fn exponent_bits(&self) -> BitVecValue {
        self.bits
            .extract(self.format.width() - 2, self.format.significand - 1)
    }

    /// The fraction, without the hidden bit.
    pub fn fraction_bits(&self) -> BitVecValue {
        self.bits.extract(self.format.significand - 2, 0)
    }

    /// The sign bit.
    pub fn sign_bit(&self) -> bool {
        self.bits.sign_bit()
    }

    pub fn is_nan(&self) -> bool {
        self.exponent_bits().is_ones() && !self.fraction_bits().is_zero()
    }

    pub fn is_infinite(&self) -> bool {
        self.exponent_bits().is_ones() && self.fraction_bits().is_zero()
    }

    pub fn is_zero(&self) -> bool {
        self.exponent_bits().is_zero() && self.fraction_bits().is_zero()
    }

    pub fn is_subnormal(&self) -> bool {
        self.exponent_bits().is_zero() && !self.fraction_bits().is_zero()
    }

    pub fn is_normal(&self) -> bool {
        let exponent = self.exponent_bits();
        !exponent.is_zero() && !exponent.is_ones()
    }

    /// Sign-bit complement; NaN stays NaN.
    pub fn neg(&self) -> Self {
        if self.is_nan() {
            return self.clone();
        }
        let sign = BitVecValue::min_signed(self.format.width());
        FloatValue {
            format: self.format,
            bits: self.bits.xor(&sign),
        }
    }

    /// Sign bit cleared.
    pub fn abs(&self) -> Self {
        if self.sign_bit() {
            self.neg()
        } else {
            self.clone()
        }
    }
}
