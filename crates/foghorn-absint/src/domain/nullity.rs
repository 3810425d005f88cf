//! Nullity of pointers (§4.2.4 of the SeaHorn paper): ⊥ ≤ null, non-null ≤ ⊤, beside any domain.
//!
//! Invariant: references are never null and are not in the map.

use crate::domain::{AbstractDomain, ProgramDomain, VariableDomain};
use crate::language::{Condition, Statement};
use crate::persistent_map::{Merged, OneSided, PersistentMap};
use crate::thresholds::Thresholds;
use crate::value::interval::Interval;
use crate::variable::{Type, VariableId};

/// Whether pointers are null, over a domain of everything else.
#[derive(Clone, Debug)]
pub struct Nullity<D> {
    below: D,
    /// Whether the pointer is null.
    null: PersistentMap<bool>,
}

impl<D: ProgramDomain> Nullity<D> {
    #[must_use]
    pub fn new(below: D) -> Nullity<D> {
        Nullity {
            below,
            null: PersistentMap::new(),
        }
    }

    fn get(&self, p: VariableId) -> Option<bool> {
        if p.ty() == Type::Reference {
            Some(false)
        } else {
            self.null.get(p).copied()
        }
    }

    fn set(&mut self, p: VariableId, null: Option<bool>) {
        match null {
            Some(true) if p.ty() == Type::Reference => *self = self.bottom(),
            Some(null) if p.ty() == Type::Pointer => self.null.insert(p, null),
            Some(_) | None => self.null.remove(p),
        }
    }

    /// Keeps the states in which the pointer is null, or is not.
    fn refine(&mut self, p: VariableId, null: bool) {
        match self.get(p) {
            Some(known) if known != null => *self = self.bottom(),
            Some(_) => {}
            None => self.set(p, Some(null)),
        }
    }

    fn assume_pointers(&mut self, equal: bool, left: VariableId, right: Option<VariableId>) {
        let Some(right) = right else {
            return self.refine(left, equal);
        };
        if left == right && !equal {
            *self = self.bottom();
            return;
        }
        for (known, other) in [(self.get(left), right), (self.get(right), left)] {
            match (known, equal) {
                (Some(null), true) => self.refine(other, null),
                // What differs from null is not null; what differs from another may be.
                (Some(true), false) => self.refine(other, false),
                (Some(false), false) | (None, _) => {}
            }
            if self.is_bottom() {
                return;
            }
        }
    }

    fn common(&self, other: &Nullity<D>) -> PersistentMap<bool> {
        self.null
            .merge(&other.null, OneSided::Drop, OneSided::Drop, |_, x, y| {
                if x == y { Merged::Left } else { Merged::Drop }
            })
    }

    fn transfer_pointers(&mut self, statement: &Statement) {
        match statement {
            Statement::PointerAssign {
                target, base: None, ..
            } => self.set(*target, Some(true)),
            Statement::PointerAssign {
                target,
                base: Some(base),
                ..
            } => {
                if target.ty() == Type::Reference {
                    self.refine(*base, false);
                } else {
                    self.set(*target, self.get(*base));
                }
            }
            Statement::Allocate { target, .. } | Statement::AddressOfFunction { target, .. } => {
                self.set(*target, Some(false));
            }
            // An access through null has no successor.
            Statement::Load { target, pointer } => {
                self.refine(*pointer, false);
                if target.ty().is_pointer() && !self.is_bottom() {
                    self.set(*target, None);
                }
            }
            Statement::Store { pointer, .. } => self.refine(*pointer, false),
            Statement::Assign { .. }
            | Statement::Binary { .. }
            | Statement::Cast { .. }
            | Statement::BooleanToInteger { .. }
            | Statement::BooleanAssign { .. }
            | Statement::BooleanBinary { .. }
            | Statement::Havoc { .. }
            | Statement::Assume { .. }
            | Statement::Assert { .. }
            | Statement::ArrayInit { .. }
            | Statement::ArrayRead { .. }
            | Statement::ArrayWrite { .. }
            | Statement::ArrayAssign { .. }
            | Statement::Call { .. } => {
                for x in statement.defined() {
                    self.null.remove(x);
                }
            }
        }
    }
}

impl<D: ProgramDomain> AbstractDomain for Nullity<D> {
    fn top(&self) -> Nullity<D> {
        Nullity::new(self.below.top())
    }

    fn bottom(&self) -> Nullity<D> {
        Nullity::new(self.below.bottom())
    }

    fn is_top(&self) -> bool {
        self.below.is_top() && self.null.is_empty()
    }

    fn is_bottom(&self) -> bool {
        self.below.is_bottom()
    }

    fn leq(&self, other: &Nullity<D>) -> bool {
        self.is_bottom()
            || (self.below.leq(&other.below) && self.null.covers(&other.null, |x, y| x == y))
    }

    fn join(&self, other: &Nullity<D>) -> Nullity<D> {
        match (self.is_bottom(), other.is_bottom()) {
            (true, _) => other.clone(),
            (_, true) => self.clone(),
            (false, false) => Nullity {
                below: self.below.join(&other.below),
                null: self.common(other),
            },
        }
    }

    fn meet(&self, other: &Nullity<D>) -> Nullity<D> {
        let mut result = Nullity {
            below: self.below.meet(&other.below),
            null: self.null.clone(),
        };
        for (p, null) in &other.null {
            if result.is_bottom() {
                break;
            }
            result.refine(p, *null);
        }
        if result.is_bottom() {
            self.bottom()
        } else {
            result
        }
    }

    fn widen(&self, other: &Nullity<D>, thresholds: &Thresholds) -> Nullity<D> {
        match (self.is_bottom(), other.is_bottom()) {
            (true, _) => other.clone(),
            (_, true) => self.clone(),
            (false, false) => Nullity {
                below: self.below.widen(&other.below, thresholds),
                null: self.common(other),
            },
        }
    }

    fn narrow(&self, other: &Nullity<D>) -> Nullity<D> {
        let narrowed = Nullity {
            below: self.below.narrow(&other.below),
            null: self.null.clone(),
        };
        let pointers = Nullity {
            below: self.below.top(),
            null: other.null.clone(),
        };
        narrowed.meet(&pointers)
    }
}

impl<D: ProgramDomain> VariableDomain for Nullity<D> {
    fn forget(&mut self, variables: &[VariableId]) {
        self.below.forget(variables);
        for x in variables {
            self.null.remove(*x);
        }
    }

    fn project(&mut self, variables: &[VariableId]) {
        self.below.project(variables);
        let kept = variables
            .iter()
            .filter_map(|x| Some((*x, *self.null.get(*x)?)));
        self.null = kept.collect();
    }

    fn rename(&mut self, from: &[VariableId], to: &[VariableId]) {
        self.below.rename(from, to);
        let values: Vec<Option<bool>> = from.iter().map(|x| self.null.get(*x).copied()).collect();
        for x in from {
            self.null.remove(*x);
        }
        for (x, value) in to.iter().zip(values) {
            if let Some(value) = value {
                self.null.insert(*x, value);
            }
        }
    }

    fn expand(&mut self, original: VariableId, copy: VariableId) {
        if original.ty().is_pointer() {
            self.set(copy, self.get(original));
        } else {
            self.below.expand(original, copy);
        }
    }
}

impl<D: ProgramDomain> ProgramDomain for Nullity<D> {
    fn transfer(&mut self, statement: &Statement) {
        if self.is_bottom() {
            return;
        }
        if let Statement::Assume { condition } | Statement::Assert { condition } = statement {
            self.assume(condition);
        } else {
            self.below.transfer(statement);
            if !self.below.is_bottom() {
                self.transfer_pointers(statement);
            }
        }
        if self.below.is_bottom() {
            *self = self.bottom();
        }
    }

    fn assume(&mut self, condition: &Condition) {
        if self.is_bottom() {
            return;
        }
        self.below.assume(condition);
        if let Condition::Pointers { equal, left, right } = condition
            && !self.below.is_bottom()
        {
            self.assume_pointers(*equal, *left, *right);
        }
        if self.below.is_bottom() {
            *self = self.bottom();
        }
    }

    fn bounds(&self, variable: VariableId) -> Interval {
        self.below.bounds(variable)
    }

    fn to_conditions(&self) -> Vec<Condition> {
        let mut conditions = self.below.to_conditions();
        for (left, null) in &self.null {
            conditions.push(Condition::Pointers {
                equal: *null,
                left,
                right: None,
            });
        }
        conditions
    }

    fn describe_beyond_conditions(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        self.below.describe_beyond_conditions(name)
    }

    fn backward(&mut self, statement: &Statement, before: &Nullity<D>) {
        self.below.backward(statement, &before.below);
        let target = statement.defined().first().copied();
        let after = target.and_then(|target| self.null.get(target).copied());
        for x in statement.defined() {
            self.null.remove(x);
        }
        let pointers = Nullity {
            below: self.below.clone(),
            null: before.null.clone(),
        };
        *self = self.meet(&pointers);
        if self.is_bottom() {
            return;
        }
        if let (
            Statement::PointerAssign {
                base: Some(base), ..
            },
            Some(null),
        ) = (statement, after)
        {
            self.refine(*base, null);
        }
        if let Statement::Load { pointer, .. } | Statement::Store { pointer, .. } = statement {
            self.refine(*pointer, false);
        }
        if let Statement::Assume { condition } | Statement::Assert { condition } = statement
            && let Condition::Pointers { equal, left, right } = condition
        {
            self.assume_pointers(*equal, *left, *right);
        }
    }
}
