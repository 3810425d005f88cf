//! Whether a value is still used behind a place.

use super::{Place, Scoped};
use foghorn_ir::graph::ControlFlowGraph;
use foghorn_ir::{BlockId, Body, Instruction, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether any of the values is used after any of the places on a way that does not define it anew.
pub(super) fn is_live_after(
    body: &Body,
    cfg: &ControlFlowGraph,
    values: &FxHashSet<ValueId>,
    places: &[Place],
) -> bool {
    let mut uses: FxHashMap<ValueId, Vec<Place>> = FxHashMap::default();
    for &block in cfg.reverse_postorder() {
        let data = &body.blocks[block];
        let mut note = |value: ValueId, at: usize| {
            if values.contains(&value) {
                uses.entry(value).or_default().push(Place { block, at });
            }
        };
        for (at, &id) in data.instructions.iter().enumerate() {
            body.instructions[id].for_each_operand(|value| note(value, at));
        }
        let end = data.instructions.len();
        data.terminator.for_each_operand(|value| note(value, end));
    }
    let mut all = uses.iter();
    all.any(|(&value, uses)| {
        let definition = definition(body, value);
        let live = live_in(cfg, definition, uses);
        places
            .iter()
            .any(|&place| lives_past(cfg, definition, &live, uses, place))
    })
}

/// Whether any of the values is used after the end of a life and before the next one begins. Each
/// means the object of the present life, so a use in the next life is none of the last.
pub(super) fn is_used_when_dead(
    body: &Body,
    cfg: &ControlFlowGraph,
    values: &FxHashSet<ValueId>,
    scoped: &Scoped,
) -> bool {
    let start = Instruction::LifetimeStart {
        pointer: scoped.object,
    };
    let mut seen: FxHashSet<BlockId> = FxHashSet::default();
    let mut work: Vec<(BlockId, usize)> = vec![];
    work.extend(scoped.ends.iter().map(|end| (end.block, end.at + 1)));
    while let Some((block, from)) = work.pop() {
        let data = &body.blocks[block];
        let mut used = false;
        let mut starts = false;
        for &id in &data.instructions[from..] {
            let instruction = &body.instructions[id].instruction;
            if *instruction == start {
                starts = true;
                break;
            }
            if !matches!(
                instruction,
                Instruction::LifetimeStart { .. } | Instruction::LifetimeEnd { .. }
            ) {
                instruction.for_each_operand(|value| used |= values.contains(&value));
            }
        }
        if !starts {
            let terminator = &data.terminator;
            terminator.for_each_operand(|value| used |= values.contains(&value));
            let next = cfg.successors(block).iter().copied();
            work.extend(next.filter(|&next| seen.insert(next)).map(|next| (next, 0)));
        }
        if used {
            return true;
        }
    }
    false
}

/// Where a value is defined: parameters before everything else in their block.
fn definition(body: &Body, value: ValueId) -> Option<(BlockId, Option<usize>)> {
    match body.values[value].def {
        ValueDef::Param(block, _) => Some((block, None)),
        ValueDef::Result(id, _) | ValueDef::Memory(id, _) => {
            let mut blocks = body.blocks.iter();
            blocks.find_map(|(block, data)| {
                let at = data.instructions.iter().position(|&other| other == id)?;
                Some((block, Some(at)))
            })
        }
        ValueDef::Constant(_) => None,
    }
}

/// The blocks at whose start the value is live.
fn live_in(
    cfg: &ControlFlowGraph,
    definition: Option<(BlockId, Option<usize>)>,
    uses: &[Place],
) -> FxHashSet<BlockId> {
    let defining = definition.map(|(block, _)| block);
    let mut live = FxHashSet::default();
    let mut work: Vec<BlockId> = uses.iter().map(|place| place.block).collect();
    while let Some(block) = work.pop() {
        if Some(block) != defining && live.insert(block) {
            work.extend_from_slice(cfg.predecessors(block));
        }
    }
    live
}

fn lives_past(
    cfg: &ControlFlowGraph,
    definition: Option<(BlockId, Option<usize>)>,
    live_in: &FxHashSet<BlockId>,
    uses: &[Place],
    place: Place,
) -> bool {
    let has_value = match definition {
        Some((block, at)) if block == place.block => at.is_none_or(|at| at < place.at),
        Some(_) | None => live_in.contains(&place.block),
    };
    if !has_value {
        return false;
    }
    let used_below = uses
        .iter()
        .any(|other| other.block == place.block && other.at > place.at);
    let next = cfg.successors(place.block);
    used_below || next.iter().any(|block| live_in.contains(block))
}
