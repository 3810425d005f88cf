//! The reduced product of two numeric domains (§4.2.4 of the SeaHorn paper).
//!
//! Both components run side by side and tell each other what they learn: ⊥ in one is ⊥ in both,
//! and after every operation the constraints and bounds of the variables it touched flow from one
//! to the other. Reduction happens in transfer functions only, never after a widening: a reduced
//! iterate could shrink again and the iteration would not end.

use crate::domain::environment::interval_constraints;
use crate::domain::{AbstractDomain, NumericDomain, VariableDomain};
use crate::language::Operand;
use crate::linear::{LinearConstraint, LinearExpression};
use crate::thresholds::Thresholds;
use crate::value::interval::Interval;
use crate::value::{AbstractValue as _, ArithmeticOperator};
use crate::variable::VariableId;

/// Two numeric domains that share what they learn about single variables.
#[derive(Clone, Debug)]
pub struct NumericProduct<A, B> {
    left: A,
    right: B,
}

impl<A: NumericDomain, B: NumericDomain> NumericProduct<A, B> {
    #[must_use]
    pub fn new(left: A, right: B) -> NumericProduct<A, B> {
        NumericProduct { left, right }.smashed()
    }

    /// The components.
    #[must_use]
    pub fn parts(&self) -> (&A, &B) {
        (&self.left, &self.right)
    }

    /// ⊥ in one component is ⊥ in both.
    fn smashed(self) -> NumericProduct<A, B> {
        if self.left.is_bottom() || self.right.is_bottom() {
            return NumericProduct {
                left: self.left.bottom(),
                right: self.right.bottom(),
            };
        }
        self
    }

    fn smash(&mut self) {
        if self.left.is_bottom() != self.right.is_bottom() {
            self.left = self.left.bottom();
            self.right = self.right.bottom();
        }
    }

    /// Tells each component the bounds that the other has for these variables.
    fn reduce(&mut self, variables: impl IntoIterator<Item = VariableId>) {
        for x in variables {
            self.smash();
            if self.left.is_bottom() {
                return;
            }
            let (left, right) = (self.left.bounds(x), self.right.bounds(x));
            let both = left.meet(&right);
            if both.is_bottom() {
                self.left = self.left.bottom();
                continue;
            }
            if both != left {
                interval_constraints(x, &both)
                    .iter()
                    .for_each(|c| self.left.assume(c));
            }
            if both != right {
                interval_constraints(x, &both)
                    .iter()
                    .for_each(|c| self.right.assume(c));
            }
            // The second may have sharpened what it was told, as a congruence rounds a bound.
            let rounded = self.right.bounds(x);
            if rounded != both {
                interval_constraints(x, &rounded)
                    .iter()
                    .for_each(|c| self.left.assume(c));
            }
        }
        self.smash();
    }
}

impl<A: NumericDomain, B: NumericDomain> AbstractDomain for NumericProduct<A, B> {
    fn top(&self) -> NumericProduct<A, B> {
        NumericProduct {
            left: self.left.top(),
            right: self.right.top(),
        }
    }

    fn bottom(&self) -> NumericProduct<A, B> {
        NumericProduct {
            left: self.left.bottom(),
            right: self.right.bottom(),
        }
    }

    fn is_top(&self) -> bool {
        self.left.is_top() && self.right.is_top()
    }

    fn is_bottom(&self) -> bool {
        self.left.is_bottom() || self.right.is_bottom()
    }

    fn leq(&self, other: &NumericProduct<A, B>) -> bool {
        self.is_bottom() || (self.left.leq(&other.left) && self.right.leq(&other.right))
    }

    fn join(&self, other: &NumericProduct<A, B>) -> NumericProduct<A, B> {
        NumericProduct {
            left: self.left.join(&other.left),
            right: self.right.join(&other.right),
        }
    }

    fn meet(&self, other: &NumericProduct<A, B>) -> NumericProduct<A, B> {
        NumericProduct::new(self.left.meet(&other.left), self.right.meet(&other.right))
    }

    fn widen(&self, other: &NumericProduct<A, B>, thresholds: &Thresholds) -> Self {
        NumericProduct {
            left: self.left.widen(&other.left, thresholds),
            right: self.right.widen(&other.right, thresholds),
        }
    }

    fn narrow(&self, other: &NumericProduct<A, B>) -> NumericProduct<A, B> {
        NumericProduct::new(
            self.left.narrow(&other.left),
            self.right.narrow(&other.right),
        )
    }
}

impl<A: NumericDomain, B: NumericDomain> VariableDomain for NumericProduct<A, B> {
    fn forget(&mut self, variables: &[VariableId]) {
        self.left.forget(variables);
        self.right.forget(variables);
    }

    fn project(&mut self, variables: &[VariableId]) {
        self.left.project(variables);
        self.right.project(variables);
    }

    fn rename(&mut self, from: &[VariableId], to: &[VariableId]) {
        self.left.rename(from, to);
        self.right.rename(from, to);
    }

    fn expand(&mut self, original: VariableId, copy: VariableId) {
        self.left.expand(original, copy);
        self.right.expand(original, copy);
    }
}

impl<A: NumericDomain, B: NumericDomain> NumericDomain for NumericProduct<A, B> {
    fn assign(&mut self, target: VariableId, expression: &LinearExpression) {
        self.left.assign(target, expression);
        self.right.assign(target, expression);
        self.reduce([target]);
    }

    fn apply(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
    ) {
        self.left.apply(operator, target, left, right);
        self.right.apply(operator, target, left, right);
        self.reduce([target]);
    }

    fn assume(&mut self, constraint: &LinearConstraint) {
        self.left.assume(constraint);
        self.right.assume(constraint);
        self.reduce(constraint.expression.variables());
    }

    fn bounds(&self, variable: VariableId) -> Interval {
        self.left
            .bounds(variable)
            .meet(&self.right.bounds(variable))
    }

    fn bounds_of(&self, expression: &LinearExpression) -> Interval {
        self.left
            .bounds_of(expression)
            .meet(&self.right.bounds_of(expression))
    }

    fn entails(&self, constraint: &LinearConstraint) -> bool {
        if self.left.entails(constraint) || self.right.entails(constraint) {
            return true;
        }
        let mut counterexample = self.clone();
        counterexample.assume(&constraint.negate());
        counterexample.is_bottom()
    }

    fn to_linear_constraints(&self) -> Vec<LinearConstraint> {
        let mut constraints = self.left.to_linear_constraints();
        for constraint in self.right.to_linear_constraints() {
            if !constraints.contains(&constraint) {
                constraints.push(constraint);
            }
        }
        constraints
    }

    fn describe_beyond_constraints(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        let mut facts = self.left.describe_beyond_constraints(name);
        facts.extend(self.right.describe_beyond_constraints(name));
        facts
    }

    fn backward_assign(
        &mut self,
        target: VariableId,
        expression: &LinearExpression,
        before: &Self,
    ) {
        self.left.backward_assign(target, expression, &before.left);
        self.right
            .backward_assign(target, expression, &before.right);
        self.reduce(expression.variables());
    }

    fn backward_apply(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
        before: &Self,
    ) {
        self.left
            .backward_apply(operator, target, left, right, &before.left);
        self.right
            .backward_apply(operator, target, left, right, &before.right);
        let operands = [left, right].into_iter().filter_map(Operand::as_variable);
        self.reduce(operands);
    }
}
