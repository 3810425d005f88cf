//! Calls: by a frame of their own, by a summary, or of functions without a body.

use super::{Frame, Interrupt, State, Step};
use crate::clauses::Maker;
use crate::datum::Datum;
use foghorn_core::SiteKind;
use foghorn_ir::{Body, Callee, FunctionId, InstId, MemoryRole, NondetOrigin, ValueId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl<'t> Maker<'t> {
    pub fn call(
        &mut self,
        state: &mut State,
        body: &'t Body,
        id: InstId,
        callee: &'t Callee,
        arguments: &[ValueId],
    ) -> Step<()> {
        match callee {
            Callee::Direct(function) if self.module.functions[*function].body.is_none() => {
                self.call_external(state, body, id, *function);
                Ok(())
            }
            Callee::Direct(function) if self.has_summary(*function) => {
                self.call_summary(state, body, id, *function, arguments)
            }
            Callee::Direct(function) => {
                self.enter(state, body, id, *function, arguments);
                Ok(())
            }
            Callee::Builtin(builtin) => self.builtin(state, body, id, builtin, arguments),
            // Calls through pointers were made direct as far as the pointer analysis knows the
            // functions; what is left over is none of them.
            Callee::Indirect(_) => {
                let never = self.pool.bool(false);
                let site = self.site(state, SiteKind::Call, id);
                if self.only_returns(&site) && self.is_asked(&site) {
                    return Err(Interrupt::Stopped);
                }
                self.check(state, site, never)?;
                if !self.is_open(&site) {
                    let always = self.pool.bool(true);
                    let what =
                        "a call through a pointer that the pointer analysis does not resolve";
                    self.oblige(state, always, what, id);
                }
                Err(Interrupt::Stopped)
            }
        }
    }

    /// The arguments of a call, scalars first, then memories in the callee's order.
    pub fn arguments(
        &mut self,
        state: &State,
        body: &Body,
        id: InstId,
        scalars: &[ValueId],
    ) -> Vec<Datum> {
        let mut data: Vec<Datum> = scalars.iter().map(|it| self.get(state, *it)).collect();
        let mut memories: Vec<(u32, ValueId)> = vec![];
        for used in &body.instructions[id].memory {
            if let MemoryRole::Argument(number) = used.role {
                memories.push((number, used.input));
            }
        }
        memories.sort_unstable_by_key(|(number, _)| *number);
        data.extend(
            memories
                .into_iter()
                .map(|(_, input)| self.get(state, input)),
        );
        data
    }

    fn enter(
        &mut self,
        state: &mut State,
        body: &Body,
        id: InstId,
        function: FunctionId,
        arguments: &[ValueId],
    ) {
        let data = self.arguments(state, body, id, arguments);
        let callee = self.body(function);
        let mut values: FxHashMap<ValueId, Datum> = FxHashMap::default();
        let params = &callee.blocks[callee.entry].params;
        for (param, datum) in params.iter().zip(data) {
            if self.matters(function, *param) {
                values.insert(*param, datum);
            }
        }
        // The caller goes on behind the call.
        state.frame_mut().index += 1;
        let mark = state.next_stack;
        state.frames.push(Frame {
            function,
            block: callee.entry,
            index: 0,
            values,
            call: Some(id),
            mark,
        });
    }

    /// The frame on top returns to the one below.
    pub fn leave(&mut self, state: &mut State, values: &[ValueId]) {
        let data: Vec<Datum> = values.iter().map(|it| self.get(state, *it)).collect();
        self.end_frame(state);
        let frame = state.frames.pop().expect("invariant: a path has a frame");
        let call = frame
            .call
            .expect("invariant: the lowest frame does not return to another");
        let caller = state.frame().function;
        let instruction = &self.body(caller).instructions[call];
        let scalars = instruction.results.len();
        for (&result, datum) in instruction.results.iter().zip(&data) {
            if self.matters(caller, result) {
                self.set(state, result, datum.clone());
            }
        }
        let callee = self.body(frame.function);
        let parameters: Vec<_> = callee.memory_parameters().map(|(_, it)| it).collect();
        let results: Vec<_> = callee.memory_results().collect();
        for used in &instruction.memory {
            let (MemoryRole::Argument(number), Some(output)) = (used.role, used.output) else {
                continue;
            };
            let region = parameters.get(number as usize);
            let place = region.and_then(|region| results.iter().position(|it| it == region));
            let datum = match place {
                Some(place) => data[scalars + place].clone(),
                None => self.get(state, used.input),
            };
            if self.matters(caller, output) {
                self.set(state, output, datum);
            }
        }
    }

    /// A function without a body returns anything and is assumed to change no memory.
    fn call_external(&mut self, state: &mut State, body: &Body, id: InstId, function: FunctionId) {
        let name = self.module.functions[function].name.clone();
        self.note_external(&name);
        let origin = NondetOrigin::External(name);
        let point = Some(state.point(id));
        for &result in &body.instructions[id].results {
            self.input(state, result, point, &origin);
        }
        for used in &body.instructions[id].memory {
            if let Some(output) = used.output {
                let before = self.get(state, used.input);
                self.set(state, output, before);
            }
        }
    }

    /// Notes that a function was called of which nothing is known.
    pub fn note_external(&mut self, name: &Arc<str>) {
        if !self.external_calls.iter().any(|known| **known == **name) {
            self.external_calls.push(name.to_string());
        }
    }

    /// Notes that the program itself says that something is not modelled precisely.
    pub fn note_over_approximation(&mut self, what: &Arc<str>, span: foghorn_core::SpanId) {
        if !self
            .over_approximations
            .iter()
            .any(|(known, _)| **known == **what)
        {
            self.over_approximations.push((what.to_string(), span));
        }
    }
}
