//! Solvers behind one trait.
//!
//! [`solver::Solver`] is small (declare, assert, check, check under assumptions, values of the
//! model); what only some solvers can do is a trait of its own beside it. Back ends:
//!
//! - [`z3::Z3Solver`]: Z3 5.4 in process, the default. This is the only crate that links Z3.
//! - [`sat::SatSolver`]: our own, for bit-vectors and uninterpreted functions, through an
//!   and-inverter graph ([`aig`], [`circuit`]) to CaDiCaL.
//! - [`smtlib::SmtLibSolver`]: any SMT-LIB 2 process.
//! - [`portfolio::Portfolio`]: two of them in a race.
//! - [`dump::Dumping`]: any of them, with every query written to a file.
//!
//! [`horn`] solves constrained Horn clauses with evidence that is checked here; [`chc`] reads them
//! from SMT-LIB files.
//!
//! Invariants: no conversion or printing recurses over the depth of a term; a solver's failure is a
//! [`SolverError`] and never ours; nothing outside [`z3`] contains unsafe code.

pub mod aig;
pub mod auto;
pub mod bench;
pub mod chc;
pub mod choice;
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
