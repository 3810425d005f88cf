//! Addresses of objects.
//!
//! The memory model promises only that bases are aligned, not null, and that live objects do not
//! overlap. A base is chosen when somebody asks for it, never before. Between any two objects
//! lies at least one byte, so that a pointer one past the end is never the start of another
//! object and an integer leads back to the object it came from.
//!
//! Seed 0 lays objects out upwards with small gaps; any other seed lays them out downwards from
//! elsewhere with pseudo-random gaps. Programs that do not look at addresses cannot tell.

use super::value::ObjectId;
use std::collections::BTreeMap;

/// The bases given out so far.
#[derive(Debug)]
pub(crate) struct AddressSpace {
    /// Live objects by base.
    taken: BTreeMap<u64, Extent>,
    seed: u64,
    /// Where the next object goes: above it with seed 0, else below it.
    frontier: u64,
    lowest: u64,
    highest: u64,
}

#[derive(Clone, Copy, Debug)]
struct Extent {
    object: ObjectId,
    size: u64,
}

impl AddressSpace {
    pub fn new(pointer_bytes: u32, seed: u64) -> Self {
        let (lowest, highest) = if pointer_bytes == 4 {
            (0x1_0000, 0xffff_0000)
        } else {
            // User addresses of today's 64-bit machines have 47 bits.
            (0x1_0000, 0x7fff_ffff_0000)
        };
        let frontier = if seed == 0 {
            lowest
        } else {
            highest - (scramble(seed) & 0xff_fff0)
        };
        AddressSpace {
            taken: BTreeMap::new(),
            seed,
            frontier,
            lowest,
            highest,
        }
    }

    /// A base for an object; `None` if no gap is wide enough.
    pub fn assign(&mut self, object: ObjectId, size: u64, align: u64) -> Option<u64> {
        let base = self
            .at_frontier(size, align)
            .or_else(|| self.first_gap(size, align))?;
        self.taken.insert(base, Extent { object, size });
        Some(base)
    }

    /// The extent of an object with the byte after it, which separates it from the next.
    fn at_frontier(&mut self, size: u64, align: u64) -> Option<u64> {
        let room = size.checked_add(1)?;
        if self.seed == 0 {
            let base = self.frontier.checked_next_multiple_of(align)?;
            let end = base.checked_add(room)?;
            (end <= self.highest).then(|| {
                self.frontier = end;
                base
            })
        } else {
            self.seed = scramble(self.seed) | 1;
            let gap = self.seed >> 52;
            let top = self.frontier.checked_sub(room)?.checked_sub(gap)?;
            let base = top - top % align;
            (base >= self.lowest).then(|| {
                self.frontier = base;
                base
            })
        }
    }

    /// The lowest gap between live objects, once the frontier has crossed the whole space.
    fn first_gap(&self, size: u64, align: u64) -> Option<u64> {
        let room = size.checked_add(1)?;
        let mut base = self.lowest.checked_next_multiple_of(align)?;
        for (&start, extent) in &self.taken {
            if base.checked_add(room)? <= start {
                return Some(base);
            }
            base = base
                .max(start + extent.size + 1)
                .checked_next_multiple_of(align)?;
        }
        (base.checked_add(room)? <= self.highest).then_some(base)
    }

    /// The object at `base` died: its addresses may be given out again.
    pub fn forget(&mut self, base: u64) {
        self.taken.remove(&base);
    }

    /// The live object that contains an address or ends just before it, with the offset.
    pub fn find(&self, address: u64) -> Option<(ObjectId, u64)> {
        let (&base, extent) = self.taken.range(..=address).next_back()?;
        let offset = address - base;
        (offset <= extent.size).then_some((extent.object, offset))
    }
}

/// A bijection of 64-bit numbers that leaves no visible pattern.
pub(crate) fn scramble(seed: u64) -> u64 {
    let mut bits = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::value::ObjectKind;

    fn object(slot: usize) -> ObjectId {
        ObjectId::new(0, ObjectKind::Heap, slot)
    }

    #[test]
    fn objects_are_aligned_apart_and_found_again() {
        for seed in [0, 1, 77] {
            let mut space = AddressSpace::new(8, seed);
            let sizes = [0_u64, 1, 7, 8, 4096, 10 << 30];
            let bases: Vec<u64> = sizes
                .iter()
                .enumerate()
                .map(|(i, &size)| space.assign(object(i + 1), size, 1 << i).expect("room"))
                .collect();
            for (i, (&base, &size)) in bases.iter().zip(&sizes).enumerate() {
                assert_eq!(base % (1 << i), 0);
                assert_eq!(space.find(base), Some((object(i + 1), 0)));
                assert_eq!(space.find(base + size), Some((object(i + 1), size)));
            }
            space.forget(bases[4]);
            assert_eq!(space.find(bases[4] + 1), None);
        }
    }

    #[test]
    fn a_full_space_reuses_the_addresses_of_the_dead() {
        for seed in [0, 5] {
            let mut space = AddressSpace::new(4, seed);
            let first = space.assign(object(1), 2 << 30, 16).expect("room");
            let second = space.assign(object(2), 1 << 30, 16);
            assert!(second.is_some());
            assert_eq!(space.assign(object(3), 2 << 30, 16), None);
            space.forget(first);
            assert!(space.assign(object(3), 2 << 30, 16).is_some());
        }
    }
}
