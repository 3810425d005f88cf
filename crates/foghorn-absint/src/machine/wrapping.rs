//! Bringing results over ℤ back into the range of a machine integer, and unsigned readings.

use super::{MachineIntegers, Overflow};
use crate::domain::{NumericDomain, ProgramDomain as _};
use crate::language::{Operand, Statement, UnsignedRelation};
use crate::linear::{LinearConstraint, LinearExpression, Relation};
use crate::number::Number;
use crate::value::interval::{Bound, Interval};
use crate::value::{AbstractValue as _, ArithmeticOperator, NumericValue as _};
use crate::variable::{Level, VariableId};

impl<D: NumericDomain> MachineIntegers<D> {
    /// Bounds of an expression over ℤ, from the domain and from the ranges of the types.
    pub(super) fn bounds_of(&self, expression: &LinearExpression) -> Interval {
        let mut sum = Interval::point(expression.constant_part().clone());
        for (x, coefficient) in expression.terms() {
            sum = sum.add(&self.bounds(*x).scale(coefficient));
        }
        sum.meet(&self.numbers.bounds_of(expression))
    }

    /// Tells the domain below the ranges of the types of these variables where it knows less.
    fn materialise_ranges(&mut self, variables: impl Iterator<Item = VariableId>) {
        for x in variables {
            if let Some(range) = Self::range_of(x)
                && !self.numbers.bounds(x).leq(&range)
            {
                self.assume_interval(x, &range);
            }
        }
    }

    /// target := expression, wrapped to the width of the target.
    pub(super) fn assign(&mut self, target: VariableId, expression: &LinearExpression) {
        let Some(width) = target.width() else {
            self.numbers.assign(target, expression);
            return;
        };
        let range = Interval::signed_range(width);
        let bounds = self.bounds_of(expression);
        if bounds.leq(&range) {
            self.materialise_ranges(expression.variables());
            self.numbers.assign(target, expression);
            return;
        }
        match (periods(&bounds, width), self.overflow) {
            (Some((first, last)), Overflow::Wrap { periods })
                if &last - &first < Number::from(periods) =>
            {
                self.materialise_ranges(expression.variables());
                self.assign_split(target, expression, width, (first, last));
            }
            (Some((first, last)), Overflow::Wrap { .. }) => {
                self.assign_quotient(target, expression, width, (first, last));
            }
            (Some(_), Overflow::Top) | (None, Overflow::Wrap { .. } | Overflow::Top) => {
                self.numbers.forget(&[target]);
                self.assume_interval(target, &range);
            }
        }
    }

    /// target := expression − 2^width · q for some quotient q in the range of periods: what
    /// linear and congruence domains can say without a case for each period.
    fn assign_quotient(
        &mut self,
        target: VariableId,
        expression: &LinearExpression,
        width: u32,
        (first, last): (Number, Number),
    ) {
        let quotient = VariableId::scratch(target.index(), 2);
        self.numbers.forget(&[quotient]);
        self.assume_interval(quotient, &Interval::new(first, last));
        let mut wrapped = expression.clone();
        wrapped.add_term(quotient, &-Number::power_of_two(width));
        self.numbers.assign(target, &wrapped);
        self.numbers.forget(&[quotient]);
        self.assume_interval(target, &Interval::signed_range(width));
    }

    /// Assigns in each period by itself and joins.
    fn assign_split(
        &mut self,
        target: VariableId,
        expression: &LinearExpression,
        width: u32,
        (first, last): (Number, Number),
    ) {
        let modulus = Number::power_of_two(width);
        let half = Number::power_of_two(width - 1);
        let mut result = self.numbers.bottom();
        let mut period = first.clone();
        let split = first != last;
        while period <= last {
            let shift = &period * &modulus;
            let shifted = expression.plus_constant(&-&shift);
            let mut part = self.numbers.clone();
            if split {
                part.assume(&LinearConstraint::less_or_equal(-&half, shifted.clone()));
                part.assume(&LinearConstraint::less(shifted.clone(), half.clone()));
            }
            part.assign(target, &shifted);
            // Domains below that do not reason about the guard still learn the range.
            let mut part = self.with(part);
            part.assume_interval(target, &Interval::signed_range(width));
            result = result.join(&part.numbers);
            period = period + Number::ONE;
        }
        self.numbers = result;
    }

    /// target := left operator right over ℤ, then wrapped.
    pub(super) fn apply_and_wrap(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
    ) {
        if target.width().is_none() {
            self.numbers.apply(operator, target, left, right);
            return;
        }
        self.materialise_ranges([left, right].into_iter().filter_map(Operand::as_variable));
        // The result over ℤ may leave the range of the target's type, so it lives in an unbounded
        // copy until it is wrapped.
        let exact = exact_copy(target);
        self.numbers.apply(operator, exact, left, right);
        self.assign(target, &LinearExpression::variable(exact));
        self.numbers.forget(&[exact]);
    }

    /// As [`Self::apply_and_wrap`] on the unsigned values of the operands.
    pub(super) fn unsigned(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
    ) {
        let width = target.width();
        self.materialise_ranges([left, right].into_iter().filter_map(Operand::as_variable));
        let mut result = self.numbers.bottom();
        for (part, left_value) in self.split_on_sign(left, width) {
            let part = self.with(part);
            for (part, right_value) in part.split_on_sign(right, width) {
                let mut part = self.with(part);
                part.apply_expressions(operator, target, &left_value, &right_value);
                result = result.join(&part.numbers);
            }
        }
        self.numbers = result;
    }

    /// target := left operator right for expressions over ℤ, then wrapped.
    fn apply_expressions(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &LinearExpression,
        right: &LinearExpression,
    ) {
        let exact = exact_copy(target);
        let other = exact_second(target);
        let mut operand = |expression: &LinearExpression, copy: VariableId| {
            if let Some(value) = expression.as_constant() {
                return Operand::Constant(value.clone());
            }
            if let Some(x) = expression.as_variable() {
                return Operand::Variable(x);
            }
            self.numbers.assign(copy, expression);
            Operand::Variable(copy)
        };
        let left = operand(left, exact);
        let right = operand(right, other);
        self.numbers.apply(operator, exact, &left, &right);
        self.assign(target, &LinearExpression::variable(exact));
        self.numbers.forget(&[exact, other]);
    }

    /// The states split on the sign of an operand, each with the operand's unsigned value.
    pub(super) fn split_on_sign(
        &self,
        operand: &Operand,
        width: Option<u32>,
    ) -> Vec<(D, LinearExpression)> {
        let expression = operand.to_expression();
        let Some(width) = operand.as_variable().map_or(width, VariableId::width) else {
            return vec![(self.numbers.clone(), expression)];
        };
        let modulus = Number::power_of_two(width);
        if let Operand::Constant(value) = operand {
            let unsigned = LinearExpression::constant(value.modulo(&modulus));
            return vec![(self.numbers.clone(), unsigned)];
        }
        let bounds = self.bounds_of(&expression);
        let mut parts = Vec::new();
        if bounds.upper().signum() >= 0 {
            let mut part = self.numbers.clone();
            part.assume(&LinearConstraint::less_or_equal(0, expression.clone()));
            parts.push((part, expression.clone()));
        }
        if bounds.lower().signum() < 0 {
            let mut part = self.numbers.clone();
            part.assume(&LinearConstraint::less(expression.clone(), 0));
            parts.push((part, expression.plus_constant(&modulus)));
        }
        parts
    }

    /// A linear constraint compares over ℤ, which is what the domain below does; the ranges of the
    /// types sharpen what it can conclude.
    pub(super) fn assume_linear(&mut self, constraint: &LinearConstraint) {
        if constraint.expression.terms().len() > 1 || constraint.relation == Relation::NotEqual {
            self.materialise_ranges(constraint.expression.variables());
        }
        self.numbers.assume(constraint);
        self.close_ranges(constraint);
    }

    /// ⊥ when a variable was pushed out of the range of its type.
    fn close_ranges(&mut self, constraint: &LinearConstraint) {
        let empty = constraint
            .expression
            .variables()
            .any(|x| self.bounds(x).is_bottom());
        if empty {
            self.numbers = self.numbers.bottom();
        }
    }

    pub(super) fn assume_unsigned(
        &mut self,
        relation: UnsignedRelation,
        left: &Operand,
        right: &Operand,
    ) {
        let width = [left, right]
            .into_iter()
            .filter_map(Operand::as_variable)
            .find_map(VariableId::width);
        let mut result = self.numbers.bottom();
        for (part, left_value) in self.split_on_sign(left, width) {
            let part = self.with(part);
            for (part, right_value) in part.split_on_sign(right, width) {
                let mut part = self.with(part);
                let constraint = match relation {
                    UnsignedRelation::Less => {
                        LinearConstraint::less(left_value.clone(), right_value)
                    }
                    UnsignedRelation::LessOrEqual => {
                        LinearConstraint::less_or_equal(left_value.clone(), right_value)
                    }
                };
                part.assume_linear(&constraint);
                result = result.join(&part.numbers);
            }
        }
        self.numbers = result;
    }
}

/// Scratch for a result over ℤ. It has no width, whatever the type of the target.
fn exact_copy(target: VariableId) -> VariableId {
    VariableId::scratch(target.index(), 0)
}

fn exact_second(target: VariableId) -> VariableId {
    VariableId::scratch(target.index(), 1)
}

/// The first and last period of 2^width that an interval of results meets, where period 0 is the
/// signed range.
fn periods(bounds: &Interval, width: u32) -> Option<(Number, Number)> {
    let (lower, upper) = bounds.as_finite()?;
    let half = Number::power_of_two(width - 1);
    let modulus = Number::power_of_two(width);
    Some((
        (lower + &half).div_floor(&modulus),
        (upper + &half).div_floor(&modulus),
    ))
}

/// Whether a constraint says no more than the types of its variables.
pub(super) fn follows_from_types(constraint: &LinearConstraint) -> bool {
    let mut sum = Interval::point(constraint.expression.constant_part().clone());
    for (x, coefficient) in constraint.expression.terms() {
        let range = x.width().map_or_else(Interval::top, Interval::signed_range);
        sum = sum.add(&range.scale(coefficient));
    }
    match constraint.relation {
        Relation::LessOrEqual => *sum.upper() <= Bound::from(0),
        Relation::Equal => false,
        Relation::NotEqual => !sum.contains(&Number::ZERO),
    }
}

/// Whether the statement computes an integer from others and does nothing else.
pub(super) fn is_functional(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Assign { .. }
            | Statement::Binary { .. }
            | Statement::Cast { .. }
            | Statement::BooleanToInteger { .. }
    )
}

/// The statement with another integer target.
pub(super) fn with_target(statement: &Statement, new: VariableId) -> Statement {
    debug_assert!(
        new.copied_from()
            .is_some_and(|(_, level)| level == Level::Primed)
    );
    let mut statement = statement.clone();
    if let Statement::Assign { target, .. }
    | Statement::Binary { target, .. }
    | Statement::Cast { target, .. }
    | Statement::BooleanToInteger { target, .. } = &mut statement
    {
        *target = new;
    }
    statement
}
