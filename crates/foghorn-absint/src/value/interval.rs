//! Intervals of ℤ with infinite bounds (Cousot and Cousot; §4.2.4 of the SeaHorn paper).
//!
//! Besides being a domain value, an [`Interval`] is the answer every numeric domain gives when it
//! is asked for the bounds of a variable. The arithmetic is in [`arithmetic`].
//!
//! Invariant: the empty interval has one representation, [+∞, −∞]; every other has
//! `lower` ≤ `upper`, `lower` < +∞ and `upper` > −∞.

mod arithmetic;

use std::fmt;

use crate::number::Number;
use crate::thresholds::Thresholds;
use crate::value::{AbstractValue, ArithmeticOperator, NumericValue};

/// An end of an interval.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bound {
    MinusInfinity,
    Finite(Number),
    PlusInfinity,
}

impl Bound {
    #[must_use]
    pub fn finite(&self) -> Option<&Number> {
        match self {
            Bound::Finite(value) => Some(value),
            Bound::MinusInfinity | Bound::PlusInfinity => None,
        }
    }

    #[must_use]
    pub fn is_finite(&self) -> bool {
        matches!(self, Bound::Finite(_))
    }

    /// −1, 0 or 1.
    #[must_use]
    pub fn signum(&self) -> i32 {
        match self {
            Bound::MinusInfinity => -1,
            Bound::Finite(value) => value.signum(),
            Bound::PlusInfinity => 1,
        }
    }

    #[must_use]
    pub fn negate(&self) -> Bound {
        match self {
            Bound::MinusInfinity => Bound::PlusInfinity,
            Bound::Finite(value) => Bound::Finite(-value),
            Bound::PlusInfinity => Bound::MinusInfinity,
        }
    }

    /// The sum; infinities must not cancel.
    #[must_use]
    pub fn plus(&self, other: &Bound) -> Bound {
        match (self, other) {
            (Bound::Finite(a), Bound::Finite(b)) => Bound::Finite(a + b),
            (Bound::Finite(_), infinite) => infinite.clone(),
            (infinite, _) => {
                debug_assert!(
                    *other != infinite.negate(),
                    "invariant: infinities do not cancel"
                );
                infinite.clone()
            }
        }
    }

    /// The product, where 0 · ∞ = 0.
    #[must_use]
    pub fn times(&self, other: &Bound) -> Bound {
        if let (Bound::Finite(a), Bound::Finite(b)) = (self, other) {
            return Bound::Finite(a * b);
        }
        match self.signum() * other.signum() {
            0 => Bound::Finite(Number::ZERO),
            1 => Bound::PlusInfinity,
            _ => Bound::MinusInfinity,
        }
    }
}

impl From<i64> for Bound {
    fn from(value: i64) -> Bound {
        Bound::Finite(Number::from(value))
    }
}

impl From<Number> for Bound {
    fn from(value: Number) -> Bound {
        Bound::Finite(value)
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::MinusInfinity => write!(formatter, "-oo"),
            Bound::Finite(value) => write!(formatter, "{value}"),
            Bound::PlusInfinity => write!(formatter, "+oo"),
        }
    }
}

impl fmt::Debug for Bound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// The integers between two bounds, both included.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Interval {
    lower: Bound,
    upper: Bound,
}

impl Interval {
    /// Empty when the bounds cross.
    #[must_use]
    pub fn new(lower: impl Into<Bound>, upper: impl Into<Bound>) -> Interval {
        let (lower, upper) = (lower.into(), upper.into());
        let empty = lower > upper || lower == Bound::PlusInfinity || upper == Bound::MinusInfinity;
        if empty {
            return Interval {
                lower: Bound::PlusInfinity,
                upper: Bound::MinusInfinity,
            };
        }
        Interval { lower, upper }
    }

    #[must_use]
    pub fn point(value: impl Into<Number>) -> Interval {
        let value = value.into();
        Interval {
            lower: Bound::Finite(value.clone()),
            upper: Bound::Finite(value),
        }
    }

    #[must_use]
    pub fn at_least(lower: impl Into<Bound>) -> Interval {
        Interval::new(lower, Bound::PlusInfinity)
    }

    #[must_use]
    pub fn at_most(upper: impl Into<Bound>) -> Interval {
        Interval::new(Bound::MinusInfinity, upper)
    }

    /// The signed values of `width` bits.
    #[must_use]
    pub fn signed_range(width: u32) -> Interval {
        let half = Number::power_of_two(width - 1);
        Interval::new(-&half, &half - &Number::ONE)
    }

    /// The unsigned values of `width` bits.
    #[must_use]
    pub fn unsigned_range(width: u32) -> Interval {
        Interval::new(0, Number::power_of_two(width) - Number::ONE)
    }

    #[must_use]
    pub fn lower(&self) -> &Bound {
        &self.lower
    }

    #[must_use]
    pub fn upper(&self) -> &Bound {
        &self.upper
    }

    /// The one value, when there is exactly one.
    #[must_use]
    pub fn as_point(&self) -> Option<&Number> {
        self.lower.finite().filter(|_| self.lower == self.upper)
    }

    /// Both bounds, when the interval is not empty and both are finite.
    #[must_use]
    pub fn as_finite(&self) -> Option<(&Number, &Number)> {
        Some((self.lower.finite()?, self.upper.finite()?))
    }

    #[must_use]
    pub fn contains(&self, value: &Number) -> bool {
        let lower_holds = match &self.lower {
            Bound::MinusInfinity => true,
            Bound::Finite(lower) => lower <= value,
            Bound::PlusInfinity => false,
        };
        let upper_holds = match &self.upper {
            Bound::MinusInfinity => false,
            Bound::Finite(upper) => value <= upper,
            Bound::PlusInfinity => true,
        };
        lower_holds && upper_holds
    }
}

impl AbstractValue for Interval {
    fn top() -> Interval {
        Interval {
            lower: Bound::MinusInfinity,
            upper: Bound::PlusInfinity,
        }
    }

    fn bottom() -> Interval {
        Interval {
            lower: Bound::PlusInfinity,
            upper: Bound::MinusInfinity,
        }
    }

    fn is_top(&self) -> bool {
        self.lower == Bound::MinusInfinity && self.upper == Bound::PlusInfinity
    }

    fn is_bottom(&self) -> bool {
        self.lower == Bound::PlusInfinity
    }

    fn leq(&self, other: &Interval) -> bool {
        other.lower <= self.lower && self.upper <= other.upper
    }

    fn join(&self, other: &Interval) -> Interval {
        Interval {
            lower: (&self.lower).min(&other.lower).clone(),
            upper: (&self.upper).max(&other.upper).clone(),
        }
    }

    fn meet(&self, other: &Interval) -> Interval {
        Interval::new(
            (&self.lower).max(&other.lower).clone(),
            (&self.upper).min(&other.upper).clone(),
        )
    }

    fn widen(&self, other: &Interval, thresholds: &Thresholds) -> Interval {
        if self.is_bottom() {
            return other.clone();
        }
        if other.is_bottom() {
            return self.clone();
        }
        let stable_below = self.lower <= other.lower;
        let stable_above = other.upper <= self.upper;
        Interval {
            lower: if stable_below {
                self.lower.clone()
            } else {
                thresholds.below(&other.lower)
            },
            upper: if stable_above {
                self.upper.clone()
            } else {
                thresholds.above(&other.upper)
            },
        }
    }

    fn narrow(&self, other: &Interval) -> Interval {
        if self.is_bottom() || other.is_bottom() {
            return Interval::bottom();
        }
        let lower = if self.lower.is_finite() {
            &self.lower
        } else {
            &other.lower
        };
        let upper = if self.upper.is_finite() {
            &self.upper
        } else {
            &other.upper
        };
        Interval::new(lower.clone(), upper.clone())
    }
}

impl NumericValue for Interval {
    fn constant(value: &Number) -> Interval {
        Interval::point(value.clone())
    }

    fn from_interval(interval: &Interval) -> Interval {
        interval.clone()
    }

    fn to_interval(&self) -> Interval {
        self.clone()
    }

    fn add(&self, other: &Interval) -> Interval {
        if self.is_bottom() || other.is_bottom() {
            return Interval::bottom();
        }
        Interval {
            lower: self.lower.plus(&other.lower),
            upper: self.upper.plus(&other.upper),
        }
    }

    fn scale(&self, factor: &Number) -> Interval {
        if self.is_bottom() {
            return Interval::bottom();
        }
        let factor = Bound::Finite(factor.clone());
        let (a, b) = (self.lower.times(&factor), self.upper.times(&factor));
        if factor.signum() < 0 {
            Interval::new(b, a)
        } else {
            Interval::new(a, b)
        }
    }

    fn apply(operator: ArithmeticOperator, left: &Interval, right: &Interval) -> Interval {
        arithmetic::apply(operator, left, right)
    }

    fn divide_exactly(&self, divisor: &Number) -> Interval {
        arithmetic::divide_exactly(self, divisor)
    }

    fn without(&self, value: &Number) -> Interval {
        let at = |bound: &Bound| bound.finite() == Some(value);
        let lower = if at(&self.lower) {
            Bound::Finite(value + &Number::ONE)
        } else {
            self.lower.clone()
        };
        let upper = if at(&self.upper) {
            Bound::Finite(value - &Number::ONE)
        } else {
            self.upper.clone()
        };
        Interval::new(lower, upper)
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_bottom() {
            return write!(formatter, "_|_");
        }
        write!(formatter, "[{}, {}]", self.lower, self.upper)
    }
}

impl fmt::Debug for Interval {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
