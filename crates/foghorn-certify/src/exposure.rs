//! May an address become a number?
//!
//! If none does, no number leads to an object: whatever is made a pointer of is unknown. Numbers are made of addresses
//! by casts, by the order of pointers, in memory that is kept in bytes, and by whoever is given a pointer outside.

use foghorn_ir::{
    Body, Builtin, Callee, CastOp, Cell, FunctionId, GlobalContents, Instruction, InstructionData,
    IntPredicate, MemoryRole, Module, Type,
};
use std::collections::BTreeSet;

/// Whether an address may become a number in a program in pure form of which these functions are reached.
pub(crate) fn may_expose(module: &Module, reached: &BTreeSet<FunctionId>) -> bool {
    let has_relocations = module.globals.values().any(|it| match &it.contents {
        GlobalContents::Initialised(initializer) => !initializer.relocations.is_empty(),
        GlobalContents::External => true,
    });
    reached.iter().any(|id| match &module.functions[*id].body {
        None => true,
        Some(body) => {
            let in_bytes = || body.regions.values().any(|it| it.cell == Cell::Bytes);
            (has_relocations && in_bytes())
                || body.instructions.values().any(|data| exposes(body, data))
        }
    })
}

fn exposes(body: &Body, data: &InstructionData) -> bool {
    let cell = |region| body.regions[region].cell;
    match &data.instruction {
        Instruction::Cast { op, .. } => *op == CastOp::PtrToInt,
        Instruction::Compare { predicate, lhs, .. } => {
            let is_equality = matches!(predicate, IntPredicate::Eq | IntPredicate::Ne);
            body.ty(*lhs) == Type::Ptr && !is_equality
        }
        Instruction::Store { value, .. } => {
            let mut uses = data.memory.iter();
            body.ty(*value) == Type::Ptr && uses.any(|used| cell(used.region) == Cell::Bytes)
        }
        // What was bytes before became bytes elsewhere.
        Instruction::MemoryCopy { .. } => {
            let of = |role: MemoryRole| data.memory.iter().filter(move |used| used.role == role);
            let to_bytes = of(MemoryRole::Destination).any(|it| cell(it.region) == Cell::Bytes);
            to_bytes && of(MemoryRole::Source).any(|it| cell(it.region) == Cell::Pointer)
        }
        // A call that leads nowhere known is an error by itself.
        Instruction::Call { callee, .. } => {
            matches!(callee, Callee::Builtin(Builtin::HavocReachable(_)))
        }
        _ => false,
    }
}
