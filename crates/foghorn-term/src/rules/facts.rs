//! Facts about bit-vectors that hold in every model: known bits and an unsigned interval, each sharpening the other.
//!
//! For widths up to 128; wider terms have no facts. Computed bottom-up on demand with an explicit stack and remembered,
//! since terms never change. Soundness is tested by evaluation: every value a term takes is admitted by its fact.

use crate::op::Op;
use crate::pool::{TermId, TermPool};
use crate::sort::Sort;
use crate::value::BitVecValue;
use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;

/// What is known of a bit-vector of at most 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    pub width: u32,
    /// Bits that are zero.
    pub zeros: u128,
    /// Bits that are one.
    pub ones: u128,
    /// The least value, unsigned.
    pub low: u128,
    /// The greatest value, unsigned.
    pub high: u128,
}

fn mask(width: u32) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1 << width) - 1
    }
}

impl Fact {
    /// Nothing is known.
    pub fn unknown(width: u32) -> Self {
        Fact {
            width,
            zeros: 0,
            ones: 0,
            low: 0,
            high: mask(width),
        }
    }

    /// The value is known.
    pub fn exactly(width: u32, value: u128) -> Self {
        Fact {
            width,
            zeros: !value & mask(width),
            ones: value,
            low: value,
            high: value,
        }
    }

    fn from_bits(width: u32, zeros: u128, ones: u128) -> Self {
        let all = mask(width);
        Fact {
            width,
            zeros: zeros & all,
            ones: ones & all,
            low: 0,
            high: all,
        }
        .sharpened()
    }

    fn from_interval(width: u32, low: u128, high: u128) -> Self {
        Fact {
            width,
            zeros: 0,
            ones: 0,
            low,
            high,
        }
        .sharpened()
    }

    /// Each half draws what it can from the other: the bits bound the interval, and the bits above the highest one in
    /// which the ends of the interval differ are known.
    fn sharpened(mut self) -> Self {
        self.low = self.low.max(self.ones);
        self.high = self.high.min(mask(self.width) & !self.zeros);
        if self.low <= self.high {
            let differing = 128 - (self.low ^ self.high).leading_zeros();
            let common = mask(self.width) & !mask(differing);
            self.ones |= self.low & common;
            self.zeros |= !self.low & common;
        }
        self
    }

    /// The value, when there is only one.
    pub fn value(&self) -> Option<u128> {
        if self.low == self.high {
            return Some(self.low);
        }
        (self.zeros | self.ones == mask(self.width)).then_some(self.ones)
    }

    /// Whether no value is admitted by both.
    pub fn excludes(&self, other: &Self) -> bool {
        self.ones & other.zeros != 0
            || self.zeros & other.ones != 0
            || self.high < other.low
            || other.high < self.low
    }

    /// Whether a value is admitted.
    pub fn admits(&self, value: u128) -> bool {
        value & self.zeros == 0
            && !value & self.ones == 0
            && self.low <= value
            && value <= self.high
    }

    /// The sign bit, when it is known.
    pub fn sign(&self) -> Option<bool> {
        let sign = 1u128 << (self.width - 1);
        if self.ones & sign != 0 {
            Some(true)
        } else if self.zeros & sign != 0 {
            Some(false)
        } else {
            None
        }
    }

    fn join(&self, other: &Self) -> Self {
        Fact {
            width: self.width,
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
        .sharpened()
    }

    fn and(&self, other: &Self) -> Self {
        let mut fact =
            Self::from_bits(self.width, self.zeros | other.zeros, self.ones & other.ones);
        fact.high = fact.high.min(self.high).min(other.high);
        fact.sharpened()
    }

    fn or(&self, other: &Self) -> Self {
        let mut fact =
            Self::from_bits(self.width, self.zeros & other.zeros, self.ones | other.ones);
        fact.low = fact.low.max(self.low).max(other.low);
        fact.sharpened()
    }

    fn xor(&self, other: &Self) -> Self {
        let zeros = (self.zeros & other.zeros) | (self.ones & other.ones);
        let ones = (self.zeros & other.ones) | (self.ones & other.zeros);
        Self::from_bits(self.width, zeros, ones)
    }

    fn not(&self) -> Self {
        let all = mask(self.width);
        Fact {
            width: self.width,
            zeros: self.ones,
            ones: self.zeros,
            low: all - self.high,
            high: all - self.low,
        }
    }

    /// The sum: exact interval when it cannot wrap, and the low bits up to the first unknown one.
    fn add(&self, other: &Self) -> Self {
        let all = mask(self.width);
        let known = (self.zeros | self.ones) & (other.zeros | other.ones);
        let exact = mask(known.trailing_ones());
        let sum = self.ones.wrapping_add(other.ones);
        let bits = Self::from_bits(self.width, !sum & exact, sum & exact);
        match (
            self.low.checked_add(other.low),
            self.high.checked_add(other.high),
        ) {
            (Some(low), Some(high)) if high <= all => Fact { low, high, ..bits }.sharpened(),
            _ => bits,
        }
    }

    /// The product: interval when it cannot wrap, and the zeros at the low end.
    fn mul(&self, other: &Self) -> Self {
        let low_zeros = self.zeros.trailing_ones() + other.zeros.trailing_ones();
        let bits = Self::from_bits(self.width, mask(low_zeros.min(self.width)), 0);
        match self.high.checked_mul(other.high) {
            Some(high) if high <= mask(self.width) => Fact {
                low: self.low * other.low,
                high,
                ..bits
            }
            .sharpened(),
            Some(_) | None => bits,
        }
    }

    fn extract(&self, high: u32, low: u32) -> Self {
        let width = high - low + 1;
        let fact = Self::from_bits(width, self.zeros >> low, self.ones >> low);
        if low == 0 && self.high <= mask(width) {
            return Fact {
                low: self.low,
                high: self.high,
                ..fact
            }
            .sharpened();
        }
        if high + 1 == self.width {
            return Fact {
                low: self.low >> low,
                high: self.high >> low,
                ..fact
            }
            .sharpened();
        }
        fact
    }

    fn concat(&self, low: &Self) -> Self {
        let width = self.width + low.width;
        Fact {
            width,
            zeros: self.zeros << low.width | low.zeros,
            ones: self.ones << low.width | low.ones,
            low: self.low << low.width | low.low,
            high: self.high << low.width | low.high,
        }
        .sharpened()
    }

    fn zero_extend(&self, by: u32) -> Self {
        let width = self.width + by;
        Fact {
            width,
            zeros: self.zeros | (mask(width) & !mask(self.width)),
            ..*self
        }
        .sharpened()
    }

    fn sign_extend(&self, by: u32) -> Self {
        let width = self.width + by;
        let new = mask(width) & !mask(self.width);
        match self.sign() {
            Some(false) => self.zero_extend(by),
            Some(true) => Fact {
                width,
                zeros: self.zeros,
                ones: self.ones | new,
                low: self.low | new,
                high: self.high | new,
            }
            .sharpened(),
            None => Self::from_bits(width, self.zeros & !(1 << (self.width - 1)), self.ones),
        }
    }

    fn shift(&self, op: Op, amount: &Self) -> Self {
        let Some(amount) = amount.value() else {
            return self.shifted_unknown(op);
        };
        let amount = u32::try_from(amount).unwrap_or(u32::MAX);
        if amount >= self.width {
            return match (op, self.sign()) {
                (Op::BvAshr, Some(true)) => Self::exactly(self.width, mask(self.width)),
                (Op::BvAshr, None) => Self::unknown(self.width),
                _ => Self::exactly(self.width, 0),
            };
        }
        match op {
            Op::BvShl => Self::from_bits(
                self.width,
                self.zeros << amount | mask(amount),
                self.ones << amount,
            ),
            Op::BvAshr => self.extract(self.width - 1, amount).sign_extend(amount),
            _ => self.extract(self.width - 1, amount).zero_extend(amount),
        }
    }

    fn shifted_unknown(&self, op: Op) -> Self {
        match (op, self.sign()) {
            (Op::BvLshr, _) | (Op::BvAshr, Some(false)) => {
                Self::from_interval(self.width, 0, self.high)
            }
            (Op::BvShl, _) => {
                let low_zeros = self.zeros.trailing_ones().min(self.width);
                Self::from_bits(self.width, mask(low_zeros), 0)
            }
            _ => Self::unknown(self.width),
        }
    }

    fn udiv(&self, other: &Self) -> Self {
        if other.low == 0 {
            return Self::unknown(self.width);
        }
        Self::from_interval(self.width, self.low / other.high, self.high / other.low)
    }

    /// The remainder is below the divisor where that is not zero, and never above the dividend.
    fn urem(&self, other: &Self) -> Self {
        let high = if other.low > 0 {
            self.high.min(other.high - 1)
        } else {
            self.high
        };
        Self::from_interval(self.width, 0, high)
    }
}

/// Facts that were computed, for the terms of one pool.
#[derive(Default)]
pub struct Facts {
    /// Terms that were looked at.
    seen: EntitySet<TermId>,
    /// What was found, where it is more than nothing: of most terms nothing is known, and a bit is enough to say so.
    known: FxHashMap<TermId, Fact>,
    stack: Vec<TermId>,
}

impl Facts {
    /// The fact about a term; `None` when it is no bit-vector of at most 128 bits.
    pub fn get(&mut self, pool: &TermPool, term: TermId) -> Option<Fact> {
        width_of(pool, term)?;
        self.stack.push(term);
        while let Some(&top) = self.stack.last() {
            if self.seen.contains(top) {
                self.stack.pop();
                continue;
            }
            let waiting = self.stack.len();
            for &child in pool.children(top) {
                if width_of(pool, child).is_some() && !self.seen.contains(child) {
                    self.stack.push(child);
                }
            }
            if self.stack.len() == waiting {
                self.stack.pop();
                let fact = self.compute(pool, top);
                self.seen.insert(top);
                if fact != Fact::unknown(fact.width) {
                    self.known.insert(top, fact);
                }
            }
        }
        self.found(pool, term)
    }

    /// The fact about a term that was looked at.
    fn found(&self, pool: &TermPool, term: TermId) -> Option<Fact> {
        let width = width_of(pool, term).filter(|_| self.seen.contains(term))?;
        Some(
            self.known
                .get(&term)
                .copied()
                .unwrap_or(Fact::unknown(width)),
        )
    }

    fn compute(&self, pool: &TermPool, term: TermId) -> Fact {
        let width = width_of(pool, term).expect("invariant: only bit-vectors are asked for");
        let children = pool.children(term);
        let fact = |position: usize| self.found(pool, children[position]);
        let unknown = || Fact::unknown(width);
        let fold = |f: fn(&Fact, &Fact) -> Fact| {
            let mut facts = children.iter().filter_map(|&child| self.found(pool, child));
            let first = facts.next();
            first.map_or_else(unknown, |first| {
                facts.fold(first, |sum, next| f(&sum, &next))
            })
        };
        let unary = |f: &dyn Fn(&Fact) -> Fact| fact(0).map_or_else(unknown, |fact| f(&fact));
        let binary = |f: &dyn Fn(&Fact, &Fact) -> Fact| match (fact(0), fact(1)) {
            (Some(a), Some(b)) => f(&a, &b),
            _ => unknown(),
        };
        match pool.op(term) {
            Op::Constant(_) => {
                let value = pool.as_bitvec(term).and_then(BitVecValue::to_u128);
                value.map_or_else(unknown, |value| Fact::exactly(width, value))
            }
            Op::Ite => match (fact(1), fact(2)) {
                (Some(a), Some(b)) => a.join(&b),
                _ => unknown(),
            },
            Op::BvAnd => fold(Fact::and),
            Op::BvOr => fold(Fact::or),
            Op::BvXor => fold(Fact::xor),
            Op::BvAdd => fold(Fact::add),
            Op::BvMul => fold(Fact::mul),
            Op::Concat => fold(Fact::concat),
            Op::BvNot => unary(&Fact::not),
            Op::BvNeg => unary(&|fact| fact.not().add(&Fact::exactly(width, 1))),
            Op::Extract(high, low) => unary(&|fact| fact.extract(high, low)),
            Op::ZeroExtend(by) => unary(&|fact| fact.zero_extend(by)),
            Op::SignExtend(by) => unary(&|fact| fact.sign_extend(by)),
            op @ (Op::BvShl | Op::BvLshr | Op::BvAshr) => binary(&|a, b| a.shift(op, b)),
            Op::BvUdiv => binary(&Fact::udiv),
            Op::BvUrem => binary(&Fact::urem),
            _ => unknown(),
        }
    }
}

fn width_of(pool: &TermPool, term: TermId) -> Option<u32> {
    match pool.sort(term) {
        Sort::BitVec(width) if width <= 128 => Some(width),
        _ => None,
    }
}
