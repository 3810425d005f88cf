//! Value partitioning: a state per valuation of a few boolean variables.
//!
//! A flag that remembers which way the program went correlates with the numbers of that way. When a
//! boolean is assigned a condition of unknown truth, the state is split on it and the parts are
//! kept apart, and joined with each other's counterparts, until the boolean is written again (value
//! partitioning as in Astrée, Rival and Mauborgne, "The trace partitioning abstract domain", §4).
//!
//! Invariants: all keys list the same booleans, in the same order, and at most `limit` of them; no
//! part is ⊥; each part satisfies its key.

use std::collections::BTreeMap;

use crate::domain::{AbstractDomain, ProgramDomain, VariableDomain};
use crate::language::{Condition, Statement};
use crate::thresholds::Thresholds;
use crate::value::AbstractValue as _;
use crate::value::interval::Interval;
use crate::variable::VariableId;

/// Values of the booleans that are partitioned on.
type Key = Vec<(VariableId, bool)>;

/// A domain partitioned by booleans.
#[derive(Clone, Debug)]
pub struct ValuePartitioning<D> {
    /// ⊤ of the domain below, to make new elements from.
    some: D,
    parts: BTreeMap<Key, D>,
    limit: usize,
}

impl<D: ProgramDomain> ValuePartitioning<D> {
    #[must_use]
    pub fn new(below: &D, limit: usize) -> ValuePartitioning<D> {
        ValuePartitioning {
            some: below.top(),
            parts: BTreeMap::from([(Vec::new(), below.clone())]),
            limit,
        }
    }

    fn of(&self, parts: impl IntoIterator<Item = (Key, D)>) -> ValuePartitioning<D> {
        let mut result = ValuePartitioning {
            some: self.some.clone(),
            parts: BTreeMap::new(),
            limit: self.limit,
        };
        for (key, part) in parts {
            if part.is_bottom() {
                continue;
            }
            let joined = result
                .parts
                .get(&key)
                .map_or_else(|| part.clone(), |own| own.join(&part));
            result.parts.insert(key, joined);
        }
        result
    }

    /// The booleans that are partitioned on.
    fn variables(&self) -> Vec<VariableId> {
        let first = self.parts.keys().next();
        first
            .map(|key| key.iter().map(|(b, _)| *b).collect())
            .unwrap_or_default()
    }

    /// Joins parts until only these booleans are partitioned on.
    fn coarsened(&self, kept: &[VariableId]) -> ValuePartitioning<D> {
        if self.variables().iter().all(|b| kept.contains(b)) {
            return self.clone();
        }
        self.of(self.parts.iter().map(|(key, part)| {
            let key = key
                .iter()
                .filter(|(b, _)| kept.contains(b))
                .copied()
                .collect();
            (key, part.clone())
        }))
    }

    /// Both partitioned on what both are.
    fn aligned(
        &self,
        other: &ValuePartitioning<D>,
    ) -> (ValuePartitioning<D>, ValuePartitioning<D>) {
        if self.is_bottom() || other.is_bottom() {
            return (self.clone(), other.clone());
        }
        let others = other.variables();
        let common: Vec<VariableId> = self
            .variables()
            .into_iter()
            .filter(|b| others.contains(b))
            .collect();
        (self.coarsened(&common), other.coarsened(&common))
    }

    fn each(&mut self, operation: impl Fn(&mut D)) {
        for part in self.parts.values_mut() {
            operation(part);
        }
        self.parts.retain(|_, part| !part.is_bottom());
    }

    /// Splits every part on a boolean that is not partitioned on yet.
    fn split(&mut self, b: VariableId) {
        let parts = self.parts.iter().flat_map(|(key, part)| {
            [true, false].into_iter().map(move |value| {
                let mut key = key.clone();
                let at = key.partition_point(|(own, _)| *own < b);
                key.insert(at, (b, value));
                let mut part = part.clone();
                part.assume(&Condition::Boolean { variable: b, value });
                (key, part)
            })
        });
        *self = self.of(parts.collect::<Vec<_>>());
    }

    fn assign(&mut self, statement: &Statement, target: VariableId, condition: Option<&Condition>) {
        let kept: Vec<VariableId> = self
            .variables()
            .into_iter()
            .filter(|b| *b != target)
            .collect();
        *self = self.coarsened(&kept);
        // The condition is assumed along with the value, for domains that keep no consequences.
        if let (true, Some(condition)) = (kept.len() < self.limit, condition)
            && !condition.variables().contains(&target)
        {
            let parts = self.parts.iter().flat_map(|(key, part)| {
                [true, false].into_iter().map(move |value| {
                    let mut part = part.clone();
                    let assumed = if value {
                        condition.clone()
                    } else {
                        condition.negate()
                    };
                    part.assume(&assumed);
                    part.transfer(statement);
                    part.assume(&Condition::Boolean {
                        variable: target,
                        value,
                    });
                    let mut key = key.clone();
                    let at = key.partition_point(|(own, _)| *own < target);
                    key.insert(at, (target, value));
                    (key, part)
                })
            });
            *self = self.of(parts.collect::<Vec<_>>());
            return;
        }
        self.each(|part| part.transfer(statement));
        if kept.len() < self.limit {
            self.split(target);
        }
    }

    /// One element above all parts.
    fn hull(&self) -> D {
        let mut all = self.parts.values();
        match all.next() {
            None => self.some.bottom(),
            Some(first) => all.fold(first.clone(), |hull, part| hull.join(part)),
        }
    }

    /// Merges all parts into one.
    fn collapsed(&self) -> ValuePartitioning<D> {
        self.coarsened(&[])
    }
}

impl<D: ProgramDomain> AbstractDomain for ValuePartitioning<D> {
    fn top(&self) -> ValuePartitioning<D> {
        self.of([(Vec::new(), self.some.clone())])
    }

    fn bottom(&self) -> ValuePartitioning<D> {
        self.of([])
    }

    fn is_top(&self) -> bool {
        self.parts.get(&Vec::new()).is_some_and(D::is_top)
    }

    fn is_bottom(&self) -> bool {
        self.parts.is_empty()
    }

    /// A part lies below what the other has for its key, as far as that is partitioned alike.
    fn leq(&self, other: &ValuePartitioning<D>) -> bool {
        let others = other.variables();
        let own = self.variables();
        if !others.iter().all(|b| own.contains(b)) {
            // The other distinguishes more: all of this must lie below each of its parts.
            return self.is_bottom()
                || (other.parts.len() == 1 << others.len()
                    && self
                        .parts
                        .values()
                        .all(|p| other.parts.values().all(|q| p.leq(q))));
        }
        self.parts.iter().all(|(key, part)| {
            let key: Key = key
                .iter()
                .filter(|(b, _)| others.contains(b))
                .copied()
                .collect();
            other.parts.get(&key).is_some_and(|above| part.leq(above))
        })
    }

    fn join(&self, other: &ValuePartitioning<D>) -> ValuePartitioning<D> {
        let (left, right) = self.aligned(other);
        self.of(left.parts.into_iter().chain(right.parts))
    }

    fn meet(&self, other: &ValuePartitioning<D>) -> ValuePartitioning<D> {
        let (left, right) = self.aligned(other);
        let pairs = left
            .parts
            .iter()
            .filter_map(|(key, part)| Some((key.clone(), part.meet(right.parts.get(key)?))));
        self.of(pairs.collect::<Vec<_>>())
    }

    fn widen(&self, other: &ValuePartitioning<D>, thresholds: &Thresholds) -> Self {
        let (left, right) = self.aligned(other);
        let mut result = left.clone();
        for (key, part) in right.parts {
            let widened = match left.parts.get(&key) {
                Some(own) => own.widen(&part, thresholds),
                None => part,
            };
            result.parts.insert(key, widened);
        }
        result
    }

    fn narrow(&self, other: &ValuePartitioning<D>) -> ValuePartitioning<D> {
        if self.variables() != other.variables() {
            return if other.is_bottom() {
                self.bottom()
            } else {
                self.clone()
            };
        }
        let pairs = self
            .parts
            .iter()
            .filter_map(|(key, part)| Some((key.clone(), part.narrow(other.parts.get(key)?))));
        self.of(pairs.collect::<Vec<_>>())
    }
}

impl<D: ProgramDomain> VariableDomain for ValuePartitioning<D> {
    fn forget(&mut self, variables: &[VariableId]) {
        let kept: Vec<VariableId> = self
            .variables()
            .into_iter()
            .filter(|b| !variables.contains(b))
            .collect();
        *self = self.coarsened(&kept);
        self.each(|part| part.forget(variables));
    }

    fn project(&mut self, variables: &[VariableId]) {
        *self = self.coarsened(variables);
        self.each(|part| part.project(variables));
    }

    fn rename(&mut self, from: &[VariableId], to: &[VariableId]) {
        let touched = |b: &VariableId| from.contains(b);
        if self.variables().iter().any(touched) {
            let kept: Vec<VariableId> = self
                .variables()
                .into_iter()
                .filter(|b| !touched(b))
                .collect();
            *self = self.coarsened(&kept);
        }
        self.each(|part| part.rename(from, to));
    }

    fn expand(&mut self, original: VariableId, copy: VariableId) {
        // The copy is independent of the original, so of its part too.
        *self = self.collapsed();
        self.each(|part| part.expand(original, copy));
    }
}

impl<D: ProgramDomain> ProgramDomain for ValuePartitioning<D> {
    fn transfer(&mut self, statement: &Statement) {
        match statement {
            Statement::BooleanAssign { target, condition } => {
                self.assign(statement, *target, Some(condition));
            }
            Statement::BooleanBinary { target, .. } => self.assign(statement, *target, None),
            Statement::Assume { condition } | Statement::Assert { condition } => {
                self.assume(condition);
            }
            Statement::Assign { .. }
            | Statement::Binary { .. }
            | Statement::Cast { .. }
            | Statement::BooleanToInteger { .. }
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
                let defined = statement.defined();
                let kept: Vec<VariableId> = self
                    .variables()
                    .into_iter()
                    .filter(|b| !defined.contains(b))
                    .collect();
                *self = self.coarsened(&kept);
                self.each(|part| part.transfer(statement));
            }
        }
    }

    fn assume(&mut self, condition: &Condition) {
        if let Condition::Boolean { variable, value } = condition {
            self.parts
                .retain(|key, _| !key.contains(&(*variable, !value)));
        }
        self.each(|part| part.assume(condition));
    }

    fn entails(&self, condition: &Condition) -> bool {
        let holds = |(key, part): (&Key, &D)| match condition {
            Condition::Boolean { variable, value } if key.contains(&(*variable, *value)) => true,
            _ => part.entails(condition),
        };
        self.parts.iter().all(holds)
    }

    fn bounds(&self, variable: VariableId) -> Interval {
        let all = self.parts.values().map(|part| part.bounds(variable));
        all.fold(Interval::bottom(), |hull, bounds| hull.join(&bounds))
    }

    fn to_conditions(&self) -> Vec<Condition> {
        self.hull().to_conditions()
    }

    fn describe_beyond_conditions(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        if self.parts.len() == 1 {
            return self.hull().describe_beyond_conditions(name);
        }
        let text = |conditions: &[Condition]| {
            let texts: Vec<String> = conditions
                .iter()
                .map(|c| crate::language::print_condition(c, name))
                .collect();
            texts.join(", ")
        };
        let one = |(key, part): (&Key, &D)| {
            let key: Vec<Condition> = key
                .iter()
                .map(|(variable, value)| Condition::Boolean {
                    variable: *variable,
                    value: *value,
                })
                .collect();
            format!("({}) => ({})", text(&key), text(&part.to_conditions()))
        };
        self.parts.iter().map(one).collect()
    }

    fn backward(&mut self, statement: &Statement, before: &ValuePartitioning<D>) {
        // Parts by values after the statement say nothing of values before it.
        let mut after = self.hull();
        let hull = before.hull();
        if after.is_bottom() || hull.is_bottom() {
            *self = self.bottom();
            return;
        }
        after.backward(statement, &hull);
        *self = self.of([(Vec::new(), after)]);
    }
}
