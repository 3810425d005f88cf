//! Values that the program does not determine.

use super::{Machine, Step};
use crate::instruction::NondetOrigin;
use crate::interpret::choice::{Choice, ChoiceRequest, known_object};
use crate::interpret::observer::{Change, Observer};
use crate::interpret::report::Outcome;
use crate::interpret::value::{ObjectId, Pointer, Slot};
use crate::types::Type;
use std::sync::Arc;

impl<O: Observer> Machine<'_, O> {
    /// Any value of a type. A pointer is what its address means, but one that was never given a
    /// value stays without an object.
    pub(super) fn nondet(&mut self, origin: &NondetOrigin, ty: Type) -> Step<Slot> {
        if let Type::Memory(region) = ty {
            return Ok(self.fresh_memory(region));
        }
        if let NondetOrigin::OverApproximated(operation) = origin {
            self.note_over_approximation(operation);
        }
        if let NondetOrigin::External(name) | NondetOrigin::Change(name) = origin {
            self.note_external_call(name);
        }
        let known = match (ty, origin) {
            (Type::Ptr, NondetOrigin::External(_) | NondetOrigin::Change(_)) => {
                self.known_to_this_function()
            }
            _other => vec![],
        };
        let objects: Vec<ObjectId> = known.iter().map(|known| known.object).collect();
        let bits = self.choose(origin, ty, &objects)?;
        if let Some(pointer) = self.pointer_to_known(&objects, bits) {
            let found = known.iter().find(|known| known.object == pointer.object);
            if O::ENABLED
                && let NondetOrigin::External(by) = origin
            {
                let route = found.and_then(|known| known.route.as_deref());
                self.observer.return_known(&Change { by, route }, pointer);
            }
            return Ok(pointer.into());
        }
        Ok(match (ty, origin) {
            (Type::Ptr, NondetOrigin::Uninitialised(_)) => Slot::from(Pointer {
                object: ObjectId::UNINITIALISED,
                offset: self.memory.signed(bits as u64),
            }),
            // Somebody who looks for what is known finds that, or nothing.
            (Type::Ptr, NondetOrigin::Change(_)) => Slot::from(Pointer::NULL),
            (
                Type::Ptr,
                NondetOrigin::Input(_)
                | NondetOrigin::External(_)
                | NondetOrigin::Undefined
                | NondetOrigin::OverApproximated(_),
            ) => self.memory.pointer_from_integer(bits as u64).into(),
            (Type::Int(_) | Type::F32 | Type::F64 | Type::Memory(_), _) => Slot::wide(bits),
        })
    }

    /// The pointer that an answer means by the objects that code outside the program knew, if it
    /// means one of those.
    pub(super) fn pointer_to_known(&self, known: &[ObjectId], bits: u128) -> Option<Pointer> {
        let (index, offset) = known_object(bits);
        let object = *known.get(index?)?;
        let offset = self.memory.signed(offset);
        Some(Pointer { object, offset })
    }

    /// Asks for bits, which may be a pointer to one of the known objects, and notes the answer.
    pub(super) fn choose(
        &mut self,
        origin: &NondetOrigin,
        ty: Type,
        known: &[ObjectId],
    ) -> Step<u128> {
        let span = self.span();
        let width = match ty {
            Type::Int(width) => width.into(),
            Type::Ptr => self.program.module.layout.pointer_bits(),
            Type::F32 => 32,
            Type::F64 => 64,
            Type::Memory(_) => 0,
        };
        let request = ChoiceRequest {
            origin,
            ty,
            width,
            span,
            index: self.log.len(),
            at: self.point(),
            known,
        };
        let Some(bits) = self.choices.choose(&request) else {
            return Err(Box::new(Outcome::InputExhausted { span }));
        };
        let bits = request.counted(bits);
        self.log.push(Choice {
            origin: origin.clone(),
            ty,
            span,
            bits,
        });
        Ok(bits)
    }

    /// A function without a body was called.
    pub(super) fn note_external_call(&mut self, name: &Arc<str>) {
        if !self.external_calls.contains(name) {
            self.external_calls.push(name.clone());
        }
    }

    fn note_over_approximation(&mut self, operation: &Arc<str>) {
        let known = self
            .over_approximations
            .iter()
            .any(|(name, _)| name == operation);
        if !known {
            self.over_approximations
                .push((operation.clone(), self.span()));
        }
    }
}
