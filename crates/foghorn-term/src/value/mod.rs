//! Concrete values of the scalar sorts: what a constant term denotes and what the evaluator computes with.
//!
//! Invariant: every value is in its canonical form (bits beyond the width are zero, one NaN per format), so that
//! equality of Rust values is equality in the logic.

mod bitvec;
mod bitvec_arith;
mod float;
mod float_arith;
mod float_round;

pub use bitvec::BitVecValue;
pub use float::FloatValue;
