//! Bounded powersets: a few disjuncts of any domain.
//!
//! Joins keep both operands apart as long as there is room. Widening never adds a disjunct: each of
//! the new ones widens one of the old, and where none fits all are merged (in the manner of Bagnara,
//! Hill and Zaffanella, "Widening operators for powerset domains").
//!
//! Invariants: no disjunct is ⊥ and none lies below another; there are at most `limit` of them.

use crate::domain::{AbstractDomain, ProgramDomain, VariableDomain};
use crate::language::{Condition, Statement};
use crate::thresholds::Thresholds;
use crate::value::AbstractValue as _;
use crate::value::interval::Interval;
use crate::variable::VariableId;

/// A disjunction of elements of a domain.
#[derive(Clone, Debug)]
pub struct Powerset<D> {
    /// ⊤ of the domain below, to make new elements from.
    some: D,
    disjuncts: Vec<D>,
    limit: usize,
}

impl<D: ProgramDomain> Powerset<D> {
    /// `limit` is at least 1.
    #[must_use]
    pub fn new(below: &D, limit: usize) -> Powerset<D> {
        Powerset {
            some: below.top(),
            disjuncts: vec![below.clone()],
            limit: limit.max(1),
        }
    }

    #[must_use]
    pub fn disjuncts(&self) -> &[D] {
        &self.disjuncts
    }

    fn of(&self, disjuncts: impl IntoIterator<Item = D>) -> Powerset<D> {
        let mut result = Powerset {
            some: self.some.clone(),
            disjuncts: Vec::new(),
            limit: self.limit,
        };
        for disjunct in disjuncts {
            result.add(disjunct);
        }
        result
    }

    fn add(&mut self, disjunct: D) {
        if disjunct.is_bottom() || self.disjuncts.iter().any(|own| disjunct.leq(own)) {
            return;
        }
        self.disjuncts.retain(|own| !own.leq(&disjunct));
        self.disjuncts.push(disjunct);
        if self.disjuncts.len() > self.limit {
            let last = self.disjuncts.pop().expect("invariant: over the limit");
            let before = self
                .disjuncts
                .pop()
                .expect("invariant: the limit is at least 1");
            self.add(before.join(&last));
        }
    }

    /// One element above all disjuncts.
    #[must_use]
    pub fn hull(&self) -> D {
        let mut all = self.disjuncts.iter();
        match all.next() {
            None => self.some.bottom(),
            Some(first) => all.fold(first.clone(), |hull, disjunct| hull.join(disjunct)),
        }
    }

    fn each(&mut self, operation: impl Fn(&mut D)) {
        let mut disjuncts = std::mem::take(&mut self.disjuncts);
        disjuncts.iter_mut().for_each(operation);
        *self = self.of(disjuncts);
    }
}

impl<D: ProgramDomain> AbstractDomain for Powerset<D> {
    fn top(&self) -> Powerset<D> {
        self.of([self.some.clone()])
    }

    fn bottom(&self) -> Powerset<D> {
        self.of([])
    }

    fn is_top(&self) -> bool {
        self.disjuncts.iter().any(D::is_top)
    }

    fn is_bottom(&self) -> bool {
        self.disjuncts.is_empty()
    }

    fn leq(&self, other: &Powerset<D>) -> bool {
        self.disjuncts
            .iter()
            .all(|own| other.disjuncts.iter().any(|wanted| own.leq(wanted)))
    }

    fn join(&self, other: &Powerset<D>) -> Powerset<D> {
        self.of(self.disjuncts.iter().chain(&other.disjuncts).cloned())
    }

    fn meet(&self, other: &Powerset<D>) -> Powerset<D> {
        let pairs = self
            .disjuncts
            .iter()
            .flat_map(|own| other.disjuncts.iter().map(move |wanted| own.meet(wanted)));
        self.of(pairs)
    }

    fn widen(&self, other: &Powerset<D>, thresholds: &Thresholds) -> Powerset<D> {
        if self.is_bottom() || other.leq(self) {
            return if self.is_bottom() {
                other.clone()
            } else {
                self.clone()
            };
        }
        let mut widened = self.disjuncts.clone();
        for new in &other.disjuncts {
            if widened.iter().any(|old| new.leq(old)) {
                continue;
            }
            match widened.iter_mut().find(|old| old.leq(new)) {
                Some(old) => *old = old.widen(new, thresholds),
                None => {
                    let (left, right) = (self.hull(), other.hull());
                    return self.of([left.widen(&left.join(&right), thresholds)]);
                }
            }
        }
        self.of(widened)
    }

    fn narrow(&self, other: &Powerset<D>) -> Powerset<D> {
        match (&self.disjuncts[..], &other.disjuncts[..]) {
            (_, []) => self.bottom(),
            ([own], [new]) => self.of([own.narrow(new)]),
            _ => self.clone(),
        }
    }
}

impl<D: ProgramDomain> VariableDomain for Powerset<D> {
    fn forget(&mut self, variables: &[VariableId]) {
        self.each(|disjunct| disjunct.forget(variables));
    }

    fn project(&mut self, variables: &[VariableId]) {
        self.each(|disjunct| disjunct.project(variables));
    }

    fn rename(&mut self, from: &[VariableId], to: &[VariableId]) {
        self.each(|disjunct| disjunct.rename(from, to));
    }

    /// The copy may have a value of another disjunct, so copies are made in all pairs.
    fn expand(&mut self, original: VariableId, copy: VariableId) {
        if let [only] = &mut self.disjuncts[..] {
            only.expand(original, copy);
            return;
        }
        let mut hull = self.hull();
        hull.expand(original, copy);
        *self = self.of([hull]);
    }
}

impl<D: ProgramDomain> ProgramDomain for Powerset<D> {
    fn transfer(&mut self, statement: &Statement) {
        self.each(|disjunct| disjunct.transfer(statement));
    }

    fn assume(&mut self, condition: &Condition) {
        self.each(|disjunct| disjunct.assume(condition));
    }

    fn entails(&self, condition: &Condition) -> bool {
        self.disjuncts
            .iter()
            .all(|disjunct| disjunct.entails(condition))
    }

    fn bounds(&self, variable: VariableId) -> Interval {
        let all = self
            .disjuncts
            .iter()
            .map(|disjunct| disjunct.bounds(variable));
        all.fold(Interval::bottom(), |hull, bounds| hull.join(&bounds))
    }

    fn to_conditions(&self) -> Vec<Condition> {
        match &self.disjuncts[..] {
            [] => vec![Condition::Constant(false)],
            [only] => only.to_conditions(),
            several => {
                // Conditions of one disjunct that the others entail, and those of the hull.
                let mut conditions = self.hull().to_conditions();
                for condition in several.iter().flat_map(D::to_conditions) {
                    if !conditions.contains(&condition) && self.entails(&condition) {
                        conditions.push(condition);
                    }
                }
                conditions
            }
        }
    }

    fn describe_beyond_conditions(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        if let [only] = &self.disjuncts[..] {
            return only.describe_beyond_conditions(name);
        }
        let one = |disjunct: &D| {
            let conditions = disjunct.to_conditions();
            let mut texts: Vec<String> = conditions
                .iter()
                .map(|c| crate::language::print_condition(c, name))
                .collect();
            texts.extend(disjunct.describe_beyond_conditions(name));
            format!("({})", texts.join(", "))
        };
        let all: Vec<String> = self.disjuncts.iter().map(one).collect();
        if all.is_empty() {
            Vec::new()
        } else {
            vec![all.join(" or ")]
        }
    }

    fn backward(&mut self, statement: &Statement, before: &Powerset<D>) {
        let pairs: Vec<D> = self
            .disjuncts
            .iter()
            .flat_map(|after| {
                before.disjuncts.iter().map(move |before| {
                    let mut predecessors = after.clone();
                    predecessors.backward(statement, before);
                    predecessors
                })
            })
            .collect();
        *self = self.of(pairs);
    }
}
