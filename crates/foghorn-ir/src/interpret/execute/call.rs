//! Calls and returns.
//!
//! A frame keeps the op of its current call while the callee runs; the return finds in it where
//! the results go.

use super::{Frame, Machine, Step};
use crate::body::ValueId;
use crate::instruction::{Callee, HaltKind, NondetOrigin};
use crate::interpret::decode::function_object;
use crate::interpret::decode::op::{Op, Place};
use crate::interpret::observer::Observer;
use crate::interpret::report::Outcome;
use crate::interpret::value::{ObjectKind, Pointer, Slot};
use crate::module::{FunctionId, Signature};
use cranelift_entity::EntityRef;
use foghorn_core::CheckKind;

impl<'p, O: Observer> Machine<'p, O> {
    /// Calls a function from outside the program and runs it to its return.
    pub(super) fn call_function(
        &mut self,
        function: FunctionId,
        arguments: &[Slot],
    ) -> Step<Vec<Slot>> {
        if !self.push_frame(function)? {
            return self.call_external(function);
        }
        let frame = *self.frame();
        let first = frame.base + frame.code.first_param;
        self.registers[first..first + arguments.len()].copy_from_slice(arguments);
        self.initial_memories(&frame);
        self.run()
    }

    /// Makes room for a call; `false` if the function has no body.
    #[inline]
    fn push_frame(&mut self, function: FunctionId) -> Step<bool> {
        let program = self.program;
        let Some(body) = &program.module.functions[function].body else {
            return Ok(false);
        };
        if self.frames.len() >= self.options.max_depth {
            let span = self.span();
            return Err(Box::new(Outcome::TooDeep { span }));
        }
        if O::ENABLED
            && let Some(point) = self.point()
        {
            let span = self.span();
            self.observer.call(point, span, function);
        }
        let code = program.code(function, body);
        let base = self
            .frames
            .last()
            .map_or(0, |caller| caller.base + caller.code.frame_size);
        let end = base + code.frame_size;
        if self.registers.len() < end {
            if (end * size_of::<Slot>()) as u64 > self.options.max_memory {
                return Err(self.out_of_memory());
            }
            self.registers
                .resize(end.next_multiple_of(1024), Slot::default());
        }
        self.registers[base..base + code.constants.len()].copy_from_slice(&code.constants);
        self.frames.push(Frame {
            function,
            body,
            code,
            base,
            at: 0,
            objects: self.stack_objects.len(),
        });
        if O::ENABLED {
            self.observer.enter(function, self.frames.len());
        }
        Ok(true)
    }

    /// A direct call of a function with a body.
    #[inline]
    pub(super) fn call_site(&mut self, callee: FunctionId, site: u32) -> Step<()> {
        let caller = *self.frame();
        self.push_frame(callee)?;
        let frame = *self.frame();
        let first = frame.base + frame.code.first_param;
        let arguments = &caller.code.sites[site as usize].arguments;
        for (param, &argument) in (first..).zip(arguments) {
            self.registers[param] = self.registers[caller.base + argument as usize];
        }
        Ok(())
    }

    /// Leaves the newest call. The results, if it was the oldest.
    #[inline]
    pub(super) fn return_from_call(&mut self, values: u32, count: u32) -> Option<Vec<Slot>> {
        let callee = *self.frame();
        if self.stack_objects.len() > callee.objects {
            self.end_stack_objects(callee.objects);
        }
        self.frames.pop();
        if O::ENABLED {
            self.observer.leave(callee.function, self.frames.len());
        }
        let values = &callee.code.pool[values as usize..(values + count) as usize];
        let Some(caller) = self.frames.last_mut() else {
            let results = values.iter();
            return Some(
                results
                    .map(|&value| self.registers[callee.base + value as usize])
                    .collect(),
            );
        };
        let call = caller.at;
        caller.at += 1;
        let caller = *caller;
        let mut give = |to: u32, from: u32| {
            self.registers[caller.base + to as usize] = self.registers[callee.base + from as usize];
        };
        if let Op::Call { site, .. } = caller.code.ops[call] {
            let results = &caller.code.sites[site as usize].results;
            results
                .iter()
                .zip(values)
                .for_each(|(&to, &from)| give(to, from));
        } else if let Place::Instruction(id) = caller.code.places[call] {
            let mut from = values.iter();
            caller.body.instructions[id].for_each_definition(|to| {
                if let Some(&from) = from.next() {
                    give(caller.code.registers[to], from);
                }
            });
        }
        None
    }

    /// A call of something else than a known function with a body.
    pub(super) fn call_instruction(
        &mut self,
        callee: &Callee,
        arguments: &[ValueId],
        results: &[ValueId],
    ) -> Step<()> {
        match callee {
            Callee::Direct(function) => self.call_known(*function, arguments, results),
            Callee::Indirect(pointer) => {
                let pointer = self.get(*pointer).pointer();
                let function = self.called_function(pointer, arguments, results)?;
                if O::ENABLED
                    && let Some(point) = self.point()
                {
                    self.observer.indirect_call(point, function);
                }
                self.demand_no_memories(function)?;
                self.call_known(function, arguments, results)
            }
            Callee::Builtin(builtin) => {
                let arguments: Vec<Slot> = arguments.iter().map(|&value| self.get(value)).collect();
                let result = self.builtin(builtin, &arguments)?;
                if let (Some(slot), Some(&to)) = (result, results.first()) {
                    self.set(to, slot);
                }
                Ok(())
            }
        }
    }

    fn call_known(
        &mut self,
        function: FunctionId,
        arguments: &[ValueId],
        results: &[ValueId],
    ) -> Step<()> {
        let slots: Vec<Slot> = arguments.iter().map(|&value| self.get(value)).collect();
        if self.push_frame(function)? {
            let frame = *self.frame();
            let first = frame.base + frame.code.first_param;
            self.registers[first..first + slots.len()].copy_from_slice(&slots);
            return Ok(());
        }
        let values = self.call_external(function)?;
        for (&to, value) in results.iter().zip(values) {
            self.set(to, value);
        }
        Ok(())
    }

    /// What a function without a body returns. It is assumed to change no memory.
    fn call_external(&mut self, function: FunctionId) -> Step<Vec<Slot>> {
        let function = &self.program.module.functions[function];
        self.note_external_call(&function.name);
        let origin = NondetOrigin::External(function.name.clone());
        let types = function.signature.results.iter();
        types.map(|&ty| self.nondet(&origin, ty)).collect()
    }

    /// The function that a pointer calls, if the call fits it.
    fn called_function(
        &mut self,
        pointer: Pointer,
        arguments: &[ValueId],
        results: &[ValueId],
    ) -> Step<FunctionId> {
        let id = pointer.object;
        if !id.is_object() || id.kind() != ObjectKind::Function || pointer.offset != 0 {
            let message = "call through a pointer that is no function".to_owned();
            return Err(self.fail_or_assume(CheckKind::InvalidCall, message, pointer));
        }
        let function = FunctionId::new(id.slot() - 1);
        debug_assert_eq!(function_object(function), id);
        let body = self.frame().body;
        let types = |values: &[ValueId]| values.iter().map(|&value| body.ty(value)).collect();
        let called = Signature {
            params: types(arguments),
            results: types(results),
        };
        let data = &self.program.module.functions[function];
        if data.signature != called {
            let message = format!("call of '{}' with a different type", data.name);
            return Err(self.fail_or_assume(CheckKind::InvalidCall, message, pointer));
        }
        Ok(function)
    }

    /// The end of the program by `_exit` or `abort`.
    pub(super) fn halt(&mut self, kind: HaltKind, code: ValueId) -> Box<Outcome> {
        let code = (self.get(code).low as u32).cast_signed();
        match kind {
            HaltKind::Abort => match self.check_all_freed() {
                Ok(()) => Box::new(Outcome::Aborted { code }),
                Err(outcome) => outcome,
            },
            HaltKind::Exit => match self.check_final_memory() {
                Ok(()) => Box::new(Outcome::Exited { code }),
                Err(outcome) => outcome,
            },
        }
    }
}
