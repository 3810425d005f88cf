//! Division and remainder.
//!
//! A restoring array divider. After `k` rows the partial remainder has at most `k` significant
//! bits, so row `k` subtracts only the low `k + 1` bits of the divisor and asks the rest of the
//! divisor to be zero: half the gates of a full-width array. Division by zero needs no case of its
//! own: every row subtracts zero, which gives SMT-LIB's all ones and the dividend.

use super::arithmetic::{add_with_carry, negate_if, subtract_with_carry};
use super::{Word, as_power_of_two, mux, zero};
use crate::aig::{Aig, Edge};

/// Quotient and remainder without sign.
pub fn unsigned_divide_and_remainder(
    aig: &mut Aig,
    dividend: &[Edge],
    divisor: &[Edge],
) -> (Word, Word) {
    debug_assert_eq!(dividend.len(), divisor.len());
    let width = dividend.len();
    if let Some(shift) = as_power_of_two(divisor) {
        let mut quotient = dividend[shift..].to_vec();
        quotient.resize(width, Edge::FALSE);
        let mut remainder = dividend[..shift].to_vec();
        remainder.resize(width, Edge::FALSE);
        return (quotient, remainder);
    }
    // high_zero[k]: the divisor's bits from k on are all zero.
    let mut high_zero = vec![Edge::TRUE; width + 1];
    for k in (0..width).rev() {
        high_zero[k] = aig.and(high_zero[k + 1], !divisor[k]);
    }
    let mut quotient = zero(width);
    let mut remainder: Word = Vec::new();
    for row in 0..width {
        remainder.insert(0, dividend[width - 1 - row]);
        let (difference, enough) = subtract_with_carry(aig, &remainder, &divisor[..=row]);
        let fits = aig.and(enough, high_zero[row + 1]);
        quotient[width - 1 - row] = fits;
        remainder = mux(aig, fits, &difference, &remainder);
    }
    (quotient, remainder)
}

fn sign(word: &[Edge]) -> Edge {
    word.last().copied().unwrap_or(Edge::FALSE)
}

fn absolute(aig: &mut Aig, word: &[Edge]) -> Word {
    negate_if(aig, sign(word), word)
}

/// Signed division, rounding towards zero.
pub fn signed_divide(aig: &mut Aig, dividend: &[Edge], divisor: &[Edge]) -> Word {
    let (a, b) = (absolute(aig, dividend), absolute(aig, divisor));
    let (quotient, _) = unsigned_divide_and_remainder(aig, &a, &b);
    let flip = aig.xor(sign(dividend), sign(divisor));
    negate_if(aig, flip, &quotient)
}

/// Signed remainder; its sign is the dividend's.
pub fn signed_remainder(aig: &mut Aig, dividend: &[Edge], divisor: &[Edge]) -> Word {
    let (a, b) = (absolute(aig, dividend), absolute(aig, divisor));
    let (_, remainder) = unsigned_divide_and_remainder(aig, &a, &b);
    negate_if(aig, sign(dividend), &remainder)
}

/// Signed modulo; its sign is the divisor's.
pub fn signed_modulo(aig: &mut Aig, dividend: &[Edge], divisor: &[Edge]) -> Word {
    let remainder = signed_remainder(aig, dividend, divisor);
    let nonzero = aig.or_all(&remainder);
    let signs_differ = aig.xor(sign(&remainder), sign(divisor));
    let adjust = aig.and(nonzero, signs_differ);
    let addend: Word = divisor.iter().map(|bit| aig.and(*bit, adjust)).collect();
    add_with_carry(aig, &remainder, &addend, Edge::FALSE).0
}
