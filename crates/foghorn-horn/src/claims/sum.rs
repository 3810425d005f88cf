//! Linear sums of what a clause speaks of, and how they compare.
//!
//! Clauses number objects in their own way ([`crate::objects`]): -1 is the unknown object, 0 null, and functions, globals
//! and allocations follow from 1 on. Claims number the unknown object 1, and all that follows one higher. So a number of
//! an object that stands by itself is compared directly, and one in a sum is `n - 1` but for the first two. That
//! allocations happen in the order of their numbers is not certain; whoever checks the claim finds out.

use foghorn_encode::claim::build::number;
use foghorn_encode::claim::{Expression, Formula, NULL, UNKNOWN};
use num_bigint::BigInt;

/// A part of a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A number, signed.
    Number(Expression),
    /// The number of an object, as claims have it.
    Object(Expression),
    /// The number that the next object gets, as claims have it.
    Counter(Expression),
}

/// `Σ factor · part + constant`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub parts: Vec<(BigInt, Part)>,
    pub constant: BigInt,
}

impl Sum {
    pub fn literal(constant: BigInt) -> Self {
        Sum {
            parts: vec![],
            constant,
        }
    }

    pub fn of(part: Part) -> Self {
        Sum {
            parts: vec![(BigInt::from(1), part)],
            constant: BigInt::ZERO,
        }
    }

    #[must_use]
    pub fn plus(mut self, other: Sum) -> Self {
        for (factor, part) in other.parts {
            match self.parts.iter_mut().find(|(_, own)| *own == part) {
                Some((own, _)) => *own += factor,
                None => self.parts.push((factor, part)),
            }
        }
        self.parts.retain(|(factor, _)| *factor != BigInt::ZERO);
        self.constant += other.constant;
        self
    }

    #[must_use]
    pub fn times(mut self, factor: &BigInt) -> Self {
        if *factor == BigInt::ZERO {
            return Sum::default();
        }
        for (own, _) in &mut self.parts {
            *own *= factor;
        }
        self.constant *= factor;
        self
    }

    /// The constant that it is.
    pub fn as_literal(&self) -> Option<&BigInt> {
        self.parts.is_empty().then_some(&self.constant)
    }

    /// As a number of a claim.
    pub fn expression(&self) -> Expression {
        let scaled = self.parts.iter().map(|(factor, part)| {
            let part = part.number();
            match *factor == BigInt::from(1) {
                true => part,
                false => Expression::Scaled(factor.to_string(), Box::new(part)),
            }
        });
        let mut all: Vec<Expression> = scaled.collect();
        if self.constant != BigInt::ZERO || all.is_empty() {
            all.push(Expression::Number(self.constant.to_string()));
        }
        match all.len() {
            1 => all.remove(0),
            _ => Expression::Sum(all),
        }
    }

    /// `self <= 0`.
    pub fn at_most_zero(&self) -> Formula {
        match (&self.parts[..], &self.constant) {
            ([], constant) => Formula::Constant(*constant <= BigInt::ZERO),
            ([(factor, Part::Object(of))], constant) if *factor == BigInt::from(1) => {
                object_at_most(of, &-constant)
            }
            ([(factor, Part::Object(of))], constant) if *factor == BigInt::from(-1) => {
                object_at_most(of, &(constant - 1)).negated()
            }
            _ => self.expression().at_most(number(0)),
        }
    }

    /// `self == 0`.
    pub fn is_zero(&self) -> Formula {
        let (one, opposite) = (BigInt::from(1), BigInt::from(-1));
        match (&self.parts[..], &self.constant) {
            ([], constant) => Formula::Constant(*constant == BigInt::ZERO),
            ([(factor, Part::Object(of))], constant) if *factor == one => object_is(of, &-constant),
            ([(factor, Part::Object(of))], constant) if *factor == opposite => {
                object_is(of, constant)
            }
            ([(a, Part::Object(left)), (b, Part::Object(right))], constant)
                if *a == -b && (*a == one || *a == opposite) && *constant == BigInt::ZERO =>
            {
                left.clone().equals(right.clone())
            }
            _ => self.expression().equals(number(0)),
        }
    }
}

impl Part {
    /// The number that clauses have for it.
    fn number(&self) -> Expression {
        match self {
            Part::Number(of) => of.clone(),
            Part::Counter(of) => of.clone().minus(number(1)),
            Part::Object(of) => {
                let is_null = of.clone().equals(number(NULL.into()));
                let is_unknown = of.clone().equals(number(UNKNOWN.into()));
                let others = of.clone().minus(number(1));
                let of_object = choice(is_unknown, number(-1), others);
                choice(is_null, number(0), of_object)
            }
        }
    }
}

fn choice(when: Formula, then: Expression, otherwise: Expression) -> Expression {
    Expression::Choice(Box::new(when), Box::new(then), Box::new(otherwise))
}

/// That an object's number, as clauses have it, is at most this.
fn object_at_most(of: &Expression, most: &BigInt) -> Formula {
    if *most < BigInt::from(-1) {
        return Formula::Constant(false);
    }
    if *most == BigInt::from(-1) {
        return of.clone().equals(number(UNKNOWN.into()));
    }
    let most: BigInt = most + 1;
    of.clone().at_most(Expression::Number(most.to_string()))
}

fn object_is(of: &Expression, literal: &BigInt) -> Formula {
    match object_number(literal) {
        Some(number) => of.clone().equals(number),
        None => Formula::Constant(false),
    }
}

/// The number that claims have for an object of clauses.
pub fn object_number(literal: &BigInt) -> Option<Expression> {
    if *literal == BigInt::from(-1) {
        return Some(number(UNKNOWN.into()));
    }
    if *literal == BigInt::ZERO {
        return Some(number(NULL.into()));
    }
    let number: BigInt = literal + 1;
    (*literal > BigInt::ZERO).then(|| Expression::Number(number.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_encode::claim::build::value;

    fn object(of: u32) -> Sum {
        Sum::of(Part::Object(Expression::Object(value(of))))
    }

    fn constant(number: i64) -> Sum {
        Sum::literal(BigInt::from(number))
    }

    #[test]
    fn numbers_of_objects_are_those_of_claims() {
        let compared = |number: i64| object(3).plus(constant(-number)).at_most_zero().to_string();
        assert_eq!(compared(-2), "false");
        assert_eq!(compared(-1), "object(v3) == 1");
        assert_eq!(compared(0), "object(v3) <= 1");
        assert_eq!(compared(4), "object(v3) <= 5");
        let is = |number: i64| object(3).plus(constant(-number)).is_zero().to_string();
        assert_eq!(is(-1), "object(v3) == 1");
        assert_eq!(is(0), "object(v3) == 0");
        assert_eq!(is(7), "object(v3) == 8");
        assert_eq!(is(-5), "false");
    }

    #[test]
    fn what_is_the_same_cancels_out() {
        let opposite = BigInt::from(-1);
        let same = object(3).plus(object(3).times(&opposite));
        assert_eq!(same, Sum::default());
        let two = object(3).plus(object(4).times(&opposite));
        assert_eq!(two.is_zero().to_string(), "object(v3) == object(v4)");
        let at_least = object(3).times(&opposite).plus(constant(1));
        assert_eq!(at_least.at_most_zero().to_string(), "!(object(v3) <= 1)");
    }
}
