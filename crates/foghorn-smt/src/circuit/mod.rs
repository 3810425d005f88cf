//! Circuits for bit-vector operations over the and-inverter graph.
//!
//! A word is a slice of edges, least significant bit first. Every function is total and follows
//! SMT-LIB: division by zero gives all ones, the remainder by zero is the dividend, shifts by the
//! width or more give zeros or sign bits. Constants need no special care in most places because
//! the graph folds them; where a constant operand allows a different and smaller circuit
//! (multiplication, division by a power of two), the function looks for it.
//!
//! Invariant: the words of a binary operation have the same width, and so has the result
//! (comparisons give one edge).

mod arithmetic;
mod division;
mod multiplication;
mod shift;

pub use arithmetic::{add, equal, increment_if, less_or_equal, less_than, negate, subtract};
pub use arithmetic::{signed_less_or_equal, signed_less_than};
pub use division::{signed_divide, signed_modulo, signed_remainder, unsigned_divide_and_remainder};
pub use multiplication::{multiply, signed_product_overflows, unsigned_product_overflows};
pub use shift::{Shift, shift};

use crate::aig::{Aig, Edge};

/// A word, least significant bit first.
pub type Word = Vec<Edge>;

/// The constant word of this width whose bit `i` is `bit(i)`.
pub fn constant(width: usize, bit: impl Fn(usize) -> bool) -> Word {
    (0..width).map(|i| Edge::constant(bit(i))).collect()
}

/// The word all of whose bits are zero.
pub fn zero(width: usize) -> Word {
    vec![Edge::FALSE; width]
}

/// Applies a gate to each pair of bits.
pub fn bitwise(
    aig: &mut Aig,
    left: &[Edge],
    right: &[Edge],
    gate: impl Fn(&mut Aig, Edge, Edge) -> Edge,
) -> Word {
    debug_assert_eq!(left.len(), right.len());
    left.iter()
        .zip(right)
        .map(|(a, b)| gate(aig, *a, *b))
        .collect()
}

/// Bitwise complement.
pub fn complement(word: &[Edge]) -> Word {
    word.iter().map(|bit| !*bit).collect()
}

/// If-then-else on words.
pub fn mux(aig: &mut Aig, condition: Edge, then: &[Edge], otherwise: &[Edge]) -> Word {
    bitwise(aig, then, otherwise, |aig, t, e| aig.mux(condition, t, e))
}

/// The bits of a word all of whose edges are constant.
pub fn as_constant(word: &[Edge]) -> Option<Vec<bool>> {
    word.iter().map(|bit| bit.as_constant()).collect()
}

/// `Some(k)` if the word is the constant 2^k.
fn as_power_of_two(word: &[Edge]) -> Option<usize> {
    let bits = as_constant(word)?;
    let position = bits.iter().position(|bit| *bit)?;
    bits[position + 1..]
        .iter()
        .all(|bit| !bit)
        .then_some(position)
}

#[cfg(test)]
mod tests;
