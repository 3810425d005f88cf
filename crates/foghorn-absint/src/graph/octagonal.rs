//! Octagonal graphs in split normal form: constraints `±x ± y ≤ c` over integers.
//!
//! Miné, *The Octagon Abstract Domain* (2006), encodes them as differences between *literals*: the
//! literal `2x` stands for the value of `x`, `2x + 1` for its negation, and an edge `s → d` of
//! weight `w` says `d − s ≤ w`. We split as for zones: the bound of a literal is kept in its
//! record, so an edge between two bounded variables exists only when it says more than the bounds.
//! Integers are exploited by tightening (Bagnara, Hill and Zaffanella, *Weakly-relational shapes for
//! numeric abstractions*, 2009): `2·d ≤ w` bounds `d` by `⌊w / 2⌋`.
//!
//! Invariants:
//! 1. *Coherence*: `s → d` and `¬d → ¬s` are the same constraint and have the same weight; no edge
//!    joins a literal to its own negation (that is a bound).
//! 2. *Tight split closure* (unless [`OctagonalGraph::is_stable`] is false): the best bound of
//!    `d − s` is the smaller of the edge and of `upper(d) + upper(¬s)`; bounds are the tightest that
//!    follow over the integers. Adding one constraint re-establishes it incrementally, after
//!    Chawdhary, Robbins and King, *Incrementally closing octagons* (2019): a path that crosses the
//!    new edge and its mirror crosses a bound between them and is therefore implied by bounds.
//! 3. A graph is never infeasible; operations that could empty it say so.

pub mod dense;
mod lattice;
#[cfg(test)]
mod tests;

use super::chunked::{ChunkedTable, Sharing};
use super::row::Row;
use super::split::Feasibility;
use super::{Weight, representable, tighter};
use std::sync::Arc;

/// A variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    #[must_use]
    pub fn positive(variable: u32) -> Self {
        Self(2 * variable)
    }

    #[must_use]
    pub fn negative(variable: u32) -> Self {
        Self(2 * variable + 1)
    }

    #[must_use]
    pub fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }

    #[must_use]
    pub fn variable(self) -> u32 {
        self.0 / 2
    }

    #[must_use]
    pub fn is_positive(self) -> bool {
        self.0.is_multiple_of(2)
    }
}

#[derive(Clone, Debug, Default)]
struct Record {
    upper: Option<Weight>,
    successors: Arc<Row>,
}

impl Record {
    fn is_vacuous(&self) -> bool {
        self.upper.is_none() && self.successors.is_empty()
    }
}

/// A feasible conjunction of octagonal constraints.
#[derive(Clone, Debug, Default)]
pub struct OctagonalGraph {
    records: ChunkedTable<Record>,
    unstable: bool,
}

/// `target − source ≤ weight`; with `source` the negation of `target` it bounds `2·target`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    pub source: Literal,
    pub target: Literal,
    pub weight: Weight,
}

impl Constraint {
    /// `literal ≤ bound`
    #[must_use]
    pub fn upper(literal: Literal, bound: Weight) -> Self {
        Self {
            source: literal.negated(),
            target: literal,
            weight: 2 * bound,
        }
    }
}

impl OctagonalGraph {
    #[must_use]
    pub fn is_stable(&self) -> bool {
        !self.unstable
    }

    #[must_use]
    pub fn is_unconstrained(&self) -> bool {
        self.records.iter().all(|(_, record)| record.is_vacuous())
    }

    /// The least known upper bound of the value of `literal`.
    #[must_use]
    pub fn upper(&self, literal: Literal) -> Option<Weight> {
        self.records.get(literal.0)?.upper
    }

    fn edge(&self, source: Literal, target: Literal) -> Option<Weight> {
        self.records.get(source.0)?.successors.get(target.0)
    }

    fn implied_by_bounds(&self, source: Literal, target: Literal) -> Option<Weight> {
        Some(self.upper(target)? + self.upper(source.negated())?)
    }

    /// The least known `w` with `target − source ≤ w`.
    #[must_use]
    pub fn difference(&self, source: Literal, target: Literal) -> Option<Weight> {
        if source == target {
            return Some(0);
        }
        tighter(
            self.edge(source, target),
            self.implied_by_bounds(source, target),
        )
    }

    /// The variables of which something is known, ascending.
    #[must_use]
    pub fn variables(&self) -> Vec<u32> {
        let known = self
            .records
            .iter()
            .filter(|(_, record)| !record.is_vacuous());
        let mut variables: Vec<u32> = known.map(|(literal, _)| literal / 2).collect();
        variables.dedup();
        variables
    }

    /// Every constraint once, bounds included; what follows from bounds is left out.
    #[must_use]
    pub fn constraints(&self) -> Vec<Constraint> {
        let mut found = Vec::new();
        for (key, record) in self.records.iter() {
            let source = Literal(key);
            found.extend(record.upper.map(|bound| Constraint::upper(source, bound)));
            for (target, weight) in record.successors.iter() {
                let target = Literal(target);
                let mirrored = (target.negated(), source.negated()) < (source, target);
                let implied = self.implied_by_bounds(source, target);
                if !mirrored && implied.is_none_or(|implied| weight < implied) {
                    found.push(Constraint {
                        source,
                        target,
                        weight,
                    });
                }
            }
        }
        found
    }

    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.records
            .iter()
            .map(|(_, record)| record.successors.len())
            .sum::<usize>()
            / 2
    }

    #[must_use]
    pub fn sharing(&self, others: &[&Self]) -> Sharing {
        let tables: Vec<_> = others.iter().map(|other| &other.records).collect();
        self.records.sharing(&tables)
    }

    fn successors(&self, literal: Literal) -> Arc<Row> {
        self.records
            .get(literal.0)
            .map(|record| record.successors.clone())
            .unwrap_or_default()
    }

    /// The edges into `literal`, which are the mirrored edges out of its negation.
    fn predecessors(&self, literal: Literal) -> Vec<(Literal, Weight)> {
        let row = self.successors(literal.negated());
        row.iter()
            .map(|(target, weight)| (Literal(target).negated(), weight))
            .collect()
    }

    fn set_edge(&mut self, source: Literal, target: Literal, weight: Weight) {
        debug_assert!(source.variable() != target.variable());
        if representable(weight).is_none() {
            return;
        }
        Arc::make_mut(&mut self.records.record_mut(source.0).successors).set(target.0, weight);
        let (back_source, back_target) = (target.negated(), source.negated());
        let row = &mut self.records.record_mut(back_source.0).successors;
        Arc::make_mut(row).set(back_target.0, weight);
    }

    /// Adds one constraint and closes.
    pub fn add(&mut self, constraint: Constraint) -> Feasibility {
        let Constraint {
            source,
            target,
            weight,
        } = constraint;
        self.normalise();
        if source == target {
            return Feasibility::of(weight >= 0);
        }
        if source == target.negated() {
            return Feasibility::of(self.tighten(vec![(target, weight.div_euclid(2))]));
        }
        if representable(weight).is_none() {
            return Feasibility::Feasible;
        }
        if self
            .difference(target, source)
            .is_some_and(|back| back + weight < 0)
        {
            return Feasibility::Infeasible;
        }
        if self
            .difference(source, target)
            .is_some_and(|known| known <= weight)
        {
            return Feasibility::Feasible;
        }
        self.set_edge(source, target, weight);
        let feasible = self.bounds_through(source, target, weight);
        if feasible {
            self.edges_through(source, target, weight);
        }
        Feasibility::of(feasible)
    }

    /// Lowers bounds and whatever follows from them by edges. Answers false when a variable is left
    /// without values.
    fn tighten(&mut self, mut offers: Vec<(Literal, Weight)>) -> bool {
        while let Some((literal, bound)) = offers.pop() {
            if representable(bound).is_none() || self.upper(literal).is_some_and(|it| it <= bound) {
                continue;
            }
            if self
                .upper(literal.negated())
                .is_some_and(|opposite| opposite + bound < 0)
            {
                return false;
            }
            self.records.record_mut(literal.0).upper = Some(bound);
            for (target, weight) in self.successors(literal).iter() {
                offers.push((Literal(target), bound + weight));
            }
        }
        true
    }

    fn bounds_through(&mut self, source: Literal, target: Literal, weight: Weight) -> bool {
        let mut offers = Vec::new();
        offers.extend(self.upper(source).map(|bound| (target, bound + weight)));
        let opposite = self.upper(target.negated());
        offers.extend(opposite.map(|bound| (source.negated(), bound + weight)));
        // Paths from a literal to its own negation through the new edge bound twice its value.
        let mut starts = self.predecessors(source);
        starts.push((source, 0));
        for (start, head) in starts {
            let end = start.negated();
            let tail = if end == target {
                Some(0)
            } else {
                self.edge(target, end)
            };
            offers.extend(tail.map(|tail| (end, (head + weight + tail).div_euclid(2))));
        }
        self.tighten(offers)
    }

    fn edges_through(&mut self, source: Literal, target: Literal, weight: Weight) {
        let shortens = |graph: &Self, from: Literal, to: Literal, candidate: Weight| {
            from.variable() != to.variable()
                && graph
                    .difference(from, to)
                    .is_none_or(|known| candidate < known)
        };
        let mut starts = self.predecessors(source);
        starts.retain(|&(p, w)| shortens(self, p, target, w + weight));
        starts.push((source, 0));
        let after = self.successors(target);
        let mut ends: Vec<_> = after.iter().map(|(q, w)| (Literal(q), w)).collect();
        ends.retain(|&(q, w)| shortens(self, source, q, weight + w));
        ends.push((target, 0));
        for &(start, head) in &starts {
            for &(end, tail) in &ends {
                if shortens(self, start, end, head + weight + tail) {
                    self.set_edge(start, end, head + weight + tail);
                }
            }
        }
    }

    /// Restores the tight closure after a widening by adding its constraints one by one.
    pub fn normalise(&mut self) {
        if !self.unstable {
            return;
        }
        let mut closed = Self::default();
        for constraint in self.constraints() {
            let feasible = closed.add(constraint);
            debug_assert!(feasible.is_feasible(), "a widening only weakens");
        }
        *self = closed;
    }

    pub fn forget(&mut self, variable: u32) {
        self.normalise();
        for literal in [Literal::positive(variable), Literal::negative(variable)] {
            for (source, _) in self.predecessors(literal) {
                Arc::make_mut(&mut self.records.record_mut(source.0).successors).remove(literal.0);
            }
        }
        self.records.remove(Literal::positive(variable).0);
        self.records.remove(Literal::negative(variable).0);
    }

    /// `variable := constant`
    pub fn assign_constant(&mut self, variable: u32, constant: Weight) {
        self.forget(variable);
        if representable(constant).is_some() {
            let (plus, minus) = (Literal::positive(variable), Literal::negative(variable));
            self.records.record_mut(plus.0).upper = Some(constant);
            self.records.record_mut(minus.0).upper = Some(-constant);
        }
    }

    /// `variable := literal + constant`, where `literal` may be the variable or its negation.
    pub fn assign_offset(&mut self, variable: u32, literal: Literal, constant: Weight) {
        self.normalise();
        if representable(constant).is_none() {
            self.forget(variable);
            return;
        }
        let (plus, minus) = (Literal::positive(variable), Literal::negative(variable));
        let own = literal.variable() == variable;
        let mut facts: Vec<(Literal, Literal, Weight)> = Vec::new();
        for (source, target) in [(literal, plus), (literal.negated(), minus)] {
            let moved = if target == plus { constant } else { -constant };
            let bound = self.upper(source).map(|bound| bound + moved);
            facts.extend(bound.map(|bound| (target.negated(), target, bound)));
            let row = self.successors(source);
            let others = row.iter().filter(|(other, _)| other / 2 != variable);
            facts.extend(others.map(|(other, weight)| (target, Literal(other), weight - moved)));
        }
        if !own
            && self
                .upper(literal)
                .is_none_or(|it| self.upper(literal.negated()) != Some(-it))
        {
            facts.push((literal, plus, constant));
            facts.push((plus, literal, -constant));
        }
        self.forget(variable);
        for (source, target, weight) in facts {
            if source.variable() == target.variable() {
                self.records.record_mut(target.0).upper = representable(weight);
            } else {
                self.set_edge(source, target, weight);
            }
        }
    }

    /// Moves all that is known of `from` to the variable `to`, whose own facts are lost.
    pub fn rename(&mut self, from: u32, to: u32) {
        if from != to {
            self.assign_offset(to, Literal::positive(from), 0);
            self.forget(from);
        }
    }

    /// The conjunction of both graphs, or `None` when it is infeasible over the integers.
    #[must_use]
    pub fn meet(&self, other: &Self) -> Option<Self> {
        let mut meet = self.clone();
        meet.normalise();
        for constraint in other.constraints() {
            if !meet.add(constraint).is_feasible() {
                return None;
            }
        }
        Some(meet)
    }
}
