//! Claims where a way meets them: shown, or taken for granted.

use super::formula::{Reader, Scope, is_universal, subjects};
use super::walk::{ClaimPlace, Premise, State, Walker, What};
use super::world::{Known, OBJECT_BITS, Pointer};
use crate::prove::of_parameter;
use foghorn_encode::claim::{Contract, Formula, Subject};
use foghorn_ir::{BlockId, FunctionId, ValueId};
use foghorn_term::Sort;
use std::collections::BTreeMap;

impl Walker<'_, '_, '_> {
    /// What the words of claims mean here.
    pub(super) fn scope(
        &mut self,
        state: &State,
        formulas: &[Formula],
        mut resolve: impl FnMut(&mut Self, Subject) -> Option<Known>,
    ) -> Scope {
        let mut found = BTreeMap::new();
        for subject in formulas.iter().flat_map(subjects) {
            if let Some(known) = resolve(self, subject) {
                found.insert(subject, known);
            }
        }
        Scope {
            subjects: found,
            life: state.life,
            life_at_entry: self.entry.life,
            next: self.world.next_object(),
            next_at_entry: self.entry.next,
        }
    }

    /// Claims have to follow here.
    pub(super) fn demand(
        &mut self,
        state: &State,
        place: &ClaimPlace,
        formulas: &[Formula],
        scope: &Scope,
    ) {
        let every = self.arbitrary();
        for (index, formula) in formulas.iter().enumerate() {
            let mut reader = Reader {
                world: self.world,
                scope,
                every,
            };
            match reader.formula(formula) {
                Some(goal) => self.question(state, goal, What::Claim(place.clone(), index)),
                None => {
                    let never = self.world.pool.bool(false);
                    self.question(state, never, What::Inexpressible(place.clone(), index));
                }
            }
        }
    }

    /// Claims are known here.
    pub fn suppose(&mut self, state: &mut State, formulas: &[Formula], scope: &Scope) {
        for formula in formulas {
            if is_universal(formula) {
                self.notes.premises.push(Premise {
                    guard: state.guard,
                    formula: formula.clone(),
                    scope: scope.clone(),
                });
                continue;
            }
            let every = self.world.null();
            let mut reader = Reader {
                world: self.world,
                scope,
                every,
            };
            // What cannot be expressed was not shown either.
            if let Some(term) = reader.formula(formula) {
                self.assume(state, term);
            }
        }
    }

    pub(super) fn arbitrary(&mut self) -> Pointer {
        let bits = self.world.bits();
        let object = self.world.pool.fresh_symbol("k", Sort::BitVec(OBJECT_BITS));
        let offset = self.world.pool.fresh_symbol("o", Sort::BitVec(bits));
        let every = Pointer { object, offset };
        self.world.places.push(every);
        every
    }

    pub(super) fn ensure(&mut self, block: BlockId, state: &State, values: &[Known]) {
        if !self.stack.is_empty() {
            return;
        }
        let rules = self.rules;
        let Some(contract) = rules.contract(self.function) else {
            return;
        };
        let place = ClaimPlace::Ensures(self.function);
        match &contract.ensures {
            None => {
                let never = self.world.pool.bool(false);
                self.question(state, never, What::Claim(place, 0));
            }
            Some(ensures) => {
                let scope = self.scope(state, ensures, |walker, subject| match subject {
                    Subject::Value(number) => walker.value_in_scope(block, number),
                    Subject::Result(index) => values.get(index as usize).copied(),
                });
                self.demand(state, &place, ensures, &scope);
            }
        }
    }

    /// Shows what a function requires where the program begins with it.
    pub fn begin(
        &mut self,
        state: &State,
        function: FunctionId,
        contract: &Contract,
        own: &[ValueId],
        params: &[Known],
    ) {
        let entry = self.body.entry;
        let scope = self.parameter_scope(state, &contract.requires, (entry, own), params);
        let place = ClaimPlace::Requires(function);
        self.demand(state, &place, &contract.requires, &scope);
    }

    /// Takes what a function requires for granted.
    pub fn grant(
        &mut self,
        state: &mut State,
        contract: &Contract,
        own: &[ValueId],
        params: &[Known],
    ) {
        let entry = self.body.entry;
        self.suppose_at(state, &contract.requires, (entry, own), params);
    }

    /// Takes claims for granted where a block begins.
    pub fn suppose_at(
        &mut self,
        state: &mut State,
        formulas: &[Formula],
        block: (BlockId, &[ValueId]),
        params: &[Known],
    ) {
        let scope = self.parameter_scope(state, formulas, block, params);
        self.suppose(state, formulas, &scope);
    }

    fn parameter_scope(
        &mut self,
        state: &State,
        formulas: &[Formula],
        (block, own): (BlockId, &[ValueId]),
        params: &[Known],
    ) -> Scope {
        self.scope(state, formulas, |walker, subject| {
            match (of_parameter(own, subject), subject) {
                (Some(index), _) => params.get(index).copied(),
                (None, Subject::Value(number)) => walker.value_in_scope(block, number),
                (None, Subject::Result(_)) => None,
            }
        })
    }
}
