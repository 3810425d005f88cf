//! The meaning of floating-point operators and of conversions, on bits.
//!
//! IEEE 754 with rounding to nearest, ties to even; `f32` operations are done in `f32`, never in
//! `f64` and rounded again. The payload of a NaN that an operation makes is the machine's.

use super::arithmetic::{cut, narrow_signed, signed};
use crate::operation::{CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp};
use crate::types::Type;
use std::cmp::Ordering;

macro_rules! operators {
    ($unary:ident, $binary:ident, $compare:ident, $fma:ident, $float:ty, $bits:ty) => {
        pub fn $unary(op: FloatUnaryOp, operand: $bits) -> $bits {
            let value = <$float>::from_bits(operand);
            let result = match op {
                // The sign bit alone, so that NaN payloads survive.
                FloatUnaryOp::Neg => return operand ^ (1 << (<$bits>::BITS - 1)),
                FloatUnaryOp::Abs => return operand & !(1 << (<$bits>::BITS - 1)),
                FloatUnaryOp::Sqrt => value.sqrt(),
                FloatUnaryOp::Floor => value.floor(),
                FloatUnaryOp::Ceil => value.ceil(),
                FloatUnaryOp::Trunc => value.trunc(),
                FloatUnaryOp::Round => value.round(),
                FloatUnaryOp::RoundEven => value.round_ties_even(),
            };
            result.to_bits()
        }

        #[inline]
        pub fn $binary(op: FloatBinaryOp, lhs: $bits, rhs: $bits) -> $bits {
            let (lhs, rhs) = (<$float>::from_bits(lhs), <$float>::from_bits(rhs));
            let result = match op {
                FloatBinaryOp::Add => lhs + rhs,
                FloatBinaryOp::Sub => lhs - rhs,
                FloatBinaryOp::Mul => lhs * rhs,
                FloatBinaryOp::Div => lhs / rhs,
                FloatBinaryOp::Rem => lhs % rhs,
                FloatBinaryOp::Min => lhs.min(rhs),
                FloatBinaryOp::Max => lhs.max(rhs),
                FloatBinaryOp::CopySign => lhs.copysign(rhs),
            };
            result.to_bits()
        }

        #[inline]
        pub fn $compare(predicate: FloatPredicate, lhs: $bits, rhs: $bits) -> bool {
            let order = <$float>::from_bits(lhs).partial_cmp(&<$float>::from_bits(rhs));
            holds(predicate, order)
        }

        pub fn $fma(a: $bits, b: $bits, c: $bits) -> $bits {
            <$float>::from_bits(a)
                .mul_add(<$float>::from_bits(b), <$float>::from_bits(c))
                .to_bits()
        }
    };
}

operators!(unary_f32, binary_f32, compare_f32, fma_f32, f32, u32);
operators!(unary_f64, binary_f64, compare_f64, fma_f64, f64, u64);

/// Whether a predicate holds of two floats in that order; `None` if either is NaN.
#[inline]
fn holds(predicate: FloatPredicate, order: Option<Ordering>) -> bool {
    use FloatPredicate as P;
    match (order, predicate) {
        (_, P::False) => false,
        (_, P::True) => true,
        (None, P::Uno | P::Ueq | P::Ugt | P::Uge | P::Ult | P::Ule | P::Une) => true,
        (None, P::Oeq | P::Ogt | P::Oge | P::Olt | P::Ole | P::One | P::Ord) => false,
        (Some(_), P::Ord) => true,
        (Some(_), P::Uno) => false,
        (Some(order), P::Oeq | P::Ueq) => order == Ordering::Equal,
        (Some(order), P::One | P::Une) => order != Ordering::Equal,
        (Some(order), P::Ogt | P::Ugt) => order == Ordering::Greater,
        (Some(order), P::Oge | P::Uge) => order != Ordering::Less,
        (Some(order), P::Olt | P::Ult) => order == Ordering::Less,
        (Some(order), P::Ole | P::Ule) => order != Ordering::Greater,
    }
}

/// A conversion between integers and floats. The two conversions of pointers need the memory and
/// give `None`, and so does a conversion whose types do not fit its operator.
pub fn cast(op: CastOp, from: Type, to: Type, bits: u128) -> Option<u128> {
    Some(match (op, from, to) {
        (CastOp::Trunc | CastOp::ZExt, Type::Int(_), Type::Int(width)) => cut(bits, width.into()),
        (CastOp::SExt, Type::Int(old), Type::Int(new)) => {
            cut(signed(bits, old.into()).cast_unsigned(), new.into())
        }
        (CastOp::FpTrunc, Type::F64, Type::F32) => {
            u128::from((f64::from_bits(bits as u64) as f32).to_bits())
        }
        (CastOp::FpExt, Type::F32, Type::F64) => {
            u128::from(f64::from(f32::from_bits(bits as u32)).to_bits())
        }
        (CastOp::FpToUi, Type::F32, Type::Int(width)) => {
            to_unsigned(f64::from(f32::from_bits(bits as u32)), width.into())
        }
        (CastOp::FpToUi, Type::F64, Type::Int(width)) => {
            to_unsigned(f64::from_bits(bits as u64), width.into())
        }
        (CastOp::FpToSi, Type::F32, Type::Int(width)) => {
            to_signed(f64::from(f32::from_bits(bits as u32)), width.into())
        }
        (CastOp::FpToSi, Type::F64, Type::Int(width)) => {
            to_signed(f64::from_bits(bits as u64), width.into())
        }
        // Conversions from 64 bits are one machine instruction, those from 128 a library call.
        (CastOp::UiToFp, Type::Int(width), Type::F32) if width <= 64 => {
            (bits as u64 as f32).to_bits().into()
        }
        (CastOp::UiToFp, Type::Int(width), Type::F64) if width <= 64 => {
            (bits as u64 as f64).to_bits().into()
        }
        (CastOp::SiToFp, Type::Int(width), Type::F32) if width <= 64 => {
            (narrow_signed(bits as u64, width.into()) as f32)
                .to_bits()
                .into()
        }
        (CastOp::SiToFp, Type::Int(width), Type::F64) if width <= 64 => {
            (narrow_signed(bits as u64, width.into()) as f64)
                .to_bits()
                .into()
        }
        (CastOp::UiToFp, Type::Int(_), Type::F32) => u128::from((bits as f32).to_bits()),
        (CastOp::UiToFp, Type::Int(_), Type::F64) => u128::from((bits as f64).to_bits()),
        (CastOp::SiToFp, Type::Int(width), Type::F32) => {
            u128::from((signed(bits, width.into()) as f32).to_bits())
        }
        (CastOp::SiToFp, Type::Int(width), Type::F64) => {
            u128::from((signed(bits, width.into()) as f64).to_bits())
        }
        (CastOp::Bitcast, _, _) => bits,
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

/// Towards zero; NaN gives 0, what is out of range the nearest end.
fn to_unsigned(value: f64, width: u32) -> u128 {
    // Rust's conversion saturates at the ends of u128; the ends of `width` lie within.
    (value as u128).min(cut(u128::MAX, width))
}

fn to_signed(value: f64, width: u32) -> u128 {
    let largest = (cut(u128::MAX, width) >> 1).cast_signed();
    let number = (value as i128).clamp(-largest - 1, largest);
    cut(number.cast_unsigned(), width)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBERS: &[i128] = &[
        0,
        1,
        -1,
        3,
        16_777_217,
        -16_777_219,
        9_007_199_254_740_993,
        i64::MAX as i128,
        i64::MIN as i128,
        u64::MAX as i128,
        1 << 100,
        i128::MAX,
        i128::MIN,
    ];

    #[test]
    fn integers_become_the_nearest_float_at_every_width() {
        for width in 1..=128_u8 {
            for &number in NUMBERS {
                let bits = cut(number.cast_unsigned(), width.into());
                let exact = signed(bits, width.into());
                let from = Type::Int(width);
                let convert = |op, to| cast(op, from, to, bits);
                let double = |value: f64| Some(u128::from(value.to_bits()));
                let single = |value: f32| Some(u128::from(value.to_bits()));
                assert_eq!(convert(CastOp::SiToFp, Type::F64), double(exact as f64));
                assert_eq!(convert(CastOp::UiToFp, Type::F64), double(bits as f64));
                assert_eq!(convert(CastOp::SiToFp, Type::F32), single(exact as f32));
                assert_eq!(convert(CastOp::UiToFp, Type::F32), single(bits as f32));
            }
        }
    }

    #[test]
    fn floats_become_integers_towards_zero_within_the_range() {
        let values = [
            0.0,
            -0.9,
            1.5,
            -1.5,
            127.9,
            128.0,
            -129.0,
            1e10,
            -1e40,
            f64::NAN,
        ];
        for width in [1_u8, 7, 8, 33, 64, 100, 128] {
            for value in values.into_iter().chain([f64::INFINITY, f64::NEG_INFINITY]) {
                let bits = u128::from(value.to_bits());
                let convert = |op| cast(op, Type::F64, Type::Int(width), bits).expect("fits");
                let (low, high) = if width == 128 {
                    (i128::MIN, i128::MAX)
                } else {
                    (-(1 << (width - 1)), (1 << (width - 1)) - 1)
                };
                let expected = (value as i128).clamp(low, high);
                assert_eq!(signed(convert(CastOp::FpToSi), width.into()), expected);
                let largest = cut(u128::MAX, width.into());
                assert_eq!(convert(CastOp::FpToUi), (value as u128).min(largest));
            }
        }
    }

    #[test]
    fn predicates_on_nan_are_those_that_start_with_u() {
        for &predicate in FloatPredicate::ALL {
            let holds = compare_f64(predicate, f64::NAN.to_bits(), 1.0_f64.to_bits());
            let unordered = predicate.name().starts_with('u') || predicate == FloatPredicate::True;
            assert_eq!(holds, unordered, "{predicate:?}");
        }
        let one = 1.0_f32.to_bits();
        for (predicate, less, equal) in [
            (FloatPredicate::Olt, true, false),
            (FloatPredicate::Uge, false, true),
            (FloatPredicate::One, true, false),
            (FloatPredicate::Ule, true, true),
            (FloatPredicate::Ord, true, true),
        ] {
            assert_eq!(
                compare_f32(predicate, 0.5_f32.to_bits(), one),
                less,
                "{predicate:?}"
            );
            assert_eq!(compare_f32(predicate, one, one), equal, "{predicate:?}");
        }
    }

    #[test]
    fn sign_operations_keep_the_payload_of_a_nan() {
        let nan = 0x7ff8_0000_0000_1234;
        assert_eq!(unary_f64(FloatUnaryOp::Neg, nan), nan | 1 << 63);
        assert_eq!(unary_f64(FloatUnaryOp::Abs, nan | 1 << 63), nan);
        assert_eq!(binary_f64(FloatBinaryOp::Min, nan, 0), 0);
    }
}
