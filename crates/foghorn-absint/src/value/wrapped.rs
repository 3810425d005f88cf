//! Wrapped intervals: arcs on the circle of w-bit integers.
//!
//! Navas, Schachte, Søndergaard and Stuckey, *Signedness-Agnostic Program Analysis: Precise Integer
//! Bounds for Low-Level Code* (APLAS 2012). An arc goes upwards from `start` to `end` and may pass
//! the largest number; additions wrap without loss, and whether a number is signed is a question of
//! where the circle is cut: [`WrappedInterval::signed_parts`] cuts between 2^(w−1) − 1 and −2^(w−1),
//! [`WrappedInterval::unsigned_parts`] between 2^w − 1 and 0.
//!
//! Arcs do not form a lattice: two arcs can have several least upper bounds. [`join`] and [`meet`]
//! choose the smaller one, so they are not associative (§3 of the paper).
//!
//! Invariants: bounds are below 2^w; an arc of all numbers is `All`. Widths beyond
//! [`MAXIMAL_WIDTH`] are only ever `Empty` or `All`.
//!
//! [`join`]: WrappedInterval::join
//! [`meet`]: WrappedInterval::meet

mod arithmetic;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::number::Number;
use crate::thresholds::Thresholds;
use crate::value::AbstractValue as _;
use crate::value::interval::Interval;

/// The widest integers that arcs are kept for.
pub const MAXIMAL_WIDTH: u32 = 127;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Empty,
    Arc { start: u128, end: u128 },
    All,
}

/// A set of w-bit integers: an arc, nothing, or everything.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct WrappedInterval {
    width: u32,
    shape: Shape,
}

impl WrappedInterval {
    #[must_use]
    pub fn all(width: u32) -> Self {
        Self {
            width,
            shape: Shape::All,
        }
    }

    #[must_use]
    pub fn empty(width: u32) -> Self {
        Self {
            width,
            shape: Shape::Empty,
        }
    }

    /// The numbers from `start` upwards to `end`, both modulo 2^width.
    #[must_use]
    pub fn arc(width: u32, start: u128, end: u128) -> Self {
        if width > MAXIMAL_WIDTH {
            return Self::all(width);
        }
        let mask = (1 << width) - 1;
        let (start, end) = (start & mask, end & mask);
        if end.wrapping_sub(start) & mask == mask {
            return Self::all(width);
        }
        Self {
            width,
            shape: Shape::Arc { start, end },
        }
    }

    /// The residues modulo 2^width of an interval of ℤ.
    #[must_use]
    pub fn from_interval(width: u32, interval: &Interval) -> Self {
        if interval.is_bottom() {
            return Self::empty(width);
        }
        let Some((lower, upper)) = interval.as_finite() else {
            return Self::all(width);
        };
        if width > MAXIMAL_WIDTH || &(upper - lower) + &Number::ONE >= Number::power_of_two(width) {
            return Self::all(width);
        }
        Self::arc(width, residue(lower, width), residue(upper, width))
    }

    #[must_use]
    pub fn point(width: u32, value: &Number) -> Self {
        Self::from_interval(width, &Interval::point(value.clone()))
    }

    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    #[must_use]
    pub fn is_all(&self) -> bool {
        self.shape == Shape::All
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shape == Shape::Empty
    }

    fn mask(&self) -> u128 {
        (1 << self.width) - 1
    }

    /// How far up from one number to another.
    fn distance(&self, from: u128, to: u128) -> u128 {
        to.wrapping_sub(from) & self.mask()
    }

    /// The number of members minus one; of the empty set 0 as well.
    fn length(&self) -> u128 {
        match self.shape {
            Shape::Empty => 0,
            Shape::Arc { start, end } => self.distance(start, end),
            Shape::All if self.width > MAXIMAL_WIDTH => u128::MAX,
            Shape::All => self.mask(),
        }
    }

    #[must_use]
    pub fn contains(&self, value: u128) -> bool {
        match self.shape {
            Shape::Empty => false,
            Shape::Arc { start, end } => self.distance(start, value) <= self.distance(start, end),
            Shape::All => true,
        }
    }

    /// The only member, as a signed number.
    #[must_use]
    pub fn as_point(&self) -> Option<Number> {
        match self.shape {
            Shape::Arc { start, end } if start == end => Some(self.signed(start)),
            Shape::Arc { .. } | Shape::Empty | Shape::All => None,
        }
    }

    fn signed(&self, value: u128) -> Number {
        Number::from(value).wrap_signed(self.width)
    }

    /// The members as intervals of signed values.
    #[must_use]
    pub fn signed_parts(&self) -> Vec<Interval> {
        let range = Interval::signed_range(self.width);
        let Shape::Arc { start, end } = self.shape else {
            return self.whole(range);
        };
        self.cut(self.signed(start), self.signed(end), &range)
    }

    /// The members as intervals of unsigned values.
    #[must_use]
    pub fn unsigned_parts(&self) -> Vec<Interval> {
        let range = Interval::unsigned_range(self.width);
        let Shape::Arc { start, end } = self.shape else {
            return self.whole(range);
        };
        self.cut(Number::from(start), Number::from(end), &range)
    }

    fn whole(&self, range: Interval) -> Vec<Interval> {
        if self.is_empty() {
            Vec::new()
        } else {
            vec![range]
        }
    }

    fn cut(&self, start: Number, end: Number, range: &Interval) -> Vec<Interval> {
        if start <= end {
            return vec![Interval::new(start, end)];
        }
        let above = Interval::new(start, range.upper().clone());
        vec![above, Interval::new(range.lower().clone(), end)]
    }

    /// An interval of signed values that contains every member.
    #[must_use]
    pub fn signed_hull(&self) -> Interval {
        self.signed_parts()
            .iter()
            .fold(Interval::bottom(), |hull, part| hull.join(part))
    }

    /// An interval of unsigned values that contains every member.
    #[must_use]
    pub fn unsigned_hull(&self) -> Interval {
        self.unsigned_parts()
            .iter()
            .fold(Interval::bottom(), |hull, part| hull.join(part))
    }

    /// Inclusion.
    #[must_use]
    pub fn leq(&self, other: &Self) -> bool {
        match (self.shape, other.shape) {
            (Shape::Empty, _) | (_, Shape::All) => true,
            (_, Shape::Empty) | (Shape::All, _) => false,
            (
                Shape::Arc { start, end },
                Shape::Arc {
                    start: origin,
                    end: limit,
                },
            ) => {
                let (first, last) = (self.distance(origin, start), self.distance(origin, end));
                first <= last && last <= self.distance(origin, limit)
            }
        }
    }

    /// A smallest arc that includes both.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        if self.leq(other) {
            return *other;
        }
        let (Shape::Arc { start: a, end: b }, Shape::Arc { start: c, end: d }) =
            (self.shape, other.shape)
        else {
            return *self;
        };
        if other.leq(self) {
            return *self;
        }
        match (self.contains(c), other.contains(a)) {
            (true, true) => Self::all(self.width),
            (true, false) => Self::arc(self.width, a, d),
            (false, true) => Self::arc(self.width, c, b),
            (false, false) => {
                // Apart: bridge the narrower gap; on a tie the one that does not pass zero.
                let (up, down) = (self.distance(b, c), self.distance(d, a));
                if up < down || (up == down && a <= c) {
                    Self::arc(self.width, a, d)
                } else {
                    Self::arc(self.width, c, b)
                }
            }
        }
    }

    /// An arc that includes the intersection, which may consist of two arcs.
    #[must_use]
    pub fn meet(&self, other: &Self) -> Self {
        if self.leq(other) {
            return *self;
        }
        let (Shape::Arc { start: a, end: b }, Shape::Arc { start: c, end: d }) =
            (self.shape, other.shape)
        else {
            return *other;
        };
        if other.leq(self) {
            return *other;
        }
        match (self.contains(c), other.contains(a)) {
            (true, true) if self.length() <= other.length() => *self,
            (true, true) => *other,
            (true, false) => Self::arc(self.width, c, b),
            (false, true) => Self::arc(self.width, a, d),
            (false, false) => Self::empty(self.width),
        }
    }

    /// An arc that includes both and is at least twice as long as `self` or ends at a threshold, so
    /// that chains have at most w steps between thresholds (§3.3 of the paper).
    #[must_use]
    pub fn widen(&self, other: &Self, thresholds: &Thresholds) -> Self {
        let joined = self.join(other);
        let (Shape::Arc { start: a, end: b }, Shape::Arc { start: c, end: d }) =
            (self.shape, joined.shape)
        else {
            return joined;
        };
        if joined == *self {
            return *self;
        }
        let doubled = self.length().saturating_mul(2).saturating_add(1);
        if doubled >= self.mask() {
            return Self::all(self.width);
        }
        let residues: Vec<u128> = thresholds
            .numbers()
            .iter()
            .map(|it| residue(it, self.width))
            .collect();
        let (mut start, mut end) = (c, d);
        if self.distance(a, d) > self.distance(a, b) || !self.contains(d) {
            let far = doubled.max(self.distance(start, d));
            let stops = residues.iter().map(|it| self.distance(start, *it));
            let stop = stops
                .filter(|it| *it >= self.distance(start, d) && *it <= far)
                .min();
            end = start.wrapping_add(stop.unwrap_or(far)) & self.mask();
        }
        if c != a {
            let far = doubled.max(self.distance(c, end));
            let stops = residues.iter().map(|it| self.distance(*it, end));
            let stop = stops
                .filter(|it| *it >= self.distance(c, end) && *it <= far)
                .min();
            start = end.wrapping_sub(stop.unwrap_or(far)) & self.mask();
        }
        Self::arc(self.width, start, end).join(&joined)
    }

    /// Only everything is narrowed, so that chains have one step.
    #[must_use]
    pub fn narrow(&self, other: &Self) -> Self {
        if self.is_all() || other.is_empty() {
            *other
        } else {
            *self
        }
    }

    /// The members except `value`, which an arc can leave out only at its ends.
    #[must_use]
    pub fn without(&self, value: &Number) -> Self {
        if self.width > MAXIMAL_WIDTH {
            return *self;
        }
        let hole = residue(value, self.width);
        match self.shape {
            Shape::Empty => *self,
            Shape::All if self.width == 0 => *self,
            Shape::All => Self::arc(self.width, hole.wrapping_add(1), hole.wrapping_sub(1)),
            Shape::Arc { start, end } if start == end && start == hole => Self::empty(self.width),
            Shape::Arc { start, end } if start == hole => {
                Self::arc(self.width, start.wrapping_add(1), end)
            }
            Shape::Arc { start, end } if end == hole => {
                Self::arc(self.width, start, end.wrapping_sub(1))
            }
            Shape::Arc { .. } => *self,
        }
    }
}

fn residue(value: &Number, width: u32) -> u128 {
    let residue = value.wrap_unsigned(width).to_i128();
    residue
        .and_then(|it| u128::try_from(it).ok())
        .expect("invariant: residues have under 128 bits")
}

impl fmt::Display for WrappedInterval {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shape {
            Shape::Empty => write!(formatter, "empty"),
            Shape::All => write!(formatter, "all i{}", self.width),
            Shape::Arc { start, end } => write!(formatter, "{start}..{end} mod 2^{}", self.width),
        }
    }
}

impl fmt::Debug for WrappedInterval {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
