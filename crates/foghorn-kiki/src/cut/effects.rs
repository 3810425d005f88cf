//! What an iteration of a loop can do besides changing the parameters of its head: make objects, and end or begin lives.

use foghorn_encode::execute::plan::FunctionPlan;
use foghorn_ir::{
    AllocationKind, BlockId, Body, Callee, FunctionId, Instruction, Module, ValueDef, ValueId,
};
use rustc_hash::FxHashSet;

/// What iterations of a loop can do to objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Objects are made that may live at the next head.
    pub makes_objects: bool,
    /// Lives of heap objects end.
    pub frees: bool,
    /// Lives of local objects end or begin.
    pub changes_scopes: bool,
    /// Objects on the heap are among those that are made.
    pub makes_heap_objects: bool,
}

impl Effects {
    /// Those of a loop of a function, the functions that it calls included.
    pub fn of_loop(module: &Module, body: &Body, plan: &FunctionPlan, component: usize) -> Self {
        let range = plan.components[component].start..plan.components[component].end;
        let mut effects = Effects::default();
        let mut called = vec![];
        for &block in &plan.blocks[range] {
            effects.add_block(body, block, true, &mut called);
        }
        let mut seen: FxHashSet<FunctionId> = FxHashSet::default();
        while let Some(function) = called.pop() {
            if !seen.insert(function) {
                continue;
            }
            let Some(body) = &module.functions[function].body else {
                continue;
            };
            for block in body.blocks.keys() {
                effects.add_block(body, block, false, &mut called);
            }
        }
        effects
    }

    /// `is_own`: the block is of the loop's own function, whose local objects outlive an iteration. Those of functions
    /// that the loop calls end with the call.
    fn add_block(
        &mut self,
        body: &Body,
        block: BlockId,
        is_own: bool,
        called: &mut Vec<FunctionId>,
    ) {
        for &id in &body.blocks[block].instructions {
            match &body.instructions[id].instruction {
                Instruction::Allocate { kind, .. } => match kind {
                    AllocationKind::Stack => self.makes_objects |= is_own,
                    AllocationKind::Heap => {
                        self.makes_objects = true;
                        self.makes_heap_objects = true;
                    }
                    AllocationKind::Permanent => self.makes_objects = true,
                },
                Instruction::Free { .. } => self.frees = true,
                Instruction::LifetimeStart { pointer } | Instruction::LifetimeEnd { pointer } => {
                    self.changes_scopes |= is_own || !is_allocated_here(body, *pointer);
                }
                Instruction::StackRestore { .. } => self.changes_scopes |= is_own,
                Instruction::Call { callee, .. } => match callee {
                    Callee::Direct(function) => called.push(*function),
                    // What an unresolved call does is an obligation that there is none.
                    Callee::Indirect(_) | Callee::Builtin(_) => {}
                },
                Instruction::Binary { .. }
                | Instruction::Overflows { .. }
                | Instruction::Unary { .. }
                | Instruction::Compare { .. }
                | Instruction::Cast { .. }
                | Instruction::FloatUnary { .. }
                | Instruction::FloatBinary { .. }
                | Instruction::FusedMultiplyAdd { .. }
                | Instruction::FloatCompare { .. }
                | Instruction::Select { .. }
                | Instruction::PointerAdd { .. }
                | Instruction::Nondet { .. }
                | Instruction::StackSave
                | Instruction::Load { .. }
                | Instruction::Store { .. }
                | Instruction::MemoryCopy { .. }
                | Instruction::MemorySet { .. }
                | Instruction::Check { .. }
                | Instruction::Assume { .. }
                | Instruction::Bind { .. } => {}
            }
        }
    }
}

/// Whether a pointer is plainly to an object that its own function allocates.
fn is_allocated_here(body: &Body, pointer: ValueId) -> bool {
    match body.values[pointer].def {
        ValueDef::Result(id, _) => matches!(
            body.instructions[id].instruction,
            Instruction::Allocate { .. }
        ),
        ValueDef::Param(..) | ValueDef::Memory(..) | ValueDef::Constant(_) => false,
    }
}
