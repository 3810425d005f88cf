//! Where the allocation of an object for each of its lives can stand.

use super::{Place, Scoped};
use foghorn_ir::graph::{ControlFlowGraph, DominatorTree};
use foghorn_ir::{BlockId, Body, ValueId};
use rustc_hash::FxHashSet;

/// The latest place that comes before every use of the object and to which no way leads back but
/// through an end of its life. `None` if that is where the object is allocated already.
pub(super) fn find(
    body: &Body,
    cfg: &ControlFlowGraph,
    tree: &DominatorTree<BlockId>,
    scoped: &Scoped,
) -> Option<Place> {
    let mut place = before_uses(body, cfg, tree, scoped.object)?;
    while place.block != body.entry {
        if !comes_back(cfg, scoped, place) {
            return Some(place);
        }
        let block = tree.immediate_dominator(place.block)?;
        let at = body.blocks[block].instructions.len();
        place = Place { block, at };
    }
    None
}

/// The last place that comes before all uses of a value.
fn before_uses(
    body: &Body,
    cfg: &ControlFlowGraph,
    tree: &DominatorTree<BlockId>,
    value: ValueId,
) -> Option<Place> {
    let mut common: Option<BlockId> = None;
    for &block in cfg.reverse_postorder() {
        if first_use(body, block, value).is_some() {
            common = match common {
                None => Some(block),
                Some(other) => Some(tree.nearest_common_dominator(other, block)?),
            };
        }
    }
    let block = common?;
    let end = body.blocks[block].instructions.len();
    let at = first_use(body, block, value).unwrap_or(end);
    Some(Place { block, at })
}

/// The position of the first instruction of a block that uses a value; its length for the end.
fn first_use(body: &Body, block: BlockId, value: ValueId) -> Option<usize> {
    let data = &body.blocks[block];
    let at = data.instructions.iter().position(|&id| {
        let mut found = false;
        body.instructions[id].for_each_operand(|operand| found |= operand == value);
        found
    });
    at.or_else(|| {
        let mut found = false;
        data.terminator
            .for_each_operand(|operand| found |= operand == value);
        found.then_some(data.instructions.len())
    })
}

/// Whether some way leads from a place back to it without an end of the object's life.
fn comes_back(cfg: &ControlFlowGraph, scoped: &Scoped, place: Place) -> bool {
    let ends_in = |block: BlockId, from: usize, to: usize| {
        let mut ends = scoped.ends.iter();
        ends.any(|end| end.block == block && (from..to).contains(&end.at))
    };
    if ends_in(place.block, place.at, usize::MAX) {
        return false;
    }
    let mut seen: FxHashSet<BlockId> = FxHashSet::default();
    let mut work: Vec<BlockId> = cfg.successors(place.block).to_vec();
    while let Some(block) = work.pop() {
        if !seen.insert(block) {
            continue;
        }
        if block == place.block {
            if !ends_in(block, 0, place.at) {
                return true;
            }
            continue;
        }
        if !ends_in(block, 0, usize::MAX) {
            work.extend_from_slice(cfg.successors(block));
        }
    }
    false
}
