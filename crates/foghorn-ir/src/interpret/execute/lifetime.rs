//! Birth and death of stack and heap objects.

use super::{Frame, Machine, Step};
use crate::body::InstId;
use crate::instruction::{AllocationKind, Instruction};
use crate::interpret::object::{Allocation, Birth};
use crate::interpret::observer::Observer;
use crate::interpret::report::Outcome;
use crate::interpret::value::{ObjectId, ObjectKind, Pointer, Slot};
use foghorn_core::{CheckKind, SpanId};

impl<'p, O: Observer> Machine<'p, O> {
    pub(super) fn lifetime(&mut self, frame: &Frame<'p>, id: InstId) -> Step<()> {
        match frame.body.instructions[id].instruction {
            Instruction::Allocate { kind, size, align } => {
                let size = self.get(size).low;
                let pointer = self.allocate(frame, id, kind, size, align)?;
                self.set_result(id, pointer.into());
                Ok(())
            }
            Instruction::Free { pointer } => self.free(self.get(pointer).pointer()),
            Instruction::LifetimeStart { pointer } => {
                let object = self.get(pointer).pointer().object;
                if object.kind() == ObjectKind::Stack && self.memory.object(object).is_some() {
                    self.memory.resume(object);
                    self.check_memory_left()?;
                }
                Ok(())
            }
            Instruction::LifetimeEnd { pointer } => {
                let object = self.get(pointer).pointer().object;
                if object.kind() == ObjectKind::Stack && self.memory.object(object).is_some() {
                    self.memory.suspend(object, self.span());
                }
                Ok(())
            }
            Instruction::StackSave => {
                let mark = self.stack_objects.len() - frame.objects;
                self.set_result(id, Slot::narrow(mark as u64));
                Ok(())
            }
            Instruction::StackRestore { mark } => {
                let mark = frame.objects + self.get(mark).low as usize;
                self.end_stack_objects(mark);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn allocate(
        &mut self,
        frame: &Frame<'p>,
        id: InstId,
        kind: AllocationKind,
        size: u64,
        align: u32,
    ) -> Step<Pointer> {
        let birth = Birth {
            size,
            align: align.max(1).next_power_of_two(),
            allocation: Allocation::Instruction(frame.function, id),
            span: match kind {
                AllocationKind::Stack => frame.body.instructions[id].span,
                AllocationKind::Heap | AllocationKind::Permanent => self.span_outside_models(),
            },
            zeroed: false,
        };
        let (object_kind, is_stack) = match kind {
            AllocationKind::Stack => (ObjectKind::Stack, true),
            AllocationKind::Heap => (ObjectKind::Heap, false),
            AllocationKind::Permanent => (ObjectKind::Global, false),
        };
        // No object is as large as half of the address space.
        let largest = u64::MAX >> (65 - 8 * self.memory.pointer_bytes);
        let allocated = (size <= largest).then(|| self.memory.allocate(object_kind, &birth));
        let Some(object) = allocated.flatten() else {
            return Err(self.out_of_memory());
        };
        if is_stack {
            self.stack_objects.push(object);
            if frame.code.starts_dead[id] {
                self.memory.suspend(object, SpanId::UNKNOWN);
            }
        }
        let pointer = Pointer { object, offset: 0 };
        if O::ENABLED
            && let Some(access) = self.observed_access(pointer, size)
        {
            let span = self.peel_models(birth.span);
            self.observer.allocate(access, span);
        }
        Ok(pointer)
    }

    /// Ends the stack objects from number `from` on.
    pub(super) fn end_stack_objects(&mut self, from: usize) {
        let span = self.span();
        while self.stack_objects.len() > from {
            if let Some(object) = self.stack_objects.pop() {
                self.memory.leave_scope(object, span);
            }
        }
    }

    fn free(&mut self, pointer: Pointer) -> Step<()> {
        let id = pointer.object;
        if pointer == Pointer::NULL {
            return Ok(());
        }
        if id.kind() != ObjectKind::Heap || !id.is_object() {
            let what = match id {
                ObjectId::NULL | ObjectId::FROM_INTEGER => "a pointer that belongs to no object",
                ObjectId::UNINITIALISED => "an uninitialised pointer",
                _ => "an object that was not allocated on the heap",
            };
            let message = format!("free of {what}");
            return Err(self.fail_or_assume(CheckKind::InvalidFree, message, pointer));
        }
        if !self.memory.is_alive(id) {
            let message = "free of an object that is freed already".to_owned();
            return Err(self.fail_or_assume(CheckKind::DoubleFree, message, pointer));
        }
        if pointer.offset != 0 {
            let message = format!("free at offset {} of an object", pointer.offset);
            return Err(self.fail_or_assume(CheckKind::InvalidFree, message, pointer));
        }
        if O::ENABLED {
            self.tell_free(id);
        }
        self.memory.free(id, self.span_outside_models());
        Ok(())
    }

    fn tell_free(&mut self, id: ObjectId) {
        let size = self.memory.object(id).map_or(0, |object| object.size);
        let start = Pointer {
            object: id,
            offset: 0,
        };
        if let Some(access) = self.observed_access(start, size) {
            self.observer.free(access);
        }
    }

    pub(super) fn out_of_memory(&self) -> Box<Outcome> {
        let span = self.span();
        Box::new(Outcome::OutOfMemory { span })
    }

    /// Ends the run if the program uses more memory than it may.
    pub(super) fn check_memory_left(&self) -> Step<()> {
        if self.memory.is_exhausted() {
            return Err(self.out_of_memory());
        }
        Ok(())
    }
}
