//! Abstractions of a single value: one interval, one congruence class, one sign.
//!
//! A value knows nothing of variables; [`crate::domain::environment`] lifts any
//! [`NumericValue`] to a domain over environments. To add one, implement the two traits here and
//! enrol it in [`crate::registry`].

pub mod congruence;
pub mod constant;
pub mod disjunctive;
pub mod interval;
pub mod product;
pub mod sign;
pub mod wrapped;

use std::fmt;

use crate::number::Number;
use crate::thresholds::Thresholds;
use interval::Interval;

/// A lattice of properties of one value.
///
/// Contracts, with γ the set of values an element stands for: `leq` implies inclusion of γ; `join`
/// includes both, `meet` includes the intersection, `widen` includes both and every chain
/// xᵢ₊₁ = xᵢ ∇ yᵢ is stationary, `narrow(self, other)` lies between their meet and `self`.
pub trait AbstractValue: Clone + PartialEq + fmt::Debug + fmt::Display + 'static {
    fn top() -> Self;
    fn bottom() -> Self;
    fn is_top(&self) -> bool;
    fn is_bottom(&self) -> bool;
    fn leq(&self, other: &Self) -> bool;
    #[must_use]
    fn join(&self, other: &Self) -> Self;
    #[must_use]
    fn meet(&self, other: &Self) -> Self;
    #[must_use]
    fn widen(&self, other: &Self, thresholds: &Thresholds) -> Self;
    #[must_use]
    fn narrow(&self, other: &Self) -> Self;
}

/// Arithmetic over ℤ on abstract values. Every method over-approximates the pointwise image.
pub trait NumericValue: AbstractValue {
    fn constant(value: &Number) -> Self;

    /// The best approximation of an interval.
    fn from_interval(interval: &Interval) -> Self;

    /// An interval that contains every value.
    fn to_interval(&self) -> Interval;

    #[must_use]
    fn add(&self, other: &Self) -> Self;

    /// The values c·v.
    #[must_use]
    fn scale(&self, factor: &Number) -> Self;

    #[must_use]
    fn apply(operator: ArithmeticOperator, left: &Self, right: &Self) -> Self;

    /// The integers n with divisor·n among the values; `divisor` is not zero.
    #[must_use]
    fn divide_exactly(&self, divisor: &Number) -> Self {
        let interval = self.to_interval().divide_exactly(divisor);
        Self::from_interval(&interval)
    }

    /// The values except `value`.
    #[must_use]
    fn without(&self, value: &Number) -> Self {
        Self::from_interval(&self.to_interval().without(value)).meet(self)
    }

    /// Facts that the interval of the value does not say, as text with `name` for the value.
    fn describe_beyond_interval(&self, _name: &str) -> Option<String> {
        None
    }
}

/// Operations over ℤ. Division truncates towards zero and the remainder has the sign of the
/// dividend; bits are those of infinite two's complement; shifts multiply and divide (downwards)
/// by powers of two. Zero divisors and negative shift amounts have no result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ArithmeticOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

/// Shift amounts above this have no result, on integers of any kind: 2 to the power of such an
/// amount could not even be written down.
pub const LARGEST_SHIFT: u32 = 4096;

impl ArithmeticOperator {
    pub const ALL: [ArithmeticOperator; 10] = [
        ArithmeticOperator::Add,
        ArithmeticOperator::Subtract,
        ArithmeticOperator::Multiply,
        ArithmeticOperator::Divide,
        ArithmeticOperator::Remainder,
        ArithmeticOperator::And,
        ArithmeticOperator::Or,
        ArithmeticOperator::Xor,
        ArithmeticOperator::ShiftLeft,
        ArithmeticOperator::ShiftRight,
    ];

    /// The concrete operation; `None` where it has no result.
    #[must_use]
    pub fn evaluate(self, left: &Number, right: &Number) -> Option<Number> {
        let amount = || right.to_u32().filter(|amount| *amount <= LARGEST_SHIFT);
        match self {
            ArithmeticOperator::Add => Some(left + right),
            ArithmeticOperator::Subtract => Some(left - right),
            ArithmeticOperator::Multiply => Some(left * right),
            ArithmeticOperator::Divide => (!right.is_zero()).then(|| left.div_truncate(right)),
            ArithmeticOperator::Remainder => (!right.is_zero()).then(|| left.rem_truncate(right)),
            ArithmeticOperator::And => Some(left.bit_and(right)),
            ArithmeticOperator::Or => Some(left.bit_or(right)),
            ArithmeticOperator::Xor => Some(left.bit_xor(right)),
            ArithmeticOperator::ShiftLeft => amount().map(|amount| left.shift_left(amount)),
            ArithmeticOperator::ShiftRight => amount().map(|amount| left.shift_right(amount)),
        }
    }
}
