//! Foghorn's intermediate representation: what a program means, once and for all engines.
//!
//! A [`Module`] holds globals and functions; a function's [`Body`] is typed SSA over scalars with
//! block parameters in place of φ-nodes. It is close to what clang emits, minus everything that
//! is not needed to say what a C program does: aggregates and vectors are split into scalars,
//! `switch` is lowered, addresses are `pointer + bytes`, undefined behaviour is a
//! [`Instruction::Check`], and everything that comes from outside is a [`Instruction::Nondet`].
//! A body is impure (memory is a side effect) or pure (memory is values): see [`memory`].
//!
//! Invariants are listed and checked in the `verify` module. What an instruction *means* is
//! defined by the interpreter; the doc of each [`Instruction`] variant is its summary.

pub mod body;
pub mod builder;
pub mod builtin;
pub mod constant;
pub mod graph;
pub mod instruction;
pub mod interpret;
pub mod loops;
pub mod memory;
pub mod module;
pub mod operation;
pub mod sites;
pub mod statistics;
pub mod text;
pub mod types;
pub mod verify;

#[cfg(test)]
mod random;

pub use body::{
    Block, BlockId, Body, InstId, InstructionData, ValueData, ValueDef, ValueId, Variable,
    VariableId,
};
pub use constant::Constant;
pub use instruction::{
    AllocationKind, Builtin, Callee, HaltKind, Instruction, NondetOrigin, Target, Terminator,
};
pub use memory::{Cell, Form, Interface, MemoryRole, MemoryUse, Region, RegionId};
pub use module::{
    DataLayout, Function, FunctionId, Global, GlobalContents, GlobalId, Initializer, MODELS,
    Module, OUTSIDE, RETURNED, Relocation, Signature, Symbol,
};
pub use operation::{
    BinaryOp, CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, IntPredicate, OverflowOp,
    UnaryOp,
};
pub use statistics::Statistics;
pub use text::{parse_module, print_module};
pub use types::Type;
pub use verify::{Breach, verify_function, verify_module};
