//! Weak topological orders (Bourdoncle, "Efficient chaotic iteration strategies with widenings",
//! fig. 4).
//!
//! A hierarchical order of the nodes in which every edge that goes backwards leads to the head of a
//! component that contains its source: iterating each component until its head is stable, inner
//! ones first, is a good strategy, and the heads suffice as widening points.
//!
//! The order is flat: a component is its head followed by its body, and the head knows where the
//! body ends. The algorithm keeps its own stack, since graphs may be deep.

use cranelift_entity::EntityRef as _;

use crate::fixpoint::graph::{Graph, NodeId};

/// One place in the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    Node(NodeId),
    /// The head of the component that ends before position `end`.
    Head {
        node: NodeId,
        end: usize,
    },
}

impl Entry {
    #[must_use]
    pub fn node(self) -> NodeId {
        match self {
            Entry::Node(node) | Entry::Head { node, .. } => node,
        }
    }
}

/// The nodes that are reachable from the roots of a graph, in a weak topological order.
#[derive(Clone, Debug)]
pub struct WeakTopologicalOrder {
    entries: Vec<Entry>,
    /// By node; `None` for what is not reachable.
    positions: Vec<Option<usize>>,
}

/// The order is built from its end: this is the reverse of it.
enum Reversed {
    Node(NodeId),
    End,
    Head(NodeId),
}

/// A call of Bourdoncle's procedures that is not finished.
enum Pending {
    Visit {
        node: NodeId,
        next: usize,
        head: u32,
        in_loop: bool,
    },
    /// `head` is what the visit of the component's head will return.
    Component {
        node: NodeId,
        next: usize,
        head: u32,
    },
}

const DONE: u32 = u32::MAX;

struct Builder<'a> {
    graph: &'a Graph,
    /// 0: not visited; `DONE`: in the order; else the number of the visit.
    numbers: Vec<u32>,
    last_number: u32,
    stack: Vec<NodeId>,
    reversed: Vec<Reversed>,
}

impl Builder<'_> {
    fn begin(&mut self, node: NodeId) -> Pending {
        self.stack.push(node);
        self.last_number += 1;
        self.numbers[node.index()] = self.last_number;
        Pending::Visit {
            node,
            next: 0,
            head: self.last_number,
            in_loop: false,
        }
    }

    fn run(&mut self, root: NodeId) {
        let mut calls = vec![self.begin(root)];
        while let Some(call) = calls.pop() {
            match call {
                Pending::Visit {
                    node,
                    next,
                    head,
                    in_loop,
                } => {
                    self.visit(node, next, head, in_loop, &mut calls);
                }
                Pending::Component { node, next, head } => {
                    match self.graph.successors(node).get(next) {
                        Some(successor) => {
                            calls.push(Pending::Component {
                                node,
                                next: next + 1,
                                head,
                            });
                            if self.numbers[successor.index()] == 0 {
                                let visit = self.begin(*successor);
                                calls.push(visit);
                            }
                        }
                        None => {
                            self.reversed.push(Reversed::Head(node));
                            give_back(&mut calls, head);
                        }
                    }
                }
            }
        }
    }

    fn visit(
        &mut self,
        node: NodeId,
        next: usize,
        head: u32,
        in_loop: bool,
        calls: &mut Vec<Pending>,
    ) {
        if let Some(successor) = self.graph.successors(node).get(next) {
            let number = self.numbers[successor.index()];
            if number == 0 {
                calls.push(Pending::Visit {
                    node,
                    next: next + 1,
                    head,
                    in_loop,
                });
                let visit = self.begin(*successor);
                calls.push(visit);
            } else {
                let lower = number <= head;
                let (head, in_loop) = (head.min(number), in_loop || lower);
                calls.push(Pending::Visit {
                    node,
                    next: next + 1,
                    head,
                    in_loop,
                });
            }
            return;
        }
        if head != self.numbers[node.index()] {
            give_back(calls, head);
            return;
        }
        self.numbers[node.index()] = DONE;
        while let Some(popped) = self.stack.pop() {
            if popped == node {
                break;
            }
            self.numbers[popped.index()] = 0;
        }
        if in_loop {
            self.reversed.push(Reversed::End);
            calls.push(Pending::Component {
                node,
                next: 0,
                head,
            });
        } else {
            self.reversed.push(Reversed::Node(node));
            give_back(calls, head);
        }
    }
}

/// Returns the result of a visit to the caller; components ignore it.
fn give_back(calls: &mut [Pending], result: u32) {
    if let Some(Pending::Visit { head, in_loop, .. }) = calls.last_mut()
        && result <= *head
    {
        *head = result;
        *in_loop = true;
    }
}

impl WeakTopologicalOrder {
    #[must_use]
    pub fn new(graph: &Graph) -> WeakTopologicalOrder {
        let mut builder = Builder {
            graph,
            numbers: vec![0; graph.len()],
            last_number: 0,
            stack: Vec::new(),
            reversed: Vec::new(),
        };
        for root in graph.roots() {
            if builder.numbers[root.index()] == 0 {
                builder.run(*root);
            }
        }
        WeakTopologicalOrder::from_reversed(&builder.reversed, graph.len())
    }

    fn from_reversed(reversed: &[Reversed], count: usize) -> WeakTopologicalOrder {
        let mut entries = Vec::new();
        let mut positions = vec![None; count];
        let mut open = Vec::new();
        for item in reversed.iter().rev() {
            match item {
                Reversed::Node(node) => {
                    positions[node.index()] = Some(entries.len());
                    entries.push(Entry::Node(*node));
                }
                Reversed::Head(node) => {
                    open.push(entries.len());
                    positions[node.index()] = Some(entries.len());
                    entries.push(Entry::Head {
                        node: *node,
                        end: 0,
                    });
                }
                Reversed::End => {
                    let head = open.pop().expect("invariant: heads and ends are balanced");
                    let node = entries[head].node();
                    entries[head] = Entry::Head {
                        node,
                        end: entries.len(),
                    };
                }
            }
        }
        WeakTopologicalOrder { entries, positions }
    }

    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The position of a node, if it is reachable.
    #[must_use]
    pub fn position(&self, node: NodeId) -> Option<usize> {
        self.positions[node.index()]
    }

    /// Whether the node is the head of a component.
    #[must_use]
    pub fn is_head(&self, node: NodeId) -> bool {
        self.position(node)
            .is_some_and(|at| matches!(self.entries[at], Entry::Head { .. }))
    }
}

impl std::fmt::Display for WeakTopologicalOrder {
    /// In Bourdoncle's notation: components in parentheses, their heads first.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut ends: Vec<usize> = Vec::new();
        for (position, entry) in self.entries.iter().enumerate() {
            if position > 0 {
                formatter.write_str(" ")?;
            }
            match entry {
                Entry::Node(node) => write!(formatter, "{}", node.index())?,
                Entry::Head { node, end } => {
                    write!(formatter, "({}", node.index())?;
                    ends.push(*end);
                }
            }
            while ends.last() == Some(&(position + 1)) {
                formatter.write_str(")")?;
                ends.pop();
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use cranelift_entity::EntityRef as _;

    use super::{Entry, WeakTopologicalOrder};
    use crate::fixpoint::graph::{Graph, NodeId};
    use crate::laws::random::Random;

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
        let order = WeakTopologicalOrder::new(&graph(9, &edges));
        assert_eq!(order.to_string(), "0 1 2 (3 4 (5 6) 7) 8");
    }

    /// Every edge goes forward, or back to the head of a component that holds its source.
    fn is_weak_topological(graph: &Graph, order: &WeakTopologicalOrder) -> bool {
        (0..graph.len()).map(NodeId::new).all(|from| {
            let Some(at) = order.position(from) else {
                return true;
            };
            graph.successors(from).iter().all(|to| {
                let to_at = order.position(*to).expect("successors are reachable");
                match order.entries()[to_at] {
                    _ if to_at > at => true,
                    Entry::Head { end, .. } => at < end,
                    Entry::Node(_) => false,
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
            let order = WeakTopologicalOrder::new(&graph);
            assert!(is_weak_topological(&graph, &order), "{edges:?} {order}");
        }
    }

    #[test]
    fn deep_graphs_do_not_overflow_the_stack() {
        let count = 200_000;
        let mut edges: Vec<(usize, usize)> = (1..count).map(|n| (n - 1, n)).collect();
        edges.push((count - 1, 0));
        let graph = graph(count, &edges);
        assert!(is_weak_topological(
            &graph,
            &WeakTopologicalOrder::new(&graph)
        ));
    }
}
