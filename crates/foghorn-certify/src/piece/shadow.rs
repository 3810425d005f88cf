//! What the program notes of objects: user slots of each object, 0 at first.
//!
//! They are a memory of their own, with the slot as offset, which changes along a way as lives do. What is no object
//! has no slots.

use super::memory::MemoryNode;
use super::world::{Known, MemoryId, OBJECT_BITS, Pointer, World};
use foghorn_encode::claim::FIRST_OBJECT;
use foghorn_ir::{Cell, Type};
use foghorn_term::{Op, TermId};

impl World<'_> {
    /// Nothing was noted of any object.
    pub fn no_shadows(&mut self) -> MemoryId {
        self.memory(MemoryNode::Zero)
    }

    /// Nothing was noted of a new object.
    pub(super) fn clear_shadows(&mut self, before: MemoryId, of: Pointer) -> MemoryId {
        let contents = self.no_shadows();
        self.memory(MemoryNode::Forget {
            before,
            to: of,
            length: None,
            contents,
        })
    }

    pub(super) fn set_shadow(
        &mut self,
        before: MemoryId,
        slot: TermId,
        object: TermId,
        value: Known,
    ) -> MemoryId {
        let to = self.slot(slot, object);
        let ty = self.slot_type();
        self.memory(MemoryNode::Store {
            before,
            to,
            value,
            ty,
            // Slots do not overlap.
            cell: Cell::Pointer,
        })
    }

    pub(super) fn shadow(&mut self, shadows: MemoryId, slot: TermId, object: TermId) -> Known {
        let at = self.slot(slot, object);
        let ty = self.slot_type();
        let noted = self.read(shadows, at, ty);
        let first = self.pool.bv(OBJECT_BITS, FIRST_OBJECT);
        let is_object = self.pool.make(Op::BvUle, &[first, object]);
        let nothing = Known::Scalar(self.pool.bv_zero(self.bits()));
        self.choose(is_object, noted, nothing)
    }

    fn slot(&mut self, slot: TermId, object: TermId) -> Pointer {
        let bits = self.bits();
        Pointer {
            object,
            offset: self.pool.zero_resize(bits, slot),
        }
    }

    fn slot_type(&self) -> Type {
        match self.bits() {
            32 => Type::I32,
            _ => Type::I64,
        }
    }
}
