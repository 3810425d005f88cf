//! Recursive functions, copied level by level.
//!
//! The functions of a cycle of direct calls exist once for each level; a call within the cycle goes
//! one level down, and on the last level into a check that fails. Callers from outside, and pointers
//! to the functions, mean the first level.

use super::{Room, UnrollError, UnrollOptions};
use crate::cleanup::cleanup;
use cranelift_entity::SecondaryMap;
use foghorn_core::CheckKind;
use foghorn_ir::graph::{Digraph, StronglyConnected};
use foghorn_ir::{
    BlockId, Body, Callee, Constant, FunctionId, InstId, Instruction, Module, Terminator, Type,
};
use std::collections::BTreeSet;

/// Unrolls recursion; returns how many functions were copied.
pub fn unroll(
    module: &mut Module,
    options: &UnrollOptions,
    unknown: &mut BTreeSet<&str>,
    room: &mut Room,
) -> Result<usize, UnrollError> {
    let components = direct_components(module);
    let mut copied = 0;
    for index in 0..components.len() {
        if !components.is_cyclic(index) {
            continue;
        }
        let mut members = components.members(index).to_vec();
        members.sort_unstable();
        copied += members.len();
        let own = members.iter().filter_map(|&id| {
            let name = &module.functions[id].name;
            unknown.remove(&**name);
            options.bounds.get(&**name).copied()
        });
        let depth = own.max().unwrap_or(options.recursion);
        for &id in &members {
            let size = body_of(module, id).map_or(0, instruction_count);
            room.take(size, depth, &module.functions[id].name)?;
        }
        unroll_component(module, &members, depth);
    }
    Ok(copied)
}

fn body_of(module: &Module, id: FunctionId) -> Option<&Body> {
    module.functions[id].body.as_ref()
}

fn instruction_count(body: &Body) -> usize {
    body.blocks.values().map(|b| b.instructions.len()).sum()
}

/// Cycles of direct calls.
fn direct_components(module: &Module) -> StronglyConnected<FunctionId> {
    let mut edges = vec![];
    for (caller, function) in module.functions.iter() {
        let Some(body) = &function.body else { continue };
        let placed = body.blocks.values().flat_map(|block| &block.instructions);
        edges.extend(placed.filter_map(|&id| Some((caller, direct_callee(body, id)?))));
    }
    edges.sort_unstable();
    edges.dedup();
    StronglyConnected::new(&Digraph::new(module.functions.len(), &edges))
}

fn direct_callee(body: &Body, id: InstId) -> Option<FunctionId> {
    match body.instructions[id].instruction {
        Instruction::Call {
            callee: Callee::Direct(callee),
            ..
        } => Some(callee),
        _ => None,
    }
}

fn unroll_component(module: &mut Module, members: &[FunctionId], depth: u32) {
    // The functions of each level, by their originals.
    let mut levels: Vec<SecondaryMap<FunctionId, Option<FunctionId>>> = vec![];
    let mut first: SecondaryMap<FunctionId, Option<FunctionId>> = SecondaryMap::new();
    for &id in members {
        first[id] = Some(id);
    }
    levels.push(first);
    for level in 1..=depth {
        let mut copies: SecondaryMap<FunctionId, Option<FunctionId>> = SecondaryMap::new();
        for &id in members {
            let mut copy = module.functions[id].clone();
            copy.name = fresh_name(module, &format!("{}#{level}", copy.name)).into();
            copies[id] = Some(module.functions.push(copy));
        }
        levels.push(copies);
    }
    for (level, functions) in levels.iter().enumerate() {
        for &id in members {
            let at = functions[id].expect("invariant: every level has every function");
            let name = module.functions[id].name.clone();
            if let Some(body) = &mut module.functions[at].body {
                match levels.get(level + 1) {
                    Some(below) => redirect(body, below),
                    None => stop(body, members, &name, depth),
                }
            }
        }
    }
}

/// A name that no function has.
fn fresh_name(module: &Module, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    while module.function_named(&name).is_some() {
        name.push('#');
    }
    name
}

/// Sends calls within the cycle to the level below.
fn redirect(body: &mut Body, below: &SecondaryMap<FunctionId, Option<FunctionId>>) {
    for data in body.instructions.values_mut() {
        if let Instruction::Call {
            callee: Callee::Direct(callee),
            ..
        } = &mut data.instruction
            && let Some(copy) = below[*callee]
        {
            *callee = copy;
        }
    }
}

/// Ends blocks at calls within the cycle.
fn stop(body: &mut Body, members: &[FunctionId], name: &str, depth: u32) {
    let message = format!("recursion of {name} goes on after {depth} calls");
    for block in body.blocks.keys().collect::<Vec<BlockId>>() {
        let calls = |&id: &InstId| direct_callee(body, id).is_some_and(|f| members.contains(&f));
        let Some(at) = body.blocks[block].instructions.iter().position(calls) else {
            continue;
        };
        let span = body.instructions[body.blocks[block].instructions[at]].span;
        body.blocks[block].instructions.truncate(at);
        let condition = body.constant(Type::BOOL, Constant::Int(0));
        let check = Instruction::Check {
            kind: CheckKind::Unwinding,
            condition,
            message: Some(message.as_str().into()),
        };
        body.append(block, check, &[], span);
        body.blocks[block].terminator = Terminator::Unreachable;
    }
    cleanup(body);
}
