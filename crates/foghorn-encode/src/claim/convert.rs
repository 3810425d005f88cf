//! Facts as claims: the same meaning in the larger language.

use super::build::number;
use super::{Expression, FIRST_OBJECT, Formula};
use crate::fact::{Aspect, Fact, Operand, Quantity, Relation};

impl Fact {
    /// What the fact says, as a claim. `None` if it puts a truth value where a number belongs, or the
    /// other way round.
    pub fn claim(&self) -> Option<Formula> {
        match self {
            Fact::Linear {
                terms,
                constant,
                relation,
            } => {
                let mut sum = vec![];
                for (quantity, factor) in terms {
                    let term = Box::new(signed(*quantity)?);
                    sum.push(Expression::Scaled(factor.clone(), term));
                }
                sum.push(Expression::Number(constant.clone()));
                let (sum, zero) = (Expression::Sum(sum), number(0));
                Some(match relation {
                    Relation::LessOrEqual => sum.at_most(zero),
                    Relation::Equal => sum.equals(zero),
                    Relation::NotEqual => sum.differs(zero),
                })
            }
            Fact::Unsigned {
                strict,
                left,
                right,
            } => {
                let (left, right) = (unsigned(left)?, unsigned(right)?);
                Some(match strict {
                    true => left.less(right),
                    false => left.at_most(right),
                })
            }
            Fact::Truth { of, is } => literal(*of, *is),
            Fact::Implied { when, then } => {
                Some(literal(when.0, when.1)?.implies(literal(then.0, then.1)?))
            }
        }
    }
}

fn signed(of: Quantity) -> Option<Expression> {
    match of.aspect {
        Aspect::Integer => Some(Expression::Signed(of.subject)),
        Aspect::Offset => Some(Expression::Offset(of.subject)),
        Aspect::Size => Some(Expression::size_of(of.subject)),
        Aspect::Boolean | Aspect::IsObject => None,
    }
}

/// Numbers of a fact that are below 0 mean the machine integer with the same bits; those are not
/// claimed, since a fact does not say how wide it is.
fn unsigned(operand: &Operand) -> Option<Expression> {
    match operand {
        Operand::Number(number) if number.starts_with('-') => None,
        Operand::Number(number) => Some(Expression::Number(number.clone())),
        Operand::Quantity(of) => match of.aspect {
            Aspect::Integer => Some(Expression::Unsigned(of.subject)),
            Aspect::Offset | Aspect::Size | Aspect::Boolean | Aspect::IsObject => None,
        },
    }
}

fn literal(of: Quantity, is: bool) -> Option<Formula> {
    let formula = match of.aspect {
        Aspect::Boolean => Formula::Truth(of.subject),
        Aspect::IsObject => {
            number(i128::from(FIRST_OBJECT)).at_most(Expression::Object(of.subject))
        }
        Aspect::Integer | Aspect::Offset | Aspect::Size => return None,
    };
    Some(if is { formula } else { formula.negated() })
}
