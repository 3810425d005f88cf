//! Which slots can be promoted, and what their fields are.

use crate::lives::outlived;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use foghorn_ir::graph::ControlFlowGraph;
use foghorn_ir::{
    AllocationKind, Body, Constant, Instruction, Type, ValueDef, ValueId, VariableId,
};
use std::collections::BTreeMap;

/// A stack allocation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SlotId(u32);
entity_impl!(SlotId, "slot");

/// A part of a promoted slot that becomes a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldId(u32);
entity_impl!(FieldId, "field");

/// A candidate.
#[derive(Debug)]
pub struct Slot {
    size: u64,
    /// Types accessed at each offset; `None` once the slot cannot be promoted.
    accesses: Option<BTreeMap<u64, Type>>,
    /// The fields by offset, once it is known that the slot can be promoted.
    pub fields: BTreeMap<u64, FieldId>,
    /// The source variable that lives in the slot.
    pub variable: Option<VariableId>,
}

/// A field: the value that stands for a part of a slot.
#[derive(Debug)]
pub struct Field {
    pub ty: Type,
    pub slot: SlotId,
}

/// All candidates of a body.
#[derive(Debug)]
pub struct Slots {
    pub slots: PrimaryMap<SlotId, Slot>,
    pub fields: PrimaryMap<FieldId, Field>,
    /// Pointers into slots: the slot and the offset in bytes.
    derived: SecondaryMap<ValueId, Option<(SlotId, i64)>>,
}

impl Slots {
    /// How many slots can be promoted.
    pub fn promoted(&self) -> usize {
        self.slots
            .values()
            .filter(|slot| slot.accesses.is_some())
            .count()
    }

    /// The promoted slot into which `pointer` points.
    pub fn slot_of(&self, pointer: ValueId) -> Option<SlotId> {
        let (slot, _) = self.derived[pointer]?;
        self.slots[slot].accesses.is_some().then_some(slot)
    }

    /// The field to which `pointer` points.
    pub fn field_of(&self, pointer: ValueId) -> Option<FieldId> {
        let (slot, offset) = self.derived[pointer]?;
        let offset = u64::try_from(offset).ok()?;
        self.slots[slot].fields.get(&offset).copied()
    }

    fn reject(&mut self, value: ValueId) {
        if let Some((slot, _)) = self.derived[value] {
            self.slots[slot].accesses = None;
        }
    }

    fn access(&mut self, pointer: ValueId, ty: Type) {
        let Some((slot, offset)) = self.derived[pointer] else {
            return;
        };
        let slot = &mut self.slots[slot];
        let fits = match (&mut slot.accesses, u64::try_from(offset)) {
            (None, _) => return,
            (Some(_), Err(_)) => false,
            (Some(accesses), Ok(offset)) => *accesses.entry(offset).or_insert(ty) == ty,
        };
        if !fits {
            slot.accesses = None;
        }
    }
}

/// Finds the slots of a body and their fields.
pub fn find(body: &Body, cfg: &ControlFlowGraph, pointer_bytes: u32) -> Slots {
    let mut slots = Slots {
        slots: PrimaryMap::new(),
        fields: PrimaryMap::new(),
        derived: SecondaryMap::new(),
    };
    for &block in cfg.reverse_postorder() {
        for &id in &body.blocks[block].instructions {
            let data = &body.instructions[id];
            visit(
                body,
                &mut slots,
                &data.instruction,
                data.results.first().copied(),
            );
        }
        body.blocks[block]
            .terminator
            .for_each_operand(|value| slots.reject(value));
    }
    reject_outlived(body, cfg, &mut slots);
    name_slots(body, &mut slots);
    split_into_fields(&mut slots, pointer_bytes);
    slots
}

fn visit(body: &Body, slots: &mut Slots, instruction: &Instruction, result: Option<ValueId>) {
    match instruction {
        Instruction::Allocate {
            kind: AllocationKind::Stack,
            size,
            ..
        } => {
            if let (Some(Constant::Int(size)), Some(result)) = (body.as_constant(*size), result)
                && let Ok(size) = u64::try_from(size)
            {
                let accesses = Some(BTreeMap::new());
                let slot = Slot {
                    size,
                    accesses,
                    fields: BTreeMap::new(),
                    variable: None,
                };
                slots.derived[result] = Some((slots.slots.push(slot), 0));
            }
        }
        Instruction::PointerAdd {
            base,
            constant,
            scaled,
        } if scaled.is_empty() => {
            let moved =
                |(slot, offset): (SlotId, i64)| Some((slot, offset.checked_add(*constant)?));
            match (slots.derived[*base].and_then(moved), result) {
                (Some(place), Some(result)) => slots.derived[result] = Some(place),
                (_, _) => slots.reject(*base),
            }
        }
        Instruction::Load { pointer, .. } => {
            if let Some(result) = result {
                slots.access(*pointer, body.ty(result));
            }
        }
        Instruction::Store { pointer, value, .. } => {
            slots.access(*pointer, body.ty(*value));
            slots.reject(*value);
        }
        Instruction::LifetimeStart { pointer } | Instruction::LifetimeEnd { pointer } => {
            if slots.derived[*pointer].is_some_and(|(_, offset)| offset != 0) {
                slots.reject(*pointer);
            }
        }
        other => other.for_each_operand(|value| slots.reject(value)),
    }
}

/// An access to a slot that may be out of scope is a check that must stay.
fn reject_outlived(body: &Body, cfg: &ControlFlowGraph, slots: &mut Slots) {
    let mut allocations: SecondaryMap<SlotId, Option<ValueId>> = SecondaryMap::new();
    for value in body.values.keys() {
        if let (Some((slot, _)), ValueDef::Result(id, _)) =
            (slots.derived[value], body.values[value].def)
            && let Instruction::Allocate { .. } = body.instructions[id].instruction
        {
            allocations[slot] = Some(value);
        }
    }
    let object_of = |pointer: ValueId| {
        let (slot, _) = slots.derived[pointer]?;
        allocations[slot]
    };
    for object in outlived(body, cfg, object_of) {
        slots.reject(object);
    }
}

fn name_slots(body: &Body, slots: &mut Slots) {
    for (id, variable) in &body.variables {
        if let Some((slot, 0)) = variable.slot.and_then(|value| slots.derived[value]) {
            slots.slots[slot].variable = Some(id);
        }
    }
}

/// Checks that the accesses of each slot stay inside and do not overlap, and numbers its fields.
fn split_into_fields(slots: &mut Slots, pointer_bytes: u32) {
    for id in slots.slots.keys() {
        let slot = &mut slots.slots[id];
        let Some(accesses) = &slot.accesses else {
            continue;
        };
        let mut end = 0;
        let apart = accesses.iter().all(|(&offset, ty)| {
            let begins_after = offset >= end;
            end = offset + u64::from(ty.store_size(pointer_bytes));
            begins_after
        });
        if !apart || end > slot.size {
            slot.accesses = None;
            continue;
        }
        for (&offset, &ty) in accesses {
            let field = slots.fields.push(Field { ty, slot: id });
            slot.fields.insert(offset, field);
        }
    }
}

/// Whether a value is the result of an instruction, that is, may be given a name.
pub fn is_result(body: &Body, value: ValueId) -> bool {
    matches!(body.values[value].def, ValueDef::Result(..))
}

/// Number of fields, for maps over them.
pub fn field_count(slots: &Slots) -> usize {
    slots
        .fields
        .keys()
        .next_back()
        .map_or(0, |last| last.index() + 1)
}
