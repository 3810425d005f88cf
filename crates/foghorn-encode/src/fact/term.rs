//! Facts as terms.

use super::{Fact, Operand, Relation};
use foghorn_term::{BitVecValue, TermId, TermPool};

impl Fact {
    /// The term of the fact over the terms of its [quantities](Fact::quantities). `None` if a number
    /// in it is none, or if it compares numbers with nothing.
    pub fn term(&self, pool: &mut TermPool, quantities: &[TermId]) -> Option<TermId> {
        match self {
            Fact::Truth { is: true, .. } => quantities.first().copied(),
            Fact::Truth { is: false, .. } => Some(pool.not(*quantities.first()?)),
            Fact::Implied { when, then } => {
                let &[a, b] = quantities else { return None };
                let mut literal = |term: TermId, is: bool| if is { term } else { pool.not(term) };
                let (a, b) = (literal(a, when.1), literal(b, then.1));
                Some(pool.implies(a, b))
            }
            Fact::Unsigned {
                strict,
                left,
                right,
            } => {
                let width = pool.width(*quantities.first()?);
                let mut known = quantities.iter();
                let mut side = |operand: &Operand| match operand {
                    Operand::Quantity(_) => known.next().copied(),
                    Operand::Number(number) => Some(literal(pool, width, number.parse().ok()?)),
                };
                let (left, right) = (side(left)?, side(right)?);
                Some(match strict {
                    true => pool.bv_ult(left, right),
                    false => pool.bv_ule(left, right),
                })
            }
            Fact::Linear {
                terms,
                constant,
                relation,
            } => {
                let constant: i128 = constant.parse().ok()?;
                let addends: Option<Vec<(TermId, i128)>> = terms
                    .iter()
                    .zip(quantities)
                    .map(|((_, factor), term)| Some((*term, factor.parse().ok()?)))
                    .collect();
                let addends = addends?;
                let direct = direct(pool, &addends, constant, *relation);
                Some(direct.unwrap_or_else(|| linear(pool, &addends, constant, *relation)))
            }
        }
    }
}

/// `x + constant` or `x - y` compared with 0, without the sum: a solver and the bounds of addresses
/// get more out of a plain comparison.
fn direct(
    pool: &mut TermPool,
    addends: &[(TermId, i128)],
    constant: i128,
    relation: Relation,
) -> Option<TermId> {
    let (left, right) = match *addends {
        [(x, 1)] => (x, signed_literal(pool, x, constant.checked_neg()?)?),
        [(x, -1)] => (signed_literal(pool, x, constant)?, x),
        [(x, 1), (y, -1)] | [(y, -1), (x, 1)]
            if constant == 0 && pool.width(x) == pool.width(y) =>
        {
            (x, y)
        }
        _ => return None,
    };
    Some(match relation {
        Relation::LessOrEqual => pool.bv_sle(left, right),
        Relation::Equal => pool.equal(left, right),
        Relation::NotEqual => pool.not_equal(left, right),
    })
}

/// The number in the width of a term, if that can hold it.
fn signed_literal(pool: &mut TermPool, like: TermId, value: i128) -> Option<TermId> {
    let width = pool.width(like);
    let fits = width > 128 || (value << (128 - width)) >> (128 - width) == value;
    fits.then(|| literal(pool, width, value))
}

/// The sum in a width in which nothing overflows, compared with 0.
fn linear(
    pool: &mut TermPool,
    addends: &[(TermId, i128)],
    constant: i128,
    relation: Relation,
) -> TermId {
    let mut widest = magnitude(constant) + 1;
    for (term, factor) in addends {
        widest = widest.max(pool.width(*term) + magnitude(*factor) + 1);
    }
    // Each addend fits, and so does their sum.
    let width = widest + (usize::BITS - addends.len().leading_zeros()) + 1;
    let mut sum = literal(pool, width, constant);
    for (term, factor) in addends {
        let own = pool.width(*term);
        let value = pool.sign_extend(width - own, *term);
        let factor = literal(pool, width, *factor);
        let product = pool.bv_mul(factor, value);
        sum = pool.bv_add(sum, product);
    }
    let zero = pool.bv_zero(width);
    match relation {
        Relation::LessOrEqual => pool.bv_sle(sum, zero),
        Relation::Equal => pool.equal(sum, zero),
        Relation::NotEqual => pool.not_equal(sum, zero),
    }
}

/// Bits of the magnitude.
fn magnitude(value: i128) -> u32 {
    128 - value.unsigned_abs().leading_zeros()
}

/// A number modulo 2^width.
fn literal(pool: &mut TermPool, width: u32, value: i128) -> TermId {
    let cut = |bits: u128| match width {
        0..128 => bits & (u128::MAX >> (128 - width)),
        _ => bits,
    };
    let magnitude = pool.bitvec(BitVecValue::from_u128(width, cut(value.unsigned_abs())));
    if value < 0 {
        let zero = pool.bv_zero(width);
        pool.bv_sub(zero, magnitude)
    } else {
        magnitude
    }
}
