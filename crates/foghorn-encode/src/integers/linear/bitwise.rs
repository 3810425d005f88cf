//! Shifts, masks and the other operations on bits.
//!
//! By a known number all of them are linear. Numbers are thought of with infinitely many copies of
//! their sign, so that `div` and `mod` by powers of two cut bits out of negative numbers as well:
//! `a | c = a + c - (a & c)`, `a ^ c = a + c - 2 (a & c)`, and `a & c = a - (a & ~c)` for a negative
//! `c`, which leaves masks by natural numbers.

use super::super::range::{floor_div, power};
use super::super::{Range, Value};
use super::{Linear, amount_mask, view};
use foghorn_ir::BinaryOp;
use foghorn_term::{TermId, TermPool};
use num_bigint::BigInt;

/// A mask of more runs of ones than this is not taken apart.
const MOST_RUNS: usize = 4;

/// A shift by an unknown amount is a case for each amount, if these are no more.
const MOST_AMOUNTS: u32 = 16;

impl Linear {
    pub(super) fn shift(
        &mut self,
        pool: &mut TermPool,
        op: BinaryOp,
        width: u32,
        lhs: &Value,
        rhs: &Value,
    ) -> Value {
        let mask = amount_mask(width);
        // The amounts that count, and how a case is told from the others.
        let plain = rhs.range.is_natural() && rhs.range.high <= mask;
        let amounts = match plain {
            true => rhs.range.clone(),
            false => Range::new(0, mask.clone()),
        };
        let amount = match (plain, rhs.range.single()) {
            (_, Some(number)) => {
                let known = BigInt::from(view::bits_of(number, width)) & &mask;
                return shift_by(pool, op, width, lhs, &known);
            }
            (true, None) => rhs.term,
            (false, None) => {
                let modulus = pool.int(mask + 1);
                pool.int_mod(rhs.term, modulus)
            }
        };
        let count = &amounts.high - &amounts.low + 1;
        if count > BigInt::from(MOST_AMOUNTS) || count <= BigInt::ZERO {
            let range = match op {
                BinaryOp::AShr => lhs.range.join(&Range::one(0)),
                BinaryOp::LShr if lhs.range.is_natural() => Range::new(0, lhs.range.high.clone()),
                _ => Range::signed(width),
            };
            return self.havoc(pool, range, format!("{} i{width}", op.name()));
        }
        let mut result = shift_by(pool, op, width, lhs, &amounts.high);
        let mut case = &amounts.high - 1;
        while case >= amounts.low {
            let made = shift_by(pool, op, width, lhs, &case);
            let number = pool.int(case.clone());
            let here = pool.equal(amount, number);
            result = Value {
                term: pool.ite(here, made.term, result.term),
                range: made.range.join(&result.range),
            };
            case -= 1;
        }
        result
    }

    pub(super) fn bitwise(
        &mut self,
        pool: &mut TermPool,
        op: BinaryOp,
        width: u32,
        lhs: &Value,
        rhs: &Value,
    ) -> Value {
        let known = |value: &Value| value.range.single().cloned();
        let exact = match (known(lhs), known(rhs)) {
            (_, Some(number)) => by_number(pool, op, lhs, &number),
            (Some(number), None) => by_number(pool, op, rhs, &number),
            (None, None) => by_bit(pool, op, lhs, rhs),
        };
        if let Some(made) = exact {
            return made.within(&Range::signed(width));
        }
        let range = bitwise_range(op, width, lhs, rhs);
        self.havoc(pool, range, format!("{} i{width}", op.name()))
    }
}

/// A shift by a known amount below the width rounded up.
fn shift_by(
    pool: &mut TermPool,
    op: BinaryOp,
    width: u32,
    value: &Value,
    amount: &BigInt,
) -> Value {
    let amount = u32::try_from(amount.clone()).unwrap_or(width);
    let all_out = amount >= width;
    match op {
        BinaryOp::Shl | BinaryOp::LShr if all_out => Value {
            term: pool.int(0),
            range: Range::one(0),
        },
        BinaryOp::Shl => {
            let factor = power(amount);
            let by = pool.int(factor.clone());
            let product = Value {
                term: pool.int_mul(by, value.term),
                range: value.range.mul(&Range::one(factor)),
            };
            view::wrap(pool, width, &product)
        }
        BinaryOp::LShr => {
            let natural = view::unsigned(pool, width, value);
            let quotient = floor(pool, &natural, amount);
            view::wrap(pool, width, &quotient)
        }
        // Beyond the width all bits are the sign.
        _ => floor(pool, value, amount.min(width)),
    }
}

/// The number divided by a power of two, rounded down.
fn floor(pool: &mut TermPool, value: &Value, exponent: u32) -> Value {
    if exponent == 0 {
        return value.clone();
    }
    let divisor = power(exponent);
    let by = pool.int(divisor.clone());
    Value {
        term: pool.int_div(value.term, by),
        range: Range {
            low: floor_div(&value.range.low, &divisor),
            high: floor_div(&value.range.high, &divisor),
        },
    }
}

/// An operation with a known number.
fn by_number(pool: &mut TermPool, op: BinaryOp, value: &Value, number: &BigInt) -> Option<Value> {
    let masked = mask(pool, value, number)?;
    let term = match op {
        BinaryOp::And => return Some(masked),
        BinaryOp::Or => masked.term,
        _ => {
            let two = pool.int(2);
            pool.int_mul(two, masked.term)
        }
    };
    let number_term = pool.int(number.clone());
    let sum = pool.int_add(value.term, number_term);
    let range = {
        let bound: BigInt = value
            .range
            .magnitude()
            .max(Range::one(number.clone()).magnitude())
            + 1;
        let bits = u32::try_from(bound.bits()).unwrap_or(u32::MAX - 1);
        let natural = value.range.is_natural() && *number >= BigInt::ZERO;
        let low = if natural { BigInt::ZERO } else { -power(bits) };
        Range::new(low, power(bits) - 1)
    };
    Some(Value {
        term: pool.int_sub(sum, term),
        range,
    })
}

/// `value & number`.
fn mask(pool: &mut TermPool, value: &Value, number: &BigInt) -> Option<Value> {
    if *number < BigInt::ZERO {
        // ~number is -number - 1.
        let cleared: BigInt = -number - 1;
        let cut = mask(pool, value, &cleared)?;
        let low = match value.range.is_natural() {
            true => BigInt::ZERO,
            false => &value.range.low - &cleared,
        };
        return Some(Value {
            term: pool.int_sub(value.term, cut.term),
            range: Range {
                low,
                high: value.range.high.clone(),
            },
        });
    }
    let runs = runs_of_ones(number)?;
    let mut parts = Vec::with_capacity(runs.len());
    for (low, length) in runs {
        parts.push(field(pool, value, low, length));
    }
    let term = match parts.as_slice() {
        [] => pool.int(0),
        [one] => *one,
        many => pool.int_sum(many),
    };
    Some(Value {
        term,
        range: Range::new(0, number.clone()),
    })
}

/// The bits from `low` on, at their place.
fn field(pool: &mut TermPool, value: &Value, low: u32, length: u32) -> TermId {
    let moved = floor(pool, value, low);
    let modulus = power(length);
    let inside = Range::new(0, &modulus - 1);
    let cut = if moved.range.is_within(&inside) {
        moved.term
    } else {
        let modulus = pool.int(modulus);
        pool.int_mod(moved.term, modulus)
    };
    if low == 0 {
        return cut;
    }
    let factor = pool.int(power(low));
    pool.int_mul(factor, cut)
}

/// The runs of ones of a natural number: lowest bit and length. `None` if there are too many.
fn runs_of_ones(number: &BigInt) -> Option<Vec<(u32, u32)>> {
    let size = u64::from(u32::try_from(number.bits()).ok()?);
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for bit in (0..size).filter(|bit| number.bit(*bit)) {
        let bit = u32::try_from(bit).ok()?;
        match runs.last_mut() {
            Some((low, length)) if *low + *length == bit => *length += 1,
            _ => runs.push((bit, 1)),
        }
    }
    (runs.len() <= MOST_RUNS).then_some(runs)
}

/// An operation where one operand is 0 or 1.
fn by_bit(pool: &mut TermPool, op: BinaryOp, lhs: &Value, rhs: &Value) -> Option<Value> {
    let bit = Range::new(0, 1);
    let (switch, other) = if lhs.range.is_within(&bit) {
        (lhs, rhs)
    } else if rhs.range.is_within(&bit) {
        (rhs, lhs)
    } else {
        return None;
    };
    let with = by_number(pool, op, other, &BigInt::from(1))?;
    let without = by_number(pool, op, other, &BigInt::ZERO)?;
    let zero = pool.int(0);
    let is_zero = pool.equal(switch.term, zero);
    Some(Value {
        term: pool.ite(is_zero, without.term, with.term),
        range: with.range.join(&without.range),
    })
}

/// What is known of an operation on two unknown numbers.
fn bitwise_range(op: BinaryOp, width: u32, lhs: &Value, rhs: &Value) -> Range {
    let (left, right) = (lhs.range.is_natural(), rhs.range.is_natural());
    let low_bits = |high: &BigInt| {
        let bits = u32::try_from(high.bits()).unwrap_or(width);
        power(bits) - 1
    };
    match op {
        BinaryOp::And => match (left, right) {
            (true, true) => Range::new(0, lhs.range.high.clone().min(rhs.range.high.clone())),
            (true, false) => Range::new(0, lhs.range.high.clone()),
            (false, true) => Range::new(0, rhs.range.high.clone()),
            (false, false) => Range::signed(width),
        },
        _ if left && right => {
            let high = lhs.range.high.clone().max(rhs.range.high.clone());
            Range::new(0, low_bits(&high))
        }
        _ => Range::signed(width),
    }
}
