//! Booleans as integers 0 and 1, on top of any domain of programs.
//!
//! A boolean variable is a dimension of the domain below, without a width; an assignment of a
//! condition is a join of the states where it holds, with the variable at 1, and of those where it
//! does not, with the variable at 0. A domain with exact joins (boxes) then knows which integers go with which truth
//! value: §4.2.4 of the SeaHorn paper notes this of Boxes. Over a convex domain the flat booleans
//! are cheaper and often as good.
//!
//! Invariant: these dimensions lie between 0 and 1, whether or not the domain below says so.

use crate::domain::{AbstractDomain, ProgramDomain, VariableDomain};
use crate::language::{BooleanOperator, Condition, Statement};
use crate::linear::{LinearConstraint, LinearExpression, Relation};
use crate::number::Number;
use crate::thresholds::Thresholds;
use crate::value::interval::Interval;
use crate::variable::{Type, VariableId};

/// A domain of programs with booleans as integers.
#[derive(Clone, Debug)]
pub struct BooleanIntegers<D> {
    below: D,
}

fn is_boolean(x: VariableId) -> bool {
    x.ty() == Type::Boolean
}

fn equals(x: VariableId, value: bool) -> LinearConstraint {
    LinearConstraint::equal(x, i64::from(value))
}

impl<D: ProgramDomain> BooleanIntegers<D> {
    #[must_use]
    pub fn new(below: D) -> Self {
        Self { below }
    }

    /// The domain below.
    #[must_use]
    pub fn below(&self) -> &D {
        &self.below
    }

    fn set(&mut self, target: VariableId, value: bool) {
        self.below.transfer(&Statement::Assign {
            target,
            expression: LinearExpression::constant(i64::from(value)),
        });
    }

    fn within_range(&mut self, target: VariableId) {
        for constraint in [
            LinearConstraint::less_or_equal(0, target),
            LinearConstraint::less_or_equal(target, 1),
        ] {
            self.below.assume(&Condition::Linear(constraint));
        }
    }

    /// The join over alternatives: the conditions that hold together, and the value they give.
    fn assign_cases(&mut self, target: VariableId, cases: &[(Vec<Condition>, bool)]) {
        let mut result = self.below.bottom();
        for (conditions, value) in cases {
            let mut part = self.clone();
            conditions
                .iter()
                .for_each(|condition| part.assume(condition));
            part.set(target, *value);
            result = result.join(&part.below);
        }
        self.below = result;
    }

    fn forward_boolean(&mut self, target: VariableId, statement: &Statement) {
        let cases = cases_of(statement);
        if cases.is_empty() {
            self.below.forget(&[target]);
            self.within_range(target);
        } else {
            self.assign_cases(target, &cases);
        }
    }
}

/// When a boolean statement yields true and when false; nothing for other statements.
fn cases_of(statement: &Statement) -> Vec<(Vec<Condition>, bool)> {
    let is = |x: VariableId, value: bool| Condition::Boolean { variable: x, value };
    match statement {
        Statement::BooleanAssign { condition, .. } => {
            vec![
                (vec![condition.clone()], true),
                (vec![condition.negate()], false),
            ]
        }
        Statement::BooleanBinary {
            operator,
            left,
            right,
            ..
        } => {
            let result = |x: bool, y: bool| match operator {
                BooleanOperator::And => x && y,
                BooleanOperator::Or => x || y,
                BooleanOperator::Xor => x != y,
            };
            let values = [(false, false), (false, true), (true, false), (true, true)];
            let case = |(x, y): (bool, bool)| (vec![is(*left, x), is(*right, y)], result(x, y));
            values.into_iter().map(case).collect()
        }
        _ => Vec::new(),
    }
}

/// The boolean that a statement defines.
fn boolean_target(statement: &Statement) -> Option<VariableId> {
    match &statement.defined()[..] {
        [target] if is_boolean(*target) => Some(*target),
        _ => None,
    }
}

impl<D: ProgramDomain> AbstractDomain for BooleanIntegers<D> {
    fn top(&self) -> Self {
        Self::new(self.below.top())
    }

    fn bottom(&self) -> Self {
        Self::new(self.below.bottom())
    }

    fn is_top(&self) -> bool {
        self.below.is_top()
    }

    fn is_bottom(&self) -> bool {
        self.below.is_bottom()
    }

    fn leq(&self, other: &Self) -> bool {
        self.below.leq(&other.below)
    }

    fn join(&self, other: &Self) -> Self {
        Self::new(self.below.join(&other.below))
    }

    fn meet(&self, other: &Self) -> Self {
        Self::new(self.below.meet(&other.below))
    }

    fn widen(&self, other: &Self, thresholds: &Thresholds) -> Self {
        Self::new(self.below.widen(&other.below, thresholds))
    }

    fn narrow(&self, other: &Self) -> Self {
        Self::new(self.below.narrow(&other.below))
    }
}

impl<D: ProgramDomain> VariableDomain for BooleanIntegers<D> {
    fn forget(&mut self, variables: &[VariableId]) {
        self.below.forget(variables);
    }

    fn project(&mut self, variables: &[VariableId]) {
        self.below.project(variables);
    }

    fn rename(&mut self, from: &[VariableId], to: &[VariableId]) {
        self.below.rename(from, to);
    }

    fn expand(&mut self, original: VariableId, copy: VariableId) {
        self.below.expand(original, copy);
    }
}

impl<D: ProgramDomain> ProgramDomain for BooleanIntegers<D> {
    fn transfer(&mut self, statement: &Statement) {
        if self.is_bottom() {
            return;
        }
        match statement {
            Statement::Assume { condition } | Statement::Assert { condition } => {
                self.assume(condition);
            }
            Statement::BooleanToInteger { target, source } => {
                self.within_range(*source);
                self.below.transfer(&Statement::Assign {
                    target: *target,
                    expression: LinearExpression::variable(*source),
                });
            }
            _ => match boolean_target(statement) {
                Some(target) => self.forward_boolean(target, statement),
                None => {
                    self.below.transfer(statement);
                    let mut booleans = statement.defined();
                    booleans.retain(|x| is_boolean(*x));
                    self.below.forget(&booleans);
                }
            },
        }
    }

    fn assume(&mut self, condition: &Condition) {
        match condition {
            Condition::Boolean { variable, value } => {
                // The range first: 0 and 1 leave no third value, so a disequality decides.
                self.within_range(*variable);
                self.below
                    .assume(&Condition::Linear(equals(*variable, *value)));
            }
            Condition::Constant(_)
            | Condition::Linear(_)
            | Condition::Unsigned { .. }
            | Condition::Pointers { .. } => self.below.assume(condition),
        }
    }

    fn bounds(&self, variable: VariableId) -> Interval {
        self.below.bounds(variable)
    }

    fn to_conditions(&self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for condition in self.below.to_conditions() {
            match fact_of_boolean(&condition) {
                Some(fact) => conditions.push(fact),
                None if condition.variables().into_iter().any(is_boolean) => {}
                None => conditions.push(condition),
            }
        }
        conditions
    }

    fn describe_beyond_conditions(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        self.below.describe_beyond_conditions(name)
    }

    fn backward(&mut self, statement: &Statement, before: &Self) {
        let cases = cases_of(statement);
        let Some(target) = boolean_target(statement).filter(|_| !cases.is_empty()) else {
            match statement {
                Statement::Assume { condition } | Statement::Assert { condition } => {
                    self.assume(condition);
                    self.below = self.below.meet(&before.below);
                }
                _ => {
                    // The domain below does not know that booleans are assigned: their values
                    // afterwards must not meet those before.
                    let mut booleans = statement.defined();
                    booleans.retain(|x| is_boolean(*x));
                    self.below.forget(&booleans);
                    self.below.backward(statement, &before.below);
                    self.forget(&statement.defined());
                    self.below = self.below.meet(&before.below);
                }
            }
            return;
        };
        let mut result = self.below.bottom();
        for (conditions, value) in cases {
            let mut part = self.clone();
            part.assume(&Condition::Boolean {
                variable: target,
                value,
            });
            part.forget(&[target]);
            conditions
                .iter()
                .for_each(|condition| part.assume(condition));
            result = result.join(&part.below);
        }
        self.below = result.meet(&before.below);
    }
}

/// A constraint that fixes one boolean, as a condition on its boolean.
fn fact_of_boolean(condition: &Condition) -> Option<Condition> {
    let Condition::Linear(constraint) = condition else {
        return None;
    };
    let [(variable, factor)] = constraint.expression.terms() else {
        return None;
    };
    if !is_boolean(*variable) || constraint.relation != Relation::Equal || !factor.is_one() {
        return None;
    }
    let value = -constraint.expression.constant_part();
    Some(Condition::Boolean {
        variable: *variable,
        value: value == Number::ONE,
    })
}
