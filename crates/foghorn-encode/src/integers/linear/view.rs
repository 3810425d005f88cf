//! Signed and unsigned views of numbers, carries, and comparisons.

use super::super::range::power;
use super::super::{Range, Value};
use foghorn_ir::{IntPredicate, OverflowOp};
use foghorn_term::{TermId, TermPool};
use num_bigint::BigInt;

/// The signed-canonical number of `width` bits that a number is congruent to.
pub(super) fn wrap(pool: &mut TermPool, width: u32, number: &Value) -> Value {
    let fits = Range::signed(width);
    if number.range.is_within(&fits) {
        return number.clone();
    }
    let modulus = power(width);
    let once = Range {
        low: &fits.low - &modulus,
        high: &fits.high + &modulus,
    };
    let term = if number.range.is_within(&once) {
        let mut term = number.term;
        if number.range.high > fits.high {
            term = carry(pool, number.term, &fits.high, &modulus, term);
        }
        if number.range.low < fits.low {
            term = borrow(pool, number.term, &fits.low, &modulus, term);
        }
        term
    } else {
        reduce(pool, number.term, width)
    };
    Value { term, range: fits }
}

/// `ite(number > most, number - modulus, otherwise)`
fn carry(
    pool: &mut TermPool,
    number: TermId,
    most: &BigInt,
    modulus: &BigInt,
    otherwise: TermId,
) -> TermId {
    let most = pool.int(most.clone());
    let modulus = pool.int(modulus.clone());
    let over = pool.int_lt(most, number);
    let less = pool.int_sub(number, modulus);
    pool.ite(over, less, otherwise)
}

/// `ite(number < least, number + modulus, otherwise)`
fn borrow(
    pool: &mut TermPool,
    number: TermId,
    least: &BigInt,
    modulus: &BigInt,
    otherwise: TermId,
) -> TermId {
    let least = pool.int(least.clone());
    let modulus = pool.int(modulus.clone());
    let under = pool.int_lt(number, least);
    let more = pool.int_add(number, modulus);
    pool.ite(under, more, otherwise)
}

/// A number that may be many times too large: `(number + 2^(w-1)) mod 2^w - 2^(w-1)`.
fn reduce(pool: &mut TermPool, number: TermId, width: u32) -> TermId {
    let half = pool.int(power(width - 1));
    let modulus = pool.int(power(width));
    let moved = pool.int_add(number, half);
    let rest = pool.int_mod(moved, modulus);
    pool.int_sub(rest, half)
}

/// The bits as an unsigned number: `ite(v < 0, v + 2^w, v)`.
pub(super) fn unsigned(pool: &mut TermPool, width: u32, value: &Value) -> Value {
    if value.range.is_natural() {
        return value.clone();
    }
    let modulus = power(width);
    if value.range.is_negative() {
        let by = pool.int(modulus.clone());
        return Value {
            term: pool.int_add(value.term, by),
            range: value.range.shift(&modulus),
        };
    }
    Value {
        term: borrow(pool, value.term, &BigInt::ZERO, &modulus, value.term),
        range: Range::unsigned(width),
    }
}

/// The bits of a number.
pub(super) fn bits_of(number: &BigInt, width: u32) -> u128 {
    let natural = match *number < BigInt::ZERO {
        true => number + power(width),
        false => number.clone(),
    };
    u128::try_from(natural).expect("invariant: a canonical number has at most 128 bits")
}

/// Whether a number is outside a range; a literal where the number's own range says so.
pub(super) fn is_outside(pool: &mut TermPool, number: &Value, range: &Range) -> TermId {
    let mut ways = Vec::new();
    if number.range.low < range.low {
        let low = pool.int(range.low.clone());
        ways.push(pool.int_lt(number.term, low));
    }
    if number.range.high > range.high {
        let high = pool.int(range.high.clone());
        ways.push(pool.int_lt(high, number.term));
    }
    match ways.as_slice() {
        [] => pool.bool(false),
        [one] => *one,
        both => pool.or(both),
    }
}

/// The order or equality of two numbers of a width.
pub(super) fn compare(
    pool: &mut TermPool,
    predicate: IntPredicate,
    width: u32,
    lhs: &Value,
    rhs: &Value,
) -> TermId {
    let natural = |pool: &mut TermPool| {
        // Of the same sign, numbers are ordered as their bits are.
        if lhs.range.is_negative() && rhs.range.is_negative() {
            return (lhs.term, rhs.term);
        }
        let (lhs, rhs) = (unsigned(pool, width, lhs), unsigned(pool, width, rhs));
        (lhs.term, rhs.term)
    };
    match predicate {
        IntPredicate::Eq => pool.equal(lhs.term, rhs.term),
        IntPredicate::Ne => pool.not_equal(lhs.term, rhs.term),
        IntPredicate::Slt => pool.int_lt(lhs.term, rhs.term),
        IntPredicate::Sle => pool.int_le(lhs.term, rhs.term),
        IntPredicate::Sgt => pool.int_lt(rhs.term, lhs.term),
        IntPredicate::Sge => pool.int_le(rhs.term, lhs.term),
        IntPredicate::Ult => {
            let (a, b) = natural(pool);
            pool.int_lt(a, b)
        }
        IntPredicate::Ule => {
            let (a, b) = natural(pool);
            pool.int_le(a, b)
        }
        IntPredicate::Ugt => {
            let (a, b) = natural(pool);
            pool.int_lt(b, a)
        }
        IntPredicate::Uge => {
            let (a, b) = natural(pool);
            pool.int_le(b, a)
        }
    }
}

/// The order of one-bit integers: true is 1 without a sign and -1 with one.
pub(super) fn compare_truth(
    pool: &mut TermPool,
    predicate: IntPredicate,
    lhs: TermId,
    rhs: TermId,
) -> TermId {
    match predicate {
        IntPredicate::Eq => pool.equal(lhs, rhs),
        IntPredicate::Ne => pool.not_equal(lhs, rhs),
        IntPredicate::Ult | IntPredicate::Sgt => only(pool, rhs, lhs),
        IntPredicate::Ugt | IntPredicate::Slt => only(pool, lhs, rhs),
        IntPredicate::Ule | IntPredicate::Sge => pool.implies(lhs, rhs),
        IntPredicate::Uge | IntPredicate::Sle => pool.implies(rhs, lhs),
    }
}

/// The first is true and the second is not.
fn only(pool: &mut TermPool, first: TermId, second: TermId) -> TermId {
    let not = pool.not(second);
    pool.and(&[first, not])
}

/// Overflow of one-bit integers.
pub(super) fn overflows_on_truth(
    pool: &mut TermPool,
    op: OverflowOp,
    signed: bool,
    lhs: TermId,
    rhs: TermId,
) -> TermId {
    match (op, signed) {
        // 1 + 1, -1 + -1, -1 · -1
        (OverflowOp::Add, _) | (OverflowOp::Mul, true) => pool.and(&[lhs, rhs]),
        // 0 - 1, 0 - -1
        (OverflowOp::Sub, _) => only(pool, rhs, lhs),
        (OverflowOp::Mul, false) => pool.bool(false),
    }
}
