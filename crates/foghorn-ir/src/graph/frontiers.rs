//! Dominance frontiers, and where a variable needs block parameters.
//!
//! The frontier of `a` holds the vertices where its dominance ends: those with a predecessor that
//! `a` dominates and that `a` itself does not strictly dominate. It is collected from the join
//! points (K. Cooper, T. Harvey, K. Kennedy, "A simple, fast dominance algorithm", fig. 5).

use super::digraph::Digraph;
use super::dominators::DominatorTree;
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};

/// The dominance frontier of every vertex of a dominator tree.
#[derive(Clone, Debug)]
pub struct DominanceFrontiers<N: EntityRef> {
    frontiers: SecondaryMap<N, Vec<N>>,
}

impl<N: EntityRef> DominanceFrontiers<N> {
    pub fn new(graph: &Digraph<N>, tree: &DominatorTree<N>) -> Self {
        let mut frontiers: SecondaryMap<N, Vec<N>> = SecondaryMap::new();
        frontiers.resize(graph.vertex_count());
        for &join in tree.preorder() {
            let end = tree.immediate_dominator(join);
            for &predecessor in graph.predecessors(join) {
                let mut at = Some(predecessor).filter(|&p| tree.contains(p));
                // Joins come one after the other, so that a repeated one can only be last.
                while let Some(vertex) = at.filter(|_| at != end) {
                    if frontiers[vertex].last() != Some(&join) {
                        frontiers[vertex].push(join);
                    }
                    at = tree.immediate_dominator(vertex);
                }
            }
        }
        DominanceFrontiers { frontiers }
    }

    /// Where the dominance of `vertex` ends, in an order that does not depend on hashing.
    pub fn of(&self, vertex: N) -> &[N] {
        &self.frontiers[vertex]
    }

    /// The iterated frontier: the vertices where values defined in `definitions` meet, and so the
    /// blocks that need a parameter for a variable assigned in `definitions`.
    pub fn iterated(&self, definitions: impl IntoIterator<Item = N>) -> Vec<N> {
        let mut work: Vec<N> = definitions.into_iter().collect();
        let mut seen = EntitySet::new();
        let mut meeting = vec![];
        while let Some(vertex) = work.pop() {
            for &join in self.of(vertex) {
                if seen.insert(join) {
                    meeting.push(join);
                    work.push(join);
                }
            }
        }
        meeting.sort_unstable_by_key(|vertex| vertex.index());
        meeting
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::naive::RandomGraph;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn frontiers_by_definition(random in RandomGraph::strategy(14)) {
            let graph = random.graph();
            let tree = DominatorTree::new(&graph, random.root());
            let frontiers = DominanceFrontiers::new(&graph, &tree);
            for a in graph.vertices() {
                let expected: Vec<_> = graph.vertices()
                    .filter(|&b| tree.contains(a) && !tree.strictly_dominates(a, b))
                    .filter(|&b| graph.predecessors(b).iter().any(|&p| tree.dominates(a, p)))
                    .collect();
                let mut found = frontiers.of(a).to_vec();
                found.sort_unstable();
                prop_assert_eq!(found, expected, "frontier of {}", a);
            }
        }

        #[test]
        fn the_iterated_frontier_is_closed(random in RandomGraph::strategy(14), start in 0usize..14) {
            let graph = random.graph();
            let tree = DominatorTree::new(&graph, random.root());
            let frontiers = DominanceFrontiers::new(&graph, &tree);
            let start = crate::body::BlockId::new(start % random.vertex_count);
            let iterated = frontiers.iterated([start]);
            for &vertex in iterated.iter().chain([&start]) {
                for join in frontiers.of(vertex) {
                    prop_assert!(iterated.contains(join));
                }
            }
            for &join in &iterated {
                let sources = graph.vertices().filter(|v| *v == start || iterated.contains(v));
                let reason = sources.into_iter().any(|v| frontiers.of(v).contains(&join));
                prop_assert!(reason, "{} is in no frontier", join);
            }
        }
    }
}
