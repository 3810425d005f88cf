//! Constants: the flat lattice over ℤ.

use std::fmt;

use crate::number::Number;
use crate::thresholds::Thresholds;
use crate::value::interval::Interval;
use crate::value::{AbstractValue, ArithmeticOperator, NumericValue};

/// No value, one value, or any.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    Bottom,
    Known(Number),
    Top,
}

impl Constant {
    fn map(&self, f: impl FnOnce(&Number) -> Option<Number>) -> Constant {
        match self {
            Constant::Bottom => Constant::Bottom,
            Constant::Known(value) => f(value).map_or(Constant::Bottom, Constant::Known),
            Constant::Top => Constant::Top,
        }
    }
}

impl AbstractValue for Constant {
    fn top() -> Constant {
        Constant::Top
    }

    fn bottom() -> Constant {
        Constant::Bottom
    }

    fn is_top(&self) -> bool {
        *self == Constant::Top
    }

    fn is_bottom(&self) -> bool {
        *self == Constant::Bottom
    }

    fn leq(&self, other: &Constant) -> bool {
        self.is_bottom() || other.is_top() || self == other
    }

    fn join(&self, other: &Constant) -> Constant {
        match (self, other) {
            (Constant::Bottom, value) | (value, Constant::Bottom) => value.clone(),
            (a, b) if a == b => a.clone(),
            (Constant::Known(_) | Constant::Top, Constant::Known(_) | Constant::Top) => {
                Constant::Top
            }
        }
    }

    fn meet(&self, other: &Constant) -> Constant {
        match (self, other) {
            (Constant::Top, value) | (value, Constant::Top) => value.clone(),
            (a, b) if a == b => a.clone(),
            (Constant::Known(_) | Constant::Bottom, Constant::Known(_) | Constant::Bottom) => {
                Constant::Bottom
            }
        }
    }

    fn widen(&self, other: &Constant, _thresholds: &Thresholds) -> Constant {
        self.join(other)
    }

    fn narrow(&self, other: &Constant) -> Constant {
        self.meet(other)
    }
}

impl NumericValue for Constant {
    fn constant(value: &Number) -> Constant {
        Constant::Known(value.clone())
    }

    fn from_interval(interval: &Interval) -> Constant {
        if interval.is_bottom() {
            return Constant::Bottom;
        }
        interval
            .as_point()
            .cloned()
            .map_or(Constant::Top, Constant::Known)
    }

    fn to_interval(&self) -> Interval {
        match self {
            Constant::Bottom => Interval::bottom(),
            Constant::Known(value) => Interval::point(value.clone()),
            Constant::Top => Interval::top(),
        }
    }

    fn add(&self, other: &Constant) -> Constant {
        Constant::apply(ArithmeticOperator::Add, self, other)
    }

    fn scale(&self, factor: &Number) -> Constant {
        if factor.is_zero() && !self.is_bottom() {
            return Constant::Known(Number::ZERO);
        }
        self.map(|value| Some(value * factor))
    }

    fn apply(operator: ArithmeticOperator, left: &Constant, right: &Constant) -> Constant {
        match (left, right) {
            (Constant::Bottom, _) | (_, Constant::Bottom) => Constant::Bottom,
            (Constant::Known(a), Constant::Known(b)) => operator
                .evaluate(a, b)
                .map_or(Constant::Bottom, Constant::Known),
            (Constant::Known(_) | Constant::Top, Constant::Known(_) | Constant::Top) => {
                absorbing(operator, left, right)
            }
        }
    }

    fn divide_exactly(&self, divisor: &Number) -> Constant {
        self.map(|value| {
            value
                .is_multiple_of(divisor)
                .then(|| value.div_floor(divisor))
        })
    }

    fn without(&self, value: &Number) -> Constant {
        self.map(|own| (own != value).then(|| own.clone()))
    }
}

/// Results that one operand decides: 0·x, 0 & x, 0/x, 0 rem x, −1 | x, x rem ±1, 0 << x, 0 >> x.
fn absorbing(operator: ArithmeticOperator, left: &Constant, right: &Constant) -> Constant {
    let zero = Constant::Known(Number::ZERO);
    let minus_one = Constant::Known(Number::MINUS_ONE);
    let either = |value: &Constant| left == value || right == value;
    let decided = match operator {
        ArithmeticOperator::Multiply | ArithmeticOperator::And => either(&zero).then_some(zero),
        ArithmeticOperator::Or => either(&minus_one).then_some(minus_one),
        ArithmeticOperator::Divide
        | ArithmeticOperator::ShiftLeft
        | ArithmeticOperator::ShiftRight => (*left == zero).then_some(zero),
        ArithmeticOperator::Remainder => {
            let unit = *right == Constant::Known(Number::ONE) || *right == minus_one;
            (*left == zero || unit).then_some(zero)
        }
        ArithmeticOperator::Add | ArithmeticOperator::Subtract | ArithmeticOperator::Xor => None,
    };
    decided.unwrap_or(Constant::Top)
}

impl fmt::Display for Constant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Constant::Bottom => write!(formatter, "_|_"),
            Constant::Known(value) => write!(formatter, "{value}"),
            Constant::Top => write!(formatter, "T"),
        }
    }
}
