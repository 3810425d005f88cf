//! The hash table of the pool: node indices by hash, open addressing, eight bytes a slot.
//!
//! A slot holds 32 bits of the hash and the index, so that growing never looks at the nodes. The place of an entry is its
//! hash scaled to the capacity, a monotone map: growing reads the old slots and writes the new ones in order, which costs
//! a fraction of what random access does. Probing goes upwards and never wraps; the table has a margin for the last ones.
//!
//! Invariant: entries are at or after their place, without an empty slot between.

/// Free slots beyond the capacity. A run that leaves it makes the table grow.
const MARGIN: usize = 64;

/// Entries per hundred slots at which the table grows.
const LOAD: usize = 72;

#[derive(Clone)]
pub(super) struct HashIndex {
    /// `hash << 32 | index + 1`; zero is empty.
    slots: Vec<u64>,
    capacity: usize,
    length: usize,
}

impl HashIndex {
    pub fn new() -> Self {
        let capacity = 256;
        HashIndex {
            slots: vec![0; capacity + MARGIN],
            capacity,
            length: 0,
        }
    }

    fn place(capacity: usize, hash: u32) -> usize {
        ((u64::from(hash) * capacity as u64) >> 32) as usize
    }

    /// The index with this hash of which `same` holds.
    pub fn find(&self, hash: u32, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        let mut place = Self::place(self.capacity, hash);
        loop {
            let slot = *self.slots.get(place)?;
            if slot == 0 {
                return None;
            }
            let index = slot as u32 - 1;
            if (slot >> 32) as u32 == hash && same(index) {
                return Some(index);
            }
            place += 1;
        }
    }

    /// Adds an index that is not there yet.
    pub fn insert(&mut self, hash: u32, index: u32) {
        if (self.length + 1) * 100 > self.capacity * LOAD {
            self.grow();
        }
        let slot = u64::from(hash) << 32 | u64::from(index + 1);
        while !put(&mut self.slots, self.capacity, slot) {
            self.grow();
        }
        self.length += 1;
    }

    fn grow(&mut self) {
        let mut capacity = self.capacity;
        loop {
            capacity += capacity / 2;
            let mut slots = vec![0; capacity + MARGIN];
            if self
                .slots
                .iter()
                .filter(|&&slot| slot != 0)
                .all(|&slot| put(&mut slots, capacity, slot))
            {
                self.slots = slots;
                self.capacity = capacity;
                return;
            }
        }
    }

    pub fn bytes(&self) -> usize {
        self.slots.capacity() * std::mem::size_of::<u64>()
    }
}

/// Writes a slot to the first free one from its place on; false when there is none.
fn put(slots: &mut [u64], capacity: usize, slot: u64) -> bool {
    let place = HashIndex::place(capacity, (slot >> 32) as u32);
    match slots[place..].iter().position(|&other| other == 0) {
        Some(distance) => {
            slots[place + distance] = slot;
            true
        }
        None => false,
    }
}
