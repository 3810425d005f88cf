//! Assignments, guards and non-linear operations on polyhedra.

use super::Polyhedra;
use crate::domain::{NumericDomain as _, VariableDomain as _};
use crate::language::Operand;
use crate::linear::{LinearConstraint, LinearExpression, Relation};
use crate::number::Number;
use crate::polyhedron::cone::Kind;
use crate::value::interval::{Bound, Interval};
use crate::value::{AbstractValue as _, ArithmeticOperator, NumericValue as _};
use crate::variable::VariableId;

/// Products of variables get linear envelopes only when their bounds are below this: larger
/// coefficients cost more than such envelopes are worth.
const LARGEST_ENVELOPE: i64 = 1 << 12;

impl Polyhedra {
    pub(super) fn assign_linear(&mut self, target: VariableId, expression: &LinearExpression) {
        let recursive = expression.mentions(target);
        if !recursive {
            self.forget_one(target);
        }
        let bounds = self.interval_of(expression);
        let variables: Vec<VariableId> = expression.variables().collect();
        let parts = self.take(&variables);
        match Self::product(&parts, &variables) {
            Some(block) if recursive => self.put_split(block.image(target, expression)),
            Some(block) => self.put_split(block.extended(target, expression)),
            None => {
                self.put(parts);
                self.forget_one(target);
                self.constrain(target, &bounds);
            }
        }
    }

    fn constrain(&mut self, x: VariableId, interval: &Interval) {
        if interval.is_bottom() {
            self.blocks = None;
            return;
        }
        if let Bound::Finite(upper) = interval.upper() {
            self.add(
                &LinearExpression::variable(x).plus_constant(&-upper),
                Kind::Inequality,
            );
        }
        if let Bound::Finite(lower) = interval.lower() {
            self.add(
                &LinearExpression::term(x, -1).plus_constant(lower),
                Kind::Inequality,
            );
        }
    }

    pub(super) fn assume_linear(&mut self, constraint: &LinearConstraint) {
        if let Some(truth) = constraint.as_constant() {
            if !truth {
                self.blocks = None;
            }
            return;
        }
        match constraint.relation {
            Relation::LessOrEqual | Relation::Equal => self.add_constraint(constraint),
            Relation::NotEqual => self.assume_not_zero(&constraint.expression),
        }
    }

    fn assume_not_zero(&mut self, expression: &LinearExpression) {
        let interval = self.interval_of(expression);
        let zero = Bound::from(0);
        match (*interval.lower() == zero, *interval.upper() == zero) {
            (true, true) => self.blocks = None,
            (true, false) => {
                let flipped = expression.scaled(&Number::MINUS_ONE);
                self.add(&flipped.plus_constant(&Number::ONE), Kind::Inequality);
            }
            (false, true) => self.add(&expression.plus_constant(&Number::ONE), Kind::Inequality),
            (false, false) => {}
        }
    }

    pub(super) fn apply_operator(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
    ) {
        let (l, r) = (left.to_expression(), right.to_expression());
        let (x, y) = (self.interval_of(&l), self.interval_of(&r));
        if let Some(expression) = linear_form(operator, (&l, &x), (&r, &y)) {
            return self.assign_linear(target, &expression);
        }
        let scratch = VariableId::scratch(u32::MAX, 0);
        self.constrain(scratch, &Interval::apply(operator, &x, &y));
        for fact in facts(
            operator,
            &LinearExpression::variable(scratch),
            (&l, &x),
            (&r, &y),
        ) {
            self.assume(&fact);
        }
        self.forget_one(target);
        self.rename(&[scratch], &[target]);
    }
}

type Valued<'a> = (&'a LinearExpression, &'a Interval);

/// The operation as a linear expression, where it is one on these values.
fn linear_form(
    operator: ArithmeticOperator,
    (left, x): Valued<'_>,
    (right, y): Valued<'_>,
) -> Option<LinearExpression> {
    match operator {
        ArithmeticOperator::Add => Some(left.plus(right)),
        ArithmeticOperator::Subtract => Some(left.minus(right)),
        ArithmeticOperator::Multiply => match (x.as_point(), y.as_point()) {
            (Some(factor), _) => Some(right.scaled(factor)),
            (_, Some(factor)) => Some(left.scaled(factor)),
            (None, None) => None,
        },
        ArithmeticOperator::ShiftLeft => {
            let amount = y.as_point()?.to_u32().filter(|amount| *amount <= 64)?;
            Some(left.scaled(&Number::power_of_two(amount)))
        }
        ArithmeticOperator::Divide
        | ArithmeticOperator::Remainder
        | ArithmeticOperator::And
        | ArithmeticOperator::Or
        | ArithmeticOperator::Xor
        | ArithmeticOperator::ShiftRight => None,
    }
}

/// Linear facts about the result of a non-linear operation, beyond its interval.
fn facts(
    operator: ArithmeticOperator,
    result: &LinearExpression,
    (left, x): Valued<'_>,
    (right, y): Valued<'_>,
) -> Vec<LinearConstraint> {
    let non_negative = |interval: &Interval| interval.lower().signum() >= 0;
    let at_most =
        |it: &LinearExpression| LinearConstraint::less_or_equal(result.clone(), it.clone());
    match operator {
        ArithmeticOperator::Multiply => envelope(result, (left, x), (right, y)),
        ArithmeticOperator::Divide if non_negative(x) => match y.as_point() {
            Some(divisor) if divisor.is_positive() => quotient(result, left, divisor),
            Some(_) | None if y.lower().signum() > 0 => vec![at_most(left)],
            Some(_) | None => Vec::new(),
        },
        ArithmeticOperator::ShiftRight => match y.as_point().and_then(Number::to_u32) {
            Some(amount) if amount <= 64 => quotient(result, left, &Number::power_of_two(amount)),
            Some(_) | None if non_negative(x) => vec![at_most(left)],
            Some(_) | None => Vec::new(),
        },
        ArithmeticOperator::Remainder if non_negative(x) => vec![at_most(left)],
        ArithmeticOperator::And => {
            let mut facts = Vec::new();
            facts.extend(non_negative(x).then(|| at_most(left)));
            facts.extend(non_negative(y).then(|| at_most(right)));
            facts
        }
        ArithmeticOperator::Add
        | ArithmeticOperator::Subtract
        | ArithmeticOperator::Divide
        | ArithmeticOperator::Remainder
        | ArithmeticOperator::Or
        | ArithmeticOperator::Xor
        | ArithmeticOperator::ShiftLeft => Vec::new(),
    }
}

/// divisor·result ≤ dividend ≤ divisor·result + divisor − 1: division rounded downwards.
fn quotient(
    result: &LinearExpression,
    dividend: &LinearExpression,
    divisor: &Number,
) -> Vec<LinearConstraint> {
    let product = result.scaled(divisor);
    let last = product.plus_constant(&(divisor - &Number::ONE));
    vec![
        LinearConstraint::less_or_equal(product, dividend.clone()),
        LinearConstraint::less_or_equal(dividend.clone(), last),
    ]
}

/// McCormick's envelope of a product: (l − a)(r − b) has a known sign at the corners (a, b).
fn envelope(
    result: &LinearExpression,
    (left, x): Valued<'_>,
    (right, y): Valued<'_>,
) -> Vec<LinearConstraint> {
    let (Some((a, b)), Some((c, d))) = (x.as_finite(), y.as_finite()) else {
        return Vec::new();
    };
    let limit = Number::from(LARGEST_ENVELOPE);
    if [a, b, c, d].into_iter().any(|it| it.abs() > limit) {
        return Vec::new();
    }
    // corner(p, q) = q·l + p·r − p·q
    let corner = |p: &Number, q: &Number| {
        left.scaled(q)
            .plus(&right.scaled(p))
            .plus_constant(&-(p * q))
    };
    vec![
        LinearConstraint::less_or_equal(corner(a, c), result.clone()),
        LinearConstraint::less_or_equal(corner(b, d), result.clone()),
        LinearConstraint::less_or_equal(result.clone(), corner(b, c)),
        LinearConstraint::less_or_equal(result.clone(), corner(a, d)),
    ]
}
