//! Weak topological orders: the order in which a fixpoint engine iterates.
//!
//! F. Bourdoncle, "Efficient chaotic iteration strategies with widenings", fig. 4, with its
//! two mutually recursive procedures on one explicit stack. The order is a well-parenthesised
//! sequence of vertices in which every edge `u → v` either goes forward or `v` is the head of a
//! component around `u`. So each cycle passes a head, and heads suffice as widening points.

use cranelift_entity::{EntityRef, SecondaryMap};
use std::fmt;

/// A directed graph over the indices `0..vertex_count`, as far as an order needs one.
pub trait Successors<N> {
    fn vertex_count(&self) -> usize;

    /// Where edges lead to, in a fixed order.
    fn successors(&self, vertex: N) -> &[N];
}

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

/// A weak topological order of the vertices that the roots reach.
#[derive(Clone, Debug)]
pub struct WeakTopologicalOrder<N: EntityRef> {
    items: Vec<WtoItem<N>>,
    position: SecondaryMap<N, u32>,
}

impl<N: EntityRef> WeakTopologicalOrder<N> {
    pub fn new(graph: &impl Successors<N>, roots: &[N]) -> Self {
        let items = Bourdoncle::new(graph).run(roots);
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

    /// Index of the vertex among [`Self::items`]; `None` if no root reaches it.
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

impl<N: EntityRef> fmt::Display for WeakTopologicalOrder<N> {
    /// In Bourdoncle's notation: components in parentheses, their heads first.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ends: Vec<usize> = Vec::new();
        for (position, item) in self.items.iter().enumerate() {
            if position > 0 {
                formatter.write_str(" ")?;
            }
            match item.kind {
                WtoKind::Vertex => write!(formatter, "{}", item.node.index())?,
                WtoKind::Head { end } => {
                    write!(formatter, "({}", item.node.index())?;
                    ends.push(end);
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

struct Bourdoncle<'g, G, N: EntityRef> {
    graph: &'g G,
    /// Depth-first number; 0 is unvisited, `u32::MAX` is placed in the order.
    number: SecondaryMap<N, u32>,
    next_number: u32,
    stack: Vec<N>,
    /// The order backwards; for a head, `end` is the index at which its component began.
    output: Vec<WtoItem<N>>,
}

const PLACED: u32 = u32::MAX;

impl<'g, G: Successors<N>, N: EntityRef> Bourdoncle<'g, G, N> {
    fn new(graph: &'g G) -> Self {
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

    fn run(mut self, roots: &[N]) -> Vec<WtoItem<N>> {
        for &root in roots {
            if self.number[root] == 0 {
                self.run_from(root);
            }
        }
        self.in_forward_order()
    }

    fn run_from(&mut self, root: N) {
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
