//! Order, join, widening and narrowing of octagonal graphs; the same construction as for zones
//! (`graph::split`), with one kind of bound instead of two.

use super::{Literal, OctagonalGraph, Record};
use crate::graph::chunked::ChunkedTable;
use crate::graph::row::Row;
use crate::graph::split::Relaxation;
use crate::graph::{Weight, implies, looser, tighter};
use std::borrow::Cow;
use std::sync::Arc;

impl OctagonalGraph {
    fn stable(&self) -> Cow<'_, Self> {
        if self.is_stable() {
            return Cow::Borrowed(self);
        }
        let mut closed = self.clone();
        closed.normalise();
        Cow::Owned(closed)
    }

    /// Whether every integer model of `self` is one of `other`.
    #[must_use]
    pub fn leq(&self, other: &Self) -> bool {
        let left = self.stable();
        ChunkedTable::differences(&left.records, &other.records, |key, mine, record| {
            let Some(record) = record else { return true };
            implies(mine.and_then(|mine| mine.upper), record.upper)
                && record.successors.iter().all(|(target, weight)| {
                    let known = left.difference(Literal(key), Literal(target));
                    known.is_some_and(|known| known <= weight)
                })
        })
    }

    /// The least octagon above both.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        let (left, right) = (self.stable(), other.stable());
        let records = ChunkedTable::merge(&left.records, &right.records, |key, a, b| {
            // A literal without record may still be the end of a difference that bounds imply.
            let none = Record::default();
            join_records(
                &left,
                &right,
                Literal(key),
                a.unwrap_or(&none),
                b.unwrap_or(&none),
            )
        });
        let mut join = Self {
            records,
            unstable: false,
        };
        for (source, target) in drifted_pairs(&left, &right) {
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

    /// Keeps the constraints of `self` that `other` satisfies; see `SplitGraph::widen` for the
    /// contract and for why chains are finite.
    #[must_use]
    pub fn widen(&self, other: &Self, relaxation: &impl Relaxation) -> Self {
        let right = other.stable();
        let mut changed = Vec::new();
        let records = ChunkedTable::merge(&self.records, &right.records, |key, a, b| {
            let (record, stable) = widen_record(&right, relaxation, Literal(key), a?, b);
            if !stable {
                changed.push(Literal(key));
            }
            (!record.is_vacuous()).then_some(record)
        });
        let unstable = self.unstable || !changed.is_empty();
        let mut widened = Self { records, unstable };
        widened.keep_implied(self, &right, &changed);
        widened
    }

    /// Makes explicit the differences that followed from bounds of `left` which are now gone.
    fn keep_implied(&mut self, left: &Self, right: &Self, changed: &[Literal]) {
        let mut candidates = drifted_pairs(left, right);
        for &literal in changed {
            candidates.extend(
                right
                    .predecessors(literal)
                    .into_iter()
                    .map(|(p, _)| (p, literal)),
            );
        }
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
                self.set_edge(source, target, implied);
            }
        }
    }

    /// Keeps `self` but takes from `other`, which is below it, the constraints that `self` lacks.
    #[must_use]
    pub fn narrow(&self, other: &Self) -> Self {
        let mut narrowed = self.stable().into_owned();
        let mut news = other.stable().constraints();
        news.retain(|it| narrowed.difference(it.source, it.target).is_none());
        for constraint in news {
            if !narrowed.add(constraint).is_feasible() {
                return other.clone();
            }
        }
        narrowed
    }
}

/// Pairs of literals whose difference is better known than their joined bounds tell: the bound of
/// one rose while that of the other's negation fell.
fn drifted_pairs(left: &OctagonalGraph, right: &OctagonalGraph) -> Vec<(Literal, Literal)> {
    let (mut rose, mut fell) = (Vec::new(), Vec::new());
    ChunkedTable::differences(&left.records, &right.records, |key, a, b| {
        if let (Some(x), Some(y)) = (a.and_then(|a| a.upper), b.and_then(|b| b.upper)) {
            if x < y {
                rose.push(Literal(key));
            } else if x > y {
                fell.push(Literal(key));
            }
        }
        true
    });
    let pairs = rose
        .iter()
        .flat_map(|&up| fell.iter().map(move |&down| (down.negated(), up)));
    pairs
        .filter(|(source, target)| source.variable() != target.variable())
        .collect()
}

fn join_records(
    left: &OctagonalGraph,
    right: &OctagonalGraph,
    source: Literal,
    a: &Record,
    b: &Record,
) -> Option<Record> {
    let joined_upper = |literal| looser(left.upper(literal), right.upper(literal));
    let weigh = |target: Literal, x: Option<Weight>, y: Option<Weight>| {
        if x.is_some() && x == y {
            // Kept even where bounds imply it, so that rows common to both stay common.
            return x;
        }
        let weight = looser(
            tighter(x, left.implied_by_bounds(source, target)),
            tighter(y, right.implied_by_bounds(source, target)),
        )?;
        let implied = joined_upper(target).zip(joined_upper(source.negated()));
        implied
            .is_none_or(|(p, q)| weight < p + q)
            .then_some(weight)
    };
    let successors = if Arc::ptr_eq(&a.successors, &b.successors) {
        a.successors.clone()
    } else {
        let mut edges = Vec::new();
        Row::zip(&a.successors, &b.successors, |target, x, y| {
            edges.extend(weigh(Literal(target), x, y).map(|weight| (target, weight)));
        });
        Arc::new(edges.into_iter().collect())
    };
    let record = Record {
        upper: looser(a.upper, b.upper),
        successors,
    };
    (!record.is_vacuous()).then_some(record)
}

fn widen_record(
    right: &OctagonalGraph,
    relaxation: &impl Relaxation,
    source: Literal,
    a: &Record,
    b: Option<&Record>,
) -> (Record, bool) {
    let reached = b.and_then(|b| b.upper);
    let bound_is_stable = implies(reached, a.upper);
    let relax = |reached: Weight| {
        if source.is_positive() {
            relaxation.upper(reached)
        } else {
            relaxation.lower(-reached).map(|it| -it)
        }
    };
    let upper = if bound_is_stable {
        a.upper
    } else {
        reached.and_then(relax)
    };
    let keep = |&(target, weight): &(u32, Weight)| {
        right
            .difference(source, Literal(target))
            .is_some_and(|known| known <= weight)
    };
    let kept: Row = a.successors.iter().filter(keep).collect();
    if kept.len() == a.successors.len() {
        return (
            Record {
                upper,
                successors: a.successors.clone(),
            },
            bound_is_stable,
        );
    }
    (
        Record {
            upper,
            successors: Arc::new(kept),
        },
        false,
    )
}
