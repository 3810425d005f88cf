//! The meaning of floating-point operators and of conversions, on bits.
//!
//! IEEE 754 with rounding to nearest, ties to even; `f32` operations are done in `f32`, never in
//! `f64` and rounded again. The payload of a NaN that an operation makes is the machine's.

use super::arithmetic::{cut, signed};
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
