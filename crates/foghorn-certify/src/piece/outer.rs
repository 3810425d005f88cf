//! Values from before a piece.
//!
//! In SSA form a definition holds wherever the value is visible: its operands can change only on a way
//! that defines it again. So a value that pure instructions, loads and stores made is what they make of
//! their operands; any other is a symbol.

use super::memory::MemoryNode;
use super::walk::Walker;
use super::world::{Kind, Known, OBJECT_BITS, Pointer};
use foghorn_ir::{AllocationKind, InstId, Instruction, ValueDef, ValueId};
use foghorn_term::{Op, Sort, TermId};

/// Definitions behind definitions that are looked into.
const MOST_DEFINITIONS: usize = 24;

impl<'a> Walker<'a, '_, '_> {
    /// A value that the piece did not define.
    pub(super) fn outer_value(&mut self, value: ValueId) -> Known {
        self.outer_at(value, 0)
    }

    fn outer_at(&mut self, value: ValueId, depth: usize) -> Known {
        if let Some(constant) = self.body.as_constant(value) {
            return self.constant(self.body.ty(value), constant);
        }
        if let Some(known) = self.outer.get(&value) {
            return *known;
        }
        let known = self
            .defined(value, depth)
            .unwrap_or_else(|| self.undefined(value));
        self.outer.insert(value, known);
        known
    }

    /// A parameter of the function was there before the call, anything else by now.
    fn undefined(&mut self, value: ValueId) -> Known {
        let is_parameter = matches!(self.body.values[value].def, ValueDef::Param(block, _) if block == self.body.entry);
        let ty = self.body.ty(value);
        match is_parameter {
            true => self.world.any(ty, self.entry.next),
            false => {
                let bound = self.outer_bound();
                self.world.any(ty, bound)
            }
        }
    }

    /// Nothing from before the piece has a number that the piece gives.
    fn outer_bound(&mut self) -> TermId {
        match self.before {
            Some(before) => before.next,
            None => self.world.next_object(),
        }
    }

    fn defined(&mut self, value: ValueId, depth: usize) -> Option<Known> {
        if depth >= MOST_DEFINITIONS {
            return None;
        }
        let body = self.body;
        match body.values[value].def {
            ValueDef::Result(id, 0) => match &body.instructions[id].instruction {
                Instruction::Allocate {
                    kind, size, align, ..
                } => {
                    let size = self.outer_at(*size, depth + 1);
                    Some(self.outer_allocation(id, (*kind, (*align).into()), size))
                }
                Instruction::Load { pointer, .. } => {
                    let at = super::instruction::pointer_of(self.outer_at(*pointer, depth + 1));
                    let memory = self.outer_at(body.instructions[id].memory[0].input, depth + 1);
                    let memory = super::instruction::memory_of(memory);
                    Some(self.world.read(memory, at, body.ty(value)))
                }
                instruction if instruction.is_function_of_operands() => {
                    let known = self.pure_result(instruction, value, &mut |walker, operand| {
                        walker.outer_at(operand, depth + 1)
                    });
                    Some(known)
                }
                _ => None,
            },
            ValueDef::Memory(id, index) => self.outer_memory(id, index, depth),
            ValueDef::Result(..) | ValueDef::Param(..) | ValueDef::Constant(_) => None,
        }
    }

    fn outer_memory(&mut self, id: InstId, index: u32, depth: usize) -> Option<Known> {
        let body = self.body;
        let data = &body.instructions[id];
        let Instruction::Store { pointer, value, .. } = &data.instruction else {
            return None;
        };
        let used = data.memory.get(index as usize)?;
        let before = super::instruction::memory_of(self.outer_at(used.input, depth + 1));
        let to = super::instruction::pointer_of(self.outer_at(*pointer, depth + 1));
        let stored = self.outer_at(*value, depth + 1);
        Some(Known::Memory(self.world.memory(MemoryNode::Store {
            before,
            to,
            value: stored,
            ty: body.ty(*value),
            cell: body.regions[used.region].cell,
        })))
    }

    /// An object that this call allocated: younger than the call, and another than those of other
    /// allocations.
    fn outer_allocation(
        &mut self,
        id: InstId,
        (kind, align): (AllocationKind, u64),
        size: Known,
    ) -> Known {
        let next = self.outer_bound();
        let world = &mut *self.world;
        let object = world.pool.fresh_symbol("o", Sort::BitVec(OBJECT_BITS));
        let younger = world.pool.make(Op::BvUle, &[self.entry.next, object]);
        let exists = world.pool.make(Op::BvUlt, &[object, next]);
        world.axioms.extend([younger, exists]);
        for other in &self.outer_allocations {
            let different = world.pool.not_equal(object, *other);
            world.axioms.push(different);
        }
        self.outer_allocations.push(object);
        let of = match kind {
            AllocationKind::Stack => Kind::Stack,
            AllocationKind::Permanent => Kind::Global,
            AllocationKind::Heap => Kind::Heap(self.rules.heap_number(self.function, id)),
        };
        let size = super::instruction::term(size);
        let world = &mut *self.world;
        let zero = world.pool.bv_zero(world.bits());
        let sane = world.pool.bv_sle(zero, size);
        world.axioms.push(sane);
        world.describe(object, size, (of, align));
        let stays = kind == AllocationKind::Permanent || self.plan.stays.contains(&id);
        if let (true, Some(before)) = (stays, self.before) {
            let alive = world.is_alive(before.life, object);
            world.axioms.push(alive);
        }
        let offset = world.pool.bv_zero(world.bits());
        Known::Pointer(Pointer { object, offset })
    }
}
