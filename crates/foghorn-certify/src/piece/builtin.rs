//! Operations on the machine and on the memory model.

use super::access::Length;
use super::instruction::{memory_of, pointer_of, term};
use super::walk::{State, Walker};
use super::world::{Kind, Known};
use foghorn_ir::{Builtin, Cell, InstId, ValueId};

impl Walker<'_, '_, '_> {
    /// An operation on the machine or on the memory model.
    pub(super) fn builtin(
        &mut self,
        id: InstId,
        builtin: &Builtin,
        arguments: &[ValueId],
        state: &mut State,
    ) {
        let known: Vec<Known> = arguments.iter().map(|it| self.get(*it)).collect();
        let body = self.body;
        let data = &body.instructions[id];
        let mut result: Option<Known> = None;
        match builtin {
            Builtin::WriteOutput => {
                let length = Length::Bytes(term(known[2]));
                self.dereference(id, pointer_of(known[1]), length, false, state);
            }
            Builtin::ReadInput | Builtin::FormatFloat | Builtin::HavocMemory => {
                let first = usize::from(*builtin == Builtin::ReadInput);
                let (to, length) = (pointer_of(known[first]), term(known[first + 1]));
                self.dereference(id, to, Length::Bytes(length), true, state);
                for used in &data.memory {
                    self.forget(used, to, Some(length));
                }
            }
            Builtin::HavocReachable(_) => {
                for used in &data.memory {
                    let before = memory_of(self.get(used.input));
                    let any = self.world.any_memory();
                    let after = match body.regions[used.region].cell {
                        Cell::Pointer => self.world.choose_memory(term(known[1]), any, before),
                        Cell::Bytes | Cell::Word { .. } => any,
                    };
                    self.set_output(used, after);
                }
            }
            Builtin::IsDereferenceable => {
                let length = Length::Bytes(term(known[1]));
                let valid = self.is_valid(pointer_of(known[0]), length, false, state.life);
                result = Some(Known::Scalar(valid));
            }
            Builtin::ObjectOffset => result = Some(Known::Scalar(pointer_of(known[0]).offset)),
            Builtin::SameObject => {
                let (a, b) = (pointer_of(known[0]).object, pointer_of(known[1]).object);
                result = Some(Known::Scalar(self.world.same_object(a, b)));
            }
            Builtin::IsAlive => {
                let object = pointer_of(known[0]).object;
                result = Some(Known::Scalar(self.world.is_alive(state.life, object)));
            }
            Builtin::ObjectSize => {
                let world = &mut *self.world;
                let object = pointer_of(known[0]).object;
                let size = world.size(object);
                let zero = world.pool.bv_zero(world.bits());
                let is_function = world.is_kind(object, Kind::Function);
                result = Some(Known::Scalar(world.pool.ite(is_function, zero, size)));
            }
            Builtin::IsModified
            | Builtin::ResetModified
            | Builtin::IsRead
            | Builtin::ResetRead
            | Builtin::TrackAccesses
            | Builtin::Math(_) => {}
            Builtin::SetShadow => {
                let (slot, object) = (term(known[0]), pointer_of(known[1]).object);
                state.shadows = self.world.set_shadow(state.shadows, slot, object, known[2]);
            }
            Builtin::GetShadow => {
                let (slot, object) = (term(known[0]), pointer_of(known[1]).object);
                result = Some(self.world.shadow(state.shadows, slot, object));
            }
        }
        for used in &data.memory {
            if let Some(output) = used.output
                && !self.is_set(output)
            {
                let any = self.world.any_memory();
                self.set(output, Known::Memory(any));
            }
        }
        for &value in &data.results {
            let any = result.unwrap_or_else(|| self.any(body.ty(value)));
            self.set(value, any);
        }
    }
}
