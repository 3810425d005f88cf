//! Loop-closed SSA.
//!
//! Afterwards a value that is defined in a loop is used outside of it only as an argument of a jump
//! that leaves the loop: blocks to which a loop is left have a parameter for it. Whoever copies a
//! loop ([`crate::unroll`]) then only has to copy the arguments of such jumps.
//!
//! Every block to which a loop is left is reached from that loop only: an edge to a block that is
//! also reached from elsewhere gets a block of its own. For a value `v` of a loop, every block to
//! which the loop is left on the way to a use is dominated by the definition (else there would be a
//! way to the use around the definition), so its new parameter can receive `v` from all sides. Uses
//! then ask for what reaches them (Braun et al., CC 2013), which never leads back past these blocks.
//!
//! [`crate::simplify`] takes such parameters for the copies they are, and removes them again.

mod reach;

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use foghorn_ir::graph::{ControlFlowGraph, LoopForest, LoopId};
use foghorn_ir::{BlockId, Body, InstId, Target, Terminator, ValueDef, ValueId};
use reach::Reaching;
use rustc_hash::FxHashSet;

/// Where a value is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    Instruction(BlockId, InstId),
    Terminator(BlockId),
}

impl Use {
    fn block(self) -> BlockId {
        match self {
            Use::Instruction(block, _) | Use::Terminator(block) => block,
        }
    }
}

/// Runs the pass; returns how many values were closed. Unreachable blocks must be gone.
pub fn close_loops(body: &mut Body) -> usize {
    split_exits(body);
    let cfg = ControlFlowGraph::new(body);
    let forest = LoopForest::new(&cfg);
    let mut uses = uses(body, &cfg);
    let places = places(body, &cfg);
    let mut work: Vec<ValueId> = body.values.keys().rev().collect();
    let mut closed = 0;
    while let Some(value) = work.pop() {
        let Some(definition) = block_of(body, &places, value) else {
            continue;
        };
        let Some(around) = forest.innermost(definition) else {
            continue;
        };
        let outside: Vec<Use> = uses[value]
            .iter()
            .copied()
            .filter(|site| !forest.contains(around, site.block()))
            .collect();
        if outside.is_empty() {
            continue;
        }
        closed += 1;
        let mut reaching = Reaching::new(value, exits(&forest, around));
        for site in outside {
            let new = reaching.at(body, &cfg, &mut uses, site.block());
            replace(body, site, value, new);
            uses[new].push(site);
        }
        uses[value].retain(|site| forest.contains(around, site.block()));
        work.extend(reaching.made());
    }
    closed
}

/// The reachable block of each instruction.
fn places(body: &Body, cfg: &ControlFlowGraph) -> SecondaryMap<InstId, PackedOption<BlockId>> {
    let mut places = SecondaryMap::new();
    for &block in cfg.reverse_postorder() {
        for &id in &body.blocks[block].instructions {
            places[id] = block.into();
        }
    }
    places
}

/// The block that defines a value, if that is reachable; constants are defined nowhere.
fn block_of(
    body: &Body,
    places: &SecondaryMap<InstId, PackedOption<BlockId>>,
    value: ValueId,
) -> Option<BlockId> {
    match body.values[value].def {
        ValueDef::Param(block, _) => Some(block),
        ValueDef::Result(id, _) | ValueDef::Memory(id, _) => places[id].expand(),
        ValueDef::Constant(_) => None,
    }
}

fn uses(body: &Body, cfg: &ControlFlowGraph) -> SecondaryMap<ValueId, Vec<Use>> {
    let mut uses: SecondaryMap<ValueId, Vec<Use>> = SecondaryMap::new();
    for &block in cfg.reverse_postorder() {
        for &id in &body.blocks[block].instructions {
            let instruction = &body.instructions[id].instruction;
            instruction
                .for_each_operand(|value| note(&mut uses[value], Use::Instruction(block, id)));
        }
        let terminator = &body.blocks[block].terminator;
        terminator.for_each_operand(|value| note(&mut uses[value], Use::Terminator(block)));
    }
    uses
}

fn note(uses: &mut Vec<Use>, site: Use) {
    if uses.last() != Some(&site) {
        uses.push(site);
    }
}

/// Blocks to which a loop is left.
fn exits(forest: &LoopForest, id: LoopId) -> FxHashSet<BlockId> {
    let edges = forest.get(id).exits.iter();
    edges.map(|&(_, to)| to).collect()
}

fn replace(body: &mut Body, site: Use, old: ValueId, new: ValueId) {
    let exchange = |value: ValueId| if value == old { new } else { value };
    match site {
        Use::Instruction(_, id) => body.instructions[id].instruction.map_operands(exchange),
        Use::Terminator(block) => body.blocks[block].terminator.map_operands(exchange),
    }
}

/// Gives each edge that leaves a loop for a block that is also reached from elsewhere a block of
/// its own.
fn split_exits(body: &mut Body) {
    let cfg = ControlFlowGraph::new(body);
    let forest = LoopForest::new(&cfg);
    for &block in cfg.reverse_postorder() {
        let mut terminator =
            std::mem::replace(&mut body.blocks[block].terminator, Terminator::Unreachable);
        for target in terminator.targets_mut() {
            if leaves_for_shared(&cfg, &forest, block, target.block) {
                let middle = body.add_block();
                let span = body.blocks[block].terminator_span;
                let onward = std::mem::replace(target, Target::new(middle));
                body.blocks[middle].terminator = Terminator::Jump(onward);
                body.blocks[middle].terminator_span = span;
            }
        }
        body.blocks[block].terminator = terminator;
    }
}

/// Whether the edge leaves a loop and its end is also reached from outside of that loop.
fn leaves_for_shared(
    cfg: &ControlFlowGraph,
    forest: &LoopForest,
    from: BlockId,
    to: BlockId,
) -> bool {
    let mut around = forest.innermost(from);
    while let Some(id) = around.filter(|&id| !forest.contains(id, to)) {
        let from_elsewhere =
            |&other: &BlockId| cfg.is_reachable(other) && !forest.contains(id, other);
        if cfg.predecessors(to).iter().any(from_elsewhere) {
            return true;
        }
        around = forest.get(id).parent;
    }
    false
}
