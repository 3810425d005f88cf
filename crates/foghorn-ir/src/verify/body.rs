//! Invariants of the structure of bodies.

use super::module::{span_exists, width_is_valid};
use super::{Invariant, Report};
use crate::body::{BlockId, Body, InstId, ValueDef, ValueId, truncate};
use crate::constant::Constant;
use crate::instruction::{Callee, Instruction, Terminator};
use crate::module::{Function, Module};
use crate::types::Type;
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;

/// Whether every reference leads to something, so that the rest can be looked at.
pub(super) fn verify_references(module: &Module, body: &Body, report: &mut Report) -> bool {
    let before = report.breaches.len();
    report.require(body.blocks.is_valid(body.entry), Invariant::Ids, || {
        format!("the entry {} does not exist", body.entry)
    });
    for (value, data) in body.values.iter() {
        verify_definition_ids(module, body, value, data.def, report);
    }
    for slot in body.variables.values().filter_map(|variable| variable.slot) {
        value_exists(body, slot, report);
    }
    let mut placed = EntitySet::new();
    for (id, block) in body.blocks.iter() {
        report.at(Some(id), None);
        for &param in &block.params {
            value_exists(body, param, report);
        }
        for &instruction in &block.instructions {
            report.at(Some(id), Some(instruction));
            if !body.instructions.is_valid(instruction) {
                report.add(Invariant::Ids, "the instruction does not exist");
                continue;
            }
            report.require(placed.insert(instruction), Invariant::Placement, || {
                "the instruction stands in a block already".to_owned()
            });
            verify_instruction_ids(module, body, instruction, report);
        }
        report.at(Some(id), None);
        verify_terminator_ids(body, &block.terminator, report);
    }
    report.at(None, None);
    if report.breaches.len() == before {
        verify_definitions(body, report);
    }
    report.breaches.len() == before
}

fn value_exists(body: &Body, value: ValueId, report: &mut Report) {
    report.require(body.values.is_valid(value), Invariant::Ids, || {
        format!("{value} does not exist")
    });
}

fn verify_definition_ids(
    module: &Module,
    body: &Body,
    value: ValueId,
    def: ValueDef,
    report: &mut Report,
) {
    let exists = match def {
        ValueDef::Param(block, _) => body.blocks.is_valid(block),
        ValueDef::Result(instruction, _) | ValueDef::Memory(instruction, _) => {
            body.instructions.is_valid(instruction)
        }
        ValueDef::Constant(Constant::Global(global)) => module.globals.is_valid(global),
        ValueDef::Constant(Constant::Function(function)) => module.functions.is_valid(function),
        ValueDef::Constant(
            Constant::Int(_) | Constant::F32(_) | Constant::F64(_) | Constant::Null,
        ) => true,
    };
    report.require(exists, Invariant::Ids, || {
        format!("{value} is defined by {def:?}, which does not exist")
    });
}

fn verify_instruction_ids(module: &Module, body: &Body, id: InstId, report: &mut Report) {
    let data = &body.instructions[id];
    data.for_each_definition(|value| value_exists(body, value, report));
    data.for_each_operand(|value| value_exists(body, value, report));
    if let Instruction::Call {
        callee: Callee::Direct(function),
        ..
    } = &data.instruction
    {
        report.require(module.functions.is_valid(*function), Invariant::Ids, || {
            format!("the callee {function} does not exist")
        });
    }
    if let Instruction::Bind { variable, .. } = &data.instruction {
        report.require(body.variables.is_valid(*variable), Invariant::Ids, || {
            format!("{variable} does not exist")
        });
    }
}

fn verify_terminator_ids(body: &Body, terminator: &Terminator, report: &mut Report) {
    terminator.for_each_operand(|value| value_exists(body, value, report));
    for target in terminator.targets() {
        report.require(body.blocks.is_valid(target.block), Invariant::Ids, || {
            format!("the target {} does not exist", target.block)
        });
    }
}

fn verify_definitions(body: &Body, report: &mut Report) {
    let mut definitions: SecondaryMap<ValueId, u32> = SecondaryMap::new();
    let mut demand = |value: ValueId, def: ValueDef, report: &mut Report| {
        definitions[value] += 1;
        let data = &body.values[value];
        report.require(data.def == def, Invariant::Definitions, || {
            format!("{value} says that it is defined by {:?}", data.def)
        });
    };
    for (id, block) in body.blocks.iter() {
        report.at(Some(id), None);
        for (index, &param) in (0..).zip(&block.params) {
            demand(param, ValueDef::Param(id, index), report);
        }
    }
    report.at(None, None);
    for (id, data) in body.instructions.iter() {
        report.at(None, Some(id));
        for (index, &result) in (0..).zip(&data.results) {
            if body.values.is_valid(result) {
                demand(result, ValueDef::Result(id, index), report);
            }
        }
        for (index, memory) in (0..).zip(&data.memory) {
            if let Some(output) = memory.output.filter(|&output| body.values.is_valid(output)) {
                demand(output, ValueDef::Memory(id, index), report);
            }
        }
    }
    report.at(None, None);
    for (value, data) in body.values.iter() {
        let expected = u32::from(!matches!(data.def, ValueDef::Constant(_)));
        report.require(
            definitions[value] == expected,
            Invariant::Definitions,
            || format!("{value} is defined {} times", definitions[value]),
        );
    }
}

/// Everything but references, types and dominance.
pub(super) fn verify(module: &Module, function: &Function, body: &Body, report: &mut Report) {
    verify_values(body, report);
    verify_spans(module, body, report);
    verify_entry(function, body, report);
    let mut returning: Option<BlockId> = None;
    for (id, block) in body.blocks.iter() {
        report.at(Some(id), None);
        verify_targets(body, &block.terminator, report);
        if let Terminator::Return { values } = &block.terminator {
            report.require(returning.is_none(), Invariant::Returns, || {
                format!("returns, and so does {}", returning.unwrap_or(id))
            });
            returning = Some(id);
            let types: Vec<_> = values.iter().map(|&v| body.ty(v)).collect();
            let mut expected = function.signature.results.clone();
            expected.extend(body.memory_results().map(Type::Memory));
            report.require(types == expected, Invariant::Returns, || {
                format!("returns {}, not {}", list(&types), list(&expected))
            });
        }
    }
    report.at(None, None);
}

fn verify_values(body: &Body, report: &mut Report) {
    let mut constants = FxHashMap::default();
    for (value, data) in body.values.iter() {
        report.require(width_is_valid(data.ty), Invariant::Widths, || {
            format!("{value} has type {}", data.ty)
        });
        let ValueDef::Constant(constant) = data.def else {
            continue;
        };
        report.require(
            constant_fits(data.ty, constant),
            Invariant::Constants,
            || format!("{value} is the constant {constant:?} of type {}", data.ty),
        );
        report.require(data.name.is_none(), Invariant::Constants, || {
            format!("the constant {value} has a name")
        });
        let first = *constants.entry((data.ty, constant)).or_insert(value);
        report.require(first == value, Invariant::Constants, || {
            format!("{value} is the same constant as {first}")
        });
    }
}

fn constant_fits(ty: Type, constant: Constant) -> bool {
    match (ty, constant) {
        (Type::Int(width), Constant::Int(bits)) => truncate(bits, width.into()) == bits,
        (Type::F32, Constant::F32(_)) | (Type::F64, Constant::F64(_)) => true,
        (Type::Ptr, Constant::Null | Constant::Global(_) | Constant::Function(_)) => true,
        (Type::Int(_) | Type::Ptr | Type::F32 | Type::F64 | Type::Memory(_), _) => false,
    }
}

fn verify_spans(module: &Module, body: &Body, report: &mut Report) {
    for (id, variable) in body.variables.iter() {
        report.require(span_exists(module, variable.span), Invariant::Spans, || {
            format!("the span of {id} does not exist")
        });
    }
    for (id, block) in body.blocks.iter() {
        for &instruction in &block.instructions {
            report.at(Some(id), Some(instruction));
            let span = body.instructions[instruction].span;
            report.require(span_exists(module, span), Invariant::Spans, || {
                "its span does not exist".to_owned()
            });
        }
        report.at(Some(id), None);
        report.require(
            span_exists(module, block.terminator_span),
            Invariant::Spans,
            || "the span of its terminator does not exist".to_owned(),
        );
    }
    report.at(None, None);
}

fn verify_entry(function: &Function, body: &Body, report: &mut Report) {
    let params = &body.blocks[body.entry].params;
    let types: Vec<_> = params.iter().map(|&v| body.ty(v)).collect();
    report.at(Some(body.entry), None);
    let mut expected = function.signature.params.clone();
    expected.extend(
        body.memory_parameters()
            .map(|(_, region)| Type::Memory(region)),
    );
    report.require(types == expected, Invariant::Entry, || {
        let (found, expected) = (list(&types), list(&expected));
        format!("the entry takes {found}, the function {expected}")
    });
    for (id, block) in body.blocks.iter() {
        let jumps_back = block.terminator.targets().any(|t| t.block == body.entry);
        report.require(!jumps_back, Invariant::Entry, || {
            format!("{id} jumps to the entry")
        });
    }
    report.at(None, None);
}

fn verify_targets(body: &Body, terminator: &Terminator, report: &mut Report) {
    for target in terminator.targets() {
        let types = |values: &[ValueId]| values.iter().map(|&v| body.ty(v)).collect::<Vec<_>>();
        let arguments = types(&target.arguments);
        let params = types(&body.blocks[target.block].params);
        report.require(arguments == params, Invariant::Targets, || {
            let (found, expected) = (list(&arguments), list(&params));
            format!("gives {} {found}, which takes {expected}", target.block)
        });
    }
}

/// `(i32, ptr)`
pub(super) fn list(types: &[Type]) -> String {
    let types: Vec<_> = types.iter().map(Type::to_string).collect();
    format!("({})", types.join(", "))
}
