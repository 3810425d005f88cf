//! The checks that instructions imply.
//!
//! One table for every engine: an engine that decides the kinds of [`site_checks`] at each
//! instruction, the [`Instruction::Check`]s themselves, and [`end_checks`] where the program ends
//! has decided every property. The interpreter checks the same; a test compares the two.

use crate::body::Body;
use crate::instruction::{Builtin, Callee, Instruction};
use crate::operation::IntPredicate;
use crate::types::Type;
use foghorn_core::CheckKind;

/// Kinds that an access for reading can fail with.
const READ: &[CheckKind] = &[
    CheckKind::NullDereference,
    CheckKind::OutOfBounds,
    CheckKind::UseAfterFree,
    CheckKind::UseAfterScope,
    CheckKind::UninitialisedPointer,
    CheckKind::UnknownPointer,
];

/// Kinds that an access for writing can fail with.
const WRITE: &[CheckKind] = &[
    CheckKind::NullDereference,
    CheckKind::OutOfBounds,
    CheckKind::UseAfterFree,
    CheckKind::UseAfterScope,
    CheckKind::UninitialisedPointer,
    CheckKind::UnknownPointer,
    CheckKind::ConstantWrite,
];

const ALIGNED_READ: &[CheckKind] = &[
    CheckKind::NullDereference,
    CheckKind::OutOfBounds,
    CheckKind::UseAfterFree,
    CheckKind::UseAfterScope,
    CheckKind::UninitialisedPointer,
    CheckKind::UnknownPointer,
    CheckKind::Misaligned,
];

const ALIGNED_WRITE: &[CheckKind] = &[
    CheckKind::NullDereference,
    CheckKind::OutOfBounds,
    CheckKind::UseAfterFree,
    CheckKind::UseAfterScope,
    CheckKind::UninitialisedPointer,
    CheckKind::UnknownPointer,
    CheckKind::ConstantWrite,
    CheckKind::Misaligned,
];

/// The kinds with which an instruction can fail beyond those that an [`Instruction::Check`] names.
///
/// `misaligned` is listed where an alignment beyond 1 is demanded; it is checked only on request.
pub fn site_checks(body: &Body, instruction: &Instruction) -> &'static [CheckKind] {
    match instruction {
        Instruction::Load { align, .. } => match align {
            0 | 1 => READ,
            _ => ALIGNED_READ,
        },
        Instruction::Store { align, .. } => match align {
            0 | 1 => WRITE,
            _ => ALIGNED_WRITE,
        },
        Instruction::MemoryCopy { .. } | Instruction::MemorySet { .. } => WRITE,
        Instruction::Free { .. } => &[CheckKind::InvalidFree, CheckKind::DoubleFree],
        Instruction::Compare { predicate, lhs, .. } => match (predicate, body.ty(*lhs)) {
            (IntPredicate::Eq | IntPredicate::Ne, _) => &[],
            (_, Type::Ptr) => &[CheckKind::PointerComparison],
            (_, Type::Int(_) | Type::F32 | Type::F64 | Type::Memory(_)) => &[],
        },
        Instruction::Call { callee, .. } => match callee {
            Callee::Direct(_) => &[],
            Callee::Indirect(_) => &[CheckKind::InvalidCall],
            Callee::Builtin(builtin) => builtin_checks(builtin),
        },
        Instruction::Check { .. }
        | Instruction::Binary { .. }
        | Instruction::Overflows { .. }
        | Instruction::Unary { .. }
        | Instruction::Cast { .. }
        | Instruction::FloatUnary { .. }
        | Instruction::FloatBinary { .. }
        | Instruction::FusedMultiplyAdd { .. }
        | Instruction::FloatCompare { .. }
        | Instruction::Select { .. }
        | Instruction::PointerAdd { .. }
        | Instruction::Nondet { .. }
        | Instruction::Allocate { .. }
        | Instruction::LifetimeStart { .. }
        | Instruction::LifetimeEnd { .. }
        | Instruction::StackSave
        | Instruction::StackRestore { .. }
        | Instruction::Assume { .. }
        | Instruction::Bind { .. } => &[],
    }
}

fn builtin_checks(builtin: &Builtin) -> &'static [CheckKind] {
    match builtin {
        Builtin::WriteOutput => READ,
        Builtin::ReadInput | Builtin::FormatFloat | Builtin::HavocMemory => WRITE,
        Builtin::HavocReachable(_)
        | Builtin::IsDereferenceable
        | Builtin::ObjectSize
        | Builtin::ObjectOffset
        | Builtin::SameObject
        | Builtin::IsAlive
        | Builtin::IsModified
        | Builtin::ResetModified
        | Builtin::IsRead
        | Builtin::ResetRead
        | Builtin::TrackAccesses
        | Builtin::SetShadow
        | Builtin::GetShadow
        | Builtin::Math(_) => &[],
    }
}

/// The kinds with which the end of the program can fail: the return of the entry (after the
/// destructors), and a halt by `_exit`.
pub fn end_checks() -> &'static [CheckKind] {
    &[CheckKind::Leak, CheckKind::NotFreed]
}
