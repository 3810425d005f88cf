//! Linear expressions and constraints over variables, with exact coefficients.
//!
//! The common tongue of numeric domains: assignments and guards come in this form, and a domain
//! gives its knowledge back in it. Variables stand for integers of ℤ here (a machine integer for
//! its signed value): nothing wraps inside an expression.
//!
//! Invariant: terms are sorted by variable and no coefficient is zero.

use std::fmt;

use smallvec::SmallVec;

use crate::number::Number;
use crate::variable::VariableId;

/// c₁·x₁ + … + cₙ·xₙ + c.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct LinearExpression {
    terms: SmallVec<[(VariableId, Number); 2]>,
    constant: Number,
}

impl LinearExpression {
    #[must_use]
    pub fn constant(value: impl Into<Number>) -> LinearExpression {
        LinearExpression {
            terms: SmallVec::new(),
            constant: value.into(),
        }
    }

    #[must_use]
    pub fn variable(x: VariableId) -> LinearExpression {
        LinearExpression::term(x, Number::ONE)
    }

    /// `coefficient` · `x`.
    #[must_use]
    pub fn term(x: VariableId, coefficient: impl Into<Number>) -> LinearExpression {
        let mut result = LinearExpression::default();
        result.add_term(x, &coefficient.into());
        result
    }

    /// The terms, sorted by variable; coefficients are not zero.
    #[must_use]
    pub fn terms(&self) -> &[(VariableId, Number)] {
        &self.terms
    }

    #[must_use]
    pub fn constant_part(&self) -> &Number {
        &self.constant
    }

    pub fn variables(&self) -> impl Iterator<Item = VariableId> + '_ {
        self.terms.iter().map(|(x, _)| *x)
    }

    #[must_use]
    pub fn mentions(&self, x: VariableId) -> bool {
        self.terms.iter().any(|(y, _)| *y == x)
    }

    #[must_use]
    pub fn coefficient(&self, x: VariableId) -> Number {
        match self.terms.binary_search_by_key(&x, |(y, _)| *y) {
            Ok(position) => self.terms[position].1.clone(),
            Err(_) => Number::ZERO,
        }
    }

    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value, when there are no terms.
    #[must_use]
    pub fn as_constant(&self) -> Option<&Number> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// The variable `x`, when the expression is just 1·x + 0.
    #[must_use]
    pub fn as_variable(&self) -> Option<VariableId> {
        match &self.terms[..] {
            [(x, one)] if one.is_one() && self.constant.is_zero() => Some(*x),
            _ => None,
        }
    }

    pub fn add_constant(&mut self, value: &Number) {
        self.constant += value;
    }

    pub fn add_term(&mut self, x: VariableId, coefficient: &Number) {
        match self.terms.binary_search_by_key(&x, |(y, _)| *y) {
            Ok(position) => {
                self.terms[position].1 += coefficient;
                if self.terms[position].1.is_zero() {
                    self.terms.remove(position);
                }
            }
            Err(position) => {
                if !coefficient.is_zero() {
                    self.terms.insert(position, (x, coefficient.clone()));
                }
            }
        }
    }

    #[must_use]
    pub fn plus(&self, other: &LinearExpression) -> LinearExpression {
        let mut result = self.clone();
        for (x, coefficient) in &other.terms {
            result.add_term(*x, coefficient);
        }
        result.constant += &other.constant;
        result
    }

    #[must_use]
    pub fn minus(&self, other: &LinearExpression) -> LinearExpression {
        self.plus(&other.scaled(&Number::MINUS_ONE))
    }

    #[must_use]
    pub fn plus_constant(&self, value: &Number) -> LinearExpression {
        let mut result = self.clone();
        result.constant += value;
        result
    }

    #[must_use]
    pub fn scaled(&self, factor: &Number) -> LinearExpression {
        if factor.is_zero() {
            return LinearExpression::default();
        }
        let terms = self
            .terms
            .iter()
            .map(|(x, coefficient)| (*x, coefficient * factor))
            .collect();
        LinearExpression {
            terms,
            constant: &self.constant * factor,
        }
    }

    /// This expression with `replacement` for `x`.
    #[must_use]
    pub fn substitute(&self, x: VariableId, replacement: &LinearExpression) -> LinearExpression {
        let coefficient = self.coefficient(x);
        if coefficient.is_zero() {
            return self.clone();
        }
        let mut rest = self.clone();
        rest.add_term(x, &-&coefficient);
        rest.plus(&replacement.scaled(&coefficient))
    }

    /// This expression with every variable replaced; several may become the same one.
    #[must_use]
    pub fn rename(&self, renaming: impl Fn(VariableId) -> VariableId) -> LinearExpression {
        let mut result = LinearExpression::constant(self.constant.clone());
        for (x, coefficient) in &self.terms {
            result.add_term(renaming(*x), coefficient);
        }
        result
    }

    /// The value under a valuation; `None` when a variable has none.
    #[must_use]
    pub fn evaluate(&self, valuation: impl Fn(VariableId) -> Option<Number>) -> Option<Number> {
        let mut sum = self.constant.clone();
        for (x, coefficient) in &self.terms {
            sum += &(coefficient * &valuation(*x)?);
        }
        Some(sum)
    }

    /// Writes the expression with names from `name`.
    pub fn write(
        &self,
        formatter: &mut dyn fmt::Write,
        name: &dyn Fn(VariableId) -> String,
    ) -> fmt::Result {
        let mut first = true;
        for (x, coefficient) in &self.terms {
            write_sign(formatter, coefficient.is_negative(), first)?;
            let magnitude = coefficient.abs();
            if !magnitude.is_one() {
                write!(formatter, "{magnitude}*")?;
            }
            write!(formatter, "{}", name(*x))?;
            first = false;
        }
        if first {
            return write!(formatter, "{}", self.constant);
        }
        if !self.constant.is_zero() {
            write_sign(formatter, self.constant.is_negative(), false)?;
            write!(formatter, "{}", self.constant.abs())?;
        }
        Ok(())
    }
}

fn write_sign(formatter: &mut dyn fmt::Write, negative: bool, first: bool) -> fmt::Result {
    formatter.write_str(match (negative, first) {
        (true, true) => "-",
        (true, false) => " - ",
        (false, true) => "",
        (false, false) => " + ",
    })
}

impl fmt::Display for LinearExpression {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(formatter, &|x| x.to_string())
    }
}

impl fmt::Debug for LinearExpression {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl From<VariableId> for LinearExpression {
    fn from(x: VariableId) -> LinearExpression {
        LinearExpression::variable(x)
    }
}

impl From<Number> for LinearExpression {
    fn from(value: Number) -> LinearExpression {
        LinearExpression::constant(value)
    }
}

impl From<i64> for LinearExpression {
    fn from(value: i64) -> LinearExpression {
        LinearExpression::constant(value)
    }
}

/// How the expression of a constraint compares to zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Relation {
    LessOrEqual,
    Equal,
    NotEqual,
}

/// `expression` `relation` 0.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct LinearConstraint {
    pub expression: LinearExpression,
    pub relation: Relation,
}

impl LinearConstraint {
    #[must_use]
    pub fn new(expression: LinearExpression, relation: Relation) -> LinearConstraint {
        LinearConstraint {
            expression,
            relation,
        }
    }

    /// left ≤ right.
    #[must_use]
    pub fn less_or_equal(
        left: impl Into<LinearExpression>,
        right: impl Into<LinearExpression>,
    ) -> LinearConstraint {
        LinearConstraint::new(left.into().minus(&right.into()), Relation::LessOrEqual)
    }

    /// left < right, that is left + 1 ≤ right.
    #[must_use]
    pub fn less(
        left: impl Into<LinearExpression>,
        right: impl Into<LinearExpression>,
    ) -> LinearConstraint {
        let difference = left.into().minus(&right.into()).plus_constant(&Number::ONE);
        LinearConstraint::new(difference, Relation::LessOrEqual)
    }

    #[must_use]
    pub fn equal(
        left: impl Into<LinearExpression>,
        right: impl Into<LinearExpression>,
    ) -> LinearConstraint {
        LinearConstraint::new(left.into().minus(&right.into()), Relation::Equal)
    }

    #[must_use]
    pub fn not_equal(
        left: impl Into<LinearExpression>,
        right: impl Into<LinearExpression>,
    ) -> LinearConstraint {
        LinearConstraint::new(left.into().minus(&right.into()), Relation::NotEqual)
    }

    /// The constraint that holds of exactly the other integer points.
    #[must_use]
    pub fn negate(&self) -> LinearConstraint {
        match self.relation {
            Relation::LessOrEqual => {
                let flipped = self.expression.scaled(&Number::MINUS_ONE);
                LinearConstraint::new(flipped.plus_constant(&Number::ONE), Relation::LessOrEqual)
            }
            Relation::Equal => LinearConstraint::new(self.expression.clone(), Relation::NotEqual),
            Relation::NotEqual => LinearConstraint::new(self.expression.clone(), Relation::Equal),
        }
    }

    /// Whether the constraint has no variables and is true (`Some(true)`) or false; `None` when it
    /// has variables.
    #[must_use]
    pub fn as_constant(&self) -> Option<bool> {
        self.expression
            .as_constant()
            .map(|value| self.relation.holds(value))
    }

    /// Whether the constraint holds under a valuation; `None` when a variable has no value.
    #[must_use]
    pub fn evaluate(&self, valuation: impl Fn(VariableId) -> Option<Number>) -> Option<bool> {
        self.expression
            .evaluate(valuation)
            .map(|value| self.relation.holds(&value))
    }

    /// The same constraint divided by the common divisor of its coefficients, the constant of an
    /// inequality rounded to the tightest integer one.
    #[must_use]
    pub fn normalized(&self) -> LinearConstraint {
        let terms = self.expression.terms();
        let divisor = terms.iter().fold(Number::ZERO, |gcd, (_, c)| gcd.gcd(c));
        if divisor.is_zero() || divisor.is_one() {
            return self.clone();
        }
        let constant = self.expression.constant_part();
        let rounded = match self.relation {
            // Σc·x ≤ −k tightens to Σ(c/d)·x ≤ ⌊−k/d⌋, so k becomes ⌈k/d⌉.
            Relation::LessOrEqual => constant.div_ceil(&divisor),
            Relation::Equal | Relation::NotEqual if constant.is_multiple_of(&divisor) => {
                constant.div_floor(&divisor)
            }
            Relation::Equal | Relation::NotEqual => return self.clone(),
        };
        let mut expression = LinearExpression::constant(rounded);
        for (x, coefficient) in terms {
            expression.add_term(*x, &coefficient.div_floor(&divisor));
        }
        LinearConstraint::new(expression, self.relation)
    }

    /// This constraint with `replacement` for `x`.
    #[must_use]
    pub fn substitute(&self, x: VariableId, replacement: &LinearExpression) -> LinearConstraint {
        LinearConstraint::new(self.expression.substitute(x, replacement), self.relation)
    }

    #[must_use]
    pub fn rename(&self, renaming: impl Fn(VariableId) -> VariableId) -> LinearConstraint {
        LinearConstraint::new(self.expression.rename(renaming), self.relation)
    }

    /// Writes the constraint with positive terms left and the rest right of the relation.
    pub fn write(
        &self,
        formatter: &mut dyn fmt::Write,
        name: &dyn Fn(VariableId) -> String,
    ) -> fmt::Result {
        let mut left = LinearExpression::default();
        let mut right = LinearExpression::constant(-self.expression.constant_part());
        let terms = self.expression.terms();
        let flip = terms
            .iter()
            .all(|(_, coefficient)| coefficient.is_negative());
        for (x, coefficient) in terms {
            if coefficient.is_negative() && !flip {
                right.add_term(*x, &-coefficient);
            } else {
                left.add_term(*x, &coefficient.abs());
            }
        }
        if flip && !terms.is_empty() {
            right = right.scaled(&Number::MINUS_ONE);
        }
        let symbol = match (self.relation, flip && !terms.is_empty()) {
            (Relation::LessOrEqual, false) => " <= ",
            (Relation::LessOrEqual, true) => " >= ",
            (Relation::Equal, _) => " == ",
            (Relation::NotEqual, _) => " != ",
        };
        left.write(formatter, name)?;
        formatter.write_str(symbol)?;
        right.write(formatter, name)
    }
}

impl Relation {
    /// Whether `value` stands in this relation to zero.
    #[must_use]
    pub fn holds(self, value: &Number) -> bool {
        match self {
            Relation::LessOrEqual => !value.is_positive(),
            Relation::Equal => value.is_zero(),
            Relation::NotEqual => !value.is_zero(),
        }
    }
}

impl fmt::Display for LinearConstraint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(formatter, &|x| x.to_string())
    }
}

impl fmt::Debug for LinearConstraint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
