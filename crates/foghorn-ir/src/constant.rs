//! Constants.
//!
//! A constant is an SSA value of its function's [`crate::Body`] that dominates everything; equal
//! constants of one body share a [`crate::ValueId`]. There are no constant expressions: the front
//! end makes instructions of them.

use crate::module::{FunctionId, GlobalId};
use serde::{Deserialize, Serialize};

/// A value known before the program runs.
///
/// Floats are held as their bits, so that NaN payloads and signed zeros survive and constants can
/// be compared and hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Constant {
    /// The low bits of an integer; the bits above its width are zero.
    Int(u128),
    F32(u32),
    F64(u64),
    /// The null pointer.
    Null,
    /// The address of a global's first byte.
    Global(GlobalId),
    /// The address of a function.
    Function(FunctionId),
}
