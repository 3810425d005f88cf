//! Sums of multiples, in which equal parts are one: the check makes each operation of a claim one bit wider, and a place
//! that is the one spoken of is best named so.

use foghorn_encode::claim::Expression;
use foghorn_encode::claim::build::number;

/// A constant and multiples of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affine {
    constant: i128,
    /// No expression twice, no factor 0.
    parts: Vec<(Expression, i128)>,
}

impl Affine {
    pub fn constant(constant: i128) -> Self {
        let parts = vec![];
        Affine { constant, parts }
    }

    pub fn of(part: Expression) -> Self {
        Affine {
            constant: 0,
            parts: vec![(part, 1)],
        }
    }

    pub fn plus(mut self, other: &Affine) -> Self {
        self.constant += other.constant;
        for (part, factor) in &other.parts {
            match self.parts.iter_mut().find(|(known, _)| known == part) {
                Some((_, known)) => *known += factor,
                None => self.parts.push((part.clone(), *factor)),
            }
        }
        self.parts.retain(|(_, factor)| *factor != 0);
        self
    }

    pub fn minus(self, other: &Affine) -> Self {
        self.plus(&other.clone().times(-1))
    }

    /// A multiple. Numbers of programs have 64 bits and few factors, so that nothing overflows here that matters: what
    /// is claimed is checked.
    pub fn times(self, by: i128) -> Self {
        if by == 0 {
            return Affine::constant(0);
        }
        let parts = self.parts.into_iter();
        Affine {
            constant: self.constant.saturating_mul(by),
            parts: parts
                .map(|(part, factor)| (part, factor.saturating_mul(by)))
                .collect(),
        }
    }

    /// As an expression of claims.
    pub fn expression(&self) -> Expression {
        let mut parts: Vec<Expression> = self
            .parts
            .iter()
            .map(|(part, factor)| match factor {
                1 => part.clone(),
                factor => part.clone().times(*factor),
            })
            .collect();
        if self.constant != 0 || parts.is_empty() {
            parts.push(number(self.constant));
        }
        match parts.len() {
            1 => parts.remove(0),
            _ => Expression::Sum(parts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_encode::claim::build::{signed, value};

    #[test]
    fn equal_parts_are_one() {
        let offset = || Affine::of(Expression::EveryOffset);
        let base = Affine::of(signed(value(3)));
        let moved = offset().minus(&base).plus(&Affine::constant(4));
        assert_eq!(
            moved.plus(&base).minus(&Affine::constant(4)).expression(),
            Expression::EveryOffset
        );
        assert_eq!(offset().minus(&offset()).expression(), number(0));
        let twice = offset().times(2).plus(&Affine::constant(1));
        let sum = vec![Expression::EveryOffset.times(2), number(1)];
        assert_eq!(twice.expression(), Expression::Sum(sum));
    }
}
