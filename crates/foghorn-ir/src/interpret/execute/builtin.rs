//! Operations on the machine and on the memory model.

use super::{Machine, Step};
use crate::instruction::{Builtin, NondetOrigin};
use crate::interpret::float_format;
use crate::interpret::observer::Observer;
use crate::interpret::value::{Pointer, Slot};
use crate::types::Type;
use std::sync::Arc;

/// More of a file than this is not read at once.
const READ_LIMIT: u64 = 1 << 20;

impl<O: Observer> Machine<'_, O> {
    /// Executes a builtin; its result, if it has one.
    pub(super) fn builtin(&mut self, builtin: &Builtin, arguments: &[Slot]) -> Step<Option<Slot>> {
        let low = |index: usize| arguments.get(index).map_or(0, |slot| slot.low);
        let pointer = |index: usize| arguments.get(index).map_or(Pointer::NULL, |s| s.pointer());
        Ok(match builtin {
            Builtin::WriteOutput => Some(self.write_output(low(0), pointer(1), low(2))?),
            Builtin::ReadInput => Some(self.read_input(low(0), pointer(1), low(2))?),
            Builtin::FormatFloat => {
                Some(self.format_float(pointer(0), low(1), pointer(2), low(3))?)
            }
            Builtin::IsDereferenceable => {
                let valid = self.memory.check(pointer(0), low(1), false).is_ok();
                Some(Slot::truth(valid))
            }
            Builtin::ObjectSize => {
                let object = self.memory.object(pointer(0).object);
                Some(Slot::narrow(object.map_or(0, |object| object.size)))
            }
            Builtin::ObjectOffset => {
                let bits = self.program.module.layout.pointer_bits();
                let offset = pointer(0).offset.cast_unsigned();
                Some(Slot::narrow(offset & (u64::MAX >> (64 - bits))))
            }
            Builtin::SameObject => Some(Slot::truth(pointer(0).object == pointer(1).object)),
            Builtin::IsAlive => Some(Slot::truth(self.memory.is_alive(pointer(0).object))),
            Builtin::HavocMemory => {
                self.havoc(pointer(0), low(1))?;
                None
            }
            Builtin::HavocReachable(by) => {
                self.havoc_reachable(pointer(0), low(1) != 0, by)?;
                None
            }
            Builtin::IsModified => Some(self.is_marked(pointer(0), true)),
            Builtin::IsRead => Some(self.is_marked(pointer(0), false)),
            Builtin::ResetModified => self.reset_marks(pointer(0), true),
            Builtin::ResetRead => self.reset_marks(pointer(0), false),
            Builtin::TrackAccesses => {
                self.memory.set_tracking(low(0) != 0);
                None
            }
            Builtin::SetShadow => {
                if let Some(object) = self.memory.object_mut(pointer(1).object) {
                    object.set_shadow(low(0) as u8, low(2));
                }
                None
            }
            Builtin::GetShadow => {
                let object = self.memory.object(pointer(1).object);
                let value = object.map_or(0, |object| object.shadow(low(0) as u8));
                Some(Slot::narrow(value))
            }
            Builtin::Math(name) => Some(self.math(name, arguments)?),
        })
    }

    /// A count of bytes, or -1, as wide as a pointer.
    fn count_or_error(&self, count: Option<usize>) -> Slot {
        let bits = self.program.module.layout.pointer_bits();
        let count = count.map_or(u64::MAX, |count| count as u64);
        Slot::narrow(count & (u64::MAX >> (64 - bits)))
    }

    fn write_output(&mut self, descriptor: u64, from: Pointer, length: u64) -> Step<Slot> {
        let bytes = self.read_bytes(from, length)?;
        let written = self.world.write((descriptor as u32).cast_signed(), &bytes);
        Ok(self.count_or_error(written))
    }

    fn read_input(&mut self, descriptor: u64, to: Pointer, length: u64) -> Step<Slot> {
        // All of the buffer must be there, as the system may fill all of it.
        self.check_access(to, length, true, 1)?;
        let mut buffer = vec![0; length.min(READ_LIMIT) as usize];
        let descriptor = (descriptor as u32).cast_signed();
        let count = self.world.read(descriptor, &mut buffer);
        if let Some(count) = count {
            self.write_bytes(to, &buffer[..count])?;
        }
        Ok(self.count_or_error(count))
    }

    /// What `snprintf` does with one conversion of a floating-point number: writes as much as
    /// fits with a zero byte at the end, and gives the length of the whole.
    fn format_float(
        &mut self,
        buffer: Pointer,
        capacity: u64,
        conversion: Pointer,
        bits: u64,
    ) -> Step<Slot> {
        let conversion = self.read_string(conversion)?;
        let text = float_format::format(&conversion, f64::from_bits(bits));
        let text = text.unwrap_or_default();
        if capacity > 0 {
            let fits = text.len().min((capacity - 1) as usize);
            let mut bytes = text.as_bytes()[..fits].to_vec();
            bytes.push(0);
            self.write_bytes(buffer, &bytes)?;
        }
        Ok(Slot::narrow(u64::from(text.len() as u32)))
    }

    fn read_string(&mut self, mut from: Pointer) -> Step<String> {
        let mut text = String::new();
        loop {
            let byte = self.load(from, Type::I8, 1)?.low as u8;
            if byte == 0 {
                return Ok(text);
            }
            text.push(char::from(byte));
            from.offset += 1;
        }
    }

    fn havoc(&mut self, pointer: Pointer, length: u64) -> Step<()> {
        self.check_access(pointer, length, true, 1)?;
        if O::ENABLED
            && let Some(access) = self.observed_access(pointer, length)
        {
            self.observer.havoc(access);
        }
        if length > 0 {
            let at = pointer.offset.cast_unsigned();
            self.memory.forget(pointer.object, at, length);
            self.check_memory_left()?;
        }
        Ok(())
    }

    fn is_marked(&self, pointer: Pointer, write: bool) -> Slot {
        let object = self.memory.object(pointer.object);
        let at = pointer.offset.cast_unsigned();
        Slot::truth(object.is_some_and(|object| object.is_marked(at, write)))
    }

    fn reset_marks(&mut self, pointer: Pointer, write: bool) -> Option<Slot> {
        if let Some(object) = self.memory.object_mut(pointer.object) {
            object.reset_marks(write);
        }
        None
    }

    fn math(&mut self, name: &Arc<str>, arguments: &[Slot]) -> Step<Slot> {
        let numbers: Vec<f64> = arguments
            .iter()
            .map(|slot| f64::from_bits(slot.low))
            .collect();
        match super::math::evaluate(name, &numbers) {
            Some(result) => Ok(Slot::narrow(result.to_bits())),
            None => self.nondet(&NondetOrigin::OverApproximated(name.clone()), Type::F64),
        }
    }
}
