//! Contents of regions as chains of what was written, read cell by cell.
//!
//! A read goes down the chain: a write that hits gives its value, one that misses is passed. What nobody
//! wrote is a symbol, the same at the same place of the same memory.

use super::world::{Known, MemoryId, Pointer, World};
use foghorn_ir::{Cell, GlobalContents, GlobalId, Initializer, Symbol, Type};
use foghorn_term::{BitVecValue, Op, TermId};

/// Globals that a pointer of unknown object is compared with.
const MOST_GLOBALS: usize = 16;
/// Cells of a global that an unknown offset is compared with.
const MOST_CELLS: u64 = 256;

/// One event.
#[derive(Clone, Copy, Debug)]
pub(super) enum MemoryNode {
    /// Nobody knows. A pointer may have any number: what was never written may mean anything.
    Any,
    /// What globals hold when the program begins.
    Start,
    /// Zeros everywhere.
    Zero,
    /// Of a value of a type.
    Store {
        before: MemoryId,
        to: Pointer,
        value: Known,
        ty: Type,
        cell: Cell,
    },
    /// So many bytes are this.
    Fill {
        before: MemoryId,
        to: Pointer,
        length: TermId,
        byte: TermId,
    },
    /// So many bytes are what another memory holds elsewhere.
    Copy {
        before: MemoryId,
        to: Pointer,
        length: TermId,
        source: MemoryId,
        from: Pointer,
    },
    /// So many bytes are what `contents` holds there; without a length the whole object.
    Forget {
        before: MemoryId,
        to: Pointer,
        length: Option<TermId>,
        contents: MemoryId,
    },
    Choice {
        condition: TermId,
        then: MemoryId,
        otherwise: MemoryId,
    },
}

/// How a read lies to a write.
struct Overlap {
    /// The bytes read are among those written.
    within: TermId,
    /// They have none in common.
    apart: TermId,
}

impl World<'_> {
    pub(super) fn memory(&mut self, node: MemoryNode) -> MemoryId {
        let id = MemoryId(u32::try_from(self.memories.len()).expect("invariant: few writes"));
        self.memories.push(node);
        id
    }

    /// Contents that nobody knows.
    pub fn any_memory(&mut self) -> MemoryId {
        self.memory(MemoryNode::Any)
    }

    /// Contents at the program's start.
    pub fn first_memory(&mut self) -> MemoryId {
        self.memory(MemoryNode::Start)
    }

    /// A range, or a whole object, holds what nobody knows.
    pub fn forget(&mut self, before: MemoryId, to: Pointer, length: Option<TermId>) -> MemoryId {
        let contents = self.any_memory();
        self.memory(MemoryNode::Forget {
            before,
            to,
            length,
            contents,
        })
    }

    pub fn choose_memory(
        &mut self,
        condition: TermId,
        then: MemoryId,
        otherwise: MemoryId,
    ) -> MemoryId {
        if then == otherwise {
            return then;
        }
        self.memory(MemoryNode::Choice {
            condition,
            then,
            otherwise,
        })
    }

    /// What a memory holds at a place.
    pub fn read(&mut self, memory: MemoryId, at: Pointer, ty: Type) -> Known {
        let key = (memory, at, ty);
        if let Some(known) = self.memory_reads.get(&key) {
            return *known;
        }
        let known = match self.memories[memory.0 as usize] {
            MemoryNode::Any => self.unknown_content(memory, at, ty),
            MemoryNode::Start => self.initial_content(memory, at, ty),
            MemoryNode::Zero => {
                let zero = self.pool.bv_zero(8);
                self.repeated(zero, ty)
            }
            MemoryNode::Store {
                before,
                to,
                value,
                ty: stored,
                cell,
            } => self.read_store(memory, (before, to, value, stored, cell), at, ty),
            MemoryNode::Fill {
                before,
                to,
                length,
                byte,
            } => {
                let missed = |world: &mut Self| world.read(before, at, ty);
                let hit = |world: &mut Self| world.repeated(byte, ty);
                self.read_range(memory, (to, length), at, ty, &hit, &missed)
            }
            MemoryNode::Copy {
                before,
                to,
                length,
                source,
                from,
            } => {
                let missed = |world: &mut Self| world.read(before, at, ty);
                let hit = |world: &mut Self| {
                    let moved = world.pool.bv_sub(at.offset, to.offset);
                    let offset = world.pool.bv_add(from.offset, moved);
                    let object = from.object;
                    world.read(source, Pointer { object, offset }, ty)
                };
                self.read_range(memory, (to, length), at, ty, &hit, &missed)
            }
            MemoryNode::Forget {
                before,
                to,
                length,
                contents,
            } => {
                let missed = |world: &mut Self| world.read(before, at, ty);
                let hit = |world: &mut Self| world.read(contents, at, ty);
                match length {
                    Some(length) => self.read_range(memory, (to, length), at, ty, &hit, &missed),
                    None => {
                        let here = self.same_object(at.object, to.object);
                        self.either(here, &hit, &missed)
                    }
                }
            }
            MemoryNode::Choice {
                condition,
                then,
                otherwise,
            } => {
                let then = self.read(then, at, ty);
                let otherwise = self.read(otherwise, at, ty);
                self.choose(condition, then, otherwise)
            }
        };
        self.memory_reads.insert(key, known);
        known
    }

    /// The one or the other, whichever are needed.
    fn either(
        &mut self,
        condition: TermId,
        then: &dyn Fn(&mut Self) -> Known,
        otherwise: &dyn Fn(&mut Self) -> Known,
    ) -> Known {
        match self.pool.as_bool(condition) {
            Some(true) => then(self),
            Some(false) => otherwise(self),
            None => {
                let (a, b) = (then(self), otherwise(self));
                self.choose(condition, a, b)
            }
        }
    }

    fn bytes_of(&mut self, ty: Type) -> u64 {
        u64::from(ty.store_size(self.module.layout.pointer_bytes))
    }

    fn overlap(&mut self, to: Pointer, length: TermId, at: Pointer, bytes: u64) -> Overlap {
        let bits = self.bits();
        // Offsets of accesses that happen are within objects, so the ends do not overflow.
        let bytes = self.pool.bv(bits, bytes);
        let write_end = self.pool.bv_add(to.offset, length);
        let read_end = self.pool.bv_add(at.offset, bytes);
        let starts = self.pool.bv_sle(to.offset, at.offset);
        let ends = self.pool.bv_sle(read_end, write_end);
        let before = self.pool.bv_sle(read_end, to.offset);
        let after = self.pool.bv_sle(write_end, at.offset);
        Overlap {
            within: self.pool.and(&[starts, ends]),
            apart: self.pool.or(&[before, after]),
        }
    }

    fn read_range(
        &mut self,
        memory: MemoryId,
        (to, length): (Pointer, TermId),
        at: Pointer,
        ty: Type,
        hit: &dyn Fn(&mut Self) -> Known,
        missed: &dyn Fn(&mut Self) -> Known,
    ) -> Known {
        let same = self.same_object(at.object, to.object);
        if self.pool.as_bool(same) == Some(false) {
            return missed(self);
        }
        let bytes = self.bytes_of(ty);
        let overlap = self.overlap(to, length, at, bytes);
        let inside = self.pool.and(&[same, overlap.within]);
        let other = self.pool.not(same);
        let outside = self.pool.or(&[other, overlap.apart]);
        self.either(inside, hit, &|world| {
            world.either(outside, missed, &|world| world.across(memory, at, ty))
        })
    }

    /// A read that is partly of one event and partly of what was before: byte by byte.
    fn across(&mut self, memory: MemoryId, at: Pointer, ty: Type) -> Known {
        let bound = self.anywhere();
        let width = match ty {
            Type::Int(width) if width % 8 == 0 && width > 8 => u32::from(width),
            Type::F32 => 32,
            Type::F64 => 64,
            Type::Int(_) | Type::Ptr | Type::Memory(_) => return self.any(ty, bound),
        };
        let bits = self.bits();
        let mut all: Option<TermId> = None;
        for index in 0..width / 8 {
            let index = self.pool.bv(bits, index.into());
            let offset = self.pool.bv_add(at.offset, index);
            let place = Pointer {
                object: at.object,
                offset,
            };
            let Known::Scalar(byte) = self.read(memory, place, Type::I8) else {
                unreachable!("invariant: a byte is a scalar")
            };
            all = Some(match all {
                None => byte,
                Some(low) => self.pool.concat(byte, low),
            });
        }
        Known::Scalar(all.expect("invariant: at least two bytes"))
    }

    fn read_store(
        &mut self,
        memory: MemoryId,
        (before, to, value, stored, cell): (MemoryId, Pointer, Known, Type, Cell),
        at: Pointer,
        ty: Type,
    ) -> Known {
        let missed = |world: &mut Self| world.read(before, at, ty);
        let same = self.same_object(at.object, to.object);
        if self.pool.as_bool(same) == Some(false) {
            return missed(self);
        }
        let (written, wanted) = (self.bytes_of(stored), self.bytes_of(ty));
        let exact = self.pool.equal(at.offset, to.offset);
        let here = self.pool.and(&[same, exact]);
        let hit = |world: &mut Self| world.reinterpret(value, stored, ty);
        if written == wanted && cell != Cell::Bytes {
            return self.either(here, &hit, &missed);
        }
        let bits = self.bits();
        let length = self.pool.bv(bits, written);
        let overlap = self.overlap(to, length, at, wanted);
        let other = self.pool.not(same);
        let outside = self.pool.or(&[other, overlap.apart]);
        let inside = self.pool.and(&[same, overlap.within]);
        let part = |world: &mut Self| world.part_of(value, stored, (to, at), ty);
        let across = |world: &mut Self| world.across(memory, at, ty);
        if written < wanted {
            return self.either(outside, &missed, &across);
        }
        if written == wanted {
            return self.either(here, &hit, &|world| world.either(outside, &missed, &across));
        }
        self.either(inside, &part, &|world| {
            world.either(outside, &missed, &across)
        })
    }

    /// Bits that were written as one type, read as another of the same size.
    fn reinterpret(&mut self, value: Known, stored: Type, ty: Type) -> Known {
        if stored == ty {
            return value;
        }
        let bound = self.anywhere();
        let width = |ty: Type| match ty {
            Type::Int(width) => Some(u32::from(width)),
            Type::F32 => Some(32),
            Type::F64 => Some(64),
            Type::Ptr | Type::Memory(_) => None,
        };
        // In bytes a pointer is its address.
        let value = match value {
            Known::Pointer(pointer) if width(ty) == Some(self.bits()) => {
                return Known::Scalar(self.address(pointer));
            }
            value => value,
        };
        match (value, width(stored), width(ty)) {
            (Known::Scalar(bits), Some(a), Some(b)) if a == b && a > 1 => Known::Scalar(bits),
            (Known::Scalar(_) | Known::Pointer(_) | Known::Memory(_), _, _) => self.any(ty, bound),
        }
    }

    /// Some bytes of what was written.
    fn part_of(
        &mut self,
        value: Known,
        stored: Type,
        (to, at): (Pointer, Pointer),
        ty: Type,
    ) -> Known {
        let bound = self.anywhere();
        let wanted = match ty {
            Type::Int(width) if width % 8 == 0 => u32::from(width),
            Type::F32 => 32,
            Type::Int(_) | Type::F64 | Type::Ptr | Type::Memory(_) => return self.any(ty, bound),
        };
        let bits = match (value, stored != Type::BOOL) {
            (Known::Scalar(bits), true) => bits,
            // In bytes a pointer is its address.
            (Known::Pointer(pointer), _) => self.address(pointer),
            (Known::Scalar(_) | Known::Memory(_), _) => return self.any(ty, bound),
        };
        let width = self.pool.width(bits);
        if !width.is_multiple_of(8) {
            return self.any(ty, bound);
        }
        let moved = self.pool.bv_sub(at.offset, to.offset);
        let three = self.pool.bv(self.module.layout.pointer_bits(), 3);
        let shift = self.pool.make(Op::BvShl, &[moved, three]);
        let shift = self.pool.zero_resize(width, shift);
        let shifted = self.pool.make(Op::BvLshr, &[bits, shift]);
        Known::Scalar(self.pool.extract(wanted - 1, 0, shifted))
    }

    /// A value all of whose bytes are the same.
    fn repeated(&mut self, byte: TermId, ty: Type) -> Known {
        let bound = self.anywhere();
        let width = match ty {
            Type::Int(width) if width % 8 == 0 => u32::from(width),
            Type::F32 => 32,
            Type::F64 => 64,
            Type::Ptr if self.literal(byte) == Some(0) => return Known::Pointer(self.null()),
            Type::Int(width) if self.literal(byte) == Some(0) => {
                let zero = self.pool.bv_zero(width.into());
                return Known::Scalar(foghorn_encode::scalar::from_bits(&mut self.pool, zero));
            }
            Type::Int(_) | Type::Ptr | Type::Memory(_) => return self.any(ty, bound),
        };
        let mut all = byte;
        for _ in 1..width / 8 {
            all = self.pool.concat(byte, all);
        }
        Known::Scalar(all)
    }

    /// What nobody wrote: the same at the same place.
    fn unknown_content(&mut self, memory: MemoryId, at: Pointer, ty: Type) -> Known {
        let bound = self.anywhere();
        let known = self.any(ty, bound);
        let others = self.base_reads.entry((memory, ty)).or_default().clone();
        for (place, theirs) in others {
            let object = self.same_object(at.object, place.object);
            let offset = self.pool.equal(at.offset, place.offset);
            let same = self.pool.and(&[object, offset]);
            if self.pool.as_bool(same) != Some(false) {
                let equal = self.equal(known, theirs);
                let axiom = self.pool.implies(same, equal);
                self.axioms.push(axiom);
            }
        }
        self.base_reads
            .entry((memory, ty))
            .or_default()
            .push((at, known));
        self.places.push(at);
        known
    }

    fn initial_content(&mut self, memory: MemoryId, at: Pointer, ty: Type) -> Known {
        let bound = self.anywhere();
        if let Some(number) = self.literal(at.object) {
            return match self.global_of(number) {
                Some(global) => self.initial_global(memory, global, at, ty),
                None => self.unknown_content(memory, at, ty),
            };
        }
        if let (Op::Ite, Some([condition, then, otherwise])) = (
            self.pool.op(at.object),
            self.pool.child_array::<3>(at.object),
        ) {
            let offset = at.offset;
            let then = self.read(
                memory,
                Pointer {
                    object: then,
                    offset,
                },
                ty,
            );
            let object = otherwise;
            let otherwise = self.read(memory, Pointer { object, offset }, ty);
            return self.choose(condition, then, otherwise);
        }
        let globals: Vec<GlobalId> = self.module.globals.keys().collect();
        if globals.len() > MOST_GLOBALS {
            return self.any(ty, bound);
        }
        let mut known = self.unknown_content(memory, at, ty);
        for global in globals {
            let number = self.global_number(global);
            let object = self.pool.bv(super::world::OBJECT_BITS, number);
            let here = self.pool.equal(at.object, object);
            let place = Pointer {
                object,
                offset: at.offset,
            };
            let held = self.read(memory, place, ty);
            known = self.choose(here, held, known);
        }
        known
    }

    fn initial_global(
        &mut self,
        memory: MemoryId,
        global: GlobalId,
        at: Pointer,
        ty: Type,
    ) -> Known {
        let bound = self.anywhere();
        let module = self.module;
        let data = &module.globals[global];
        let GlobalContents::Initialised(initializer) = &data.contents else {
            return self.unknown_content(memory, at, ty);
        };
        let bytes = self.bytes_of(ty);
        if let Some(offset) = self.literal(at.offset) {
            return match offset.checked_add(bytes) {
                Some(end) if end <= data.size => self.initial_cell(initializer, offset, bytes, ty),
                Some(_) | None => self.any(ty, bound),
            };
        }
        let is_zero = initializer.relocations.is_empty()
            && initializer
                .chunks
                .iter()
                .all(|it| it.1.iter().all(|byte| *byte == 0));
        if is_zero {
            let zero = self.pool.bv_zero(8);
            return self.repeated(zero, ty);
        }
        let cells = data.size.checked_div(bytes).unwrap_or(0);
        if cells > MOST_CELLS {
            return self.any(ty, bound);
        }
        let mut known = self.any(ty, bound);
        for cell in 0..cells {
            let held = self.initial_cell(initializer, cell * bytes, bytes, ty);
            let bits = self.bits();
            let offset = self.pool.bv(bits, cell * bytes);
            let here = self.pool.equal(at.offset, offset);
            known = self.choose(here, held, known);
        }
        known
    }

    fn initial_cell(
        &mut self,
        initializer: &Initializer,
        offset: u64,
        bytes: u64,
        ty: Type,
    ) -> Known {
        let bound = self.anywhere();
        let pointer_bytes = u64::from(self.module.layout.pointer_bytes);
        let touches = |start: u64| start < offset + bytes && offset < start + pointer_bytes;
        let mut relocations = initializer.relocations.iter();
        if let Some(relocation) = relocations.find(|it| touches(it.offset)) {
            if ty != Type::Ptr || relocation.offset != offset {
                return self.any(ty, bound);
            }
            let number = match relocation.target {
                Symbol::Global(global) => self.global_number(global),
                Symbol::Function(function) => Self::function_number(function),
            };
            let mut pointer = self.pointer_to(number);
            let bits = self.bits();
            pointer.offset = self.signed(bits, relocation.addend.into());
            return Known::Pointer(pointer);
        }
        let mut value = 0_u128;
        for (start, chunk) in &initializer.chunks {
            for (place, byte) in (*start..).zip(chunk) {
                if place >= offset && place < offset + bytes {
                    value |= u128::from(*byte) << (8 * (place - offset));
                }
            }
        }
        match ty {
            Type::Ptr if value == 0 => Known::Pointer(self.null()),
            Type::Ptr | Type::Memory(_) => self.any(ty, bound),
            Type::Int(width) => {
                let bits = foghorn_ir::body::truncate(value, width.into());
                let bits = self.pool.bitvec(BitVecValue::from_u128(width.into(), bits));
                Known::Scalar(foghorn_encode::scalar::from_bits(&mut self.pool, bits))
            }
            Type::F32 => Known::Scalar(self.pool.bitvec(BitVecValue::from_u128(32, value))),
            Type::F64 => Known::Scalar(self.pool.bitvec(BitVecValue::from_u128(64, value))),
        }
    }
}
