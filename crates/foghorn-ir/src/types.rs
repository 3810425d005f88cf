//! Types of SSA values.
//!
//! There are only scalars, and in the pure form memories: the front end splits structures, arrays
//! and vectors. The width of a pointer is a property of the module ([`crate::DataLayout`]), not of
//! the type.

use crate::memory::RegionId;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The type of an SSA value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Type {
    /// An integer of 1 to 128 bits without sign; `i1` is also the type of truth values.
    Int(u8),
    /// A pointer: an object and a signed offset in bytes, or null, or unknown.
    Ptr,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
    /// The contents of a region of the body, in the pure form.
    Memory(RegionId),
}

impl Type {
    /// Truth values.
    pub const BOOL: Type = Type::Int(1);
    pub const I8: Type = Type::Int(8);
    pub const I32: Type = Type::Int(32);
    pub const I64: Type = Type::Int(64);

    /// The width of an integer type.
    pub fn int_width(self) -> Option<u32> {
        match self {
            Type::Int(width) => Some(u32::from(width)),
            Type::Ptr | Type::F32 | Type::F64 | Type::Memory(_) => None,
        }
    }

    /// Whether this is `f32` or `f64`.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F64)
    }

    /// The region of a memory type.
    pub fn region(self) -> Option<RegionId> {
        match self {
            Type::Memory(region) => Some(region),
            Type::Int(_) | Type::Ptr | Type::F32 | Type::F64 => None,
        }
    }

    /// Bytes that a value occupies in memory (LLVM's "store size"), given the size of a pointer;
    /// none for memory, which is not stored.
    pub fn store_size(self, pointer_bytes: u32) -> u32 {
        match self {
            Type::Int(width) => u32::from(width).div_ceil(8),
            Type::Ptr => pointer_bytes,
            Type::F32 => 4,
            Type::F64 => 8,
            Type::Memory(_) => 0,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(width) => write!(f, "i{width}"),
            Type::Ptr => f.write_str("ptr"),
            Type::F32 => f.write_str("f32"),
            Type::F64 => f.write_str("f64"),
            Type::Memory(region) => write!(f, "{region}"),
        }
    }
}
