//! Congruence classes aℤ + b (Granger; §4.2.4 of the SeaHorn paper).
//!
//! Invariant: a ≥ 0 and, if a > 0, 0 ≤ b < a. a = 0 is the constant b; a = 1 is ⊤.

use std::fmt;

use crate::number::Number;
use crate::thresholds::Thresholds;
use crate::value::interval::Interval;
use crate::value::{AbstractValue, ArithmeticOperator, LARGEST_SHIFT, NumericValue};

/// The integers `modulus`·ℤ + `remainder`, or none.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Congruence {
    Bottom,
    Class { modulus: Number, remainder: Number },
}

impl Congruence {
    /// The class of `remainder` modulo `modulus`.
    #[must_use]
    pub fn new(modulus: &Number, remainder: &Number) -> Congruence {
        let modulus = modulus.abs();
        let remainder = if modulus.is_zero() {
            remainder.clone()
        } else {
            remainder.modulo(&modulus)
        };
        Congruence::Class { modulus, remainder }
    }

    /// Modulus and remainder, unless empty.
    #[must_use]
    pub fn parts(&self) -> Option<(&Number, &Number)> {
        match self {
            Congruence::Bottom => None,
            Congruence::Class { modulus, remainder } => Some((modulus, remainder)),
        }
    }

    #[must_use]
    pub fn contains(&self, value: &Number) -> bool {
        self.parts()
            .is_some_and(|(a, b)| (value - b).is_multiple_of(a))
    }

    fn as_constant(&self) -> Option<&Number> {
        self.parts().filter(|(a, _)| a.is_zero()).map(|(_, b)| b)
    }

    /// The interval shrunk to its first and last element of this class.
    #[must_use]
    pub fn tighten(&self, interval: &Interval) -> Interval {
        let Some((a, b)) = self.parts() else {
            return Interval::bottom();
        };
        if a.is_zero() {
            return interval.meet(&Interval::point(b.clone()));
        }
        let lower = interval
            .lower()
            .finite()
            .map(|low| low + &(b - low).modulo(a));
        let upper = interval.upper().finite().map(|up| up - &(up - b).modulo(a));
        let lower = lower.map_or_else(|| interval.lower().clone(), Into::into);
        let upper = upper.map_or_else(|| interval.upper().clone(), Into::into);
        Interval::new(lower, upper)
    }

    fn multiply(&self, other: &Congruence) -> Congruence {
        let (Some((a, b)), Some((c, d))) = (self.parts(), other.parts()) else {
            return Congruence::Bottom;
        };
        // (aℤ + b)(cℤ + d) ⊆ gcd(ac, ad, bc)ℤ + bd.
        let modulus = (a * c).gcd(&(a * d)).gcd(&(b * c));
        Congruence::new(&modulus, &(b * d))
    }

    fn divide(&self, divisor: &Congruence) -> Congruence {
        let Some(by) = divisor.as_constant() else {
            return Congruence::top();
        };
        let Some((a, b)) = self.parts() else {
            return Congruence::Bottom;
        };
        if by.is_zero() {
            return Congruence::Bottom;
        }
        // Only where every element is a multiple is the quotient a class; elsewhere it truncates.
        if a.is_multiple_of(by) && b.is_multiple_of(by) {
            return Congruence::new(&a.div_floor(by), &b.div_floor(by));
        }
        Congruence::top()
    }

    fn remainder(&self, divisor: &Congruence) -> Congruence {
        let (Some((a, b)), Some((c, d))) = (self.parts(), divisor.parts()) else {
            return Congruence::Bottom;
        };
        if c.is_zero() && d.is_zero() {
            return Congruence::Bottom;
        }
        // x rem y = x − y·q, and y·q is a multiple of gcd(c, d).
        let modulus = a.gcd(c).gcd(d);
        if modulus.is_zero() {
            Congruence::top()
        } else {
            Congruence::new(&modulus, b)
        }
    }

    /// The number of low bits that all elements share, with their value; `None` if all are known.
    fn low_bits(&self) -> Option<(u32, Number)> {
        let (a, b) = self.parts()?;
        let mut bits = 0;
        if a.is_zero() {
            return Some((u32::MAX, b.clone()));
        }
        let mut rest = a.clone();
        while rest.is_multiple_of(&Number::from(2)) {
            rest = rest.shift_right(1);
            bits += 1;
        }
        Some((bits, b.modulo(&Number::power_of_two(bits))))
    }

    /// Bitwise operations work on low bits that both operands know.
    fn bitwise(&self, other: &Congruence, operator: ArithmeticOperator) -> Congruence {
        let (Some((n, x)), Some((m, y))) = (self.low_bits(), other.low_bits()) else {
            return Congruence::Bottom;
        };
        let known = n.min(m);
        let Some(value) = operator.evaluate(&x, &y) else {
            return Congruence::Bottom;
        };
        if known == u32::MAX {
            return Congruence::constant(&value);
        }
        let mask_known = |bits: &Number| {
            // A mask 0…01…1 clears all but its own bits, whatever the other operand is.
            let ones = bits.bit_length();
            let full = u32::try_from(ones).ok().map(Number::power_of_two);
            full.filter(|power| &(bits + &Number::ONE) == power)
                .map(|_| ones)
        };
        if operator == ArithmeticOperator::And {
            for (mask, class) in [(self, other), (other, self)] {
                if let (Some(mask), Some((a, b))) = (mask.as_constant(), class.parts())
                    && !mask.is_negative()
                    && let Some(ones) = mask_known(mask)
                    && let Ok(ones) = u32::try_from(ones)
                    && a.is_multiple_of(&Number::power_of_two(ones))
                {
                    return Congruence::constant(&b.bit_and(mask));
                }
            }
        }
        Congruence::new(&Number::power_of_two(known), &value)
    }

    fn shift_left(&self, amount: &Congruence) -> Congruence {
        let Some((a, b)) = self.parts() else {
            return Congruence::Bottom;
        };
        match amount
            .as_constant()
            .map(|by| by.to_u32().filter(|by| *by <= LARGEST_SHIFT))
        {
            Some(Some(by)) => Congruence::new(&a.shift_left(by), &b.shift_left(by)),
            Some(None) => Congruence::Bottom,
            // x·2^k keeps every common divisor of x.
            None => Congruence::new(&a.gcd(b), &Number::ZERO),
        }
    }

    fn shift_right(&self, amount: &Congruence) -> Congruence {
        let Some((a, b)) = self.parts() else {
            return Congruence::Bottom;
        };
        match amount
            .as_constant()
            .map(|by| by.to_u32().filter(|by| *by <= LARGEST_SHIFT))
        {
            Some(Some(by)) => {
                let power = Number::power_of_two(by);
                if a.is_multiple_of(&power) {
                    Congruence::new(&a.div_floor(&power), &b.div_floor(&power))
                } else {
                    Congruence::top()
                }
            }
            Some(None) => Congruence::Bottom,
            None => Congruence::top(),
        }
    }
}

impl AbstractValue for Congruence {
    fn top() -> Congruence {
        Congruence::Class {
            modulus: Number::ONE,
            remainder: Number::ZERO,
        }
    }

    fn bottom() -> Congruence {
        Congruence::Bottom
    }

    fn is_top(&self) -> bool {
        self.parts().is_some_and(|(a, _)| a.is_one())
    }

    fn is_bottom(&self) -> bool {
        *self == Congruence::Bottom
    }

    fn leq(&self, other: &Congruence) -> bool {
        match (self.parts(), other.parts()) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some((a, b)), Some((c, d))) => a.is_multiple_of(c) && (b - d).is_multiple_of(c),
        }
    }

    fn join(&self, other: &Congruence) -> Congruence {
        match (self.parts(), other.parts()) {
            (None, _) => other.clone(),
            (_, None) => self.clone(),
            (Some((a, b)), Some((c, d))) => Congruence::new(&a.gcd(c).gcd(&(b - d)), b),
        }
    }

    fn meet(&self, other: &Congruence) -> Congruence {
        let (Some((a, b)), Some((c, d))) = (self.parts(), other.parts()) else {
            return Congruence::Bottom;
        };
        if a.is_zero() {
            return if other.contains(b) {
                self.clone()
            } else {
                Congruence::Bottom
            };
        }
        if c.is_zero() {
            return if self.contains(d) {
                other.clone()
            } else {
                Congruence::Bottom
            };
        }
        let gcd = a.gcd(c);
        if !(d - b).is_multiple_of(&gcd) {
            return Congruence::Bottom;
        }
        // The Chinese remainder: b + a·t with a·t ≡ d − b (mod c).
        let (step, target) = (c.div_floor(&gcd), (d - b).div_floor(&gcd));
        let inverse = inverse_modulo(&a.div_floor(&gcd), &step);
        let times = (&target * &inverse).modulo(&step);
        Congruence::new(&a.lcm(c), &(b + &(a * &times)))
    }

    /// The lattice has no infinite ascending chains above an element: moduli divide each other.
    fn widen(&self, other: &Congruence, _thresholds: &Thresholds) -> Congruence {
        self.join(other)
    }

    /// Descending chains may be infinite, so only ⊤ is refined.
    fn narrow(&self, other: &Congruence) -> Congruence {
        if self.is_top() || other.is_bottom() {
            other.clone()
        } else {
            self.clone()
        }
    }
}

/// The inverse of `value` modulo `modulus`; they are coprime.
fn inverse_modulo(value: &Number, modulus: &Number) -> Number {
    let (mut old, mut new) = (value.modulo(modulus), modulus.clone());
    let (mut old_factor, mut new_factor) = (Number::ONE, Number::ZERO);
    while !new.is_zero() {
        let quotient = old.div_floor(&new);
        (old, new) = (new.clone(), &old - &(&quotient * &new));
        (old_factor, new_factor) = (new_factor.clone(), &old_factor - &(&quotient * &new_factor));
    }
    old_factor.modulo(modulus)
}

impl NumericValue for Congruence {
    fn constant(value: &Number) -> Congruence {
        Congruence::new(&Number::ZERO, value)
    }

    fn from_interval(interval: &Interval) -> Congruence {
        if interval.is_bottom() {
            return Congruence::Bottom;
        }
        interval
            .as_point()
            .map_or_else(Congruence::top, Congruence::constant)
    }

    fn to_interval(&self) -> Interval {
        match self {
            Congruence::Bottom => Interval::bottom(),
            Congruence::Class { modulus, remainder } if modulus.is_zero() => {
                Interval::point(remainder.clone())
            }
            Congruence::Class { .. } => Interval::top(),
        }
    }

    fn add(&self, other: &Congruence) -> Congruence {
        match (self.parts(), other.parts()) {
            (Some((a, b)), Some((c, d))) => Congruence::new(&a.gcd(c), &(b + d)),
            (None, _) | (_, None) => Congruence::Bottom,
        }
    }

    fn scale(&self, factor: &Number) -> Congruence {
        self.parts().map_or(Congruence::Bottom, |(a, b)| {
            Congruence::new(&(a * factor), &(b * factor))
        })
    }

    fn apply(operator: ArithmeticOperator, left: &Congruence, right: &Congruence) -> Congruence {
        if left.is_bottom() || right.is_bottom() {
            return Congruence::Bottom;
        }
        if let (Some(a), Some(b)) = (left.as_constant(), right.as_constant()) {
            let value = operator.evaluate(a, b);
            return value.map_or(Congruence::Bottom, |value| Congruence::constant(&value));
        }
        match operator {
            ArithmeticOperator::Add => left.add(right),
            ArithmeticOperator::Subtract => left.add(&right.scale(&Number::MINUS_ONE)),
            ArithmeticOperator::Multiply => left.multiply(right),
            ArithmeticOperator::Divide => left.divide(right),
            ArithmeticOperator::Remainder => left.remainder(right),
            ArithmeticOperator::And | ArithmeticOperator::Or | ArithmeticOperator::Xor => {
                left.bitwise(right, operator)
            }
            ArithmeticOperator::ShiftLeft => left.shift_left(right),
            ArithmeticOperator::ShiftRight => left.shift_right(right),
        }
    }

    fn divide_exactly(&self, divisor: &Number) -> Congruence {
        let Some((a, b)) = self.parts() else {
            return Congruence::Bottom;
        };
        let gcd = a.gcd(divisor);
        if !b.is_multiple_of(&gcd) {
            return Congruence::Bottom;
        }
        if a.is_zero() {
            return Congruence::constant(&b.div_floor(divisor));
        }
        // divisor·n ≡ b (mod a).
        let step = a.div_floor(&gcd);
        let inverse = inverse_modulo(&divisor.div_floor(&gcd).modulo(&step), &step);
        Congruence::new(&step, &(&b.div_floor(&gcd) * &inverse))
    }

    fn without(&self, value: &Number) -> Congruence {
        if self.as_constant() == Some(value) {
            Congruence::Bottom
        } else {
            self.clone()
        }
    }

    fn describe_beyond_interval(&self, name: &str) -> Option<String> {
        let (a, b) = self.parts()?;
        (!a.is_zero() && !a.is_one()).then(|| format!("{name} = {b} mod {a}"))
    }
}

impl fmt::Display for Congruence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Congruence::Bottom => write!(formatter, "_|_"),
            Congruence::Class { modulus, remainder } => write!(formatter, "{modulus}Z+{remainder}"),
        }
    }
}

impl fmt::Debug for Congruence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
