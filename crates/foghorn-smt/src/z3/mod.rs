//! Z3 5.4 in process.

pub(crate) mod context;

pub use context::{EXPECTED_VERSION, assert_z3_version, loaded_version};
