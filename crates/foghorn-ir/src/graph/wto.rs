//! Weak topological orders of our graphs; the algorithm is [`foghorn_core::wto`].

use super::digraph::Digraph;
use cranelift_entity::EntityRef;
use foghorn_core::wto::Successors;

pub use foghorn_core::wto::{WeakTopologicalOrder, WtoItem, WtoKind};

impl<N: EntityRef> Successors<N> for Digraph<N> {
    fn vertex_count(&self) -> usize {
        Digraph::vertex_count(self)
    }

    fn successors(&self, vertex: N) -> &[N] {
        Digraph::successors(self, vertex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::BlockId;
    use crate::graph::naive::{RandomGraph, reaches, reaches_within};
    use proptest::prelude::*;

    #[test]
    fn a_loop_within_a_loop() {
        let edges = [
            (0, 1),
            (1, 2),
            (2, 3),
            (3, 4),
            (4, 5),
            (5, 4),
            (4, 6),
            (5, 6),
            (6, 2),
        ];
        let edges = edges.iter().copied().chain([(1, 7), (6, 7)]).collect();
        let random = RandomGraph {
            vertex_count: 8,
            edges,
        };
        let order = WeakTopologicalOrder::new(&random.graph(), &[random.root()]);
        assert_eq!(order.to_string(), "0 1 (2 3 (4 5) 6) 7");
        assert!(order.is_head(BlockId::new(4)) && !order.is_head(BlockId::new(5)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        /// The definition: an edge goes forward or to the head of a component around its source.
        /// And components are strongly connected, for else they would widen too much.
        #[test]
        fn the_definition_holds(random in RandomGraph::strategy(14)) {
            let (graph, root) = (random.graph(), random.root());
            let order = WeakTopologicalOrder::new(&graph, &[root]);
            for u in graph.vertices() {
                prop_assert_eq!(order.position(u).is_some(), reaches(&graph, root, u));
                let Some(from) = order.position(u) else { continue };
                for &v in graph.successors(u) {
                    let to = order.position(v).expect("a successor of a reached vertex");
                    let around = match order.items()[to].kind {
                        WtoKind::Vertex => false,
                        WtoKind::Head { end } => (to..end).contains(&from),
                    };
                    prop_assert!(from < to || around, "edge {} to {}: {}", u, v, order);
                }
            }
            for (begin, item) in order.items().iter().enumerate() {
                let WtoKind::Head { end } = item.kind else { continue };
                prop_assert!(begin < end && end <= order.items().len());
                let inside = |v| order.position(v).is_some_and(|at| (begin..end).contains(&at));
                for member in &order.items()[begin..end] {
                    prop_assert!(reaches_within(&graph, item.node, member.node, inside));
                    prop_assert!(reaches_within(&graph, member.node, item.node, inside));
                }
                for inner in &order.items()[begin..end] {
                    if let WtoKind::Head { end: inner_end } = inner.kind {
                        prop_assert!(inner_end <= end, "components nest");
                    }
                }
                let on_cycle = graph.successors(item.node).iter().any(|&next| inside(next));
                prop_assert!(on_cycle, "a head has a cycle");
            }
        }
    }

    #[test]
    fn a_deep_nest_needs_no_stack() {
        let depth = 2_000;
        let mut edges: Vec<_> = (1..depth).map(|i| (i - 1, i)).collect();
        edges.extend((0..depth).map(|i| (depth - 1, i)));
        let random = RandomGraph {
            vertex_count: depth,
            edges,
        };
        let order = WeakTopologicalOrder::new(&random.graph(), &[random.root()]);
        assert!(
            order
                .items()
                .iter()
                .all(|item| item.kind == WtoKind::Head { end: depth })
        );
    }
}
