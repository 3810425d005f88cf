//! Calls.

use foghorn_absint::language::{Condition, Statement};
use foghorn_core::CheckKind;
use foghorn_ir::{Builtin, Callee, InstId, ValueId};

use super::FunctionTranslator;
use super::memory::Direction;
use super::program::goto_name;
use crate::dropped::DroppedKind;
use crate::obligation::ObligationKind;
use crate::shape::Shape;

impl FunctionTranslator<'_> {
    pub(super) fn call(&mut self, id: InstId, callee: &Callee, arguments: &[ValueId]) {
        match callee {
            Callee::Direct(function) if self.module.functions[*function].body.is_some() => {
                let given = arguments;
                let mut arguments = self.arguments(given);
                let passed = self.pass_regions(id, *function, given);
                arguments.extend(&passed.arguments);
                let body = self.body;
                let results = &body.instructions[id].results;
                let shapes: Vec<Shape> = results.iter().map(|it| self.shapes[*it]).collect();
                let scalars = shapes.iter().flat_map(|shape| shape.variables());
                self.emitter.push(Statement::Call {
                    results: scalars.chain(passed.results.iter().copied()).collect(),
                    function: goto_name(self.module, *function),
                    arguments,
                });
                for shape in shapes {
                    if let Shape::Pointer(pointer) = shape {
                        self.emitter.assume_size(pointer.size);
                    }
                }
                self.take_back(*function, passed, given);
            }
            Callee::Direct(_) => self.drop_results(id, DroppedKind::ExternalCall),
            Callee::Indirect(_) => {
                let kind = if self.is_on(CheckKind::InvalidCall) {
                    ObligationKind::Call
                } else {
                    ObligationKind::Check(CheckKind::Unsupported)
                };
                self.oblige(id, kind, vec![Vec::new()]);
                self.drop_results(id, DroppedKind::IndirectCall);
                if self.body.is_pure() {
                    // The pointer analysis knows no function that this could call.
                    self.emitter.assume(Condition::Constant(false));
                }
            }
            Callee::Builtin(builtin) => self.builtin(id, builtin, arguments),
        }
    }

    fn builtin(&mut self, id: InstId, builtin: &Builtin, arguments: &[ValueId]) {
        match (builtin, arguments) {
            (Builtin::ObjectOffset, [pointer]) => {
                let offset = self.pointer(*pointer).offset;
                if let Shape::Integer(target) = self.shapes[self.body.result(id)] {
                    self.emitter.assign(target, offset);
                }
            }
            (Builtin::WriteOutput, [_, pointer, length]) => {
                self.range_access(id, *pointer, *length, Direction::Read);
                self.drop_results(id, DroppedKind::Builtin);
            }
            (Builtin::ReadInput, [_, pointer, length])
            | (Builtin::FormatFloat | Builtin::HavocMemory, [pointer, length, ..]) => {
                self.range_access(id, *pointer, *length, Direction::Write);
                self.drop_results(id, DroppedKind::Builtin);
                self.havoc_written(id);
            }
            (
                Builtin::WriteOutput
                | Builtin::ReadInput
                | Builtin::FormatFloat
                | Builtin::HavocMemory
                | Builtin::HavocReachable(_)
                | Builtin::ObjectOffset
                | Builtin::IsDereferenceable
                | Builtin::ObjectSize
                | Builtin::SameObject
                | Builtin::IsAlive
                | Builtin::IsModified
                | Builtin::ResetModified
                | Builtin::IsRead
                | Builtin::ResetRead
                | Builtin::TrackAccesses
                | Builtin::SetShadow
                | Builtin::GetShadow
                | Builtin::Math(_),
                _,
            ) => {
                self.drop_results(id, DroppedKind::Builtin);
                self.havoc_written(id);
            }
        }
    }
}
