//! Calls: by contract, or as part of the caller.

use super::formula::Scope;
use super::walk::{ClaimPlace, Entry, State, Walker, What};
use super::world::Known;
use foghorn_core::SiteKind;
use foghorn_encode::claim::{Contract, Subject};
use foghorn_ir::{Body, Callee, FunctionId, InstId, MemoryRole, ValueId};
use foghorn_term::TermId;

impl<'a> Walker<'a, '_, '_> {
    pub(super) fn call(
        &mut self,
        id: InstId,
        callee: &'a Callee,
        arguments: &'a [ValueId],
        state: &mut State,
    ) {
        match callee {
            Callee::Builtin(builtin) => self.builtin(id, builtin, arguments, state),
            // The pointer analysis made direct what it could.
            Callee::Indirect(_) => {
                let never = self.world.pool.bool(false);
                self.ask(state, id, SiteKind::Call, never);
                self.oblige(state, never, "a call that leads nowhere known");
                state.guard = never;
            }
            Callee::Direct(function) => {
                let mut known: Vec<Known> = arguments.iter().map(|it| self.get(*it)).collect();
                let body = self.body;
                let uses = body.instructions[id].memory.iter();
                let mut memories: Vec<(u32, Known)> = vec![];
                for used in uses {
                    if let MemoryRole::Argument(number) = used.role {
                        memories.push((number, self.get(used.input)));
                    }
                }
                memories.sort_unstable_by_key(|(number, _)| *number);
                known.extend(memories.into_iter().map(|(_, memory)| memory));
                match &self.world.module.functions[*function].body {
                    None => self.call_outside(id),
                    Some(callee) => self.call_function(id, (*function, callee), known, state),
                }
            }
        }
    }

    /// A function without a body returns anything and changes nothing that is not said elsewhere.
    fn call_outside(&mut self, id: InstId) {
        let body = self.body;
        let data = &body.instructions[id];
        for &result in &data.results {
            let any = self.any(body.ty(result));
            self.set(result, any);
        }
        for used in &data.memory {
            if let Some(output) = used.output {
                let memory = self.get(used.input);
                self.set(output, memory);
            }
        }
    }

    fn call_function(
        &mut self,
        id: InstId,
        (function, callee): (FunctionId, &'a Body),
        arguments: Vec<Known>,
        state: &mut State,
    ) {
        let rules = self.rules;
        if let Some(contract) = rules.contract(function) {
            self.call_by_contract(id, (function, callee), contract, &arguments, state);
            return;
        }
        let depth = self.stack.iter().chain([&self.function]);
        let depth = depth.filter(|it| **it == function).count();
        if depth as u64 > u64::from(self.rules.most_recursion()) {
            let never = self.world.pool.bool(false);
            self.question(state, never, What::Unwinding(function, None));
            state.guard = never;
            return;
        }
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        if !self.goes_round(depth, state) {
            state.guard = self.world.pool.bool(false);
            return;
        }
        let literals = self.literals(&arguments);
        if let Some(literals) = &literals
            && let Some(values) = self.notes.computed.get(&(function, literals.clone()))
        {
            let values: Vec<Known> = values.iter().map(|it| Known::Scalar(*it)).collect();
            self.set_results(id, callee, &values);
            return;
        }
        let objects = self.world.next_object();
        let mut stack = self.stack.clone();
        stack.push(self.function);
        let entry = Entry {
            life: state.life,
            next: self.world.next_object(),
        };
        let mut walker = Walker::new(
            &mut *self.world,
            self.rules,
            &mut *self.notes,
            self.budget,
            (function, callee),
            entry,
        );
        walker.stack = stack;
        let before = walker.notes.questions.len();
        let returned = walker.walk(callee.entry, arguments, *state);
        if self.muted {
            // What is asked there is known here.
            self.notes.questions.truncate(before);
        }
        match returned {
            Some(returned) => {
                let is_silent = !self.muted
                    && self.world.next_object() == objects
                    && self.is_silent(state, &returned.state, before);
                let values = self.literals(&returned.values).filter(|_| is_silent);
                if let (Some(literals), Some(values)) = (literals, values) {
                    self.notes.computed.insert((function, literals), values);
                }
                *state = returned.state;
                self.set_results(id, callee, &returned.values);
            }
            None => state.guard = self.world.pool.bool(false),
        }
    }

    /// Whether a call always returned, and neither did nor asked anything: no question since then is open.
    fn is_silent(&self, before: &State, behind: &State, questions: usize) -> bool {
        let asked = self.notes.questions.iter().skip(questions);
        let mut open = asked.filter(|it| self.world.pool.as_bool(it.goal) != Some(true));
        let is_same_life = self.world.is_same_life(before.life, behind.life);
        before.guard == behind.guard
            && is_same_life
            && before.shadows == behind.shadows
            && open.next().is_none()
    }

    /// All values, if they are literal numbers.
    fn literals(&self, values: &[Known]) -> Option<Vec<TermId>> {
        let literal = |value: &Known| match value {
            Known::Scalar(term) => {
                let is_literal =
                    self.world.literal(*term).is_some() || self.world.pool.as_bool(*term).is_some();
                is_literal.then_some(*term)
            }
            Known::Pointer(_) | Known::Memory(_) => None,
        };
        values.iter().map(literal).collect()
    }

    /// Scalars first, then the memories that the callee modifies.
    fn set_results(&mut self, id: InstId, callee: &Body, values: &[Known]) {
        let body = self.body;
        let data = &body.instructions[id];
        for (result, value) in data.results.iter().zip(values) {
            self.set(*result, *value);
        }
        let scalars = data.results.len();
        let modified: Vec<_> = callee.memory_results().collect();
        for used in &data.memory {
            let (MemoryRole::Argument(number), Some(output)) = (used.role, used.output) else {
                continue;
            };
            let region = callee
                .memory_parameters()
                .nth(number as usize)
                .map(|(_, region)| region);
            let index = modified.iter().position(|it| Some(*it) == region);
            let value = index.and_then(|index| values.get(scalars + index).copied());
            let value = value.unwrap_or_else(|| Known::Memory(self.world.any_memory()));
            self.set(output, value);
        }
    }

    fn call_by_contract(
        &mut self,
        id: InstId,
        (function, callee): (FunctionId, &'a Body),
        contract: &Contract,
        arguments: &[Known],
        state: &mut State,
    ) {
        let params = &callee.blocks[callee.entry].params;
        let resolve = |walker: &mut Self, number: u32| {
            let position = params.iter().position(|it| it.as_u32() == number);
            match position {
                Some(index) => arguments.get(index).copied(),
                None => walker.constant_of(callee, number),
            }
        };
        let mut scope = self.scope(state, &contract.requires, |walker, subject| match subject {
            Subject::Value(number) => resolve(walker, number),
            Subject::Result(_) => None,
        });
        let before = Entry {
            life: state.life,
            next: scope.next,
        };
        scope.life_at_entry = before.life;
        scope.next_at_entry = before.next;
        let place = ClaimPlace::Requires(function);
        self.demand(state, &place, &contract.requires, &scope);
        let Some(ensures) = &contract.ensures else {
            state.guard = self.world.pool.bool(false);
            return;
        };
        self.world.forget_counter();
        let frees = self.rules.may_free(function);
        state.life = self.world.call_life(before.life, before.next, frees);
        if self.rules.uses_shadows() {
            state.shadows = self.world.any_memory();
        }
        let body = self.body;
        let data = &body.instructions[id];
        let mut values: Vec<Known> = vec![];
        for &result in &data.results {
            values.push(self.any(body.ty(result)));
        }
        for _ in callee.memory_results() {
            values.push(Known::Memory(self.world.any_memory()));
        }
        self.set_results(id, callee, &values);
        let found = self.scope(state, ensures, |walker, subject| match subject {
            Subject::Value(number) => resolve(walker, number),
            Subject::Result(index) => values.get(index as usize).copied(),
        });
        let scope = Scope {
            life_at_entry: before.life,
            next_at_entry: before.next,
            ..found
        };
        self.suppose(state, ensures, &scope);
    }

    fn constant_of(&mut self, body: &Body, number: u32) -> Option<Known> {
        if number == u32::MAX {
            return None;
        }
        let value = ValueId::from_u32(number);
        if !body.values.is_valid(value) {
            return None;
        }
        let constant = body.as_constant(value)?;
        Some(self.constant(body.ty(value), constant))
    }
}
