//! Order, join, widening and narrowing of split graphs (§5 and §6 of the split-graph paper).
//!
//! All of them visit only the records that the operands do not share, and the result shares with
//! the left operand whatever did not change.

use super::{Record, SplitGraph, Unstable};
use crate::graph::chunked::ChunkedTable;
use crate::graph::row::Row;
use crate::graph::{Weight, implies, looser, tighter};
use std::borrow::Cow;
use std::sync::Arc;

/// Where a widening sends the bounds that are not stable; `None` is infinity.
pub trait Relaxation {
    fn upper(&self, reached: Weight) -> Option<Weight>;
    fn lower(&self, reached: Weight) -> Option<Weight>;
}

/// The plain widening: unstable bounds go to infinity.
impl Relaxation for () {
    fn upper(&self, _: Weight) -> Option<Weight> {
        None
    }

    fn lower(&self, _: Weight) -> Option<Weight> {
        None
    }
}

/// Vertices whose bounds differ between two graphs, by the direction they moved from left to right.
#[derive(Default)]
struct Drift {
    lower_rose: Vec<u32>,
    lower_fell: Vec<u32>,
    upper_rose: Vec<u32>,
    upper_fell: Vec<u32>,
}

impl Drift {
    fn between(left: &SplitGraph, right: &SplitGraph) -> Self {
        let mut drift = Self::default();
        ChunkedTable::differences(&left.records, &right.records, |vertex, a, b| {
            let (Some(a), Some(b)) = (a, b) else {
                return true;
            };
            if let (Some(x), Some(y)) = (a.lower, b.lower) {
                if x < y {
                    drift.lower_rose.push(vertex);
                } else if x > y {
                    drift.lower_fell.push(vertex);
                }
            }
            if let (Some(x), Some(y)) = (a.upper, b.upper) {
                if x < y {
                    drift.upper_rose.push(vertex);
                } else if x > y {
                    drift.upper_fell.push(vertex);
                }
            }
            true
        });
        drift
    }

    /// Pairs whose difference is better known than their joined bounds tell: both moved alike.
    fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let rose = self
            .lower_rose
            .iter()
            .map(|&source| (source, &self.upper_rose));
        let fell = self
            .lower_fell
            .iter()
            .map(|&source| (source, &self.upper_fell));
        rose.chain(fell)
            .flat_map(|(source, targets)| targets.iter().map(move |&target| (source, target)))
            .filter(|(source, target)| source != target)
    }
}

impl SplitGraph {
    fn stable(&self) -> Cow<'_, Self> {
        if self.is_stable() {
            return Cow::Borrowed(self);
        }
        let mut closed = self.clone();
        closed.normalise();
        Cow::Owned(closed)
    }

    /// Whether every model of `self` is one of `other`.
    #[must_use]
    pub fn leq(&self, other: &Self) -> bool {
        let left = self.stable();
        ChunkedTable::differences(&left.records, &other.records, |vertex, _, record| {
            let Some(record) = record else { return true };
            let known = left.records.get(vertex);
            let upper = known.and_then(|known| known.upper);
            let lower = known.and_then(|known| known.lower);
            implies(upper, record.upper)
                && implies(lower.map(|it| -it), record.lower.map(|it| -it))
                && record.successors.iter().all(|(target, weight)| {
                    left.difference(vertex, target)
                        .is_some_and(|known| known <= weight)
                })
        })
    }

    /// The least graph above both: exact, and closed because both operands are.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        let (left, right) = (self.stable(), other.stable());
        let records = ChunkedTable::merge(&left.records, &right.records, |vertex, a, b| {
            join_records(&left, &right, vertex, a?, b?)
        });
        let mut join = Self {
            records,
            origin: left.origin,
            unstable: None,
        };
        for (source, target) in Drift::between(&left, &right).pairs() {
            let weight = looser(
                left.difference(source, target),
                right.difference(source, target),
            );
            let Some(weight) = weight else { continue };
            if join
                .difference(source, target)
                .is_none_or(|known| weight < known)
            {
                join.set_edge(source, target, weight);
            }
        }
        join
    }

    /// An upper bound of both such that every chain of widenings is finite: constraints of `self`
    /// that `other` breaks are dropped (bounds go where `relaxation` sends them).
    ///
    /// `self` must be the result of the previous widening, untouched: its closure would bring back
    /// what was dropped. A difference that only followed from a bound dropped here is made explicit
    /// if `other` keeps it; since bounds never come back, that happens finitely often.
    #[must_use]
    pub fn widen(&self, other: &Self, relaxation: &impl Relaxation) -> Self {
        let right = other.stable();
        let mut unstable = self.unstable.as_deref().cloned().unwrap_or_default();
        let records = ChunkedTable::merge(&self.records, &right.records, |vertex, a, b| {
            widen_records(&right, relaxation, vertex, a?, b, &mut unstable)
        });
        let mut widened = Self {
            records,
            origin: self.origin,
            unstable: None,
        };
        widened.keep_implied(self, &right);
        widened.mark_unstable(unstable);
        widened
    }

    /// Makes explicit the differences that followed from bounds of `left` which are now gone.
    fn keep_implied(&mut self, left: &Self, right: &Self) {
        let mut candidates: Vec<(u32, u32)> = Drift::between(left, right).pairs().collect();
        ChunkedTable::differences(&left.records, &self.records, |vertex, before, after| {
            let bounds = |record: &Record| (record.lower, record.upper);
            if let Some(before) = before
                && after.map(bounds) != Some(bounds(before))
            {
                let (next, previous) = (right.successors(vertex), right.predecessors(vertex));
                candidates.extend(next.iter().map(|(target, _)| (vertex, target)));
                candidates.extend(previous.iter().map(|(source, _)| (source, vertex)));
            }
            true
        });
        for (source, target) in candidates {
            let Some(implied) = left.implied_by_bounds(source, target) else {
                continue;
            };
            let kept = right
                .difference(source, target)
                .is_some_and(|it| it <= implied);
            if kept
                && self
                    .difference(source, target)
                    .is_none_or(|known| implied < known)
            {
                self.revive(source, left);
                self.revive(target, left);
                self.set_edge(source, target, implied);
            }
        }
    }

    /// A record that lost all its constraints was dropped with its part of the model.
    fn revive(&mut self, vertex: u32, left: &Self) {
        if self.records.get(vertex).is_none() {
            let record = Record {
                potential: left.potential(vertex),
                ..Record::default()
            };
            self.records.insert(vertex, record);
        }
    }

    /// Keeps `self` but takes from `other`, which is below it, the bounds that `self` lacks.
    #[must_use]
    pub fn narrow(&self, other: &Self) -> Self {
        let mut narrowed = self.stable().into_owned();
        let news: Vec<_> = other
            .stable()
            .constraints()
            .into_iter()
            .filter(|constraint| narrowed.lacks(*constraint))
            .collect();
        for constraint in news {
            if !narrowed.add(constraint).is_feasible() {
                return other.clone();
            }
        }
        narrowed
    }

    fn lacks(&self, constraint: super::Constraint) -> bool {
        match constraint {
            super::Constraint::Upper(vertex, _) => self.upper(vertex).is_none(),
            super::Constraint::Lower(vertex, _) => self.lower(vertex).is_none(),
            super::Constraint::Difference { source, target, .. } => {
                self.difference(source, target).is_none()
            }
        }
    }
}

fn join_records(
    left: &SplitGraph,
    right: &SplitGraph,
    vertex: u32,
    a: &Record,
    b: &Record,
) -> Option<Record> {
    let upper = looser(a.upper, b.upper);
    let lower = looser(a.lower.map(|it| -it), b.lower.map(|it| -it)).map(|it| -it);
    // The weight of an edge in the join. It depends on the edge alone, so that the successor row of
    // one end and the predecessor row of the other agree.
    let weigh = |source: u32, target: u32, x: Option<Weight>, y: Option<Weight>| {
        if x.is_some() && x == y {
            // Kept even where bounds imply it, so that rows common to both stay common.
            return x;
        }
        let weight = looser(
            tighter(x, left.implied_by_bounds(source, target)),
            tighter(y, right.implied_by_bounds(source, target)),
        )?;
        let joined_upper = looser(left.upper(target), right.upper(target));
        let joined_lower = left
            .lower(source)
            .zip(right.lower(source))
            .map(|(p, q)| p.min(q));
        let implied = joined_upper
            .zip(joined_lower)
            .map(|(upper, lower)| upper - lower);
        implied
            .is_none_or(|implied| weight < implied)
            .then_some(weight)
    };
    let record = Record {
        upper,
        lower,
        potential: a.potential,
        successors: merge_rows(&a.successors, &b.successors, |other, x, y| {
            weigh(vertex, other, x, y)
        }),
        predecessors: merge_rows(&a.predecessors, &b.predecessors, |other, x, y| {
            weigh(other, vertex, x, y)
        }),
    };
    (!record.is_vacuous()).then_some(record)
}

fn merge_rows(
    left: &Arc<Row>,
    right: &Arc<Row>,
    weigh: impl Fn(u32, Option<Weight>, Option<Weight>) -> Option<Weight>,
) -> Arc<Row> {
    if Arc::ptr_eq(left, right) {
        return left.clone();
    }
    let mut edges = Vec::with_capacity(left.len().max(right.len()));
    Row::zip(left, right, |other, x, y| {
        edges.extend(weigh(other, x, y).map(|weight| (other, weight)));
    });
    Arc::new(edges.into_iter().collect())
}

fn widen_records(
    right: &SplitGraph,
    relaxation: &impl Relaxation,
    vertex: u32,
    a: &Record,
    b: Option<&Record>,
    unstable: &mut Unstable,
) -> Option<Record> {
    let (new_upper, new_lower) = b.map_or((None, None), |b| (b.upper, b.lower));
    let upper = if implies(new_upper, a.upper) {
        a.upper
    } else {
        unstable.targets.insert(vertex);
        new_upper.and_then(|reached| relaxation.upper(reached))
    };
    let lower = if implies(new_lower.map(|it| -it), a.lower.map(|it| -it)) {
        a.lower
    } else {
        unstable.sources.insert(vertex);
        new_lower.and_then(|reached| relaxation.lower(reached))
    };
    let keep = |source: u32, target: u32, weight: Weight| {
        right
            .difference(source, target)
            .is_some_and(|known| known <= weight)
    };
    let successors = retain(&a.successors, |target, weight| keep(vertex, target, weight));
    if successors.len() != a.successors.len() {
        unstable.sources.insert(vertex);
    }
    let predecessors = retain(&a.predecessors, |source, weight| {
        keep(source, vertex, weight)
    });
    let record = Record {
        upper,
        lower,
        potential: a.potential,
        successors,
        predecessors,
    };
    (!record.is_vacuous()).then_some(record)
}

/// The edges of `row` that `keep` accepts; the very row when it accepts all.
fn retain(row: &Arc<Row>, keep: impl Fn(u32, Weight) -> bool) -> Arc<Row> {
    if row.iter().all(|(other, weight)| keep(other, weight)) {
        return row.clone();
    }
    Arc::new(
        row.iter()
            .filter(|&(other, weight)| keep(other, weight))
            .collect(),
    )
}
