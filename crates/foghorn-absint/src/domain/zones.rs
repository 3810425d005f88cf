//! Zones: `x − y ≤ c` and `±x ≤ c`, on split sparse graphs (module [`crate::graph::split`]).

use super::weakly_relational::{Fact, RelationalGraph, Signed, WeaklyRelational};
use crate::graph::Weight;
use crate::graph::split::{Constraint, Feasibility, Relaxation, SplitGraph};

/// The zones domain.
pub type Zones = WeaklyRelational<SplitGraph>;

/// `first + second` as target and source of a difference, when the signs differ.
fn ends(first: Signed, second: Signed) -> Option<(u32, u32)> {
    match (first.negated, second.negated) {
        (false, true) => Some((first.vertex, second.vertex)),
        (true, false) => Some((second.vertex, first.vertex)),
        (false, false) | (true, true) => None,
    }
}

impl RelationalGraph for SplitGraph {
    fn relates(first: Signed, second: Signed) -> bool {
        first.negated != second.negated
    }

    fn is_unconstrained(&self) -> bool {
        SplitGraph::is_unconstrained(self)
    }

    fn bound(&self, of: Signed) -> Option<Weight> {
        if of.negated {
            self.lower(of.vertex).map(|it| -it)
        } else {
            self.upper(of.vertex)
        }
    }

    fn pair_bound(&self, first: Signed, second: Signed) -> Option<Weight> {
        let (target, source) = ends(first, second)?;
        self.difference(source, target)
    }

    fn add_fact(&mut self, fact: Fact) -> Feasibility {
        let Fact {
            first,
            second,
            weight,
        } = fact;
        let constraint = match second {
            None if first.negated => Constraint::Lower(first.vertex, -weight),
            None => Constraint::Upper(first.vertex, weight),
            Some(second) => match ends(first, second) {
                Some((target, source)) => Constraint::Difference {
                    source,
                    target,
                    weight,
                },
                None => return Feasibility::Feasible,
            },
        };
        self.add(constraint)
    }

    fn forget_vertex(&mut self, vertex: u32) {
        self.forget(vertex);
    }

    fn set_constant(&mut self, vertex: u32, constant: Weight) {
        self.assign_constant(vertex, constant);
    }

    fn set_offset(&mut self, vertex: u32, source: Signed, constant: Weight) -> bool {
        if !source.negated {
            self.assign_offset(vertex, source.vertex, constant);
        }
        !source.negated
    }

    fn rename_vertex(&mut self, from: u32, to: u32) {
        self.rename(from, to);
    }

    fn constrained(&self) -> Vec<u32> {
        self.vertices().collect()
    }

    fn facts(&self) -> Vec<Fact> {
        let fact = |constraint| match constraint {
            Constraint::Upper(vertex, weight) => Fact {
                first: Signed::plus(vertex),
                second: None,
                weight,
            },
            Constraint::Lower(vertex, weight) => Fact {
                first: Signed::minus(vertex),
                second: None,
                weight: -weight,
            },
            Constraint::Difference {
                source,
                target,
                weight,
            } => Fact {
                first: Signed::plus(target),
                second: Some(Signed::minus(source)),
                weight,
            },
        };
        self.constraints().into_iter().map(fact).collect()
    }

    fn is_closed(&self) -> bool {
        self.is_stable()
    }

    fn close(&mut self) {
        self.normalise();
    }

    fn graph_leq(&self, other: &Self) -> bool {
        self.leq(other)
    }

    fn graph_join(&self, other: &Self) -> Self {
        self.join(other)
    }

    fn graph_meet(&self, other: &Self) -> Option<Self> {
        self.meet(other)
    }

    fn graph_widen(&self, other: &Self, relaxation: &impl Relaxation) -> Self {
        self.widen(other, relaxation)
    }

    fn graph_narrow(&self, other: &Self) -> Self {
        self.narrow(other)
    }
}
