//! Addition, negation and comparisons.
//!
//! Ripple-carry throughout: for a SAT solver the smaller circuit with few auxiliary variables
//! beats the shallow one. Comparisons are the carry of a subtraction, in the same gates, so that
//! `a < b` and `a - b` in one formula share them.

use super::{Word, complement};
use crate::aig::{Aig, Edge};

/// Sum and carry of three bits.
pub(super) fn full_adder(aig: &mut Aig, a: Edge, b: Edge, carry: Edge) -> (Edge, Edge) {
    let half = aig.xor(a, b);
    let sum = aig.xor(half, carry);
    (sum, carry_out(aig, a, b, carry))
}

/// Majority of three bits.
fn carry_out(aig: &mut Aig, a: Edge, b: Edge, carry: Edge) -> Edge {
    let both = aig.and(a, b);
    let half = aig.xor(a, b);
    let through = aig.and(half, carry);
    aig.or(both, through)
}

/// `left + right + carry`, with the carry out of the top bit.
pub(super) fn add_with_carry(
    aig: &mut Aig,
    left: &[Edge],
    right: &[Edge],
    carry: Edge,
) -> (Word, Edge) {
    debug_assert_eq!(left.len(), right.len());
    let mut carry = carry;
    let mut sum = Vec::with_capacity(left.len());
    let top = left.len().saturating_sub(1);
    for (i, (a, b)) in left.iter().zip(right).enumerate() {
        if i == top {
            let half = aig.xor(*a, *b);
            sum.push(aig.xor(half, carry));
            carry = carry_out(aig, *a, *b, carry);
        } else {
            let (bit, next) = full_adder(aig, *a, *b, carry);
            sum.push(bit);
            carry = next;
        }
    }
    (sum, carry)
}

pub fn add(aig: &mut Aig, left: &[Edge], right: &[Edge]) -> Word {
    add_with_carry(aig, left, right, Edge::FALSE).0
}

pub fn subtract(aig: &mut Aig, left: &[Edge], right: &[Edge]) -> Word {
    subtract_with_carry(aig, left, right).0
}

/// `left - right`; the carry is set iff `left >= right` without sign.
pub(super) fn subtract_with_carry(aig: &mut Aig, left: &[Edge], right: &[Edge]) -> (Word, Edge) {
    add_with_carry(aig, left, &complement(right), Edge::TRUE)
}

/// `word + 1` if the condition holds, else `word`.
pub fn increment_if(aig: &mut Aig, condition: Edge, word: &[Edge]) -> Word {
    let mut carry = condition;
    word.iter()
        .map(|bit| {
            let sum = aig.xor(*bit, carry);
            carry = aig.and(*bit, carry);
            sum
        })
        .collect()
}

pub fn negate(aig: &mut Aig, word: &[Edge]) -> Word {
    increment_if(aig, Edge::TRUE, &complement(word))
}

/// `-word` if the condition holds, else `word`.
pub(super) fn negate_if(aig: &mut Aig, condition: Edge, word: &[Edge]) -> Word {
    let flipped: Word = word.iter().map(|bit| aig.xor(*bit, condition)).collect();
    increment_if(aig, condition, &flipped)
}

pub fn equal(aig: &mut Aig, left: &[Edge], right: &[Edge]) -> Edge {
    let same = super::bitwise(aig, left, right, Aig::iff);
    aig.and_all(&same)
}

/// Carry of `left - right`: set iff `left >= right` without sign.
pub(super) fn greater_or_equal(aig: &mut Aig, left: &[Edge], right: &[Edge]) -> Edge {
    left.iter()
        .zip(right)
        .fold(Edge::TRUE, |carry, (a, b)| carry_out(aig, *a, !*b, carry))
}

/// `left < right` without sign.
pub fn less_than(aig: &mut Aig, left: &[Edge], right: &[Edge]) -> Edge {
    !greater_or_equal(aig, left, right)
}

/// `left <= right` without sign.
pub fn less_or_equal(aig: &mut Aig, left: &[Edge], right: &[Edge]) -> Edge {
    greater_or_equal(aig, right, left)
}

/// Two's complement order is unsigned order with the sign bits flipped.
fn flip_sign(word: &[Edge]) -> Word {
    let mut word = word.to_vec();
    if let Some(sign) = word.last_mut() {
        *sign = !*sign;
    }
    word
}

pub fn signed_less_than(aig: &mut Aig, left: &[Edge], right: &[Edge]) -> Edge {
    less_than(aig, &flip_sign(left), &flip_sign(right))
}

pub fn signed_less_or_equal(aig: &mut Aig, left: &[Edge], right: &[Edge]) -> Edge {
    less_or_equal(aig, &flip_sign(left), &flip_sign(right))
}
