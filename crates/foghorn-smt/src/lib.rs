//! Solvers behind one trait.

pub mod aig;
pub mod circuit;
pub mod error;
pub mod smtlib;
pub mod z3;
