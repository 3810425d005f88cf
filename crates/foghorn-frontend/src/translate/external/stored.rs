//! Which functions of the program have their addresses in memory that code outside could reach.
//!
//! A table of functions that is only ever read where it stands is not known outside, whatever is
//! called; one that is passed on may be. This is decided for the whole program, without regard to
//! where pointers lead: whether the function is really reached is decided in each run.

use super::ModuleTranslator;
use foghorn_ir::{
    Body, Callee, Constant, FunctionId, GlobalContents, GlobalId, Instruction, Symbol, ValueDef,
    ValueId,
};
use std::collections::BTreeSet;

/// What is passed on, somewhere in a program.
#[derive(Default)]
struct PassedOn {
    functions: BTreeSet<FunctionId>,
    globals: BTreeSet<GlobalId>,
}

impl ModuleTranslator<'_> {
    /// Functions of the program, with a body, whose addresses are put into memory that may be known
    /// outside.
    pub(super) fn stored_functions(&self) -> Vec<FunctionId> {
        let mut passed_on = PassedOn::default();
        let keeps_nothing = |id: FunctionId| {
            let function = &self.module.functions[id];
            function.is_model || function.body.is_none()
        };
        for function in self.module.functions.values() {
            if let Some(body) = function.body.as_ref().filter(|_| !function.is_model) {
                passed_on.note_body(body, keeps_nothing);
            }
        }
        let named = self.globals.iter();
        let named = named.filter(|(value, id)| self.is_nameable(**value, **id));
        passed_on.globals.extend(named.map(|(_, &id)| id));
        self.follow_initial_values(&mut passed_on);
        let functions = passed_on.functions.into_iter();
        functions
            .filter(|&id| {
                let function = &self.module.functions[id];
                function.body.is_some() && !function.is_model
            })
            .collect()
    }

    /// Adds what lies in the globals that are known, and in those behind them.
    fn follow_initial_values(&self, passed_on: &mut PassedOn) {
        let mut work: Vec<GlobalId> = passed_on.globals.iter().copied().collect();
        while let Some(global) = work.pop() {
            let GlobalContents::Initialised(initial) = &self.module.globals[global].contents else {
                continue;
            };
            for relocation in &initial.relocations {
                match relocation.target {
                    Symbol::Function(function) => {
                        passed_on.functions.insert(function);
                    }
                    Symbol::Global(next) => {
                        if passed_on.globals.insert(next) {
                            work.push(next);
                        }
                    }
                }
            }
        }
    }
}

impl PassedOn {
    fn note_body(&mut self, body: &Body, keeps_nothing: impl Fn(FunctionId) -> bool) {
        for data in body.instructions.values() {
            let instruction = &data.instruction;
            match instruction {
                // Reading a place, going to one within it and comparing pass nothing on.
                Instruction::Load { .. }
                | Instruction::PointerAdd { .. }
                | Instruction::Compare { .. } => {}
                Instruction::Store { value, .. } => self.note(body, *value),
                // What a function without a body is given is known otherwise, and models keep nothing.
                Instruction::Call {
                    callee: Callee::Direct(callee),
                    arguments,
                } if keeps_nothing(*callee) => {
                    for &argument in arguments {
                        self.note_global(body, argument);
                    }
                }
                other => other.for_each_operand(|value| self.note(body, value)),
            }
        }
        for block in body.blocks.values() {
            block
                .terminator
                .for_each_operand(|value| self.note(body, value));
        }
    }

    fn note(&mut self, body: &Body, value: ValueId) {
        if let Some(Constant::Function(function)) = body.as_constant(value) {
            self.functions.insert(function);
        }
        self.note_global(body, value);
    }

    fn note_global(&mut self, body: &Body, value: ValueId) {
        let mut value = value;
        loop {
            match body.values[value].def {
                ValueDef::Constant(Constant::Global(global)) => {
                    self.globals.insert(global);
                    return;
                }
                ValueDef::Result(instruction, _) => {
                    match &body.instructions[instruction].instruction {
                        Instruction::PointerAdd { base, .. } => value = *base,
                        _other => return,
                    }
                }
                ValueDef::Constant(_) | ValueDef::Param(..) | ValueDef::Memory(..) => return,
            }
        }
    }
}
