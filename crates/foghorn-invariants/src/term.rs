//! Invariants as terms over bit-vectors, for the other engines.
//!
//! A linear condition is about signed numbers over ℤ; its term computes in a width in which
//! nothing overflows.

use foghorn_absint::language::{Condition, Operand, UnsignedRelation};
use foghorn_absint::linear::{LinearConstraint, Relation};
use foghorn_absint::number::Number;
use foghorn_absint::variable::VariableId as GotoVariable;
use foghorn_term::{BitVecValue, TermId, TermPool};

use crate::analysis::Invariant;
use crate::shape::Meaning;
use crate::translate::Translation;

/// Gives the term of what a goto variable stands for: a bit-vector of the variable's width for
/// integers, offsets and sizes; a truth value for booleans and for whether a pointer names an
/// object.
pub trait Symbols {
    fn term(&mut self, pool: &mut TermPool, meaning: Meaning) -> TermId;
}

impl<F: FnMut(&mut TermPool, Meaning) -> TermId> Symbols for F {
    fn term(&mut self, pool: &mut TermPool, meaning: Meaning) -> TermId {
        self(pool, meaning)
    }
}

/// The conjunction of an invariant's conditions. Conditions that have no term are left out, which
/// makes the invariant weaker.
pub fn invariant_term(
    pool: &mut TermPool,
    translation: &Translation,
    invariant: &Invariant,
    symbols: &mut dyn Symbols,
) -> TermId {
    match invariant {
        Invariant::Unreachable => pool.bool(false),
        Invariant::Conditions(conditions) => {
            let terms: Vec<TermId> = conditions
                .iter()
                .filter_map(|it| condition_term(pool, translation, it, symbols))
                .collect();
            pool.and(&terms)
        }
    }
}

/// The term of a condition; `None` for conditions on pointers, which the translation never makes,
/// and for unsigned comparisons without a variable, which have no width.
pub fn condition_term(
    pool: &mut TermPool,
    translation: &Translation,
    condition: &Condition,
    symbols: &mut dyn Symbols,
) -> Option<TermId> {
    let mut of = |pool: &mut TermPool, x: GotoVariable| {
        symbols.term(pool, translation.meanings[x.index() as usize])
    };
    match condition {
        Condition::Constant(value) => Some(pool.bool(*value)),
        Condition::Boolean { variable, value } => {
            let term = of(pool, *variable);
            Some(if *value { term } else { pool.not(term) })
        }
        Condition::Linear(constraint) => linear_term(pool, constraint, &mut of),
        Condition::Unsigned {
            relation,
            left,
            right,
        } => {
            let width = [left, right]
                .into_iter()
                .filter_map(Operand::as_variable)
                .find_map(GotoVariable::width)?;
            let mut operand = |pool: &mut TermPool, operand: &Operand| match operand {
                Operand::Variable(x) => Some(of(pool, *x)),
                Operand::Constant(value) => literal(pool, width, value),
            };
            let (left, right) = (operand(pool, left)?, operand(pool, right)?);
            Some(match relation {
                UnsignedRelation::Less => pool.bv_ult(left, right),
                UnsignedRelation::LessOrEqual => pool.bv_ule(left, right),
            })
        }
        Condition::Pointers { .. } => None,
    }
}

/// A number that fits in 128 bits.
fn literal(pool: &mut TermPool, width: u32, value: &Number) -> Option<TermId> {
    let bits = value.to_i128()?;
    let magnitude = pool.bitvec(BitVecValue::from_u128(width, bits.unsigned_abs()));
    Some(if bits < 0 {
        let zero = pool.bv_zero(width);
        pool.bv_sub(zero, magnitude)
    } else {
        magnitude
    })
}

/// Bits of the magnitude of a number that fits in 128 bits.
fn magnitude_bits(value: &Number) -> Option<u32> {
    Some(128 - value.to_i128()?.unsigned_abs().leading_zeros())
}

fn linear_term(
    pool: &mut TermPool,
    constraint: &LinearConstraint,
    of: &mut dyn FnMut(&mut TermPool, GotoVariable) -> TermId,
) -> Option<TermId> {
    let expression = &constraint.expression;
    let terms = expression.terms();
    let mut widest = magnitude_bits(expression.constant_part())? + 1;
    for (x, factor) in terms {
        widest = widest.max(x.width()? + magnitude_bits(factor)? + 1);
    }
    // Each addend fits in `widest` bits, and there are `terms.len() + 1` of them.
    let count = u32::try_from(terms.len()).ok()?;
    let width = widest + (u32::BITS - count.leading_zeros()) + 1;
    let mut sum = literal(pool, width, expression.constant_part())?;
    for (x, factor) in terms {
        let value = of(pool, *x);
        let value = pool.sign_extend(width - x.width()?, value);
        let factor = literal(pool, width, factor)?;
        let product = pool.bv_mul(factor, value);
        sum = pool.bv_add(sum, product);
    }
    let zero = pool.bv_zero(width);
    Some(match constraint.relation {
        Relation::LessOrEqual => pool.bv_sle(sum, zero),
        Relation::Equal => pool.equal(sum, zero),
        Relation::NotEqual => pool.not_equal(sum, zero),
    })
}
