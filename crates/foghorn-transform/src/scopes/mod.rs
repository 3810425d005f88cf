//! A stack object is a new object each time its block is entered.
//!
//! clang allocates every local variable once, at the start of the function, and marks where each
//! of its lives begins and ends. A pointer that was kept from an earlier life must not point into
//! a later one, so an object that has several lives is allocated anew for each: its `allocate` moves
//! into the loop, to the place where the life begins. That is what every engine understands
//! already, from calls in loops and arrays of variable length.
//!
//! An object of which no address outlives the life ([`escape`]) stays as it is, allocated once:
//! nobody can tell the difference, and engines know more about an object that exists once.
//!
//! A life that begins while the last has not ended (a jump backwards within the block) is the same
//! life: C's object lives as long as its block, only its contents are indeterminate again. So the
//! allocation stands where no way leads back to it but through an end ([`place`]).

mod escape;
mod liveness;
mod place;

use escape::Escape;
use foghorn_ir::graph::{ControlFlowGraph, DominatorTree, StronglyConnected};
use foghorn_ir::{
    AllocationKind, BlockId, Body, FunctionId, InstId, Instruction, Module, ValueDef, ValueId,
};

/// A place in a body: before the instruction of that number of a block, or before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    block: BlockId,
    at: usize,
}

/// An object that is allocated once and may have several lives.
struct Scoped {
    allocation: InstId,
    object: ValueId,
    starts: Vec<Place>,
    ends: Vec<Place>,
}

/// An allocation that is to stand elsewhere.
struct Move {
    allocation: InstId,
    object: ValueId,
    place: Place,
    /// The object has one `lifetime-start`, which the allocation may replace.
    is_sole: bool,
}

/// Runs the pass; returns how many objects are allocated for each of their lives.
pub fn renew_objects(module: &mut Module) -> usize {
    let mut moves: Vec<(FunctionId, Vec<Move>)> = vec![];
    let mut escape = Escape::new(module);
    for (function, data) in &module.functions {
        if let Some(body) = &data.body {
            let found = find_moves(&mut escape, body);
            if !found.is_empty() {
                moves.push((function, found));
            }
        }
    }
    let mut count = 0;
    for (function, moves) in moves {
        if let Some(body) = &mut module.functions[function].body {
            count += moves.len();
            apply(body, &moves);
            crate::cleanup(body);
        }
    }
    count
}

fn find_moves(escape: &mut Escape<'_>, body: &Body) -> Vec<Move> {
    let objects = scoped_objects(body);
    if objects.is_empty() {
        return vec![];
    }
    let cfg = ControlFlowGraph::new(body);
    let components = StronglyConnected::new(cfg.graph());
    let repeated = |place: &Place| components.is_cyclic(components.component(place.block));
    let tree = DominatorTree::new(cfg.graph(), cfg.entry());
    let mut moves = vec![];
    for scoped in objects {
        if !scoped.starts.iter().any(repeated) {
            continue;
        }
        let Some(place) = place::find(body, &cfg, &tree, &scoped) else {
            continue;
        };
        if repeated(&place) && escape.outlives(body, &cfg, &tree, &scoped) {
            moves.push(Move {
                allocation: scoped.allocation,
                object: scoped.object,
                place,
                is_sole: scoped.starts.len() == 1,
            });
        }
    }
    moves
}

/// The stack objects that the entry allocates and that have a `lifetime-start`.
fn scoped_objects(body: &Body) -> Vec<Scoped> {
    let mut objects: Vec<Scoped> = vec![];
    for &allocation in &body.blocks[body.entry].instructions {
        let data = &body.instructions[allocation];
        if let Instruction::Allocate {
            kind: AllocationKind::Stack,
            size,
            ..
        } = data.instruction
            && body.as_constant(size).is_some()
        {
            objects.push(Scoped {
                allocation,
                object: data.results[0],
                starts: vec![],
                ends: vec![],
            });
        }
    }
    if objects.is_empty() {
        return objects;
    }
    for (block, data) in &body.blocks {
        for (at, &id) in data.instructions.iter().enumerate() {
            let place = Place { block, at };
            let (pointer, starts) = match body.instructions[id].instruction {
                Instruction::LifetimeStart { pointer } => (pointer, true),
                Instruction::LifetimeEnd { pointer } => (pointer, false),
                _ => continue,
            };
            let known = objects.iter_mut().find(|scoped| scoped.object == pointer);
            match (known, starts) {
                (Some(scoped), true) => scoped.starts.push(place),
                (Some(scoped), false) => scoped.ends.push(place),
                (None, _) => {}
            }
        }
    }
    objects.retain(|scoped| !scoped.starts.is_empty());
    objects
}

/// Moves allocations to their places. One that takes the place of the only `lifetime-start`
/// replaces it.
fn apply(body: &mut Body, moves: &[Move]) {
    let next_of = |step: &Move| {
        let instructions = &body.blocks[step.place.block].instructions;
        instructions.get(step.place.at).copied()
    };
    let next: Vec<Option<InstId>> = moves.iter().map(next_of).collect();
    let moved = |id: &InstId| moves.iter().any(|step| step.allocation == *id);
    let entry = body.entry;
    body.blocks[entry].instructions.retain(|id| !moved(id));
    for (step, next) in moves.iter().zip(next) {
        let start = Instruction::LifetimeStart {
            pointer: step.object,
        };
        let starts = next.is_some_and(|next| body.instructions[next].instruction == start);
        let instructions = &mut body.blocks[step.place.block].instructions;
        let at = next.and_then(|next| instructions.iter().position(|&id| id == next));
        let at = at.unwrap_or(instructions.len());
        match instructions.get_mut(at) {
            Some(start) if starts && step.is_sole => *start = step.allocation,
            Some(_) | None => instructions.insert(at, step.allocation),
        }
    }
}

/// The allocation of this body that a pointer is an offset of.
fn root(body: &Body, pointer: ValueId) -> Option<(InstId, ValueId)> {
    let mut value = pointer;
    loop {
        let ValueDef::Result(id, _) = body.values[value].def else {
            return None;
        };
        match &body.instructions[id].instruction {
            Instruction::PointerAdd { base, .. } => value = *base,
            Instruction::Allocate {
                kind: AllocationKind::Stack,
                ..
            } => return Some((id, value)),
            _ => return None,
        }
    }
}
