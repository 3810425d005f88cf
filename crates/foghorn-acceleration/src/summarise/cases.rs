//! A fold by cases: where comparisons of the index hold, and what is left of an element there.

use super::fold::{Implied, compare, mentions, tidy, unit};
use super::linear::{Known, Linear, Range};
use super::shape::Fold;
use foghorn_smt::SolverError;
use foghorn_term::{Op, Sort, Substitution, TermId, TermPool};

/// A fold being made.
pub struct Making<'a, 'i> {
    pub pool: &'a mut TermPool,
    pub known: &'a Known,
    pub index: TermId,
    pub fold: Fold,
    pub implied: &'a mut Implied<'i>,
}

/// The indices at which a comparison holds: from `low` on, below `high`.
pub struct Where {
    low: Option<Linear>,
    high: Option<Linear>,
    /// Or all others.
    negated: bool,
    /// Just one index.
    single: bool,
}

impl Making<'_, '_> {
    fn range(&mut self, of: &Linear) -> Range {
        of.range(self.pool, self.known)
    }

    /// Whether a range has no indices.
    pub fn is_empty(&mut self, low: TermId, high: TermId) -> Result<bool, SolverError> {
        let from = Linear::of(self.pool, low);
        let length = Linear::of(self.pool, high).minus(&from);
        match length.number() {
            Some(length) => Ok(length == 0),
            None => {
                let equal = self.pool.equal(low, high);
                (self.implied)(self.pool, equal)
            }
        }
    }

    /// A comparison of the index that cases are told apart by.
    pub fn case(&mut self, element: TermId) -> Result<Option<(TermId, Where)>, SolverError> {
        let inner: Vec<TermId> = self.pool.post_order(&[element]).collect();
        for term in inner {
            if let Some(place) = self.solve(term)? {
                return Ok(Some((term, place)));
            }
        }
        Ok(None)
    }

    /// For which indices a comparison holds.
    fn solve(&mut self, comparison: TermId) -> Result<Option<Where>, SolverError> {
        let mut required = vec![];
        let Some(place) = self.solution(comparison, &mut required) else {
            return Ok(None);
        };
        for condition in required {
            if !(self.implied)(self.pool, condition)? {
                return Ok(None);
            }
        }
        Ok(Some(place))
    }

    fn solution(&mut self, comparison: TermId, required: &mut Vec<TermId>) -> Option<Where> {
        let op = self.pool.op(comparison);
        let is_comparison = matches!(
            op,
            Op::Equal | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle
        );
        if !is_comparison || !mentions(self.pool, comparison, self.index) {
            return None;
        }
        let [left, right] = self.pool.child_array::<2>(comparison)?;
        let Sort::BitVec(width) = self.pool.sort(left) else {
            return None;
        };
        let full = self.pool.width(self.index);
        if width > full {
            return None;
        }
        let sides = [self.wide(left)?, self.wide(right)?];
        let (by_left, by_right) = (sides[0].split(self.index).0, sides[1].split(self.index).0);
        let [left, right] = sides;
        match op {
            Op::Equal => self.solve_equal(&left.minus(&right), width, required),
            Op::BvUlt | Op::BvUle if width == full => match (by_left, by_right) {
                (1.., 0) => self.solve_below((&left, &right), op == Op::BvUle, false, required),
                (0, 1..) => self.solve_below((&right, &left), op == Op::BvUlt, true, required),
                _ => None,
            },
            Op::BvSlt | Op::BvSle => match (by_left, by_right) {
                (1, 0) => self.solve_less(&left, &right, op == Op::BvSle, width, false),
                (0, 1) => self.solve_less(&right, &left, op == Op::BvSlt, width, true),
                _ => None,
            },
            _ => None,
        }
    }

    /// A side of a comparison at the width of the index; narrower ones as signed numbers. The index
    /// occurs in sums only.
    fn wide(&mut self, term: TermId) -> Option<Linear> {
        let full = self.pool.width(self.index);
        let width = self.pool.width(term);
        let sum = if width == full {
            Linear::of(self.pool, term)
        } else {
            Linear::of(self.pool, term).lengthen(self.pool, full)
        };
        let (_, rest) = sum.split(self.index);
        let mut others = rest.summand_terms();
        let hidden = others.any(|other| mentions(self.pool, other, self.index));
        (!hidden).then_some(sum)
    }

    /// `factor · index + rest = 0`, modulo `2^width`.
    fn solve_equal(
        &mut self,
        difference: &Linear,
        width: u32,
        required: &mut Vec<TermId>,
    ) -> Option<Where> {
        let (factor, rest) = difference.split(self.index);
        let (factor, rest) = match factor {
            0 => return None,
            1.. => (factor, rest.times(-1)),
            _ => (factor.checked_neg()?, rest),
        };
        let at = rest.divide(factor)?;
        let lost = factor.trailing_zeros();
        let full = self.pool.width(self.index);
        if width < full || lost > 0 {
            // Equal up to multiples of a power of two: both are less than half of that.
            let half = 1i128 << width.checked_sub(lost + 1)?;
            if self.known.get(&self.index)?.1 > half {
                return None;
            }
            self.require(&at, -half + 1, half, required);
        }
        let one = Linear::constant(full, 1);
        Some(Where {
            high: Some(at.plus(&one)),
            low: Some(at),
            negated: false,
            single: true,
        })
    }

    /// `factor · index + rest < limit` as numbers without sign, or `≤`.
    fn solve_below(
        &mut self,
        (sum, limit): (&Linear, &Linear),
        or_equal: bool,
        negated: bool,
        required: &mut Vec<TermId>,
    ) -> Option<Where> {
        let full = self.pool.width(self.index);
        let (factor, rest) = sum.split(self.index);
        let low = rest.times(-1).divide(factor)?;
        let most = (1i128 << (full - 1)) / i128::from(factor);
        if self.known.get(&self.index)?.1 > most {
            return None;
        }
        let more = i64::from(or_equal);
        let length = match limit.number() {
            // A negative number is a large one.
            Some(number) => {
                let number = number.checked_add(more).filter(|&it| it >= more)?;
                let rounds = number / factor + i64::from(number % factor != 0);
                Linear::constant(full, rounds)
            }
            None => {
                let length = limit.divide(factor)?;
                self.require(&length, 0, most - i128::from(more), required);
                length.plus(&Linear::constant(full, more))
            }
        };
        self.require(&low, -most + 1, most, required);
        self.require(&length, 0, most, required);
        Some(Where {
            high: Some(low.plus(&length)),
            low: Some(low),
            negated,
            single: false,
        })
    }

    /// `index + rest < limit` as signed numbers, or `≤`.
    fn solve_less(
        &mut self,
        sum: &Linear,
        limit: &Linear,
        or_equal: bool,
        width: u32,
        negated: bool,
    ) -> Option<Where> {
        let (_, rest) = sum.split(self.index);
        let more = Linear::constant(self.pool.width(self.index), or_equal.into());
        let high = limit.minus(&rest).plus(&more);
        let half = 1i128 << (width - 1);
        for side in [sum, limit, &high] {
            let (least, most) = self.range(side);
            if least < -half || most >= half {
                return None;
            }
        }
        Some(Where {
            low: None,
            high: Some(high),
            negated,
            single: false,
        })
    }

    /// Requires that a sum lies between two numbers, unless its form shows it.
    fn require(&mut self, sum: &Linear, least: i128, most: i128, required: &mut Vec<TermId>) {
        let (low, high) = self.range(sum);
        let width = self.pool.width(self.index);
        let number = |value: i128| i64::try_from(value).ok();
        let term = sum.term(self.pool);
        // What is beyond all numbers is no bound.
        if let Some(least) = number(least).filter(|_| low < least) {
            let least = Linear::constant(width, least).term(self.pool);
            required.push(self.pool.bv_sle(least, term));
        }
        if let Some(most) = number(most).filter(|_| high > most) {
            let most = Linear::constant(width, most).term(self.pool);
            required.push(self.pool.bv_sle(term, most));
        }
    }

    /// Divides a range by where a comparison holds; the value at a single index at once.
    pub fn divide(
        &mut self,
        element: TermId,
        comparison: TermId,
        place: &Where,
        (low, high): (TermId, TermId),
        open: &mut Vec<(TermId, TermId, TermId)>,
    ) -> Result<Option<TermId>, SolverError> {
        let [inside, outside] = [true, false].map(|holds| {
            let value = self.pool.bool(holds != place.negated);
            let decided = Substitution::from_iter([(comparison, value)]);
            self.pool.substitute(element, &decided)
        });
        let begin = match &place.low {
            Some(begin) => {
                let begin = begin.term(self.pool);
                let begin = self.least(begin, high)?;
                self.greatest(begin, low)?
            }
            None => low,
        };
        let end = match &place.high {
            Some(end) => {
                let end = end.term(self.pool);
                let end = self.least(end, high)?;
                self.greatest(end, begin)?
            }
            None => high,
        };
        open.push((outside, low, begin));
        open.push((outside, end, high));
        let at = place.low.as_ref().filter(|_| place.single);
        let Some(at) = at else {
            open.push((inside, begin, end));
            return Ok(None);
        };
        if self.is_empty(begin, end)? {
            return Ok(None);
        }
        let at = at.term(self.pool);
        let at = Substitution::from_iter([(self.index, at)]);
        let value = self.pool.substitute(inside, &at);
        let none = self.pool.equal(begin, end);
        let some = self.pool.not(none);
        if (self.implied)(self.pool, some)? {
            return Ok(Some(value));
        }
        let unit = unit(self.pool, self.fold, self.pool.width(element));
        Ok(Some(self.pool.ite(none, unit, value)))
    }

    fn least(&mut self, a: TermId, b: TermId) -> Result<TermId, SolverError> {
        Ok(match self.compare(a, b)? {
            Ok(true) => a,
            Ok(false) => b,
            Err(less) => self.pool.ite(less, a, b),
        })
    }

    fn greatest(&mut self, a: TermId, b: TermId) -> Result<TermId, SolverError> {
        Ok(match self.compare(a, b)? {
            Ok(true) => b,
            Ok(false) => a,
            Err(less) => self.pool.ite(less, b, a),
        })
    }

    /// Whether `a ≤ b`: if that is known, else a formula. Equal numbers may be said to be either.
    pub fn compare(&mut self, a: TermId, b: TermId) -> Result<Result<bool, TermId>, SolverError> {
        let compared = compare(self.pool, self.known, a, b);
        let Err(less) = compared else {
            return Ok(compared);
        };
        if (self.implied)(self.pool, less)? {
            return Ok(Ok(true));
        }
        let not_less = self.pool.bv_sle(b, a);
        match (self.implied)(self.pool, not_less)? {
            true => Ok(Ok(false)),
            false => Ok(compared),
        }
    }

    /// The same value that often.
    pub fn repeat(&mut self, value: TermId, low: TermId, high: TermId) -> TermId {
        let width = self.pool.width(value);
        let from = Linear::of(self.pool, low);
        let count = Linear::of(self.pool, high).minus(&from);
        let count = count.term(self.pool);
        match self.fold {
            Fold::Add => {
                let count = self.pool.zero_resize(width, count);
                self.pool.bv_mul(value, count)
            }
            Fold::Xor => {
                let odd = self.pool.bv_bit(0, count);
                let zero = self.pool.bv_zero(width);
                self.pool.ite(odd, value, zero)
            }
            Fold::And | Fold::Or => {
                let none = self.pool.equal(low, high);
                let unit = unit(self.pool, self.fold, width);
                self.pool.ite(none, unit, value)
            }
        }
    }

    /// A function of the index up to a shift: `element(i) = canonical(i + shift)`.
    pub fn canonical(&mut self, element: TermId) -> (TermId, Linear) {
        let width = self.pool.width(self.index);
        let inner: Vec<TermId> = self.pool.post_order(&[element]).collect();
        let shift = inner.into_iter().find_map(|term| {
            let Op::Apply(_) = self.pool.op(term) else {
                return None;
            };
            let last = *self.pool.children(term).last()?;
            if self.pool.sort(last) != self.pool.sort(self.index) {
                return None;
            }
            let (factor, rest) = Linear::of(self.pool, last).split(self.index);
            match factor {
                1.. => rest.divide(factor),
                _ => None,
            }
        });
        let shift = shift.unwrap_or(Linear::constant(width, 0));
        let back = Linear::of(self.pool, self.index).minus(&shift);
        let back = back.term(self.pool);
        let shifted = Substitution::from_iter([(self.index, back)]);
        let element = self.pool.substitute(element, &shifted);
        (tidy(self.pool, element), shift)
    }
}
