//! Invariants of the pure form but for the order of contents, which is in `versions`.

use super::{Invariant, Report};
use crate::body::{BlockId, Body, InstructionData, ValueDef, ValueId};
use crate::instruction::{Builtin, Callee, Instruction};
use crate::memory::{Cell, Interface, MemoryRole, RegionId};
use crate::module::{FunctionId, Module};
use crate::types::Type;
use cranelift_entity::EntitySet;

/// Whether the ids of regions lead somewhere and the body keeps to its form.
pub(super) fn verify_form(body: &Body, report: &mut Report) -> bool {
    let before = report.breaches.len();
    if !body.is_pure() {
        report.require(body.regions.is_empty(), Invariant::Form, || {
            "an impure body has regions".to_owned()
        });
    }
    for (value, data) in body.values.iter() {
        let Some(region) = data.ty.region() else {
            continue;
        };
        report.require(body.is_pure(), Invariant::Form, || {
            format!("{value} is a memory in an impure body")
        });
        report.require(body.regions.is_valid(region), Invariant::Ids, || {
            format!("{value} has type {region}, which does not exist")
        });
    }
    for (id, data) in body.instructions.iter() {
        report.at(None, Some(id));
        report.require(
            body.is_pure() || data.memory.is_empty(),
            Invariant::Form,
            || "uses memory in an impure body".to_owned(),
        );
        for memory in &data.memory {
            report.require(body.regions.is_valid(memory.region), Invariant::Ids, || {
                format!("{} does not exist", memory.region)
            });
        }
    }
    report.at(None, None);
    report.breaches.len() == before
}

/// Everything but the order of contents.
pub(super) fn verify(module: &Module, body: &Body, report: &mut Report) {
    if !body.is_pure() {
        return;
    }
    verify_regions(body, report);
    verify_parameters(body, report);
    verify_definitions(body, report);
    for (id, block) in body.blocks.iter() {
        for &instruction in &block.instructions {
            report.at(Some(id), Some(instruction));
            let data = &body.instructions[instruction];
            verify_types(body, data, report);
            verify_uses(module, body, data, report);
            verify_scalar_operands(body, data, report);
        }
    }
    report.at(None, None);
}

fn verify_regions(body: &Body, report: &mut Report) {
    for (id, region) in body.regions.iter() {
        let fits = match region.cell {
            Cell::Bytes | Cell::Pointer => true,
            Cell::Word { bytes } => (1..=16).contains(&bytes),
        };
        report.require(fits, Invariant::Regions, || {
            format!("{id} has cells of {}", region.cell)
        });
    }
}

/// One parameter per region in a block, and for the entry exactly those of the interface, last.
fn verify_parameters(body: &Body, report: &mut Report) {
    for (id, block) in body.blocks.iter() {
        report.at(Some(id), None);
        let mut seen: EntitySet<RegionId> = EntitySet::new();
        for &param in &block.params {
            let Some(region) = body.ty(param).region() else {
                continue;
            };
            report.require(seen.insert(region), Invariant::Regions, || {
                format!("two parameters are contents of {region}")
            });
        }
        if id == body.entry {
            verify_interface(body, id, &seen, report);
        }
    }
    report.at(None, None);
}

fn verify_interface(body: &Body, entry: BlockId, given: &EntitySet<RegionId>, report: &mut Report) {
    let params = &body.blocks[entry].params;
    let is_memory = |&param: &ValueId| body.ty(param).region().is_some();
    let first = params.iter().position(is_memory).unwrap_or(params.len());
    report.require(
        params[first..].iter().all(is_memory),
        Invariant::Regions,
        || "a parameter of the function follows its memories".to_owned(),
    );
    for (id, region) in body.regions.iter() {
        let wanted = region.interface.is_parameter();
        report.require(wanted == given.contains(id), Invariant::Regions, || {
            let verb = if wanted { "lacks" } else { "has" };
            format!(
                "the entry {verb} a parameter for {id}, which is {}",
                region.interface
            )
        });
    }
}

/// Only block parameters, nondets and memory uses define memories.
fn verify_definitions(body: &Body, report: &mut Report) {
    for (value, data) in body.values.iter() {
        let region = data.ty.region();
        let fits = match data.def {
            ValueDef::Param(..) => true,
            ValueDef::Memory(..) => region.is_some(),
            ValueDef::Constant(_) => region.is_none(),
            ValueDef::Result(instruction, _) => region.is_none_or(|region| {
                let local = body.regions[region].interface == Interface::Local;
                let instruction = &body.instructions[instruction].instruction;
                local && matches!(instruction, Instruction::Nondet { .. })
            }),
        };
        report.require(fits, Invariant::Regions, || {
            format!("{value} of type {} is defined by {:?}", data.ty, data.def)
        });
    }
}

fn verify_types(body: &Body, data: &InstructionData, report: &mut Report) {
    for memory in &data.memory {
        for value in std::iter::once(memory.input).chain(memory.output) {
            let ty = body.ty(value);
            report.require(
                ty == Type::Memory(memory.region),
                Invariant::MemoryUses,
                || format!("{value} is {ty}, not {}", memory.region),
            );
        }
    }
}

/// Memories are used as memories only.
fn verify_scalar_operands(body: &Body, data: &InstructionData, report: &mut Report) {
    data.instruction.for_each_operand(|value| {
        report.require(
            body.ty(value).region().is_none(),
            Invariant::MemoryUses,
            || format!("the memory {value} is an operand"),
        );
    });
}

/// How many uses an instruction has of each kind, in this order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    None,
    /// One region, read or written.
    Access {
        writes: bool,
    },
    /// Destinations and then sources.
    Ranges {
        writes: bool,
        reads: bool,
    },
    /// As many destinations as sources.
    Copy,
    Call(FunctionId),
}

fn shape(module: &Module, instruction: &Instruction) -> Shape {
    let ranges = |writes, reads| Shape::Ranges { writes, reads };
    match instruction {
        Instruction::Load { .. } => Shape::Access { writes: false },
        Instruction::Store { .. } => Shape::Access { writes: true },
        Instruction::MemoryCopy { .. } => Shape::Copy,
        Instruction::MemorySet { .. } | Instruction::LifetimeStart { .. } => ranges(true, false),
        Instruction::Call { callee, .. } => match callee {
            Callee::Direct(function) if module.functions[*function].body.is_some() => {
                Shape::Call(*function)
            }
            // Calling what has no body leaves memory alone.
            Callee::Direct(_) | Callee::Indirect(_) => Shape::None,
            Callee::Builtin(builtin) => match builtin {
                Builtin::WriteOutput => ranges(false, true),
                Builtin::ReadInput | Builtin::HavocMemory | Builtin::HavocReachable(_) => {
                    ranges(true, false)
                }
                Builtin::FormatFloat => ranges(true, true),
                Builtin::IsDereferenceable
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
                | Builtin::Math(_) => Shape::None,
            },
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
        | Instruction::Allocate { .. }
        | Instruction::Free { .. }
        | Instruction::LifetimeEnd { .. }
        | Instruction::StackSave
        | Instruction::StackRestore { .. }
        | Instruction::Check { .. }
        | Instruction::Assume { .. }
        | Instruction::Bind { .. } => Shape::None,
    }
}

fn verify_uses(module: &Module, body: &Body, data: &InstructionData, report: &mut Report) {
    let uses = data.memory.iter();
    let found: Vec<_> = uses.map(|m| (m.role, m.output.is_some())).collect();
    let destinations = found
        .iter()
        .take_while(|&&use_| use_ == (MemoryRole::Destination, true))
        .count();
    let sources = &found[destinations..];
    let only_sources = sources
        .iter()
        .all(|&use_| use_ == (MemoryRole::Source, false));
    let fits = match shape(module, &data.instruction) {
        Shape::None => found.is_empty(),
        Shape::Access { writes } => found == [(MemoryRole::Access, writes)],
        Shape::Ranges { writes, reads } => {
            only_sources && (writes || destinations == 0) && (reads || sources.is_empty())
        }
        Shape::Copy => only_sources && sources.len() == destinations,
        Shape::Call(callee) => return verify_call(module, body, callee, data, report),
    };
    report.require(fits, Invariant::MemoryUses, || {
        format!("uses memory as {found:?}")
    });
    verify_distinct(data, report);
}

/// A region whose contents change is there once, but for the source of a copy.
fn verify_distinct(data: &InstructionData, report: &mut Report) {
    let mut written: EntitySet<RegionId> = EntitySet::new();
    for memory in data.memory.iter().filter(|m| m.output.is_some()) {
        report.require(written.insert(memory.region), Invariant::MemoryUses, || {
            format!("changes {} twice", memory.region)
        });
    }
    for memory in &data.memory {
        let is_argument = matches!(memory.role, MemoryRole::Argument(_));
        let clashes = is_argument && memory.output.is_none() && written.contains(memory.region);
        report.require(!clashes, Invariant::Bindings, || {
            format!("{} is both read and changed under two names", memory.region)
        });
    }
}

fn verify_call(
    module: &Module,
    body: &Body,
    callee: FunctionId,
    data: &InstructionData,
    report: &mut Report,
) {
    let function = &module.functions[callee];
    let Some(called) = &function.body else { return };
    let name = &function.name;
    if !report.require(called.is_pure(), Invariant::Form, || {
        format!("calls @{name}, which is impure")
    }) {
        return;
    }
    let parameters: Vec<_> = called
        .memory_parameters()
        .map(|(_, region)| region)
        .collect();
    report.require(
        data.memory.len() == parameters.len(),
        Invariant::Bindings,
        || {
            let (found, expected) = (data.memory.len(), parameters.len());
            format!("passes {found} memories to @{name}, which takes {expected}")
        },
    );
    for ((index, memory), &parameter) in (0..).zip(&data.memory).zip(&parameters) {
        let Some(expected) = called.regions.get(parameter) else {
            continue;
        };
        let passed = &body.regions[memory.region];
        let fits = memory.role == MemoryRole::Argument(index)
            && memory.output.is_some() == (expected.interface == Interface::Modified)
            && passed.cell == expected.cell;
        report.require(fits, Invariant::Bindings, || {
            format!(
                "passes {} of {} as {:?} to parameter {index} of @{name}, which is {} {}",
                memory.region, passed.cell, memory.role, expected.interface, expected.cell
            )
        });
    }
    verify_distinct(data, report);
}
