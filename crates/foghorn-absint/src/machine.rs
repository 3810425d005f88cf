//! Machine integers over any numeric domain.
//!
//! Numeric domains compute over ℤ. [`MachineIntegers`] runs one on programs whose integers have
//! widths: a machine integer is represented by its signed value, every operation is first done
//! over ℤ and its result is then brought back into the range of the target's type (*wrapping*,
//! module [`wrapping`]):
//!
//! - where the bounds of the result lie in one period of 2^w, a constant multiple of 2^w is
//!   subtracted, which is exact in every domain;
//! - where they span a few periods, the state is split at the ends of the periods, each part is
//!   treated like that, and the parts are joined;
//! - else an unknown multiple of 2^w is subtracted, and the target is known to lie in its range.
//!
//! Unsigned operations and comparisons split their operands on the sign, then convert the negative
//! ones by adding 2^w. See `docs/decisions/0020-machine-integers.md`.
//!
//! Invariant: γ is taken over well-typed valuations only, so every machine integer lies in its
//! range whether or not the domain below says so.

mod wrapping;

use crate::domain::{AbstractDomain, NumericDomain, ProgramDomain, VariableDomain};
use crate::language::{BinaryOperator, Cast, Condition, Operand, Statement};
use crate::linear::{LinearConstraint, LinearExpression};
use crate::number::Number;
use crate::thresholds::Thresholds;
use crate::value::interval::Interval;
use crate::value::{AbstractValue as _, ArithmeticOperator};
use crate::variable::{Level, Type, VariableId};

/// What to do with a result that leaves the range of its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overflow {
    /// Wrap exactly while the result spans at most this many periods of 2^w.
    Wrap { periods: u32 },
    /// Know only that the result is in range.
    Top,
}

/// A numeric domain lifted to programs over machine integers.
#[derive(Clone, Debug)]
pub struct MachineIntegers<D> {
    numbers: D,
    overflow: Overflow,
}

impl<D: NumericDomain> MachineIntegers<D> {
    #[must_use]
    pub fn new(numbers: D) -> MachineIntegers<D> {
        MachineIntegers {
            numbers,
            overflow: Overflow::Wrap { periods: 3 },
        }
    }

    #[must_use]
    pub fn with_overflow(numbers: D, overflow: Overflow) -> MachineIntegers<D> {
        MachineIntegers { numbers, overflow }
    }

    /// The domain below.
    #[must_use]
    pub fn numbers(&self) -> &D {
        &self.numbers
    }

    fn with(&self, numbers: D) -> MachineIntegers<D> {
        MachineIntegers {
            numbers,
            overflow: self.overflow,
        }
    }

    fn is_integer_target(x: VariableId) -> bool {
        x.ty().is_integer()
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
    ) {
        match operator {
            BinaryOperator::Add => {
                self.assign(target, &left.to_expression().plus(&right.to_expression()));
            }
            BinaryOperator::Subtract => {
                self.assign(target, &left.to_expression().minus(&right.to_expression()));
            }
            BinaryOperator::Multiply => match (left, right) {
                (Operand::Constant(factor), other) | (other, Operand::Constant(factor)) => {
                    self.assign(target, &other.to_expression().scaled(factor));
                }
                (Operand::Variable(_), Operand::Variable(_)) => {
                    self.apply_and_wrap(ArithmeticOperator::Multiply, target, left, right);
                }
            },
            BinaryOperator::SignedDivide => {
                self.apply_and_wrap(ArithmeticOperator::Divide, target, left, right);
            }
            BinaryOperator::SignedRemainder => {
                self.apply_and_wrap(ArithmeticOperator::Remainder, target, left, right);
            }
            BinaryOperator::And => {
                self.apply_and_wrap(ArithmeticOperator::And, target, left, right);
            }
            BinaryOperator::Or => {
                self.apply_and_wrap(ArithmeticOperator::Or, target, left, right);
            }
            BinaryOperator::Xor => {
                self.apply_and_wrap(ArithmeticOperator::Xor, target, left, right);
            }
            BinaryOperator::ShiftLeft => {
                self.assume_shift_amount(right, target.width());
                self.apply_and_wrap(ArithmeticOperator::ShiftLeft, target, left, right);
            }
            BinaryOperator::ArithmeticShiftRight => {
                self.assume_shift_amount(right, target.width());
                self.apply_and_wrap(ArithmeticOperator::ShiftRight, target, left, right);
            }
            BinaryOperator::LogicalShiftRight => {
                self.assume_shift_amount(right, target.width());
                self.unsigned(ArithmeticOperator::ShiftRight, target, left, right);
            }
            BinaryOperator::UnsignedDivide => {
                self.unsigned(ArithmeticOperator::Divide, target, left, right);
            }
            BinaryOperator::UnsignedRemainder => {
                self.unsigned(ArithmeticOperator::Remainder, target, left, right);
            }
        }
    }

    /// Shifts by a negative amount or by the width and more have no successor.
    fn assume_shift_amount(&mut self, amount: &Operand, width: Option<u32>) {
        let Some(width) = width else { return };
        let amount = amount.to_expression();
        self.numbers
            .assume(&LinearConstraint::less_or_equal(0, amount.clone()));
        let limit = LinearExpression::constant(width);
        self.numbers.assume(&LinearConstraint::less(amount, limit));
    }

    fn cast(&mut self, cast: Cast, target: VariableId, source: VariableId) {
        let expression = LinearExpression::variable(source);
        match cast {
            // A signed value keeps its value when it is extended and wraps when it is cut.
            Cast::SignExtend | Cast::Truncate => self.assign(target, &expression),
            Cast::ZeroExtend => {
                let parts = self.split_on_sign(&Operand::Variable(source), source.width());
                let mut result = self.numbers.bottom();
                for (part, unsigned) in parts {
                    let mut part = self.with(part);
                    part.assign(target, &unsigned);
                    result = result.join(&part.numbers);
                }
                self.numbers = result;
            }
        }
    }

    fn boolean_to_integer(&mut self, target: VariableId) {
        self.numbers.forget(&[target]);
        let zero_or_one = Interval::new(0, 1);
        self.assume_interval(target, &zero_or_one);
    }

    fn assume_interval(&mut self, x: VariableId, interval: &Interval) {
        for constraint in crate::domain::environment::interval_constraints(x, interval) {
            self.numbers.assume(&constraint);
        }
    }

    /// The backward direction of target := expression, which holds exactly where the value over ℤ
    /// does not wrap.
    fn backward_linear(
        &mut self,
        target: VariableId,
        expression: &LinearExpression,
        before: &MachineIntegers<D>,
    ) -> bool {
        let fits = match Self::range_of(target) {
            None => true,
            Some(range) => before.bounds_of(expression).leq(&range),
        };
        if fits {
            self.numbers
                .backward_assign(target, expression, &before.numbers);
        }
        fits
    }

    /// A linear form of what the statement assigns over ℤ.
    fn linear_form(statement: &Statement) -> Option<(VariableId, LinearExpression)> {
        match statement {
            Statement::Assign { target, expression } => Some((*target, expression.clone())),
            Statement::Binary {
                operator,
                target,
                left,
                right,
            } => {
                let (left, right) = (left.to_expression(), right.to_expression());
                let expression = match operator {
                    BinaryOperator::Add => left.plus(&right),
                    BinaryOperator::Subtract => left.minus(&right),
                    BinaryOperator::Multiply => match (left.as_constant(), right.as_constant()) {
                        (Some(factor), _) => right.scaled(factor),
                        (_, Some(factor)) => left.scaled(factor),
                        (None, None) => return None,
                    },
                    BinaryOperator::SignedDivide
                    | BinaryOperator::UnsignedDivide
                    | BinaryOperator::SignedRemainder
                    | BinaryOperator::UnsignedRemainder
                    | BinaryOperator::And
                    | BinaryOperator::Or
                    | BinaryOperator::Xor
                    | BinaryOperator::ShiftLeft
                    | BinaryOperator::LogicalShiftRight
                    | BinaryOperator::ArithmeticShiftRight => return None,
                };
                Some((*target, expression))
            }
            Statement::Cast {
                cast: Cast::SignExtend | Cast::Truncate,
                target,
                source,
            } => Some((*target, LinearExpression::variable(*source))),
            _ => None,
        }
    }

    fn range_of(x: VariableId) -> Option<Interval> {
        x.width().map(Interval::signed_range)
    }
}

impl<D: NumericDomain> AbstractDomain for MachineIntegers<D> {
    fn top(&self) -> MachineIntegers<D> {
        self.with(self.numbers.top())
    }

    fn bottom(&self) -> MachineIntegers<D> {
        self.with(self.numbers.bottom())
    }

    fn is_top(&self) -> bool {
        self.numbers.is_top()
    }

    fn is_bottom(&self) -> bool {
        self.numbers.is_bottom()
    }

    fn leq(&self, other: &MachineIntegers<D>) -> bool {
        self.numbers.leq(&other.numbers)
    }

    fn join(&self, other: &MachineIntegers<D>) -> MachineIntegers<D> {
        self.with(self.numbers.join(&other.numbers))
    }

    fn meet(&self, other: &MachineIntegers<D>) -> MachineIntegers<D> {
        self.with(self.numbers.meet(&other.numbers))
    }

    fn widen(&self, other: &MachineIntegers<D>, thresholds: &Thresholds) -> MachineIntegers<D> {
        self.with(self.numbers.widen(&other.numbers, thresholds))
    }

    fn narrow(&self, other: &MachineIntegers<D>) -> MachineIntegers<D> {
        self.with(self.numbers.narrow(&other.numbers))
    }
}

impl<D: NumericDomain> VariableDomain for MachineIntegers<D> {
    fn forget(&mut self, variables: &[VariableId]) {
        self.numbers.forget(variables);
    }

    fn project(&mut self, variables: &[VariableId]) {
        self.numbers.project(variables);
    }

    fn rename(&mut self, from: &[VariableId], to: &[VariableId]) {
        self.numbers.rename(from, to);
    }

    fn expand(&mut self, original: VariableId, copy: VariableId) {
        if Self::is_integer_target(original) {
            self.numbers.expand(original, copy);
        }
    }
}

impl<D: NumericDomain> ProgramDomain for MachineIntegers<D> {
    fn transfer(&mut self, statement: &Statement) {
        if self.is_bottom() {
            return;
        }
        match statement {
            Statement::Assign { target, expression } => self.assign(*target, expression),
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
            } => self.cast(*cast, *target, *source),
            Statement::BooleanToInteger { target, .. } => self.boolean_to_integer(*target),
            Statement::Assume { condition } | Statement::Assert { condition } => {
                self.assume(condition);
            }
            // What these define is no integer, or unknown to a domain of integers.
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
            | Statement::Call { .. } => {
                let mut defined = statement.defined();
                defined.retain(|x| Self::is_integer_target(*x));
                self.numbers.forget(&defined);
            }
        }
    }

    fn assume(&mut self, condition: &Condition) {
        match condition {
            Condition::Constant(true) | Condition::Boolean { .. } | Condition::Pointers { .. } => {}
            Condition::Constant(false) => self.numbers = self.numbers.bottom(),
            Condition::Linear(constraint) => self.assume_linear(constraint),
            Condition::Unsigned {
                relation,
                left,
                right,
            } => {
                self.assume_unsigned(*relation, left, right);
            }
        }
    }

    fn bounds(&self, variable: VariableId) -> Interval {
        let bounds = self.numbers.bounds(variable);
        match Self::range_of(variable) {
            Some(range) => bounds.meet(&range),
            None => bounds,
        }
    }

    /// The constraints of the domain below, without those that only repeat the range of a type.
    fn to_conditions(&self) -> Vec<Condition> {
        if self.is_bottom() {
            return vec![Condition::Constant(false)];
        }
        let mut constraints = self.numbers.to_linear_constraints();
        constraints.retain(|constraint| !wrapping::follows_from_types(constraint));
        constraints.into_iter().map(Condition::Linear).collect()
    }

    fn describe_beyond_conditions(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        self.numbers.describe_beyond_constraints(name)
    }

    fn backward(&mut self, statement: &Statement, before: &MachineIntegers<D>) {
        if let Some((target, expression)) = Self::linear_form(statement)
            && self.backward_linear(target, &expression, before)
        {
            return;
        }
        let defined: Vec<VariableId> = statement
            .defined()
            .into_iter()
            .filter(|x| Self::is_integer_target(*x))
            .collect();
        if let ([target], true) = (&defined[..], wrapping::is_functional(statement)) {
            let primed = target.copy_on(Level::Primed);
            let mut related = before.clone();
            related.transfer(&wrapping::with_target(statement, primed));
            self.numbers.rename(&[*target], &[primed]);
            self.numbers = self.numbers.meet(&related.numbers);
            self.numbers.forget(&[primed]);
            return;
        }
        self.numbers.forget(&defined);
        if let Statement::Assume { condition } | Statement::Assert { condition } = statement {
            self.assume(condition);
        }
        self.numbers = self.numbers.meet(&before.numbers);
    }
}

/// The integers 0 and 1 stand for booleans where one is cast.
#[must_use]
pub fn boolean_number(value: bool) -> Number {
    Number::from(i64::from(value))
}

/// Whether a type has signed values of a fixed width.
#[must_use]
pub fn is_machine_integer(ty: Type) -> bool {
    ty.width().is_some()
}
