//! Flat booleans coupled with numbers (§4.2.4 of the SeaHorn paper).
//!
//! A lattice ⊥ ≤ true, false ≤ ⊤ per boolean, over any domain of programs, and *consequences*: for
//! a boolean b, conditions that hold whenever b is true and others whenever b is false. b := x < 3
//! makes x < 3 a consequence of b, so that assuming b later tells the domain below; whatever
//! changes x removes it. That is how information flows between booleans and numbers.
//!
//! Invariant: no consequence of a boolean mentions that boolean.

mod consequences;
mod table;

use crate::domain::{AbstractDomain, Implication, ProgramDomain, VariableDomain};
use crate::language::{BooleanOperator, Condition, Statement};
use crate::linear::{LinearConstraint, LinearExpression};
use crate::machine::boolean_number;
use crate::persistent_map::{Merged, OneSided, PersistentMap};
use crate::thresholds::Thresholds;
use crate::value::interval::Interval;
use crate::variable::{Type, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

use consequences::Consequences;
use table::Table;

/// Booleans over a domain of everything else.
#[derive(Clone, Debug)]
pub struct FlatBooleans<D> {
    below: D,
    known: PersistentMap<bool>,
    consequences: Table,
}

impl<D: ProgramDomain> FlatBooleans<D> {
    #[must_use]
    pub fn new(below: D) -> FlatBooleans<D> {
        FlatBooleans {
            below,
            known: PersistentMap::new(),
            consequences: Table::new(),
        }
    }

    fn over(&self, below: D) -> FlatBooleans<D> {
        FlatBooleans {
            below,
            known: self.known.clone(),
            consequences: self.consequences.clone(),
        }
    }

    fn set_bottom(&mut self) {
        *self = self.bottom();
    }

    fn consequences_of(&self, b: VariableId) -> Consequences {
        self.consequences.get(b).cloned().unwrap_or_default()
    }

    /// Forgets what is known of a boolean, and every consequence that mentions the variable.
    fn invalidate(&mut self, x: VariableId) {
        self.known.remove(x);
        self.consequences.forget(&[x]);
    }

    /// Makes a boolean a new value, with what follows from it.
    fn define(&mut self, b: VariableId, value: Option<bool>, own: &Consequences) {
        let own = own.without(&[b]);
        self.invalidate(b);
        if let Some(value) = value {
            self.known.insert(b, value);
        }
        self.consequences.set(b, own);
    }

    /// What a condition is known to be.
    fn truth(&self, condition: &Condition) -> Option<bool> {
        if let Condition::Boolean { variable, value } = condition {
            return self.known.get(*variable).map(|known| known == value);
        }
        if self.below.entails(condition) {
            Some(true)
        } else if self.below.entails(&condition.negate()) {
            Some(false)
        } else {
            None
        }
    }

    fn assign_condition(&mut self, target: VariableId, condition: &Condition) {
        let value = self.truth(condition);
        let mut own = match condition {
            Condition::Boolean {
                variable,
                value: true,
            } => self.consequences_of(*variable),
            Condition::Boolean {
                variable,
                value: false,
            } => self.consequences_of(*variable).swap(),
            Condition::Constant(_)
            | Condition::Linear(_)
            | Condition::Unsigned { .. }
            | Condition::Pointers { .. } => Consequences::default(),
        };
        own.add(true, condition.clone());
        own.add(false, condition.negate());
        self.define(target, value, &own);
    }

    fn assign_binary(
        &mut self,
        operator: BooleanOperator,
        target: VariableId,
        left: VariableId,
        right: VariableId,
    ) {
        let (x, y) = (
            self.known.get(left).copied(),
            self.known.get(right).copied(),
        );
        let (of_left, of_right) = (self.consequences_of(left), self.consequences_of(right));
        let mut own = Consequences::default();
        let value = match operator {
            BooleanOperator::And => {
                own.adopt(true, &of_left, (left, true));
                own.adopt(true, &of_right, (right, true));
                match (x, y) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), other) | (other, Some(true)) => other,
                    (None, None) => None,
                }
            }
            BooleanOperator::Or => {
                own.adopt(false, &of_left, (left, false));
                own.adopt(false, &of_right, (right, false));
                match (x, y) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), other) | (other, Some(false)) => other,
                    (None, None) => None,
                }
            }
            BooleanOperator::Xor => {
                for (fixed, other, facts) in [(x, right, &of_right), (y, left, &of_left)] {
                    if let Some(fixed) = fixed {
                        own.adopt(true, facts, (other, !fixed));
                        own.adopt(false, facts, (other, fixed));
                    }
                }
                if left == right {
                    Some(false)
                } else {
                    x.zip(y).map(|(x, y)| x != y)
                }
            }
        };
        self.define(target, value, &own);
    }

    fn assign_integer(&mut self, statement: &Statement, target: VariableId, source: VariableId) {
        self.below.transfer(statement);
        self.invalidate(target);
        if let Some(value) = self.known.get(source) {
            let expression = LinearExpression::constant(boolean_number(*value));
            self.below
                .transfer(&Statement::Assign { target, expression });
            return;
        }
        let mut own = self.consequences_of(source);
        own.add(true, LinearConstraint::equal(target, 1).into());
        own.add(false, LinearConstraint::equal(target, 0).into());
        self.consequences.set(source, own);
    }

    /// Assumes a condition and all that follows from booleans becoming known.
    fn assume_all(&mut self, condition: &Condition) {
        let mut pending = vec![condition.clone()];
        while let Some(next) = pending.pop() {
            match next {
                Condition::Boolean { variable, value } => match self.known.get(variable) {
                    Some(known) if *known == value => {}
                    Some(_) => return self.set_bottom(),
                    None => {
                        self.known.insert(variable, value);
                        pending.extend(self.consequences_of(variable).when(value).to_vec());
                    }
                },
                Condition::Constant(_)
                | Condition::Linear(_)
                | Condition::Unsigned { .. }
                | Condition::Pointers { .. } => self.below.assume(&next),
            }
            if self.below.is_bottom() {
                return self.set_bottom();
            }
        }
    }

    /// Whether the condition holds in every state in which b has the value.
    fn follows(&self, b: VariableId, value: bool, condition: &Condition) -> bool {
        self.known.get(b) == Some(&!value)
            || self
                .consequences
                .get(b)
                .is_some_and(|own| own.when(value).contains(condition))
            || self.truth(condition) == Some(true)
    }

    /// The consequences among the candidates that both sides justify.
    fn common_consequences(&self, other: &FlatBooleans<D>, candidates: &Table) -> Table {
        let mut result = candidates.clone();
        for b in self.consequences.differing(&other.consequences) {
            let both = |value: bool, condition: &Condition| {
                self.follows(b, value, condition) && other.follows(b, value, condition)
            };
            if let Some(own) = candidates.get(b)
                && !own.all(both)
            {
                result.set(b, own.filtered(both));
            }
        }
        result
    }

    fn common_known(&self, other: &FlatBooleans<D>) -> PersistentMap<bool> {
        self.known
            .merge(&other.known, OneSided::Drop, OneSided::Drop, |_, x, y| {
                if x == y { Merged::Left } else { Merged::Drop }
            })
    }

    fn backward_condition(&mut self, target: VariableId, condition: &Condition) {
        let value = self.known.get(target).copied();
        self.invalidate(target);
        match value {
            Some(true) => self.assume_all(condition),
            Some(false) => self.assume_all(&condition.negate()),
            None => {}
        }
    }
}

impl<D: ProgramDomain> AbstractDomain for FlatBooleans<D> {
    fn top(&self) -> FlatBooleans<D> {
        FlatBooleans::new(self.below.top())
    }

    fn bottom(&self) -> FlatBooleans<D> {
        FlatBooleans::new(self.below.bottom())
    }

    fn is_top(&self) -> bool {
        self.below.is_top() && self.known.is_empty() && self.consequences.is_empty()
    }

    fn is_bottom(&self) -> bool {
        self.below.is_bottom()
    }

    fn leq(&self, other: &FlatBooleans<D>) -> bool {
        if self.is_bottom() {
            return true;
        }
        self.below.leq(&other.below)
            && self.known.covers(&other.known, |x, y| x == y)
            && (self.consequences.is_same(&other.consequences)
                || other
                    .consequences
                    .iter()
                    .all(|(b, own)| own.all(|value, condition| self.follows(b, value, condition))))
    }

    fn join(&self, other: &FlatBooleans<D>) -> FlatBooleans<D> {
        if self.is_bottom() {
            return other.clone();
        }
        if other.is_bottom() {
            return self.clone();
        }
        let consequences = if self.consequences.is_same(&other.consequences) {
            self.consequences.clone()
        } else {
            let candidates = self.consequences.union(&other.consequences);
            self.common_consequences(other, &candidates)
        };
        FlatBooleans {
            below: self.below.join(&other.below),
            known: self.common_known(other),
            consequences,
        }
    }

    fn meet(&self, other: &FlatBooleans<D>) -> FlatBooleans<D> {
        let mut result = self.over(self.below.meet(&other.below));
        if result.is_bottom() {
            return self.bottom();
        }
        result.consequences = self.consequences.union(&other.consequences);
        for (b, value) in &other.known {
            result.assume_all(&Condition::Boolean {
                variable: b,
                value: *value,
            });
            if result.is_bottom() {
                return self.bottom();
            }
        }
        result
    }

    /// Consequences come from the left only, so that they can only become fewer.
    fn widen(&self, other: &FlatBooleans<D>, thresholds: &Thresholds) -> FlatBooleans<D> {
        if self.is_bottom() {
            return other.clone();
        }
        if other.is_bottom() {
            return self.clone();
        }
        FlatBooleans {
            below: self.below.widen(&other.below, thresholds),
            known: self.common_known(other),
            consequences: self.common_consequences(other, &self.consequences),
        }
    }

    fn narrow(&self, other: &FlatBooleans<D>) -> FlatBooleans<D> {
        let mut result = self.over(self.below.narrow(&other.below));
        if result.is_bottom() || other.is_bottom() {
            return self.bottom();
        }
        for (b, value) in &other.known {
            match result.known.get(b) {
                Some(own) if own != value => return self.bottom(),
                Some(_) => {}
                None => result.known.insert(b, *value),
            }
        }
        result
    }
}

impl<D: ProgramDomain> VariableDomain for FlatBooleans<D> {
    fn forget(&mut self, variables: &[VariableId]) {
        self.below.forget(variables);
        for x in variables {
            self.known.remove(*x);
        }
        self.consequences.forget(variables);
    }

    fn project(&mut self, variables: &[VariableId]) {
        self.below.project(variables);
        let variables: FxHashSet<VariableId> = variables.iter().copied().collect();
        let kept = |x: &VariableId| variables.contains(x);
        self.known = self
            .known
            .iter()
            .filter(|(b, _)| kept(b))
            .map(|(b, value)| (b, *value))
            .collect();
        let consequences: Vec<(VariableId, Consequences)> = self
            .consequences
            .iter()
            .filter(|(b, _)| kept(b))
            .map(|(b, own)| (b, own.filtered(|_, c| c.variables().iter().all(kept))))
            .filter(|(_, own)| !own.is_empty())
            .collect();
        self.consequences = consequences.into_iter().collect();
    }

    fn rename(&mut self, from: &[VariableId], to: &[VariableId]) {
        self.below.rename(from, to);
        let renamed: FxHashMap<VariableId, VariableId> =
            from.iter().copied().zip(to.iter().copied()).collect();
        let renaming = |x: VariableId| renamed.get(&x).copied().unwrap_or(x);
        self.known = self
            .known
            .iter()
            .map(|(b, value)| (renaming(b), *value))
            .collect();
        self.consequences = self
            .consequences
            .iter()
            .map(|(b, own)| (renaming(b), own.rename(&renaming)))
            .collect();
    }

    fn expand(&mut self, original: VariableId, copy: VariableId) {
        if original.ty() != Type::Boolean {
            self.below.expand(original, copy);
            return;
        }
        if let Some(value) = self.known.get(original).copied() {
            self.known.insert(copy, value);
        }
        let own = self.consequences_of(original).without(&[copy]);
        self.consequences.set(copy, own);
    }
}

impl<D: ProgramDomain> ProgramDomain for FlatBooleans<D> {
    fn transfer(&mut self, statement: &Statement) {
        if self.is_bottom() {
            return;
        }
        match statement {
            Statement::BooleanAssign { target, condition } => {
                self.assign_condition(*target, condition);
            }
            Statement::BooleanBinary {
                operator,
                target,
                left,
                right,
            } => {
                self.assign_binary(*operator, *target, *left, *right);
            }
            Statement::BooleanToInteger { target, source } => {
                self.assign_integer(statement, *target, *source);
            }
            Statement::Assume { condition } | Statement::Assert { condition } => {
                self.assume_all(condition);
            }
            Statement::Assign { .. }
            | Statement::Binary { .. }
            | Statement::Cast { .. }
            | Statement::Havoc { .. }
            | Statement::PointerAssign { .. }
            | Statement::Allocate { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::AddressOfFunction { .. }
            | Statement::ArrayInit { .. }
            | Statement::ArrayRead { .. }
            | Statement::ArrayWrite { .. }
            | Statement::ArrayAssign { .. }
            | Statement::Call { .. } => {
                self.below.transfer(statement);
                for x in statement.defined() {
                    self.invalidate(x);
                }
            }
        }
        if self.below.is_bottom() {
            self.set_bottom();
        }
    }

    fn assume(&mut self, condition: &Condition) {
        if !self.is_bottom() {
            self.assume_all(condition);
        }
    }

    fn bounds(&self, variable: VariableId) -> Interval {
        self.below.bounds(variable)
    }

    fn to_conditions(&self) -> Vec<Condition> {
        let mut conditions = self.below.to_conditions();
        if !self.is_bottom() {
            let known = self.known.iter();
            conditions.extend(known.map(|(variable, value)| Condition::Boolean {
                variable,
                value: *value,
            }));
        }
        conditions
    }

    fn implications(&self) -> Vec<Implication> {
        let mut all = self.below.implications();
        for (b, own) in self.consequences.iter() {
            for value in [true, false] {
                let conditions = own.when(value).iter().cloned();
                let when = (b, value);
                all.extend(conditions.map(|then| Implication { when, then }));
            }
        }
        all
    }

    fn describe_beyond_conditions(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        let mut facts = self.below.describe_beyond_conditions(name);
        for (b, own) in self.consequences.iter() {
            if self.known.get(b).is_none() {
                facts.extend(own.describe(&name(b), name));
            }
        }
        facts
    }

    fn backward(&mut self, statement: &Statement, before: &FlatBooleans<D>) {
        match statement {
            Statement::BooleanAssign { target, condition } => {
                self.backward_condition(*target, condition);
                self.below = self.below.meet(&before.below);
            }
            Statement::Assume { condition } | Statement::Assert { condition } => {
                self.assume_all(condition);
                self.below = self.below.meet(&before.below);
            }
            Statement::Assign { .. }
            | Statement::Binary { .. }
            | Statement::Cast { .. }
            | Statement::BooleanToInteger { .. }
            | Statement::BooleanBinary { .. }
            | Statement::Havoc { .. }
            | Statement::PointerAssign { .. }
            | Statement::Allocate { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::AddressOfFunction { .. }
            | Statement::ArrayInit { .. }
            | Statement::ArrayRead { .. }
            | Statement::ArrayWrite { .. }
            | Statement::ArrayAssign { .. }
            | Statement::Call { .. } => {
                self.below.backward(statement, &before.below);
                for x in statement.defined() {
                    self.invalidate(x);
                }
            }
        }
        for (b, value) in &before.known {
            if self.is_bottom() {
                break;
            }
            self.assume_all(&Condition::Boolean {
                variable: b,
                value: *value,
            });
        }
        if self.below.is_bottom() {
            self.set_bottom();
        }
    }
}
