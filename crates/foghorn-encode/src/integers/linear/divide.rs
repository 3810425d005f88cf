//! Quotients and remainders: linear if the divisor is a known number.

use super::super::range::floor_div;
use super::super::{Range, Value};
use super::{Linear, Products, view};
use foghorn_ir::BinaryOp;
use foghorn_term::{TermId, TermPool};
use num_bigint::BigInt;

impl Linear {
    /// Quotient or remainder of numbers without a sign. By zero the quotient is all ones and the
    /// remainder the dividend.
    pub(super) fn divide_unsigned(
        &mut self,
        pool: &mut TermPool,
        op: BinaryOp,
        width: u32,
        lhs: &Value,
        rhs: &Value,
    ) -> Value {
        let (dividend, divisor) = (
            view::unsigned(pool, width, lhs),
            view::unsigned(pool, width, rhs),
        );
        let quotient = op == BinaryOp::UDiv;
        if divisor.range.single().is_none() && self.products == Products::Havoc {
            let range = match quotient {
                true => Range::unsigned(width),
                false => Range::new(0, dividend.range.high.clone()),
            };
            let name = if quotient { "udiv" } else { "urem" };
            return self.havoc_wrapped(pool, width, range, name);
        }
        let regular = divide(pool, quotient, &dividend, &divisor);
        let zero_case = match quotient {
            true => Range::one(-1),
            false => lhs.range.clone(),
        };
        let by_zero = match quotient {
            true => pool.int(-1),
            false => lhs.term,
        };
        let wrapped = view::wrap(pool, width, &regular);
        guard_zero(pool, rhs, wrapped, (by_zero, zero_case))
    }

    /// Quotient or remainder of signed numbers, rounded towards zero. By zero the quotient is 1 for
    /// a negative dividend and -1 for another, and the remainder is the dividend.
    pub(super) fn divide_signed(
        &mut self,
        pool: &mut TermPool,
        op: BinaryOp,
        width: u32,
        lhs: &Value,
        rhs: &Value,
    ) -> Value {
        let quotient = op == BinaryOp::SDiv;
        if rhs.range.single().is_none() && self.products == Products::Havoc {
            let most = lhs.range.magnitude();
            let range = match quotient {
                true => Range::new(
                    -(&most).max(&BigInt::from(1)).clone(),
                    most.clone().max(BigInt::from(1)),
                ),
                false => Range::new(
                    if lhs.range.is_natural() {
                        BigInt::ZERO
                    } else {
                        -&most
                    },
                    if lhs.range.is_negative() {
                        BigInt::ZERO
                    } else {
                        most
                    },
                ),
            };
            let name = if quotient { "sdiv" } else { "srem" };
            return self.havoc_wrapped(pool, width, range, name);
        }
        let (dividend, divisor) = (magnitude(pool, lhs), magnitude(pool, rhs));
        let regular = divide(pool, quotient, &dividend, &divisor);
        let flipped = match quotient {
            true => signs_differ(pool, lhs, rhs),
            false => is_negative(pool, lhs),
        };
        let signed = negate_if(pool, flipped, &regular);
        let wrapped = view::wrap(pool, width, &signed);
        let by_zero = match quotient {
            true => {
                let (one, ones) = (pool.int(1), pool.int(-1));
                let negative = is_negative(pool, lhs);
                (pool.ite(negative, one, ones), Range::new(-1, 1))
            }
            false => (lhs.term, lhs.range.clone()),
        };
        guard_zero(pool, rhs, wrapped, by_zero)
    }

    /// Some number of a range, wrapped if the range is not one of the width.
    fn havoc_wrapped(
        &mut self,
        pool: &mut TermPool,
        width: u32,
        range: Range,
        name: &str,
    ) -> Value {
        let all = Range::signed(width);
        let range = if range.is_within(&all) { range } else { all };
        self.havoc(pool, range, format!("{name} i{width}"))
    }
}

/// Quotient or remainder of two natural numbers; of no meaning if the divisor is zero.
fn divide(pool: &mut TermPool, quotient: bool, dividend: &Value, divisor: &Value) -> Value {
    let by = match divisor.range.single() {
        Some(number) => pool.int(number.clone()),
        None => divisor.term,
    };
    let one = BigInt::from(1);
    let least = divisor.range.low.clone().max(one.clone());
    let most = divisor.range.high.clone().max(one);
    if quotient {
        let term = pool.int_div(dividend.term, by);
        let range = Range {
            low: floor_div(&dividend.range.low, &most),
            high: floor_div(&dividend.range.high, &least),
        };
        return Value { term, range };
    }
    let last: BigInt = most - 1;
    let range = Range::new(0, last.min(dividend.range.high.clone()));
    if dividend.range.high < least {
        return dividend.clone();
    }
    Value {
        term: pool.int_mod(dividend.term, by),
        range,
    }
}

/// The result where the divisor is not zero, and another where it is.
fn guard_zero(
    pool: &mut TermPool,
    divisor: &Value,
    regular: Value,
    (term, range): (TermId, Range),
) -> Value {
    let zero = BigInt::ZERO;
    if divisor.range.low > zero || divisor.range.high < zero {
        return regular;
    }
    if divisor.range.single().is_some() {
        return Value { term, range };
    }
    let zero = pool.int(0);
    let is_zero = pool.equal(divisor.term, zero);
    Value {
        term: pool.ite(is_zero, term, regular.term),
        range: range.join(&regular.range),
    }
}

/// Whether a number is negative; a literal where its range says so.
fn is_negative(pool: &mut TermPool, value: &Value) -> TermId {
    if value.range.is_natural() {
        return pool.bool(false);
    }
    if value.range.is_negative() {
        return pool.bool(true);
    }
    let zero = pool.int(0);
    pool.int_lt(value.term, zero)
}

fn signs_differ(pool: &mut TermPool, lhs: &Value, rhs: &Value) -> TermId {
    let (a, b) = (is_negative(pool, lhs), is_negative(pool, rhs));
    pool.xor(a, b)
}

fn negate_if(pool: &mut TermPool, condition: TermId, value: &Value) -> Value {
    let minus = pool.int_neg(value.term);
    let negated = Range {
        low: -&value.range.high,
        high: -&value.range.low,
    };
    let range = match pool.as_bool(condition) {
        Some(true) => negated,
        Some(false) => value.range.clone(),
        None => value.range.join(&negated),
    };
    Value {
        term: pool.ite(condition, minus, value.term),
        range,
    }
}

/// The distance from zero.
fn magnitude(pool: &mut TermPool, value: &Value) -> Value {
    let negative = is_negative(pool, value);
    let mut made = negate_if(pool, negative, value);
    let least = if made.range.is_natural() {
        made.range.low.clone()
    } else {
        BigInt::ZERO
    };
    made.range = Range::new(least, value.range.magnitude());
    made
}
