//! The loop forest.
//!
//! Loops are the components of a weak topological order ([`super::wto`]). On reducible graphs
//! these are the natural loops, with loops that share a header taken as one. A loop that can also
//! be entered elsewhere than at its header is irreducible and flagged as such; its header is the
//! entry that the order found first.

use super::cfg::ControlFlowGraph;
use super::wto::{WeakTopologicalOrder, WtoKind};
use crate::body::BlockId;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl, packed_option::PackedOption};

/// A loop of a [`LoopForest`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(u32);
entity_impl!(LoopId, "loop");

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    pub header: BlockId,
    /// The innermost loop around this one.
    pub parent: Option<LoopId>,
    /// The loops directly within this one.
    pub children: Vec<LoopId>,
    /// 1 for outermost loops.
    pub depth: u32,
    /// All blocks, those of inner loops included; the header first, else in weak topological order.
    pub blocks: Vec<BlockId>,
    /// Blocks of the loop that jump to the header, without repetition.
    pub latches: Vec<BlockId>,
    /// Edges that leave the loop, without repetition.
    pub exits: Vec<(BlockId, BlockId)>,
    /// Blocks other than the header at which the loop can be entered. Empty iff the loop is
    /// reducible.
    pub other_entries: Vec<BlockId>,
}

impl Loop {
    /// Whether the header dominates the loop.
    pub fn is_reducible(&self) -> bool {
        self.other_entries.is_empty()
    }
}

/// The loops of a control-flow graph; outer loops have smaller ids than the loops within them.
#[derive(Clone, Debug)]
pub struct LoopForest {
    loops: PrimaryMap<LoopId, Loop>,
    innermost: SecondaryMap<BlockId, PackedOption<LoopId>>,
    roots: Vec<LoopId>,
}

impl LoopForest {
    pub fn new(cfg: &ControlFlowGraph) -> Self {
        Self::from_order(cfg, &WeakTopologicalOrder::new(cfg.graph(), &[cfg.entry()]))
    }

    /// From an order of `cfg` that is at hand already.
    pub fn from_order(cfg: &ControlFlowGraph, order: &WeakTopologicalOrder<BlockId>) -> Self {
        let mut forest = LoopForest {
            loops: PrimaryMap::new(),
            innermost: SecondaryMap::new(),
            roots: vec![],
        };
        let mut around: Vec<(LoopId, usize)> = vec![];
        for (index, item) in order.items().iter().enumerate() {
            while around.last().is_some_and(|&(_, end)| end <= index) {
                around.pop();
            }
            if let WtoKind::Head { end } = item.kind {
                let blocks = order.items()[index..end].iter().map(|item| item.node);
                let parent = around.last().map(|&(id, _)| id);
                let inside = |block| {
                    order
                        .position(block)
                        .is_some_and(|p| (index..end).contains(&p))
                };
                let new = describe(cfg, blocks.collect(), inside);
                around.push((forest.enter(new, parent), end));
            }
            forest.innermost[item.node] = around.last().map(|&(id, _)| id).into();
        }
        forest
    }

    fn enter(&mut self, mut new: Loop, parent: Option<LoopId>) -> LoopId {
        new.parent = parent;
        new.depth = parent.map_or(1, |parent| self.loops[parent].depth + 1);
        let id = self.loops.push(new);
        match parent {
            Some(parent) => self.loops[parent].children.push(id),
            None => self.roots.push(id),
        }
        id
    }

    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id]
    }

    /// All loops, outer before inner.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (LoopId, &Loop)> {
        self.loops.iter()
    }

    pub fn len(&self) -> usize {
        self.loops.len()
    }

    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// The outermost loops.
    pub fn roots(&self) -> &[LoopId] {
        &self.roots
    }

    /// The innermost loop that contains the block.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block].expand()
    }

    /// Number of loops around the block.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.innermost(block).map_or(0, |id| self.loops[id].depth)
    }

    /// Whether the loop contains the block.
    pub fn contains(&self, id: LoopId, block: BlockId) -> bool {
        let mut at = self.innermost(block);
        while let Some(inner) = at.filter(|&inner| inner > id) {
            at = self.loops[inner].parent;
        }
        at == Some(id)
    }

    /// The loop with that header.
    pub fn with_header(&self, block: BlockId) -> Option<LoopId> {
        self.innermost(block)
            .filter(|&id| self.loops[id].header == block)
    }

    /// Whether some loop has several entries.
    pub fn has_irreducible(&self) -> bool {
        self.loops.values().any(|l| !l.is_reducible())
    }
}

/// The loop of these blocks, without its place in the forest.
fn describe(
    cfg: &ControlFlowGraph,
    blocks: Vec<BlockId>,
    inside: impl Fn(BlockId) -> bool,
) -> Loop {
    let header = blocks[0];
    let mut latches: Vec<_> = cfg.predecessors(header).to_vec();
    latches.retain(|&block| inside(block));
    latches.sort_unstable();
    latches.dedup();
    let mut exits = vec![];
    let mut other_entries = vec![];
    for &block in &blocks {
        let leaving = cfg.successors(block).iter().filter(|&&next| !inside(next));
        exits.extend(leaving.map(|&next| (block, next)));
        let enters = |&from: &BlockId| cfg.is_reachable(from) && !inside(from);
        if block != header && cfg.predecessors(block).iter().any(enters) {
            other_entries.push(block);
        }
    }
    exits.dedup();
    Loop {
        header,
        parent: None,
        children: vec![],
        depth: 0,
        blocks,
        latches,
        exits,
        other_entries,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::digraph::Digraph;
    use crate::graph::dominators::DominatorTree;
    use crate::graph::naive::{RandomGraph, reaches_without};
    use cranelift_entity::EntityRef;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        #[test]
        fn loops_agree_with_dominators(random in RandomGraph::strategy(14)) {
            let cfg = ControlFlowGraph::from_graph(random.graph(), random.root());
            let tree = DominatorTree::new(cfg.graph(), cfg.entry());
            let forest = LoopForest::new(&cfg);
            for (id, l) in forest.iter() {
                let dominated = l.blocks.iter().all(|&block| tree.dominates(l.header, block));
                prop_assert_eq!(l.is_reducible(), dominated, "{:?}", l);
                prop_assert!(!l.latches.is_empty());
                for block in cfg.graph().vertices() {
                    prop_assert_eq!(forest.contains(id, block), l.blocks.contains(&block));
                }
                for &child in &l.children {
                    prop_assert!(child > id && forest.get(child).parent == Some(id));
                    prop_assert_eq!(forest.get(child).depth, l.depth + 1);
                }
                for &(from, to) in &l.exits {
                    prop_assert!(l.blocks.contains(&from) && !l.blocks.contains(&to));
                }
            }
            // Every natural loop is (part of) the loop of its header.
            for &latch in cfg.reverse_postorder() {
                for &header in cfg.successors(latch) {
                    if !tree.dominates(header, latch) { continue; }
                    let id = forest.with_header(header);
                    prop_assert!(id.is_some(), "{} is the header of a natural loop", header);
                    for &block in cfg.reverse_postorder() {
                        let natural = block == header
                            || tree.dominates(header, block) && reaches_without(cfg.graph(), block, latch, header);
                        let member = forest.get(id.expect("checked")).blocks.contains(&block);
                        prop_assert!(!natural || member, "{} in the loop of {}", block, header);
                    }
                }
            }
        }
    }

    #[test]
    fn a_nest_and_an_irreducible_region() {
        let b = BlockId::new;
        let edges = [
            (0, 1),
            (1, 2),
            (2, 2),
            (2, 1),
            (1, 3),
            (3, 4),
            (3, 5),
            (4, 5),
            (5, 4),
            (5, 6),
        ];
        let edges: Vec<_> = edges.iter().map(|&(x, y)| (b(x), b(y))).collect();
        let cfg = ControlFlowGraph::from_graph(Digraph::new(7, &edges), b(0));
        let forest = LoopForest::new(&cfg);
        assert_eq!(forest.len(), 3);
        let outer = forest.with_header(b(1)).expect("the outer loop");
        let inner = forest.with_header(b(2)).expect("the inner loop");
        assert_eq!(forest.get(inner).parent, Some(outer));
        assert_eq!(forest.depth(b(2)), 2);
        assert_eq!(forest.get(outer).exits, [(b(1), b(3))]);
        let region = forest.get(forest.innermost(b(5)).expect("the region"));
        assert!(!region.is_reducible() && region.blocks.len() == 2);
        assert!(forest.has_irreducible() && forest.innermost(b(6)).is_none());
    }
}
