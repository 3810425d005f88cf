//! Intervals of a congruence class: the reduced product of both values (Granger; §4.2.4 of the
//! SeaHorn paper).
//!
//! Invariant: finite bounds belong to the class; an interval of one point makes the class a
//! constant; ⊥ in one part is ⊥ in both.

use std::fmt;

use crate::number::Number;
use crate::thresholds::Thresholds;
use crate::value::congruence::Congruence;
use crate::value::interval::Interval;
use crate::value::{AbstractValue, ArithmeticOperator, NumericValue};

/// The elements of a congruence class in an interval.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IntervalCongruence {
    interval: Interval,
    congruence: Congruence,
}

impl IntervalCongruence {
    /// Reduces the two parts by each other.
    #[must_use]
    pub fn new(interval: &Interval, congruence: &Congruence) -> IntervalCongruence {
        let interval = congruence.tighten(interval);
        if interval.is_bottom() {
            return IntervalCongruence::bottom();
        }
        let congruence = match interval.as_point() {
            Some(value) => Congruence::constant(value),
            None => congruence.clone(),
        };
        IntervalCongruence {
            interval,
            congruence,
        }
    }
}

impl AbstractValue for IntervalCongruence {
    fn top() -> IntervalCongruence {
        IntervalCongruence {
            interval: Interval::top(),
            congruence: Congruence::top(),
        }
    }

    fn bottom() -> IntervalCongruence {
        IntervalCongruence {
            interval: Interval::bottom(),
            congruence: Congruence::bottom(),
        }
    }

    fn is_top(&self) -> bool {
        self.interval.is_top() && self.congruence.is_top()
    }

    fn is_bottom(&self) -> bool {
        self.interval.is_bottom()
    }

    fn leq(&self, other: &IntervalCongruence) -> bool {
        self.interval.leq(&other.interval) && self.congruence.leq(&other.congruence)
    }

    fn join(&self, other: &IntervalCongruence) -> IntervalCongruence {
        IntervalCongruence {
            interval: self.interval.join(&other.interval),
            congruence: self.congruence.join(&other.congruence),
        }
    }

    fn meet(&self, other: &IntervalCongruence) -> IntervalCongruence {
        let interval = self.interval.meet(&other.interval);
        IntervalCongruence::new(&interval, &self.congruence.meet(&other.congruence))
    }

    fn widen(&self, other: &IntervalCongruence, thresholds: &Thresholds) -> IntervalCongruence {
        // A threshold need not belong to the class. It is not tightened: bounds that came from
        // thresholds must stay where they are, or the chain could move between two of them.
        IntervalCongruence {
            interval: self.interval.widen(&other.interval, thresholds),
            congruence: self.congruence.widen(&other.congruence, thresholds),
        }
    }

    fn narrow(&self, other: &IntervalCongruence) -> IntervalCongruence {
        let interval = self.interval.narrow(&other.interval);
        IntervalCongruence::new(&interval, &self.congruence.narrow(&other.congruence))
    }
}

impl NumericValue for IntervalCongruence {
    fn constant(value: &Number) -> IntervalCongruence {
        IntervalCongruence {
            interval: Interval::constant(value),
            congruence: Congruence::constant(value),
        }
    }

    fn from_interval(interval: &Interval) -> IntervalCongruence {
        IntervalCongruence::new(interval, &Congruence::top())
    }

    fn to_interval(&self) -> Interval {
        self.congruence.tighten(&self.interval)
    }

    fn add(&self, other: &IntervalCongruence) -> IntervalCongruence {
        let interval = self.interval.add(&other.interval);
        IntervalCongruence::new(&interval, &self.congruence.add(&other.congruence))
    }

    fn scale(&self, factor: &Number) -> IntervalCongruence {
        IntervalCongruence::new(&self.interval.scale(factor), &self.congruence.scale(factor))
    }

    fn apply(
        operator: ArithmeticOperator,
        left: &IntervalCongruence,
        right: &IntervalCongruence,
    ) -> IntervalCongruence {
        let interval = Interval::apply(operator, &left.interval, &right.interval);
        let congruence = Congruence::apply(operator, &left.congruence, &right.congruence);
        IntervalCongruence::new(&interval, &congruence)
    }

    fn divide_exactly(&self, divisor: &Number) -> IntervalCongruence {
        let interval = self.interval.divide_exactly(divisor);
        IntervalCongruence::new(&interval, &self.congruence.divide_exactly(divisor))
    }

    fn without(&self, value: &Number) -> IntervalCongruence {
        let tight = self.to_interval();
        IntervalCongruence::new(&tight.without(value), &self.congruence.without(value))
    }

    fn describe_beyond_interval(&self, name: &str) -> Option<String> {
        self.congruence.describe_beyond_interval(name)
    }
}

impl fmt::Display for IntervalCongruence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}&{}", self.interval, self.congruence)
    }
}

impl fmt::Debug for IntervalCongruence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
