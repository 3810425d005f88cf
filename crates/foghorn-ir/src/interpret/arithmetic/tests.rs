//! Exhaustive at small widths against definitions in unbounded arithmetic; sampled above.

use super::*;

/// The mathematical meaning, on numbers that cannot overflow an `i128`.
fn defined(op: BinaryOp, width: u32, lhs: u128, rhs: u128) -> i128 {
    let (l, r) = (lhs as i128, rhs as i128);
    let (sl, sr) = (as_signed(l, width), as_signed(r, width));
    let amount = r % i128::from(width.next_power_of_two());
    let beyond = amount >= i128::from(width);
    match op {
        BinaryOp::Add => l + r,
        BinaryOp::Sub => l - r,
        BinaryOp::Mul => l * r,
        BinaryOp::UDiv if r == 0 => -1,
        BinaryOp::UDiv => l / r,
        BinaryOp::SDiv if sr == 0 => {
            if sl >= 0 {
                -1
            } else {
                1
            }
        }
        BinaryOp::SDiv => sl / sr,
        BinaryOp::URem if r == 0 => l,
        BinaryOp::URem => l % r,
        BinaryOp::SRem if sr == 0 => sl,
        BinaryOp::SRem => sl % sr,
        BinaryOp::Shl if beyond => 0,
        BinaryOp::Shl => l * (1 << amount),
        BinaryOp::LShr if beyond => 0,
        BinaryOp::LShr => l / (1 << amount),
        BinaryOp::AShr if beyond => {
            if sl < 0 {
                -1
            } else {
                0
            }
        }
        BinaryOp::AShr => sl.div_euclid(1 << amount),
        BinaryOp::And => l & r,
        BinaryOp::Or => l | r,
        BinaryOp::Xor => l ^ r,
    }
}

fn as_signed(number: i128, width: u32) -> i128 {
    if number >= 1 << (width - 1) {
        number - (1 << width)
    } else {
        number
    }
}

fn modulo(number: i128, width: u32) -> u128 {
    number.rem_euclid(1 << width) as u128
}

/// Numbers near the ends and around powers of two, and some in between.
fn interesting(width: u32) -> Vec<u128> {
    let mut numbers: Vec<u128> = (0..width)
        .flat_map(|bit| [1_u128 << bit, (1 << bit) - 1, (1 << bit) + 1])
        .chain([
            0,
            u128::MAX,
            u128::MAX - 1,
            0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978,
        ])
        .map(|number| cut(number, width))
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

#[test]
fn binary_operators_mean_their_definition_at_all_small_widths() {
    for width in 1..=6 {
        for &op in BinaryOp::ALL {
            for lhs in 0..1 << width {
                for rhs in 0..1 << width {
                    let expected = modulo(defined(op, width, lhs, rhs), width);
                    assert_eq!(
                        binary(op, width, lhs, rhs),
                        expected,
                        "{op:?} i{width} {lhs} {rhs}"
                    );
                    let narrow = narrow_binary(op, width, lhs as u64, rhs as u64);
                    assert_eq!(u128::from(narrow), expected, "{op:?} i{width} {lhs} {rhs}");
                }
            }
        }
    }
}

#[test]
fn narrow_and_wide_forms_agree_at_every_width() {
    for width in 1..=64 {
        let numbers = interesting(width);
        for (index, &lhs) in numbers.iter().enumerate() {
            // A third of the pairs at each width; all pairs of neighbours over the widths.
            for &rhs in numbers.iter().skip(index % 3).step_by(3) {
                for &op in BinaryOp::ALL {
                    let narrow = narrow_binary(op, width, lhs as u64, rhs as u64);
                    assert_eq!(
                        u128::from(narrow),
                        binary(op, width, lhs, rhs),
                        "{op:?} i{width}"
                    );
                }
                for &op in OverflowOp::ALL {
                    for is_signed in [false, true] {
                        assert_eq!(
                            narrow_overflows(op, is_signed, width, lhs as u64, rhs as u64),
                            overflows(op, is_signed, width, lhs, rhs),
                            "{op:?} {is_signed} i{width} {lhs} {rhs}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn overflow_is_a_result_that_does_not_fit() {
    for width in 1..=6 {
        for lhs in 0..1_u128 << width {
            for rhs in 0..1_u128 << width {
                for &op in OverflowOp::ALL {
                    let exact = |l: i128, r: i128| match op {
                        OverflowOp::Add => l + r,
                        OverflowOp::Sub => l - r,
                        OverflowOp::Mul => l * r,
                    };
                    let (l, r) = (lhs as i128, rhs as i128);
                    let unsigned = !(0..1 << width).contains(&exact(l, r));
                    let number = exact(as_signed(l, width), as_signed(r, width));
                    let signed = !(-(1 << (width - 1))..1 << (width - 1)).contains(&number);
                    assert_eq!(overflows(op, false, width, lhs, rhs), unsigned);
                    assert_eq!(overflows(op, true, width, lhs, rhs), signed);
                }
            }
        }
    }
}

#[test]
fn overflow_at_128_bits_is_rusts() {
    let numbers = interesting(128);
    for &lhs in &numbers {
        for &rhs in numbers.iter().step_by(5) {
            let (l, r) = (lhs as i128, rhs as i128);
            assert_eq!(
                overflows(OverflowOp::Add, true, 128, lhs, rhs),
                l.overflowing_add(r).1
            );
            assert_eq!(
                overflows(OverflowOp::Sub, true, 128, lhs, rhs),
                l.overflowing_sub(r).1
            );
            assert_eq!(
                overflows(OverflowOp::Mul, true, 128, lhs, rhs),
                l.overflowing_mul(r).1
            );
            assert_eq!(
                overflows(OverflowOp::Add, false, 128, lhs, rhs),
                lhs.overflowing_add(rhs).1
            );
            assert_eq!(
                overflows(OverflowOp::Sub, false, 128, lhs, rhs),
                lhs.overflowing_sub(rhs).1
            );
            assert_eq!(
                overflows(OverflowOp::Mul, false, 128, lhs, rhs),
                lhs.overflowing_mul(rhs).1
            );
        }
    }
}

#[test]
fn unary_operators_mean_their_definition() {
    for width in 1..=10 {
        for operand in 0..1_u128 << width {
            let bits: Vec<bool> = (0..width).map(|bit| operand >> bit & 1 == 1).collect();
            let ones = bits.iter().filter(|&&bit| bit).count() as u128;
            let trailing = bits.iter().take_while(|&&bit| !bit).count() as u128;
            let leading = bits.iter().rev().take_while(|&&bit| !bit).count() as u128;
            let reversed = bits
                .iter()
                .fold(0, |number, &bit| number << 1 | u128::from(bit));
            let same = |op, expected| assert_eq!(unary(op, width, operand), expected, "{op:?}");
            same(UnaryOp::CountOnes, ones);
            same(UnaryOp::TrailingZeros, trailing);
            same(UnaryOp::LeadingZeros, leading);
            same(UnaryOp::BitReverse, reversed);
        }
    }
    assert_eq!(unary(UnaryOp::ByteSwap, 16, 0x1234), 0x3412);
    assert_eq!(
        unary(UnaryOp::ByteSwap, 48, 0x1234_5678_9abc),
        0xbc9a_7856_3412
    );
    assert_eq!(unary(UnaryOp::ByteSwap, 128, 1), 1 << 120);
    assert_eq!(unary(UnaryOp::LeadingZeros, 128, 0), 128);
}

#[test]
fn comparisons_mean_their_definition() {
    for width in 1..=5 {
        for lhs in 0..1_u128 << width {
            for rhs in 0..1_u128 << width {
                let (l, r) = (as_signed(lhs as i128, width), as_signed(rhs as i128, width));
                for &predicate in IntPredicate::ALL {
                    let expected = match predicate {
                        IntPredicate::Eq => lhs == rhs,
                        IntPredicate::Ne => lhs != rhs,
                        IntPredicate::Ult => lhs < rhs,
                        IntPredicate::Ule => lhs <= rhs,
                        IntPredicate::Ugt => lhs > rhs,
                        IntPredicate::Uge => lhs >= rhs,
                        IntPredicate::Slt => l < r,
                        IntPredicate::Sle => l <= r,
                        IntPredicate::Sgt => l > r,
                        IntPredicate::Sge => l >= r,
                    };
                    assert_eq!(compare(predicate, width, lhs, rhs), expected);
                    assert_eq!(compare(predicate.swapped(), width, rhs, lhs), expected);
                    assert_eq!(compare(predicate.negated(), width, lhs, rhs), !expected);
                }
            }
        }
    }
}
