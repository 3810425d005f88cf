//! Calls that are not executed: placeholders with what summaries say of them (§2.3.3 of the 2LS thesis).
//!
//! A call of a function with a contract is an obligation that it is called as it should be, followed by any results that
//! the contract allows. Where a function is looked at by itself, a call of it within itself is a placeholder whose rows are
//! those that are looked for: they are assumed behind the call and have to hold at every return, so that the last question
//! of the search is the induction over the depth of the recursion.

use super::Cut;
use super::record::State;
use crate::modular::contract::{Contract, as_numbers};
use crate::sabotage::Sabotage;
use foghorn_encode::execute::event::What;
use foghorn_encode::execute::{Activation, CallTreatment, Executor};
use foghorn_ir::{FunctionId, Type};
use foghorn_term::{Sort, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What becomes of calls.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    pub contracts: BTreeMap<FunctionId, Rc<Contract>>,
    /// The function that is looked at by itself, and the one that calls it with any arguments.
    pub target: Option<Target>,
}

/// A function that is looked at by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    pub function: FunctionId,
    pub driver: FunctionId,
}

/// An obligation that a function is called as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precondition {
    /// The number of its event.
    pub position: usize,
    pub function: FunctionId,
}

/// What a run has met of calls.
#[derive(Debug, Default)]
pub(super) struct MetCalls {
    pub(super) preconditions: Vec<Precondition>,
    /// Recursive calls of the target: arguments and results.
    pub(super) placeholders: Vec<State>,
    /// The arguments that the driver gives.
    pub(super) arguments: Vec<TermId>,
    /// How often each function was called so far.
    count: FxHashMap<FunctionId, u32>,
}

/// Symbols for results: by function, the number of the call in a run, and the number of the result.
pub(super) type Results = FxHashMap<(FunctionId, u32, usize), TermId>;

impl Cut {
    /// With contracts for calls.
    #[must_use]
    pub fn with_calls(self, calls: Calls) -> Self {
        Cut { calls, ..self }
    }

    /// Whether a function is looked at by itself, with any arguments.
    pub fn is_of_any_arguments(&self) -> bool {
        self.calls.target.is_some()
    }

    /// The obligations of the last run that functions are called as they should be.
    pub fn preconditions(&self) -> &[Precondition] {
        &self.run.calls.preconditions
    }

    /// The arguments with which the last run called the function that is looked at by itself.
    pub fn arguments_of_target(&self) -> &[TermId] {
        &self.run.calls.arguments
    }

    /// The contracts that stand in the place of calls; none where a function is looked at by itself.
    pub fn contracts(&self) -> Vec<Rc<Contract>> {
        match self.calls.target {
            None => self.calls.contracts.values().cloned().collect(),
            Some(_) => vec![],
        }
    }

    /// What becomes of a call if it is not just executed.
    pub(super) fn replace_call(
        &mut self,
        executor: &mut Executor<'_, '_>,
        activation: &Activation<'_>,
    ) -> Option<CallTreatment> {
        let function = activation.function;
        match self.calls.target {
            Some(target) if target.function == function => {
                let arguments = as_numbers(executor.pool, activation.arguments);
                if executor.function() == target.driver {
                    self.run.calls.arguments = arguments;
                    return None;
                }
                Some(self.placeholder(executor, function, arguments))
            }
            Some(_) | None => {
                let contract = Rc::clone(self.calls.contracts.get(&function)?);
                let arguments = as_numbers(executor.pool, activation.arguments);
                Some(self.apply(executor, &contract, arguments))
            }
        }
    }

    fn placeholder(
        &mut self,
        executor: &mut Executor<'_, '_>,
        function: FunctionId,
        mut values: Vec<TermId>,
    ) -> CallTreatment {
        if self.sabotage == Sabotage::AssumedRecursion {
            let never = executor.pool.bool(false);
            executor.assume(never);
            return CallTreatment::Stop;
        }
        let results = self.results(executor, function);
        values.extend(as_numbers(executor.pool, &results));
        // Rows hold where the call has returned, and nowhere before: what happens before it happens even if it never does.
        let returns = executor.pool.fresh_symbol("returns", Sort::Bool);
        executor.assume(returns);
        let position = executor.events().len();
        self.run.calls.placeholders.push(State {
            guard: returns,
            values,
            position,
        });
        CallTreatment::Replace(results)
    }

    fn apply(
        &mut self,
        executor: &mut Executor<'_, '_>,
        contract: &Contract,
        mut values: Vec<TermId>,
    ) -> CallTreatment {
        let function = contract.function;
        let requires = contract.requires(executor.pool, &values);
        let is_dropped = self.sabotage == Sabotage::DroppedPrecondition;
        if executor.pool.as_bool(requires) != Some(true) && !is_dropped {
            let position = executor.events().len();
            let called = &executor.module().functions[function];
            executor.note(What::Obligation {
                condition: requires,
                what: format!("the precondition of {}", called.name).into(),
                span: called.span,
                of_cells: false,
            });
            let met = &mut self.run.calls.preconditions;
            met.push(Precondition { position, function });
        }
        let results = self.results(executor, function);
        values.extend(as_numbers(executor.pool, &results));
        let ensures = contract.ensures(executor.pool, &values);
        executor.assume(ensures);
        CallTreatment::Replace(results)
    }

    /// Any results of one more call.
    fn results(&mut self, executor: &mut Executor<'_, '_>, function: FunctionId) -> Vec<TermId> {
        let count = self.run.calls.count.entry(function).or_default();
        if self.sabotage != Sabotage::SharedResult {
            *count += 1;
        }
        let number = *count;
        let types = executor.module().functions[function]
            .signature
            .results
            .iter();
        let mut results = vec![];
        for (index, &ty) in types.enumerate() {
            let known = self.results.entry((function, number, index));
            results.push(*known.or_insert_with(|| any_result(executor, ty)));
        }
        results
    }
}

fn any_result(executor: &mut Executor<'_, '_>, ty: Type) -> TermId {
    let any = executor.arbitrary_value(ty, "result");
    any.expect("invariant: only functions of integers have contracts")
}
