//! Stores into stack objects that nobody reads.
//!
//! A stack object of known size whose address goes nowhere but into lifetimes, into stores and
//! fills at known offsets within it while it is alive, and into names for the debugger, cannot
//! influence anything, and its accesses cannot fail: it goes with all of them.

use crate::lives::outlived;
use cranelift_entity::SecondaryMap;
use foghorn_ir::graph::ControlFlowGraph;
use foghorn_ir::{AllocationKind, Body, Constant, Instruction, Type, ValueId};

#[derive(Clone, Copy, Default)]
struct Object {
    /// Bytes, if this value is the address of a candidate.
    size: Option<u64>,
}

#[derive(Default)]
struct Candidates {
    objects: SecondaryMap<ValueId, Object>,
    /// Pointers into candidates: the allocation and the offset.
    derived: SecondaryMap<ValueId, Option<(ValueId, i64)>>,
}

impl Candidates {
    fn reject(&mut self, pointer: ValueId) {
        if let Some((object, _)) = self.derived[pointer] {
            self.objects[object].size = None;
        }
    }

    /// Rejects the object unless the bytes lie within it.
    fn access(&mut self, pointer: ValueId, length: Option<u64>) {
        let Some((object, offset)) = self.derived[pointer] else {
            return;
        };
        let end = match (u64::try_from(offset), length) {
            (Ok(offset), Some(length)) => offset.checked_add(length),
            (_, _) => None,
        };
        if end.is_none_or(|end| self.objects[object].size.is_none_or(|size| end > size)) {
            self.objects[object].size = None;
        }
    }

    /// Whether the pointer leads into an object that nobody reads.
    fn is_unread(&self, pointer: ValueId) -> bool {
        self.derived[pointer].is_some_and(|(object, _)| self.objects[object].size.is_some())
    }
}

/// Runs the pass; with `keep_pointers`, an object into which a pointer is stored stays.
pub fn remove_unread(body: &mut Body, pointer_bytes: u32, keep_pointers: bool) {
    let candidates = find(body, pointer_bytes, keep_pointers);
    for block in body.blocks.keys() {
        let mut instructions = std::mem::take(&mut body.blocks[block].instructions);
        instructions.retain(|&id| {
            let data = &body.instructions[id];
            let pointer = match data.instruction {
                Instruction::Allocate { .. } | Instruction::PointerAdd { .. } => data.results[0],
                Instruction::Store { pointer, .. }
                | Instruction::LifetimeStart { pointer }
                | Instruction::LifetimeEnd { pointer } => pointer,
                Instruction::MemorySet { destination, .. } => destination,
                Instruction::Bind { value, .. } => value,
                _ => return true,
            };
            !candidates.is_unread(pointer)
        });
        body.blocks[block].instructions = instructions;
    }
    for variable in body.variables.values_mut() {
        variable.slot = variable.slot.filter(|&slot| !candidates.is_unread(slot));
    }
}

fn find(body: &Body, pointer_bytes: u32, keep_pointers: bool) -> Candidates {
    let mut candidates = Candidates::default();
    let cfg = ControlFlowGraph::new(body);
    for &block in cfg.reverse_postorder() {
        for &id in &body.blocks[block].instructions {
            let data = &body.instructions[id];
            let result = data.results.first().copied();
            visit(
                body,
                &data.instruction,
                result,
                pointer_bytes,
                keep_pointers,
                &mut candidates,
            );
        }
        let terminator = &body.blocks[block].terminator;
        terminator.for_each_operand(|value| candidates.reject(value));
    }
    let object_of = |pointer| candidates.derived[pointer].map(|(object, _)| object);
    for object in outlived(body, &cfg, object_of) {
        candidates.objects[object].size = None;
    }
    candidates
}

fn visit(
    body: &Body,
    instruction: &Instruction,
    result: Option<ValueId>,
    pointer_bytes: u32,
    keep_pointers: bool,
    candidates: &mut Candidates,
) {
    let number = |value| match body.as_constant(value) {
        Some(Constant::Int(bits)) => u64::try_from(bits).ok(),
        _ => None,
    };
    match instruction {
        Instruction::Allocate {
            kind: AllocationKind::Stack,
            size,
            ..
        } => {
            if let (Some(size), Some(result)) = (number(*size), result) {
                candidates.objects[result].size = Some(size);
                candidates.derived[result] = Some((result, 0));
            }
        }
        Instruction::PointerAdd {
            base,
            constant,
            scaled,
        } => {
            scaled
                .iter()
                .for_each(|&(index, _)| candidates.reject(index));
            let moved = candidates.derived[*base]
                .and_then(|(object, offset)| Some((object, offset.checked_add(*constant)?)));
            match (moved, result) {
                (Some(place), Some(result)) if scaled.is_empty() => {
                    candidates.derived[result] = Some(place);
                }
                (_, _) => candidates.reject(*base),
            }
        }
        Instruction::Store { pointer, value, .. } => {
            candidates.reject(*value);
            let length = body.ty(*value).store_size(pointer_bytes);
            candidates.access(*pointer, Some(length.into()));
            if keep_pointers && body.ty(*value) == Type::Ptr {
                candidates.reject(*pointer);
            }
        }
        Instruction::MemorySet {
            destination,
            length,
            ..
        } => candidates.access(*destination, number(*length)),
        Instruction::LifetimeStart { pointer } | Instruction::LifetimeEnd { pointer } => {
            // Ending the life of an object by a pointer to its middle is too odd to follow.
            if candidates.derived[*pointer].is_some_and(|(object, _)| object != *pointer) {
                candidates.reject(*pointer);
            }
        }
        Instruction::Bind { .. } => {}
        other => other.for_each_operand(|value| candidates.reject(value)),
    }
}
