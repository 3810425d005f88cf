//! Linear terms: sums of multiples of terms, modulo a power of two: what addresses and indices are made of.

use foghorn_term::{BitVecValue, Op, TermId, TermPool};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// `Σ coefficient · term + constant`, modulo `2^width`, for at most 64 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    width: u32,
    constant: u64,
    /// Sorted by term; no coefficient is zero.
    terms: Vec<(TermId, u64)>,
}

/// Signed numbers between which a value lies, both included.
pub type Range = (i128, i128);

/// What is known of terms besides their form.
pub type Known = FxHashMap<TermId, Range>;

impl Linear {
    pub fn constant(width: u32, value: i64) -> Self {
        Linear {
            width,
            constant: value as u64 & mask(width),
            terms: vec![],
        }
    }

    /// A term by its form.
    pub fn of(pool: &mut TermPool, term: TermId) -> Self {
        let width = pool.width(term);
        let mut sum = Linear::constant(width, 0);
        let mut open = vec![(term, 1u64)];
        while let Some((term, by)) = open.pop() {
            let children: SmallVec<[TermId; 4]> = pool.children(term).into();
            match pool.op(term) {
                Op::Constant(_) => match literal(pool, term) {
                    Some(value) => sum.constant = sum.constant.wrapping_add(value.wrapping_mul(by)),
                    None => sum.insert(term, by),
                },
                Op::BvAdd => open.extend(children.iter().map(|&child| (child, by))),
                Op::BvNeg => open.push((children[0], by.wrapping_neg())),
                Op::BvMul => {
                    let literals = children.iter().filter_map(|&child| literal(pool, child));
                    let factor = literals.fold(by, u64::wrapping_mul);
                    let mut rest = children.iter().filter(|&&c| literal(pool, c).is_none());
                    match (rest.next(), rest.next()) {
                        (Some(&only), None) => open.push((only, factor)),
                        _ => sum.insert(term, by),
                    }
                }
                Op::BvShl => match literal(pool, children[1]) {
                    Some(shift) if shift < 64 => open.push((children[0], by << shift)),
                    _ => sum.insert(term, by),
                },
                Op::Concat => match as_shift(pool, term) {
                    Some((inner, shift)) => {
                        let inner = inner.lengthen(pool, width);
                        sum = sum.plus(&inner.times((by << shift).cast_signed()));
                    }
                    None => sum.insert(term, by),
                },
                _ => sum.insert(term, by),
            }
        }
        sum.tidy();
        sum
    }

    /// A longer sum with the same low bits.
    pub fn lengthen(&self, pool: &mut TermPool, width: u32) -> Linear {
        let constant = as_signed(self.width, self.constant);
        let mut sum = Linear::constant(width, constant);
        for &(term, by) in &self.terms {
            let term = lengthen(pool, term, width);
            let by = as_signed(self.width, by);
            sum = sum.plus(&Linear::of(pool, term).times(by));
        }
        sum
    }

    fn insert(&mut self, term: TermId, by: u64) {
        self.terms.push((term, by));
    }

    fn tidy(&mut self) {
        let all = mask(self.width);
        self.constant &= all;
        self.terms.sort_unstable_by_key(|&(term, _)| term);
        self.terms.dedup_by(|next, first| {
            let same = next.0 == first.0;
            if same {
                first.1 = first.1.wrapping_add(next.1);
            }
            same
        });
        for (_, by) in &mut self.terms {
            *by &= all;
        }
        self.terms.retain(|&(_, by)| by != 0);
    }

    pub fn plus(&self, other: &Linear) -> Linear {
        let mut sum = self.clone();
        sum.constant = sum.constant.wrapping_add(other.constant);
        sum.terms.extend(&other.terms);
        sum.tidy();
        sum
    }

    pub fn times(&self, factor: i64) -> Linear {
        let mut product = self.clone();
        product.constant = product.constant.wrapping_mul(factor as u64);
        for (_, by) in &mut product.terms {
            *by = by.wrapping_mul(factor as u64);
        }
        product.tidy();
        product
    }

    pub fn minus(&self, other: &Linear) -> Linear {
        self.plus(&other.times(-1))
    }

    /// The coefficient of a term, as a signed number, and what is left without the term.
    pub fn split(&self, term: TermId) -> (i64, Linear) {
        let mut rest = self.clone();
        let at = rest.terms.iter().position(|&(other, _)| other == term);
        let by = at.map_or(0, |at| rest.terms.remove(at).1);
        (as_signed(self.width, by), rest)
    }

    /// Each coefficient divided, if all are multiples.
    pub fn divide(&self, by: i64) -> Option<Linear> {
        let divide = |value: u64| {
            let value = as_signed(self.width, value);
            (value % by == 0).then(|| (value / by) as u64)
        };
        let mut quotient = self.clone();
        quotient.constant = divide(self.constant)?;
        for (_, coefficient) in &mut quotient.terms {
            *coefficient = divide(*coefficient)?;
        }
        quotient.tidy();
        Some(quotient)
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<i64> {
        self.terms
            .is_empty()
            .then(|| as_signed(self.width, self.constant))
    }

    /// The terms with their coefficients.
    pub fn summands(&self) -> impl Iterator<Item = (TermId, u64)> + '_ {
        self.terms.iter().copied()
    }

    /// The constant as a term.
    pub fn constant_term(&self, pool: &mut TermPool) -> TermId {
        pool.bv(self.width, self.constant)
    }

    /// The terms that it mentions.
    pub fn summand_terms(&self) -> impl Iterator<Item = TermId> + '_ {
        self.terms.iter().map(|&(term, _)| term)
    }

    /// The sum as a term; equal sums are the same term.
    pub fn term(&self, pool: &mut TermPool) -> TermId {
        let mut parts: Vec<TermId> = vec![];
        for &(term, by) in &self.terms {
            let part = if by == 1 {
                term
            } else {
                let by = pool.bv(self.width, by);
                pool.bv_mul(term, by)
            };
            parts.push(part);
        }
        if self.constant != 0 || parts.is_empty() {
            parts.push(pool.bv(self.width, self.constant));
        }
        match parts[..] {
            [only] => only,
            _ => pool.bv_sum(&parts),
        }
    }

    /// Numbers between which the sum lies when it is computed without a modulus.
    pub fn range(&self, pool: &mut TermPool, known: &Known) -> Range {
        self.range_within(pool, known, DEPTH)
    }

    fn range_within(&self, pool: &mut TermPool, known: &Known, depth: u32) -> Range {
        let constant = i128::from(as_signed(self.width, self.constant));
        let mut range = (constant, constant);
        for &(term, by) in &self.terms {
            let by = i128::from(as_signed(self.width, by));
            let (a, b) = range_of(pool, term, known, depth);
            let ends = [by * a, by * b];
            range.0 += ends[0].min(ends[1]);
            range.1 += ends[0].max(ends[1]);
        }
        range
    }
}

/// How deep choices are looked into.
const DEPTH: u32 = 16;

/// Signed numbers between which the value of a term lies.
fn range_of(pool: &mut TermPool, term: TermId, known: &Known, depth: u32) -> Range {
    if let Some(&range) = known.get(&term) {
        return range;
    }
    let width = pool.width(term);
    let half = |bits: u32| 1i128 << (bits - 1);
    let full = (-half(width), half(width) - 1);
    match pool.op(term) {
        Op::SignExtend(by) => (-half(width - by), half(width - by) - 1),
        Op::ZeroExtend(by) => (0, 2 * half(width - by) - 1),
        Op::Ite if depth > 0 => {
            let sides = [1, 2].map(|at| {
                let side = Linear::of(pool, pool.child(term, at));
                side.range_within(pool, known, depth - 1)
            });
            let (low, high) = (sides[0].0.min(sides[1].0), sides[0].1.max(sides[1].1));
            match full.0 <= low && high <= full.1 {
                true => (low, high),
                false => full,
            }
        }
        _ => full,
    }
}

/// A sum followed by zeros is a multiple of the sum, whose highest bits are cut off.
fn as_shift(pool: &mut TermPool, term: TermId) -> Option<(Linear, u32)> {
    let [high, low] = pool.child_array::<2>(term)?;
    let zeros = pool.as_bitvec(low)?.is_zero().then(|| pool.width(low))?;
    Some((Linear::of(pool, high), zeros))
}

/// A longer term with the same low bits.
fn lengthen(pool: &mut TermPool, term: TermId, width: u32) -> TermId {
    let inner = pool.children(term).first().copied();
    match (pool.op(term), inner) {
        (Op::Extract(_, 0), Some(inner)) if pool.width(inner) == width => inner,
        (Op::ZeroExtend(_), Some(inner)) => pool.zero_resize(width, inner),
        (Op::SignExtend(_), Some(inner)) => pool.sign_resize(width, inner),
        _ => pool.sign_resize(width, term),
    }
}

fn literal(pool: &TermPool, term: TermId) -> Option<u64> {
    pool.as_bitvec(term).and_then(BitVecValue::to_u64)
}

fn mask(width: u32) -> u64 {
    match width {
        64.. => u64::MAX,
        _ => (1 << width) - 1,
    }
}

/// The number that bits mean.
fn as_signed(width: u32, bits: u64) -> i64 {
    let unused = 64 - width.min(64);
    (bits << unused) as i64 >> unused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_sum_is_the_same_term() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.bv_symbol("x", 64), pool.bv_symbol("y", 64));
        let (four, eight) = (pool.bv(64, 4), pool.bv(64, 8));
        let (a, b) = (pool.bv_mul(x, four), pool.bv_mul(y, four));
        let one = pool.bv_sum(&[a, eight, b]);
        let other = pool.bv_sum(&[b, a]);
        let other = pool.bv_add(other, eight);
        let (one, other) = (Linear::of(&mut pool, one), Linear::of(&mut pool, other));
        assert_eq!(one, other);
        let quotient = one.divide(4).expect("all are multiples of 4");
        let (by, rest) = quotient.split(x);
        assert_eq!(by, 1);
        let (by, rest) = rest.split(y);
        assert_eq!((by, rest.number()), (1, Some(2)));
        assert_eq!(one.divide(16), None);
    }

    #[test]
    fn extensions_are_bounded() {
        let mut pool = TermPool::new();
        let x = pool.bv_symbol("x", 32);
        let long = pool.sign_extend(32, x);
        let minus = pool.bitvec(BitVecValue::from_i64(64, -1));
        let sum = pool.bv_add(long, minus);
        let range = Linear::of(&mut pool, sum).range(&mut pool, &Known::default());
        assert_eq!(range, (-(1 << 31) - 1, (1 << 31) - 2));
    }
}
