//! Calls.

use foghorn_absint::language::Statement;
use foghorn_ir::{Builtin, Callee, InstId, ValueId};

use super::FunctionTranslator;
use super::program::goto_name;
use crate::dropped::DroppedKind;
use crate::shape::Shape;

impl FunctionTranslator<'_> {
    pub(super) fn call(&mut self, id: InstId, callee: &Callee, arguments: &[ValueId]) {
        match callee {
            Callee::Direct(function) if self.module.functions[*function].body.is_some() => {
                let arguments = self.arguments(arguments);
                let body = self.body;
                let results = &body.instructions[id].results;
                let shapes: Vec<Shape> = results.iter().map(|it| self.shapes[*it]).collect();
                self.emitter.push(Statement::Call {
                    results: shapes.iter().flat_map(|shape| shape.variables()).collect(),
                    function: goto_name(self.module, *function),
                    arguments,
                });
                for shape in shapes {
                    if let Shape::Pointer(pointer) = shape {
                        self.assume_size(pointer.size);
                    }
                }
            }
            Callee::Direct(_) => self.drop_results(id, DroppedKind::ExternalCall),
            Callee::Indirect(_) => self.drop_results(id, DroppedKind::IndirectCall),
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
            _ => self.drop_results(id, DroppedKind::Builtin),
        }
    }
}
