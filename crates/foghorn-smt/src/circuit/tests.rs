//! Every circuit against plain integer arithmetic: all operands at width 4 (and 5, whose shift
//! amounts are not a power of two), variable and constant operands alike.

use super::*;
use crate::aig::Aig;

type Binary = fn(&mut Aig, &[Edge], &[Edge]) -> Word;

fn signed(value: u32, width: usize) -> i32 {
    let value = i32::try_from(value).unwrap();
    if value >> (width - 1) & 1 == 1 {
        value - (1 << width)
    } else {
        value
    }
}

fn word_of(value: u32, width: usize) -> Word {
    constant(width, |i| value >> i & 1 == 1)
}

/// Checks `circuit` with both operands variable, then with each operand constant.
fn check(circuit: Binary, expected: impl Fn(u32, u32, usize) -> u32) {
    for width in [1usize, 4, 5] {
        let top = 1u32 << width;
        let mut aig = Aig::new();
        let x: Word = (0..width).map(|_| aig.input()).collect();
        let y: Word = (0..width).map(|_| aig.input()).collect();
        let general = circuit(&mut aig, &x, &y);
        let left: Vec<Word> = (0..top)
            .map(|c| circuit(&mut aig, &word_of(c, width), &y))
            .collect();
        let right: Vec<Word> = (0..top)
            .map(|c| circuit(&mut aig, &x, &word_of(c, width)))
            .collect();
        for a in 0..top {
            for b in 0..top {
                let values = aig.evaluate(|node| {
                    let of = |w: &Word, v: u32| {
                        w.iter()
                            .position(|e| e.node() == node)
                            .map(|i| v >> i & 1 == 1)
                    };
                    of(&x, a).or_else(|| of(&y, b)).unwrap_or(false)
                });
                let read = |w: &Word| {
                    w.iter()
                        .enumerate()
                        .fold(0u32, |n, (i, e)| n | u32::from(values.value(*e)) << i)
                };
                let want = expected(a, b, width) & (top - 1);
                for word in [&general, &left[a as usize], &right[b as usize]] {
                    assert_eq!(read(word), want, "width {width}: {a} and {b}");
                }
            }
        }
    }
}

#[test]
fn addition_and_subtraction() {
    check(add, |a, b, _| a + b);
    check(subtract, |a, b, _| a.wrapping_sub(b));
    check(|aig, x, _| negate(aig, x), |a, _, _| a.wrapping_neg());
}

#[test]
fn multiplication() {
    check(multiply, |a, b, _| a * b);
}

#[test]
fn unsigned_division_is_total() {
    let ones = |width: usize| (1u32 << width) - 1;
    check(
        |aig, x, y| unsigned_divide_and_remainder(aig, x, y).0,
        |a, b, w| a.checked_div(b).unwrap_or(ones(w)),
    );
    check(
        |aig, x, y| unsigned_divide_and_remainder(aig, x, y).1,
        |a, b, _| a.checked_rem(b).unwrap_or(a),
    );
}

#[test]
fn signed_division_is_total() {
    check(signed_divide, |a, b, w| {
        let (a, b) = (signed(a, w), signed(b, w));
        let quotient = if b == 0 {
            if a < 0 { 1 } else { -1 }
        } else {
            a / b
        };
        quotient.cast_unsigned()
    });
    check(signed_remainder, |a, b, w| {
        let (a, b) = (signed(a, w), signed(b, w));
        a.checked_rem(b).unwrap_or(a).cast_unsigned()
    });
    check(signed_modulo, |a, b, w| {
        let (a, b) = (signed(a, w), signed(b, w));
        let modulo = if b == 0 { a } else { ((a % b) + b) % b };
        modulo.cast_unsigned()
    });
}

#[test]
fn shifts() {
    check(
        |aig, x, y| shift(aig, Shift::Left, x, y),
        |a, b, w| if b as usize >= w { 0 } else { a << b },
    );
    check(
        |aig, x, y| shift(aig, Shift::LogicalRight, x, y),
        |a, b, w| if b as usize >= w { 0 } else { a >> b },
    );
    check(
        |aig, x, y| shift(aig, Shift::ArithmeticRight, x, y),
        |a, b, w| (signed(a, w) >> b.min(31)).cast_unsigned(),
    );
}

#[test]
fn comparisons() {
    check(
        |aig, x, y| bit_word(less_than(aig, x, y), x.len()),
        |a, b, _| u32::from(a < b),
    );
    check(
        |aig, x, y| bit_word(less_or_equal(aig, x, y), x.len()),
        |a, b, _| u32::from(a <= b),
    );
    check(
        |aig, x, y| bit_word(equal(aig, x, y), x.len()),
        |a, b, _| u32::from(a == b),
    );
    check(
        |aig, x, y| bit_word(signed_less_than(aig, x, y), x.len()),
        |a, b, w| u32::from(signed(a, w) < signed(b, w)),
    );
    check(
        |aig, x, y| bit_word(signed_less_or_equal(aig, x, y), x.len()),
        |a, b, w| u32::from(signed(a, w) <= signed(b, w)),
    );
}

fn bit_word(edge: Edge, width: usize) -> Word {
    let mut word = zero(width);
    word[0] = edge;
    word
}

#[test]
fn product_overflow() {
    check(
        |aig, x, y| bit_word(unsigned_product_overflows(aig, x, y), x.len()),
        |a, b, w| u32::from(a * b >= 1 << w),
    );
    check(
        |aig, x, y| bit_word(signed_product_overflows(aig, x, y), x.len()),
        |a, b, w| {
            let product = signed(a, w) * signed(b, w);
            let half = 1 << (w - 1);
            u32::from(product < -half || product >= half)
        },
    );
}
