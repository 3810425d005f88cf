//! Weak topological orders: the order in which a fixpoint engine iterates.
//!
//! F. Bourdoncle, "Efficient chaotic iteration strategies with widenings", fig. 4, with its
//! two mutually recursive procedures on one explicit stack. The order is a well-parenthesised
//! sequence of vertices in which every edge `u → v` either goes forward or `v` is the head of a
//! component around `u`. So each cycle passes a head, and heads suffice as widening points.

use super::digraph::Digraph;
use cranelift_entity::{EntityRef, SecondaryMap};

/// A vertex in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WtoItem<N> {
    pub node: N,
    pub kind: WtoKind,
}

/// What a vertex is to the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WtoKind {
    Vertex,
    /// The head of a component that consists of it and the items up to index `end`, exclusive.
    Head {
        end: usize,
    },
}

/// A weak topological order of the vertices that a root reaches.
#[derive(Clone, Debug)]
pub struct WeakTopologicalOrder<N: EntityRef> {
    items: Vec<WtoItem<N>>,
    position: SecondaryMap<N, u32>,
}

impl<N: EntityRef> WeakTopologicalOrder<N> {
    pub fn new(graph: &Digraph<N>, root: N) -> Self {
        let items = Bourdoncle::new(graph).run(root);
        let mut position = SecondaryMap::with_default(u32::MAX);
        position.resize(graph.vertex_count());
        for (index, item) in (0..).zip(&items) {
            position[item.node] = index;
        }
        WeakTopologicalOrder { items, position }
    }

    /// The flat order; heads say how far their components extend.
    pub fn items(&self) -> &[WtoItem<N>] {
        &self.items
    }

    /// Index of the vertex among [`Self::items`]; `None` if the root does not reach it.
    pub fn position(&self, vertex: N) -> Option<usize> {
        let position = self.position[vertex];
        (position != u32::MAX).then_some(position as usize)
    }

    /// Whether the vertex heads a component.
    pub fn is_head(&self, vertex: N) -> bool {
        self.position(vertex)
            .is_some_and(|at| matches!(self.items[at].kind, WtoKind::Head { .. }))
    }
}

/// A procedure of the paper in progress on a vertex.
struct Frame<N> {
    vertex: N,
    next: usize,
    /// The least depth-first number seen from here.
    head: u32,
    is_loop: bool,
    phase: Phase,
}

enum Phase {
    /// The paper's `Visit`.
    Visit,
    /// The paper's `Component`; the component's items begin at this index of the output.
    Component { begin: usize },
}

struct Bourdoncle<'g, N: EntityRef> {
    graph: &'g Digraph<N>,
    /// Depth-first number; 0 is unvisited, `u32::MAX` is placed in the order.
    number: SecondaryMap<N, u32>,
    next_number: u32,
    stack: Vec<N>,
    /// The order backwards; for a head, `end` is the index at which its component began.
    output: Vec<WtoItem<N>>,
}

const PLACED: u32 = u32::MAX;

impl<'g, N: EntityRef> Bourdoncle<'g, N> {
    fn new(graph: &'g Digraph<N>) -> Self {
        let mut number = SecondaryMap::new();
        number.resize(graph.vertex_count());
        Bourdoncle {
            graph,
            number,
            next_number: 1,
            stack: vec![],
            output: vec![],
        }
    }

    fn run(mut self, root: N) -> Vec<WtoItem<N>> {
        let mut frames = vec![self.visit(root)];
        while let Some(frame) = frames.last_mut() {
            if let Some(&successor) = self.graph.successors(frame.vertex).get(frame.next) {
                frame.next += 1;
                match self.number[successor] {
                    0 => frames.push(self.visit(successor)),
                    number => frame.sees(number),
                }
            } else if !self.turns_into_component(frame) {
                let head = frames.pop().map(|frame| self.leave(&frame));
                if let (Some(head), Some(parent)) = (head, frames.last_mut()) {
                    parent.sees(head);
                }
            }
        }
        self.in_forward_order()
    }

    fn visit(&mut self, vertex: N) -> Frame<N> {
        let number = self.next_number;
        self.next_number += 1;
        self.number[vertex] = number;
        self.stack.push(vertex);
        Frame {
            vertex,
            next: 0,
            head: number,
            is_loop: false,
            phase: Phase::Visit,
        }
    }

    /// A visit that found its vertex to be the head of a loop goes over the loop's vertices again,
    /// to order them without the head.
    fn turns_into_component(&mut self, frame: &mut Frame<N>) -> bool {
        if matches!(frame.phase, Phase::Component { .. })
            || !frame.is_loop
            || frame.head != self.number[frame.vertex]
        {
            return false;
        }
        while let Some(member) = self.stack.pop() {
            if member == frame.vertex {
                break;
            }
            self.number[member] = 0;
        }
        self.number[frame.vertex] = PLACED;
        frame.next = 0;
        frame.phase = Phase::Component {
            begin: self.output.len(),
        };
        true
    }

    /// Ends a frame; gives the number that its caller sees.
    fn leave(&mut self, frame: &Frame<N>) -> u32 {
        let kind = match frame.phase {
            Phase::Component { begin } => WtoKind::Head { end: begin },
            Phase::Visit if frame.head == self.number[frame.vertex] => {
                self.stack.pop();
                self.number[frame.vertex] = PLACED;
                WtoKind::Vertex
            }
            // Part of a loop whose head is still being visited.
            Phase::Visit => return frame.head,
        };
        self.output.push(WtoItem {
            node: frame.vertex,
            kind,
        });
        frame.head
    }

    fn in_forward_order(mut self) -> Vec<WtoItem<N>> {
        self.output.reverse();
        let count = self.output.len();
        for item in &mut self.output {
            match &mut item.kind {
                WtoKind::Vertex => {}
                WtoKind::Head { end } => *end = count - *end,
            }
        }
        self.output
    }
}

impl<N> Frame<N> {
    /// An edge leads to a vertex from which `number` can be seen.
    fn sees(&mut self, number: u32) {
        match self.phase {
            Phase::Visit if number <= self.head => {
                self.head = number;
                self.is_loop = true;
            }
            Phase::Visit | Phase::Component { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::BlockId;
    use crate::graph::naive::{RandomGraph, reaches, reaches_within};
    use proptest::prelude::*;

    fn show(order: &WeakTopologicalOrder<BlockId>) -> String {
        let mut text = String::new();
        let mut ends = vec![];
        for (index, item) in order.items().iter().enumerate() {
            while ends.last() == Some(&index) {
                text.push(')');
                ends.pop();
            }
            match item.kind {
                WtoKind::Vertex => text += &format!(" {}", item.node.index()),
                WtoKind::Head { end } => {
                    text += &format!(" ({}", item.node.index());
                    ends.push(end);
                }
            }
        }
        text + &")".repeat(ends.len())
    }

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
        let order = WeakTopologicalOrder::new(&random.graph(), random.root());
        assert_eq!(show(&order), " 0 1 (2 3 (4 5) 6) 7");
        assert!(order.is_head(BlockId::new(4)) && !order.is_head(BlockId::new(5)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        /// The definition: an edge goes forward or to the head of a component around its source.
        /// And components are strongly connected, for else they would widen too much.
        #[test]
        fn the_definition_holds(random in RandomGraph::strategy(14)) {
            let (graph, root) = (random.graph(), random.root());
            let order = WeakTopologicalOrder::new(&graph, root);
            for u in graph.vertices() {
                prop_assert_eq!(order.position(u).is_some(), reaches(&graph, root, u));
                let Some(from) = order.position(u) else { continue };
                for &v in graph.successors(u) {
                    let to = order.position(v).expect("a successor of a reached vertex");
                    let around = match order.items()[to].kind {
                        WtoKind::Vertex => false,
                        WtoKind::Head { end } => (to..end).contains(&from),
                    };
                    prop_assert!(from < to || around, "edge {} to {}: {}", u, v, show(&order));
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
        let order = WeakTopologicalOrder::new(&random.graph(), random.root());
        assert!(
            order
                .items()
                .iter()
                .all(|item| item.kind == WtoKind::Head { end: depth })
        );
    }
}
