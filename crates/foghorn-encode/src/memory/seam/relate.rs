//! How two accesses lie to each other: the side conditions `⊢ i = j` and `⊢ i ≠ j` of figures 4.6 and 4.7.
//!
//! Syntactically: literal bases that differ never meet (axiom 1 of fig. 4.2); offsets of one base that differ by a literal
//! are at a known distance. With ARM also: address range maps that do not meet (theorem 4), distances that the low bits of
//! the offsets rule out, and pointers that choose by the same conditions, leaf by leaf. What remains is a case split over the distances at which the accesses overlap.

use super::Seam;
use super::interval::{Interval, mask};
use crate::memory::pointer::children;
use foghorn_term::{BitVecValue, Op, TermId, TermPool};
use smallvec::SmallVec;

/// Nodes of two pointers that are compared side by side.
const MOST_PAIRS: usize = 64;

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
        let pairs = [read.pointer, written.pointer].map(|pointer| pool.op(pointer) == Op::Pointer);
        if pairs == [true; 2] {
            let known = leaves(
                pool,
                (read.pointer, read.size),
                (written.pointer, written.size),
            );
            if known != Relation::Unknown {
                return known;
            }
        } else if read.pointer == written.pointer {
            return Relation::At(0);
        }
        if !self.options.arm {
            return Relation::Unknown;
        }
        if self.arm_excludes(pool, read, written) {
            self.statistics.arm_skips += 1;
            return Relation::Apart;
        }
        self.side_by_side(pool, read, written)
    }

    /// How the accesses lie to each other where both pointers choose by the same conditions and all leaves agree.
    fn side_by_side(&mut self, pool: &mut TermPool, read: Access, written: Access) -> Relation {
        let mut pairs: SmallVec<[(TermId, TermId); 8]> = SmallVec::new();
        pairs.push((read.pointer, written.pointer));
        let mut agreed = None;
        for _ in 0..MOST_PAIRS {
            let Some((a, b)) = pairs.pop() else {
                return agreed.unwrap_or(Relation::Unknown);
            };
            let relation = match (pool.op(a), pool.op(b)) {
                (Op::Ite, Op::Ite) => {
                    let [condition, then, otherwise] = children(pool, a);
                    let [other_condition, other_then, other_otherwise] = children(pool, b);
                    if condition != other_condition {
                        return Relation::Unknown;
                    }
                    pairs.push((then, other_then));
                    pairs.push((otherwise, other_otherwise));
                    continue;
                }
                (Op::Pointer, Op::Pointer) => leaves(pool, (a, read.size), (b, written.size)),
                _ => return Relation::Unknown,
            };
            if relation == Relation::Unknown || *agreed.get_or_insert(relation) != relation {
                return Relation::Unknown;
            }
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
}

/// How two accesses at `ptr(base, offset)` lie to each other, as far as the terms tell (axiom 1 of fig. 4.2).
fn leaves(pool: &mut TermPool, read: (TermId, u32), written: (TermId, u32)) -> Relation {
    let [base, offset] = children(pool, read.0);
    let [other_base, other_offset] = children(pool, written.0);
    if base == other_base {
        return match distance(pool, offset, other_offset) {
            Some(distance) => at(distance, read.1, written.1),
            None => Relation::Unknown,
        };
    }
    if pool.is_literal(base) && pool.is_literal(other_base) {
        return Relation::Apart;
    }
    Relation::Unknown
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
