//! From graphs of bounds and differences to numeric domains: what zones and octagons have in common.
//!
//! A [`RelationalGraph`] knows constraints on one variable and on some pairs of variables.
//! [`WeaklyRelational`] makes a [`NumericDomain`] of it: linear assignments and guards are reduced
//! to such constraints by bounding the rest of the expression, as in §4 of Miné's *The Octagon
//! Abstract Domain* (2006).
//!
//! Graphs number their vertices densely, so variables are numbered once per process
//! ([`vertex_of`]), in the order they are first seen. Numbers never reach an output: constraints
//! are given back in the order of variables. See `docs/decisions/0025-split-graphs.md`.
//!
//! Invariant: the graph is feasible; ⊥ is the absence of a graph.

use std::fmt;
use std::sync::{PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::domain::{AbstractDomain, NumericDomain, VariableDomain};
use crate::graph::split::{Feasibility, Relaxation};
use crate::graph::{Weight, representable};
use crate::language::Operand;
use crate::linear::{LinearConstraint, LinearExpression};
use crate::number::Number;
use crate::thresholds::Thresholds;
use crate::value::interval::{Bound, Interval};
use crate::value::{AbstractValue as _, ArithmeticOperator};
use crate::variable::VariableId;

mod linear;

/// Beyond this many terms, a guard only refines bounds: the number of pairs grows quadratically.
const LARGEST_PAIRED_GUARD: usize = 12;

/// A vertex with a sign: the value of a variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signed {
    pub vertex: u32,
    pub negated: bool,
}

/// `first` ≤ weight, or `first + second` ≤ weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    pub first: Signed,
    pub second: Option<Signed>,
    pub weight: Weight,
}

/// A graph that keeps facts about one or two vertices, closed under consequence.
pub trait RelationalGraph: Clone + Default + fmt::Debug + 'static {
    /// Whether sums of vertices with these signs can be bounded.
    fn relates(first: Signed, second: Signed) -> bool;
    fn is_unconstrained(&self) -> bool;
    /// The least known upper bound of a signed vertex.
    fn bound(&self, of: Signed) -> Option<Weight>;
    /// The least known upper bound of the sum of two different vertices that the graph relates.
    fn pair_bound(&self, first: Signed, second: Signed) -> Option<Weight>;
    /// Adds a fact; one about a pair that the graph does not relate is ignored.
    fn add_fact(&mut self, fact: Fact) -> Feasibility;
    fn forget_vertex(&mut self, vertex: u32);
    /// vertex := constant
    fn set_constant(&mut self, vertex: u32, constant: Weight);
    /// vertex := source + constant; false, and nothing done, where the graph cannot.
    fn set_offset(&mut self, vertex: u32, source: Signed, constant: Weight) -> bool;
    /// Gives the facts of `from` to `to`, whose own are lost.
    fn rename_vertex(&mut self, from: u32, to: u32);
    /// The constrained vertices, ascending.
    fn constrained(&self) -> Vec<u32>;
    /// Facts that imply all others.
    fn facts(&self) -> Vec<Fact>;
    fn is_closed(&self) -> bool;
    /// Closes the graph, so that queries are as precise as they can be.
    fn close(&mut self);
    fn graph_leq(&self, other: &Self) -> bool;
    fn graph_join(&self, other: &Self) -> Self;
    fn graph_meet(&self, other: &Self) -> Option<Self>;
    fn graph_widen(&self, other: &Self, relaxation: &impl Relaxation) -> Self;
    fn graph_narrow(&self, other: &Self) -> Self;
}

#[derive(Default)]
struct Numbering {
    vertices: FxHashMap<VariableId, u32>,
    variables: Vec<VariableId>,
}

static NUMBERING: RwLock<Option<Numbering>> = RwLock::new(None);

/// The vertex of a variable, the same in every state of the process.
#[must_use]
pub fn vertex_of(variable: VariableId) -> u32 {
    let known = NUMBERING.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(vertex) = known.as_ref().and_then(|it| it.vertices.get(&variable)) {
        return *vertex;
    }
    drop(known);
    let mut numbering = NUMBERING.write().unwrap_or_else(PoisonError::into_inner);
    let numbering = numbering.get_or_insert_with(Numbering::default);
    let next = u32::try_from(numbering.variables.len()).expect("invariant: under 2^32 variables");
    let vertex = *numbering.vertices.entry(variable).or_insert(next);
    if vertex == next {
        numbering.variables.push(variable);
    }
    vertex
}

fn variable_of(vertex: u32) -> VariableId {
    let numbering = NUMBERING.read().unwrap_or_else(PoisonError::into_inner);
    numbering
        .as_ref()
        .expect("invariant: a vertex exists, so one was numbered")
        .variables[vertex as usize]
}

/// A variable that no program has, for intermediate results.
fn scratch_vertex(slot: u32) -> u32 {
    vertex_of(VariableId::scratch(u32::MAX, slot))
}

impl Signed {
    #[must_use]
    pub fn plus(vertex: u32) -> Self {
        Self {
            vertex,
            negated: false,
        }
    }

    #[must_use]
    pub fn minus(vertex: u32) -> Self {
        Self {
            vertex,
            negated: true,
        }
    }

    #[must_use]
    pub fn opposite(self) -> Self {
        Self {
            negated: !self.negated,
            ..self
        }
    }

    fn with_sign_of(vertex: u32, coefficient: &Number) -> Self {
        Self {
            vertex,
            negated: coefficient.is_negative(),
        }
    }

    fn term(self) -> (VariableId, Number) {
        let sign = if self.negated {
            Number::MINUS_ONE
        } else {
            Number::ONE
        };
        (variable_of(self.vertex), sign)
    }
}

/// A numeric domain on top of a graph.
#[derive(Clone, Debug)]
pub struct WeaklyRelational<G> {
    /// `None` is ⊥.
    graph: Option<G>,
}

impl<G: RelationalGraph> Default for WeaklyRelational<G> {
    fn default() -> Self {
        Self {
            graph: Some(G::default()),
        }
    }
}

/// Unstable bounds go to the next threshold.
struct ToThreshold<'a>(&'a Thresholds);

impl Relaxation for ToThreshold<'_> {
    fn upper(&self, reached: Weight) -> Option<Weight> {
        weight(self.0.above(&Bound::from(Number::from(reached))).finite()?)
    }

    fn lower(&self, reached: Weight) -> Option<Weight> {
        weight(self.0.below(&Bound::from(Number::from(reached))).finite()?)
    }
}

/// A number as a weight, where the graph can keep it.
fn weight(number: &Number) -> Option<Weight> {
    representable(number.to_i128()?)
}

impl<G: RelationalGraph> WeaklyRelational<G> {
    /// ⊤.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The graph; `None` is ⊥.
    #[must_use]
    pub fn graph(&self) -> Option<&G> {
        self.graph.as_ref()
    }

    fn combine(&self, other: &Self, both: impl FnOnce(&G, &G) -> G) -> Self {
        match (&self.graph, &other.graph) {
            (None, _) => other.clone(),
            (_, None) => self.clone(),
            (Some(left), Some(right)) => Self {
                graph: Some(both(left, right)),
            },
        }
    }

    fn add(&mut self, fact: Fact) {
        if let Some(graph) = &mut self.graph
            && !graph.add_fact(fact).is_feasible()
        {
            self.graph = None;
        }
    }

    /// `signed` ≤ `bound`; too large a bound says nothing.
    fn add_bound(&mut self, first: Signed, bound: &Number) {
        if let Some(weight) = weight(bound) {
            self.add(Fact {
                first,
                second: None,
                weight,
            });
        }
    }

    fn add_pair(&mut self, first: Signed, second: Signed, bound: &Number) {
        if first.vertex != second.vertex
            && G::relates(first, second)
            && let Some(weight) = weight(bound)
        {
            self.add(Fact {
                first,
                second: Some(second),
                weight,
            });
        }
    }

    fn close(&mut self) {
        if let Some(graph) = &mut self.graph {
            graph.close();
        }
    }

    /// The least known upper bound of a signed vertex.
    fn upper(&self, of: Signed) -> Bound {
        let known = self.graph.as_ref().and_then(|graph| graph.bound(of));
        known.map_or(Bound::PlusInfinity, |it| Bound::Finite(Number::from(it)))
    }

    fn interval_of_vertex(&self, vertex: u32) -> Interval {
        let upper = self.upper(Signed::plus(vertex));
        let lower = self.upper(Signed::minus(vertex)).negate();
        Interval::new(lower, upper)
    }

    fn constrain(&mut self, vertex: u32, interval: &Interval) {
        if interval.is_bottom() {
            self.graph = None;
            return;
        }
        if let Bound::Finite(upper) = interval.upper() {
            self.add_bound(Signed::plus(vertex), upper);
        }
        if let Bound::Finite(lower) = interval.lower() {
            self.add_bound(Signed::minus(vertex), &-lower);
        }
    }

    /// Replaces the facts on `target` by those on the scratch vertex.
    fn adopt(&mut self, target: VariableId, scratch: u32) {
        if let Some(graph) = &mut self.graph {
            graph.rename_vertex(scratch, vertex_of(target));
        }
    }
}

impl<G: RelationalGraph> AbstractDomain for WeaklyRelational<G> {
    fn top(&self) -> Self {
        Self::default()
    }

    fn bottom(&self) -> Self {
        Self { graph: None }
    }

    fn is_top(&self) -> bool {
        self.graph.as_ref().is_some_and(G::is_unconstrained)
    }

    fn is_bottom(&self) -> bool {
        self.graph.is_none()
    }

    fn leq(&self, other: &Self) -> bool {
        match (&self.graph, &other.graph) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(left), Some(right)) => left.graph_leq(right),
        }
    }

    fn join(&self, other: &Self) -> Self {
        self.combine(other, G::graph_join)
    }

    fn meet(&self, other: &Self) -> Self {
        let (Some(left), Some(right)) = (&self.graph, &other.graph) else {
            return self.bottom();
        };
        Self {
            graph: left.graph_meet(right),
        }
    }

    fn widen(&self, other: &Self, thresholds: &Thresholds) -> Self {
        self.combine(other, |left, right| {
            left.graph_widen(right, &ToThreshold(thresholds))
        })
    }

    fn narrow(&self, other: &Self) -> Self {
        let (Some(left), Some(right)) = (&self.graph, &other.graph) else {
            return self.bottom();
        };
        Self {
            graph: Some(left.graph_narrow(right)),
        }
    }
}

impl<G: RelationalGraph> VariableDomain for WeaklyRelational<G> {
    fn forget(&mut self, variables: &[VariableId]) {
        if let Some(graph) = &mut self.graph {
            for x in variables {
                graph.forget_vertex(vertex_of(*x));
            }
        }
    }

    fn project(&mut self, variables: &[VariableId]) {
        let mut kept: Vec<u32> = variables.iter().map(|x| vertex_of(*x)).collect();
        kept.sort_unstable();
        if let Some(graph) = &mut self.graph {
            for vertex in graph.constrained() {
                if kept.binary_search(&vertex).is_err() {
                    graph.forget_vertex(vertex);
                }
            }
        }
    }

    fn rename(&mut self, from: &[VariableId], to: &[VariableId]) {
        let Some(graph) = &mut self.graph else { return };
        let moves: Vec<(u32, u32)> = from
            .iter()
            .zip(to)
            .map(|(x, y)| (vertex_of(*x), vertex_of(*y)))
            .collect();
        if to.iter().any(|y| from.contains(y)) {
            // A permutation goes by way of scratch vertices.
            let scratch: Vec<u32> = (0u32..).take(moves.len()).map(scratch_vertex).collect();
            for ((x, _), middle) in moves.iter().zip(&scratch) {
                graph.rename_vertex(*x, *middle);
            }
            for ((_, y), middle) in moves.iter().zip(&scratch) {
                graph.rename_vertex(*middle, *y);
            }
        } else {
            for (x, y) in moves {
                graph.rename_vertex(x, y);
            }
        }
    }

    fn expand(&mut self, original: VariableId, copy: VariableId) {
        let Some(graph) = &self.graph else { return };
        let (old, new) = (vertex_of(original), vertex_of(copy));
        let moved = |signed: Signed| {
            if signed.vertex == old {
                Signed {
                    vertex: new,
                    ..signed
                }
            } else {
                signed
            }
        };
        let mentions = |fact: &Fact| {
            fact.first.vertex == old || fact.second.is_some_and(|it| it.vertex == old)
        };
        for fact in graph.facts().into_iter().filter(mentions) {
            self.add(Fact {
                first: moved(fact.first),
                second: fact.second.map(moved),
                weight: fact.weight,
            });
        }
    }
}

impl<G: RelationalGraph> NumericDomain for WeaklyRelational<G> {
    fn assign(&mut self, target: VariableId, expression: &LinearExpression) {
        self.assign_linear(target, expression);
    }

    fn apply(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
    ) {
        if !self.is_bottom() {
            self.close();
            self.apply_operator(operator, target, left, right);
        }
    }

    fn assume(&mut self, constraint: &LinearConstraint) {
        if !self.is_bottom() {
            self.close();
            self.assume_linear(&constraint.normalized());
        }
    }

    fn bounds(&self, variable: VariableId) -> Interval {
        if self.is_bottom() {
            return Interval::bottom();
        }
        self.closed().interval_of_vertex(vertex_of(variable))
    }

    fn bounds_of(&self, expression: &LinearExpression) -> Interval {
        if self.is_bottom() {
            return Interval::bottom();
        }
        self.closed().interval_of(expression)
    }

    fn to_linear_constraints(&self) -> Vec<LinearConstraint> {
        let Some(graph) = &self.closed().graph else {
            return vec![LinearConstraint::less_or_equal(1, 0)];
        };
        linear::constraints_of(&graph.facts())
    }
}
