//! How two accesses lie to each other: the side conditions `⊢ i = j` and `⊢ i ≠ j` of figures 4.6 and 4.7.
//!
//! Syntactically: literal bases that differ never meet (axiom 1 of fig. 4.2); offsets of one base that differ by a literal
//! are at a known distance. With ARM also: address range maps that do not meet (theorem 4), and distances that the low bits
//! of the offsets rule out. What remains is a case split over the distances at which the accesses overlap.

use super::Seam;
use super::interval::{Interval, mask};
use crate::memory::pointer::children;
use foghorn_term::{BitVecValue, Op, TermId, TermPool};

/// An access: a pointer in normal form and how many cells from there on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Access {
    pub pointer: TermId,
    pub size: u32,
}

/// How an access lies to another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    /// No cell in common.
    Apart,
    /// It starts that many cells after the other one, and they overlap.
    At(i64),
    Unknown,
}

/// A term as something plus a literal; the something is `None` for a literal.
fn split(pool: &mut TermPool, term: TermId) -> Option<(Option<TermId>, u64)> {
    if let Some(value) = pool.as_bitvec(term) {
        return value.to_u64().map(|value| (None, value));
    }
    if pool.op(term) == Op::BvAdd {
        let terms = pool.children(term);
        let (&last, rest) = terms.split_last()?;
        if let Some(value) = pool.as_bitvec(last).and_then(BitVecValue::to_u64) {
            let rest = match rest {
                [only] => *only,
                _ => {
                    let rest = rest.to_vec();
                    pool.make(Op::BvAdd, &rest)
                }
            };
            return Some((Some(rest), value));
        }
    }
    Some((Some(term), 0))
}

/// `a - b` as a signed number, when it is the same in every model.
pub(super) fn distance(pool: &mut TermPool, a: TermId, b: TermId) -> Option<i64> {
    if a == b {
        return Some(0);
    }
    let (rest, x) = split(pool, a)?;
    let (other_rest, y) = split(pool, b)?;
    if rest != other_rest {
        return None;
    }
    let unused = 64 - pool.width(a);
    Some((x.wrapping_sub(y) << unused) as i64 >> unused)
}

impl Seam {
    /// How the access `read` lies to the access `written`.
    pub(super) fn relate(
        &mut self,
        pool: &mut TermPool,
        read: Access,
        written: Access,
    ) -> Relation {
        let pair = |pool: &TermPool, pointer: TermId| match pool.op(pointer) {
            Op::Pointer => Some(children::<2>(pool, pointer)),
            _ => None,
        };
        let (a, b) = (pair(pool, read.pointer), pair(pool, written.pointer));
        if let (Some([base, offset]), Some([other_base, other_offset])) = (a, b) {
            if base == other_base {
                if let Some(distance) = distance(pool, offset, other_offset) {
                    return at(distance, read.size, written.size);
                }
            } else if pool.is_literal(base) && pool.is_literal(other_base) {
                return Relation::Apart;
            }
        } else if read.pointer == written.pointer {
            return Relation::At(0);
        }
        if self.options.arm && self.arm_excludes(pool, read, written) {
            self.statistics.arm_skips += 1;
            return Relation::Apart;
        }
        Relation::Unknown
    }

    fn arm_excludes(&mut self, pool: &TermPool, read: Access, written: Access) -> bool {
        let a = self.address_range_map(pool, read.pointer);
        let b = self.address_range_map(pool, written.pointer);
        a.excludes(read.size, &b, written.size, self.width)
            || overlapping_distances(read.size, written.size)
                .all(|distance| !a.low_bits.admit_distance(b.low_bits, distance))
    }

    /// Whether all cells of a read lie in the range of `length` cells from `start` on, or none does, where that is the same
    /// in every model.
    pub(super) fn in_range(
        &mut self,
        pool: &mut TermPool,
        read: Access,
        start: TermId,
        length: TermId,
    ) -> Option<bool> {
        let lengths = self.range_of(pool, length);
        if let (Op::Pointer, Op::Pointer) = (pool.op(read.pointer), pool.op(start)) {
            let [base, offset] = children(pool, read.pointer);
            let [start_base, start_offset] = children(pool, start);
            if base == start_base {
                if let Some(distance) = distance(pool, offset, start_offset) {
                    return self.all_within(distance, read.size, lengths);
                }
            } else if pool.is_literal(base) && pool.is_literal(start_base) {
                return Some(false);
            }
        }
        if !self.options.arm {
            return None;
        }
        let a = self.address_range_map(pool, read.pointer);
        let b = self.address_range_map(pool, start);
        let length = u32::try_from(lengths.high).unwrap_or(u32::MAX);
        let fits = lengths.high <= u64::from(u32::MAX);
        if lengths.high == 0 || (fits && a.excludes(read.size, &b, length, self.width)) {
            self.statistics.arm_skips += 1;
            return Some(false);
        }
        if let (Some([(base, x)]), Some([(start_base, y)])) =
            (a.ranges.as_deref(), b.ranges.as_deref())
            && base == start_base
            && x.low >= y.high
            && (x.high - y.low).checked_add(u64::from(read.size))? <= lengths.low
        {
            return Some(true);
        }
        None
    }

    /// The interval of a length; all numbers where nothing is to be known.
    fn range_of(&mut self, pool: &TermPool, length: TermId) -> Interval {
        if let Some(value) = pool.as_bitvec(length).and_then(BitVecValue::to_u64) {
            return Interval::exactly(value);
        }
        let known = self.options.arm.then(|| self.intervals.get(pool, length));
        known.flatten().unwrap_or(Interval::full(self.width))
    }

    /// Whether `size` cells from a distance on are all nearer than the length, or all farther.
    fn all_within(&self, distance: i64, size: u32, lengths: Interval) -> Option<bool> {
        let all = mask(self.width);
        let cell = |position: u32| (distance as u64).wrapping_add(u64::from(position)) & all;
        if (0..size).all(|position| cell(position) < lengths.low) {
            Some(true)
        } else if (0..size).all(|position| cell(position) >= lengths.high) {
            Some(false)
        } else {
            None
        }
    }

    /// The distances at which the accesses may overlap, each with its condition. Distances whose condition is decided to be
    /// false are left out; one that is decided to be true is the only one.
    pub(super) fn overlaps(
        &mut self,
        pool: &mut TermPool,
        read: Access,
        written: Access,
    ) -> Vec<(TermId, i64)> {
        let low_bits = self.options.arm.then(|| {
            let a = self.address_range_map(pool, read.pointer).low_bits;
            (a, self.address_range_map(pool, written.pointer).low_bits)
        });
        let mut cases = Vec::new();
        for distance in overlapping_distances(read.size, written.size) {
            if let Some((a, b)) = low_bits
                && !a.admit_distance(b, distance)
            {
                continue;
            }
            let by = pool.bitvec(BitVecValue::from_i64(self.width, distance));
            let shifted = self.pointers.moved(pool, written.pointer, by);
            let condition = self.equal_pointers(pool, read.pointer, shifted);
            match pool.as_bool(condition) {
                Some(true) => return vec![(condition, distance)],
                Some(false) => {}
                None => cases.push((condition, distance)),
            }
        }
        cases
    }

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
        let offsets = pool.equal(offset, other_offset);
        pool.and(&[bases, offsets])
    }
}

/// The relation of accesses at a known distance.
fn at(distance: i64, size: u32, other_size: u32) -> Relation {
    if -i64::from(size) < distance && distance < i64::from(other_size) {
        Relation::At(distance)
    } else {
        Relation::Apart
    }
}

/// The distances from the start of the other access at which this one overlaps it.
fn overlapping_distances(size: u32, other_size: u32) -> impl Iterator<Item = i64> {
    (1 - i64::from(size))..i64::from(other_size)
}
