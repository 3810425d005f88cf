//! Machine integers behind a trait, so that an encoding can be parametric in them.
//!
//! [`Bits`] has bit-vectors, [`Linear`] exact machine integers over linear arithmetic. Truth values
//! (`i1`) are Boolean terms in both. A [`Value`] carries the range that its term is known to be in:
//! over linear arithmetic a wrap-around that the range excludes is not written down, and that decides
//! whether Horn solvers can generalise.
//!
//! What an implementation cannot say exactly it replaces by a fresh constant within the result's
//! range and reports as a [`Havoc`]: the caller quantifies the constant, assumes its range and says
//! in the answer what was given up. All else is bit for bit what the interpreter computes; tests
//! compare every operator with [`foghorn_ir::interpret::arithmetic`] at the widths 1 to 5.

mod bits;
mod linear;
mod range;
#[cfg(test)]
mod tests;

pub use bits::Bits;
pub use linear::{Linear, Products};
pub use range::Range;

use foghorn_ir::{BinaryOp, IntPredicate, OverflowOp, UnaryOp};
use foghorn_term::{Sort, TermId, TermPool};

/// An integer as a term, with what is known about it as a signed number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    pub term: TermId,
    /// For one bit the range says nothing.
    pub range: Range,
}

impl Value {
    /// The same value where more is known of it.
    #[must_use]
    pub fn within(&self, range: &Range) -> Value {
        Value {
            term: self.term,
            range: self.range.meet(range),
        }
    }
}

/// A result that is not known exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Havoc {
    /// The fresh constant that stands for the result.
    pub symbol: TermId,
    /// What is true of the result; a Boolean term.
    pub assumption: TermId,
    /// The operation, in words for the answer.
    pub operation: String,
}

/// How integers are terms.
pub trait Integers {
    /// The name in options and answers.
    fn name(&self) -> &'static str;

    /// The sort of integers of a width; `Bool` for one bit.
    fn sort(&self, width: u32) -> Sort;

    /// The literal with these bits.
    fn literal(&mut self, pool: &mut TermPool, width: u32, bits: u128) -> Value;

    /// A term that may be any integer of the width.
    fn any(&self, width: u32, term: TermId) -> Value;

    /// What is true of every integer of the width that the sort does not say.
    fn validity(&self, pool: &mut TermPool, width: u32, term: TermId) -> Option<TermId>;

    /// An operator on two integers of `width` bits.
    fn binary(
        &mut self,
        pool: &mut TermPool,
        op: BinaryOp,
        width: u32,
        lhs: &Value,
        rhs: &Value,
    ) -> Value;

    /// An operator on one integer of `width` bits.
    fn unary(&mut self, pool: &mut TermPool, op: UnaryOp, width: u32, operand: &Value) -> Value;

    /// Whether the mathematical result does not fit.
    fn overflows(
        &mut self,
        pool: &mut TermPool,
        op: OverflowOp,
        signed: bool,
        width: u32,
        operands: (&Value, &Value),
    ) -> TermId;

    /// The order or equality of two integers of `width` bits.
    fn compare(
        &mut self,
        pool: &mut TermPool,
        predicate: IntPredicate,
        width: u32,
        lhs: &Value,
        rhs: &Value,
    ) -> TermId;

    /// The low bits.
    fn truncate(&mut self, pool: &mut TermPool, from: u32, to: u32, operand: &Value) -> Value;

    /// Zeros above.
    fn zero_extend(&mut self, pool: &mut TermPool, from: u32, to: u32, operand: &Value) -> Value;

    /// Copies of the sign above.
    fn sign_extend(&mut self, pool: &mut TermPool, from: u32, to: u32, operand: &Value) -> Value;

    /// One of two integers.
    fn select(
        &mut self,
        pool: &mut TermPool,
        condition: TermId,
        then: &Value,
        otherwise: &Value,
    ) -> Value {
        Value {
            term: pool.ite(condition, then.term, otherwise.term),
            range: then.range.join(&otherwise.range),
        }
    }

    /// The results since the last call that are not exact.
    fn take_havocs(&mut self) -> Vec<Havoc>;
}
