//! Calls.

use super::Executor;
use crate::execute::context::Step;
use crate::execute::event::What;
use foghorn_core::SiteKind;
use foghorn_ir::{Body, Callee, FunctionId, InstId, MemoryRole, NondetOrigin, ValueId};
use foghorn_term::TermId;
use std::sync::Arc;

impl<'m> Executor<'m, '_> {
    pub(crate) fn call(
        &mut self,
        body: &'m Body,
        id: InstId,
        callee: &'m Callee,
        arguments: &[ValueId],
    ) {
        match callee {
            Callee::Direct(function) => {
                let arguments = arguments.iter().map(|&value| self.get(value)).collect();
                self.call_function(body, id, *function, arguments);
            }
            Callee::Builtin(builtin) => {
                let arguments: Vec<TermId> =
                    arguments.iter().map(|&value| self.get(value)).collect();
                self.builtin(body, id, builtin, &arguments);
                self.note_obligations(id);
            }
            // Calls through pointers were made direct as far as the pointer analysis knows the
            // functions; what is left over is none of them.
            Callee::Indirect(_) => {
                let never = self.pool.bool(false);
                let span = self.span(id);
                let what = "a call through a pointer that the pointer analysis does not resolve";
                let obligation = What::Obligation {
                    condition: never,
                    what: what.into(),
                    span,
                    of_cells: false,
                };
                if self.is_enabled(SiteKind::Call.representative()) {
                    self.check(SiteKind::Call, id, never);
                }
                // Where the check is off it must not be assumed before the obligation is noted.
                self.note(obligation);
                self.frame_mut().guard = never;
            }
        }
    }

    fn call_function(
        &mut self,
        body: &Body,
        id: InstId,
        function: FunctionId,
        mut arguments: Vec<TermId>,
    ) {
        let mut memories: Vec<(u32, TermId)> = vec![];
        for memory_use in &body.instructions[id].memory {
            if let MemoryRole::Argument(number) = memory_use.role {
                memories.push((number, self.get(memory_use.input)));
            }
        }
        memories.sort_unstable_by_key(|&(number, _)| number);
        arguments.extend(memories.into_iter().map(|(_, memory)| memory));
        if !self.push_frame(function, arguments, Step::Call(id)) {
            self.call_external(body, id, function);
        }
    }

    /// A function without a body returns anything and is assumed to change no memory.
    fn call_external(&mut self, body: &Body, id: InstId, function: FunctionId) {
        let name = self.module.functions[function].name.clone();
        self.note_external(&name);
        let origin = NondetOrigin::External(name);
        for (number, &result) in (0..).zip(&body.instructions[id].results) {
            let term = self.input(id, number, &origin, body.ty(result));
            self.set(result, term);
        }
        for memory_use in &body.instructions[id].memory {
            let memory = self.get(memory_use.input);
            self.set_output(memory_use, memory);
        }
    }

    /// Notes that a function was called of which nothing is known.
    pub(crate) fn note_external(&mut self, name: &Arc<str>) {
        let known = &mut self.trace.notes.external_calls;
        if !known.contains(name) {
            known.push(name.clone());
        }
    }
}
