//! Intervals of scalar terms: §5.1 of the SEAM thesis, on machine integers.
//!
//! The thesis assumes that offsets do not overflow. Here they may: an interval is of unsigned numbers below 2^width, and a
//! sum whose values wrap in some models and not in others is unknown. Bounds that the program assumes sharpen the
//! intervals of the terms they are about and of what is computed from these (the thesis leaves this as future work).
//!
//! Intervals are computed bottom-up with an explicit stack and remembered with their users, so that a new bound makes
//! exactly what depends on it be computed again.

use foghorn_term::{BitVecValue, Op, OpKind, Sort, TermId, TermPool};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The unsigned numbers from `low` to `high`, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Interval {
    pub low: u64,
    pub high: u64,
}

/// The greatest number of that many bits, at most 64.
pub(crate) fn mask(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

impl Interval {
    pub fn exactly(value: u64) -> Self {
        Interval {
            low: value,
            high: value,
        }
    }

    pub fn full(width: u32) -> Self {
        Interval {
            low: 0,
            high: mask(width),
        }
    }

    /// The least interval around both: `ite` forgets its condition (fig. 5.3).
    pub fn join(self, other: Self) -> Self {
        Interval {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// What is in both, `None` when nothing is.
    pub fn meet(self, other: Self) -> Option<Self> {
        let met = Interval {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        };
        (met.low <= met.high).then_some(met)
    }

    /// The residues modulo 2^width of the numbers from `low` to `high`, where none or all wrap equally often.
    fn modulo(width: u32, low: u128, high: u128) -> Self {
        if low >> width != high >> width {
            return Self::full(width);
        }
        let all = u128::from(mask(width));
        Interval {
            low: (low & all) as u64,
            high: (high & all) as u64,
        }
    }

    fn negated(self, width: u32) -> Self {
        let modulus = 1u128 << width;
        let (low, high) = (u128::from(self.low), u128::from(self.high));
        if low == 0 && high != 0 {
            return Self::full(width);
        }
        Self::modulo(width, modulus - high, modulus - low)
    }

    fn sign_extended(self, width: u32, by: u32) -> Self {
        let sign = 1u64 << (width - 1);
        if self.high < sign {
            return self;
        }
        let above = mask(width + by) & !mask(width);
        if self.low >= sign {
            return Interval {
                low: self.low | above,
                high: self.high | above,
            };
        }
        Self::full(width + by)
    }

    fn extracted(self, high: u32, low: u32) -> Self {
        let shifted = Interval {
            low: self.low >> low,
            high: self.high >> low,
        };
        let bits = high - low + 1;
        if shifted.low >> (bits - 1) >> 1 == shifted.high >> (bits - 1) >> 1 {
            Interval {
                low: shifted.low & mask(bits),
                high: shifted.high & mask(bits),
            }
        } else {
            Self::full(bits)
        }
    }
}

/// Intervals of the terms of one pool.
#[derive(Default)]
pub(crate) struct Intervals {
    known: FxHashMap<TermId, Interval>,
    bounds: FxHashMap<TermId, Interval>,
    users: FxHashMap<TermId, SmallVec<[TermId; 2]>>,
    /// Grows when something that was known is known better.
    epoch: u64,
    stack: Vec<TermId>,
}

impl Intervals {
    /// How often what was known has become better.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The interval of a bit-vector of at most 64 bits; `None` of other terms.
    pub fn get(&mut self, pool: &TermPool, term: TermId) -> Option<Interval> {
        width_of(pool, term)?;
        if let Some(&known) = self.known.get(&term) {
            return Some(known);
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(term);
        while let Some(&top) = stack.last() {
            if self.known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            for &child in operands(pool, top) {
                if width_of(pool, child).is_some() && !self.known.contains_key(&child) {
                    stack.push(child);
                }
            }
            if stack.len() == waiting {
                stack.pop();
                self.settle(pool, top);
            }
        }
        self.stack = stack;
        self.known.get(&term).copied()
    }

    fn settle(&mut self, pool: &TermPool, term: TermId) {
        for &child in operands(pool, term) {
            if !pool.is_literal(child) {
                self.users.entry(child).or_default().push(term);
            }
        }
        let mut interval = self.compute(pool, term);
        if let Some(&bound) = self.bounds.get(&term) {
            // Facts that exclude each other describe no execution: any interval will do.
            interval = interval.meet(bound).unwrap_or(interval);
        }
        self.known.insert(term, interval);
    }

    fn compute(&self, pool: &TermPool, term: TermId) -> Interval {
        let width = width_of(pool, term).expect("invariant: only short bit-vectors are asked for");
        let children = pool.children(term);
        let full = Interval::full(width);
        let of = |position: usize| self.known.get(&children[position]).copied();
        let pair = |f: &dyn Fn(Interval, Interval) -> Interval| match (of(0), of(1)) {
            (Some(a), Some(b)) => f(a, b),
            _ => full,
        };
        match pool.op(term) {
            Op::Constant(_) => pool
                .as_bitvec(term)
                .and_then(BitVecValue::to_u64)
                .map_or(full, Interval::exactly),
            Op::Ite => match (of(1), of(2)) {
                (Some(a), Some(b)) => a.join(b),
                _ => full,
            },
            Op::BvAdd => self.sum(width, children),
            Op::BvMul => self.product(width, children),
            Op::BvNeg => of(0).map_or(full, |x| x.negated(width)),
            Op::BvNot => of(0).map_or(full, |x| Interval {
                low: mask(width) - x.high,
                high: mask(width) - x.low,
            }),
            Op::BvAnd => {
                let highs = children.iter().filter_map(|child| self.known.get(child));
                let high = highs.map(|x| x.high).min().unwrap_or(full.high);
                Interval { low: 0, high }
            }
            Op::BvUrem => pair(&|x, by| Interval {
                low: 0,
                high: if by.low > 0 {
                    x.high.min(by.high - 1)
                } else {
                    x.high
                },
            }),
            Op::BvUdiv => pair(&|x, by| match by.low {
                0 => full,
                low => Interval {
                    low: x.low / by.high,
                    high: x.high / low,
                },
            }),
            Op::BvShl => pair(&|x, by| match by.low {
                amount if by.high == amount && amount < u64::from(width) => Interval::modulo(
                    width,
                    u128::from(x.low) << amount,
                    u128::from(x.high) << amount,
                ),
                _ => full,
            }),
            Op::BvLshr => pair(&|x, by| Interval {
                low: x
                    .low
                    .checked_shr(u32::try_from(by.high).unwrap_or(64))
                    .unwrap_or(0),
                high: x
                    .high
                    .checked_shr(u32::try_from(by.low).unwrap_or(64))
                    .unwrap_or(0),
            }),
            Op::ZeroExtend(_) => of(0).unwrap_or(full),
            Op::SignExtend(by) => of(0).map_or(full, |x| x.sign_extended(width - by, by)),
            Op::Extract(high, low) => of(0).map_or(full, |x| x.extracted(high, low)),
            Op::Concat => self.concatenation(pool, children).unwrap_or(full),
            _ => full,
        }
    }

    fn sum(&self, width: u32, children: &[TermId]) -> Interval {
        let (mut low, mut high) = (0u128, 0u128);
        for child in children {
            let Some(x) = self.known.get(child) else {
                return Interval::full(width);
            };
            low += u128::from(x.low);
            high += u128::from(x.high);
        }
        Interval::modulo(width, low, high)
    }

    fn product(&self, width: u32, children: &[TermId]) -> Interval {
        let (mut low, mut high) = (1u128, 1u128);
        for child in children {
            let Some(x) = self.known.get(child) else {
                return Interval::full(width);
            };
            let Some(product) = high.checked_mul(u128::from(x.high)) else {
                return Interval::full(width);
            };
            if product > u128::from(mask(width)) {
                return Interval::full(width);
            }
            high = product;
            low *= u128::from(x.low);
        }
        Interval::modulo(width, low, high)
    }

    fn concatenation(&self, pool: &TermPool, children: &[TermId]) -> Option<Interval> {
        let mut whole = Interval::exactly(0);
        for &child in children {
            let (width, part) = (width_of(pool, child)?, *self.known.get(&child)?);
            if width >= 64 {
                return Some(part);
            }
            whole = Interval {
                low: whole.low << width | part.low,
                high: whole.high << width | part.high,
            };
        }
        Some(whole)
    }

    /// Bounds a term from now on, and what it is a zero extension of.
    pub fn bound(&mut self, pool: &TermPool, term: TermId, bound: Interval) {
        let mut term = term;
        loop {
            self.bound_one(pool, term, bound);
            if pool.op(term).kind() != OpKind::ZeroExtend {
                return;
            }
            term = pool.child(term, 0);
        }
    }

    fn bound_one(&mut self, pool: &TermPool, term: TermId, bound: Interval) {
        let Some(now) = self.get(pool, term) else {
            return;
        };
        let Some(better) = now.meet(bound).filter(|&better| better != now) else {
            return;
        };
        self.bounds.insert(term, better);
        self.epoch += 1;
        let mut outdated = vec![term];
        while let Some(term) = outdated.pop() {
            if self.known.remove(&term).is_some()
                && let Some(users) = self.users.remove(&term)
            {
                outdated.extend(users);
            }
        }
    }
}

/// The operands that an interval is computed from.
fn operands(pool: &TermPool, term: TermId) -> &[TermId] {
    let children = pool.children(term);
    match pool.op(term) {
        Op::Ite => &children[1..],
        Op::BvAdd
        | Op::BvMul
        | Op::BvNeg
        | Op::BvNot
        | Op::BvAnd
        | Op::BvUrem
        | Op::BvUdiv
        | Op::BvShl
        | Op::BvLshr
        | Op::ZeroExtend(_)
        | Op::SignExtend(_)
        | Op::Extract(..)
        | Op::Concat => children,
        _ => &[],
    }
}

/// The width of a bit-vector of at most 64 bits.
fn width_of(pool: &TermPool, term: TermId) -> Option<u32> {
    match pool.sort(term) {
        Sort::BitVec(width) if width <= 64 => Some(width),
        _ => None,
    }
}
