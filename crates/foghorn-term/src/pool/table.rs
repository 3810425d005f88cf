//! The hash table of the pool: node indices by hash, in two parts that are both eight bytes a slot.
//!
//! A hash table scatters what was made together, and a pool of millions of terms then pays a cache miss or two for every
//! term it makes. But terms are made from recent terms. So the first part, `lines`, places a term by its youngest child:
//! a cache line of eight slots near that child's number. Terms made together lie together, and the part grows by being
//! extended, without moving an entry. What finds its line full (a child with very many parents) and what has no children
//! goes to the second part, an ordinary table, which is as good as the usual and bounds the worst case.
//!
//! In the second part the place of an entry is its hash scaled to the capacity, a monotone map: growing reads and writes
//! in order, and never looks at the nodes, because a slot holds 32 bits of the hash beside the index. Probing goes upwards
//! and never wraps; there is a margin for the last ones.
//!
//! Invariants: an entry is in its line, or its line is full and it is in the second part, at or after its place without an
//! empty slot between.

/// Slots of a cache line.
const LINE: usize = 8;

/// Free slots beyond the capacity of the second part. A run that leaves it makes the table grow.
const MARGIN: usize = 64;

/// Entries per hundred slots at which the second part grows.
const LOAD: usize = 72;

/// `hash << 32 | index + 1`; zero is empty.
type Slot = u64;

fn slot(hash: u32, index: u32) -> Slot {
    u64::from(hash) << 32 | u64::from(index + 1)
}

/// The index in a slot, if the slot has this hash.
fn matching(slot: Slot, hash: u32) -> Option<u32> {
    ((slot >> 32) as u32 == hash).then(|| slot as u32 - 1)
}

#[derive(Clone)]
pub(super) struct HashIndex {
    lines: Vec<Slot>,
    scattered: Scattered,
}

/// First slot of the line for terms with this youngest child: 11/8 slots per child, one of four neighbouring lines.
fn line(youngest: u32, hash: u32) -> usize {
    let near = youngest as usize + ((youngest as usize * 3) >> 3);
    (near / LINE + (hash & 3) as usize) * LINE
}

impl HashIndex {
    pub fn new() -> Self {
        HashIndex {
            lines: Vec::new(),
            scattered: Scattered::new(),
        }
    }

    /// The index with this hash and youngest child of which `same` holds.
    #[inline]
    pub fn find(
        &self,
        hash: u32,
        youngest: Option<u32>,
        mut same: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        if let Some(youngest) = youngest {
            let start = line(youngest, hash);
            for &slot in self.lines.get(start..start + LINE)? {
                if slot == 0 {
                    return None;
                }
                if let Some(index) = matching(slot, hash)
                    && same(index)
                {
                    return Some(index);
                }
            }
        }
        self.scattered.find(hash, same)
    }

    /// Adds an index that is not there yet.
    pub fn insert(&mut self, hash: u32, youngest: Option<u32>, index: u32) {
        if let Some(youngest) = youngest {
            let start = line(youngest, hash);
            self.extend_to(start + LINE);
            let free = self.lines[start..start + LINE]
                .iter_mut()
                .find(|slot| **slot == 0);
            if let Some(free) = free {
                *free = slot(hash, index);
                return;
            }
        }
        self.scattered.insert(slot(hash, index));
    }

    fn extend_to(&mut self, length: usize) {
        if self.lines.len() >= length {
            return;
        }
        if self.lines.capacity() < length {
            self.lines
                .reserve_exact(length + length / 4 - self.lines.len());
        }
        // All at once up to the capacity: a few slots at a time would cost more than they are worth.
        self.lines.resize(self.lines.capacity() / LINE * LINE, 0);
    }

    pub fn bytes(&self) -> usize {
        (self.lines.capacity() + self.scattered.slots.capacity()) * std::mem::size_of::<Slot>()
    }
}

#[derive(Clone)]
struct Scattered {
    slots: Vec<Slot>,
    capacity: usize,
    length: usize,
}

impl Scattered {
    fn new() -> Self {
        let capacity = 256;
        Scattered {
            slots: vec![0; capacity + MARGIN],
            capacity,
            length: 0,
        }
    }

    fn place(capacity: usize, hash: u32) -> usize {
        ((u64::from(hash) * capacity as u64) >> 32) as usize
    }

    fn find(&self, hash: u32, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        let place = Self::place(self.capacity, hash);
        for &slot in &self.slots[place..] {
            if slot == 0 {
                return None;
            }
            if let Some(index) = matching(slot, hash)
                && same(index)
            {
                return Some(index);
            }
        }
        None
    }

    fn insert(&mut self, slot: Slot) {
        if (self.length + 1) * 100 > self.capacity * LOAD {
            self.grow();
        }
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
            let entries = self.slots.iter().filter(|&&slot| slot != 0);
            if entries.copied().all(|slot| put(&mut slots, capacity, slot)) {
                self.slots = slots;
                self.capacity = capacity;
                return;
            }
        }
    }
}

/// Writes a slot to the first free one from its place on; false when there is none.
fn put(slots: &mut [Slot], capacity: usize, slot: Slot) -> bool {
    let place = Scattered::place(capacity, (slot >> 32) as u32);
    match slots[place..].iter().position(|&other| other == 0) {
        Some(distance) => {
            slots[place + distance] = slot;
            true
        }
        None => false,
    }
}
