//! Weak topological orders of the graphs that are iterated over; the algorithm is [`foghorn_core::wto`].

use crate::fixpoint::graph::{Graph, NodeId};
use foghorn_core::wto::Successors;

pub use foghorn_core::wto::{WeakTopologicalOrder, WtoItem, WtoKind};

impl Successors<NodeId> for Graph {
    fn vertex_count(&self) -> usize {
        self.len()
    }

    fn successors(&self, vertex: NodeId) -> &[NodeId] {
        Graph::successors(self, vertex)
    }
}

#[cfg(test)]
mod tests {
    use cranelift_entity::EntityRef as _;

    use super::{WeakTopologicalOrder, WtoKind};
    use crate::fixpoint::graph::{Graph, NodeId};
    use crate::laws::random::Random;

    fn order_of(graph: &Graph) -> WeakTopologicalOrder<NodeId> {
        WeakTopologicalOrder::new(graph, graph.roots())
    }

    fn graph(count: usize, edges: &[(usize, usize)]) -> Graph {
        let mut graph = Graph::new(count, [NodeId::new(0)]);
        for (from, to) in edges {
            graph.add_edge(NodeId::new(*from), NodeId::new(*to));
        }
        graph
    }

    #[test]
    fn the_example_of_the_paper() {
        // Bourdoncle's fig. 1, with nodes 1 to 8 (0 is an entry added before 1).
        let edges = [
            (0, 1),
            (1, 2),
            (2, 3),
            (2, 8),
            (3, 4),
            (4, 5),
            (4, 7),
            (5, 6),
            (6, 5),
            (6, 7),
            (7, 3),
            (7, 8),
        ];
        let order = order_of(&graph(9, &edges));
        assert_eq!(order.to_string(), "0 1 2 (3 4 (5 6) 7) 8");
    }

    /// Every edge goes forward, or back to the head of a component that holds its source.
    fn is_weak_topological(graph: &Graph, order: &WeakTopologicalOrder<NodeId>) -> bool {
        (0..graph.len()).map(NodeId::new).all(|from| {
            let Some(at) = order.position(from) else {
                return true;
            };
            graph.successors(from).iter().all(|to| {
                let to_at = order.position(*to).expect("successors are reachable");
                match order.items()[to_at].kind {
                    _ if to_at > at => true,
                    WtoKind::Head { end } => at < end,
                    WtoKind::Vertex => false,
                }
            })
        })
    }

    #[test]
    fn random_graphs() {
        let mut random = Random::new(1, "wto");
        for _ in 0..500 {
            let count = 1 + random.below(12);
            let edges: Vec<(usize, usize)> = (0..random.below(30))
                .map(|_| (random.below(count), random.below(count)))
                .collect();
            let graph = graph(count, &edges);
            let order = order_of(&graph);
            assert!(is_weak_topological(&graph, &order), "{edges:?} {order}");
        }
    }

    #[test]
    fn deep_graphs_do_not_overflow_the_stack() {
        let count = 200_000;
        let mut edges: Vec<(usize, usize)> = (1..count).map(|n| (n - 1, n)).collect();
        edges.push((count - 1, 0));
        let graph = graph(count, &edges);
        assert!(is_weak_topological(&graph, &order_of(&graph)));
    }
}
