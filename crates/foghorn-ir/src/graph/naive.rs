//! Random graphs, and reachability by its definition, for testing.

use super::digraph::Digraph;
use crate::body::BlockId;
use cranelift_entity::EntityRef;
use proptest::prelude::*;

/// A graph for a property test; prints as its edges.
#[derive(Clone, Debug)]
pub struct RandomGraph {
    pub vertex_count: usize,
    pub edges: Vec<(usize, usize)>,
}

impl RandomGraph {
    /// Up to `limit` vertices, sparse enough to have unreachable parts and nested loops.
    pub fn strategy(limit: usize) -> impl Strategy<Value = RandomGraph> {
        (1..=limit).prop_flat_map(|vertex_count| {
            prop::collection::vec((0..vertex_count, 0..vertex_count), 0..=vertex_count * 2)
                .prop_map(move |edges| RandomGraph {
                    vertex_count,
                    edges,
                })
        })
    }

    pub fn graph(&self) -> Digraph<BlockId> {
        let edges: Vec<_> = self
            .edges
            .iter()
            .map(|&(a, b)| (BlockId::new(a), BlockId::new(b)))
            .collect();
        Digraph::new(self.vertex_count, &edges)
    }

    pub fn root(&self) -> BlockId {
        BlockId::new(0)
    }
}

/// Whether there is a path (of any length, also none) between the vertices.
pub fn reaches(graph: &Digraph<BlockId>, from: BlockId, to: BlockId) -> bool {
    reaches_within(graph, from, to, |_| true)
}

/// Whether there is a path that does not touch `without`.
pub fn reaches_without(
    graph: &Digraph<BlockId>,
    from: BlockId,
    to: BlockId,
    without: BlockId,
) -> bool {
    reaches_within(graph, from, to, |vertex| vertex != without)
}

/// Whether there is a path all of whose vertices, ends included, are allowed.
pub fn reaches_within(
    graph: &Digraph<BlockId>,
    from: BlockId,
    to: BlockId,
    allowed: impl Fn(BlockId) -> bool,
) -> bool {
    let mut seen = vec![false; graph.vertex_count()];
    let mut work = vec![from];
    while let Some(vertex) = work.pop() {
        if !allowed(vertex) || std::mem::replace(&mut seen[vertex.index()], true) {
            continue;
        }
        if vertex == to {
            return true;
        }
        work.extend(graph.successors(vertex));
    }
    false
}
