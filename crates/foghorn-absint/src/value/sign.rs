//! Signs: any set of {negative, zero, positive}.
//!
//! Invariant: a value is three bits, and the lattice is that of sets. Operations are the union of
//! what they do to each pair of signs.

use std::fmt;

use crate::number::Number;
use crate::thresholds::Thresholds;
use crate::value::interval::Interval;
use crate::value::{AbstractValue, ArithmeticOperator, NumericValue};

/// A set of signs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sign(u8);

impl Sign {
    pub const NEGATIVE: Sign = Sign(1);
    pub const ZERO: Sign = Sign(2);
    pub const POSITIVE: Sign = Sign(4);

    /// The signs of this set, one by one, each as an interval.
    fn each(self) -> impl Iterator<Item = (Sign, Interval)> {
        let all = [
            (Sign::NEGATIVE, Interval::at_most(-1)),
            (Sign::ZERO, Interval::point(0)),
            (Sign::POSITIVE, Interval::at_least(1)),
        ];
        all.into_iter()
            .filter(move |(sign, _)| self.0 & sign.0 != 0)
    }
}

impl AbstractValue for Sign {
    fn top() -> Sign {
        Sign(7)
    }

    fn bottom() -> Sign {
        Sign(0)
    }

    fn is_top(&self) -> bool {
        self.0 == 7
    }

    fn is_bottom(&self) -> bool {
        self.0 == 0
    }

    fn leq(&self, other: &Sign) -> bool {
        self.0 & !other.0 == 0
    }

    fn join(&self, other: &Sign) -> Sign {
        Sign(self.0 | other.0)
    }

    fn meet(&self, other: &Sign) -> Sign {
        Sign(self.0 & other.0)
    }

    fn widen(&self, other: &Sign, _thresholds: &Thresholds) -> Sign {
        self.join(other)
    }

    fn narrow(&self, other: &Sign) -> Sign {
        self.meet(other)
    }
}

impl NumericValue for Sign {
    fn constant(value: &Number) -> Sign {
        match value.signum() {
            -1 => Sign::NEGATIVE,
            0 => Sign::ZERO,
            _ => Sign::POSITIVE,
        }
    }

    fn from_interval(interval: &Interval) -> Sign {
        let signs = Sign::top()
            .each()
            .filter(|(_, set)| !set.meet(interval).is_bottom());
        signs.fold(Sign::bottom(), |all, (sign, _)| all.join(&sign))
    }

    fn to_interval(&self) -> Interval {
        self.each()
            .fold(Interval::bottom(), |hull, (_, set)| hull.join(&set))
    }

    fn add(&self, other: &Sign) -> Sign {
        Sign::apply(ArithmeticOperator::Add, self, other)
    }

    fn scale(&self, factor: &Number) -> Sign {
        Sign::apply(ArithmeticOperator::Multiply, self, &Sign::constant(factor))
    }

    /// On one sign each, the interval operation says which signs the result may have.
    fn apply(operator: ArithmeticOperator, left: &Sign, right: &Sign) -> Sign {
        let mut result = Sign::bottom();
        for (_, x) in left.each() {
            for (_, y) in right.each() {
                result = result.join(&Sign::from_interval(&Interval::apply(operator, &x, &y)));
            }
        }
        result
    }

    fn divide_exactly(&self, divisor: &Number) -> Sign {
        self.scale(divisor)
    }

    fn without(&self, value: &Number) -> Sign {
        if value.is_zero() {
            Sign(self.0 & !Sign::ZERO.0)
        } else {
            *self
        }
    }

    fn describe_beyond_interval(&self, name: &str) -> Option<String> {
        (self.0 == 5).then(|| format!("{name} != 0"))
    }
}

impl fmt::Display for Sign {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = ["_|_", "<0", "=0", "<=0", ">0", "!=0", ">=0", "T"];
        formatter.write_str(names[usize::from(self.0 & 7)])
    }
}

impl fmt::Debug for Sign {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
