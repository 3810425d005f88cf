//! Arithmetic of intervals: the least interval around the image of each operation over ℤ, except
//! for the bitwise ones and the remainder, where it is only a close one.

use super::{Bound, Interval};
use crate::number::Number;
use crate::value::{AbstractValue as _, ArithmeticOperator, LARGEST_SHIFT, NumericValue as _};

pub(super) fn apply(operator: ArithmeticOperator, left: &Interval, right: &Interval) -> Interval {
    if left.is_bottom() || right.is_bottom() {
        return Interval::bottom();
    }
    if let (Some(a), Some(b)) = (left.as_point(), right.as_point()) {
        return operator
            .evaluate(a, b)
            .map_or_else(Interval::bottom, Interval::point);
    }
    match operator {
        ArithmeticOperator::Add => left.add(right),
        ArithmeticOperator::Subtract => left.add(&right.scale(&Number::MINUS_ONE)),
        ArithmeticOperator::Multiply => multiply(left, right),
        ArithmeticOperator::Divide => divide(left, right),
        ArithmeticOperator::Remainder => remainder(left, right),
        ArithmeticOperator::And => and(left, right),
        ArithmeticOperator::Or => or(left, right),
        ArithmeticOperator::Xor => xor(left, right),
        ArithmeticOperator::ShiftLeft => shift_left(left, right),
        ArithmeticOperator::ShiftRight => shift_right(left, right),
    }
}

fn hull(bounds: &[Bound; 4]) -> Interval {
    let lower = bounds.iter().min().expect("invariant: four bounds").clone();
    let upper = bounds.iter().max().expect("invariant: four bounds").clone();
    Interval::new(lower, upper)
}

fn multiply(left: &Interval, right: &Interval) -> Interval {
    hull(&[
        left.lower().times(right.lower()),
        left.lower().times(right.upper()),
        left.upper().times(right.lower()),
        left.upper().times(right.upper()),
    ])
}

/// Truncated division of bounds, by a bound that is not zero.
fn divide_bound(dividend: &Bound, divisor: &Bound) -> Bound {
    match (dividend, divisor) {
        (Bound::Finite(a), Bound::Finite(b)) => Bound::Finite(a.div_truncate(b)),
        (Bound::Finite(_), Bound::MinusInfinity | Bound::PlusInfinity) => Bound::from(0),
        (Bound::MinusInfinity | Bound::PlusInfinity, _) => dividend.times(divisor),
    }
}

/// Truncated division is monotone in each operand while the divisor keeps its sign, so the
/// divisor is split at zero, which has no result.
fn divide(left: &Interval, right: &Interval) -> Interval {
    let negative = right.meet(&Interval::at_most(-1));
    let positive = right.meet(&Interval::at_least(1));
    let mut result = Interval::bottom();
    for divisor in [negative, positive] {
        if divisor.is_bottom() {
            continue;
        }
        result = result.join(&hull(&[
            divide_bound(left.lower(), divisor.lower()),
            divide_bound(left.lower(), divisor.upper()),
            divide_bound(left.upper(), divisor.lower()),
            divide_bound(left.upper(), divisor.upper()),
        ]));
    }
    result
}

/// max(|lower|, |upper|), which may be infinite.
fn magnitude(interval: &Interval) -> Bound {
    let lower = interval.lower().negate();
    lower.max(interval.upper().clone())
}

/// |a rem b| < |b|, |a rem b| ≤ |a|, and the sign is that of a.
fn remainder(left: &Interval, right: &Interval) -> Interval {
    let divisor = right.without(&Number::ZERO);
    if divisor.is_bottom() {
        return Interval::bottom();
    }
    let below = magnitude(&divisor).plus(&Bound::from(-1));
    // A dividend smaller in magnitude than every divisor is its own remainder.
    let least_divisor = if right.contains(&Number::ZERO) {
        Bound::from(1)
    } else {
        right.lower().clone().max(right.upper().negate())
    };
    if magnitude(left) < least_divisor {
        return left.clone();
    }
    let limit = below.min(magnitude(left));
    let lower = if left.lower().signum() < 0 {
        limit.negate()
    } else {
        Bound::from(0)
    };
    let upper = if left.upper().signum() > 0 {
        limit
    } else {
        Bound::from(0)
    };
    Interval::new(lower, upper).meet(&Interval::new(
        left.lower().clone().min(Bound::from(0)),
        left.upper().clone().max(Bound::from(0)),
    ))
}

/// The least 2^k − 1 ≥ the magnitudes of the (non-negative) bounds: a bound of every or and xor.
fn all_ones_above(a: &Bound, b: &Bound) -> Bound {
    match (a, b) {
        (Bound::Finite(a), Bound::Finite(b)) => {
            let bits = a.bit_length().max(b.bit_length());
            let bits = u32::try_from(bits).expect("invariant: numbers have under 2^32 bits");
            Bound::Finite(Number::power_of_two(bits) - Number::ONE)
        }
        _ => Bound::PlusInfinity,
    }
}

/// An interval −2^k … 2^k − 1 around both operands, which the bitwise operations keep to.
fn two_complement_hull(left: &Interval, right: &Interval) -> Interval {
    let both = left.join(right);
    let Some((lower, upper)) = both.as_finite() else {
        return Interval::top();
    };
    let bits = (lower + &Number::ONE)
        .bit_length()
        .max(upper.bit_length())
        .max(lower.bit_length());
    let bits = u32::try_from(bits).expect("invariant: numbers have under 2^32 bits");
    let power = Number::power_of_two(bits);
    Interval::new(-&power, power - Number::ONE)
}

fn non_negative(interval: &Interval) -> bool {
    interval.lower().signum() >= 0
}

fn negative(interval: &Interval) -> bool {
    interval.upper().signum() < 0
}

fn and(left: &Interval, right: &Interval) -> Interval {
    match (non_negative(left), non_negative(right)) {
        (true, true) => Interval::new(0, left.upper().clone().min(right.upper().clone())),
        (true, false) => Interval::new(0, left.upper().clone()),
        (false, true) => Interval::new(0, right.upper().clone()),
        (false, false) => {
            let hull = two_complement_hull(left, right);
            if negative(left) && negative(right) {
                hull.meet(&Interval::at_most(
                    left.upper().clone().min(right.upper().clone()),
                ))
            } else {
                // A negative result needs two negative operands; a positive one is at most the
                // greater operand.
                hull.meet(&Interval::at_most(
                    left.upper().clone().max(right.upper().clone()),
                ))
            }
        }
    }
}

fn or(left: &Interval, right: &Interval) -> Interval {
    if non_negative(left) && non_negative(right) {
        let lower = left.lower().clone().max(right.lower().clone());
        return Interval::new(lower, all_ones_above(left.upper(), right.upper()));
    }
    let hull = two_complement_hull(left, right);
    if negative(left) || negative(right) {
        // Setting bits of a negative number moves it towards −1.
        let mut lower = Bound::MinusInfinity;
        for operand in [left, right] {
            if negative(operand) {
                lower = lower.max(operand.lower().clone());
            }
        }
        return hull.meet(&Interval::new(lower, -1));
    }
    hull
}

fn xor(left: &Interval, right: &Interval) -> Interval {
    if non_negative(left) && non_negative(right) {
        return Interval::new(0, all_ones_above(left.upper(), right.upper()));
    }
    let hull = two_complement_hull(left, right);
    if negative(left) && negative(right) {
        return hull.meet(&Interval::at_least(0));
    }
    if (negative(left) && non_negative(right)) || (non_negative(left) && negative(right)) {
        return hull.meet(&Interval::at_most(-1));
    }
    hull
}

/// Shift amounts that have a result.
fn amounts(right: &Interval) -> Option<(u32, u32)> {
    let valid = right.meet(&Interval::new(0, i64::from(LARGEST_SHIFT)));
    let (lower, upper) = valid.as_finite()?;
    Some((lower.to_u32()?, upper.to_u32()?))
}

fn shift_left(left: &Interval, right: &Interval) -> Interval {
    match amounts(right) {
        None => Interval::bottom(),
        Some((lower, upper)) => {
            let factor = Interval::new(Number::power_of_two(lower), Number::power_of_two(upper));
            multiply(left, &factor)
        }
    }
}

fn shift_right(left: &Interval, right: &Interval) -> Interval {
    let Some((lower, upper)) = amounts(right) else {
        return Interval::bottom();
    };
    let shift = |bound: &Bound, amount: u32| match bound {
        Bound::Finite(value) => Bound::Finite(value.shift_right(amount)),
        Bound::MinusInfinity | Bound::PlusInfinity => bound.clone(),
    };
    let least = shift(
        left.lower(),
        if left.lower().signum() < 0 {
            lower
        } else {
            upper
        },
    );
    let greatest = shift(
        left.upper(),
        if left.upper().signum() < 0 {
            upper
        } else {
            lower
        },
    );
    Interval::new(least, greatest)
}

pub(super) fn divide_exactly(interval: &Interval, divisor: &Number) -> Interval {
    if interval.is_bottom() {
        return Interval::bottom();
    }
    let (lower, upper) = if divisor.is_negative() {
        (interval.upper(), interval.lower())
    } else {
        (interval.lower(), interval.upper())
    };
    let round = |bound: &Bound, up: bool| match bound {
        Bound::Finite(value) if up => Bound::Finite(value.div_ceil(divisor)),
        Bound::Finite(value) => Bound::Finite(value.div_floor(divisor)),
        Bound::MinusInfinity | Bound::PlusInfinity if divisor.is_negative() => bound.negate(),
        Bound::MinusInfinity | Bound::PlusInfinity => bound.clone(),
    };
    Interval::new(round(lower, true), round(upper, false))
}
