//! Directed graphs in compressed form, and depth-first search.
//!
//! Successors and predecessors of a vertex are slices of one array each, so that an algorithm can
//! hold a position in them on its own stack. Edges keep the order in which they were given; equal
//! edges are kept (a branch both of whose targets are one block has two).

use cranelift_entity::{EntityRef, SecondaryMap};

/// A directed graph over the indices `0..vertex_count`.
#[derive(Clone, Debug)]
pub struct Digraph<N> {
    forward: Adjacency<N>,
    backward: Adjacency<N>,
}

#[derive(Clone, Debug)]
struct Adjacency<N> {
    /// Where each vertex's neighbours start; one entry more than there are vertices.
    starts: Vec<u32>,
    neighbours: Vec<N>,
}

impl<N: EntityRef> Adjacency<N> {
    /// Counting sort of `edges` by their first component; stable.
    fn new(vertex_count: usize, edges: impl Iterator<Item = (N, N)> + Clone) -> Self {
        let mut starts = vec![0u32; vertex_count + 1];
        for (from, _) in edges.clone() {
            starts[from.index() + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut cursor = starts.clone();
        let total = starts[vertex_count] as usize;
        let mut neighbours = vec![N::new(0); total];
        for (from, to) in edges {
            let slot = &mut cursor[from.index()];
            neighbours[*slot as usize] = to;
            *slot += 1;
        }
        Adjacency { starts, neighbours }
    }

    fn of(&self, vertex: N) -> &[N] {
        let index = vertex.index();
        &self.neighbours[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

impl<N: EntityRef> Digraph<N> {
    /// The graph with these edges, all of which lie within `0..vertex_count`.
    pub fn new(vertex_count: usize, edges: &[(N, N)]) -> Self {
        Digraph {
            forward: Adjacency::new(vertex_count, edges.iter().copied()),
            backward: Adjacency::new(vertex_count, edges.iter().map(|&(a, b)| (b, a))),
        }
    }

    pub fn vertex_count(&self) -> usize {
        self.forward.starts.len() - 1
    }

    /// Every vertex, in the order of indices.
    pub fn vertices(&self) -> impl DoubleEndedIterator<Item = N> + use<N> {
        (0..self.vertex_count()).map(N::new)
    }

    /// Heads of the edges that leave `vertex`.
    pub fn successors(&self, vertex: N) -> &[N] {
        self.forward.of(vertex)
    }

    /// Tails of the edges that enter `vertex`.
    pub fn predecessors(&self, vertex: N) -> &[N] {
        self.backward.of(vertex)
    }

    /// The same graph with every edge turned around.
    #[must_use]
    pub fn reversed(self) -> Self {
        Digraph {
            forward: self.backward,
            backward: self.forward,
        }
    }
}

/// The tree of one depth-first search and the orders that it gives.
#[derive(Clone, Debug)]
pub struct DepthFirst<N: EntityRef> {
    /// Reached vertices in the order of discovery.
    pub preorder: Vec<N>,
    /// Reached vertices in the order in which they were left.
    pub postorder: Vec<N>,
    /// From which vertex each was discovered, as a position in `preorder`. Roots name themselves.
    pub parent: Vec<u32>,
    /// Position in `preorder`, or `u32::MAX`.
    number: SecondaryMap<N, u32>,
}

const UNREACHED: u32 = u32::MAX;

impl<N: EntityRef> DepthFirst<N> {
    /// Searches from the roots, in order, taking edges in order.
    pub fn new(graph: &Digraph<N>, roots: &[N]) -> Self {
        let mut search = DepthFirst {
            preorder: vec![],
            postorder: vec![],
            parent: vec![],
            number: SecondaryMap::with_default(UNREACHED),
        };
        search.number.resize(graph.vertex_count());
        for &root in roots {
            if !search.is_reached(root) {
                search.search_from(graph, root);
            }
        }
        search
    }

    fn search_from(&mut self, graph: &Digraph<N>, root: N) {
        let mut path = vec![(root, 0)];
        let own = self.discover(root, None);
        debug_assert_eq!(self.parent[own as usize], own);
        while let Some((vertex, next)) = path.last_mut() {
            let vertex = *vertex;
            let Some(&successor) = graph.successors(vertex).get(*next) else {
                self.postorder.push(vertex);
                path.pop();
                continue;
            };
            *next += 1;
            if !self.is_reached(successor) {
                self.discover(successor, Some(self.number[vertex]));
                path.push((successor, 0));
            }
        }
    }

    fn discover(&mut self, vertex: N, parent: Option<u32>) -> u32 {
        let number = u32::try_from(self.preorder.len()).expect("invariant: indices are 32 bits");
        self.number[vertex] = number;
        self.preorder.push(vertex);
        self.parent.push(parent.unwrap_or(number));
        number
    }

    /// Whether some root reaches `vertex`.
    pub fn is_reached(&self, vertex: N) -> bool {
        self.number[vertex] != UNREACHED
    }

    /// Position of `vertex` in the preorder.
    pub fn number(&self, vertex: N) -> Option<u32> {
        Some(self.number[vertex]).filter(|&n| n != UNREACHED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::BlockId;

    fn b(index: usize) -> BlockId {
        BlockId::new(index)
    }

    #[test]
    fn neighbours_keep_order_and_multiplicity() {
        let graph = Digraph::new(3, &[(b(0), b(2)), (b(0), b(1)), (b(0), b(2)), (b(2), b(0))]);
        assert_eq!(graph.successors(b(0)), [b(2), b(1), b(2)]);
        assert_eq!(graph.predecessors(b(2)), [b(0), b(0)]);
        assert_eq!(graph.successors(b(1)), []);
        assert_eq!(graph.reversed().successors(b(0)), [b(2)]);
    }

    #[test]
    fn search_orders() {
        let graph = Digraph::new(5, &[(b(0), b(1)), (b(1), b(2)), (b(0), b(2)), (b(3), b(0))]);
        let search = DepthFirst::new(&graph, &[b(0)]);
        assert_eq!(search.preorder, [b(0), b(1), b(2)]);
        assert_eq!(search.postorder, [b(2), b(1), b(0)]);
        assert!(!search.is_reached(b(3)) && search.number(b(4)).is_none());
    }

    #[test]
    fn a_long_path_needs_no_stack() {
        let count = 300_000;
        let edges: Vec<_> = (1..count).map(|i| (b(i - 1), b(i))).collect();
        let search = DepthFirst::new(&Digraph::new(count, &edges), &[b(0)]);
        assert_eq!(search.postorder[0], b(count - 1));
    }
}
