//! Loads, stores, copies and fills, and whether they are allowed.

use super::{Event, Interrupt, State, Step};
use crate::clauses::Maker;
use crate::datum::{Datum, Pointer};
use crate::layout::{CellKind, Layout};
use crate::memory::{Contents, Node, Target};
use crate::objects::{NULL, UNKNOWN};
use foghorn_core::{CheckKind, SiteKind};
use foghorn_encode::integers::Value;
use foghorn_ir::{Body, InstId, Instruction, IntPredicate, MemoryRole, MemoryUse, Type};

impl<'t> Maker<'t> {
    pub fn access(&mut self, state: &mut State, body: &'t Body, id: InstId) -> Step<()> {
        let data = &body.instructions[id];
        let function = state.frame().function;
        match data.instruction {
            Instruction::Load { pointer, .. } => {
                let ty = body.ty(data.results[0]);
                let pointer = self.pointer(state, pointer);
                let layout = self.layout_of(function, &data.memory[0]);
                let bytes = ty.store_size(self.pointer_bits / 8);
                let length = self.distance(bytes.into());
                self.dereference(state, id, &pointer, &length, false, Some(&layout))?;
                if self.matters(function, data.results[0]) {
                    let value = self.load(state, &data.memory[0], &layout, &pointer, ty)?;
                    self.note_read(state, id, &value, ty);
                    self.set(state, data.results[0], value);
                }
            }
            Instruction::Store { pointer, value, .. } => {
                let ty = body.ty(value);
                let pointer = self.pointer(state, pointer);
                let layout = self.layout_of(function, &data.memory[0]);
                let bytes = ty.store_size(self.pointer_bits / 8);
                let length = self.distance(bytes.into());
                self.dereference(state, id, &pointer, &length, true, Some(&layout))?;
                if data.memory[0]
                    .output
                    .is_some_and(|it| self.matters(function, it))
                {
                    let value = self.get(state, value);
                    let value = self.widened(ty, bytes, value);
                    self.write(state, &data.memory[0], &layout, &pointer, bytes, value);
                }
            }
            Instruction::MemoryCopy {
                destination,
                source,
                length,
            } => {
                let (to, from) = (
                    self.pointer(state, destination),
                    self.pointer(state, source),
                );
                let length = self.number(state, length);
                let read = self.first_layout(function, data, MemoryRole::Source);
                let written = self.first_layout(function, data, MemoryRole::Destination);
                self.dereference(state, id, &from, &length, false, read.as_ref())?;
                self.dereference(state, id, &to, &length, true, written.as_ref())?;
                self.copy(state, body, id, (&to, &from), &length);
            }
            Instruction::MemorySet {
                destination,
                byte,
                length,
            } => {
                let to = self.pointer(state, destination);
                let (byte, length) = (self.number(state, byte), self.number(state, length));
                let written = self.first_layout(function, data, MemoryRole::Destination);
                self.dereference(state, id, &to, &length, true, written.as_ref())?;
                for used in &data.memory {
                    self.change(state, used, |before| Node::Fill {
                        before,
                        at: to.clone(),
                        byte: byte.clone(),
                        length: length.clone(),
                    });
                }
            }
            ref other => unreachable!("invariant: {other:?} accesses no memory"),
        }
        Ok(())
    }

    pub fn layout_of(&self, function: foghorn_ir::FunctionId, used: &MemoryUse) -> Layout {
        self.layouts.get(function, used.region).clone()
    }

    /// The layout of the only region with a role; sizes and lives of its objects speak for the pointer.
    fn first_layout(
        &self,
        function: foghorn_ir::FunctionId,
        data: &foghorn_ir::InstructionData,
        role: MemoryRole,
    ) -> Option<Layout> {
        let used = data.memory.iter().find(|used| used.role == role)?;
        let mut layout = self.layout_of(function, used);
        // The other regions of a range may lie in other objects.
        let others = data.memory.iter().filter(|used| used.role == role);
        for used in others {
            let other = self.layouts.get(function, used.region);
            layout.mortal |= other.mortal;
            layout.size = layout.size.filter(|size| other.size == Some(*size));
            layout.constants.extend(other.constants.iter().copied());
        }
        Some(layout)
    }

    /// The bytes are there and may be accessed so. Each way to fail is a rule of its own.
    pub fn dereference(
        &mut self,
        state: &mut State,
        id: InstId,
        pointer: &Pointer,
        length: &Value,
        write: bool,
        layout: Option<&Layout>,
    ) -> Step<()> {
        let kind = SiteKind::Dereference;
        let zero = self.distance(0);
        let nothing = self.compare(IntPredicate::Eq, length, &zero);
        match self.known(state, nothing) {
            Some(true) => return Ok(()),
            Some(false) => {}
            None => return Err(Interrupt::Split(nothing)),
        }
        let is_asked = self.settings.checks.contains(CheckKind::OutOfBounds);
        let unknown = self.leads_to(state, pointer, UNKNOWN);
        if !is_asked && self.known(state, unknown) != Some(false) {
            self.oblige(
                state,
                unknown,
                "an access through a pointer that nobody determined",
                id,
            );
        }
        let asked = is_asked && self.is_asked(&self.site(state, kind, id));
        if is_asked && !asked {
            return Ok(());
        }
        let null = self.leads_to(state, pointer, NULL);
        let no_object = self.pool.or(&[null, unknown]);
        let object = self.pool.not(no_object);
        self.check_kind(state, id, kind, CheckKind::OutOfBounds, object)?;
        if !asked {
            return Ok(());
        }
        if write {
            for constant in layout.into_iter().flat_map(|it| it.constants.clone()) {
                let number = self.numbering.global(constant);
                let here = self.leads_to(state, pointer, number);
                let fine = self.pool.not(here);
                self.check_kind(state, id, kind, CheckKind::OutOfBounds, fine)?;
            }
        }
        if layout.is_none_or(|layout| layout.mortal) {
            let alive = self.is_alive(state, pointer)?;
            self.check_kind(state, id, kind, CheckKind::OutOfBounds, alive)?;
        }
        let within = self.is_within(state, pointer, length, layout)?;
        self.check_kind(state, id, kind, CheckKind::OutOfBounds, within)
    }

    /// Whether so many bytes lie within the object.
    pub fn is_within(
        &mut self,
        state: &mut State,
        pointer: &Pointer,
        length: &Value,
        layout: Option<&Layout>,
    ) -> Step<foghorn_term::TermId> {
        let size = match layout.and_then(|layout| layout.size) {
            Some(size) => self.distance(size.cast_signed()),
            None => self.size_of(state, pointer)?,
        };
        let offset = self.narrow(state, &pointer.offset);
        let zero = self.distance(0);
        let natural = self.compare(IntPredicate::Sle, &zero, &offset);
        let fits = self.compare(IntPredicate::Ule, length, &size);
        // Where the length fits the difference is not negative.
        let width = self.pointer_bits;
        let room = self.integers.binary(
            &mut self.pool,
            foghorn_ir::BinaryOp::Sub,
            width,
            &size,
            length,
        );
        let below = self.compare(IntPredicate::Sle, &offset, &room);
        Ok(self.pool.and(&[natural, fits, below]))
    }

    pub(crate) fn load(
        &mut self,
        state: &mut State,
        used: &MemoryUse,
        layout: &Layout,
        pointer: &Pointer,
        ty: Type,
    ) -> Step<Datum> {
        let bytes = ty.store_size(self.pointer_bits / 8);
        let memory = self.contents(state, used.input);
        if bytes != layout.bytes {
            self.note_imprecision("a load of more or less than a cell", self.span(state));
            return Ok(self.any_datum("loaded", ty));
        }
        let target = Target {
            object: pointer.object,
            offset: pointer.offset.clone(),
        };
        let cell = self.read(state, &memory, layout, &target)?;
        Ok(match (cell, ty) {
            (Datum::Pointer(pointer), Type::Ptr) => Datum::Pointer(pointer),
            (Datum::Pointer(pointer), _) => {
                let address = self.address_of(&pointer);
                self.narrowed(ty, self.pointer_bits, address)
            }
            (Datum::Number { value, address }, Type::Ptr) => {
                Datum::Pointer(self.pointer_of(state, &value, address.as_deref())?)
            }
            (number, _) => {
                let CellKind::Number { width } = layout.cell else {
                    unreachable!("invariant: a number is in a cell of numbers");
                };
                self.narrowed(ty, width, number)
            }
        })
    }

    /// A number of a cell as a value of a type.
    fn narrowed(&mut self, ty: Type, from: u32, number: Datum) -> Datum {
        let to = self.width_of(ty);
        match number {
            Datum::Number { value, .. } if to < from => {
                Datum::number(self.integers.truncate(&mut self.pool, from, to, &value))
            }
            other => other,
        }
    }

    /// A value as wide as the bytes that it takes in memory.
    fn widened(&mut self, ty: Type, bytes: u32, value: Datum) -> Datum {
        match value {
            Datum::Number { value, address } => {
                let width = self.width_of(ty);
                match width < bytes * 8 {
                    true => Datum::number(self.integers.zero_extend(
                        &mut self.pool,
                        width,
                        bytes * 8,
                        &value,
                    )),
                    false => Datum::Number { value, address },
                }
            }
            other => other,
        }
    }

    fn write(
        &mut self,
        state: &mut State,
        used: &MemoryUse,
        layout: &Layout,
        pointer: &Pointer,
        bytes: u32,
        value: Datum,
    ) {
        let Some(output) = used.output else { return };
        let before = self.contents(state, used.input);
        let after = match layout.is_single() && bytes == layout.bytes {
            true => Contents::new(Node::Single(self.as_cell(layout.cell, &value))),
            false => before.write(pointer.clone(), bytes, value),
        };
        self.set(state, output, Datum::Contents(after));
    }

    /// Changes the contents that a use names, if anybody needs them.
    pub fn change(
        &mut self,
        state: &mut State,
        used: &MemoryUse,
        node: impl FnOnce(Contents) -> Node,
    ) {
        let Some(output) = used.output else { return };
        if self.matters(state.frame().function, output) {
            let before = self.contents(state, used.input);
            let after = Contents::new(node(before));
            self.set(state, output, Datum::Contents(after));
        }
    }

    fn copy(
        &mut self,
        state: &mut State,
        body: &Body,
        id: InstId,
        (to, from): (&Pointer, &Pointer),
        length: &Value,
    ) {
        let uses = &body.instructions[id].memory;
        let sources: Vec<&MemoryUse> = uses
            .iter()
            .filter(|used| used.role == MemoryRole::Source)
            .collect();
        let destinations = uses
            .iter()
            .filter(|used| used.role == MemoryRole::Destination);
        for (number, used) in destinations.enumerate() {
            let source = sources
                .get(number)
                .map(|used| self.contents(state, used.input));
            // Without a source region nothing that was ever written is copied.
            let source = source.unwrap_or_else(|| Contents::new(Node::Unwritten));
            self.change(state, used, |before| Node::Copy {
                before,
                at: to.clone(),
                source,
                from: from.clone(),
                length: length.clone(),
            });
        }
    }

    fn note_read(&mut self, state: &mut State, id: InstId, value: &Datum, ty: Type) {
        let term = match value {
            Datum::Number { value, .. } => value.term,
            Datum::Pointer(pointer) => pointer.offset.term,
            Datum::Contents(_) => return,
        };
        let (point, width) = (state.point(id), self.width_of(ty));
        state.events.push(Event::Read { point, term, width });
    }
}
