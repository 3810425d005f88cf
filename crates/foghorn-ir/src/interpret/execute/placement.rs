//! Choosing where objects lie, when the program asks.
//!
//! The options say it first, for a run that is made again; then the source of choices; else the
//! memory chooses for itself.

use super::{Machine, Step};
use crate::interpret::choice::BaseRequest;
use crate::interpret::observer::Observer;
use crate::interpret::report::{MAX_PLACEMENTS, Placement};
use crate::interpret::value::{ObjectId, Pointer};

impl<O: Observer> Machine<'_, O> {
    /// The address of a pointer; exposes its object.
    pub(super) fn address(&mut self, pointer: Pointer) -> Step<u64> {
        if self.memory.is_unplaced(pointer.object) {
            self.place_object(pointer.object)?;
        }
        let address = self.memory.address(pointer);
        address.ok_or_else(|| self.out_of_memory())
    }

    /// Whether a pointer is a multiple of `align`. Gives the object a base if it must be looked
    /// at, without exposing it.
    pub(super) fn is_aligned(&mut self, pointer: Pointer, align: u32) -> Step<bool> {
        if self.memory.alignment_needs_base(pointer.object, align) {
            self.place_object(pointer.object)?;
        }
        Ok(self.memory.is_aligned(pointer, align))
    }

    fn place_object(&mut self, id: ObjectId) -> Step<()> {
        let Some(object) = self.memory.object(id) else {
            return Ok(());
        };
        let (allocation, size, allocated_at) =
            (object.allocation, object.size, object.allocated_at);
        let allocated_at = self.peel_models(allocated_at);
        let request = BaseRequest {
            object: id,
            allocation,
        };
        let listed = self.options.layout.get(self.layout.len()).copied();
        let wish = listed.or_else(|| self.choices.base(&request));
        let Some(base) = self.memory.place(id, wish) else {
            return Err(self.out_of_memory());
        };
        if self.layout.len() < MAX_PLACEMENTS {
            self.layout.push(Placement {
                base,
                size,
                kind: id.kind(),
                name: self.name_of(allocation),
                allocated_at,
            });
        }
        Ok(())
    }
}
