//! Addresses of objects.
//!
//! The memory model promises only that bases are aligned, not null, that no object wraps around,
//! and that objects which live at the same time do not overlap. Objects may touch, and what is dead
//! leaves its place to those that are born after it ([0117](../../../../docs/decisions/0117-layouts-are-choices.md)).
//!
//! A base is chosen when somebody asks for it, never before: by the caller of the run, whose wish
//! counts if it keeps the promises, else here. Seed 0 lays objects out upwards; any other seed lays
//! them out downwards from elsewhere with pseudo-random gaps. Both leave a byte between objects
//! and use no address twice while there is room, so that accidents do not hide faults. The compact
//! layout does the opposite: every object lies at the lowest place that it may have. Programs that
//! do not look at addresses cannot tell.

use super::value::{ObjectId, ObjectKind};
use std::collections::{BTreeMap, VecDeque};

/// Places of the dead that are remembered. Beyond them a place is not used again by an object that
/// may have lived at the same time.
const REMEMBERED: usize = 1 << 16;

/// The seed of the compact layout.
pub const COMPACT: u64 = u64::MAX;

/// When an object was born and when it died, by a clock that counts births and deaths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lifetime {
    pub born: u64,
    /// `u64::MAX` while it is alive.
    pub died: u64,
}

impl Lifetime {
    fn overlaps(self, other: Lifetime) -> bool {
        self.born < other.died && other.born < self.died
    }
}

/// What is to be placed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tenant {
    pub object: ObjectId,
    pub size: u64,
    pub align: u64,
    pub life: Lifetime,
}

impl Tenant {
    /// The bytes that nobody else may have: heap objects and functions are told apart by their
    /// addresses even where they have no bytes.
    fn room(&self) -> u64 {
        match self.object.kind() {
            ObjectKind::Heap | ObjectKind::Function => self.size.max(1),
            ObjectKind::Global | ObjectKind::Stack => self.size,
        }
    }
}

/// The bases given out so far.
#[derive(Debug)]
pub(crate) struct AddressSpace {
    /// Live objects by base; empty ones may share theirs.
    live: BTreeMap<(u64, ObjectId), Extent>,
    /// Dead ones, in the order of their death.
    dead: VecDeque<Extent>,
    /// The last death that is not remembered.
    forgotten: u64,
    /// Places that were wished for, which the frontier has to avoid.
    wished: Vec<Extent>,
    seed: u64,
    /// Where the next object goes: above it with seed 0, else below it.
    frontier: u64,
    lowest: u64,
    highest: u64,
    /// The last address there is.
    last: u64,
}

#[derive(Clone, Copy, Debug)]
struct Extent {
    base: u64,
    size: u64,
    room: u64,
    life: Lifetime,
}

impl Extent {
    /// Whether so many bytes from `base` on would share a byte with this one.
    fn meets(&self, base: u64, room: u64) -> bool {
        base < self.base.saturating_add(self.room) && self.base < base.saturating_add(room)
    }
}

/// The objects that an address can belong to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// The one that contains it, with the offset.
    pub inside: Option<(ObjectId, u64)>,
    /// The one that ends there, with its size.
    pub ending: Option<(ObjectId, u64)>,
}

impl AddressSpace {
    pub fn new(pointer_bytes: u32, seed: u64) -> Self {
        let (lowest, highest, last) = if pointer_bytes == 4 {
            (0x1_0000, 0xffff_0000, u64::from(u32::MAX))
        } else {
            // User addresses of today's 64-bit machines have 47 bits.
            (0x1_0000, 0x7fff_ffff_0000, u64::MAX)
        };
        let frontier = if seed == 0 {
            lowest
        } else {
            highest - (scramble(seed) & 0xff_fff0)
        };
        AddressSpace {
            live: BTreeMap::new(),
            dead: VecDeque::new(),
            forgotten: 0,
            wished: vec![],
            seed,
            frontier,
            lowest,
            highest,
            last,
        }
    }

    /// A base for an object: the one that is wished for if it keeps the promises. `None` if no gap
    /// is wide enough.
    pub fn assign(&mut self, tenant: &Tenant, wish: Option<u64>) -> Option<u64> {
        let wish = wish.filter(|&base| self.allows(tenant, base));
        let base = match wish {
            Some(base) => base,
            None if self.seed == COMPACT => self.first_gap(tenant, 0)?,
            None => self
                .at_frontier(tenant)
                .or_else(|| self.first_gap(tenant, 1))?,
        };
        let extent = Extent {
            base,
            size: tenant.size,
            room: tenant.room(),
            life: tenant.life,
        };
        if wish.is_some() {
            self.wished.push(extent);
        }
        if tenant.life.died == u64::MAX {
            self.live.insert((base, tenant.object), extent);
        } else {
            self.remember(extent);
        }
        Some(base)
    }

    /// Whether the memory model allows an object to lie there.
    fn allows(&self, tenant: &Tenant, base: u64) -> bool {
        let room = tenant.room();
        let fits = base.checked_add(room).is_some_and(|end| end <= self.last);
        let known = tenant.life.born >= self.forgotten;
        let mut others = self.live.values().chain(&self.dead);
        base != 0
            && fits
            && known
            && base.is_multiple_of(tenant.align)
            && !others.any(|other| other.life.overlaps(tenant.life) && other.meets(base, room))
    }

    /// A place that nobody had before, with a byte behind it.
    fn at_frontier(&mut self, tenant: &Tenant) -> Option<u64> {
        let room = tenant.size.checked_add(1)?;
        loop {
            let base = self.next_at_frontier(room, tenant.align)?;
            if !self.wished.iter().any(|other| other.meets(base, room)) {
                return Some(base);
            }
        }
    }

    fn next_at_frontier(&mut self, room: u64, align: u64) -> Option<u64> {
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

    /// The lowest gap between the objects of its time, with so many bytes behind each.
    fn first_gap(&self, tenant: &Tenant, margin: u64) -> Option<u64> {
        if tenant.life.born < self.forgotten {
            return None;
        }
        let room = tenant.room().checked_add(margin)?;
        let all = self.live.values().chain(&self.dead);
        let mut others: Vec<&Extent> = all
            .filter(|other| other.life.overlaps(tenant.life))
            .collect();
        others.sort_by_key(|other| other.base);
        let mut base = self.lowest.checked_next_multiple_of(tenant.align)?;
        for other in others {
            if base.checked_add(room)? <= other.base {
                return Some(base);
            }
            base = base
                .max(other.base.checked_add(other.room)?.checked_add(margin)?)
                .checked_next_multiple_of(tenant.align)?;
        }
        (base.checked_add(room)? <= self.highest).then_some(base)
    }

    /// The object at `base` died: its addresses may be given out again to those born later.
    pub fn end(&mut self, base: u64, object: ObjectId, died: u64) {
        if let Some(mut extent) = self.live.remove(&(base, object)) {
            extent.life.died = died;
            self.remember(extent);
        }
    }

    fn remember(&mut self, extent: Extent) {
        if self.dead.len() == REMEMBERED
            && let Some(oldest) = self.dead.pop_front()
        {
            self.forgotten = self.forgotten.max(oldest.life.died);
        }
        self.dead.push_back(extent);
    }

    /// The live objects that an address can belong to.
    pub fn find(&self, address: u64) -> Found {
        let mut found = Found::default();
        let below = self.live.range(..=(address, ObjectId::LAST));
        for (&(base, object), extent) in below.rev() {
            let offset = address - base;
            if offset == extent.size {
                found.ending.get_or_insert((object, offset));
            } else if offset < extent.size {
                found.inside = Some((object, offset));
                continue;
            }
            // Nothing that begins below a whole object reaches beyond it.
            if extent.size > 0 {
                break;
            }
        }
        found
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

    fn object(slot: usize) -> ObjectId {
        ObjectId::new(0, ObjectKind::Heap, slot)
    }

    fn tenant(slot: usize, size: u64, align: u64) -> Tenant {
        let born = slot as u64;
        Tenant {
            object: object(slot),
            size,
            align,
            life: Lifetime {
                born,
                died: u64::MAX,
            },
        }
    }

    fn inside(slot: usize, offset: u64) -> Found {
        Found {
            inside: Some((object(slot), offset)),
            ending: None,
        }
    }

    #[test]
    fn objects_are_aligned_apart_and_found_again() {
        for seed in [0, 1, 77] {
            let mut space = AddressSpace::new(8, seed);
            let sizes = [1_u64, 7, 8, 4096, 10 << 30];
            let bases: Vec<u64> = sizes
                .iter()
                .enumerate()
                .map(|(i, &size)| {
                    let tenant = tenant(i + 1, size, 1 << i);
                    space.assign(&tenant, None).expect("room")
                })
                .collect();
            for (i, (&base, &size)) in bases.iter().zip(&sizes).enumerate() {
                assert_eq!(base % (1 << i), 0);
                assert_eq!(space.find(base), inside(i + 1, 0));
                let end = space.find(base + size);
                assert_eq!(end.ending, Some((object(i + 1), size)));
            }
            space.end(bases[3], object(4), 100);
            assert_eq!(space.find(bases[3] + 1), Found::default());
        }
    }

    #[test]
    fn a_full_space_reuses_the_addresses_of_the_dead() {
        for seed in [0, 5] {
            let mut space = AddressSpace::new(4, seed);
            let first = space.assign(&tenant(1, 2 << 30, 16), None).expect("room");
            let second = space.assign(&tenant(2, 1 << 30, 16), None);
            assert!(second.is_some());
            assert_eq!(space.assign(&tenant(3, 2 << 30, 16), None), None);
            space.end(first, object(1), 4);
            // The third was there before the first died; the fifth was not.
            assert_eq!(space.assign(&tenant(3, 2 << 30, 16), None), None);
            assert!(space.assign(&tenant(5, 2 << 30, 16), None).is_some());
        }
    }

    #[test]
    fn a_wish_counts_if_it_keeps_the_promises() {
        for seed in [0, 3] {
            let mut space = AddressSpace::new(8, seed);
            let mut wish = |slot, base| {
                let given = space.assign(&tenant(slot, 16, 8), Some(base));
                given == Some(base)
            };
            assert!(wish(1, 0x2_0000));
            assert!(wish(2, 0x2_0010), "objects may touch");
            assert!(!wish(3, 0x2_0008), "they do not overlap");
            assert!(!wish(4, 0) && !wish(5, 0x3_0004) && !wish(6, u64::MAX - 15));
            assert!(wish(7, u64::MAX - 23), "the end is an address");
            let touching = space.find(0x2_0010);
            assert_eq!(touching.inside, Some((object(2), 0)));
            assert_eq!(touching.ending, Some((object(1), 16)));
            space.end(0x2_0000, object(1), 20);
            let during = space.assign(&tenant(8, 16, 8), Some(0x2_0000));
            assert_ne!(during, Some(0x2_0000), "they lived at one time");
            let after = space.assign(&tenant(21, 16, 8), Some(0x2_0000));
            assert_eq!(after, Some(0x2_0000));
        }
    }

    #[test]
    fn the_compact_layout_has_no_gaps() {
        let mut space = AddressSpace::new(8, COMPACT);
        let mut assign = |slot| space.assign(&tenant(slot, 16, 8), None).expect("room");
        let (first, second) = (assign(1), assign(2));
        assert_eq!(second, first + 16);
        space.end(first, object(1), 10);
        let during = space.assign(&tenant(9, 16, 8), None).expect("room");
        assert_eq!(during, second + 16);
        assert_eq!(space.assign(&tenant(11, 8, 8), None), Some(first));
    }

    #[test]
    fn the_frontier_avoids_what_was_wished_for() {
        let mut space = AddressSpace::new(8, 0);
        let wished = space.assign(&tenant(1, 64, 8), Some(0x1_0010));
        assert_eq!(wished, Some(0x1_0010));
        for slot in 2..12 {
            let base = space.assign(&tenant(slot, 24, 8), None).expect("room");
            assert!(base + 24 <= 0x1_0010 || base >= 0x1_0050);
        }
    }
}
