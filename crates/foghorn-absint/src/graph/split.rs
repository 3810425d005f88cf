//! Difference-bound graphs in split normal form, the structure behind the zones domain.
//!
//! Vertices are variables; an edge `s → d` of weight `w` says `d − s ≤ w`. Bounds of single
//! variables, which a textbook matrix keeps as edges of a vertex "zero", are kept apart in each
//! record, so that two bounded variables need no edge merely because both are bounded. After
//! Gange, Navas, Schachte, Søndergaard and Stuckey, *Exploiting Sparsity in Difference-Bound
//! Matrices* (SAS 2016), §4–§6, with these invariants:
//!
//! 1. *Split closure*: unless [`SplitGraph::is_stable`] says otherwise, the shortest path from `s`
//!    to `d` is the smaller of the explicit edge and of `upper(d) − lower(s)`, and the bounds are
//!    the tightest that follow.
//! 2. `successors` and `predecessors` describe the same edges.
//! 3. *Potential*: `origin` and the potentials are a model of all constraints. It makes every
//!    reduced weight non-negative, so that paths are found by Dijkstra's algorithm although weights
//!    are negative, and it proves the graph feasible.
//! 4. Records live in a persistent table; what two states share is recognised by address.
//!
//! An infeasible graph is never stored: the operations that can empty it say so.

mod closure;
mod lattice;
#[cfg(test)]
mod tests;

use super::chunked::{ChunkedTable, Sharing};
use super::row::Row;
use super::{Weight, representable, tighter};
use std::collections::BTreeSet;
use std::sync::Arc;

pub use lattice::Relaxation;

/// Potentials drift by the constants that are added to variables; beyond this they are given up.
const POTENTIAL_LIMIT: Weight = 1 << 118;

/// What is known of one vertex.
#[derive(Clone, Debug, Default)]
struct Record {
    upper: Option<Weight>,
    lower: Option<Weight>,
    potential: Weight,
    successors: Arc<Row>,
    predecessors: Arc<Row>,
}

impl Record {
    fn is_vacuous(&self) -> bool {
        self.upper.is_none()
            && self.lower.is_none()
            && self.successors.is_empty()
            && self.predecessors.is_empty()
    }
}

/// Vertices around which a widening removed constraints, so that paths must be sought anew.
#[derive(Clone, Debug, Default)]
struct Unstable {
    sources: BTreeSet<u32>,
    targets: BTreeSet<u32>,
}

/// A feasible conjunction of bounds and differences.
#[derive(Clone, Debug, Default)]
pub struct SplitGraph {
    records: ChunkedTable<Record>,
    origin: Weight,
    unstable: Option<Arc<Unstable>>,
}

/// The answer of an operation that adds a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Feasibility {
    Feasible,
    Infeasible,
}

impl Feasibility {
    pub fn of(feasible: bool) -> Self {
        if feasible {
            Self::Feasible
        } else {
            Self::Infeasible
        }
    }

    #[must_use]
    pub fn is_feasible(self) -> bool {
        self == Self::Feasible
    }
}

/// One constraint of a graph, as [`SplitGraph::constraints`] lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// `vertex ≤ weight`
    Upper(u32, Weight),
    /// `vertex ≥ weight`
    Lower(u32, Weight),
    /// `target − source ≤ weight`
    Difference {
        source: u32,
        target: u32,
        weight: Weight,
    },
}

impl SplitGraph {
    /// Whether nothing at all is known.
    #[must_use]
    pub fn is_unconstrained(&self) -> bool {
        self.records.iter().all(|(_, record)| record.is_vacuous())
    }

    /// Whether the split closure holds; false only between a widening and the next change.
    #[must_use]
    pub fn is_stable(&self) -> bool {
        self.unstable.is_none()
    }

    #[must_use]
    pub fn upper(&self, vertex: u32) -> Option<Weight> {
        self.records.get(vertex)?.upper
    }

    #[must_use]
    pub fn lower(&self, vertex: u32) -> Option<Weight> {
        self.records.get(vertex)?.lower
    }

    fn edge(&self, source: u32, target: u32) -> Option<Weight> {
        self.records.get(source)?.successors.get(target)
    }

    fn implied_by_bounds(&self, source: u32, target: u32) -> Option<Weight> {
        Some(self.upper(target)? - self.lower(source)?)
    }

    /// The least `w` known with `target − source ≤ w`.
    #[must_use]
    pub fn difference(&self, source: u32, target: u32) -> Option<Weight> {
        if source == target {
            return Some(0);
        }
        tighter(
            self.edge(source, target),
            self.implied_by_bounds(source, target),
        )
    }

    /// The vertices of which something is known, ascending.
    pub fn vertices(&self) -> impl Iterator<Item = u32> + '_ {
        self.records
            .iter()
            .filter(|(_, record)| !record.is_vacuous())
            .map(|(vertex, _)| vertex)
    }

    /// The vertices tied to `vertex` by an explicit difference, ascending.
    #[must_use]
    pub fn neighbours(&self, vertex: u32) -> Vec<u32> {
        let Some(record) = self.records.get(vertex) else {
            return Vec::new();
        };
        let mut neighbours = Vec::new();
        Row::zip(&record.successors, &record.predecessors, |other, _, _| {
            neighbours.push(other);
        });
        neighbours
    }

    /// Every stored constraint, ordered by vertex. Differences that follow from bounds are left out.
    #[must_use]
    pub fn constraints(&self) -> Vec<Constraint> {
        let mut found = Vec::new();
        for (vertex, record) in self.records.iter() {
            found.extend(record.lower.map(|weight| Constraint::Lower(vertex, weight)));
            found.extend(record.upper.map(|weight| Constraint::Upper(vertex, weight)));
            for (target, weight) in record.successors.iter() {
                if self
                    .implied_by_bounds(vertex, target)
                    .is_none_or(|implied| weight < implied)
                {
                    found.push(Constraint::Difference {
                        source: vertex,
                        target,
                        weight,
                    });
                }
            }
        }
        found
    }

    /// Number of explicit differences.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.records
            .iter()
            .map(|(_, record)| record.successors.len())
            .sum()
    }

    /// How many records of `self` are physically part of `others` too.
    #[must_use]
    pub fn sharing(&self, others: &[&Self]) -> Sharing {
        let tables: Vec<_> = others.iter().map(|other| &other.records).collect();
        self.records.sharing(&tables)
    }

    fn record_mut(&mut self, vertex: u32) -> &mut Record {
        if self.records.get(vertex).is_none() {
            // A vertex without constraints may take any potential; the origin's keeps numbers small.
            let record = Record {
                potential: self.origin,
                ..Record::default()
            };
            self.records.insert(vertex, record);
        }
        self.records.record_mut(vertex)
    }

    fn potential(&self, vertex: u32) -> Weight {
        self.records
            .get(vertex)
            .map_or(self.origin, |record| record.potential)
    }

    fn set_edge(&mut self, source: u32, target: u32, weight: Weight) {
        if representable(weight).is_none() {
            return;
        }
        Arc::make_mut(&mut self.record_mut(source).successors).set(target, weight);
        Arc::make_mut(&mut self.record_mut(target).predecessors).set(source, weight);
    }

    fn offer_upper(&mut self, vertex: u32, weight: Weight) {
        if self.upper(vertex).is_none_or(|known| weight < known) && representable(weight).is_some()
        {
            self.record_mut(vertex).upper = Some(weight);
        }
    }

    fn offer_lower(&mut self, vertex: u32, weight: Weight) {
        if self.lower(vertex).is_none_or(|known| weight > known) && representable(weight).is_some()
        {
            self.record_mut(vertex).lower = Some(weight);
        }
    }

    fn row(&self, vertex: u32, of: impl Fn(&Record) -> &Arc<Row>) -> Arc<Row> {
        self.records
            .get(vertex)
            .map(|record| of(record).clone())
            .unwrap_or_default()
    }

    fn successors(&self, vertex: u32) -> Arc<Row> {
        self.row(vertex, |record| &record.successors)
    }

    fn predecessors(&self, vertex: u32) -> Arc<Row> {
        self.row(vertex, |record| &record.predecessors)
    }

    /// Adds `vertex ≤ weight`.
    pub fn add_upper(&mut self, vertex: u32, weight: Weight) -> Feasibility {
        self.normalise();
        if representable(weight).is_none() || self.upper(vertex).is_some_and(|it| it <= weight) {
            return Feasibility::Feasible;
        }
        if self.lower(vertex).is_some_and(|lower| lower > weight) {
            return Feasibility::Infeasible;
        }
        if !self.repair(None, Some(vertex), weight) {
            return Feasibility::Infeasible;
        }
        self.offer_upper(vertex, weight);
        for (target, between) in self.successors(vertex).iter() {
            self.offer_upper(target, weight + between);
        }
        Feasibility::Feasible
    }

    /// Adds `vertex ≥ weight`.
    pub fn add_lower(&mut self, vertex: u32, weight: Weight) -> Feasibility {
        self.normalise();
        if representable(weight).is_none() || self.lower(vertex).is_some_and(|it| it >= weight) {
            return Feasibility::Feasible;
        }
        if self.upper(vertex).is_some_and(|upper| upper < weight) {
            return Feasibility::Infeasible;
        }
        if !self.repair(Some(vertex), None, -weight) {
            return Feasibility::Infeasible;
        }
        self.offer_lower(vertex, weight);
        for (source, between) in self.predecessors(vertex).iter() {
            self.offer_lower(source, weight - between);
        }
        Feasibility::Feasible
    }

    /// Adds `target − source ≤ weight`, closing incrementally: only paths through the new edge can
    /// have become shorter.
    pub fn add_difference(&mut self, source: u32, target: u32, weight: Weight) -> Feasibility {
        self.normalise();
        if source == target {
            return Feasibility::of(weight >= 0);
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
        if !self.repair(Some(source), Some(target), weight) {
            return Feasibility::Infeasible;
        }
        self.bounds_through(source, target, weight);
        self.edges_through(source, target, weight);
        Feasibility::Feasible
    }

    fn bounds_through(&mut self, source: u32, target: u32, weight: Weight) {
        if let Some(upper) = self.upper(source) {
            self.offer_upper(target, upper + weight);
            for (end, between) in self.successors(target).iter() {
                self.offer_upper(end, upper + weight + between);
            }
        }
        if let Some(lower) = self.lower(target) {
            self.offer_lower(source, lower - weight);
            for (start, between) in self.predecessors(source).iter() {
                self.offer_lower(start, lower - weight - between);
            }
        }
    }

    fn edges_through(&mut self, source: u32, target: u32, weight: Weight) {
        let shortens = |graph: &Self, from: u32, to: u32, candidate: Weight| {
            from != to
                && graph
                    .difference(from, to)
                    .is_none_or(|known| candidate < known)
        };
        let mut starts = vec![(source, 0)];
        let before = self.predecessors(source);
        starts.extend(
            before
                .iter()
                .filter(|&(p, w)| shortens(self, p, target, w + weight)),
        );
        let mut ends = vec![(target, 0)];
        let after = self.successors(target);
        ends.extend(
            after
                .iter()
                .filter(|&(q, w)| shortens(self, source, q, weight + w)),
        );
        for &(start, head) in &starts {
            for &(end, tail) in &ends {
                let candidate = head + weight + tail;
                if shortens(self, start, end, candidate) {
                    self.set_edge(start, end, candidate);
                }
            }
        }
    }

    /// Forgets everything about `vertex`; what it implied of others is kept by closure.
    pub fn forget(&mut self, vertex: u32) {
        self.normalise();
        for (target, _) in self.successors(vertex).iter() {
            Arc::make_mut(&mut self.records.record_mut(target).predecessors).remove(vertex);
        }
        for (source, _) in self.predecessors(vertex).iter() {
            Arc::make_mut(&mut self.records.record_mut(source).successors).remove(vertex);
        }
        self.records.remove(vertex);
    }

    /// `vertex := constant`
    pub fn assign_constant(&mut self, vertex: u32, constant: Weight) {
        self.forget(vertex);
        if representable(constant).is_none() {
            return;
        }
        let potential = self.origin + constant;
        let record = self.record_mut(vertex);
        (record.upper, record.lower) = (Some(constant), Some(constant));
        record.potential = potential;
    }

    /// `vertex := other + constant`, where both may be the same.
    pub fn assign_offset(&mut self, vertex: u32, other: u32, constant: Weight) {
        self.normalise();
        let potential = self.potential(other) + constant;
        if representable(constant).is_none() || potential.abs() > POTENTIAL_LIMIT {
            self.forget(vertex);
        } else if vertex == other {
            self.shift(vertex, constant);
        } else {
            self.forget(vertex);
            self.copy_shifted(vertex, other, constant, potential);
        }
    }

    /// `vertex := vertex + constant`: every constraint on it moves along, none is lost.
    fn shift(&mut self, vertex: u32, constant: Weight) {
        if constant == 0 || self.records.get(vertex).is_none() {
            return;
        }
        let in_range = |weight: Weight| representable(weight).is_some();
        let (after, before) = (self.successors(vertex), self.predecessors(vertex));
        let record = self.records.record_mut(vertex);
        record.upper = record
            .upper
            .and_then(|upper| representable(upper + constant));
        record.lower = record
            .lower
            .and_then(|lower| representable(lower + constant));
        record.potential += constant;
        Arc::make_mut(&mut record.successors).shift(-constant, |_, weight| in_range(weight));
        Arc::make_mut(&mut record.predecessors).shift(constant, |_, weight| in_range(weight));
        for (target, weight) in after.iter() {
            let row = Arc::make_mut(&mut self.records.record_mut(target).predecessors);
            set_or_remove(row, vertex, weight - constant);
        }
        for (source, weight) in before.iter() {
            let row = Arc::make_mut(&mut self.records.record_mut(source).successors);
            set_or_remove(row, vertex, weight + constant);
        }
    }

    /// Gives the forgotten `vertex` the constraints of `other`, moved by `constant`.
    fn copy_shifted(&mut self, vertex: u32, other: u32, constant: Weight, potential: Weight) {
        let (upper, lower) = (self.upper(other), self.lower(other));
        let (after, before) = (self.successors(other), self.predecessors(other));
        let record = self.record_mut(vertex);
        record.upper = upper.and_then(|upper| representable(upper + constant));
        record.lower = lower.and_then(|lower| representable(lower + constant));
        record.potential = potential;
        for (target, weight) in after.iter() {
            self.set_edge(vertex, target, weight - constant);
        }
        for (source, weight) in before.iter() {
            self.set_edge(source, vertex, weight + constant);
        }
        if upper.is_none() || upper != lower {
            self.set_edge(vertex, other, -constant);
            self.set_edge(other, vertex, constant);
        }
    }

    /// Moves all that is known of `from` to the unconstrained vertex `to`.
    pub fn rename(&mut self, from: u32, to: u32) {
        self.normalise();
        if from == to {
            return;
        }
        self.forget(to);
        let Some(record) = self.records.get(from).cloned() else {
            return;
        };
        self.forget(from);
        let moved = self.record_mut(to);
        (moved.upper, moved.lower) = (record.upper, record.lower);
        moved.potential = record.potential;
        for (target, weight) in record.successors.iter() {
            self.set_edge(to, target, weight);
        }
        for (source, weight) in record.predecessors.iter() {
            self.set_edge(source, to, weight);
        }
    }
}

fn set_or_remove(row: &mut Row, vertex: u32, weight: Weight) {
    if representable(weight).is_some() {
        row.set(vertex, weight);
    } else {
        row.remove(vertex);
    }
}
