//! Loads, stores, copies and fills, and whether they are allowed.

use super::pointer::{leaves, map_leaves};
use crate::execute::Executor;
use crate::execute::event::What;
use crate::memory::CellKind;
use crate::scalar;
use crate::semantics::object::{Kind, UNKNOWN};
use foghorn_core::{CheckKind, SiteKind};
use foghorn_ir::{Body, Cell, InstId, Instruction, MemoryRole, MemoryUse, Type};
use foghorn_term::{Op, Sort, TermId};

/// Which bytes were read and written since their marks were reset: memories of bytes, 0 or 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    pub modified: TermId,
    pub read: TermId,
    /// Whether accesses leave marks.
    pub tracking: TermId,
}

/// Numbers of the symbols of an instruction that are a pointer which code outside the program left.
const LEFT_OBJECT: u32 = u32::MAX - 1;
const LEFT_OFFSET: u32 = u32::MAX;
/// Numbers of those that say what is true of an object without a number.
const LOST_READ: u32 = u32::MAX - 2;
const LOST_WRITTEN: u32 = u32::MAX - 3;
const LOST_ALIGNED: u32 = u32::MAX - 4;
pub(super) const LOST_FREED: u32 = u32::MAX - 5;

/// No object lies below this address, in the interpreter neither.
pub(super) const FIRST_ADDRESS: u64 = 0x1_0000;

/// The representation's word for a cell.
pub(crate) fn cell_kind(cell: Cell) -> CellKind {
    match cell {
        Cell::Bytes => CellKind::Bytes,
        Cell::Word { bytes } => CellKind::Word { bytes },
        Cell::Pointer => CellKind::Pointer,
    }
}

impl<'m> Executor<'m, '_> {
    pub(crate) fn access(&mut self, body: &'m Body, id: InstId) {
        let data = &body.instructions[id];
        match data.instruction {
            Instruction::Load { pointer, align } => {
                let pointer = self.get(pointer);
                let ty = body.ty(data.results[0]);
                let length = self.store_size(ty);
                self.dereference(id, pointer, length, false);
                self.check_alignment(id, pointer, align);
                self.oblige_to_fit(body, id, pointer);
                let value = self.load(body, id, pointer, ty);
                self.set_result(id, value);
            }
            Instruction::Store {
                pointer,
                value,
                align,
            } => {
                let pointer = self.get(pointer);
                let ty = body.ty(value);
                let value = self.get(value);
                let length = self.store_size(ty);
                self.dereference(id, pointer, length, true);
                self.check_alignment(id, pointer, align);
                self.oblige_to_fit(body, id, pointer);
                self.store(body, id, pointer, value, ty);
            }
            Instruction::MemoryCopy {
                destination,
                source,
                length,
            } => {
                let (to, from) = (self.get(destination), self.get(source));
                let length = self.get(length);
                let length = self.memory.simplify(self.pool, length);
                self.dereference(id, from, length, false);
                self.dereference(id, to, length, true);
                self.copy(body, id, to, from, length);
            }
            Instruction::MemorySet {
                destination,
                byte,
                length,
            } => {
                let (to, byte) = (self.get(destination), self.get(byte));
                let length = self.get(length);
                let length = self.memory.simplify(self.pool, length);
                self.dereference(id, to, length, true);
                self.fill(body, id, to, byte, length);
            }
            ref other => unreachable!("invariant: {other:?} accesses no memory"),
        }
        self.note_obligations(id);
    }

    fn store_size(&mut self, ty: Type) -> TermId {
        let bytes = ty.store_size(self.pointer_bits / 8);
        self.pool.bv(self.pointer_bits, bytes.into())
    }

    /// The bytes are there and may be accessed so.
    pub(crate) fn dereference(&mut self, id: InstId, pointer: TermId, length: TermId, write: bool) {
        if !self.is_enabled(SiteKind::Dereference.representative()) {
            self.oblige_to_know(id, pointer);
            self.oblige_to_have_number(id, pointer);
        }
        let number = if write { LOST_WRITTEN } else { LOST_READ };
        let lost = self.undetermined_if_lost((id, number), pointer, false);
        let valid = self.is_valid_or(pointer, length, write, lost);
        self.check(SiteKind::Dereference, id, valid);
        self.mark(pointer, length, write);
    }

    /// Where invalid accesses are not reported they are assumed away. But a pointer that nobody
    /// determined is not always invalid: in some execution it happens to lead to a living object,
    /// and what the program does then is beyond the encoding.
    fn oblige_to_know(&mut self, id: InstId, pointer: TermId) {
        if !self.may_be_unknown(pointer) {
            return;
        }
        let base = self.base_of(pointer);
        let unknown = self.pool.bv(self.pointer_bits, UNKNOWN);
        let is_unknown = self.equal_bases(base, unknown);
        let known = self.pool.not(is_unknown);
        self.oblige(
            id,
            known,
            "an access through a pointer that nobody determined",
        );
    }

    /// The answer is exact only if this holds here.
    pub(crate) fn oblige(&mut self, id: InstId, condition: TermId, what: &str) {
        let condition = self.memory.simplify(self.pool, condition);
        if self.pool.as_bool(condition) == Some(true) {
            return;
        }
        let span = self.span(id);
        self.note(What::Obligation {
            condition,
            what: what.into(),
            span,
            of_cells: false,
        });
    }

    /// Cells that are only likely are exact where the access is of a whole one.
    fn oblige_to_fit(&mut self, body: &Body, id: InstId, pointer: TermId) {
        let region = &body.regions[body.instructions[id].memory[0].region];
        if !self.cells.are_guessed(region) {
            return;
        }
        let bytes = match self.cells.of(region) {
            Cell::Bytes => return,
            Cell::Word { bytes } => u64::from(bytes),
            Cell::Pointer => u64::from(self.pointer_bits / 8),
        };
        let zero = self.pool.bv_zero(self.pointer_bits);
        let mask = self.pool.bv(self.pointer_bits, bytes - 1);
        let always = self.pool.bool(true);
        let fits = self.by_object(pointer, always, |executor, _, offset| {
            let low = executor.pool.make(Op::BvAnd, &[offset, mask]);
            executor.pool.equal(low, zero)
        });
        let fits = match self.may_be_lost(pointer) {
            true => {
                let (offset, known) = (self.offset_of(pointer), self.has_number(pointer));
                let low = self.pool.make(Op::BvAnd, &[offset, mask]);
                let fits_anywhere = self.pool.equal(low, zero);
                let fits_or_known = self.pool.or(&[known, fits_anywhere]);
                self.pool.and(&[fits, fits_or_known])
            }
            false => fits,
        };
        let condition = self.memory.simplify(self.pool, fits);
        if self.pool.as_bool(condition) != Some(true) {
            let span = self.span(id);
            self.note(What::Obligation {
                condition,
                what: "an access is at a multiple of the cell".into(),
                span,
                of_cells: true,
            });
        }
    }

    /// Whether `length` bytes at a pointer can be accessed now; none can always.
    pub(crate) fn is_valid(&mut self, pointer: TermId, length: TermId, write: bool) -> TermId {
        let never = self.pool.bool(false);
        self.is_valid_or(pointer, length, write, never)
    }

    /// The same, with what is so where the pointer leads to no object that is known.
    fn is_valid_or(
        &mut self,
        pointer: TermId,
        length: TermId,
        write: bool,
        otherwise: TermId,
    ) -> TermId {
        let valid = self.by_object(pointer, otherwise, |executor, number, offset| {
            executor.is_within(number, offset, length, write)
        });
        let zero = self.pool.bv_zero(self.pointer_bits);
        let nothing = self.pool.equal(length, zero);
        self.pool.or(&[nothing, valid])
    }

    fn is_within(&mut self, number: u64, offset: TermId, length: TermId, write: bool) -> TermId {
        let Some(object) = self.memo.objects.get(number) else {
            return self.pool.bool(false);
        };
        let (size, dead) = (object.size, object.dead);
        if matches!(object.kind, Kind::Function(_)) || (write && object.constant) {
            return self.pool.bool(false);
        }
        let fits = self.pool.make(Op::BvUle, &[length, size]);
        let room = self.pool.bv_sub(size, length);
        let within = self.pool.make(Op::BvUle, &[offset, room]);
        let alive = self.pool.not(dead);
        let mut conditions = vec![alive, fits, within];
        if self.pool.as_bitvec(size).is_none() {
            // An object beyond half of the address space could hold offsets that mean negative ones.
            let zero = self.pool.bv_zero(self.pointer_bits);
            conditions.push(self.pool.make(Op::BvSle, &[zero, offset]));
        }
        self.pool.and(&conditions)
    }

    /// The address is a multiple of the alignment, whatever the base of a lesser aligned object is.
    fn check_alignment(&mut self, id: InstId, pointer: TermId, align: u32) {
        let align = u64::from(align.max(1));
        if !self.settings.alignment || align == 1 || !self.is_enabled(CheckKind::Misaligned) {
            return;
        }
        let zero = self.pool.bv_zero(self.pointer_bits);
        let mask = self.pool.bv(self.pointer_bits, align - 1);
        let otherwise = self.undetermined_if_lost((id, LOST_ALIGNED), pointer, true);
        let aligned = self.by_object(pointer, otherwise, |executor, number, offset| {
            let object = executor.memo.objects.get(number);
            let address = match object.map(|object| object.align >= align) {
                Some(false) => {
                    let base = executor.base_address(number);
                    base.map_or(offset, |base| executor.pool.bv_add(base, offset))
                }
                Some(true) | None => offset,
            };
            let low = executor.pool.make(Op::BvAnd, &[address, mask]);
            executor.pool.equal(low, zero)
        });
        self.check(SiteKind::Alignment, id, aligned);
    }

    /// A memory with indeterminate contents.
    pub fn arbitrary_memory(&mut self, name: &str, cell: Cell) -> TermId {
        self.memory.arbitrary(self.pool, name, cell_kind(cell))
    }

    fn load(&mut self, body: &Body, id: InstId, pointer: TermId, ty: Type) -> TermId {
        let memory_use = body.instructions[id].memory[0];
        let memory = self.get(memory_use.input);
        let cell = self.cells.of(&body.regions[memory_use.region]);
        if cell == Cell::Pointer {
            let sort = self.sort(Type::Ptr);
            let value = self.memory.read(self.pool, memory, pointer, sort);
            let value = self.memory.simplify(self.pool, value);
            let value = self.without_provenance(value);
            self.keep_wild_pointers_away(value);
            self.note_pointer_read(id, value);
            return match ty {
                Type::Ptr => value,
                Type::Int(width) => {
                    let address = self.address(value);
                    scalar::zero_resized(self.pool, address, width.into())
                }
                Type::F32 | Type::F64 => self.address(value),
                Type::Memory(_) => unreachable!("invariant: memories are not stored"),
            };
        }
        let width = ty.store_size(self.pointer_bits / 8) * 8;
        let bits = self
            .memory
            .read(self.pool, memory, pointer, Sort::BitVec(width));
        let bits = self.memory.simplify(self.pool, bits);
        if ty == Type::Ptr && self.has_external_contents {
            let left = self.left_outside(id);
            let value = self.pointer_from_address_or(bits, Some(left));
            self.note_pointer_read(id, value);
            return value;
        }
        self.note_read(id, bits);
        self.value_of_bits(ty, bits)
    }

    /// A pointer that code outside the program may have left: to any object there is.
    pub(super) fn left_outside(&mut self, id: InstId) -> TermId {
        let sort = Sort::BitVec(self.pointer_bits);
        let object = self.symbol(id, LEFT_OBJECT, "left outside", sort);
        let offset = self.symbol(id, LEFT_OFFSET, "left outside", sort);
        self.keep_away(object, offset);
        self.pool.pointer(object, offset)
    }

    /// Contents that nobody determined: where they are a pointer without an object, it is the address
    /// of none, as the report assumes of integers. Objects that are known outside are pointers of
    /// their own.
    fn keep_wild_pointers_away(&mut self, value: TermId) {
        if !self.has_external_contents {
            return;
        }
        for leaf in leaves(self.pool, value) {
            if let Op::Apply(_) = self.pool.op(leaf)
                && !self.may_hold_pointer(leaf)
            {
                let base = self.pool.pointer_base(leaf);
                let offset = self.pool.pointer_offset(leaf);
                self.keep_away(base, offset);
            }
        }
    }

    fn keep_away(&mut self, base: TermId, offset: TermId) {
        let unknown = self.pool.bv(self.pointer_bits, UNKNOWN);
        let first = self.pool.bv(self.pointer_bits, FIRST_ADDRESS);
        let is_unknown = self.pool.equal(base, unknown);
        let is_low = self.pool.make(Op::BvUlt, &[offset, first]);
        let condition = self.pool.implies(is_unknown, is_low);
        self.note(What::Assume { condition });
    }

    /// A pointer in one number, for replays: the object above the offset.
    pub(super) fn pointer_bits_of(&mut self, pointer: TermId) -> TermId {
        let (object, offset) = (self.base_of(pointer), self.offset_of(pointer));
        self.pool.concat(object, offset)
    }

    fn note_pointer_read(&mut self, id: InstId, pointer: TermId) {
        let bits = match self.has_external_contents {
            true => self.pointer_bits_of(pointer),
            false => self.offset_of(pointer),
        };
        self.note_read(id, bits);
    }

    /// A pointer that nobody wrote belongs to no object. Contents that come from outside the program,
    /// or were changed there, may be any address, and then nothing is known.
    fn without_provenance(&mut self, value: TermId) -> TermId {
        if self.has_external_contents {
            return value;
        }
        let unknown = self.pool.bv(self.pointer_bits, UNKNOWN);
        let all = leaves(self.pool, value).into_iter();
        let kept: Vec<TermId> = all.filter(|&leaf| self.may_hold_pointer(leaf)).collect();
        map_leaves(self.pool, value, |pool, leaf| match pool.op(leaf) {
            Op::Apply(_) if !kept.contains(&leaf) => {
                let address = pool.pointer_offset(leaf);
                pool.pointer(unknown, address)
            }
            _ => leaf,
        })
    }

    /// What bits mean as a value of a type.
    fn value_of_bits(&mut self, ty: Type, bits: TermId) -> TermId {
        match ty {
            Type::Ptr => self.pointer_from_address(bits),
            Type::Int(width) => scalar::zero_resized(self.pool, bits, width.into()),
            Type::F32 | Type::F64 => bits,
            Type::Memory(_) => unreachable!("invariant: memories are not stored"),
        }
    }

    fn note_read(&mut self, id: InstId, bits: TermId) {
        let point = self.point(id);
        self.note(What::Read { point, bits });
    }

    fn store(&mut self, body: &Body, id: InstId, pointer: TermId, value: TermId, ty: Type) {
        let memory_use = body.instructions[id].memory[0];
        let memory = self.get(memory_use.input);
        let cell = self.cells.of(&body.regions[memory_use.region]);
        let value = match (cell, ty) {
            (Cell::Pointer, Type::Ptr) => value,
            (Cell::Pointer, _) => {
                let bits = self.bits_of_value(ty, value);
                self.pointer_from_address(bits)
            }
            (Cell::Bytes | Cell::Word { .. }, _) => self.bits_of_value(ty, value),
        };
        let value = self.memory.simplify(self.pool, value);
        let written = self.memory.write(self.pool, memory, pointer, value);
        self.set_output(&memory_use, written);
    }

    /// A value as it lies in memory.
    pub fn bits_of_value(&mut self, ty: Type, value: TermId) -> TermId {
        match ty {
            Type::Ptr => self.address(value),
            Type::Int(_) => {
                let width = ty.store_size(self.pointer_bits / 8) * 8;
                let bits = scalar::as_bits(self.pool, value);
                self.pool.zero_resize(width, bits)
            }
            Type::F32 | Type::F64 => value,
            Type::Memory(_) => unreachable!("invariant: memories are not stored"),
        }
    }

    pub(crate) fn set_output(&mut self, memory_use: &MemoryUse, memory: TermId) {
        if let Some(output) = memory_use.output {
            self.set(output, memory);
        }
    }

    fn copy(&mut self, body: &Body, id: InstId, to: TermId, from: TermId, length: TermId) {
        let uses = &body.instructions[id].memory;
        let with = |role| uses.iter().filter(move |memory| memory.role == role);
        let pairs: Vec<(MemoryUse, Option<MemoryUse>)> = {
            let mut sources = with(MemoryRole::Source).copied();
            with(MemoryRole::Destination)
                .map(|&destination| (destination, sources.next()))
                .collect()
        };
        for (destination, source) in pairs {
            let memory = self.get(destination.input);
            let cell = self.cells.of(&body.regions[destination.region]);
            // Without a source region nothing that was ever written is copied.
            let source_memory = match source {
                Some(source) => self.get(source.input),
                None => self.fresh_contents(id, &destination, cell),
            };
            let copied = self
                .memory
                .copy(self.pool, memory, to, source_memory, from, length);
            self.set_output(&destination, copied);
        }
    }

    /// Contents that nobody determined, for one use of one instruction.
    pub(crate) fn fresh_contents(&mut self, id: InstId, memory: &MemoryUse, cell: Cell) -> TermId {
        use cranelift_entity::EntityRef;
        let context = self.context().index();
        let name = format!("havoc{context}.{}.{}", id.index(), memory.region.index());
        self.arbitrary_memory(&name, cell)
    }

    fn fill(&mut self, body: &Body, id: InstId, to: TermId, byte: TermId, length: TermId) {
        for memory_use in &body.instructions[id].memory {
            let memory = self.get(memory_use.input);
            let filled = self.memory.set(self.pool, memory, to, byte, length);
            self.set_output(memory_use, filled);
        }
    }

    /// Makes bytes indeterminate in every region that an instruction says it writes.
    pub(crate) fn havoc(&mut self, body: &Body, id: InstId, to: TermId, length: TermId) {
        for memory_use in &body.instructions[id].memory {
            if memory_use.output.is_none() {
                continue;
            }
            let memory = self.get(memory_use.input);
            let cell = self.cells.of(&body.regions[memory_use.region]);
            let contents = self.fresh_contents(id, memory_use, cell);
            let havocked = self
                .memory
                .copy(self.pool, memory, to, contents, to, length);
            self.set_output(memory_use, havocked);
        }
    }

    /// Code outside the program changes the regions that an instruction names. Which of their objects
    /// it reaches is not told apart. Pointers stay as they are unless it changes these too.
    pub(crate) fn havoc_reachable(&mut self, body: &Body, id: InstId, with_pointers: TermId) {
        for memory_use in &body.instructions[id].memory {
            if memory_use.output.is_none() {
                continue;
            }
            let cell = self.cells.of(&body.regions[memory_use.region]);
            let contents = self.fresh_contents(id, memory_use, cell);
            let changed = match cell {
                Cell::Pointer => {
                    let memory = self.get(memory_use.input);
                    self.memory
                        .merge(self.pool, with_pointers, contents, memory)
                }
                Cell::Bytes | Cell::Word { .. } => contents,
            };
            self.set_output(memory_use, changed);
        }
    }

    /// Leaves marks, if the program asks for them.
    fn mark(&mut self, pointer: TermId, length: TermId, write: bool) {
        let Some(marks) = self.marks else {
            return;
        };
        let guard = self.guard();
        let condition = self.pool.and(&[guard, marks.tracking]);
        if self.pool.as_bool(condition) == Some(false) {
            return;
        }
        let one = self.pool.bv(8, 1);
        let before = if write { marks.modified } else { marks.read };
        let marked = self.memory.set(self.pool, before, pointer, one, length);
        let after = self.memory.merge(self.pool, condition, marked, before);
        self.marks = Some(if write {
            Marks {
                modified: after,
                ..marks
            }
        } else {
            Marks {
                read: after,
                ..marks
            }
        });
    }
}
