//! Octagons: `±x ± y ≤ c` over integers, on split sparse graphs (module
//! [`crate::graph::octagonal`]).

use super::weakly_relational::{Fact, RelationalGraph, Signed, WeaklyRelational};
use crate::graph::Weight;
use crate::graph::octagonal::{Constraint, Literal, OctagonalGraph};
use crate::graph::split::{Feasibility, Relaxation};

/// The octagon domain.
pub type Octagons = WeaklyRelational<OctagonalGraph>;

fn literal(signed: Signed) -> Literal {
    if signed.negated {
        Literal::negative(signed.vertex)
    } else {
        Literal::positive(signed.vertex)
    }
}

fn signed(literal: Literal) -> Signed {
    Signed {
        vertex: literal.variable(),
        negated: !literal.is_positive(),
    }
}

impl RelationalGraph for OctagonalGraph {
    fn relates(first: Signed, second: Signed) -> bool {
        first.vertex != second.vertex
    }

    fn is_unconstrained(&self) -> bool {
        OctagonalGraph::is_unconstrained(self)
    }

    fn bound(&self, of: Signed) -> Option<Weight> {
        self.upper(literal(of))
    }

    fn pair_bound(&self, first: Signed, second: Signed) -> Option<Weight> {
        self.difference(literal(second).negated(), literal(first))
    }

    fn add_fact(&mut self, fact: Fact) -> Feasibility {
        let target = literal(fact.first);
        self.add(match fact.second {
            None => Constraint::upper(target, fact.weight),
            Some(second) => Constraint {
                source: literal(second).negated(),
                target,
                weight: fact.weight,
            },
        })
    }

    fn forget_vertex(&mut self, vertex: u32) {
        self.forget(vertex);
    }

    fn set_constant(&mut self, vertex: u32, constant: Weight) {
        self.assign_constant(vertex, constant);
    }

    fn set_offset(&mut self, vertex: u32, source: Signed, constant: Weight) -> bool {
        self.assign_offset(vertex, literal(source), constant);
        true
    }

    fn rename_vertex(&mut self, from: u32, to: u32) {
        self.rename(from, to);
    }

    fn constrained(&self) -> Vec<u32> {
        self.variables()
    }

    fn facts(&self) -> Vec<Fact> {
        let fact = |constraint: Constraint| {
            let Constraint {
                source,
                target,
                weight,
            } = constraint;
            if source == target.negated() {
                return Fact {
                    first: signed(target),
                    second: None,
                    weight: weight.div_euclid(2),
                };
            }
            Fact {
                first: signed(target),
                second: Some(signed(source.negated())),
                weight,
            }
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
