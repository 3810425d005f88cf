//! Checkers: what the invariants say about assertions, divisions and dereferences.
//!
//! Checking is separate from inference and runs over stored invariants (§4.2.2 of the SeaHorn
//! paper).

use std::collections::BTreeMap;
use std::fmt;

use crate::analysis::backward::Place;
use crate::analysis::forward::{CallSemantics, FunctionStates};
use crate::domain::ProgramDomain;
use crate::language::{Condition, Operand, Program, Statement};
use crate::linear::LinearConstraint;

/// What is checked at a statement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CheckKind {
    Assertion,
    /// The divisor is not zero.
    Division,
    /// The pointer of a load or store is not null.
    NullDereference,
}

/// What is known of a check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CheckStatus {
    /// No execution reaches it.
    Unreachable,
    /// It holds whenever it is reached.
    Safe,
    /// It fails whenever it is reached.
    Error,
    /// It may fail.
    Warning,
}

impl CheckStatus {
    /// What is known when two contexts say this and that of one check.
    #[must_use]
    pub fn combine(self, other: CheckStatus) -> CheckStatus {
        match (self, other) {
            (CheckStatus::Unreachable, status) | (status, CheckStatus::Unreachable) => status,
            (CheckStatus::Safe, CheckStatus::Safe) => CheckStatus::Safe,
            (CheckStatus::Error, CheckStatus::Error) => CheckStatus::Error,
            (
                CheckStatus::Safe | CheckStatus::Error | CheckStatus::Warning,
                CheckStatus::Safe | CheckStatus::Error | CheckStatus::Warning,
            ) => CheckStatus::Warning,
        }
    }
}

impl fmt::Display for CheckStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            CheckStatus::Unreachable => "unreachable",
            CheckStatus::Safe => "safe",
            CheckStatus::Error => "error",
            CheckStatus::Warning => "warning",
        })
    }
}

impl fmt::Display for CheckKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            CheckKind::Assertion => "assertion",
            CheckKind::Division => "division by zero",
            CheckKind::NullDereference => "null dereference",
        })
    }
}

/// A check and what is known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    pub place: Place,
    pub kind: CheckKind,
    pub status: CheckStatus,
}

/// The condition that a statement needs, and the kind of check it is.
#[must_use]
pub fn required(statement: &Statement) -> Option<(CheckKind, Condition)> {
    match statement {
        Statement::Assert { condition } => Some((CheckKind::Assertion, condition.clone())),
        Statement::Binary {
            operator, right, ..
        } if operator.divides() => {
            let condition = match right {
                Operand::Variable(x) => LinearConstraint::not_equal(*x, 0).into(),
                Operand::Constant(value) => Condition::Constant(!value.is_zero()),
            };
            Some((CheckKind::Division, condition))
        }
        Statement::Load { pointer, .. } | Statement::Store { pointer, .. } => {
            let not_null = Condition::Pointers {
                equal: false,
                left: *pointer,
                right: None,
            };
            Some((CheckKind::NullDereference, not_null))
        }
        Statement::Assign { .. }
        | Statement::Binary { .. }
        | Statement::Cast { .. }
        | Statement::BooleanToInteger { .. }
        | Statement::BooleanAssign { .. }
        | Statement::BooleanBinary { .. }
        | Statement::Havoc { .. }
        | Statement::Assume { .. }
        | Statement::PointerAssign { .. }
        | Statement::Allocate { .. }
        | Statement::AddressOfFunction { .. }
        | Statement::ArrayInit { .. }
        | Statement::ArrayRead { .. }
        | Statement::ArrayWrite { .. }
        | Statement::ArrayAssign { .. }
        | Statement::Call { .. } => None,
    }
}

/// What a state says of a condition that must hold there.
pub fn status_of<D: ProgramDomain>(state: &D, condition: &Condition) -> CheckStatus {
    if state.is_bottom() {
        CheckStatus::Unreachable
    } else if state.entails(condition) {
        CheckStatus::Safe
    } else if state.entails(&condition.negate()) {
        CheckStatus::Error
    } else {
        CheckStatus::Warning
    }
}

/// Checks the statements of a function against its states.
pub fn check<D: ProgramDomain>(
    program: &Program,
    states: &FunctionStates<D>,
    calls: &mut dyn CallSemantics<D>,
) -> Vec<Check> {
    let mut checks = Vec::new();
    states.walk(program, calls, &mut |block, position, statement, state| {
        if let Some((kind, condition)) = required(statement) {
            let place = Place {
                function: states.function,
                block,
                position,
            };
            checks.push(Check {
                place,
                kind,
                status: status_of(state, &condition),
            });
        }
    });
    checks
}

/// Combines the checks of several contexts, by place.
#[must_use]
pub fn combine(checks: impl IntoIterator<Item = Check>) -> Vec<Check> {
    let mut by_place: BTreeMap<(Place, CheckKind), CheckStatus> = BTreeMap::new();
    for check in checks {
        let status = by_place
            .entry((check.place, check.kind))
            .or_insert(check.status);
        *status = status.combine(check.status);
    }
    by_place
        .into_iter()
        .map(|((place, kind), status)| Check {
            place,
            kind,
            status,
        })
        .collect()
}
