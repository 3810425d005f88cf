//! Solvers behind one trait.

pub mod aig;
pub mod chc;
pub mod circuit;
pub mod dump;
pub mod error;
pub mod horn;
mod patience;
pub mod portfolio;
pub mod sat;
pub mod smtlib;
pub mod solver;
pub mod z3;

pub use error::SolverError;
pub use patience::Interrupter;
