//! Z3 5.4 in process.
//!
//! Linked under a name of its own (see the decision record on linking), so that no other Z3 on the
//! machine can take its place; [`assert_z3_version`] says whether one did nevertheless. The unsafe
//! calls are in [`context`], [`build`], [`engine`] and [`fixedpoint`]; nothing outside sees a raw
//! pointer.

mod addresses;
pub(crate) mod build;
mod chains;
pub(crate) mod context;
pub(crate) mod convert;
pub(crate) mod engine;
pub(crate) mod fixedpoint;
mod form;
mod read;
mod solver;

pub use context::{EXPECTED_VERSION, assert_z3_version, loaded_version};
pub use solver::Z3Solver;
