//! The conditions of case splits: when two pointers are equal, and when one lies in a range.
//!
//! They are what the solver gets to see of memory, so they are made as small as what is known of the offsets allows.
//!
//! - `g·x + k = g·y + l` with `g = 2^s·u`, `u` odd, says that `x` and `y + (l - k)/g` agree in all but their highest `s`
//!   bits; where intervals say that these are zero, or where both are extensions of something shorter, they are equal. So
//!   an access at `a[i]` meets one at `a[j]` when `i = j`, which is how the program puts it, and not when `4·i = 4·j`.
//! - `o - b < l` is `b ≤ o ∧ o < b + l` where the sum cannot wrap around: comparisons that the program makes too.

use super::Seam;
use super::interval::mask;
use super::relate::{Access, Relation};
use crate::memory::pointer::children;
use foghorn_term::{BitVecValue, Op, OpKind, TermId, TermPool};

/// `factor · term + plus`.
#[derive(Clone, Copy)]
struct Scaled {
    factor: u64,
    term: TermId,
    plus: u64,
}

/// A literal of at most 64 bits.
fn literal(pool: &TermPool, term: TermId) -> Option<u64> {
    pool.as_bitvec(term).and_then(BitVecValue::to_u64)
}

/// A term as a multiple of something plus a literal; `None` for literals.
fn scaled(pool: &mut TermPool, term: TermId) -> Option<Scaled> {
    let (mut product, mut plus) = (term, 0);
    if pool.op(term) == Op::BvAdd {
        let &[first, last] = pool.children(term) else {
            return None;
        };
        (product, plus) = (first, literal(pool, last)?);
    }
    let whole = Scaled {
        factor: 1,
        term: product,
        plus,
    };
    let &[first, last] = pool.children(product) else {
        return Some(whole);
    };
    let Some(by) = literal(pool, last) else {
        return Some(whole);
    };
    let factor = match pool.op(product) {
        Op::BvMul => by,
        Op::BvShl if by < 64 => 1 << by,
        _ => return Some(whole),
    };
    let term = first;
    Some(Scaled { factor, term, plus })
}

/// The number whose product with an odd one is 1 modulo 2^64.
fn inverse(odd: u64) -> u64 {
    // Each step doubles the number of bits that are right; three are from the start.
    (0..5).fold(odd, |x, _| {
        x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)))
    })
}

impl Seam {
    /// The condition that two pointers in normal form are equal, simplified. With ARM it is pushed through the `ite`s of
    /// the second one, whose leaves decide it for themselves; without, nested `ite`s are left to the solver.
    pub(super) fn equal_pointers(&mut self, pool: &mut TermPool, a: TermId, b: TermId) -> TermId {
        let (a, b) = if pool.op(a) == Op::Pointer {
            (a, b)
        } else {
            (b, a)
        };
        if !self.options.arm || pool.op(a) != Op::Pointer {
            let equal = match (pool.op(a), pool.op(b)) {
                (Op::Pointer, Op::Pointer) => self.equal_pairs(pool, a, b),
                _ => pool.equal(a, b),
            };
            return self.simplifier.rewrite(pool, equal);
        }
        let mut stack = vec![b];
        while let Some(&top) = stack.last() {
            if self.equal.contains_key(&(a, top)) {
                stack.pop();
                continue;
            }
            let equal = match pool.op(top) {
                Op::Ite => {
                    let [condition, then, otherwise] = children(pool, top);
                    let sides = [then, otherwise].map(|side| self.equal.get(&(a, side)).copied());
                    match sides {
                        [Some(then), Some(otherwise)] => pool.ite(condition, then, otherwise),
                        [None, _] => {
                            stack.push(then);
                            continue;
                        }
                        [Some(_), None] => {
                            stack.push(otherwise);
                            continue;
                        }
                    }
                }
                _ => self.equal_pairs(pool, a, top),
            };
            let equal = self.simplifier.rewrite(pool, equal);
            stack.pop();
            self.equal.insert((a, top), equal);
        }
        self.equal[&(a, b)]
    }

    fn equal_pairs(&mut self, pool: &mut TermPool, a: TermId, b: TermId) -> TermId {
        let read = Access {
            pointer: a,
            size: 1,
        };
        let written = Access {
            pointer: b,
            size: 1,
        };
        let skips = self.statistics.arm_skips;
        let relation = self.relate(pool, read, written);
        self.statistics.arm_skips = skips;
        match relation {
            Relation::Apart => return pool.bool(false),
            Relation::At(_) => return pool.bool(true),
            Relation::Unknown => {}
        }
        let [base, offset] = children(pool, a);
        let [other_base, other_offset] = children(pool, b);
        let bases = pool.equal(base, other_base);
        let offsets = self.equal_offsets(pool, offset, other_offset);
        pool.and(&[bases, offsets])
    }

    /// The condition that two offsets are equal.
    fn equal_offsets(&mut self, pool: &mut TermPool, a: TermId, b: TermId) -> TermId {
        let unscaled = match (literal(pool, a), literal(pool, b)) {
            _ if !self.options.arm => None,
            (None, Some(value)) => self.unscaled_literal(pool, a, value),
            (Some(value), None) => self.unscaled_literal(pool, b, value),
            (None, None) => self.unscaled(pool, a, b),
            (Some(_), Some(_)) => None,
        };
        unscaled.unwrap_or_else(|| pool.equal(a, b))
    }

    fn unscaled(&mut self, pool: &mut TermPool, a: TermId, b: TermId) -> Option<TermId> {
        let (x, y) = (scaled(pool, a)?, scaled(pool, b)?);
        if x.factor != y.factor || x.factor <= 1 {
            return None;
        }
        let same = self.is_short(pool, x) && self.is_short(pool, y)
            || sign_extended(pool, x) && sign_extended(pool, y);
        // Where the literals differ the shorter sides would have to be known not to wrap around either.
        (same && x.plus == y.plus).then(|| pool.equal(x.term, y.term))
    }

    fn unscaled_literal(&mut self, pool: &mut TermPool, a: TermId, value: u64) -> Option<TermId> {
        let x = scaled(pool, a)?;
        if x.factor <= 1 {
            return None;
        }
        let width = pool.width(a);
        let shift = x.factor.trailing_zeros();
        let product = value.wrapping_sub(x.plus) & mask(width);
        if product.trailing_zeros() < shift {
            return Some(pool.bool(false));
        }
        let bits = width - shift;
        let quotient = (product >> shift).wrapping_mul(inverse(x.factor >> shift)) & mask(bits);
        let quotient = if self.is_short(pool, x) {
            quotient
        } else if sign_extended(pool, x) {
            let unused = 64 - bits;
            ((quotient << unused) as i64 >> unused) as u64 & mask(width)
        } else {
            return None;
        };
        let quotient = pool.bv(width, quotient);
        Some(pool.equal(x.term, quotient))
    }

    /// Whether the bits that a multiplication shifts out are zero.
    fn is_short(&mut self, pool: &TermPool, x: Scaled) -> bool {
        let bits = pool.width(x.term) - x.factor.trailing_zeros().min(pool.width(x.term) - 1);
        let range = self.intervals.get(pool, x.term);
        range.is_some_and(|range| range.high <= mask(bits))
    }

    /// The condition that a pointer lies in the range of `length` cells from `start` on.
    pub(super) fn in_range_condition(
        &mut self,
        pool: &mut TermPool,
        pointer: TermId,
        start: TermId,
        length: TermId,
    ) -> TermId {
        let (base, offset) = self.pointers.halves(pool, pointer);
        let (start_base, start) = self.pointers.halves(pool, start);
        let same = pool.equal(base, start_base);
        let distance = pool.bv_sub(offset, start);
        let distance = self.simplifier.rewrite(pool, distance);
        let near = if self.options.arm
            && has_negated(pool, distance)
            && self.ends_before_wrapping(pool, start, length)
        {
            let end = pool.bv_add(start, length);
            let (from, to) = (pool.bv_ule(start, offset), pool.bv_ult(offset, end));
            pool.and(&[from, to])
        } else {
            pool.bv_ult(distance, length)
        };
        let condition = pool.and(&[same, near]);
        self.simplifier.rewrite(pool, condition)
    }

    fn ends_before_wrapping(&mut self, pool: &TermPool, start: TermId, length: TermId) -> bool {
        let (start, length) = (
            self.intervals.get(pool, start),
            self.intervals.get(pool, length),
        );
        let (Some(start), Some(length)) = (start, length) else {
            return false;
        };
        let end = start.high.checked_add(length.high);
        end.is_some_and(|end| end <= mask(self.width))
    }
}

/// Whether what is multiplied is the sign extension of something that the multiplication keeps whole.
fn sign_extended(pool: &TermPool, x: Scaled) -> bool {
    let kept = pool.width(x.term).saturating_sub(x.factor.trailing_zeros());
    pool.op(x.term).kind() == OpKind::SignExtend && pool.width(pool.child(x.term, 0)) <= kept
}

/// Whether a difference did not cancel.
fn has_negated(pool: &TermPool, difference: TermId) -> bool {
    let negated = |term: TermId| match pool.op(term) {
        Op::BvNeg => true,
        Op::BvMul => {
            let factor = pool
                .children(term)
                .last()
                .and_then(|&last| pool.as_bitvec(last));
            factor.is_some_and(BitVecValue::sign_bit)
        }
        _ => false,
    };
    match pool.op(difference) {
        Op::BvAdd => pool.children(difference).iter().any(|&term| negated(term)),
        _ => negated(difference),
    }
}
