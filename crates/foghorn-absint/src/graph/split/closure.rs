//! Shortest paths in split graphs: repairing the potential, closing after a widening, closing a
//! meet.
//!
//! * The potential is repaired as in Cotton and Maler, *Fast and Flexible Difference Constraint
//!   Propagation* (SAT 2006): only vertices that must move are visited.
//! * After a widening, paths are sought only from and to the vertices that lost constraints (§6.3
//!   of the split-graph paper).
//! * After a meet, a path that stays within one operand is already summarised there, so only paths
//!   that change operand at every step are explored: "chromatic Dijkstra" (§6.2).

use super::{Constraint, Feasibility, SplitGraph, Unstable};
use crate::graph::{Weight, representable};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// A meet that brings at most this many new constraints is closed one constraint at a time.
const INCREMENTAL_MEET: usize = 8;

/// Which operand of a meet an edge comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Colour {
    Left,
    Right,
    Both,
}

impl Colour {
    /// Whether a path that arrives by `self` can only be continued by `next` outside both operands'
    /// own closures.
    fn changes_to(self, next: Self) -> bool {
        match (self, next) {
            (Self::Left, Self::Right) | (Self::Right, Self::Left) => true,
            (Self::Left, Self::Left | Self::Both)
            | (Self::Right, Self::Right | Self::Both)
            | (Self::Both, Self::Left | Self::Right | Self::Both) => false,
        }
    }
}

/// In which direction paths are followed.
#[derive(Clone, Copy)]
enum Direction {
    Forward,
    Backward,
}

impl SplitGraph {
    /// Makes the potential a model of `target − source ≤ weight` too; `None` stands for zero.
    /// Answers whether one exists; on failure nothing has changed.
    pub(super) fn repair(
        &mut self,
        source: Option<u32>,
        target: Option<u32>,
        weight: Weight,
    ) -> bool {
        let deficit = self.potential_at(source) + weight - self.potential_at(target);
        if deficit >= 0 {
            return true;
        }
        // A vertex without record follows the origin; from here on its potential is its own.
        for vertex in [source, target].into_iter().flatten() {
            self.record_mut(vertex);
        }
        let mut moved: FxHashMap<Option<u32>, Weight> = FxHashMap::default();
        let mut queue = BinaryHeap::from([(Reverse(deficit), target)]);
        while let Some((Reverse(deficit), vertex)) = queue.pop() {
            if moved.contains_key(&vertex) {
                continue;
            }
            if vertex == source {
                return false;
            }
            let potential = self.potential_at(vertex) + deficit;
            moved.insert(vertex, potential);
            self.for_each_constraint_from(vertex, |next, between| {
                let deficit = potential + between - self.potential_at(next);
                if deficit < 0 && !moved.contains_key(&next) {
                    queue.push((Reverse(deficit), next));
                }
            });
        }
        for (vertex, potential) in moved {
            match vertex {
                Some(vertex) => self.record_mut(vertex).potential = potential,
                None => self.origin = potential,
            }
        }
        true
    }

    fn potential_at(&self, vertex: Option<u32>) -> Weight {
        vertex.map_or(self.origin, |vertex| self.potential(vertex))
    }

    fn for_each_constraint_from(
        &self,
        vertex: Option<u32>,
        mut visit: impl FnMut(Option<u32>, Weight),
    ) {
        let Some(vertex) = vertex else {
            for (target, record) in self.records.iter() {
                if let Some(upper) = record.upper {
                    visit(Some(target), upper);
                }
            }
            return;
        };
        let Some(record) = self.records.get(vertex) else {
            return;
        };
        if let Some(lower) = record.lower {
            visit(None, -lower);
        }
        for (target, weight) in record.successors.iter() {
            visit(Some(target), weight);
        }
    }

    /// Restores the split closure after a widening. Costs nothing when it already holds.
    pub fn normalise(&mut self) {
        let Some(unstable) = self.unstable.take() else {
            return;
        };
        for &source in &unstable.sources {
            for (target, distance) in self.distances(source, Direction::Forward) {
                self.offer_edge(source, target, distance);
            }
        }
        for &target in &unstable.targets {
            for (source, distance) in self.distances(target, Direction::Backward) {
                self.offer_edge(source, target, distance);
            }
        }
        self.close_bounds();
    }

    pub(super) fn mark_unstable(&mut self, unstable: Unstable) {
        if !(unstable.sources.is_empty() && unstable.targets.is_empty()) {
            self.unstable = Some(Arc::new(unstable));
        }
    }

    fn offer_edge(&mut self, source: u32, target: u32, weight: Weight) {
        if source != target
            && self
                .difference(source, target)
                .is_none_or(|known| weight < known)
        {
            self.set_edge(source, target, weight);
        }
    }

    /// One pass suffices because the differences are closed: a bound reaches any vertex by one edge.
    fn close_bounds(&mut self) {
        let mut found: Vec<Constraint> = Vec::new();
        for (source, record) in self.records.iter() {
            for (target, weight) in record.successors.iter() {
                if let Some(upper) = record.upper
                    && self
                        .upper(target)
                        .is_none_or(|known| upper + weight < known)
                {
                    found.push(Constraint::Upper(target, upper + weight));
                }
                if let Some(lower) = self.lower(target)
                    && record.lower.is_none_or(|known| lower - weight > known)
                {
                    found.push(Constraint::Lower(source, lower - weight));
                }
            }
        }
        for constraint in found {
            match constraint {
                Constraint::Upper(vertex, weight) => self.offer_upper(vertex, weight),
                Constraint::Lower(vertex, weight) => self.offer_lower(vertex, weight),
                Constraint::Difference {
                    source,
                    target,
                    weight,
                } => {
                    self.offer_edge(source, target, weight);
                }
            }
        }
    }

    /// Lengths of the shortest paths over explicit differences from (or to) one vertex.
    fn distances(&self, start: u32, direction: Direction) -> Vec<(u32, Weight)> {
        let sign = match direction {
            Direction::Forward => 1,
            Direction::Backward => -1,
        };
        let base = self.potential(start);
        let mut reduced: FxHashMap<u32, Weight> = FxHashMap::default();
        let mut queue = BinaryHeap::from([(Reverse(0), start)]);
        let mut found = Vec::new();
        while let Some((Reverse(length), vertex)) = queue.pop() {
            if reduced.get(&vertex).is_some_and(|&known| known < length) {
                continue;
            }
            let potential = self.potential(vertex);
            if vertex != start {
                found.push((vertex, length + sign * (potential - base)));
            }
            let row = match direction {
                Direction::Forward => self.successors(vertex),
                Direction::Backward => self.predecessors(vertex),
            };
            for (next, weight) in row.iter() {
                let candidate = length + weight + sign * (potential - self.potential(next));
                debug_assert!(
                    candidate >= length,
                    "the potential is a model of every edge"
                );
                if next != start && reduced.get(&next).is_none_or(|&known| candidate < known) {
                    reduced.insert(next, candidate);
                    queue.push((Reverse(candidate), next));
                }
            }
        }
        found
    }

    /// The conjunction of both graphs, or `None` when it is infeasible.
    #[must_use]
    pub fn meet(&self, other: &Self) -> Option<Self> {
        let (mut left, mut right) = (self.clone(), other.clone());
        left.normalise();
        right.normalise();
        let news = left.missing(&right);
        if news.len() <= INCREMENTAL_MEET {
            for constraint in news {
                if !left.add(constraint).is_feasible() {
                    return None;
                }
            }
            return Some(left);
        }
        left.meet_in_bulk(&right, &news)
    }

    /// Adds one constraint and closes.
    pub fn add(&mut self, constraint: Constraint) -> Feasibility {
        match constraint {
            Constraint::Upper(vertex, weight) => self.add_upper(vertex, weight),
            Constraint::Lower(vertex, weight) => self.add_lower(vertex, weight),
            Constraint::Difference {
                source,
                target,
                weight,
            } => self.add_difference(source, target, weight),
        }
    }

    /// The constraints of `other` that `self` does not imply.
    fn missing(&self, other: &Self) -> Vec<Constraint> {
        let mut news = Vec::new();
        super::ChunkedTable::differences(&self.records, &other.records, |vertex, _, record| {
            let Some(record) = record else { return true };
            if let Some(weight) = record.upper
                && self.upper(vertex).is_none_or(|known| weight < known)
            {
                news.push(Constraint::Upper(vertex, weight));
            }
            if let Some(weight) = record.lower
                && self.lower(vertex).is_none_or(|known| weight > known)
            {
                news.push(Constraint::Lower(vertex, weight));
            }
            for (target, weight) in record.successors.iter() {
                if self
                    .difference(vertex, target)
                    .is_none_or(|known| weight < known)
                {
                    news.push(Constraint::Difference {
                        source: vertex,
                        target,
                        weight,
                    });
                }
            }
            true
        });
        news
    }

    /// Inserts all news first, then closes once.
    fn meet_in_bulk(&self, right: &Self, news: &[Constraint]) -> Option<Self> {
        let mut meet = self.clone();
        for &constraint in news {
            let (source, target, weight) = match constraint {
                Constraint::Upper(vertex, weight) => (None, Some(vertex), weight),
                Constraint::Lower(vertex, weight) => (Some(vertex), None, -weight),
                Constraint::Difference {
                    source,
                    target,
                    weight,
                } => (Some(source), Some(target), weight),
            };
            if !meet.repair(source, target, weight) {
                return None;
            }
            match constraint {
                Constraint::Upper(vertex, weight) => meet.offer_upper(vertex, weight),
                Constraint::Lower(vertex, weight) => meet.offer_lower(vertex, weight),
                Constraint::Difference {
                    source,
                    target,
                    weight,
                } => {
                    meet.set_edge(source, target, weight);
                }
            }
        }
        let open = meet.clone();
        let sources: Vec<u32> = open.vertices().collect();
        for source in sources {
            for (target, distance) in open.chromatic_distances(self, right, source) {
                meet.offer_edge(source, target, distance);
            }
        }
        meet.close_bounds();
        Some(meet)
    }

    fn colour(left: &Self, right: &Self, source: u32, target: u32, weight: Weight) -> Colour {
        let in_left = left.edge(source, target) == Some(weight);
        let in_right = right.edge(source, target) == Some(weight);
        match (in_left, in_right) {
            (true, true) => Colour::Both,
            (true, false) => Colour::Left,
            (false, _) => Colour::Right,
        }
    }

    /// Shortest paths from `start` in the union `self` of two closed graphs.
    fn chromatic_distances(&self, left: &Self, right: &Self, start: u32) -> Vec<(u32, Weight)> {
        let base = self.potential(start);
        let mut best: FxHashMap<u32, Weight> = FxHashMap::default();
        let mut best_in_colour: FxHashMap<(u32, Colour), Weight> = FxHashMap::default();
        let mut queue = BinaryHeap::from([(Reverse(0), start, Colour::Both)]);
        while let Some((Reverse(length), vertex, arrived)) = queue.pop() {
            if best.get(&vertex).is_some_and(|&known| known < length) {
                continue;
            }
            let potential = self.potential(vertex);
            for (next, weight) in self.successors(vertex).iter() {
                let colour = Self::colour(left, right, vertex, next, weight);
                let candidate = length + weight + potential - self.potential(next);
                if next == start
                    || (vertex != start && !arrived.changes_to(colour))
                    || best.get(&next).is_some_and(|&known| candidate > known)
                {
                    continue;
                }
                best.insert(next, candidate);
                // A tie arrives with another colour and may continue where the first could not.
                let in_colour = best_in_colour.entry((next, colour)).or_insert(Weight::MAX);
                if candidate < *in_colour {
                    *in_colour = candidate;
                    queue.push((Reverse(candidate), next, colour));
                }
            }
        }
        let mut found: Vec<_> = best
            .into_iter()
            .map(|(target, length)| (target, length + self.potential(target) - base))
            .filter(|&(_, distance)| representable(distance).is_some())
            .collect();
        found.sort_unstable_by_key(|&(target, _)| target);
        found
    }
}
