//! Non-relational domains: environments from variables to abstract values.
//!
//! [`NonRelational`] lifts any [`NumericValue`] to a [`NumericDomain`]. Environments are persistent
//! maps, so that joins cost what the operands differ (§4.2.4 of the SeaHorn paper).
//!
//! Invariants: no value in the map is ⊤ (absence means ⊤) or ⊥ (one ⊥ makes the whole state ⊥).

use crate::domain::{AbstractDomain, NumericDomain, VariableDomain};
use crate::language::Operand;
use crate::linear::{LinearConstraint, LinearExpression, Relation};
use crate::number::Number;
use crate::persistent_map::{Merged, OneSided, PersistentMap};
use crate::thresholds::Thresholds;
use crate::value::interval::{Bound, Interval};
use crate::value::{ArithmeticOperator, NumericValue};
use crate::variable::VariableId;

/// An environment of values of one kind.
#[derive(Clone, Debug)]
pub struct NonRelational<V> {
    /// `None` is ⊥.
    map: Option<PersistentMap<V>>,
}

impl<V: NumericValue> Default for NonRelational<V> {
    fn default() -> NonRelational<V> {
        NonRelational {
            map: Some(PersistentMap::new()),
        }
    }
}

/// Chooses an operand where it equals the result, so that merges keep sharing.
fn merged<V: NumericValue>(left: &V, right: &V, result: V) -> Merged<V> {
    if result.is_top() {
        Merged::Drop
    } else if result == *left {
        Merged::Left
    } else if result == *right {
        Merged::Right
    } else {
        Merged::New(result)
    }
}

impl<V: NumericValue> NonRelational<V> {
    /// ⊤.
    #[must_use]
    pub fn new() -> NonRelational<V> {
        NonRelational::default()
    }

    /// The value of a variable.
    #[must_use]
    pub fn get(&self, variable: VariableId) -> V {
        match &self.map {
            None => V::bottom(),
            Some(map) => map.get(variable).cloned().unwrap_or_else(V::top),
        }
    }

    /// Replaces the value of a variable; ⊥ makes the state ⊥.
    pub fn set(&mut self, variable: VariableId, value: V) {
        let Some(map) = &mut self.map else { return };
        if value.is_bottom() {
            self.map = None;
        } else if value.is_top() {
            map.remove(variable);
        } else {
            map.insert(variable, value);
        }
    }

    /// The values that are not ⊤, by variable; empty for ⊥.
    pub fn entries(&self) -> impl Iterator<Item = (VariableId, &V)> {
        self.map.iter().flat_map(PersistentMap::iter)
    }

    /// The persistent map; `None` is ⊥.
    #[must_use]
    pub fn map(&self) -> Option<&PersistentMap<V>> {
        self.map.as_ref()
    }

    /// The value of a linear expression.
    #[must_use]
    pub fn evaluate(&self, expression: &LinearExpression) -> V {
        let mut sum = V::constant(expression.constant_part());
        for (x, coefficient) in expression.terms() {
            sum = sum.add(&self.get(*x).scale(coefficient));
        }
        sum
    }

    fn operand(&self, operand: &Operand) -> V {
        match operand {
            Operand::Variable(x) => self.get(*x),
            Operand::Constant(value) => V::constant(value),
        }
    }

    fn combine(
        &self,
        other: &NonRelational<V>,
        one_sided: OneSided,
        operation: impl Fn(&V, &V) -> V,
    ) -> NonRelational<V> {
        let (Some(left), Some(right)) = (&self.map, &other.map) else {
            return self.bottom();
        };
        let mut empty = false;
        let map = left.merge(right, one_sided, one_sided, |_, x, y| {
            let result = operation(x, y);
            empty |= result.is_bottom();
            merged(x, y, result)
        });
        NonRelational {
            map: (!empty).then_some(map),
        }
    }

    /// Refines one variable of coefficient·x + rest `relation` 0.
    fn refine(&mut self, x: VariableId, coefficient: &Number, rest: &V, relation: Relation) {
        let old = self.get(x);
        let limit = rest.scale(&Number::MINUS_ONE);
        let new = match relation {
            Relation::Equal => old.meet(&limit.divide_exactly(coefficient)),
            Relation::LessOrEqual => {
                let Bound::Finite(upper) = limit.to_interval().upper().clone() else {
                    return;
                };
                let half_line = if coefficient.is_positive() {
                    Interval::at_most(upper.div_floor(coefficient))
                } else {
                    Interval::at_least(upper.div_ceil(coefficient))
                };
                old.meet(&V::from_interval(&half_line))
            }
            Relation::NotEqual => match limit.to_interval().as_point() {
                Some(value) if value.is_multiple_of(coefficient) => {
                    old.without(&value.div_floor(coefficient))
                }
                Some(_) | None => return,
            },
        };
        if new != old {
            self.set(x, new);
        }
    }
}

impl<V: NumericValue> AbstractDomain for NonRelational<V> {
    fn top(&self) -> NonRelational<V> {
        NonRelational::default()
    }

    fn bottom(&self) -> NonRelational<V> {
        NonRelational { map: None }
    }

    fn is_top(&self) -> bool {
        self.map.as_ref().is_some_and(PersistentMap::is_empty)
    }

    fn is_bottom(&self) -> bool {
        self.map.is_none()
    }

    fn leq(&self, other: &NonRelational<V>) -> bool {
        match (&self.map, &other.map) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(left), Some(right)) => left.covers(right, V::leq),
        }
    }

    fn join(&self, other: &NonRelational<V>) -> NonRelational<V> {
        match (&self.map, &other.map) {
            (None, _) => other.clone(),
            (_, None) => self.clone(),
            (Some(_), Some(_)) => self.combine(other, OneSided::Drop, V::join),
        }
    }

    fn meet(&self, other: &NonRelational<V>) -> NonRelational<V> {
        self.combine(other, OneSided::Keep, V::meet)
    }

    fn widen(&self, other: &NonRelational<V>, thresholds: &Thresholds) -> NonRelational<V> {
        match (&self.map, &other.map) {
            (None, _) => other.clone(),
            (_, None) => self.clone(),
            (Some(_), Some(_)) => {
                self.combine(other, OneSided::Drop, |x, y| x.widen(y, thresholds))
            }
        }
    }

    fn narrow(&self, other: &NonRelational<V>) -> NonRelational<V> {
        let (Some(left), Some(right)) = (&self.map, &other.map) else {
            return self.bottom();
        };
        let mut empty = false;
        // A variable that only `other` knows narrows from ⊤, which every value may do.
        let map = left.merge(right, OneSided::Keep, OneSided::Keep, |_, x, y| {
            let result = x.narrow(y);
            empty |= result.is_bottom();
            merged(x, y, result)
        });
        NonRelational {
            map: (!empty).then_some(map),
        }
    }
}

impl<V: NumericValue> VariableDomain for NonRelational<V> {
    fn forget(&mut self, variables: &[VariableId]) {
        if let Some(map) = &mut self.map {
            for x in variables {
                map.remove(*x);
            }
        }
    }

    fn project(&mut self, variables: &[VariableId]) {
        if let Some(map) = &self.map {
            let kept = variables
                .iter()
                .filter_map(|x| Some((*x, map.get(*x)?.clone())));
            self.map = Some(kept.collect());
        }
    }

    fn rename(&mut self, from: &[VariableId], to: &[VariableId]) {
        let values: Vec<V> = from.iter().map(|x| self.get(*x)).collect();
        self.forget(from);
        for (x, value) in to.iter().zip(values) {
            self.set(*x, value);
        }
    }

    fn expand(&mut self, original: VariableId, copy: VariableId) {
        self.set(copy, self.get(original));
    }
}

impl<V: NumericValue> NumericDomain for NonRelational<V> {
    fn assign(&mut self, target: VariableId, expression: &LinearExpression) {
        if !self.is_bottom() {
            self.set(target, self.evaluate(expression));
        }
    }

    fn apply(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
    ) {
        if !self.is_bottom() {
            self.set(
                target,
                V::apply(operator, &self.operand(left), &self.operand(right)),
            );
        }
    }

    fn assume(&mut self, constraint: &LinearConstraint) {
        if constraint.as_constant() == Some(false) {
            self.map = None;
        }
        // Each refinement may enable another one; two rounds find nearly all, and a limit is
        // needed since 2x = 2y + 1 could be refined forever.
        let rounds = if constraint.expression.terms().len() > 1 {
            2
        } else {
            1
        };
        for _ in 0..rounds {
            for (x, coefficient) in constraint.expression.terms() {
                if self.is_bottom() {
                    return;
                }
                let mut rest = constraint.expression.clone();
                rest.add_term(*x, &-coefficient);
                let rest = self.evaluate(&rest);
                self.refine(*x, coefficient, &rest, constraint.relation);
            }
        }
    }

    fn bounds(&self, variable: VariableId) -> Interval {
        self.get(variable).to_interval()
    }

    fn to_linear_constraints(&self) -> Vec<LinearConstraint> {
        if self.is_bottom() {
            return vec![LinearConstraint::less_or_equal(1, 0)];
        }
        let mut constraints = Vec::new();
        for (x, value) in self.entries() {
            constraints.extend(interval_constraints(x, &value.to_interval()));
        }
        constraints
    }

    fn describe_beyond_constraints(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        self.entries()
            .filter_map(|(x, value)| value.describe_beyond_interval(&name(x)))
            .collect()
    }
}

/// The constraints that say that `x` lies in a non-empty interval.
#[must_use]
pub fn interval_constraints(x: VariableId, interval: &Interval) -> Vec<LinearConstraint> {
    if let Some(value) = interval.as_point() {
        return vec![LinearConstraint::equal(x, value.clone())];
    }
    let mut constraints = Vec::new();
    if let Bound::Finite(lower) = interval.lower() {
        constraints.push(LinearConstraint::less_or_equal(lower.clone(), x));
    }
    if let Bound::Finite(upper) = interval.upper() {
        constraints.push(LinearConstraint::less_or_equal(x, upper.clone()));
    }
    constraints
}
