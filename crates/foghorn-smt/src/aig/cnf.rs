//! From the graph to clauses.
//!
//! Tseitin's encoding with three refinements: exclusive-or and if-then-else shapes are found again
//! and encoded as one gate, trees of conjunctions whose inner nodes nobody else uses become one
//! wide conjunction, and only the directions of a definition that are needed are written down
//! (D. Plaisted, S. Greenbaum: A structure-preserving clause form translation).
//!
//! The encoder is incremental: it remembers which direction of which node has been written, and a
//! later call adds what is missing and nothing else.
//!
//! Invariant: for an edge returned by [`CnfEncoder::literal`], the clauses written imply that the
//! literal is at most as true as the edge; every assignment of the inputs extends to all
//! variables. So asserting or assuming literals preserves satisfiability and the input values of
//! any satisfying assignment are a model of the graph.

use super::{Aig, AigNode, Edge, Gate};
use cranelift_entity::SecondaryMap;

/// Receives clauses over variables numbered from 1, negative meaning negated.
pub trait ClauseSink {
    fn add_clause(&mut self, clause: &[i32]);
}

impl ClauseSink for Vec<Vec<i32>> {
    fn add_clause(&mut self, clause: &[i32]) {
        self.push(clause.to_vec());
    }
}

/// Which directions of a definition are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Direction {
    /// variable → definition
    Down,
    /// definition → variable
    Up,
}

impl Direction {
    fn flipped(self) -> Self {
        match self {
            Direction::Down => Direction::Up,
            Direction::Up => Direction::Down,
        }
    }

    fn for_edge(self, edge: Edge) -> Self {
        if edge.is_negated() {
            self.flipped()
        } else {
            self
        }
    }
}

#[derive(Clone, Copy, Default, Debug)]
struct NodeState {
    /// 0 if the node has no variable yet.
    variable: i32,
    down_written: bool,
    up_written: bool,
}

/// A conjunction as it will be encoded.
enum Shape {
    Xor(Edge, Edge),
    /// condition, then, else
    Mux(Edge, Edge, Edge),
    And(Vec<Edge>),
}

/// How directions are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Polarity {
    /// Only the directions that are needed (Plaisted and Greenbaum).
    #[default]
    Needed,
    /// Both, always (Tseitin).
    Both,
}

/// Remembers what has been written already.
#[derive(Clone, Debug, Default)]
pub struct CnfEncoder {
    states: SecondaryMap<AigNode, NodeState>,
    variables: i32,
    constant_written: bool,
    polarity: Polarity,
    scratch: Vec<i32>,
}

impl CnfEncoder {
    pub fn new(polarity: Polarity) -> Self {
        CnfEncoder {
            polarity,
            ..Self::default()
        }
    }

    /// Number of variables used so far.
    pub fn variable_count(&self) -> i32 {
        self.variables
    }

    /// The variable of a node, if it has one.
    pub fn variable_of(&self, node: AigNode) -> Option<i32> {
        Some(self.states[node].variable).filter(|v| *v != 0)
    }

    /// A fresh variable that no node has, for selectors and the like.
    pub fn fresh_variable(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }

    /// A literal that may be asserted or assumed to make `edge` true.
    pub fn literal(&mut self, aig: &Aig, edge: Edge, sink: &mut impl ClauseSink) -> i32 {
        self.write_cone(aig, edge, sink);
        self.edge_literal(edge)
    }

    /// Asserts `edge`; a top-level conjunction is asserted operand by operand.
    pub fn assert(&mut self, aig: &Aig, edge: Edge, sink: &mut impl ClauseSink) {
        let mut pending = vec![edge];
        while let Some(edge) = pending.pop() {
            let state = self.states[edge.node()];
            match (aig.gate(edge.node()), edge.is_negated()) {
                (Gate::And(left, right), false)
                    if state.variable == 0 && xor_or_mux(aig, left, right).is_none() =>
                {
                    pending.extend([right, left]);
                }
                (Gate::And(left, right), true)
                    if state.variable == 0 && xor_or_mux(aig, left, right).is_none() =>
                {
                    self.assert_disjunction(aig, !left, !right, sink);
                }
                (Gate::And(..) | Gate::Input | Gate::Constant, _) => {
                    let literal = self.literal(aig, edge, sink);
                    sink.add_clause(&[literal]);
                }
            }
        }
    }

    /// Asserts `left ∨ right`, flattening disjunctions below.
    fn assert_disjunction(
        &mut self,
        aig: &Aig,
        left: Edge,
        right: Edge,
        sink: &mut impl ClauseSink,
    ) {
        let mut pending = vec![right, left];
        let mut clause = Vec::new();
        while let Some(edge) = pending.pop() {
            let fresh = self.states[edge.node()].variable == 0;
            match aig.gate(edge.node()) {
                Gate::And(x, y)
                    if edge.is_negated() && fresh && xor_or_mux(aig, x, y).is_none() =>
                {
                    pending.extend([!y, !x]);
                }
                Gate::And(..) | Gate::Input | Gate::Constant => {
                    clause.push(self.literal(aig, edge, sink));
                }
            }
        }
        clause.sort_unstable();
        clause.dedup();
        sink.add_clause(&clause);
    }

    fn edge_literal(&mut self, edge: Edge) -> i32 {
        let variable = self.node_variable(edge.node());
        if edge.is_negated() {
            -variable
        } else {
            variable
        }
    }

    fn node_variable(&mut self, node: AigNode) -> i32 {
        if self.states[node].variable == 0 {
            self.variables += 1;
            self.states[node].variable = self.variables;
        }
        self.states[node].variable
    }

    fn write_cone(&mut self, aig: &Aig, edge: Edge, sink: &mut impl ClauseSink) {
        let mut pending = vec![(edge.node(), Direction::Down.for_edge(edge))];
        while let Some((node, direction)) = pending.pop() {
            match aig.gate(node) {
                Gate::Input => {
                    self.node_variable(node);
                }
                Gate::Constant => self.write_constant(node, sink),
                Gate::And(left, right) => {
                    if self.mark_written(node, direction) {
                        continue;
                    }
                    let shape = shape_of(aig, &self.states, left, right);
                    self.write_gate(node, direction, &shape, sink);
                    push_operands(&shape, direction, &mut pending);
                    if self.polarity == Polarity::Both {
                        pending.push((node, direction.flipped()));
                    }
                }
            }
        }
    }

    fn write_constant(&mut self, node: AigNode, sink: &mut impl ClauseSink) {
        if !self.constant_written {
            self.constant_written = true;
            let variable = self.node_variable(node);
            sink.add_clause(&[-variable]);
        }
    }

    /// Returns whether this direction had been written before.
    fn mark_written(&mut self, node: AigNode, direction: Direction) -> bool {
        let state = &mut self.states[node];
        let flag = match direction {
            Direction::Down => &mut state.down_written,
            Direction::Up => &mut state.up_written,
        };
        std::mem::replace(flag, true)
    }

    fn write_gate(
        &mut self,
        node: AigNode,
        direction: Direction,
        shape: &Shape,
        sink: &mut impl ClauseSink,
    ) {
        let output = self.node_variable(node);
        match shape {
            Shape::And(operands) => self.write_and(output, direction, operands, sink),
            Shape::Xor(left, right) => {
                let (a, b) = (self.edge_literal(*left), self.edge_literal(*right));
                match direction {
                    Direction::Down => {
                        sink.add_clause(&[-output, a, b]);
                        sink.add_clause(&[-output, -a, -b]);
                    }
                    Direction::Up => {
                        sink.add_clause(&[output, -a, b]);
                        sink.add_clause(&[output, a, -b]);
                    }
                }
            }
            Shape::Mux(condition, then, otherwise) => {
                let c = self.edge_literal(*condition);
                let t = self.edge_literal(*then);
                let e = self.edge_literal(*otherwise);
                match direction {
                    Direction::Down => {
                        sink.add_clause(&[-output, -c, t]);
                        sink.add_clause(&[-output, c, e]);
                        // Redundant, but lets equal branches decide without the condition.
                        sink.add_clause(&[-output, t, e]);
                    }
                    Direction::Up => {
                        sink.add_clause(&[output, -c, -t]);
                        sink.add_clause(&[output, c, -e]);
                        sink.add_clause(&[output, -t, -e]);
                    }
                }
            }
        }
    }

    fn write_and(
        &mut self,
        output: i32,
        direction: Direction,
        operands: &[Edge],
        sink: &mut impl ClauseSink,
    ) {
        match direction {
            Direction::Down => {
                for operand in operands {
                    let literal = self.edge_literal(*operand);
                    sink.add_clause(&[-output, literal]);
                }
            }
            Direction::Up => {
                let mut clause = std::mem::take(&mut self.scratch);
                clause.clear();
                clause.push(output);
                for operand in operands {
                    clause.push(-self.edge_literal(*operand));
                }
                sink.add_clause(&clause);
                self.scratch = clause;
            }
        }
    }
}

fn push_operands(shape: &Shape, direction: Direction, pending: &mut Vec<(AigNode, Direction)>) {
    let mut needed = |edge: Edge| pending.push((edge.node(), direction.for_edge(edge)));
    match shape {
        Shape::And(operands) => operands.iter().rev().for_each(|edge| needed(*edge)),
        Shape::Xor(left, right) => {
            for edge in [*left, !*left, *right, !*right] {
                needed(edge);
            }
        }
        Shape::Mux(condition, then, otherwise) => {
            for edge in [*condition, !*condition, *then, *otherwise] {
                needed(edge);
            }
        }
    }
}

/// Recognises `left ∧ right` as an exclusive or or a multiplexer.
fn xor_or_mux(aig: &Aig, left: Edge, right: Edge) -> Option<Shape> {
    if !left.is_negated() || !right.is_negated() {
        return None;
    }
    let (p0, p1) = aig.operands(left)?;
    let (q0, q1) = aig.operands(right)?;
    // ¬(p0 ∧ p1) ∧ ¬(¬p0 ∧ ¬p1) = p0 xor p1.
    if (p0 == !q0 && p1 == !q1) || (p0 == !q1 && p1 == !q0) {
        return Some(Shape::Xor(p0, p1));
    }
    // ¬(c ∧ t) ∧ ¬(¬c ∧ e) = if c then ¬t else ¬e.
    if p0 == !q0 {
        Some(Shape::Mux(p0, !p1, !q1))
    } else if p0 == !q1 {
        Some(Shape::Mux(p0, !p1, !q0))
    } else if p1 == !q0 {
        Some(Shape::Mux(p1, !p0, !q1))
    } else if p1 == !q1 {
        Some(Shape::Mux(p1, !p0, !q0))
    } else {
        None
    }
}

/// Widest conjunction we make; very wide clauses are watched badly.
const WIDEST: usize = 32;

fn shape_of(
    aig: &Aig,
    states: &SecondaryMap<AigNode, NodeState>,
    left: Edge,
    right: Edge,
) -> Shape {
    if let Some(shape) = xor_or_mux(aig, left, right) {
        return shape;
    }
    let mut operands = Vec::new();
    let mut pending = vec![right, left];
    while let Some(edge) = pending.pop() {
        match aig.gate(edge.node()) {
            Gate::And(x, y)
                if !edge.is_negated()
                    && aig.fanout(edge.node()) <= 1
                    && states[edge.node()].variable == 0
                    && operands.len() + pending.len() < WIDEST
                    && xor_or_mux(aig, x, y).is_none() =>
            {
                pending.extend([y, x]);
            }
            Gate::And(..) | Gate::Input | Gate::Constant => operands.push(edge),
        }
    }
    operands.sort_unstable();
    operands.dedup();
    Shape::And(operands)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Brute force: is there an assignment of all variables that satisfies the clauses and agrees
    /// with the given input values?
    fn extends(clauses: &[Vec<i32>], variables: i32, fixed: &[(i32, bool)]) -> bool {
        (0u32..1 << variables).any(|mask| {
            let value = |v: i32| mask >> (v - 1) & 1 == 1;
            fixed.iter().all(|(v, b)| value(*v) == *b)
                && clauses
                    .iter()
                    .all(|c| c.iter().any(|l| value(l.abs()) == (*l > 0)))
        })
    }

    fn check(polarity: Polarity, build: impl Fn(&mut Aig, &[Edge]) -> Edge) {
        let mut aig = Aig::new();
        let inputs: Vec<Edge> = (0..3).map(|_| aig.input()).collect();
        let root = build(&mut aig, &inputs);
        for (edge, assert) in [(root, true), (!root, true), (root, false), (!root, false)] {
            let mut encoder = CnfEncoder::new(polarity);
            let mut clauses: Vec<Vec<i32>> = Vec::new();
            if assert {
                encoder.assert(&aig, edge, &mut clauses);
            } else {
                let literal = encoder.literal(&aig, edge, &mut clauses);
                clauses.push(vec![literal]);
            }
            for mask in 0..8u32 {
                let bit = |node| {
                    inputs
                        .iter()
                        .position(|e| e.node() == node)
                        .is_some_and(|i| mask >> i & 1 == 1)
                };
                let expected = aig.evaluate(bit).value(edge);
                let fixed: Vec<(i32, bool)> = inputs
                    .iter()
                    .filter_map(|e| Some((encoder.variable_of(e.node())?, bit(e.node()))))
                    .collect();
                let found = extends(&clauses, encoder.variable_count(), &fixed);
                assert_eq!(found, expected, "{clauses:?} under {fixed:?}");
            }
        }
    }

    #[test]
    fn clauses_mean_what_the_graph_means() {
        for polarity in [Polarity::Needed, Polarity::Both] {
            check(polarity, |aig, x| {
                let t = aig.xor(x[0], x[1]);
                aig.xor(t, x[2])
            });
            check(polarity, |aig, x| aig.mux(x[0], x[1], !x[2]));
            check(polarity, Aig::and_all);
            check(polarity, |aig, x| {
                let both = aig.and(x[0], x[1]);
                let t = aig.xor(x[0], x[1]);
                let carry = aig.and(t, x[2]);
                aig.or(both, carry)
            });
            check(polarity, |aig, x| {
                let m = aig.mux(x[0], x[1], x[2]);
                let n = aig.or(m, x[0]);
                aig.xor(n, x[2])
            });
            check(polarity, |_, _| Edge::TRUE);
        }
    }
}
