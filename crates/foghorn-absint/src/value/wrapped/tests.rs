//! Every operation on every pair of arcs of three-bit integers, against the concrete operation.

use super::WrappedInterval;
use crate::language::{BinaryOperator, Cast};
use crate::number::Number;
use crate::thresholds::Thresholds;

const WIDTH: u32 = 3;
const SIZE: u128 = 1 << WIDTH;

fn arcs() -> Vec<WrappedInterval> {
    let mut all = vec![WrappedInterval::empty(WIDTH), WrappedInterval::all(WIDTH)];
    for start in 0..SIZE {
        all.extend((0..SIZE - 1).map(|length| WrappedInterval::arc(WIDTH, start, start + length)));
    }
    all
}

fn signed(value: u128) -> i128 {
    let value = i128::try_from(value).expect("small");
    if value >= 4 { value - 8 } else { value }
}

fn concrete(operator: BinaryOperator, a: u128, b: u128) -> Option<u128> {
    let (x, y) = (signed(a), signed(b));
    let wrap = |it: i128| u128::try_from(it.rem_euclid(8)).expect("small");
    let amount = u32::try_from(y).ok().filter(|it| *it < WIDTH);
    Some(match operator {
        BinaryOperator::Add => wrap(x + y),
        BinaryOperator::Subtract => wrap(x - y),
        BinaryOperator::Multiply => wrap(x * y),
        BinaryOperator::SignedDivide => wrap(x.checked_div(y)?),
        BinaryOperator::SignedRemainder => wrap(x.checked_rem(y)?),
        BinaryOperator::UnsignedDivide => a.checked_div(b)?,
        BinaryOperator::UnsignedRemainder => a.checked_rem(b)?,
        BinaryOperator::And => a & b,
        BinaryOperator::Or => a | b,
        BinaryOperator::Xor => a ^ b,
        BinaryOperator::ShiftLeft => wrap(x << amount?),
        BinaryOperator::LogicalShiftRight => a >> amount?,
        BinaryOperator::ArithmeticShiftRight => wrap(x >> amount?),
    })
}

#[test]
fn operations_are_sound() {
    for left in arcs() {
        for right in arcs() {
            for operator in BinaryOperator::ALL {
                let result = WrappedInterval::apply(operator, &left, &right);
                for a in (0..SIZE).filter(|a| left.contains(*a)) {
                    for b in (0..SIZE).filter(|b| right.contains(*b)) {
                        if let Some(value) = concrete(operator, a, b) {
                            assert!(
                                result.contains(value),
                                "{operator:?} {left} {right}: {a} {b}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn additions_are_exact_until_the_circle_is_full() {
    for left in arcs() {
        for right in arcs() {
            let sum = left.add(&right);
            for value in 0..SIZE {
                let reached = (0..SIZE)
                    .any(|a| left.contains(a) && right.contains((value + SIZE - a) % SIZE));
                assert_eq!(sum.contains(value), reached, "{left} + {right}");
            }
        }
    }
}

#[test]
fn lattice_operations_are_sound() {
    let thresholds = Thresholds::new([Number::from(1), Number::from(-2)]);
    for left in arcs() {
        for right in arcs() {
            let (join, meet) = (left.join(&right), left.meet(&right));
            let widened = left.widen(&right, &thresholds);
            let included = (0..SIZE).all(|it| !left.contains(it) || right.contains(it));
            assert_eq!(left.leq(&right), included, "{left} {right}");
            for value in 0..SIZE {
                let (a, b) = (left.contains(value), right.contains(value));
                assert!(
                    join.contains(value) || !(a || b),
                    "{left} | {right} = {join}"
                );
                assert!(
                    widened.contains(value) || !(a || b),
                    "{left} w {right} = {widened}"
                );
                assert!(
                    meet.contains(value) || !(a && b),
                    "{left} & {right} = {meet}"
                );
            }
            assert!(meet.leq(&left) || meet.leq(&right));
        }
    }
}

#[test]
fn casts_and_holes_are_sound() {
    for arc in arcs() {
        for width in 1..6u32 {
            let (sign, zero) = (
                arc.cast(Cast::SignExtend, width.max(3)),
                arc.cast(Cast::ZeroExtend, width.max(3)),
            );
            let cut = arc.cast(Cast::Truncate, width.min(3));
            for value in (0..SIZE).filter(|it| arc.contains(*it)) {
                let extended = u128::try_from(signed(value).rem_euclid(1 << width.max(3)));
                assert!(sign.contains(extended.expect("small")), "{arc}");
                assert!(zero.contains(value));
                assert!(
                    cut.contains(value % (1 << width.min(3))),
                    "{arc} to {width}"
                );
            }
        }
        for hole in 0..SIZE {
            let rest = arc.without(&Number::from(hole));
            assert!((0..SIZE).all(|it| it == hole || !arc.contains(it) || rest.contains(it)));
        }
        for factor in -9..10 {
            let scaled = arc.scale(&Number::from(factor));
            for value in (0..SIZE).filter(|it| arc.contains(*it)) {
                let product = (signed(value) * i128::from(factor)).rem_euclid(8);
                assert!(scaled.contains(u128::try_from(product).expect("small")));
            }
        }
    }
}
