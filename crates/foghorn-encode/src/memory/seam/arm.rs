//! Address range maps: §5.2 of the SEAM thesis.
//!
//! The address range map (ARM) of a pointer says into which objects it may point and, for each of them, the interval of
//! its offsets. It is computed in place, without pulling `ite`s apart: `ite` joins (fig. 5.9), adding moves the intervals.
//! Two pointers whose maps do not meet differ in every model (theorem 4). Besides the interval the map keeps what all
//! offsets have in common at their low end, so that accesses of one alignment need not be compared at every distance.

use super::interval::{Interval, Intervals, mask};
use crate::memory::pointer::children;
use foghorn_term::rules::Facts;
use foghorn_term::{BitVecValue, Op, TermId, TermPool};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// Objects beyond which a map says nothing.
const MOST_BASES: usize = 256;

/// The objects that a pointer may point into, in order, with the offsets it may have there.
pub(super) type Ranges = SmallVec<[(u64, Interval); 2]>;

/// What is known of a pointer.
#[derive(Clone, Debug)]
pub(super) struct AddressRangeMap {
    /// `None`: any object at all (⊤).
    pub ranges: Option<Ranges>,
    pub low_bits: LowBits,
}

/// What all offsets have in common: the value of that many low bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LowBits {
    pub count: u32,
    pub value: u64,
}

impl LowBits {
    fn join(self, other: Self) -> Self {
        let agreed = (self.value ^ other.value).trailing_zeros();
        let count = self.count.min(other.count).min(agreed);
        LowBits {
            count,
            value: self.value & mask_or_zero(count),
        }
    }

    /// Whether a difference of two offsets is possible.
    pub fn admit_distance(self, other: Self, distance: i64) -> bool {
        let count = self.count.min(other.count);
        let difference = self
            .value
            .wrapping_sub(other.value)
            .wrapping_sub(distance as u64);
        difference & mask_or_zero(count) == 0
    }
}

fn mask_or_zero(count: u32) -> u64 {
    if count == 0 { 0 } else { mask(count) }
}

impl AddressRangeMap {
    fn join(&self, other: &Self) -> Self {
        let ranges = match (&self.ranges, &other.ranges) {
            (Some(a), Some(b)) => union(a, b),
            _ => None,
        };
        AddressRangeMap {
            ranges,
            low_bits: self.low_bits.join(other.low_bits),
        }
    }

    /// Whether accesses of `size` bytes here and `other_size` bytes there can have no byte in common.
    pub fn excludes(&self, size: u32, other: &Self, other_size: u32, width: u32) -> bool {
        let (Some(a), Some(b)) = (&self.ranges, &other.ranges) else {
            return false;
        };
        let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
        while let (Some(&&(base, x)), Some(&&(other_base, y))) = (left.peek(), right.peek()) {
            match base.cmp(&other_base) {
                std::cmp::Ordering::Less => left.next(),
                std::cmp::Ordering::Greater => right.next(),
                std::cmp::Ordering::Equal => {
                    if touches(x, size, y, other_size, width) {
                        return false;
                    }
                    right.next();
                    left.next()
                }
            };
        }
        true
    }
}

/// Whether two accesses within one object may overlap.
fn touches(x: Interval, size: u32, y: Interval, other_size: u32, width: u32) -> bool {
    let last = |interval: Interval, size: u32| {
        interval
            .high
            .checked_add(u64::from(size) - 1)
            .filter(|&last| last <= mask(width))
    };
    match (last(x, size), last(y, other_size)) {
        (Some(end), Some(other_end)) => x.low <= other_end && y.low <= end,
        // One may run over the end of the offsets and go on at their beginning.
        _ => true,
    }
}

/// Both, the intervals of common objects joined.
fn union(a: &Ranges, b: &Ranges) -> Option<Ranges> {
    let mut result = Ranges::new();
    let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let next = match (left.peek(), right.peek()) {
            (None, None) => break,
            (Some(&&entry), None) => {
                left.next();
                entry
            }
            (None, Some(&&entry)) => {
                right.next();
                entry
            }
            (Some(&&(base, x)), Some(&&(other_base, y))) => match base.cmp(&other_base) {
                std::cmp::Ordering::Less => {
                    left.next();
                    (base, x)
                }
                std::cmp::Ordering::Greater => {
                    right.next();
                    (other_base, y)
                }
                std::cmp::Ordering::Equal => {
                    left.next();
                    right.next();
                    (base, x.join(y))
                }
            },
        };
        result.push(next);
    }
    (result.len() <= MOST_BASES).then_some(result)
}

/// Address range maps of pointers in normal form, remembered.
#[derive(Default)]
pub(super) struct AddressRangeMaps {
    known: FxHashMap<TermId, Rc<AddressRangeMap>>,
    epoch: u64,
    stack: Vec<TermId>,
}

impl AddressRangeMaps {
    /// The map of a pointer in normal form.
    pub fn get(
        &mut self,
        pool: &TermPool,
        intervals: &mut Intervals,
        facts: &mut Facts,
        pointer: TermId,
    ) -> Rc<AddressRangeMap> {
        if self.epoch != intervals.epoch() {
            self.epoch = intervals.epoch();
            self.known.clear();
        }
        if let Some(known) = self.known.get(&pointer) {
            return Rc::clone(known);
        }
        self.stack.push(pointer);
        while let Some(&top) = self.stack.last() {
            if self.known.contains_key(&top) {
                self.stack.pop();
                continue;
            }
            let map = match pool.op(top) {
                Op::Ite => {
                    let [_, then, otherwise] = children(pool, top);
                    match (self.known.get(&then), self.known.get(&otherwise)) {
                        (Some(a), Some(b)) => a.join(b),
                        (None, _) => {
                            self.stack.push(then);
                            continue;
                        }
                        (Some(_), None) => {
                            self.stack.push(otherwise);
                            continue;
                        }
                    }
                }
                Op::Pointer => of_pair(pool, intervals, facts, top),
                other => unreachable!("invariant: {other:?} is in no normal form of a pointer"),
            };
            self.stack.pop();
            self.known.insert(top, Rc::new(map));
        }
        Rc::clone(&self.known[&pointer])
    }
}

/// The map of `ptr(base, offset)`.
pub(super) fn of_pair(
    pool: &TermPool,
    intervals: &mut Intervals,
    facts: &mut Facts,
    pointer: TermId,
) -> AddressRangeMap {
    let [base, offset] = children(pool, pointer);
    let fact = facts.get(pool, offset);
    let low_bits = fact.map_or(LowBits { count: 0, value: 0 }, |fact| {
        let count = (fact.zeros | fact.ones).trailing_ones().min(64);
        LowBits {
            count,
            value: fact.ones as u64 & mask_or_zero(count),
        }
    });
    let range = intervals.get(pool, offset);
    let literal = pool.as_bitvec(base).and_then(BitVecValue::to_u64);
    let ranges = match (literal, range) {
        (Some(base), Some(range)) => Some(Ranges::from_elem((base, range), 1)),
        _ => None,
    };
    AddressRangeMap { ranges, low_bits }
}
