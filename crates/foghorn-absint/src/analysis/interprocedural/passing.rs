//! Passing parameters and results between states of callers and callees.

use cranelift_entity::SecondaryMap;

use crate::domain::ProgramDomain;
use crate::language::{Condition, FunctionId, Program, Statement};
use crate::linear::LinearExpression;
use crate::variable::{Level, Type, VariableId};

/// Names for the results of functions, beside the variables of the program.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    results: SecondaryMap<FunctionId, Vec<VariableId>>,
}

/// The assignment of one variable to another of the same kind.
#[must_use]
pub fn copy_statement(target: VariableId, source: VariableId) -> Statement {
    match source.ty() {
        Type::Integer { .. } | Type::Unbounded => Statement::Assign {
            target,
            expression: LinearExpression::variable(source),
        },
        Type::Boolean => Statement::BooleanAssign {
            target,
            condition: Condition::Boolean {
                variable: source,
                value: true,
            },
        },
        Type::Pointer | Type::Reference => Statement::PointerAssign {
            target,
            base: Some(source),
            offset: LinearExpression::default(),
        },
        Type::Array => Statement::ArrayAssign { target, source },
    }
}

/// A call, taken apart.
pub struct Call<'a> {
    pub results: &'a [VariableId],
    pub callee: FunctionId,
    pub arguments: &'a [VariableId],
}

impl<'a> Call<'a> {
    /// `None` for other statements and for functions without a body.
    #[must_use]
    pub fn of(program: &Program, statement: &'a Statement) -> Option<Call<'a>> {
        let Statement::Call {
            results,
            function,
            arguments,
        } = statement
        else {
            return None;
        };
        let callee = program.function(function)?;
        Some(Call {
            results,
            callee,
            arguments,
        })
    }
}

impl Interface {
    #[must_use]
    pub fn new(program: &Program) -> Interface {
        let mut interface = Interface::default();
        let mut next = u32::try_from(program.variables.len()).expect("invariant: ids are u32");
        for (id, function) in &program.functions {
            for ty in &function.results {
                interface.results[id].push(VariableId::new(next, *ty));
                next += 1;
            }
        }
        interface
    }

    /// The state a callee starts in, over its parameters.
    pub fn enter<D: ProgramDomain>(&self, program: &Program, call: &Call<'_>, state: &D) -> D {
        let parameters = &program.functions[call.callee].parameters;
        let formals: Vec<VariableId> = parameters
            .iter()
            .map(|x| x.copy_on(Level::Formal))
            .collect();
        let mut entry = state.clone();
        for (formal, argument) in formals.iter().zip(call.arguments) {
            entry.transfer(&copy_statement(*formal, *argument));
        }
        entry.project(&formals);
        entry.rename(&formals, parameters);
        entry
    }

    /// The entry state with a copy of each parameter, so that the exit can be related to it.
    pub fn remember_entry<D: ProgramDomain>(
        &self,
        program: &Program,
        function: FunctionId,
        entry: &D,
    ) -> D {
        let mut state = entry.clone();
        for parameter in &program.functions[function].parameters {
            state.transfer(&copy_statement(parameter.copy_on(Level::Entry), *parameter));
        }
        state
    }

    /// Makes a summary of the state at a return: over formals and results.
    pub fn summarise<D: ProgramDomain>(
        &self,
        program: &Program,
        function: FunctionId,
        state: &mut D,
        returned: &[VariableId],
    ) {
        let results = &self.results[function];
        for (result, value) in results.iter().zip(returned) {
            state.transfer(&copy_statement(*result, *value));
        }
        let parameters = &program.functions[function].parameters;
        let remembered: Vec<VariableId> =
            parameters.iter().map(|x| x.copy_on(Level::Entry)).collect();
        let formals: Vec<VariableId> = parameters
            .iter()
            .map(|x| x.copy_on(Level::Formal))
            .collect();
        let mut kept = remembered.clone();
        kept.extend(results);
        state.project(&kept);
        state.rename(&remembered, &formals);
    }

    /// Applies a summary at a call.
    pub fn apply<D: ProgramDomain>(
        &self,
        program: &Program,
        call: &Call<'_>,
        summary: &D,
        state: &mut D,
    ) {
        let parameters = &program.functions[call.callee].parameters;
        let mut scratch: Vec<VariableId> = parameters
            .iter()
            .map(|x| x.copy_on(Level::Formal))
            .collect();
        for (formal, argument) in scratch.iter().zip(call.arguments) {
            state.transfer(&copy_statement(*formal, *argument));
        }
        *state = state.meet(summary);
        let results = &self.results[call.callee];
        for (target, result) in call.results.iter().zip(results) {
            state.transfer(&copy_statement(*target, *result));
        }
        scratch.extend(results);
        state.forget(&scratch);
    }
}
