//! Directed graphs with roots, as the fixpoint engine sees them.

use cranelift_entity::{EntityRef, entity_impl};

/// A node of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);
entity_impl!(NodeId, "node");

/// A directed graph; iteration starts at the roots.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    successors: Vec<Vec<NodeId>>,
    predecessors: Vec<Vec<NodeId>>,
    roots: Vec<NodeId>,
}

impl Graph {
    /// A graph of `count` nodes without edges.
    #[must_use]
    pub fn new(count: usize, roots: impl IntoIterator<Item = NodeId>) -> Graph {
        Graph {
            successors: vec![Vec::new(); count],
            predecessors: vec![Vec::new(); count],
            roots: roots.into_iter().collect(),
        }
    }

    /// Adds an edge, once.
    pub fn add_edge(&mut self, from: NodeId, to: NodeId) {
        if !self.successors[from.index()].contains(&to) {
            self.successors[from.index()].push(to);
            self.predecessors[to.index()].push(from);
        }
    }

    #[must_use]
    pub fn successors(&self, node: NodeId) -> &[NodeId] {
        &self.successors[node.index()]
    }

    #[must_use]
    pub fn predecessors(&self, node: NodeId) -> &[NodeId] {
        &self.predecessors[node.index()]
    }

    #[must_use]
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    /// The graph with all edges turned around, starting from other roots.
    #[must_use]
    pub fn reversed(&self, roots: impl IntoIterator<Item = NodeId>) -> Graph {
        Graph {
            successors: self.predecessors.clone(),
            predecessors: self.successors.clone(),
            roots: roots.into_iter().collect(),
        }
    }
}
