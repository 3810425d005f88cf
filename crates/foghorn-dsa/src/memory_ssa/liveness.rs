//! Where the contents of a region are needed, and where they meet.

use super::Plan;
use cranelift_entity::{EntitySet, SecondaryMap};
use foghorn_ir::graph::{ControlFlowGraph, DominanceFrontiers, DominatorTree};
use foghorn_ir::{BlockId, Body, RegionId, Terminator};

/// The regions that get a parameter, per block.
pub(super) type Joins = SecondaryMap<BlockId, Vec<RegionId>>;

/// Blocks that use and that define a region.
#[derive(Clone, Debug, Default)]
struct Touches {
    /// Blocks that use what they find.
    uses: Vec<BlockId>,
    definitions: Vec<BlockId>,
}

/// Uses and definitions of all regions. Every write takes the contents before it, so a block that
/// touches a region at all uses what it finds.
#[derive(Debug)]
pub(super) struct Liveness {
    touches: SecondaryMap<RegionId, Touches>,
}

impl Liveness {
    pub fn new(body: &Body, cfg: &ControlFlowGraph, plan: &Plan) -> Self {
        let mut touches: SecondaryMap<RegionId, Touches> = SecondaryMap::new();
        for &block in cfg.reverse_postorder() {
            for &instruction in &body.blocks[block].instructions {
                for planned in plan.uses_of(instruction) {
                    let touches = &mut touches[planned.region];
                    note(&mut touches.uses, block);
                    if planned.modifies {
                        note(&mut touches.definitions, block);
                    }
                }
            }
            if let Terminator::Return { .. } = body.blocks[block].terminator {
                for region in plan.results() {
                    note(&mut touches[region].uses, block);
                }
            }
        }
        Liveness { touches }
    }

    pub fn is_used(&self, region: RegionId) -> bool {
        !self.touches[region].uses.is_empty()
    }

    /// Where different contents of a region meet that are needed from there on.
    pub fn joins(&self, cfg: &ControlFlowGraph, tree: &DominatorTree<BlockId>) -> Joins {
        let frontiers = DominanceFrontiers::new(cfg.graph(), tree);
        let mut joins = Joins::new();
        for region in self.touches.keys() {
            let Touches { uses, definitions } = &self.touches[region];
            // What the entry begins with dominates everything, and so has no frontier of its own.
            let meeting = frontiers.iterated(definitions.iter().copied());
            if meeting.is_empty() {
                continue;
            }
            let live = live_in(cfg, uses);
            for block in meeting.into_iter().filter(|&block| live.contains(block)) {
                joins[block].push(region);
            }
        }
        joins
    }
}

/// Blocks come one after the other, so that a repeated one can only be last.
fn note(blocks: &mut Vec<BlockId>, block: BlockId) {
    if blocks.last() != Some(&block) {
        blocks.push(block);
    }
}

/// Blocks from which a use is reached. A definition does not end the life of contents, as it uses
/// them itself.
fn live_in(cfg: &ControlFlowGraph, uses: &[BlockId]) -> EntitySet<BlockId> {
    let mut live = EntitySet::new();
    let mut work = uses.to_vec();
    while let Some(block) = work.pop() {
        if live.insert(block) {
            let predecessors = cfg.predecessors(block).iter().copied();
            work.extend(predecessors.filter(|&p| cfg.is_reachable(p)));
        }
    }
    live
}
