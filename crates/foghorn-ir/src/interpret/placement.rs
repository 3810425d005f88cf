//! Where objects lie: from pointers to numbers and back.
//!
//! A number that becomes a pointer means the exposed live object that contains this address. Where
//! one object ends and the next begins it may mean either; then the one counts whose pointer was
//! last made into this very number, and if there was none, the one that contains the address.

use super::address::{Lifetime, Tenant};
use super::memory::Memory;
use super::value::{ObjectId, Pointer};

impl Memory {
    /// Whether the base of an object is still to be chosen.
    pub fn is_unplaced(&self, id: ObjectId) -> bool {
        self.object(id).is_some_and(|object| object.base == 0)
    }

    /// Chooses the base of an object that has none: the one that is wished for if it keeps the
    /// promises of the memory model. `None` if the address space is full.
    pub fn place(&mut self, id: ObjectId, wish: Option<u64>) -> Option<u64> {
        let object = &self.objects[id.slot()];
        let tenant = Tenant {
            object: id,
            size: object.size,
            align: object.align.into(),
            life: object.lifetime,
        };
        let base = self.addresses.assign(&tenant, wish)?;
        self.objects[id.slot()].base = base;
        Some(base)
    }

    /// The address of a pointer as a number. Exposes the object, and gives it a base if it has
    /// none; `None` if the address space is full.
    pub fn address(&mut self, pointer: Pointer) -> Option<u64> {
        if self.is_unplaced(pointer.object) {
            self.place(pointer.object, None)?;
        }
        let now = self.tick();
        let offset = pointer.offset.cast_unsigned();
        let base = match self.object_mut(pointer.object) {
            Some(object) => {
                object.exposed = true;
                if offset == 0 {
                    object.start_seen = now;
                }
                if offset == object.size {
                    object.end_seen = now;
                }
                object.base
            }
            // A dead object whose slot is used again, null, or unknown.
            None if pointer.object.is_object() => self.base_of_the_dead(pointer.object),
            None => 0,
        };
        Some(self.cut(base.wrapping_add(offset)))
    }

    /// Where an object was whose slot is used again. Nobody can have seen one that was not noted;
    /// the id alone makes it differ from others.
    fn base_of_the_dead(&self, id: ObjectId) -> u64 {
        self.retired.get(&id).copied().unwrap_or(id.0 << 4)
    }

    /// The low bits of an address.
    fn cut(&self, address: u64) -> u64 {
        if self.pointer_bytes == 4 {
            address & 0xffff_ffff
        } else {
            address
        }
    }

    /// The pointer that an integer means.
    pub fn pointer_from_integer(&self, address: u64) -> Pointer {
        let address = self.cut(address);
        if address == 0 {
            return Pointer::NULL;
        }
        let (object, offset) = match self.owner(address) {
            Some((object, offset)) => (object, offset.cast_signed()),
            None => (ObjectId::FROM_INTEGER, self.signed(address)),
        };
        Pointer { object, offset }
    }

    /// The exposed live object to which an address belongs, with the offset.
    fn owner(&self, address: u64) -> Option<(ObjectId, u64)> {
        let found = self.addresses.find(address);
        let exposed = |&(object, _): &(ObjectId, u64)| self.objects[object.slot()].exposed;
        match (found.inside.filter(exposed), found.ending.filter(exposed)) {
            (Some(inside), Some(ending)) => {
                let start_seen = self.objects[inside.0.slot()].start_seen;
                let end_seen = self.objects[ending.0.slot()].end_seen;
                Some(if end_seen > start_seen {
                    ending
                } else {
                    inside
                })
            }
            (inside, ending) => inside.or(ending),
        }
    }

    /// An address as the offset of a pointer without an object: wrapped as offsets are.
    pub fn signed(&self, address: u64) -> i64 {
        let unused = 64 - 8 * self.pointer_bytes;
        (address << unused).cast_signed() >> unused
    }

    /// Whether an object must have a base before it can be said whether a pointer into it is a
    /// multiple of `align`.
    pub fn alignment_needs_base(&self, id: ObjectId, align: u32) -> bool {
        self.object(id)
            .is_some_and(|object| object.align < align && object.base == 0)
    }

    /// Whether a pointer is a multiple of `align`; its object is not exposed by that.
    pub fn is_aligned(&self, pointer: Pointer, align: u32) -> bool {
        let base = match self.object(pointer.object) {
            Some(object) if object.align >= align => 0,
            Some(object) => object.base,
            None => 0,
        };
        let address = base.wrapping_add(pointer.offset.cast_unsigned());
        address.is_multiple_of(align.max(1).into())
    }

    /// The next moment: births, deaths and looks at addresses are told apart by it.
    pub(super) fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// The life of an object begins now.
    pub(super) fn begin_life(&mut self, id: ObjectId) {
        let born = self.tick();
        let object = &mut self.objects[id.slot()];
        object.lifetime = Lifetime {
            born,
            died: u64::MAX,
        };
        object.start_seen = 0;
        object.end_seen = 0;
    }

    /// The life of an object ends now: its place is free for what is born later.
    pub(super) fn end_life(&mut self, id: ObjectId) {
        let died = self.tick();
        let object = &mut self.objects[id.slot()];
        object.lifetime.died = died;
        if object.base != 0 {
            self.addresses.end(object.base, id, died);
        }
    }

    /// The slot of a dead object is used again: its address is kept if somebody saw it.
    pub(super) fn retire(&mut self, slot: usize) {
        let object = &self.objects[slot];
        if object.base != 0 {
            self.retired.insert(object.id, object.base);
        }
    }
}
