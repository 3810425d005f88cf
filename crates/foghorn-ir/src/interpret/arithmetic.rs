//! The meaning of integer operators on bits.
//!
//! Pure and total functions: the interpreter runs them, and whoever folds constants must use the
//! same ones, so that both agree by construction. Operands are the low `width` bits with zeros
//! above, and so are results. The 64-bit forms are what the interpreter's inner loop uses; the
//! 128-bit forms hold for every width, and the tests compare the two.
//!
//! Invariant: `1 <= width`, and `width <= 64` for the functions whose names begin with `narrow`.

use crate::operation::{BinaryOp, IntPredicate, OverflowOp, UnaryOp};

/// The low `width` bits.
#[inline]
pub fn cut(bits: u128, width: u32) -> u128 {
    if width >= 128 {
        bits
    } else {
        bits & ((1 << width) - 1)
    }
}

/// The number that `width` bits mean in two's complement.
#[inline]
pub fn signed(bits: u128, width: u32) -> i128 {
    let unused = 128 - width.min(128);
    (bits << unused).cast_signed() >> unused
}

/// The low `width` bits, of at most 64.
#[inline]
pub fn narrow_cut(bits: u64, width: u32) -> u64 {
    bits & (u64::MAX >> (64 - width))
}

/// The number that at most 64 bits mean in two's complement.
#[inline]
pub fn narrow_signed(bits: u64, width: u32) -> i64 {
    let unused = 64 - width;
    (bits << unused).cast_signed() >> unused
}

/// An integer operator at any width.
pub fn binary(op: BinaryOp, width: u32, lhs: u128, rhs: u128) -> u128 {
    let result = match op {
        BinaryOp::Add => lhs.wrapping_add(rhs),
        BinaryOp::Sub => lhs.wrapping_sub(rhs),
        BinaryOp::Mul => lhs.wrapping_mul(rhs),
        BinaryOp::UDiv => lhs.checked_div(rhs).unwrap_or(u128::MAX),
        BinaryOp::SDiv => signed_division(signed(lhs, width), signed(rhs, width)).cast_unsigned(),
        BinaryOp::URem => lhs.checked_rem(rhs).unwrap_or(lhs),
        BinaryOp::SRem => signed_remainder(signed(lhs, width), signed(rhs, width)).cast_unsigned(),
        BinaryOp::Shl => shift_amount(rhs, width).map_or(0, |amount| lhs << amount),
        BinaryOp::LShr => shift_amount(rhs, width).map_or(0, |amount| lhs >> amount),
        BinaryOp::AShr => {
            let amount = shift_amount(rhs, width).unwrap_or(width - 1);
            (signed(lhs, width) >> amount).cast_unsigned()
        }
        BinaryOp::And => lhs & rhs,
        BinaryOp::Or => lhs | rhs,
        BinaryOp::Xor => lhs ^ rhs,
    };
    cut(result, width)
}

fn signed_division(lhs: i128, rhs: i128) -> i128 {
    match rhs {
        0 if lhs >= 0 => -1,
        0 => 1,
        _ => lhs.wrapping_div(rhs),
    }
}

fn signed_remainder(lhs: i128, rhs: i128) -> i128 {
    if rhs == 0 { lhs } else { lhs.wrapping_rem(rhs) }
}

/// The amount as the machine takes it; `None` if it is still beyond the width.
#[inline]
fn shift_amount(amount: u128, width: u32) -> Option<u32> {
    let mask = u128::from(width.next_power_of_two() - 1);
    let amount = (amount & mask) as u32;
    (amount < width).then_some(amount)
}

/// [`binary`] for at most 64 bits.
#[inline]
pub fn narrow_binary(op: BinaryOp, width: u32, lhs: u64, rhs: u64) -> u64 {
    let result = match op {
        BinaryOp::Add => lhs.wrapping_add(rhs),
        BinaryOp::Sub => lhs.wrapping_sub(rhs),
        BinaryOp::Mul => lhs.wrapping_mul(rhs),
        BinaryOp::UDiv => lhs.checked_div(rhs).unwrap_or(u64::MAX),
        BinaryOp::SDiv => match (narrow_signed(lhs, width), narrow_signed(rhs, width)) {
            (dividend, 0) if dividend >= 0 => u64::MAX,
            (_, 0) => 1,
            (dividend, divisor) => dividend.wrapping_div(divisor).cast_unsigned(),
        },
        BinaryOp::URem => lhs.checked_rem(rhs).unwrap_or(lhs),
        BinaryOp::SRem => match (narrow_signed(lhs, width), narrow_signed(rhs, width)) {
            (dividend, 0) => dividend.cast_unsigned(),
            (dividend, divisor) => dividend.wrapping_rem(divisor).cast_unsigned(),
        },
        BinaryOp::Shl => match narrow_shift_amount(rhs, width) {
            amount if amount < width => lhs << amount,
            _ => 0,
        },
        BinaryOp::LShr => match narrow_shift_amount(rhs, width) {
            amount if amount < width => lhs >> amount,
            _ => 0,
        },
        BinaryOp::AShr => {
            let amount = narrow_shift_amount(rhs, width).min(width - 1);
            (narrow_signed(lhs, width) >> amount).cast_unsigned()
        }
        BinaryOp::And => lhs & rhs,
        BinaryOp::Or => lhs | rhs,
        BinaryOp::Xor => lhs ^ rhs,
    };
    narrow_cut(result, width)
}

#[inline]
fn narrow_shift_amount(amount: u64, width: u32) -> u32 {
    amount as u32 & (width.next_power_of_two() - 1)
}

/// Whether the mathematical result does not fit `width` bits.
#[inline]
pub fn overflows(op: OverflowOp, is_signed: bool, width: u32, lhs: u128, rhs: u128) -> bool {
    if is_signed {
        let (lhs, rhs) = (signed(lhs, width), signed(rhs, width));
        let result = match op {
            OverflowOp::Add => lhs.checked_add(rhs),
            OverflowOp::Sub => lhs.checked_sub(rhs),
            OverflowOp::Mul => lhs.checked_mul(rhs),
        };
        result.is_none_or(|exact| signed(cut(exact.cast_unsigned(), width), width) != exact)
    } else {
        let result = match op {
            OverflowOp::Add => lhs.checked_add(rhs),
            OverflowOp::Sub => lhs.checked_sub(rhs),
            OverflowOp::Mul => lhs.checked_mul(rhs),
        };
        result.is_none_or(|exact| cut(exact, width) != exact)
    }
}

/// [`overflows`] for at most 64 bits.
#[inline]
pub fn narrow_overflows(op: OverflowOp, is_signed: bool, width: u32, lhs: u64, rhs: u64) -> bool {
    if is_signed {
        let (lhs, rhs) = (narrow_signed(lhs, width), narrow_signed(rhs, width));
        let result = match op {
            OverflowOp::Add => lhs.checked_add(rhs),
            OverflowOp::Sub => lhs.checked_sub(rhs),
            OverflowOp::Mul => lhs.checked_mul(rhs),
        };
        result.is_none_or(|exact| narrow_signed(exact.cast_unsigned(), width) != exact)
    } else {
        let result = match op {
            OverflowOp::Add => lhs.checked_add(rhs),
            OverflowOp::Sub => lhs.checked_sub(rhs),
            OverflowOp::Mul => lhs.checked_mul(rhs),
        };
        result.is_none_or(|exact| narrow_cut(exact, width) != exact)
    }
}

/// An operator on one integer. Byte reversal of a width that is no multiple of 8, which the IR
/// does not contain, reverses the ⌈width/8⌉ bytes and cuts.
pub fn unary(op: UnaryOp, width: u32, operand: u128) -> u128 {
    let unused = 128 - width;
    let result = match op {
        UnaryOp::CountOnes => u128::from(operand.count_ones()),
        UnaryOp::LeadingZeros => u128::from(operand.leading_zeros() - unused),
        UnaryOp::TrailingZeros => u128::from(operand.trailing_zeros().min(width)),
        UnaryOp::ByteSwap => operand.swap_bytes() >> (128 - width.div_ceil(8) * 8),
        UnaryOp::BitReverse => operand.reverse_bits() >> unused,
    };
    cut(result, width)
}

/// The order or equality of two integers.
pub fn compare(predicate: IntPredicate, width: u32, lhs: u128, rhs: u128) -> bool {
    let (signed_lhs, signed_rhs) = (signed(lhs, width), signed(rhs, width));
    match predicate {
        IntPredicate::Eq => lhs == rhs,
        IntPredicate::Ne => lhs != rhs,
        IntPredicate::Ult => lhs < rhs,
        IntPredicate::Ule => lhs <= rhs,
        IntPredicate::Ugt => lhs > rhs,
        IntPredicate::Uge => lhs >= rhs,
        IntPredicate::Slt => signed_lhs < signed_rhs,
        IntPredicate::Sle => signed_lhs <= signed_rhs,
        IntPredicate::Sgt => signed_lhs > signed_rhs,
        IntPredicate::Sge => signed_lhs >= signed_rhs,
    }
}

#[cfg(test)]
mod tests;
