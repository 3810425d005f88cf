//! Arithmetic on arcs (§3.2 of the paper).
//!
//! Additions turn the circle. The other operations cut their operands where the circle of signed or
//! of unsigned numbers is cut, work on intervals of ℤ, and put the pieces back together.

use super::{MAXIMAL_WIDTH, Shape, WrappedInterval};
use crate::language::{BinaryOperator, Cast};
use crate::number::Number;
use crate::value::interval::Interval;
use crate::value::{AbstractValue as _, ArithmeticOperator, NumericValue as _};

impl WrappedInterval {
    /// The sums modulo 2^w.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        match (self.shape, other.shape) {
            (Shape::Empty, _) | (_, Shape::Empty) => Self::empty(self.width),
            (Shape::All, _) | (_, Shape::All) => Self::all(self.width),
            (Shape::Arc { start: a, end: b }, Shape::Arc { start: c, end: d }) => {
                if self.length().saturating_add(other.length()) >= self.mask() {
                    return Self::all(self.width);
                }
                Self::arc(self.width, a.wrapping_add(c), b.wrapping_add(d))
            }
        }
    }

    /// The opposites modulo 2^w.
    #[must_use]
    pub fn negate(&self) -> Self {
        match self.shape {
            Shape::Empty | Shape::All => *self,
            Shape::Arc { start, end } => {
                Self::arc(self.width, end.wrapping_neg(), start.wrapping_neg())
            }
        }
    }

    /// The multiples modulo 2^w.
    #[must_use]
    pub fn scale(&self, factor: &Number) -> Self {
        match self.shape {
            Shape::Empty => *self,
            Shape::All | Shape::Arc { .. } if factor.is_zero() => {
                Self::point(self.width, &Number::ZERO)
            }
            Shape::All => *self,
            Shape::Arc { start, end } => {
                // Unrolled from its start, the arc is one interval of ℤ.
                let lower = Number::from(start);
                let upper = &lower + &Number::from(self.distance(start, end));
                Self::from_interval(self.width, &Interval::new(lower, upper).scale(factor))
            }
        }
    }

    /// A binary operation of the language. Operands without a result contribute nothing.
    #[must_use]
    pub fn apply(operator: BinaryOperator, left: &Self, right: &Self) -> Self {
        let width = left.width;
        if left.is_empty() || right.is_empty() {
            return Self::empty(width);
        }
        let signed = |it: ArithmeticOperator| {
            Self::on_parts(it, width, &left.signed_parts(), &right.signed_parts())
        };
        let unsigned = |it: ArithmeticOperator| {
            Self::on_parts(it, width, &left.unsigned_parts(), &right.unsigned_parts())
        };
        match operator {
            BinaryOperator::Add => left.add(right),
            BinaryOperator::Subtract => left.add(&right.negate()),
            BinaryOperator::Multiply => left.multiply(right),
            BinaryOperator::SignedDivide => signed(ArithmeticOperator::Divide),
            BinaryOperator::SignedRemainder => signed(ArithmeticOperator::Remainder),
            BinaryOperator::UnsignedDivide => unsigned(ArithmeticOperator::Divide),
            BinaryOperator::UnsignedRemainder => unsigned(ArithmeticOperator::Remainder),
            BinaryOperator::And => smaller(
                signed(ArithmeticOperator::And),
                unsigned(ArithmeticOperator::And),
            ),
            BinaryOperator::Or => smaller(
                signed(ArithmeticOperator::Or),
                unsigned(ArithmeticOperator::Or),
            ),
            BinaryOperator::Xor => smaller(
                signed(ArithmeticOperator::Xor),
                unsigned(ArithmeticOperator::Xor),
            ),
            BinaryOperator::ShiftLeft => {
                let amounts = right.shift_amounts();
                let by = |parts: &[Interval]| {
                    Self::on_parts(ArithmeticOperator::ShiftLeft, width, parts, &amounts)
                };
                smaller(by(&left.signed_parts()), by(&left.unsigned_parts()))
            }
            BinaryOperator::ArithmeticShiftRight => {
                let amounts = right.shift_amounts();
                let parts = left.signed_parts();
                Self::on_parts(ArithmeticOperator::ShiftRight, width, &parts, &amounts)
            }
            BinaryOperator::LogicalShiftRight => {
                let amounts = right.shift_amounts();
                let parts = left.unsigned_parts();
                Self::on_parts(ArithmeticOperator::ShiftRight, width, &parts, &amounts)
            }
        }
    }

    /// The shift amounts that have a result: below the width.
    fn shift_amounts(&self) -> Vec<Interval> {
        let valid = Interval::new(0, i64::from(self.width) - 1);
        let parts = self
            .signed_parts()
            .into_iter()
            .map(|part| part.meet(&valid));
        parts.filter(|part| !part.is_bottom()).collect()
    }

    fn on_parts(
        operator: ArithmeticOperator,
        width: u32,
        left: &[Interval],
        right: &[Interval],
    ) -> Self {
        let mut result = Self::empty(width);
        for a in left {
            for b in right {
                let part = Interval::apply(operator, a, b);
                result = result.join(&Self::from_interval(width, &part));
            }
        }
        result
    }

    /// Cut at both poles, each pair of pieces is multiplied as signed and as unsigned numbers, and
    /// the better result counts.
    fn multiply(&self, other: &Self) -> Self {
        let mut result = Self::empty(self.width);
        for a in self.quarters() {
            for b in other.quarters() {
                let product = |x: &[Interval], y: &[Interval]| {
                    Self::on_parts(ArithmeticOperator::Multiply, self.width, x, y)
                };
                let signed = product(&a.signed_parts(), &b.signed_parts());
                let unsigned = product(&a.unsigned_parts(), &b.unsigned_parts());
                result = result.join(&smaller(signed, unsigned));
            }
        }
        result
    }

    /// The parts between the two places where circles are cut.
    fn quarters(&self) -> Vec<Self> {
        let pieces = self.signed_parts().into_iter().flat_map(|part| {
            let below = part.meet(&Interval::at_most(-1));
            let above = part.meet(&Interval::at_least(0));
            [below, above]
        });
        let pieces = pieces.filter(|piece| !piece.is_bottom());
        pieces
            .map(|piece| Self::from_interval(self.width, &piece))
            .collect()
    }

    /// A cast to another width.
    #[must_use]
    pub fn cast(&self, cast: Cast, width: u32) -> Self {
        let parts = match cast {
            Cast::SignExtend => self.signed_parts(),
            Cast::ZeroExtend => self.unsigned_parts(),
            Cast::Truncate => return self.truncated(width),
        };
        let each = parts.iter().map(|part| Self::from_interval(width, part));
        each.fold(Self::empty(width), |all, part| all.join(&part))
    }

    /// The signed values as residues of another width.
    #[must_use]
    pub fn resized(&self, width: u32) -> Self {
        if width == self.width {
            *self
        } else if width > self.width {
            self.cast(Cast::SignExtend, width)
        } else {
            self.truncated(width)
        }
    }

    fn truncated(&self, width: u32) -> Self {
        match self.shape {
            Shape::Empty => Self::empty(width),
            Shape::All => Self::all(width),
            Shape::Arc { start, .. } => {
                let length = self.length();
                if width > MAXIMAL_WIDTH || length >= (1 << width) - 1 {
                    return Self::all(width);
                }
                Self::arc(width, start, start.wrapping_add(length))
            }
        }
    }
}

fn smaller(first: WrappedInterval, second: WrappedInterval) -> WrappedInterval {
    if first.is_empty() || first.length() <= second.length() {
        first
    } else {
        second
    }
}
