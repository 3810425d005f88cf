//! The instructions that the interpreter's loop executes.
//!
//! Each body is translated once into a dense list of [`Op`]s over numbered registers of its frame.
//! What is frequent and simple has an op of its own; everything else is [`Op::Slow`] and is
//! executed from the IR instruction itself. Widths are in bits and at most 64 where an op works on
//! the low half of a register only.

use crate::body::{BlockId, InstId};
use crate::module::FunctionId;
use crate::operation::{
    BinaryOp, CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, IntPredicate, OverflowOp,
};
use crate::types::Type;

/// A register: its place in the frame.
pub(crate) type Register = u32;

/// An index into [`super::Code::ops`].
pub(crate) type Label = u32;

/// Comparisons that the loop knows; the others are these with their operands exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Equal,
    NotEqual,
    UnsignedLess,
    UnsignedLessOrEqual,
    SignedLess,
    SignedLessOrEqual,
}

/// One step of the interpreter's loop.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Move {
        to: Register,
        from: Register,
    },
    Add {
        to: Register,
        lhs: Register,
        rhs: Register,
        width: u8,
    },
    Sub {
        to: Register,
        lhs: Register,
        rhs: Register,
        width: u8,
    },
    Mul {
        to: Register,
        lhs: Register,
        rhs: Register,
        width: u8,
    },
    And {
        to: Register,
        lhs: Register,
        rhs: Register,
    },
    Or {
        to: Register,
        lhs: Register,
        rhs: Register,
    },
    Xor {
        to: Register,
        lhs: Register,
        rhs: Register,
    },
    Narrow {
        op: BinaryOp,
        to: Register,
        lhs: Register,
        rhs: Register,
        width: u8,
    },
    Wide {
        op: BinaryOp,
        to: Register,
        lhs: Register,
        rhs: Register,
        width: u8,
    },
    Overflows {
        op: OverflowOp,
        signed: bool,
        to: Register,
        lhs: Register,
        rhs: Register,
        width: u8,
    },
    Compare {
        order: Order,
        to: Register,
        lhs: Register,
        rhs: Register,
        width: u8,
    },
    CompareWide {
        predicate: IntPredicate,
        to: Register,
        lhs: Register,
        rhs: Register,
        width: u8,
    },
    /// Equality of pointers that have objects or are null.
    PointerEqual {
        to: Register,
        lhs: Register,
        rhs: Register,
        negated: bool,
    },
    Truncate {
        to: Register,
        from: Register,
        width: u8,
    },
    SignExtend {
        to: Register,
        from: Register,
        old: u8,
        new: u8,
    },
    Cast {
        op: CastOp,
        to: Register,
        from: Register,
        old: Type,
        new: Type,
    },
    Float32 {
        op: FloatBinaryOp,
        to: Register,
        lhs: Register,
        rhs: Register,
    },
    Float64 {
        op: FloatBinaryOp,
        to: Register,
        lhs: Register,
        rhs: Register,
    },
    FloatUnary {
        op: FloatUnaryOp,
        double: bool,
        to: Register,
        from: Register,
    },
    FloatCompare {
        predicate: FloatPredicate,
        double: bool,
        to: Register,
        lhs: Register,
        rhs: Register,
    },
    Select {
        to: Register,
        condition: Register,
        on_true: Register,
        on_false: Register,
    },
    /// Pointer plus constant.
    Offset {
        to: Register,
        base: Register,
        constant: i32,
    },
    /// Pointer plus scaled index plus constant.
    Index {
        to: Register,
        base: Register,
        index: Register,
        scale: i32,
        constant: i32,
    },
    Load8 {
        to: Register,
        pointer: Register,
    },
    Load16 {
        to: Register,
        pointer: Register,
    },
    Load32 {
        to: Register,
        pointer: Register,
    },
    Load64 {
        to: Register,
        pointer: Register,
    },
    LoadPointer {
        to: Register,
        pointer: Register,
    },
    Store8 {
        pointer: Register,
        value: Register,
    },
    Store16 {
        pointer: Register,
        value: Register,
    },
    Store32 {
        pointer: Register,
        value: Register,
    },
    Store64 {
        pointer: Register,
        value: Register,
    },
    StorePointer {
        pointer: Register,
        value: Register,
    },
    /// A `Check` or `Assume`: goes on if the condition holds.
    Require {
        condition: Register,
    },
    /// A `Check` that an operation does not overflow.
    RequireNoOverflow {
        op: OverflowOp,
        signed: bool,
        lhs: Register,
        rhs: Register,
        width: u8,
    },
    /// A `Check` or `Assume` of a comparison.
    RequireOrder {
        order: Order,
        lhs: Register,
        rhs: Register,
        width: u8,
    },
    Call {
        callee: FunctionId,
        site: u32,
    },
    /// Executed from the IR instruction of its place.
    Slow,
    Jump {
        to: Label,
    },
    /// Jumps if the condition holds.
    Branch {
        condition: Register,
        to: Label,
    },
    /// Jumps if the comparison holds.
    BranchCompare {
        order: Order,
        lhs: Register,
        rhs: Register,
        width: u8,
        to: Label,
    },
    Return {
        values: u32,
        count: u32,
    },
    /// A terminator that ends the program.
    End,
    /// Tells an observer.
    EnterBlock {
        block: BlockId,
    },
}

/// What an op was made from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Instruction(InstId),
    Terminator(BlockId),
}
