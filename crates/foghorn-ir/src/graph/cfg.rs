//! The control-flow graph of a body.

use super::digraph::{DepthFirst, Digraph};
use crate::body::{BlockId, Body};
use cranelift_entity::SecondaryMap;

/// Edges between the blocks of a body, and the blocks that its entry reaches.
#[derive(Clone, Debug)]
pub struct ControlFlowGraph {
    graph: Digraph<BlockId>,
    entry: BlockId,
    reverse_postorder: Vec<BlockId>,
    /// Position in the reverse postorder, or `u32::MAX` for blocks that are not reachable.
    position: SecondaryMap<BlockId, u32>,
}

impl ControlFlowGraph {
    pub fn new(body: &Body) -> Self {
        let edges: Vec<_> = body
            .blocks
            .iter()
            .flat_map(|(from, block)| block.terminator.targets().map(move |to| (from, to.block)))
            .collect();
        Self::from_graph(Digraph::new(body.blocks.len(), &edges), body.entry)
    }

    /// Of a graph that does not stem from a body.
    pub fn from_graph(graph: Digraph<BlockId>, entry: BlockId) -> Self {
        let mut reverse_postorder = DepthFirst::new(&graph, &[entry]).postorder;
        reverse_postorder.reverse();
        let mut position = SecondaryMap::with_default(u32::MAX);
        for (index, &block) in (0..).zip(&reverse_postorder) {
            position[block] = index;
        }
        ControlFlowGraph {
            graph,
            entry,
            reverse_postorder,
            position,
        }
    }

    pub fn graph(&self) -> &Digraph<BlockId> {
        &self.graph
    }

    pub fn entry(&self) -> BlockId {
        self.entry
    }

    /// Targets of the block's terminator; one that is both targets of a branch comes twice.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        self.graph.successors(block)
    }

    /// Blocks that jump here, unreachable ones included; one that does so by both targets of a
    /// branch comes twice.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        self.graph.predecessors(block)
    }

    /// Reachable blocks; each block comes before its successors but for loops.
    pub fn reverse_postorder(&self) -> &[BlockId] {
        &self.reverse_postorder
    }

    /// Position in [`Self::reverse_postorder`]; `None` if the block is not reachable.
    pub fn position(&self, block: BlockId) -> Option<u32> {
        Some(self.position[block]).filter(|&p| p != u32::MAX)
    }

    /// Whether control can reach the block from the entry.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position[block] != u32::MAX
    }

    /// Reachable blocks without successors: returns, halts and `unreachable`.
    pub fn exits(&self) -> impl Iterator<Item = BlockId> + '_ {
        let ends = |block: &BlockId| self.successors(*block).is_empty();
        self.reverse_postorder.iter().copied().filter(ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::{Target, Terminator};
    use crate::types::Type;

    #[test]
    fn a_diamond_with_a_dead_block() {
        let mut body = Body::new();
        let condition = body.add_param(body.entry, Type::BOOL);
        let [left, right, join, dead] = std::array::from_fn(|_| body.add_block());
        body.blocks[body.entry].terminator = Terminator::Branch {
            condition,
            on_true: Target::new(left),
            on_false: Target::new(right),
        };
        for block in [left, right, dead] {
            body.blocks[block].terminator = Terminator::Jump(Target::new(join));
        }
        let cfg = ControlFlowGraph::new(&body);
        assert_eq!(cfg.successors(body.entry), [left, right]);
        assert_eq!(cfg.predecessors(join), [left, right, dead]);
        assert_eq!(cfg.reverse_postorder(), [body.entry, right, left, join]);
        assert!(!cfg.is_reachable(dead) && cfg.position(join) == Some(3));
        assert_eq!(cfg.exits().collect::<Vec<_>>(), [join]);
    }
}
