//! Statements on arcs, forwards and backwards.

use super::WrappedIntervals;
use crate::domain::{AbstractDomain as _, VariableDomain as _};
use crate::language::{BinaryOperator, Operand, Statement};
use crate::linear::LinearExpression;
use crate::number::Number;
use crate::value::interval::Interval;
use crate::value::wrapped::WrappedInterval;
use crate::value::{ArithmeticOperator, NumericValue as _};
use crate::variable::VariableId;

impl WrappedIntervals {
    /// The values of an expression modulo 2^width: variables enter with their signed values.
    fn linear(&self, expression: &LinearExpression, width: u32) -> WrappedInterval {
        let mut sum = WrappedInterval::point(width, expression.constant_part());
        for (x, factor) in expression.terms() {
            let value = match x.width() {
                Some(own) => self.arc(*x, own).resized(width),
                None => WrappedInterval::from_interval(width, &self.interval(*x)),
            };
            sum = sum.add(&value.scale(factor));
        }
        sum
    }

    /// The values of an expression over ℤ.
    pub(super) fn linear_over_integers(&self, expression: &LinearExpression) -> Interval {
        let mut sum = Interval::point(expression.constant_part().clone());
        for (x, factor) in expression.terms() {
            sum = sum.add(&self.interval(*x).scale(factor));
        }
        sum
    }

    pub(super) fn operand(&self, operand: &Operand, width: u32) -> WrappedInterval {
        self.linear(&operand.to_expression(), width)
    }

    fn set_interval(&mut self, x: VariableId, interval: &Interval) {
        match x.width() {
            Some(width) => self.set_arc(x, WrappedInterval::from_interval(width, interval)),
            None => self.unbounded.set(x, interval.clone()),
        }
    }

    pub(super) fn forward(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign { target, expression } => match target.width() {
                Some(width) => self.set_arc(*target, self.linear(expression, width)),
                None => {
                    let value = self.linear_over_integers(expression);
                    self.unbounded.set(*target, value);
                }
            },
            Statement::Binary {
                operator,
                target,
                left,
                right,
            } => {
                self.binary(*operator, *target, left, right);
            }
            Statement::Cast {
                cast,
                target,
                source,
            } => {
                if let (Some(width), Some(own)) = (target.width(), source.width()) {
                    self.set_arc(*target, self.arc(*source, own).cast(*cast, width));
                } else {
                    self.set_interval(*target, &self.interval(*source));
                }
            }
            Statement::BooleanToInteger { target, .. } => {
                self.set_interval(*target, &Interval::new(0, 1));
            }
            Statement::Assume { condition } | Statement::Assert { condition } => {
                self.restrict(condition);
            }
            Statement::BooleanAssign { .. }
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
            | Statement::Call { .. } => self.forget(&statement.defined()),
        }
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
    ) {
        if let Some(width) = target.width() {
            let (x, y) = (self.operand(left, width), self.operand(right, width));
            return self.set_arc(target, WrappedInterval::apply(operator, &x, &y));
        }
        let over_integers = match operator {
            BinaryOperator::Add => ArithmeticOperator::Add,
            BinaryOperator::Subtract => ArithmeticOperator::Subtract,
            BinaryOperator::Multiply => ArithmeticOperator::Multiply,
            BinaryOperator::SignedDivide => ArithmeticOperator::Divide,
            BinaryOperator::SignedRemainder => ArithmeticOperator::Remainder,
            BinaryOperator::And => ArithmeticOperator::And,
            BinaryOperator::Or => ArithmeticOperator::Or,
            BinaryOperator::Xor => ArithmeticOperator::Xor,
            BinaryOperator::ShiftLeft => ArithmeticOperator::ShiftLeft,
            BinaryOperator::ArithmeticShiftRight => ArithmeticOperator::ShiftRight,
            BinaryOperator::UnsignedDivide
            | BinaryOperator::UnsignedRemainder
            | BinaryOperator::LogicalShiftRight => return self.forget(&[target]),
        };
        let value = |operand: &Operand| self.linear_over_integers(&operand.to_expression());
        let result = Interval::apply(over_integers, &value(left), &value(right));
        self.unbounded.set(target, result);
    }

    /// The states of `before` from which the statement can lead into `self`.
    pub(super) fn invert(&mut self, statement: &Statement, before: &Self) {
        let after = self.clone();
        self.forget(&statement.defined());
        if let Statement::Assume { condition } | Statement::Assert { condition } = statement {
            self.restrict(condition);
        }
        *self = self.meet(before);
        let (target, expression) = match statement {
            Statement::Assign { target, expression } => (*target, expression.clone()),
            Statement::Binary {
                operator: BinaryOperator::Add,
                target,
                left,
                right,
            } => (*target, left.to_expression().plus(&right.to_expression())),
            Statement::Binary {
                operator: BinaryOperator::Subtract,
                target,
                left,
                right,
            } => (*target, left.to_expression().minus(&right.to_expression())),
            _ => return self.require_image(statement, &after),
        };
        if let Some(width) = target.width() {
            self.invert_linear(after.arc(target, width), &expression);
        }
        self.require_image(statement, &after);
    }

    /// x := y + rest with the same widths: y is x − rest, modulo 2^w.
    fn invert_linear(&mut self, result: WrappedInterval, expression: &LinearExpression) {
        let width = result.width();
        for (y, factor) in expression.terms() {
            if y.width() != Some(width) || !factor.abs().is_one() || self.is_bottom() {
                continue;
            }
            let mut rest = expression.clone();
            rest.add_term(*y, &-factor);
            let difference = result.add(&self.linear(&rest, width).negate());
            let value = difference.scale(&Number::from(i64::from(factor.signum())));
            self.set_arc(*y, self.arc(*y, width).meet(&value));
        }
    }

    /// ⊥ when the image of every state misses what is known after the statement.
    fn require_image(&mut self, statement: &Statement, after: &Self) {
        let mut image = self.clone();
        image.forward(statement);
        image.settle();
        if image.meet(after).is_bottom() {
            self.become_bottom();
        }
    }
}
