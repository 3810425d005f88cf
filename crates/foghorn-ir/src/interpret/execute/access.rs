//! Reading and writing memory the careful way.

use super::{Frame, Machine, Step};
use crate::body::InstId;
use crate::instruction::{Instruction, NondetOrigin};
use crate::interpret::arithmetic::cut;
use crate::interpret::indeterminate::{Origin, name_of};
use crate::interpret::object::Allocation;
use crate::interpret::observer::{Access, Observed, Observer};
use crate::interpret::segment::{Cell, Fragment};
use crate::interpret::value::{ObjectId, Pointer, Slot};
use crate::module::GlobalContents;
use crate::types::Type;
use foghorn_core::CheckKind;

impl<'p, O: Observer> Machine<'p, O> {
    /// A load, store, copy or fill.
    pub(super) fn access(&mut self, frame: &Frame<'p>, id: InstId) -> Step<()> {
        let data = &frame.body.instructions[id];
        match data.instruction {
            Instruction::Load { pointer, align } => {
                let ty = frame.body.ty(data.results[0]);
                let slot = self.load(self.get(pointer).pointer(), ty, align)?;
                self.set_result(id, slot);
                Ok(())
            }
            Instruction::Store {
                pointer,
                value,
                align,
            } => {
                let ty = frame.body.ty(value);
                self.store(self.get(pointer).pointer(), self.get(value), ty, align)
            }
            Instruction::MemoryCopy {
                destination,
                source,
                length,
            } => {
                let (to, from) = (self.get(destination).pointer(), self.get(source).pointer());
                self.copy(to, from, self.get(length).low)
            }
            Instruction::MemorySet {
                destination,
                byte,
                length,
            } => {
                let to = self.get(destination).pointer();
                self.fill(to, self.get(byte).low as u8, self.get(length).low)
            }
            _ => Ok(()),
        }
    }

    /// Checks an access, and tells whoever wants to know of it.
    pub(super) fn check_access(
        &mut self,
        pointer: Pointer,
        length: u64,
        write: bool,
        align: u32,
    ) -> Step<()> {
        if let Err(kind) = self.memory.check(pointer, length, write) {
            return Err(self.access_failed(kind, pointer, length, write));
        }
        if length > 0
            && self.options.alignment
            && self.options.enabled(CheckKind::Misaligned)
            && !self.is_aligned(pointer, align)?
        {
            return Err(self.access_failed(CheckKind::Misaligned, pointer, length, write));
        }
        self.memory.mark_access(pointer, length, write);
        self.note_range(pointer, length, write);
        if O::ENABLED && length > 0 {
            self.tell_access(pointer, length, write);
        }
        Ok(())
    }

    fn tell_access(&mut self, pointer: Pointer, length: u64, write: bool) {
        let Some(access) = self.observed_access(pointer, length) else {
            return;
        };
        if write {
            self.observer.write(access);
        } else {
            self.observer.read(access);
        }
    }

    /// A range of bytes as observers are told of it, while an instruction is executed.
    pub(super) fn observed_access(&self, pointer: Pointer, length: u64) -> Option<Access> {
        let object = self.memory.object(pointer.object)?;
        Some(Access {
            at: self.point()?,
            object: object.id,
            allocation: object.allocation,
            offset: pointer.offset,
            length,
        })
    }

    fn tell_store(&mut self, pointer: Pointer, length: u64, value: Slot, ty: Type) {
        let Some(access) = self.observed_access(pointer, length) else {
            return;
        };
        let value = match ty {
            Type::Ptr => Observed::Pointer(value.pointer()),
            Type::Int(_) | Type::F32 | Type::F64 | Type::Memory(_) => Observed::Bits(value.bits()),
        };
        self.observer.store(access, ty, value);
    }

    pub(super) fn load(&mut self, pointer: Pointer, ty: Type, align: u32) -> Step<Slot> {
        let pointer_bytes = self.program.module.layout.pointer_bytes;
        let length = ty.store_size(pointer_bytes);
        self.check_access(pointer, length.into(), false, align)?;
        let at = pointer.offset.cast_unsigned();
        match ty {
            Type::Ptr => Ok(self.read_pointer(pointer.object, at)?.into()),
            Type::Int(width) => {
                let bits = self.read_bits(pointer.object, at, length as usize)?;
                Ok(Slot::wide(cut(bits, width.into())))
            }
            Type::F32 | Type::F64 | Type::Memory(_) => {
                let bits = self.read_bits(pointer.object, at, length as usize)?;
                Ok(Slot::wide(bits))
            }
        }
    }

    fn store(&mut self, pointer: Pointer, value: Slot, ty: Type, align: u32) -> Step<()> {
        let length = ty.store_size(self.program.module.layout.pointer_bytes);
        self.check_access(pointer, length.into(), true, align)?;
        if O::ENABLED {
            self.tell_store(pointer, length.into(), value, ty);
        }
        let at = pointer.offset.cast_unsigned();
        match ty {
            Type::Ptr => self
                .memory
                .write_pointer(pointer.object, at, value.pointer()),
            Type::Int(_) | Type::F32 | Type::F64 | Type::Memory(_) => {
                let bytes = value.bits().to_le_bytes();
                self.memory
                    .write(pointer.object, at, &bytes[..length as usize]);
            }
        }
        Ok(())
    }

    fn copy(&mut self, to: Pointer, from: Pointer, length: u64) -> Step<()> {
        self.check_access(from, length, false, 1)?;
        self.check_access(to, length, true, 1)?;
        if length > 0 {
            let (write, read) = (to.offset.cast_unsigned(), from.offset.cast_unsigned());
            self.memory
                .copy((to.object, write), (from.object, read), length);
            self.check_memory_left()?;
        }
        Ok(())
    }

    fn fill(&mut self, to: Pointer, byte: u8, length: u64) -> Step<()> {
        self.check_access(to, length, true, 1)?;
        if length > 0 {
            self.memory
                .fill(to.object, to.offset.cast_unsigned(), length, byte);
            self.check_memory_left()?;
        }
        Ok(())
    }

    /// At most 16 bytes as a little-endian number. Uninitialised bytes get their values now;
    /// bytes of pointers are those of the address, which is thereby exposed.
    fn read_bits(&mut self, object: ObjectId, at: u64, length: usize) -> Step<u128> {
        let mut bytes = [0; 16];
        if let Some(plain) = self.memory.plain_bytes(object, at, length) {
            bytes[..length].copy_from_slice(plain);
            return Ok(u128::from_le_bytes(bytes));
        }
        self.determine(object, at, length, false)?;
        for (place, byte) in (at..).zip(&mut bytes[..length]) {
            let cell = self.memory.cell(object, place);
            *byte = match cell.fragment {
                None => cell.byte,
                Some(fragment) => self.fragment_byte(fragment)?,
            };
        }
        Ok(u128::from_le_bytes(bytes))
    }

    fn fragment_byte(&mut self, fragment: Fragment) -> Step<u8> {
        let address = self.address(fragment.pointer)?;
        Ok(address.to_le_bytes()[usize::from(fragment.index)])
    }

    /// A pointer from memory: the pointer that was stored, if these are its bytes; else what the
    /// number means that they form.
    fn read_pointer(&mut self, object: ObjectId, at: u64) -> Step<Pointer> {
        if let Some(pointer) = self.memory.whole_pointer(object, at) {
            return Ok(pointer);
        }
        let length = self.program.module.layout.pointer_bytes as usize;
        self.determine(object, at, length, true)?;
        if let Some(pointer) = self.memory.whole_pointer(object, at) {
            return Ok(pointer);
        }
        let cells: Vec<Cell> = (at..at + length as u64)
            .map(|place| self.memory.cell(object, place))
            .collect();
        if let Some(pointer) = pointer_of_fragments(&cells) {
            return Ok(pointer);
        }
        let address = self.read_bits(object, at, length)? as u64;
        let uninitialised = cells.iter().any(|cell| {
            cell.fragment
                .is_some_and(|part| part.pointer.object == ObjectId::UNINITIALISED)
        });
        Ok(if uninitialised {
            Pointer {
                object: ObjectId::UNINITIALISED,
                offset: self.memory.signed(address),
            }
        } else {
            self.memory.pointer_from_integer(address)
        })
    }

    /// Chooses values for the uninitialised bytes of a range of at most 16 and keeps them. Read as
    /// a pointer they remember that they were never written.
    fn determine(&mut self, object: ObjectId, at: u64, length: usize, pointer: bool) -> Step<()> {
        let mut open: Vec<(u64, Option<Fragment>)> = vec![];
        for place in at..at + length as u64 {
            let cell = self.memory.cell(object, place);
            let name = name_of(&cell);
            if let Some(name) = name
                && let Some(pointer) = self.memory.indeterminate.pointer(name)
            {
                let index = name.index;
                let cell = Cell {
                    byte: 0,
                    initialised: true,
                    fragment: Some(Fragment { pointer, index }),
                };
                self.memory.set_cell(object, place, cell);
                continue;
            }
            if name.is_some() || !cell.initialised {
                open.push((place, name));
            }
        }
        let Some((_, first)) = open.first() else {
            return Ok(());
        };
        let copied_from = first.and_then(|name| self.memory.indeterminate.origin(name));
        let lies_in = self.memory.object(object).map(Origin::of);
        let contents = copied_from.or(lies_in);
        let changed_by = contents.as_ref().and_then(|it| it.changed_by.as_ref());
        let known = match pointer && open.len() == length && is_whole(&open) {
            true => changed_by.map(|it| it.known.clone()),
            false => None,
        };
        let known = known.unwrap_or_default();
        let (origin, external) = self.origin_of_contents(contents);
        let (bits, asked) = self.open_bits(&open, at, length, pointer, (&origin, &known))?;
        let range = Pointer {
            object,
            offset: at.cast_signed(),
        };
        if let Some(pointer) = self.pointer_to_known(&known, bits) {
            if O::ENABLED
                && let Some(access) = self.observed_access(range, length as u64)
            {
                self.observer.determine_pointer(access, pointer);
            }
            if let Some((_, Some(name))) = open.first() {
                self.memory.indeterminate.set_pointer(*name, pointer);
            }
            self.memory.write_pointer(object, at, pointer);
            return Ok(());
        }
        if O::ENABLED
            && asked
            && let Some(access) = self.observed_access(range, length as u64)
        {
            self.observer.determine(access, bits);
        }
        let chosen = Pointer {
            object: ObjectId::UNINITIALISED,
            offset: self.memory.signed(bits as u64),
        };
        for (place, name) in open {
            let index = (place - at) as u8;
            let keeps = pointer && !external;
            let byte = bits.to_le_bytes()[usize::from(index)];
            if let Some(name) = name {
                self.memory.indeterminate.set(name, byte);
            }
            let cell = Cell {
                byte,
                initialised: true,
                fragment: keeps.then_some(Fragment {
                    pointer: chosen,
                    index,
                }),
            };
            self.memory.set_cell(object, place, cell);
        }
        Ok(())
    }

    /// The values of open bytes of a range: those that their copies got already, else new ones; and
    /// whether new ones were asked for.
    fn open_bits(
        &mut self,
        open: &[(u64, Option<Fragment>)],
        at: u64,
        length: usize,
        pointer: bool,
        (origin, known_outside): (&NondetOrigin, &[ObjectId]),
    ) -> Step<(u128, bool)> {
        let known = |name: Option<Fragment>| self.memory.indeterminate.value(name?);
        let given: Vec<Option<u8>> = open.iter().map(|(_, name)| known(*name)).collect();
        let mut bytes = [0; 16];
        let asked = given.iter().any(Option::is_none);
        if asked {
            let ty = if pointer {
                Type::Ptr
            } else {
                Type::Int(length as u8 * 8)
            };
            bytes = self.choose(origin, ty, known_outside)?.to_le_bytes();
        }
        for ((place, _), given) in open.iter().zip(given) {
            if let Some(byte) = given {
                bytes[(place - at) as usize] = byte;
            }
        }
        Ok((u128::from_le_bytes(bytes), asked))
    }

    /// Why bytes of an object can be without a value, and whether they come from outside.
    fn origin_of_contents(&self, origin: Option<Origin>) -> (NondetOrigin, bool) {
        let (allocation, changed_by) = match origin {
            Some(origin) => (Some(origin.allocation), origin.changed_by),
            None => (None, None),
        };
        if let Some(by) = changed_by {
            return (NondetOrigin::Change(by.name), true);
        }
        if let Some(Allocation::Global(global)) = allocation {
            let global = &self.program.module.globals[global];
            if global.contents == GlobalContents::External {
                return (NondetOrigin::External(global.name.clone()), true);
            }
        }
        let name = allocation
            .and_then(|allocation| self.name_of(allocation))
            .unwrap_or_else(|| "memory".into());
        (NondetOrigin::Uninitialised(name), false)
    }

    /// Bytes as numbers, for the outside.
    pub(super) fn read_bytes(&mut self, pointer: Pointer, length: u64) -> Step<Vec<u8>> {
        self.check_access(pointer, length, false, 1)?;
        let mut bytes = Vec::new();
        let (mut at, end) = (pointer.offset, pointer.offset + length.cast_signed());
        while at < end {
            let count = (end - at).min(16) as usize;
            let bits = self.read_bits(pointer.object, at.cast_unsigned(), count)?;
            bytes.extend_from_slice(&bits.to_le_bytes()[..count]);
            at += count as i64;
        }
        Ok(bytes)
    }

    /// Writes bytes from the outside.
    pub(super) fn write_bytes(&mut self, pointer: Pointer, bytes: &[u8]) -> Step<()> {
        self.check_access(pointer, bytes.len() as u64, true, 1)?;
        if !bytes.is_empty() {
            let at = pointer.offset.cast_unsigned();
            self.memory.write(pointer.object, at, bytes);
        }
        Ok(())
    }
}

/// The pointer whose bytes these are, in order.
fn pointer_of_fragments(cells: &[Cell]) -> Option<Pointer> {
    let first = cells.first()?.fragment?;
    cells
        .iter()
        .zip(0..)
        .all(|(cell, index)| {
            cell.fragment
                == Some(Fragment {
                    pointer: first.pointer,
                    index,
                })
        })
        .then_some(first.pointer)
}

/// Whether open bytes have no names, or all of them one: then they can be one pointer.
fn is_whole(open: &[(u64, Option<Fragment>)]) -> bool {
    let first = open.first().and_then(|(_, name)| *name);
    open.iter().zip(0..).all(|((_, name), index)| match name {
        None => first.is_none(),
        Some(name) => {
            name.index == index && first.is_some_and(|first| first.pointer == name.pointer)
        }
    })
}
