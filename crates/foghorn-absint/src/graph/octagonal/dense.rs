//! The textbook octagon: a full matrix over literals with tight closure, the oracle of the sparse
//! graph's tests and the baseline of its benchmark.
//!
//! Tight closure over integers: shortest paths, then `2·⌊w / 2⌋` on the entries between a literal
//! and its negation, then strengthening (Bagnara, Hill and Zaffanella 2009, theorem 2).

use super::{Constraint, Literal};
use crate::graph::Weight;
use crate::graph::split::Feasibility;

const INFINITY: Weight = Weight::MAX / 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DenseOctagon {
    side: usize,
    entries: Vec<Weight>,
}

fn plus(left: Weight, right: Weight) -> Weight {
    if left >= INFINITY || right >= INFINITY {
        INFINITY
    } else {
        left + right
    }
}

impl DenseOctagon {
    #[must_use]
    pub fn unconstrained(variables: usize) -> Self {
        let side = 2 * variables;
        let mut entries = vec![INFINITY; side * side];
        for i in 0..side {
            entries[i * side + i] = 0;
        }
        Self { side, entries }
    }

    fn at(&self, source: usize, target: usize) -> Weight {
        self.entries[source * self.side + target]
    }

    fn lower_entry(&mut self, source: usize, target: usize, weight: Weight) {
        let entry = &mut self.entries[source * self.side + target];
        *entry = (*entry).min(weight);
    }

    /// The least `w` with `target − source ≤ w`.
    #[must_use]
    pub fn difference(&self, source: Literal, target: Literal) -> Option<Weight> {
        let weight = self.at(source.0 as usize, target.0 as usize);
        (weight < INFINITY).then_some(weight)
    }

    #[must_use]
    pub fn upper(&self, literal: Literal) -> Option<Weight> {
        Some(self.difference(literal.negated(), literal)?.div_euclid(2))
    }

    /// Adds one constraint and closes from scratch.
    pub fn add(&mut self, constraint: Constraint) -> Feasibility {
        let (source, target) = (constraint.source, constraint.target);
        self.lower_entry(source.0 as usize, target.0 as usize, constraint.weight);
        let (back_source, back_target) = (target.negated(), source.negated());
        self.lower_entry(
            back_source.0 as usize,
            back_target.0 as usize,
            constraint.weight,
        );
        self.close()
    }

    fn close(&mut self) -> Feasibility {
        for via in 0..self.side {
            for source in 0..self.side {
                for target in 0..self.side {
                    let weight = plus(self.at(source, via), self.at(via, target));
                    self.lower_entry(source, target, weight);
                }
            }
        }
        for literal in 0..self.side {
            let weight = self.at(literal, literal ^ 1);
            if weight < INFINITY {
                self.entries[literal * self.side + (literal ^ 1)] = 2 * weight.div_euclid(2);
            }
        }
        let empty = |i: usize| plus(self.at(i, i ^ 1), self.at(i ^ 1, i)) < 0 || self.at(i, i) < 0;
        if (0..self.side).any(empty) {
            return Feasibility::Infeasible;
        }
        for source in 0..self.side {
            for target in 0..self.side {
                let both = plus(self.at(source, source ^ 1), self.at(target ^ 1, target));
                if both < INFINITY {
                    self.lower_entry(source, target, both / 2);
                }
            }
        }
        Feasibility::Feasible
    }

    pub fn forget(&mut self, variable: u32) {
        for own in [
            Literal::positive(variable).0 as usize,
            Literal::negative(variable).0 as usize,
        ] {
            for other in 0..self.side {
                self.entries[own * self.side + other] = INFINITY;
                self.entries[other * self.side + own] = INFINITY;
            }
        }
        for own in [
            Literal::positive(variable).0 as usize,
            Literal::negative(variable).0 as usize,
        ] {
            self.entries[own * self.side + own] = 0;
        }
    }

    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        let entries = self
            .entries
            .iter()
            .zip(&other.entries)
            .map(|(&a, &b)| a.max(b))
            .collect();
        Self {
            side: self.side,
            entries,
        }
    }

    #[must_use]
    pub fn meet(&self, other: &Self) -> Option<Self> {
        let entries = self
            .entries
            .iter()
            .zip(&other.entries)
            .map(|(&a, &b)| a.min(b))
            .collect();
        let mut meet = Self {
            side: self.side,
            entries,
        };
        meet.close().is_feasible().then_some(meet)
    }

    #[must_use]
    pub fn leq(&self, other: &Self) -> bool {
        self.entries.iter().zip(&other.entries).all(|(a, b)| a <= b)
    }
}
