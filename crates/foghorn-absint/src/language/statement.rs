//! The statements of the goto language (fig. 5 of the SeaHorn paper), in three-address form.
//!
//! Arithmetic: a linear expression is evaluated over ℤ and the result is wrapped to the width of
//! the variable it is assigned to; a binary operation works at the common width of its operands.
//! A condition compares over ℤ the *signed* values of machine integers; unsigned comparisons have
//! their own form.
//!
//! Statements that have no meaning on some values (division by zero, a shift by more than the
//! width) have no successor state there; the checkers report them.

use crate::linear::{LinearConstraint, LinearExpression};
use crate::number::Number;
use crate::variable::VariableId;

/// A variable or a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    Variable(VariableId),
    Constant(Number),
}

impl Operand {
    #[must_use]
    pub fn as_variable(&self) -> Option<VariableId> {
        match self {
            Operand::Variable(x) => Some(*x),
            Operand::Constant(_) => None,
        }
    }

    #[must_use]
    pub fn to_expression(&self) -> LinearExpression {
        match self {
            Operand::Variable(x) => LinearExpression::variable(*x),
            Operand::Constant(value) => LinearExpression::constant(value.clone()),
        }
    }
}

impl From<VariableId> for Operand {
    fn from(x: VariableId) -> Operand {
        Operand::Variable(x)
    }
}

impl From<Number> for Operand {
    fn from(value: Number) -> Operand {
        Operand::Constant(value)
    }
}

impl From<i64> for Operand {
    fn from(value: i64) -> Operand {
        Operand::Constant(Number::from(value))
    }
}

/// Binary operations of the language. Those with `Unsigned` in their name and the logical shift
/// need machine integers: unbounded integers have no unsigned reading.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    SignedDivide,
    UnsignedDivide,
    SignedRemainder,
    UnsignedRemainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    LogicalShiftRight,
    ArithmeticShiftRight,
}

impl BinaryOperator {
    pub const ALL: [BinaryOperator; 13] = [
        BinaryOperator::Add,
        BinaryOperator::Subtract,
        BinaryOperator::Multiply,
        BinaryOperator::SignedDivide,
        BinaryOperator::UnsignedDivide,
        BinaryOperator::SignedRemainder,
        BinaryOperator::UnsignedRemainder,
        BinaryOperator::And,
        BinaryOperator::Or,
        BinaryOperator::Xor,
        BinaryOperator::ShiftLeft,
        BinaryOperator::LogicalShiftRight,
        BinaryOperator::ArithmeticShiftRight,
    ];

    /// The word for the operation in the text syntax.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            BinaryOperator::Add => "add",
            BinaryOperator::Subtract => "sub",
            BinaryOperator::Multiply => "mul",
            BinaryOperator::SignedDivide => "sdiv",
            BinaryOperator::UnsignedDivide => "udiv",
            BinaryOperator::SignedRemainder => "srem",
            BinaryOperator::UnsignedRemainder => "urem",
            BinaryOperator::And => "and",
            BinaryOperator::Or => "or",
            BinaryOperator::Xor => "xor",
            BinaryOperator::ShiftLeft => "shl",
            BinaryOperator::LogicalShiftRight => "lshr",
            BinaryOperator::ArithmeticShiftRight => "ashr",
        }
    }

    /// Whether the operation divides, and so has no result for a zero divisor.
    #[must_use]
    pub fn divides(self) -> bool {
        match self {
            BinaryOperator::SignedDivide
            | BinaryOperator::UnsignedDivide
            | BinaryOperator::SignedRemainder
            | BinaryOperator::UnsignedRemainder => true,
            BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::And
            | BinaryOperator::Or
            | BinaryOperator::Xor
            | BinaryOperator::ShiftLeft
            | BinaryOperator::LogicalShiftRight
            | BinaryOperator::ArithmeticShiftRight => false,
        }
    }

    /// Whether the operation reads its operands as unsigned numbers of some width.
    #[must_use]
    pub fn needs_width(self) -> bool {
        matches!(
            self,
            BinaryOperator::UnsignedDivide
                | BinaryOperator::UnsignedRemainder
                | BinaryOperator::LogicalShiftRight
        )
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BooleanOperator {
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Cast {
    SignExtend,
    ZeroExtend,
    Truncate,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum UnsignedRelation {
    Less,
    LessOrEqual,
}

/// The order of the bytes of a scalar in an array, when it is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Endianness {
    Little,
    Big,
    Unknown,
}

/// A condition without connectives: boolean variables express those.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    Constant(bool),
    Linear(LinearConstraint),
    /// Compares machine integers of one width as unsigned numbers; constants are taken modulo
    /// 2^width.
    Unsigned {
        relation: UnsignedRelation,
        left: Operand,
        right: Operand,
    },
    /// The variable is true (`value`) or false.
    Boolean {
        variable: VariableId,
        value: bool,
    },
    /// Pointers are equal (`equal`) or different; `None` is null.
    Pointers {
        equal: bool,
        left: VariableId,
        right: Option<VariableId>,
    },
}

impl Condition {
    #[must_use]
    pub fn negate(&self) -> Condition {
        match self {
            Condition::Constant(value) => Condition::Constant(!value),
            Condition::Linear(constraint) => Condition::Linear(constraint.negate()),
            Condition::Unsigned {
                relation,
                left,
                right,
            } => {
                let relation = match relation {
                    UnsignedRelation::Less => UnsignedRelation::LessOrEqual,
                    UnsignedRelation::LessOrEqual => UnsignedRelation::Less,
                };
                Condition::Unsigned {
                    relation,
                    left: right.clone(),
                    right: left.clone(),
                }
            }
            Condition::Boolean { variable, value } => Condition::Boolean {
                variable: *variable,
                value: !value,
            },
            Condition::Pointers { equal, left, right } => Condition::Pointers {
                equal: !equal,
                left: *left,
                right: *right,
            },
        }
    }

    /// Whether the condition reads one of some variables.
    #[must_use]
    pub fn mentions_any(&self, variables: &[VariableId]) -> bool {
        let reads = |x: VariableId| variables.contains(&x);
        match self {
            Condition::Constant(_) => false,
            Condition::Linear(constraint) => constraint.expression.variables().any(reads),
            Condition::Unsigned { left, right, .. } => {
                let mut sides = [left, right].into_iter().filter_map(Operand::as_variable);
                sides.any(reads)
            }
            Condition::Boolean { variable, .. } => reads(*variable),
            Condition::Pointers { left, right, .. } => reads(*left) || right.is_some_and(reads),
        }
    }

    /// The variables the condition reads.
    #[must_use]
    pub fn variables(&self) -> Vec<VariableId> {
        match self {
            Condition::Constant(_) => Vec::new(),
            Condition::Linear(constraint) => constraint.expression.variables().collect(),
            Condition::Unsigned { left, right, .. } => [left, right]
                .into_iter()
                .filter_map(Operand::as_variable)
                .collect(),
            Condition::Boolean { variable, .. } => vec![*variable],
            Condition::Pointers { left, right, .. } => {
                std::iter::once(*left).chain(*right).collect()
            }
        }
    }

    #[must_use]
    pub fn rename(&self, renaming: &dyn Fn(VariableId) -> VariableId) -> Condition {
        let operand = |operand: &Operand| match operand {
            Operand::Variable(x) => Operand::Variable(renaming(*x)),
            Operand::Constant(value) => Operand::Constant(value.clone()),
        };
        match self {
            Condition::Constant(value) => Condition::Constant(*value),
            Condition::Linear(constraint) => Condition::Linear(constraint.rename(renaming)),
            Condition::Unsigned {
                relation,
                left,
                right,
            } => Condition::Unsigned {
                relation: *relation,
                left: operand(left),
                right: operand(right),
            },
            Condition::Boolean { variable, value } => Condition::Boolean {
                variable: renaming(*variable),
                value: *value,
            },
            Condition::Pointers { equal, left, right } => Condition::Pointers {
                equal: *equal,
                left: renaming(*left),
                right: right.map(renaming),
            },
        }
    }
}

impl From<LinearConstraint> for Condition {
    fn from(constraint: LinearConstraint) -> Condition {
        Condition::Linear(constraint)
    }
}

/// Where in an array, how many bytes, in which order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayAccess {
    pub array: VariableId,
    /// Byte offset.
    pub index: Operand,
    /// Number of bytes, at least 1.
    pub size: u32,
    pub endianness: Endianness,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Statement {
    /// An integer: x := e, wrapped to the width of x.
    Assign {
        target: VariableId,
        expression: LinearExpression,
    },
    Binary {
        operator: BinaryOperator,
        target: VariableId,
        left: Operand,
        right: Operand,
    },
    Cast {
        cast: Cast,
        target: VariableId,
        source: VariableId,
    },
    /// 1 for true, 0 for false.
    BooleanToInteger {
        target: VariableId,
        source: VariableId,
    },
    BooleanAssign {
        target: VariableId,
        condition: Condition,
    },
    BooleanBinary {
        operator: BooleanOperator,
        target: VariableId,
        left: VariableId,
        right: VariableId,
    },
    /// Any value of the variable's type.
    Havoc {
        target: VariableId,
    },
    Assume {
        condition: Condition,
    },
    Assert {
        condition: Condition,
    },
    /// target := base + offset bytes; `None` is null, and then the offset is not looked at. Has no
    /// successor when the target is a reference and the result would be null.
    PointerAssign {
        target: VariableId,
        base: Option<VariableId>,
        offset: LinearExpression,
    },
    /// A fresh object of `size` bytes.
    Allocate {
        target: VariableId,
        size: Operand,
    },
    Load {
        target: VariableId,
        pointer: VariableId,
    },
    Store {
        pointer: VariableId,
        value: Operand,
        size: u32,
    },
    AddressOfFunction {
        target: VariableId,
        function: String,
    },
    /// A fresh array whose scalars at `lower`, `lower + size`, … below `upper` all hold `value`.
    ArrayInit {
        target: VariableId,
        lower: Operand,
        upper: Operand,
        value: Operand,
        size: u32,
        endianness: Endianness,
    },
    ArrayRead {
        target: VariableId,
        access: ArrayAccess,
    },
    ArrayWrite {
        access: ArrayAccess,
        value: Operand,
    },
    ArrayAssign {
        target: VariableId,
        source: VariableId,
    },
    Call {
        results: Vec<VariableId>,
        function: String,
        arguments: Vec<VariableId>,
    },
}

impl Statement {
    /// The variables whose value may change.
    #[must_use]
    pub fn defined(&self) -> Vec<VariableId> {
        match self {
            Statement::Assign { target, .. }
            | Statement::Binary { target, .. }
            | Statement::Cast { target, .. }
            | Statement::BooleanToInteger { target, .. }
            | Statement::BooleanAssign { target, .. }
            | Statement::BooleanBinary { target, .. }
            | Statement::Havoc { target }
            | Statement::PointerAssign { target, .. }
            | Statement::Allocate { target, .. }
            | Statement::Load { target, .. }
            | Statement::AddressOfFunction { target, .. }
            | Statement::ArrayInit { target, .. }
            | Statement::ArrayRead { target, .. }
            | Statement::ArrayAssign { target, .. } => vec![*target],
            Statement::ArrayWrite { access, .. } => vec![access.array],
            Statement::Call { results, .. } => results.clone(),
            Statement::Assume { .. } | Statement::Assert { .. } | Statement::Store { .. } => {
                Vec::new()
            }
        }
    }

    /// The variables whose value is read. A write to a part of an array also reads the array.
    #[must_use]
    pub fn used(&self) -> Vec<VariableId> {
        let operands = |operands: &[&Operand]| -> Vec<VariableId> {
            operands
                .iter()
                .filter_map(|operand| operand.as_variable())
                .collect()
        };
        match self {
            Statement::Assign { expression, .. } => expression.variables().collect(),
            Statement::Binary { left, right, .. } => operands(&[left, right]),
            Statement::Cast { source, .. }
            | Statement::BooleanToInteger { source, .. }
            | Statement::ArrayAssign { source, .. } => vec![*source],
            Statement::BooleanAssign { condition, .. }
            | Statement::Assume { condition }
            | Statement::Assert { condition } => condition.variables(),
            Statement::BooleanBinary { left, right, .. } => vec![*left, *right],
            Statement::Havoc { .. } | Statement::AddressOfFunction { .. } => Vec::new(),
            Statement::PointerAssign { base, offset, .. } => {
                base.iter().copied().chain(offset.variables()).collect()
            }
            Statement::Allocate { size, .. } => operands(&[size]),
            Statement::Load { pointer, .. } => vec![*pointer],
            Statement::Store { pointer, value, .. } => std::iter::once(*pointer)
                .chain(value.as_variable())
                .collect(),
            Statement::ArrayInit {
                lower,
                upper,
                value,
                ..
            } => operands(&[lower, upper, value]),
            Statement::ArrayRead { access, .. } => std::iter::once(access.array)
                .chain(access.index.as_variable())
                .collect(),
            Statement::ArrayWrite { access, value } => std::iter::once(access.array)
                .chain(access.index.as_variable())
                .chain(value.as_variable())
                .collect(),
            Statement::Call { arguments, .. } => arguments.clone(),
        }
    }
}
