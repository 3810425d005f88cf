//! Instructions and terminators.

use crate::body::{BlockId, ValueId, VariableId};
use crate::module::FunctionId;
use crate::operation::{
    BinaryOp, CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, IntPredicate, OverflowOp,
    UnaryOp,
};
use foghorn_core::CheckKind;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One step of a basic block. Types of results stand at the result values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Instruction {
    /// Integer arithmetic; wraps.
    Binary {
        op: BinaryOp,
        lhs: ValueId,
        rhs: ValueId,
    },
    /// `i1`: whether the mathematical result of `op` does not fit the operands' width.
    Overflows {
        op: OverflowOp,
        signed: bool,
        lhs: ValueId,
        rhs: ValueId,
    },
    Unary {
        op: UnaryOp,
        operand: ValueId,
    },
    /// `i1`, of two integers of one width or of two pointers.
    Compare {
        predicate: IntPredicate,
        lhs: ValueId,
        rhs: ValueId,
    },
    /// To the type of the result.
    Cast {
        op: CastOp,
        operand: ValueId,
    },
    FloatUnary {
        op: FloatUnaryOp,
        operand: ValueId,
    },
    FloatBinary {
        op: FloatBinaryOp,
        lhs: ValueId,
        rhs: ValueId,
    },
    /// `a * b + c` with one rounding.
    FusedMultiplyAdd {
        a: ValueId,
        b: ValueId,
        c: ValueId,
    },
    /// `i1`.
    FloatCompare {
        predicate: FloatPredicate,
        lhs: ValueId,
        rhs: ValueId,
    },
    Select {
        condition: ValueId,
        on_true: ValueId,
        on_false: ValueId,
    },
    /// `base + constant + Σ index·scale` bytes, within the same object; offsets wrap at the width
    /// of a pointer. Indices are signed and as wide as a pointer.
    PointerAdd {
        base: ValueId,
        constant: i64,
        scaled: Vec<(ValueId, i64)>,
    },
    /// Any value of the result's type.
    Nondet {
        origin: NondetOrigin,
    },

    /// A new object of `size` bytes (as wide as a pointer) with indeterminate contents.
    Allocate {
        kind: AllocationKind,
        size: ValueId,
        align: u32,
    },
    /// Ends the life of a heap object. Null is allowed; anything but the start of a live heap
    /// object is an `invalid-free` or `double-free`.
    Free {
        pointer: ValueId,
    },
    /// (Re)starts the life of a stack object, with indeterminate contents. An object for which the
    /// function has a `LifetimeStart` is not alive before it.
    LifetimeStart {
        pointer: ValueId,
    },
    /// Ends the life of a stack object until a `LifetimeStart`.
    LifetimeEnd {
        pointer: ValueId,
    },
    /// A mark (as wide as a pointer) of the stack objects that exist now …
    StackSave,
    /// … and the end of the life of those of this call allocated since the mark.
    StackRestore {
        mark: ValueId,
    },
    /// Little-endian. An `iN` whose width is no multiple of 8 occupies ⌈N/8⌉ bytes.
    Load {
        pointer: ValueId,
        align: u32,
    },
    Store {
        pointer: ValueId,
        value: ValueId,
        align: u32,
    },
    /// Copies `length` bytes (as wide as a pointer) with their initialisation and provenance;
    /// right also where the ranges overlap. Nothing is accessed, and any pointers will do, where
    /// the length is 0 (also of `MemorySet`).
    MemoryCopy {
        destination: ValueId,
        source: ValueId,
        length: ValueId,
    },
    /// Fills `length` bytes with the `i8` value.
    MemorySet {
        destination: ValueId,
        byte: ValueId,
        length: ValueId,
    },

    /// Results are the callee's results, in order.
    Call {
        callee: Callee,
        arguments: Vec<ValueId>,
    },
    /// The `i1` condition must hold, else the program fails here with `kind`.
    Check {
        kind: CheckKind,
        condition: ValueId,
        message: Option<Arc<str>>,
    },
    /// Executions in which the `i1` condition is false are not considered from here on.
    Assume {
        condition: ValueId,
    },
    /// The source variable has this value from here on. No effect.
    Bind {
        variable: VariableId,
        value: ValueId,
    },
}

/// Where a value that the program does not determine comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum NondetOrigin {
    /// A nondet function of a verification dialect, by its name: an input.
    Input(Arc<str>),
    /// The result of a function without a body, or the contents of a global without a definition.
    External(Arc<str>),
    /// Whether code outside the program changes memory, and what it leaves there: a function
    /// without a body, by its name.
    Change(Arc<str>),
    /// A variable read before it was written.
    Uninitialised(Arc<str>),
    /// LLVM's `undef` or `poison`.
    Undefined,
    /// Foghorn does not model this operation precisely: `long double`, inline assembly, ….
    /// An execution that passes one proves nothing about the real program.
    OverApproximated(Arc<str>),
}

/// Where an object lives, which decides when it dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AllocationKind {
    /// Until the function returns, or its `LifetimeEnd` or `StackRestore`.
    Stack,
    /// Until it is freed.
    Heap,
    /// As long as the program: what the outside hands to it. It cannot be freed, and is no leak.
    Permanent,
}

/// What a call calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Callee {
    Direct(FunctionId),
    /// A pointer. Calling what is not a function whose signature fits is an `invalid-call`.
    Indirect(ValueId),
    Builtin(Builtin),
}

/// Operations on the machine or on the memory model that no C code can express.
///
/// Types: `size` is an integer as wide as a pointer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Builtin {
    /// `(i32 file descriptor, ptr, size) -> size`: bytes to the outside; the number written, or -1.
    WriteOutput,
    /// `(i32 file descriptor, ptr, size) -> size`: bytes from the outside; the number read, 0 at the
    /// end, or -1. The whole buffer must be writable.
    ReadInput,
    /// `(ptr buffer, size capacity, ptr conversion, f64) -> i32`: what `snprintf` writes.
    FormatFloat,
    /// `(ptr, size) -> i1`: that many bytes can be read now; true of any pointer for 0 bytes.
    IsDereferenceable,
    /// `(ptr) -> size`: bytes of the object, 0 without one.
    ObjectSize,
    /// `(ptr) -> size`: offset into the object.
    ObjectOffset,
    /// `(ptr, ptr) -> i1`.
    SameObject,
    /// `(ptr) -> i1`: the object is alive.
    IsAlive,
    /// `(ptr, size)`: makes the bytes indeterminate.
    HavocMemory,
    /// `(ptr, i1)`: code outside the program, by its name, changes what pointers reach from the
    /// object, which is itself one that only says what the code knows ([`crate::OUTSIDE`]): every
    /// byte of every living object on the way that is not constant becomes indeterminate. Pointers
    /// that are stored there stay, unless the `i1` is true.
    HavocReachable(Arc<str>),
    /// `(ptr) -> i1`: the byte was written since its mark was reset (SeaHorn's `sea_is_modified`).
    IsModified,
    /// `(ptr)`: resets the marks of the object.
    ResetModified,
    /// `(ptr) -> i1`: the byte was read since its mark was reset.
    IsRead,
    /// `(ptr)`: resets the marks of the object.
    ResetRead,
    /// `(i1)`: whether accesses set marks from here on.
    TrackAccesses,
    /// `(i8 slot, ptr, size)`: writes a user's shadow slot of the object.
    SetShadow,
    /// `(i8 slot, ptr) -> size`: reads it; 0 at first.
    GetShadow,
    /// A function of `<math.h>` on `f64` by name, such as `sin`: `(f64 …) -> f64`. Engines may
    /// over-approximate it; the interpreter computes what the platform's library computes.
    Math(Arc<str>),
}

/// How a program ends other than by returning from its entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HaltKind {
    /// `_exit`: handlers have run already; checks on the final memory apply.
    Exit,
    /// `abort`: not an error by itself; checks on the final memory do not apply.
    Abort,
}

/// A block and the values of its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    pub block: BlockId,
    pub arguments: Vec<ValueId>,
}

/// The end of a block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Terminator {
    Jump(Target),
    Branch {
        condition: ValueId,
        on_true: Target,
        on_false: Target,
    },
    Return {
        values: Vec<ValueId>,
    },
    /// Ends the program with an `i32` exit code.
    Halt {
        kind: HaltKind,
        code: ValueId,
    },
    /// Never executed; a `Check` or `Assume` of false precedes it.
    Unreachable,
}

impl Target {
    pub fn new(block: BlockId) -> Self {
        Target {
            block,
            arguments: vec![],
        }
    }
}

/// Applies `$visit` to every operand of an instruction in a fixed order, by shared or by mutable
/// reference as the instruction is matched: the one list of operands for both views.
macro_rules! visit_operands {
    ($instruction:expr, $iter:ident, $visit:expr) => {{
        let mut visit = $visit;
        match $instruction {
            Instruction::Binary { lhs, rhs, .. }
            | Instruction::Overflows { lhs, rhs, .. }
            | Instruction::Compare { lhs, rhs, .. }
            | Instruction::FloatBinary { lhs, rhs, .. }
            | Instruction::FloatCompare { lhs, rhs, .. } => {
                visit(lhs);
                visit(rhs);
            }
            Instruction::Unary { operand, .. }
            | Instruction::Cast { operand, .. }
            | Instruction::FloatUnary { operand, .. } => visit(operand),
            Instruction::FusedMultiplyAdd { a, b, c } => {
                visit(a);
                visit(b);
                visit(c);
            }
            Instruction::Select {
                condition,
                on_true,
                on_false,
            } => {
                visit(condition);
                visit(on_true);
                visit(on_false);
            }
            Instruction::PointerAdd { base, scaled, .. } => {
                visit(base);
                scaled.$iter().for_each(|(index, _)| visit(index));
            }
            Instruction::Nondet { .. } | Instruction::StackSave => {}
            Instruction::Allocate { size, .. } => visit(size),
            Instruction::Free { pointer }
            | Instruction::LifetimeStart { pointer }
            | Instruction::LifetimeEnd { pointer }
            | Instruction::Load { pointer, .. } => visit(pointer),
            Instruction::StackRestore { mark } => visit(mark),
            Instruction::Store { pointer, value, .. } => {
                visit(pointer);
                visit(value);
            }
            Instruction::MemoryCopy {
                destination,
                source,
                length,
            } => {
                visit(destination);
                visit(source);
                visit(length);
            }
            Instruction::MemorySet {
                destination,
                byte,
                length,
            } => {
                visit(destination);
                visit(byte);
                visit(length);
            }
            Instruction::Call { callee, arguments } => {
                match callee {
                    Callee::Indirect(pointer) => visit(pointer),
                    Callee::Direct(_) | Callee::Builtin(_) => {}
                }
                arguments.$iter().for_each(visit);
            }
            Instruction::Check { condition, .. } | Instruction::Assume { condition } => {
                visit(condition);
            }
            Instruction::Bind { value, .. } => visit(value),
        }
    }};
}

/// As [`visit_operands`], for terminators.
macro_rules! visit_terminator_operands {
    ($terminator:expr, $iter:ident, $visit:expr) => {{
        let mut visit = $visit;
        match $terminator {
            Terminator::Jump(target) => target.arguments.$iter().for_each(visit),
            Terminator::Branch {
                condition,
                on_true,
                on_false,
            } => {
                visit(condition);
                on_true.arguments.$iter().for_each(&mut visit);
                on_false.arguments.$iter().for_each(visit);
            }
            Terminator::Return { values } => values.$iter().for_each(visit),
            Terminator::Halt { code, .. } => visit(code),
            Terminator::Unreachable => {}
        }
    }};
}

impl Instruction {
    /// Calls `f` on every operand, in a fixed order.
    pub fn for_each_operand(&self, mut f: impl FnMut(ValueId)) {
        visit_operands!(self, iter, |value: &ValueId| f(*value));
    }

    /// Replaces every operand by `f` of it, in a fixed order.
    pub fn map_operands(&mut self, mut f: impl FnMut(ValueId) -> ValueId) {
        visit_operands!(self, iter_mut, |value: &mut ValueId| *value = f(*value));
    }

    /// Whether the results depend on nothing but the operands: the same again where they are the
    /// same. Not so `inttoptr`, whose result depends on which objects are alive.
    pub fn is_function_of_operands(&self) -> bool {
        match self {
            Self::Binary { .. }
            | Self::Overflows { .. }
            | Self::Unary { .. }
            | Self::Compare { .. }
            | Self::FloatUnary { .. }
            | Self::FloatBinary { .. }
            | Self::FusedMultiplyAdd { .. }
            | Self::FloatCompare { .. }
            | Self::Select { .. }
            | Self::PointerAdd { .. } => true,
            Self::Cast { op, .. } => *op != CastOp::IntToPtr,
            Self::Nondet { .. }
            | Self::StackSave
            | Self::StackRestore { .. }
            | Self::Bind { .. }
            | Self::Allocate { .. }
            | Self::Free { .. }
            | Self::LifetimeStart { .. }
            | Self::LifetimeEnd { .. }
            | Self::Load { .. }
            | Self::Store { .. }
            | Self::MemoryCopy { .. }
            | Self::MemorySet { .. }
            | Self::Call { .. }
            | Self::Check { .. }
            | Self::Assume { .. } => false,
        }
    }

    /// Whether removing this instruction could be noticed even if its results are unused.
    pub fn has_effect(&self) -> bool {
        match self {
            Self::Binary { .. }
            | Self::Overflows { .. }
            | Self::Unary { .. }
            | Self::Compare { .. }
            | Self::FloatUnary { .. }
            | Self::FloatBinary { .. }
            | Self::FusedMultiplyAdd { .. }
            | Self::FloatCompare { .. }
            | Self::Select { .. }
            | Self::PointerAdd { .. }
            | Self::StackSave
            | Self::Bind { .. } => false,
            // PtrToInt exposes its operand, on which later conversions depend.
            Self::Cast { op, .. } => *op == CastOp::PtrToInt,
            // A nondet is an input: removing one would shift the inputs of a replay.
            Self::Nondet { .. }
            | Self::Allocate { .. }
            | Self::Free { .. }
            | Self::LifetimeStart { .. }
            | Self::LifetimeEnd { .. }
            | Self::StackRestore { .. }
            | Self::Load { .. }
            | Self::Store { .. }
            | Self::MemoryCopy { .. }
            | Self::MemorySet { .. }
            | Self::Call { .. }
            | Self::Check { .. }
            | Self::Assume { .. } => true,
        }
    }
}

impl Terminator {
    /// The successors, in order; a block that is both successors of a branch comes twice.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        let (first, second) = match self {
            Self::Jump(target) => (Some(target), None),
            Self::Branch {
                on_true, on_false, ..
            } => (Some(on_true), Some(on_false)),
            Self::Return { .. } | Self::Halt { .. } | Self::Unreachable => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// The successors, to be changed in place.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut Target> {
        let (first, second) = match self {
            Self::Jump(target) => (Some(target), None),
            Self::Branch {
                on_true, on_false, ..
            } => (Some(on_true), Some(on_false)),
            Self::Return { .. } | Self::Halt { .. } | Self::Unreachable => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// Replaces every operand, arguments of targets included, by `f` of it.
    pub fn map_operands(&mut self, mut f: impl FnMut(ValueId) -> ValueId) {
        visit_terminator_operands!(self, iter_mut, |value: &mut ValueId| *value = f(*value));
    }

    /// Calls `f` on every operand, arguments of targets included.
    pub fn for_each_operand(&self, mut f: impl FnMut(ValueId)) {
        visit_terminator_operands!(self, iter, |value: &ValueId| f(*value));
    }
}
