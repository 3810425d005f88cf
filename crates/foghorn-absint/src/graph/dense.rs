//! The textbook difference-bound matrix (Miné, *The Octagon Abstract Domain*, 2006, §2): the oracle
//! of the sparse graphs' tests and the baseline of their benchmark.
//!
//! A closed matrix over `n` variables and "zero" (index 0), every entry present. Adding a
//! constraint costs O(n²), a join O(n²), closing from scratch O(n³). Infinity is a sentinel so that
//! the inner loops are as tight as the sparse ones.

use super::split::{Constraint, Feasibility, Relaxation};
use super::{WEIGHT_LIMIT, Weight, representable};

const INFINITY: Weight = Weight::MAX / 4;

/// A matrix whose entry (s, d) is the least known `w` with `d − s ≤ w`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DenseMatrix {
    side: usize,
    entries: Vec<Weight>,
    /// False only between a widening and the next change.
    closed: bool,
}

fn index(vertex: u32) -> usize {
    vertex as usize + 1
}

fn finite(weight: Weight) -> Option<Weight> {
    (weight < INFINITY).then_some(weight)
}

fn plus(left: Weight, right: Weight) -> Weight {
    if left >= INFINITY || right >= INFINITY {
        return INFINITY;
    }
    let sum = left + right;
    if sum.abs() > WEIGHT_LIMIT {
        INFINITY
    } else {
        sum
    }
}

impl DenseMatrix {
    /// The unconstrained matrix over vertices `0..vertices`.
    #[must_use]
    pub fn unconstrained(vertices: usize) -> Self {
        let side = vertices + 1;
        let mut entries = vec![INFINITY; side * side];
        for i in 0..side {
            entries[i * side + i] = 0;
        }
        Self {
            side,
            entries,
            closed: true,
        }
    }

    fn at(&self, source: usize, target: usize) -> Weight {
        self.entries[source * self.side + target]
    }

    #[must_use]
    pub fn upper(&self, vertex: u32) -> Option<Weight> {
        finite(self.at(0, index(vertex)))
    }

    #[must_use]
    pub fn lower(&self, vertex: u32) -> Option<Weight> {
        finite(self.at(index(vertex), 0)).map(|weight| -weight)
    }

    #[must_use]
    pub fn difference(&self, source: u32, target: u32) -> Option<Weight> {
        finite(self.at(index(source), index(target)))
    }

    #[must_use]
    pub fn vertices(&self) -> usize {
        self.side - 1
    }

    /// Adds one constraint and closes.
    pub fn add(&mut self, constraint: Constraint) -> Feasibility {
        match constraint {
            Constraint::Upper(vertex, weight) => self.add_edge(0, index(vertex), weight),
            Constraint::Lower(vertex, weight) => self.add_edge(index(vertex), 0, -weight),
            Constraint::Difference {
                source,
                target,
                weight,
            } => self.add_edge(index(source), index(target), weight),
        }
    }

    fn add_edge(&mut self, source: usize, target: usize, weight: Weight) -> Feasibility {
        if !self.close().is_feasible() {
            return Feasibility::Infeasible;
        }
        if source == target {
            return Feasibility::of(weight >= 0);
        }
        if representable(weight).is_none() || self.at(source, target) <= weight {
            return Feasibility::Feasible;
        }
        if plus(self.at(target, source), weight) < 0 {
            return Feasibility::Infeasible;
        }
        let row: Vec<Weight> = self.entries[target * self.side..(target + 1) * self.side].to_vec();
        for start in 0..self.side {
            let head = plus(self.at(start, source), weight);
            if head >= INFINITY {
                continue;
            }
            let entries = &mut self.entries[start * self.side..(start + 1) * self.side];
            for (entry, &tail) in entries.iter_mut().zip(&row) {
                *entry = (*entry).min(plus(head, tail));
            }
        }
        Feasibility::Feasible
    }

    /// Floyd and Warshall's closure; a no-op on a closed matrix.
    pub fn close(&mut self) -> Feasibility {
        if self.closed {
            return Feasibility::Feasible;
        }
        for via in 0..self.side {
            let row: Vec<Weight> = self.entries[via * self.side..(via + 1) * self.side].to_vec();
            for start in 0..self.side {
                let head = self.at(start, via);
                if head >= INFINITY {
                    continue;
                }
                let entries = &mut self.entries[start * self.side..(start + 1) * self.side];
                for (entry, &tail) in entries.iter_mut().zip(&row) {
                    *entry = (*entry).min(plus(head, tail));
                }
            }
        }
        self.closed = true;
        Feasibility::of((0..self.side).all(|i| self.at(i, i) >= 0))
    }

    pub fn forget(&mut self, vertex: u32) {
        let _ = self.close();
        let v = index(vertex);
        for i in 0..self.side {
            self.entries[i * self.side + v] = INFINITY;
            self.entries[v * self.side + i] = INFINITY;
        }
        self.entries[v * self.side + v] = 0;
    }

    /// `vertex := constant`
    pub fn assign_constant(&mut self, vertex: u32, constant: Weight) {
        self.forget(vertex);
        let _ = self.add(Constraint::Upper(vertex, constant));
        let _ = self.add(Constraint::Lower(vertex, constant));
    }

    /// `vertex := other + constant`
    pub fn assign_offset(&mut self, vertex: u32, other: u32, constant: Weight) {
        let _ = self.close();
        let (v, o) = (index(vertex), index(other));
        if vertex != other {
            self.forget(vertex);
            for i in 0..self.side {
                self.entries[i * self.side + v] = self.at(i, o);
                self.entries[v * self.side + i] = self.at(o, i);
            }
            self.entries[v * self.side + v] = 0;
        }
        for i in (0..self.side).filter(|&i| i != v) {
            self.entries[i * self.side + v] = plus(self.at(i, v), constant);
            self.entries[v * self.side + i] = plus(self.at(v, i), -constant);
        }
    }

    fn combine(&self, other: &Self, pick: impl Fn(Weight, Weight) -> Weight) -> Vec<Weight> {
        self.entries
            .iter()
            .zip(&other.entries)
            .map(|(&a, &b)| pick(a, b))
            .collect()
    }

    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        let (mut left, mut right) = (self.clone(), other.clone());
        let (_, _) = (left.close(), right.close());
        let entries = left.combine(&right, Weight::max);
        Self {
            side: self.side,
            entries,
            closed: true,
        }
    }

    /// The conjunction, or `None` when it is infeasible.
    #[must_use]
    pub fn meet(&self, other: &Self) -> Option<Self> {
        let entries = self.combine(other, Weight::min);
        let mut meet = Self {
            side: self.side,
            entries,
            closed: false,
        };
        meet.close().is_feasible().then_some(meet)
    }

    /// Entries of `self` that `other` breaks become infinite; the result is not closed.
    #[must_use]
    pub fn widen(&self, other: &Self, relaxation: &impl Relaxation) -> Self {
        let mut right = other.clone();
        let _ = right.close();
        let mut entries = self.combine(&right, |a, b| if b <= a { a } else { INFINITY });
        for v in 1..self.side {
            let relax = |old: Weight, new: Weight, it: &dyn Fn(Weight) -> Option<Weight>| {
                if new <= old || new >= INFINITY {
                    return None;
                }
                it(new)
            };
            let up = |reached| relaxation.upper(reached);
            if let Some(weight) = relax(self.at(0, v), right.at(0, v), &up) {
                entries[v] = weight;
            }
            let down = |reached: Weight| relaxation.lower(-reached).map(|it| -it);
            if let Some(weight) = relax(self.at(v, 0), right.at(v, 0), &down) {
                entries[v * self.side] = weight;
            }
        }
        Self {
            side: self.side,
            entries,
            closed: false,
        }
    }

    #[must_use]
    pub fn leq(&self, other: &Self) -> bool {
        let mut left = self.clone();
        let _ = left.close();
        left.entries.iter().zip(&other.entries).all(|(a, b)| a <= b)
    }

    /// Takes from `other`, which is below `self`, the entries that are infinite here.
    #[must_use]
    pub fn narrow(&self, other: &Self) -> Self {
        let entries = self.combine(other, |a, b| if a >= INFINITY { b } else { a });
        let mut narrowed = Self {
            side: self.side,
            entries,
            closed: false,
        };
        let _ = narrowed.close();
        narrowed
    }
}
