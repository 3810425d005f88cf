//! Widening thresholds from the constants of a function (§4.2.3 of the SeaHorn paper).
//!
//! A loop guard x < 10 makes x reach 10 at most: the constants of conditions, and their
//! neighbours, are where a widening should pause. Constants of assignments serve as starting
//! points.

use std::collections::BTreeSet;

use crate::domain::ProgramDomain;
use crate::language::{Condition, Function, Operand, Statement};
use crate::number::Number;
use crate::thresholds::Thresholds;

/// The thresholds of a function, at most `limit`: with more of them loops stabilise later.
#[must_use]
pub fn collect(function: &Function, limit: usize) -> Thresholds {
    let mut numbers = BTreeSet::new();
    for block in function.blocks.values() {
        for statement in &block.statements {
            of_statement(statement, &mut numbers);
        }
    }
    Thresholds::new(numbers.into_iter().take(limit))
}

/// The same with what the parameters are at the entry, where that is one number: a loop up to a
/// parameter has no constant of its own.
#[must_use]
pub fn with_parameters<D: ProgramDomain>(
    thresholds: &Thresholds,
    function: &Function,
    entry: &D,
) -> Thresholds {
    let mut numbers: BTreeSet<Number> = BTreeSet::new();
    let integers = function.parameters.iter().filter(|x| x.ty().is_integer());
    for parameter in integers {
        if let Some(value) = entry.bounds(*parameter).as_point() {
            insert_near(value, &mut numbers);
        }
    }
    numbers.extend(thresholds.numbers().iter().cloned());
    Thresholds::new(numbers)
}

fn insert_near(value: &Number, numbers: &mut BTreeSet<Number>) {
    numbers.insert(value - &Number::ONE);
    numbers.insert(value.clone());
    numbers.insert(value + &Number::ONE);
}

fn of_condition(condition: &Condition, numbers: &mut BTreeSet<Number>) {
    match condition {
        Condition::Linear(constraint) => {
            // In c·x + k ≤ 0 the interesting value of x is −k/c.
            let terms = constraint.expression.terms();
            let negated = -constraint.expression.constant_part();
            match terms {
                [(_, coefficient)] => insert_near(&negated.div_floor(coefficient), numbers),
                _ => insert_near(&negated, numbers),
            }
        }
        Condition::Unsigned { left, right, .. } => {
            for operand in [left, right] {
                if let Operand::Constant(value) = operand {
                    insert_near(value, numbers);
                }
            }
        }
        Condition::Constant(_) | Condition::Boolean { .. } | Condition::Pointers { .. } => {}
    }
}

fn of_statement(statement: &Statement, numbers: &mut BTreeSet<Number>) {
    match statement {
        Statement::Assume { condition }
        | Statement::Assert { condition }
        | Statement::BooleanAssign { condition, .. } => of_condition(condition, numbers),
        Statement::Assign { expression, .. } => {
            if let Some(value) = expression.as_constant() {
                numbers.insert(value.clone());
            }
        }
        Statement::Binary { .. }
        | Statement::Cast { .. }
        | Statement::BooleanToInteger { .. }
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
        | Statement::Call { .. } => {}
    }
}
