//! LLVM IR → Foghorn IR.
//!
//! One LLVM value becomes a list of scalar IR values, one per leaf of its type ([`layout`]).
//! Functions and globals are translated when something that is translated names them
//! ([`module`]), so what the entry cannot reach costs nothing. Within a function, blocks are
//! visited in reverse postorder: every operand is translated before its uses, except those of
//! φ-nodes, which become arguments of the jump at the end of the predecessor ([`function`]).
//!
//! What cannot be translated becomes a failing `check unsupported` with nondet results, so that it
//! matters only where it is reached.

mod asm;
mod atomics;
mod call;
mod constant;
mod cprover;
mod cxx;
mod debug;
mod dialect;
mod emit;
mod external;
mod float;
mod function;
mod globals;
mod instruction;
mod intrinsic;
mod intrinsic_arithmetic;
mod intrinsic_memory;
mod layout;
mod library;
mod meaning;
mod memory;
mod missing_return;
pub(crate) mod module;
mod poison;
mod promise;
mod rust;
mod scan;
mod scan_format;
pub(crate) mod scopes;
mod start;
mod streams;
mod terminator;
mod varargs;
mod vector;
mod wide;

pub(crate) use dialect::is_recognised;
pub(crate) use library::is_known as is_known_library;
pub(crate) use module::{ModuleTranslator, Translated};
pub(crate) use start::models_of_start;

/// Why one LLVM construct could not be translated: its name, for the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported(pub String);

impl Unsupported {
    pub(crate) fn new(construct: impl Into<String>) -> Self {
        Unsupported(construct.into())
    }
}
