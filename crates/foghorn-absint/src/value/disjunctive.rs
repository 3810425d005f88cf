//! Disjunctive intervals: a bounded number of disjoint intervals.
//!
//! Fähndrich and Logozzo, *Static Contract Checking with Abstract Interpretation* (FoVeOOS 2010),
//! §4.2, the "DisInt" of §4.2.4 of the SeaHorn paper: x ≠ 0 is `(−∞, −1] ∪ [1, +∞)`.
//!
//! Invariants: parts ascend, are not empty, and there is an integer between any two of them; there
//! are at most [`MAXIMAL_PARTS`]. Beyond that the narrowest gaps are closed, so a join can depend on
//! the order of joins; the order itself is inclusion.

use std::fmt;

use crate::number::Number;
use crate::thresholds::Thresholds;
use crate::value::interval::{Bound, Interval};
use crate::value::{AbstractValue, ArithmeticOperator, NumericValue};

/// How many intervals a value may have.
pub const MAXIMAL_PARTS: usize = 16;

/// An operation on values with more pairs of parts than this works on their hulls.
const MAXIMAL_PAIRS: usize = 64;

/// A finite union of intervals.
#[derive(Clone, PartialEq, Eq)]
pub struct DisjunctiveInterval {
    parts: Vec<Interval>,
}

/// The number of integers strictly between two intervals, of which the first lies below.
fn gap(below: &Interval, above: &Interval) -> Number {
    let (Bound::Finite(upper), Bound::Finite(lower)) = (below.upper(), above.lower()) else {
        return Number::ZERO;
    };
    &(lower - upper) - &Number::ONE
}

impl DisjunctiveInterval {
    /// The union of some intervals.
    #[must_use]
    pub fn union(intervals: impl IntoIterator<Item = Interval>) -> Self {
        let mut sorted: Vec<Interval> =
            intervals.into_iter().filter(|it| !it.is_bottom()).collect();
        sorted.sort_by(|a, b| a.lower().cmp(b.lower()));
        let mut parts: Vec<Interval> = Vec::new();
        for interval in sorted {
            match parts.last_mut() {
                Some(last) if !gap(last, &interval).is_positive() => *last = last.join(&interval),
                Some(_) | None => parts.push(interval),
            }
        }
        while parts.len() > MAXIMAL_PARTS {
            let narrowest = (1..parts.len())
                .min_by_key(|&index| gap(&parts[index - 1], &parts[index]))
                .expect("invariant: there are many parts");
            let merged = parts[narrowest - 1].join(&parts[narrowest]);
            parts[narrowest - 1] = merged;
            parts.remove(narrowest);
        }
        Self { parts }
    }

    /// The parts, ascending.
    #[must_use]
    pub fn parts(&self) -> &[Interval] {
        &self.parts
    }

    #[must_use]
    pub fn contains(&self, value: &Number) -> bool {
        self.parts.iter().any(|part| part.contains(value))
    }

    fn hull(&self) -> Interval {
        match (self.parts.first(), self.parts.last()) {
            (Some(first), Some(last)) => first.join(last),
            (None, _) | (_, None) => Interval::bottom(),
        }
    }

    fn map(&self, each: impl Fn(&Interval) -> Interval) -> Self {
        Self::union(self.parts.iter().map(each))
    }

    fn pairwise(&self, other: &Self, each: impl Fn(&Interval, &Interval) -> Interval) -> Self {
        if self.parts.len() * other.parts.len() > MAXIMAL_PAIRS {
            return Self::union([each(&self.hull(), &other.hull())]);
        }
        let pairs = self
            .parts
            .iter()
            .flat_map(|a| other.parts.iter().map(move |b| (a, b)));
        Self::union(pairs.map(|(a, b)| each(a, b)))
    }

    /// The intervals between the parts.
    fn holes(&self) -> impl Iterator<Item = Interval> + '_ {
        self.parts.windows(2).map(|pair| {
            let one = Bound::from(1);
            Interval::new(
                pair[0].upper().plus(&one),
                pair[1].lower().plus(&one.negate()),
            )
        })
    }
}

impl AbstractValue for DisjunctiveInterval {
    fn top() -> Self {
        Self {
            parts: vec![Interval::top()],
        }
    }

    fn bottom() -> Self {
        Self { parts: Vec::new() }
    }

    fn is_top(&self) -> bool {
        self.parts.first().is_some_and(Interval::is_top)
    }

    fn is_bottom(&self) -> bool {
        self.parts.is_empty()
    }

    fn leq(&self, other: &Self) -> bool {
        self.parts
            .iter()
            .all(|part| other.parts.iter().any(|it| part.leq(it)))
    }

    fn join(&self, other: &Self) -> Self {
        Self::union(self.parts.iter().chain(&other.parts).cloned())
    }

    fn meet(&self, other: &Self) -> Self {
        // Not limited by pairs: an intersection has fewer parts than both together.
        let pairs = self
            .parts
            .iter()
            .flat_map(|a| other.parts.iter().map(move |b| a.meet(b)));
        Self::union(pairs)
    }

    /// The hull is widened like an interval; of the holes of `self` those stay that `other` leaves
    /// alone. Holes are never made, so there are finitely many steps.
    fn widen(&self, other: &Self, thresholds: &Thresholds) -> Self {
        if self.is_bottom() || other.is_bottom() {
            return self.join(other);
        }
        let mut parts = vec![self.hull().widen(&other.hull(), thresholds)];
        for hole in self.holes() {
            if !other.parts.iter().all(|part| part.meet(&hole).is_bottom()) {
                continue;
            }
            let last = parts.pop().expect("invariant: there is always a last part");
            let one = Bound::from(1);
            let below = Interval::at_most(hole.lower().plus(&one.negate()));
            let above = Interval::at_least(hole.upper().plus(&one));
            parts.push(last.meet(&below));
            parts.push(last.meet(&above));
        }
        Self::union(parts)
    }

    fn narrow(&self, other: &Self) -> Self {
        if other.is_bottom() {
            return Self::bottom();
        }
        let hull = self.hull().narrow(&other.hull());
        self.map(|part| part.meet(&hull))
    }
}

impl NumericValue for DisjunctiveInterval {
    fn constant(value: &Number) -> Self {
        Self::union([Interval::point(value.clone())])
    }

    fn from_interval(interval: &Interval) -> Self {
        Self::union([interval.clone()])
    }

    fn to_interval(&self) -> Interval {
        self.hull()
    }

    fn add(&self, other: &Self) -> Self {
        self.pairwise(other, Interval::add)
    }

    fn scale(&self, factor: &Number) -> Self {
        self.map(|part| part.scale(factor))
    }

    fn apply(operator: ArithmeticOperator, left: &Self, right: &Self) -> Self {
        left.pairwise(right, |a, b| Interval::apply(operator, a, b))
    }

    fn divide_exactly(&self, divisor: &Number) -> Self {
        self.map(|part| part.divide_exactly(divisor))
    }

    fn without(&self, value: &Number) -> Self {
        let below = Interval::at_most(value - &Number::ONE);
        let above = Interval::at_least(value + &Number::ONE);
        let halves = self
            .parts
            .iter()
            .flat_map(|part| [part.meet(&below), part.meet(&above)]);
        Self::union(halves)
    }

    fn describe_beyond_interval(&self, name: &str) -> Option<String> {
        (self.parts.len() > 1).then(|| format!("{name} in {self}"))
    }
}

impl fmt::Display for DisjunctiveInterval {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.parts.is_empty() {
            return fmt::Display::fmt(&Interval::bottom(), formatter);
        }
        for (index, part) in self.parts.iter().enumerate() {
            let separator = if index > 0 { " | " } else { "" };
            write!(formatter, "{separator}{part}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for DisjunctiveInterval {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
