//! Solvers behind one trait.

pub mod aig;
pub mod circuit;
pub mod error;
mod patience;
pub mod sat;
pub mod smtlib;
pub mod solver;
pub mod z3;

pub use error::SolverError;
pub use patience::Interrupter;
