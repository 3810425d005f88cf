//! A structurally hashed and-inverter graph.
//!
//! The bit-blaster builds its circuits here and not directly as clauses, because a graph can see
//! that two gates are the same gate, that a gate is constant, or that one gate makes another
//! superfluous; a set of clauses cannot. Every node is an input or the conjunction of two edges;
//! an edge is a node with a polarity.
//!
//! Invariants:
//! - Node 0 is the constant; [`Edge::TRUE`] and [`Edge::FALSE`] are its two edges.
//! - The operands of a conjunction are older than the conjunction, so node order is topological.
//! - The operands are ordered (larger edge first) and never constant, equal or complementary.
//! - No two conjunctions have the same operands.
//!
//! The local rewriting of [`rewrite`] follows the one- and two-level rules that never make the
//! graph larger (R. Brummayer, A. Biere: Local two-level and-inverter graph minimization without
//! blowup).

pub mod cnf;
mod rewrite;

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use rustc_hash::FxHashMap;
use std::ops::Not;

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AigNode(u32);
entity_impl!(AigNode, "n");

/// A node with a polarity: the low bit set means negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge(u32);

impl Edge {
    pub const FALSE: Edge = Edge(0);
    pub const TRUE: Edge = Edge(1);

    /// The constant edge with this value.
    pub fn constant(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    pub(crate) fn positive(node: AigNode) -> Self {
        let index = u32::try_from(node.index()).expect("invariant: node indices fit in 31 bits");
        Edge(index << 1)
    }

    pub fn node(self) -> AigNode {
        AigNode::new((self.0 >> 1) as usize)
    }

    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// `Some` if the edge is constant.
    pub fn as_constant(self) -> Option<bool> {
        match self {
            Self::TRUE => Some(true),
            Self::FALSE => Some(false),
            Edge(_) => None,
        }
    }

    /// This edge, negated if `negate`.
    #[must_use]
    pub fn negate_if(self, negate: bool) -> Self {
        Edge(self.0 ^ u32::from(negate))
    }
}

impl Not for Edge {
    type Output = Edge;
    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// The constant (node 0 only); its positive edge is false.
    Constant,
    Input,
    And(Edge, Edge),
}

/// The graph.
#[derive(Clone, Debug)]
pub struct Aig {
    gates: PrimaryMap<AigNode, Gate>,
    inputs: Vec<AigNode>,
    unique: FxHashMap<(Edge, Edge), AigNode>,
    /// How many conjunctions use each node.
    fanout: SecondaryMap<AigNode, u32>,
}

impl Default for Aig {
    fn default() -> Self {
        Self::new()
    }
}

impl Aig {
    pub fn new() -> Self {
        let mut gates = PrimaryMap::new();
        gates.push(Gate::Constant);
        Aig {
            gates,
            inputs: Vec::new(),
            unique: FxHashMap::default(),
            fanout: SecondaryMap::new(),
        }
    }

    /// Number of nodes, inputs and the constant included.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// True if nothing but the constant exists.
    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }

    pub fn gate(&self, node: AigNode) -> Gate {
        self.gates[node]
    }

    /// The operands of the conjunction that `edge` leads to, whatever its polarity.
    pub(crate) fn operands(&self, edge: Edge) -> Option<(Edge, Edge)> {
        match self.gates[edge.node()] {
            Gate::And(left, right) => Some((left, right)),
            Gate::Input | Gate::Constant => None,
        }
    }

    pub fn input(&mut self) -> Edge {
        let node = self.gates.push(Gate::Input);
        self.inputs.push(node);
        Edge::positive(node)
    }

    /// Every input, oldest first.
    pub fn inputs(&self) -> impl Iterator<Item = AigNode> {
        self.inputs.iter().copied()
    }

    /// Conjunction, simplified locally.
    pub fn and(&mut self, left: Edge, right: Edge) -> Edge {
        match rewrite::simplify(self, left, right) {
            rewrite::Outcome::Edge(edge) => edge,
            rewrite::Outcome::And(left, right) => self.hashed_and(left, right),
        }
    }

    fn hashed_and(&mut self, left: Edge, right: Edge) -> Edge {
        let key = if left > right {
            (left, right)
        } else {
            (right, left)
        };
        if let Some(node) = self.unique.get(&key) {
            return Edge::positive(*node);
        }
        let node = self.gates.push(Gate::And(key.0, key.1));
        self.unique.insert(key, node);
        self.fanout[key.0.node()] += 1;
        self.fanout[key.1.node()] += 1;
        Edge::positive(node)
    }

    /// How many conjunctions use `node`.
    pub fn fanout(&self, node: AigNode) -> u32 {
        self.fanout[node]
    }

    pub fn or(&mut self, left: Edge, right: Edge) -> Edge {
        !self.and(!left, !right)
    }

    pub fn implies(&mut self, left: Edge, right: Edge) -> Edge {
        !self.and(left, !right)
    }

    /// Exclusive or. The polarity of the operands is pulled out first, so that `a ^ b`, `!a ^ b`
    /// and `!(a ^ b)` are one gate.
    pub fn xor(&mut self, left: Edge, right: Edge) -> Edge {
        let negate = left.is_negated() != right.is_negated();
        let left = left.negate_if(left.is_negated());
        let right = right.negate_if(right.is_negated());
        let both = self.and(left, right);
        let neither = self.and(!left, !right);
        self.and(!both, !neither).negate_if(negate)
    }

    pub fn iff(&mut self, left: Edge, right: Edge) -> Edge {
        !self.xor(left, right)
    }

    /// If-then-else.
    pub fn mux(&mut self, condition: Edge, then: Edge, otherwise: Edge) -> Edge {
        if let Some(value) = condition.as_constant() {
            return if value { then } else { otherwise };
        }
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            return self.iff(condition, then);
        }
        if condition.is_negated() {
            return self.mux(!condition, otherwise, then);
        }
        let first = self.and(condition, then);
        let second = self.and(!condition, otherwise);
        self.or(first, second)
    }

    /// Conjunction of many, as a balanced tree: shallow circuits propagate sooner.
    pub fn and_all(&mut self, edges: &[Edge]) -> Edge {
        let mut layer = edges.to_vec();
        while layer.len() > 1 {
            layer = layer
                .chunks(2)
                .map(|pair| match pair {
                    [left, right] => self.and(*left, *right),
                    rest => rest[0],
                })
                .collect();
        }
        layer.first().copied().unwrap_or(Edge::TRUE)
    }

    /// Disjunction of many.
    pub fn or_all(&mut self, edges: &[Edge]) -> Edge {
        let negated: Vec<Edge> = edges.iter().map(|edge| !*edge).collect();
        !self.and_all(&negated)
    }

    /// The value of every node under an assignment of the inputs. One pass, because node order is
    /// topological.
    pub fn evaluate(&self, input: impl FnMut(AigNode) -> bool) -> AigValues {
        let mut values = AigValues::default();
        self.evaluate_up_to(&mut values, AigNode::new(self.gates.len()), input);
        values
    }

    /// Adds the values of the nodes older than `end` that are missing.
    pub fn evaluate_up_to(
        &self,
        values: &mut AigValues,
        end: AigNode,
        mut input: impl FnMut(AigNode) -> bool,
    ) {
        let values = &mut values.values;
        for index in values.len()..end.index() {
            let node = AigNode::new(index);
            let value = match self.gates[node] {
                Gate::Constant => false,
                Gate::Input => input(node),
                Gate::And(left, right) => edge_value(values, left) && edge_value(values, right),
            };
            values.push(value);
        }
    }
}

fn edge_value(values: &[bool], edge: Edge) -> bool {
    values[edge.node().index()] != edge.is_negated()
}

/// The values of nodes under one assignment, the oldest nodes first.
#[derive(Clone, Debug, Default)]
pub struct AigValues {
    values: Vec<bool>,
}

impl AigValues {
    pub fn value(&self, edge: Edge) -> bool {
        edge_value(&self.values, edge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_gates_are_one_gate() {
        let mut aig = Aig::new();
        let (a, b) = (aig.input(), aig.input());
        assert_eq!(aig.and(a, b), aig.and(b, a));
        assert_eq!(aig.xor(a, b), aig.xor(!b, !a));
        assert_eq!(aig.xor(a, !b), !aig.xor(a, b));
        assert_eq!(aig.mux(a, b, !b), aig.iff(a, b));
    }

    #[test]
    fn balanced_conjunction_is_the_conjunction() {
        let mut aig = Aig::new();
        let inputs: Vec<Edge> = (0..7).map(|_| aig.input()).collect();
        let all = aig.and_all(&inputs);
        for mask in 0u32..128 {
            let values = aig.evaluate(|node| {
                inputs
                    .iter()
                    .position(|e| e.node() == node)
                    .is_some_and(|i| mask >> i & 1 == 1)
            });
            assert_eq!(values.value(all), mask == 127);
        }
    }
}
