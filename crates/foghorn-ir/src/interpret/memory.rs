//! All objects of a running program, and every access to them.
//!
//! Objects lie in a table. The slot of a dead object is used again, but only after a number of
//! others died (so that a report can still tell what it was), and under a new id. Functions and
//! globals come first, in the order of the module.
//!
//! The accesses here assume that [`Memory::check`] allowed them; the `plain` ones check for
//! themselves and give `None` to whatever is not simple.

use super::address::AddressSpace;
use super::copy::Item;
use super::indeterminate::Indeterminate;
use super::object::{Birth, FLAT_LIMIT, Life, Object, Outsider};
use super::segment::Cell;
use super::value::{ObjectId, ObjectKind, Pointer};
use foghorn_core::{CheckKind, SpanId};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Dead stack objects whose slots are kept for reports.
const STACK_QUARANTINE: usize = 64;
/// Dead heap objects whose slots are kept for reports.
const HEAP_QUARANTINE: usize = 1 << 16;

/// The table of objects.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(super) objects: Vec<Object>,
    free_stack: VecDeque<u32>,
    free_heap: VecDeque<u32>,
    pub(super) addresses: AddressSpace,
    /// Counts births, deaths and looks at addresses.
    pub(super) clock: u64,
    /// Bases of dead objects whose slots are used again.
    pub(super) retired: FxHashMap<ObjectId, u64>,
    pub(super) pointer_bytes: u32,
    in_use: u64,
    limit: u64,
    tracking: bool,
    /// Every access must be looked at: marks are to be left, or alignment is checked.
    pub(super) strict: bool,
    alignment: bool,
    /// A buffer that copies use again.
    pub(super) copying: Vec<Item>,
    /// Bytes without a value of which there are copies.
    pub(super) indeterminate: Indeterminate,
}

impl Memory {
    pub fn new(pointer_bytes: u32, address_seed: u64, limit: u64) -> Self {
        Memory {
            objects: vec![Object::vacant(pointer_bytes)],
            free_stack: VecDeque::new(),
            free_heap: VecDeque::new(),
            addresses: AddressSpace::new(pointer_bytes, address_seed),
            clock: 0,
            retired: FxHashMap::default(),
            pointer_bytes,
            in_use: 0,
            limit,
            tracking: false,
            strict: false,
            alignment: false,
            copying: vec![],
            indeterminate: Indeterminate::default(),
        }
    }

    /// Whether every access is to go the slow way, where alignment is checked.
    pub fn set_alignment_checked(&mut self, checked: bool) {
        self.alignment = checked;
        self.set_tracking(self.tracking);
    }

    /// Whether the program uses more than it may. Pages are counted as they come into being, so
    /// this is asked from time to time.
    pub fn is_exhausted(&self) -> bool {
        self.in_use > self.limit
    }

    /// A new, living object; `None` if memory is exhausted.
    pub fn allocate(&mut self, kind: ObjectKind, birth: &Birth) -> Option<ObjectId> {
        let flat = if birth.size <= FLAT_LIMIT {
            birth.size
        } else {
            0
        };
        if self.in_use + flat > self.limit {
            return None;
        }
        let slot = self.vacant_slot(kind)?;
        let object = &mut self.objects[slot];
        let id = ObjectId::new(object.id.generation() + 1, kind, slot);
        object.begin(id, birth);
        object.refresh(self.strict);
        self.in_use += object.resident();
        self.begin_life(id);
        Some(id)
    }

    fn vacant_slot(&mut self, kind: ObjectKind) -> Option<usize> {
        let reused = match kind {
            ObjectKind::Stack if self.free_stack.len() > STACK_QUARANTINE => {
                self.free_stack.pop_front()
            }
            ObjectKind::Heap if self.free_heap.len() > HEAP_QUARANTINE => {
                self.free_heap.pop_front()
            }
            ObjectKind::Stack | ObjectKind::Heap | ObjectKind::Function | ObjectKind::Global => {
                None
            }
        };
        if let Some(slot) = reused {
            self.retire(slot as usize);
            return Some(slot as usize);
        }
        let slot = self.objects.len();
        if slot > ObjectId::MAX_SLOT {
            return None;
        }
        self.objects.push(Object::vacant(self.pointer_bytes));
        Some(slot)
    }

    fn end(&mut self, id: ObjectId, life: Life, span: SpanId) {
        let object = &mut self.objects[id.slot()];
        self.in_use -= object.resident();
        object.end(life, span);
        self.end_life(id);
    }

    /// Ends a heap object that is alive.
    pub fn free(&mut self, id: ObjectId, span: SpanId) {
        self.end(id, Life::Freed, span);
        self.free_heap.push_back(id.slot() as u32);
    }

    /// Ends the life of a stack object for good.
    pub fn leave_scope(&mut self, id: ObjectId, span: SpanId) {
        let object = &self.objects[id.slot()];
        if object.live != 0 {
            self.end(id, Life::OutOfScope, span);
        }
        self.free_stack.push_back(id.slot() as u32);
    }

    /// Ends the life of a stack object until [`Memory::resume`].
    pub fn suspend(&mut self, id: ObjectId, span: SpanId) {
        if self.objects[id.slot()].live == id.0 {
            self.end(id, Life::OutOfScope, span);
        }
    }

    /// (Re)starts the life of a stack object with indeterminate contents.
    pub fn resume(&mut self, id: ObjectId) {
        let object = &mut self.objects[id.slot()];
        let is_new = object.live == 0;
        if !is_new {
            self.in_use -= object.resident();
        }
        object.restart();
        object.refresh(self.strict);
        self.in_use += object.resident();
        if is_new {
            self.begin_life(id);
        }
    }

    /// The object of that id unless its slot has been used again, or it is none.
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        let object = self.objects.get(id.slot())?;
        (id.is_object() && object.id == id).then_some(object)
    }

    /// The object of an id that is known to be valid.
    fn at(&mut self, id: ObjectId) -> &mut Object {
        &mut self.objects[id.slot()]
    }

    pub fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        let object = self.objects.get_mut(id.slot())?;
        (id.is_object() && object.id == id).then_some(object)
    }

    pub fn is_alive(&self, id: ObjectId) -> bool {
        self.object(id).is_some_and(|object| object.live != 0)
    }

    pub fn objects(&self) -> impl Iterator<Item = &Object> {
        self.objects.iter().skip(1)
    }

    /// Why `length` bytes may not be accessed, if so.
    pub fn check(&self, pointer: Pointer, length: u64, write: bool) -> Result<(), CheckKind> {
        if length == 0 {
            return Ok(());
        }
        let id = pointer.object;
        let Some(object) = self.object(id) else {
            return Err(match id {
                ObjectId::NULL => CheckKind::NullDereference,
                ObjectId::UNINITIALISED => CheckKind::UninitialisedPointer,
                ObjectId::FROM_INTEGER => CheckKind::UnknownPointer,
                _ if id.kind() == ObjectKind::Heap => CheckKind::UseAfterFree,
                _ => CheckKind::UseAfterScope,
            });
        };
        match object.life {
            Life::Alive => {}
            Life::OutOfScope => return Err(CheckKind::UseAfterScope),
            Life::Freed => return Err(CheckKind::UseAfterFree),
        }
        let fits = u64::try_from(pointer.offset)
            .is_ok_and(|at| at <= object.size && length <= object.size - at);
        match (fits, write && object.constant) {
            (false, _) => Err(CheckKind::OutOfBounds),
            (true, true) => Err(CheckKind::ConstantWrite),
            (true, false) => Ok(()),
        }
    }

    /// The bytes at a pointer if the access is valid and they are plain.
    #[inline]
    pub fn load_plain<const N: usize>(&self, pointer: Pointer) -> Option<[u8; N]> {
        let object = self.objects.get(pointer.object.slot())?;
        if object.live != pointer.object.0 || !object.plain_load {
            return None;
        }
        let at = pointer.offset as usize;
        object
            .segment
            .bytes
            .get(at..at.wrapping_add(N))?
            .try_into()
            .ok()
    }

    /// Stores plain bytes if the access is valid and the object is plain; else `false`.
    #[inline]
    pub fn store_plain<const N: usize>(&mut self, pointer: Pointer, bytes: [u8; N]) -> bool {
        let Some(object) = self.objects.get_mut(pointer.object.slot()) else {
            return false;
        };
        if object.live != pointer.object.0 || !object.plain_store {
            return false;
        }
        let at = pointer.offset as usize;
        match object.segment.bytes.get_mut(at..at.wrapping_add(N)) {
            Some(place) => {
                place.copy_from_slice(&bytes);
                true
            }
            None => false,
        }
    }

    /// The object of a valid access that need not be looked at further, and its offset.
    #[inline]
    fn simple_access(&self, pointer: Pointer, length: u64) -> Option<(&Object, u64)> {
        let object = self.objects.get(pointer.object.slot())?;
        let at = pointer.offset.cast_unsigned();
        let valid = object.live == pointer.object.0
            && !self.strict
            && at <= object.size
            && length <= object.size - at;
        valid.then_some((object, at))
    }

    /// As [`Memory::load_plain`], for up to 8 plain bytes of an object that is not plain.
    pub fn load_marked(&self, pointer: Pointer, length: usize) -> Option<u64> {
        let (object, at) = self.simple_access(pointer, length as u64)?;
        let bytes = self.plain_bytes(object.id, at, length)?;
        let mut word = [0; 8];
        word[..length].copy_from_slice(bytes);
        Some(u64::from_le_bytes(word))
    }

    /// As [`Memory::store_plain`], for an object that is not plain.
    pub fn store_marked(&mut self, pointer: Pointer, bytes: &[u8]) -> bool {
        match self.simple_access(pointer, bytes.len() as u64) {
            Some((object, at)) if !object.constant => {
                self.write(pointer.object, at, bytes);
                true
            }
            Some(_) | None => false,
        }
    }

    /// A pointer that lies whole and aligned in memory, or null, if the access is valid.
    #[inline]
    pub fn load_whole_pointer(&self, pointer: Pointer) -> Option<Pointer> {
        let (object, at) = self.simple_access(pointer, self.pointer_bytes.into())?;
        if let Some(loaded) = self.whole_pointer(object.id, at) {
            return Some(loaded);
        }
        let bytes = self.plain_bytes(object.id, at, self.pointer_bytes as usize)?;
        bytes.iter().all(|&byte| byte == 0).then_some(Pointer::NULL)
    }

    /// Stores a pointer if the access is valid.
    #[inline]
    pub fn store_whole_pointer(&mut self, pointer: Pointer, value: Pointer) -> bool {
        match self.simple_access(pointer, self.pointer_bytes.into()) {
            Some((object, at)) if !object.constant => {
                self.write_pointer(pointer.object, at, value);
                true
            }
            Some(_) | None => false,
        }
    }

    /// The bytes of a short range if all are initialised and none is of a pointer.
    #[inline]
    pub fn plain_bytes(&self, id: ObjectId, at: u64, length: usize) -> Option<&[u8]> {
        let object = &self.objects[id.slot()];
        let piece = object.piece(at, length as u64);
        let segment = object.segment(piece)?;
        let plain = piece.length == length
            && segment.range_initialised(piece.at, length)
            && !segment.range_has_pointers(piece.at, length);
        plain.then(|| &segment.bytes[piece.at..piece.at + length])
    }

    /// The pointer that lies whole and aligned at a place.
    #[inline]
    pub fn whole_pointer(&self, id: ObjectId, at: u64) -> Option<Pointer> {
        self.whole_word(id, at)
            .filter(|pointer| pointer.object != ObjectId::COPIED)
    }

    /// The pointer, or the name of indeterminate bytes, that lies whole and aligned at a place.
    #[inline]
    pub(super) fn whole_word(&self, id: ObjectId, at: u64) -> Option<Pointer> {
        let object = &self.objects[id.slot()];
        let piece = object.piece(at, u64::from(self.pointer_bytes));
        object.segment(piece)?.whole_pointer(piece.at)
    }

    pub fn cell(&self, id: ObjectId, at: u64) -> Cell {
        self.objects[id.slot()].cell(at)
    }

    /// Does `f` to the object and keeps the counts and the fast-path flags true.
    #[inline]
    fn change(&mut self, id: ObjectId, f: impl FnOnce(&mut Object)) {
        let strict = self.strict;
        let object = &mut self.objects[id.slot()];
        if object.is_flat() {
            f(object);
        } else {
            let before = object.resident();
            f(object);
            self.in_use = self.in_use + object.resident() - before;
        }
        object.refresh(strict);
    }

    pub fn set_cell(&mut self, id: ObjectId, at: u64, cell: Cell) {
        self.change(id, |object| {
            let piece = object.piece(at, 1);
            object.segment_mut(piece).set_cell(piece.at, cell);
        });
    }

    /// Writes bytes that belong to no pointer.
    #[inline]
    pub fn write(&mut self, id: ObjectId, at: u64, bytes: &[u8]) {
        self.change(id, |object| {
            let mut rest = bytes;
            object.for_pieces(at, bytes.len() as u64, |segment, piece| {
                let (now, later) = rest.split_at(piece.length);
                segment.write(piece.at, now);
                rest = later;
            });
        });
    }

    /// Fills bytes. Stops early if memory is exhausted.
    pub fn fill(&mut self, id: ObjectId, at: u64, length: u64, byte: u8) {
        let object = &self.objects[id.slot()];
        let part = if object.is_flat() || (byte == 0 && length == object.size) {
            length
        } else {
            1 << 20
        };
        let (mut at, end) = (at, at + length);
        while at < end && !self.is_exhausted() {
            let count = part.min(end - at);
            self.change(id, |object| object.fill(at, count, byte));
            at += count;
        }
    }

    /// Makes bytes indeterminate.
    pub fn forget(&mut self, id: ObjectId, at: u64, length: u64) {
        self.change(id, |object| object.forget(at, length));
    }

    /// Makes all bytes of an object indeterminate, but for its pointers if these are to stay, since
    /// code outside the program may have changed them.
    pub fn change_from_outside(&mut self, id: ObjectId, with_pointers: bool, by: &Outsider) {
        self.change(id, |object| object.change_from_outside(with_pointers, by));
    }

    /// Stores a pointer with its provenance.
    #[inline]
    pub fn write_pointer(&mut self, id: ObjectId, at: u64, pointer: Pointer) {
        let length = self.pointer_bytes as usize;
        if pointer.object == ObjectId::NULL {
            return self.write(id, at, &pointer.offset.to_le_bytes()[..length]);
        }
        if at.is_multiple_of(length as u64) {
            return self.change(id, |object| {
                let piece = object.piece(at, length as u64);
                object
                    .segment_mut(piece)
                    .write_whole_pointer(piece.at, pointer);
            });
        }
        for index in 0..length as u8 {
            let fragment = Some(super::segment::Fragment { pointer, index });
            let cell = Cell {
                byte: 0,
                initialised: true,
                fragment,
            };
            self.set_cell(id, at + u64::from(index), cell);
        }
    }

    /// Whether accesses leave marks from here on.
    pub fn set_tracking(&mut self, tracking: bool) {
        self.tracking = tracking;
        self.strict = tracking || self.alignment;
        for object in self.objects.iter_mut().skip(1) {
            object.refresh(self.strict);
        }
    }

    /// Notes an access, if accesses are tracked.
    pub fn mark_access(&mut self, pointer: Pointer, length: u64, write: bool) {
        if self.tracking && length > 0 {
            self.at(pointer.object)
                .mark_access(pointer.offset.cast_unsigned(), length, write);
        }
    }

    pub fn set_constant(&mut self, id: ObjectId) {
        let strict = self.strict;
        let object = self.at(id);
        object.constant = true;
        object.refresh(strict);
    }
}
