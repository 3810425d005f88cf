//! Objects and memory: what allocations, accesses and frees do, and whether they are allowed.

use super::instruction::{memory_of, pointer_of, term};
use super::memory::MemoryNode;
use super::walk::{State, Walker};
use super::world::{Birth, Kind, Known, LifeId, MemoryId, OBJECT_BITS, Pointer};
use foghorn_core::SiteKind;
use foghorn_encode::claim::{FIRST_OBJECT, UNKNOWN};
use foghorn_ir::{AllocationKind, InstId, Instruction, MemoryRole, MemoryUse, Type, ValueId};
use foghorn_term::{Op, TermId};

impl Walker<'_, '_, '_> {
    pub(super) fn allocate(
        &mut self,
        id: InstId,
        (kind, align): (AllocationKind, u64),
        size: ValueId,
        state: &mut State,
    ) {
        let size = term(self.get(size));
        let zero = self.world.pool.bv_zero(self.world.bits());
        let sane = self.world.pool.bv_sle(zero, size);
        self.assume(state, sane);
        let of = match kind {
            AllocationKind::Stack => Kind::Stack,
            AllocationKind::Permanent => Kind::Global,
            AllocationKind::Heap => Kind::Heap(self.heap_number(id)),
        };
        let pointer = self.world.allocate(size, (of, align));
        match self.plan.starts_dead.contains(&id) {
            true => state.life = self.world.set_alive(state.life, pointer.object, false),
            false => self.come_to_life(pointer, state),
        }
        if self.rules.uses_shadows() {
            state.shadows = self.world.clear_shadows(state.shadows, pointer);
        }
        let body = self.body;
        for used in &body.instructions[id].memory {
            self.forget(used, pointer, None);
        }
        self.set(body.instructions[id].results[0], Known::Pointer(pointer));
    }

    /// From here on an object is alive.
    pub(super) fn come_to_life(&mut self, pointer: Pointer, state: &mut State) {
        self.world.births.push(Birth {
            object: pointer.object,
            before: state.life,
            guard: state.guard,
        });
        state.life = self.world.set_alive(state.life, pointer.object, true);
    }

    pub(super) fn free(&mut self, id: InstId, pointer: Pointer, state: &mut State) {
        let world = &mut *self.world;
        let null = world.pool.bv_zero(OBJECT_BITS);
        let zero = world.pool.bv_zero(world.bits());
        let at_start = world.pool.equal(pointer.offset, zero);
        let is_null = world.same_object(pointer.object, null);
        let on_heap = world.is_heap(pointer.object);
        let alive = world.is_alive(state.life, pointer.object);
        let lives = world.pool.and(&[on_heap, alive]);
        let object = world.pool.or(&[is_null, lives]);
        let valid = world.pool.and(&[at_start, object]);
        if world.checks.contains(SiteKind::Free.representative()) {
            self.ask(state, id, SiteKind::Free, valid);
        }
        self.assume(state, valid);
        state.life = self.world.set_alive(state.life, pointer.object, false);
    }

    pub(super) fn access(&mut self, id: InstId, state: &mut State) {
        let body = self.body;
        let data = &body.instructions[id];
        match &data.instruction {
            Instruction::Load { pointer, .. } => {
                let (at, ty) = (pointer_of(self.get(*pointer)), body.ty(data.results[0]));
                self.dereference(id, at, Length::Of(ty), false, state);
                let memory = memory_of(self.get(data.memory[0].input));
                let value = self.world.read(memory, at, ty);
                if let Known::Pointer(loaded) = value {
                    // Whatever it is, it was there before.
                    let next = self.world.next_object();
                    let exists = self.world.pool.make(Op::BvUlt, &[loaded.object, next]);
                    self.assume(state, exists);
                }
                self.set(data.results[0], value);
            }
            Instruction::Store { pointer, value, .. } => {
                let (to, ty) = (pointer_of(self.get(*pointer)), body.ty(*value));
                self.dereference(id, to, Length::Of(ty), true, state);
                let value = self.get(*value);
                for used in &data.memory {
                    let before = memory_of(self.get(used.input));
                    let cell = body.regions[used.region].cell;
                    let after = self.world.memory(MemoryNode::Store {
                        before,
                        to,
                        value,
                        ty,
                        cell,
                    });
                    self.set_output(used, after);
                }
            }
            Instruction::MemorySet {
                destination,
                byte,
                length,
            } => {
                let to = pointer_of(self.get(*destination));
                let (byte, length) = (term(self.get(*byte)), term(self.get(*length)));
                self.dereference(id, to, Length::Bytes(length), true, state);
                for used in &data.memory {
                    let before = memory_of(self.get(used.input));
                    let after = self.world.memory(MemoryNode::Fill {
                        before,
                        to,
                        length,
                        byte,
                    });
                    self.set_output(used, after);
                }
            }
            Instruction::MemoryCopy {
                destination,
                source,
                length,
            } => {
                let to = pointer_of(self.get(*destination));
                let from = pointer_of(self.get(*source));
                let length = term(self.get(*length));
                self.dereference(id, from, Length::Bytes(length), false, state);
                self.dereference(id, to, Length::Bytes(length), true, state);
                self.copy(id, to, from, length);
            }
            _ => {}
        }
    }

    /// The n-th source region feeds the n-th destination region.
    fn copy(&mut self, id: InstId, to: Pointer, from: Pointer, length: TermId) {
        let body = self.body;
        let uses = &body.instructions[id].memory;
        let of = |role: MemoryRole| uses.iter().filter(move |used| used.role == role);
        let sources: Vec<&MemoryUse> = of(MemoryRole::Source).collect();
        for (index, used) in of(MemoryRole::Destination).enumerate() {
            let before = memory_of(self.get(used.input));
            let after = match sources.get(index) {
                Some(source) => {
                    let source = memory_of(self.get(source.input));
                    self.world.memory(MemoryNode::Copy {
                        before,
                        to,
                        length,
                        source,
                        from,
                    })
                }
                None => self.world.forget(before, to, Some(length)),
            };
            self.set_output(used, after);
        }
    }

    /// The bytes are there and may be accessed so.
    pub(super) fn dereference(
        &mut self,
        id: InstId,
        at: Pointer,
        length: Length,
        write: bool,
        state: &mut State,
    ) {
        let selected = self
            .world
            .checks
            .contains(SiteKind::Dereference.representative());
        let valid = self.is_valid(at, length, write, state.life);
        if selected {
            self.ask(state, id, SiteKind::Dereference, valid);
        } else {
            // Such a pointer may happen to lead to a living object, and what is done then is not told.
            let unknown = self.world.pool.bv(OBJECT_BITS, UNKNOWN);
            let is_unknown = self.world.same_object(at.object, unknown);
            let is_known = self.world.pool.not(is_unknown);
            self.oblige(
                state,
                is_known,
                "an access through a pointer that nobody determined",
            );
        }
        self.assume(state, valid);
    }

    pub(super) fn is_valid(
        &mut self,
        at: Pointer,
        length: Length,
        write: bool,
        life: LifeId,
    ) -> TermId {
        let world = &mut *self.world;
        let bits = world.bits();
        let length = match length {
            Length::Of(ty) => {
                let bytes = ty.store_size(world.module.layout.pointer_bytes);
                world.pool.bv(bits, bytes.into())
            }
            Length::Bytes(length) => length,
        };
        let zero = world.pool.bv_zero(bits);
        let size = world.size(at.object);
        // Sizes are below half of the addresses, those of functions below 0.
        let starts = world.pool.bv_sle(zero, at.offset);
        let fits = world.pool.bv_sle(zero, length);
        let room = world.pool.bv_sub(size, length);
        let smaller = world.pool.bv_sle(length, size);
        let ends = world.pool.bv_sle(at.offset, room);
        let alive = world.is_alive(life, at.object);
        let first = world.pool.bv(OBJECT_BITS, FIRST_OBJECT);
        let is_object = world.pool.make(Op::BvUle, &[first, at.object]);
        let mut all = vec![is_object, starts, fits, smaller, ends, alive];
        if write {
            let constant = world.is_kind(at.object, Kind::ConstantGlobal);
            all.push(world.pool.not(constant));
        }
        let valid = world.pool.and(&all);
        let nothing = world.pool.equal(length, zero);
        world.pool.or(&[nothing, valid])
    }

    pub(super) fn set_output(&mut self, used: &MemoryUse, memory: MemoryId) {
        if let Some(output) = used.output {
            self.set(output, Known::Memory(memory));
        }
    }

    pub(super) fn forget(&mut self, used: &MemoryUse, at: Pointer, length: Option<TermId>) {
        if used.output.is_some() {
            let before = memory_of(self.get(used.input));
            let after = self.world.forget(before, at, length);
            self.set_output(used, after);
        }
    }
}

/// How many bytes are accessed.
#[derive(Clone, Copy)]
pub(super) enum Length {
    Of(Type),
    Bytes(TermId),
}
