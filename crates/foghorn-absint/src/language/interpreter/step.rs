//! One statement of the concrete semantics, except calls.

use crate::language::interpreter::Oracle;
use crate::language::interpreter::state::{Frame, Heap, PointerValue, Value, any_value};
use crate::language::statement::{
    ArrayAccess, BinaryOperator, BooleanOperator, Cast, Condition, Endianness, Operand, Statement,
    UnsignedRelation,
};
use crate::linear::LinearExpression;
use crate::number::Number;
use crate::value::ArithmeticOperator;
use crate::variable::{Type, VariableId};

/// What became of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Continue,
    /// An assumption does not hold: this is no execution.
    Blocked,
    /// An assertion does not hold.
    Failed,
    /// The statement has no meaning here: division by zero, a bad shift, a bad access.
    Undefined,
}

/// The result of an operation at a width (`None`: unbounded), if it has one.
#[must_use]
pub fn evaluate_binary(
    operator: BinaryOperator,
    width: Option<u32>,
    left: &Number,
    right: &Number,
) -> Option<Number> {
    let unsigned = |value: &Number| width.map_or(value.clone(), |width| value.wrap_unsigned(width));
    let amount_is_valid = || width.is_none_or(|width| *right < Number::from(width));
    let exact = match operator {
        BinaryOperator::Add => ArithmeticOperator::Add.evaluate(left, right),
        BinaryOperator::Subtract => ArithmeticOperator::Subtract.evaluate(left, right),
        BinaryOperator::Multiply => ArithmeticOperator::Multiply.evaluate(left, right),
        BinaryOperator::SignedDivide => ArithmeticOperator::Divide.evaluate(left, right),
        BinaryOperator::SignedRemainder => ArithmeticOperator::Remainder.evaluate(left, right),
        BinaryOperator::UnsignedDivide => {
            ArithmeticOperator::Divide.evaluate(&unsigned(left), &unsigned(right))
        }
        BinaryOperator::UnsignedRemainder => {
            ArithmeticOperator::Remainder.evaluate(&unsigned(left), &unsigned(right))
        }
        BinaryOperator::And => ArithmeticOperator::And.evaluate(left, right),
        BinaryOperator::Or => ArithmeticOperator::Or.evaluate(left, right),
        BinaryOperator::Xor => ArithmeticOperator::Xor.evaluate(left, right),
        BinaryOperator::ShiftLeft if amount_is_valid() => {
            ArithmeticOperator::ShiftLeft.evaluate(left, right)
        }
        BinaryOperator::ArithmeticShiftRight if amount_is_valid() => {
            ArithmeticOperator::ShiftRight.evaluate(left, right)
        }
        BinaryOperator::LogicalShiftRight if amount_is_valid() => {
            ArithmeticOperator::ShiftRight.evaluate(&unsigned(left), right)
        }
        BinaryOperator::ShiftLeft
        | BinaryOperator::ArithmeticShiftRight
        | BinaryOperator::LogicalShiftRight => None,
    }?;
    Some(width.map_or(exact.clone(), |width| exact.wrap_signed(width)))
}

/// Everything a statement reads and writes.
struct Machine<'a> {
    frame: &'a mut Frame,
    heap: &'a mut Heap,
    oracle: &'a mut dyn Oracle,
}

/// Executes a statement. A call havocs its results; [`super::run()`] executes calls itself.
pub fn step(
    statement: &Statement,
    frame: &mut Frame,
    heap: &mut Heap,
    oracle: &mut dyn Oracle,
) -> Outcome {
    Machine {
        frame,
        heap,
        oracle,
    }
    .step(statement)
}

/// Whether a condition holds.
pub fn evaluate_condition(
    condition: &Condition,
    frame: &mut Frame,
    oracle: &mut dyn Oracle,
) -> bool {
    Machine {
        frame,
        heap: &mut Heap::default(),
        oracle,
    }
    .condition(condition)
}

impl Machine<'_> {
    fn integer(&mut self, operand: &Operand) -> Number {
        match operand {
            Operand::Variable(x) => self.frame.integer(*x, self.oracle),
            Operand::Constant(value) => value.clone(),
        }
    }

    fn value(&mut self, operand: &Operand) -> Value {
        match operand {
            Operand::Variable(x) => self.frame.get(*x, self.oracle),
            Operand::Constant(value) => Value::Integer(value.clone()),
        }
    }

    fn boolean(&mut self, x: VariableId) -> bool {
        matches!(self.frame.get(x, self.oracle), Value::Boolean(true))
    }

    fn pointer(&mut self, x: VariableId) -> PointerValue {
        match self.frame.get(x, self.oracle) {
            Value::Pointer(pointer) => pointer,
            Value::Integer(_) | Value::Boolean(_) => PointerValue::Null,
        }
    }

    fn expression(&mut self, expression: &LinearExpression) -> Number {
        let mut sum = expression.constant_part().clone();
        for (x, coefficient) in expression.terms() {
            sum += &(coefficient * &self.frame.integer(*x, self.oracle));
        }
        sum
    }

    fn condition(&mut self, condition: &Condition) -> bool {
        match condition {
            Condition::Constant(value) => *value,
            Condition::Linear(constraint) => constraint
                .relation
                .holds(&self.expression(&constraint.expression)),
            Condition::Unsigned {
                relation,
                left,
                right,
            } => {
                let width = [left, right]
                    .into_iter()
                    .find_map(|operand| operand.as_variable().and_then(VariableId::width));
                let unsigned =
                    |value: Number| width.map_or(value.clone(), |width| value.wrap_unsigned(width));
                let (left, right) = (unsigned(self.integer(left)), unsigned(self.integer(right)));
                match relation {
                    UnsignedRelation::Less => left < right,
                    UnsignedRelation::LessOrEqual => left <= right,
                }
            }
            Condition::Boolean { variable, value } => self.boolean(*variable) == *value,
            Condition::Pointers { equal, left, right } => {
                let right = right.map_or(PointerValue::Null, |right| self.pointer(right));
                (self.pointer(*left) == right) == *equal
            }
        }
    }

    fn set(&mut self, x: VariableId, value: Value) -> Outcome {
        self.frame.set(x, value);
        Outcome::Continue
    }

    fn step(&mut self, statement: &Statement) -> Outcome {
        match statement {
            Statement::Assign { target, expression } => {
                let value = self.expression(expression);
                self.set(*target, Value::Integer(value))
            }
            Statement::Binary {
                operator,
                target,
                left,
                right,
            } => {
                let (left, right) = (self.integer(left), self.integer(right));
                match evaluate_binary(*operator, target.width(), &left, &right) {
                    Some(value) => self.set(*target, Value::Integer(value)),
                    None => Outcome::Undefined,
                }
            }
            Statement::Cast {
                cast,
                target,
                source,
            } => self.cast(*cast, *target, *source),
            Statement::BooleanToInteger { target, source } => {
                let value = Number::from(i64::from(self.boolean(*source)));
                self.set(*target, Value::Integer(value))
            }
            Statement::BooleanAssign { target, condition } => {
                let value = self.condition(condition);
                self.set(*target, Value::Boolean(value))
            }
            Statement::BooleanBinary {
                operator,
                target,
                left,
                right,
            } => {
                let (left, right) = (self.boolean(*left), self.boolean(*right));
                let value = match operator {
                    BooleanOperator::And => left && right,
                    BooleanOperator::Or => left || right,
                    BooleanOperator::Xor => left != right,
                };
                self.set(*target, Value::Boolean(value))
            }
            Statement::Havoc { target } => self.havoc(*target),
            Statement::Assume { condition } if self.condition(condition) => Outcome::Continue,
            Statement::Assume { .. } => Outcome::Blocked,
            Statement::Assert { condition } if self.condition(condition) => Outcome::Continue,
            Statement::Assert { .. } => Outcome::Failed,
            Statement::PointerAssign { .. }
            | Statement::Allocate { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::AddressOfFunction { .. } => self.pointer_step(statement),
            Statement::ArrayInit { .. }
            | Statement::ArrayRead { .. }
            | Statement::ArrayWrite { .. }
            | Statement::ArrayAssign { .. } => self.array_step(statement),
            Statement::Call { results, .. } => {
                for result in results {
                    self.havoc(*result);
                }
                Outcome::Continue
            }
        }
    }

    fn havoc(&mut self, x: VariableId) -> Outcome {
        if x.ty() == Type::Array {
            self.frame.arrays.remove(&x);
            return Outcome::Continue;
        }
        let value = any_value(x.ty(), self.oracle);
        self.set(x, value)
    }

    fn cast(&mut self, cast: Cast, target: VariableId, source: VariableId) -> Outcome {
        let value = self.frame.integer(source, self.oracle);
        let value = match (cast, source.width()) {
            (Cast::ZeroExtend, Some(width)) => value.wrap_unsigned(width),
            (Cast::SignExtend | Cast::Truncate | Cast::ZeroExtend, _) => value,
        };
        self.set(target, Value::Integer(value))
    }

    fn pointer_step(&mut self, statement: &Statement) -> Outcome {
        match statement {
            Statement::PointerAssign {
                target,
                base,
                offset,
            } => {
                let base = base.map_or(PointerValue::Null, |base| self.pointer(base));
                let by = self.expression(offset);
                let value = match base {
                    PointerValue::Null if target.ty() == Type::Reference => {
                        return Outcome::Blocked;
                    }
                    PointerValue::Object { object, offset } => PointerValue::Object {
                        object,
                        offset: offset + by,
                    },
                    PointerValue::Null | PointerValue::Function(_) => base,
                };
                self.set(*target, Value::Pointer(value))
            }
            Statement::Allocate { target, size } => {
                let size = self.integer(size);
                let pointer = self.heap.allocate(size);
                self.set(*target, Value::Pointer(pointer))
            }
            Statement::Load { target, pointer } => {
                let pointer = self.pointer(*pointer);
                let size = scalar_size(*target);
                let Some((bytes, offset)) = self.heap.access(&pointer, size) else {
                    return Outcome::Undefined;
                };
                let ty = target.ty();
                let value = bytes.read(&offset, ty, size, Endianness::Little, self.oracle);
                if ty == Type::Reference && value == Value::Pointer(PointerValue::Null) {
                    return Outcome::Blocked;
                }
                self.set(*target, value)
            }
            Statement::Store {
                pointer,
                value,
                size,
            } => {
                let pointer = self.pointer(*pointer);
                let stored = self.value(value);
                let Some((bytes, offset)) = self.heap.access(&pointer, *size) else {
                    return Outcome::Undefined;
                };
                bytes.write(
                    &offset,
                    &stored,
                    stored_type(value, *size),
                    *size,
                    Endianness::Little,
                );
                Outcome::Continue
            }
            Statement::AddressOfFunction { target, function } => self.set(
                *target,
                Value::Pointer(PointerValue::Function(function.clone())),
            ),
            other => unreachable!("invariant: {other:?} is no pointer statement"),
        }
    }

    fn array_step(&mut self, statement: &Statement) -> Outcome {
        match statement {
            Statement::ArrayInit {
                target,
                lower,
                upper,
                value,
                size,
                endianness,
            } => {
                let (mut index, upper) = (self.integer(lower), self.integer(upper));
                let stored = self.value(value);
                self.frame.arrays.remove(target);
                if &upper - &index > Number::from(LARGEST_INITIALISATION) {
                    return Outcome::Undefined;
                }
                let bytes = self.frame.arrays.entry(*target).or_default();
                while index < upper {
                    bytes.write(
                        &index,
                        &stored,
                        stored_type(value, *size),
                        *size,
                        *endianness,
                    );
                    index = index + Number::from(*size);
                }
                Outcome::Continue
            }
            Statement::ArrayRead { target, access } => {
                let ArrayAccess {
                    array,
                    index,
                    size,
                    endianness,
                } = access;
                let index = self.integer(index);
                let bytes = self.frame.arrays.entry(*array).or_default();
                let value = bytes.read(&index, target.ty(), *size, *endianness, self.oracle);
                self.set(*target, value)
            }
            Statement::ArrayWrite { access, value } => {
                let ArrayAccess {
                    array,
                    index,
                    size,
                    endianness,
                } = access;
                let (index, stored) = (self.integer(index), self.value(value));
                let bytes = self.frame.arrays.entry(*array).or_default();
                bytes.write(
                    &index,
                    &stored,
                    stored_type(value, *size),
                    *size,
                    *endianness,
                );
                Outcome::Continue
            }
            Statement::ArrayAssign { target, source } => {
                let bytes = self.frame.arrays.get(source).cloned().unwrap_or_default();
                self.frame.arrays.insert(*target, bytes);
                Outcome::Continue
            }
            other => unreachable!("invariant: {other:?} is no array statement"),
        }
    }
}

/// Larger initialisations are refused by the interpreter, which would run out of memory.
const LARGEST_INITIALISATION: i64 = 1 << 20;

/// The size of a scalar behind a pointer.
#[must_use]
pub fn scalar_size(x: VariableId) -> u32 {
    match x.ty() {
        Type::Integer { width } => width.div_ceil(8),
        Type::Boolean => 1,
        Type::Unbounded | Type::Pointer | Type::Reference | Type::Array => 8,
    }
}

/// The type a stored operand has: a constant takes the width of the place it is stored in.
fn stored_type(value: &Operand, size: u32) -> Type {
    value
        .as_variable()
        .map_or(Type::Integer { width: 8 * size }, VariableId::ty)
}
