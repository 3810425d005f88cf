//! Multiplication.
//!
//! Shift and add, one row per bit of the multiplier, each row only as wide as what remains. A
//! constant multiplier is recoded to canonical signed digits first, so that a run of ones costs
//! one subtraction and one addition instead of one row each.

use super::arithmetic::{add_with_carry, subtract_with_carry};
use super::{Word, as_constant, zero};
use crate::aig::{Aig, Edge};

/// The low bits of the product.
pub fn multiply(aig: &mut Aig, left: &[Edge], right: &[Edge]) -> Word {
    debug_assert_eq!(left.len(), right.len());
    if let Some(bits) = as_constant(left) {
        return multiply_by_constant(aig, right, &bits);
    }
    if let Some(bits) = as_constant(right) {
        return multiply_by_constant(aig, left, &bits);
    }
    // Rows that are constantly zero are free: let the operand with more of them give the rows.
    if constant_zeros(left) > constant_zeros(right) {
        rows(aig, right, left)
    } else {
        rows(aig, left, right)
    }
}

fn constant_zeros(word: &[Edge]) -> usize {
    word.iter().filter(|bit| **bit == Edge::FALSE).count()
}

fn rows(aig: &mut Aig, multiplicand: &[Edge], multiplier: &[Edge]) -> Word {
    let width = multiplicand.len();
    let mut product = zero(width);
    for (i, bit) in multiplier.iter().enumerate() {
        if *bit == Edge::FALSE {
            continue;
        }
        let row: Word = multiplicand[..width - i]
            .iter()
            .map(|m| aig.and(*m, *bit))
            .collect();
        let (sum, _) = add_with_carry(aig, &product[i..], &row, Edge::FALSE);
        product.splice(i.., sum);
    }
    product
}

/// A digit of a signed-digit number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Digit {
    Zero,
    Plus,
    Minus,
}

/// Canonical signed digits modulo 2^width: no two neighbours are both non-zero.
fn signed_digits(bits: &[bool]) -> Vec<Digit> {
    let mut carry = false;
    let bit = |i: usize| bits.get(i).copied().unwrap_or(false);
    (0..bits.len())
        .map(|i| {
            let odd = bit(i) != carry;
            if !odd {
                // Zero with carry staying as it is: 0+0 or 1+1.
                return Digit::Zero;
            }
            if bit(i + 1) {
                carry = true;
                Digit::Minus
            } else {
                carry = false;
                Digit::Plus
            }
        })
        .collect()
}

fn multiply_by_constant(aig: &mut Aig, word: &[Edge], bits: &[bool]) -> Word {
    let width = word.len();
    let digits = signed_digits(bits);
    let plain = bits.iter().filter(|bit| **bit).count();
    let signed = digits.iter().filter(|d| **d != Digit::Zero).count();
    let digits = if signed < plain {
        digits
    } else {
        let plain_digit = |bit: &bool| if *bit { Digit::Plus } else { Digit::Zero };
        bits.iter().map(plain_digit).collect()
    };
    let mut product = zero(width);
    for (i, digit) in digits.iter().enumerate() {
        let row = &word[..width - i];
        let sum = match digit {
            Digit::Zero => continue,
            Digit::Plus => add_with_carry(aig, &product[i..], row, Edge::FALSE).0,
            Digit::Minus => subtract_with_carry(aig, &product[i..], row).0,
        };
        product.splice(i.., sum);
    }
    product
}

/// Whether the product without sign needs more bits than the operands have.
///
/// Not by a double-width product: if two bits `i` and `j` with `i + j >= width` are set, it
/// overflows; otherwise it fits in one more bit, which a product of that width shows.
pub fn unsigned_product_overflows(aig: &mut Aig, left: &[Edge], right: &[Edge]) -> Edge {
    let width = left.len();
    // above[i]: some bit of `right` at position i or higher is set.
    let mut above = vec![Edge::FALSE; width + 1];
    for i in (0..width).rev() {
        above[i] = aig.or(above[i + 1], right[i]);
    }
    let far: Vec<Edge> = (1..width)
        .map(|i| aig.and(left[i], above[width - i]))
        .collect();
    let far = aig.or_all(&far);
    let extend = |word: &[Edge]| {
        let mut word = word.to_vec();
        word.push(Edge::FALSE);
        word
    };
    let product = multiply(aig, &extend(left), &extend(right));
    aig.or(far, product[width])
}

/// Whether the product with sign needs more bits than the operands have.
///
/// With magnitude bits `x[i] ^ sign`: if two of them with `i + j >= width - 1` are set, the
/// magnitude is too large; otherwise the product fits in one more bit, whose two top bits must
/// then agree.
pub fn signed_product_overflows(aig: &mut Aig, left: &[Edge], right: &[Edge]) -> Edge {
    let width = left.len();
    let magnitude = |aig: &mut Aig, word: &[Edge]| -> Word {
        let sign = word[width - 1];
        word[..width - 1]
            .iter()
            .map(|bit| aig.xor(*bit, sign))
            .collect()
    };
    let (a, b) = (magnitude(aig, left), magnitude(aig, right));
    let mut above = vec![Edge::FALSE; width];
    for i in (0..width - 1).rev() {
        above[i] = aig.or(above[i + 1], b[i]);
    }
    let far: Vec<Edge> = (1..width.saturating_sub(1))
        .map(|i| aig.and(a[i], above[width - 1 - i]))
        .collect();
    let far = aig.or_all(&far);
    let extend = |word: &[Edge]| {
        let mut word = word.to_vec();
        word.push(word[width - 1]);
        word
    };
    let product = multiply(aig, &extend(left), &extend(right));
    let differ = aig.xor(product[width], product[width - 1]);
    aig.or(far, differ)
}
