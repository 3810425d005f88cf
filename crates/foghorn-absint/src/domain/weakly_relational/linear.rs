//! Linear expressions over a graph of bounds and pairs: evaluation, assignment, guards.

use std::borrow::Cow;

use super::{
    Fact, LARGEST_PAIRED_GUARD, RelationalGraph, Signed, WeaklyRelational, scratch_vertex,
    vertex_of, weight,
};
use crate::language::Operand;
use crate::linear::{LinearConstraint, LinearExpression, Relation};
use crate::number::Number;
use crate::value::interval::{Bound, Interval};
use crate::value::{ArithmeticOperator, NumericValue as _};
use crate::variable::VariableId;

impl<G: RelationalGraph> WeaklyRelational<G> {
    pub(super) fn closed(&self) -> Cow<'_, Self> {
        if self.graph.as_ref().is_none_or(G::is_closed) {
            return Cow::Borrowed(self);
        }
        let mut closed = self.clone();
        closed.close();
        Cow::Owned(closed)
    }

    /// Bounds of an expression; the graph must be closed.
    pub(super) fn interval_of(&self, expression: &LinearExpression) -> Interval {
        if expression.is_constant() {
            return Interval::point(expression.constant_part().clone());
        }
        let upper = self.upper_of(expression);
        let lower = self
            .upper_of(&expression.scaled(&Number::MINUS_ONE))
            .negate();
        Interval::new(lower, upper)
    }

    /// An upper bound of an expression. Terms with coefficients of the same magnitude are paired
    /// where the graph knows their sum better than its two parts.
    fn upper_of(&self, expression: &LinearExpression) -> Bound {
        let mut terms: Vec<(Signed, Number)> = expression
            .terms()
            .iter()
            .map(|(x, c)| (Signed::with_sign_of(vertex_of(*x), c), c.abs()))
            .collect();
        let mut sum = Bound::Finite(expression.constant_part().clone());
        while let Some((first, factor)) = terms.pop() {
            let alone = self.upper(first);
            let partner = terms
                .iter()
                .enumerate()
                .find_map(|(index, (second, other))| {
                    let together = (*other == factor)
                        .then(|| self.pair(first, *second))
                        .flatten()?;
                    (together < alone.plus(&self.upper(*second))).then_some((index, together))
                });
            let part = match partner {
                Some((index, together)) => {
                    terms.remove(index);
                    together
                }
                None => alone,
            };
            if !part.is_finite() {
                return Bound::PlusInfinity;
            }
            sum = sum.plus(&part.times(&Bound::Finite(factor)));
        }
        sum
    }

    fn pair(&self, first: Signed, second: Signed) -> Option<Bound> {
        if !G::relates(first, second) {
            return None;
        }
        let known = self.graph.as_ref()?.pair_bound(first, second)?;
        Some(Bound::Finite(Number::from(known)))
    }

    pub(super) fn assign_linear(&mut self, target: VariableId, expression: &LinearExpression) {
        let Some(graph) = &mut self.graph else { return };
        let vertex = vertex_of(target);
        match expression.terms() {
            [] => match weight(expression.constant_part()) {
                Some(constant) => return graph.set_constant(vertex, constant),
                None => return graph.forget_vertex(vertex),
            },
            [(y, c)] if c.abs().is_one() => {
                let source = Signed::with_sign_of(vertex_of(*y), c);
                if let Some(constant) = weight(expression.constant_part())
                    && graph.set_offset(vertex, source, constant)
                {
                    return;
                }
            }
            _ => {}
        }
        self.assign_by_facts(target, expression);
    }

    /// Describes the result in a scratch vertex by what the graph can say of it, then renames. The
    /// old value of the target stays known until then, so `x := x + y` keeps relations of `x`.
    fn assign_by_facts(&mut self, target: VariableId, expression: &LinearExpression) {
        self.close();
        let scratch = scratch_vertex(0);
        let mut facts: Vec<(Signed, Option<Signed>, Bound)> = Vec::new();
        let interval = self.interval_of(expression);
        facts.push((Signed::plus(scratch), None, interval.upper().clone()));
        facts.push((Signed::minus(scratch), None, interval.lower().negate()));
        for (y, coefficient) in expression.terms() {
            if !coefficient.abs().is_one() {
                continue;
            }
            let mut rest = expression.clone();
            rest.add_term(*y, &-coefficient);
            let rest = self.interval_of(&rest);
            let source = Signed::with_sign_of(vertex_of(*y), coefficient);
            // result − source ≤ max(rest) and source − result ≤ −min(rest)
            let opposite = Some(source.opposite());
            facts.push((Signed::plus(scratch), opposite, rest.upper().clone()));
            facts.push((Signed::minus(scratch), Some(source), rest.lower().negate()));
        }
        for (first, second, bound) in facts {
            let Bound::Finite(bound) = bound else {
                continue;
            };
            match second {
                None => self.add_bound(first, &bound),
                Some(second) => self.add_pair(first, second, &bound),
            }
        }
        self.adopt(target, scratch);
    }

    pub(super) fn assume_linear(&mut self, constraint: &LinearConstraint) {
        if let Some(truth) = constraint.as_constant() {
            if !truth {
                self.graph = None;
            }
            return;
        }
        match constraint.relation {
            Relation::LessOrEqual => self.assume_at_most_zero(&constraint.expression),
            Relation::Equal => {
                // What one side teaches can sharpen what the other one does.
                for _ in 0..2 {
                    self.assume_at_most_zero(&constraint.expression);
                    self.assume_at_most_zero(&constraint.expression.scaled(&Number::MINUS_ONE));
                }
            }
            Relation::NotEqual => self.assume_not_zero(&constraint.expression),
        }
    }

    fn assume_not_zero(&mut self, expression: &LinearExpression) {
        let interval = self.interval_of(expression);
        let zero = Bound::from(0);
        match (*interval.lower() == zero, *interval.upper() == zero) {
            (true, true) => self.graph = None,
            (true, false) => {
                let flipped = expression.scaled(&Number::MINUS_ONE);
                self.assume_at_most_zero(&flipped.plus_constant(&Number::ONE));
            }
            (false, true) => self.assume_at_most_zero(&expression.plus_constant(&Number::ONE)),
            (false, false) => {}
        }
    }

    /// Σ aᵢ·xᵢ + c ≤ 0: for each variable and each pair the rest is replaced by its least value.
    fn assume_at_most_zero(&mut self, expression: &LinearExpression) {
        let Some(_) = &self.graph else { return };
        if *self.interval_of(expression).lower() > Bound::from(0) {
            self.graph = None;
            return;
        }
        let terms = expression.terms();
        for (index, (x, a)) in terms.iter().enumerate() {
            self.refine_alone(expression, *x, a);
            if terms.len() > LARGEST_PAIRED_GUARD {
                continue;
            }
            for (y, b) in &terms[index + 1..] {
                if a.abs() == b.abs() {
                    self.refine_pair(expression, (*x, a), (*y, b));
                }
            }
        }
    }

    fn refine_alone(&mut self, expression: &LinearExpression, x: VariableId, a: &Number) {
        let mut rest = expression.clone();
        rest.add_term(x, &-a);
        self.limit(&rest, a, |domain, bound| {
            domain.add_bound(Signed::with_sign_of(vertex_of(x), a), bound);
        });
    }

    fn refine_pair(
        &mut self,
        expression: &LinearExpression,
        (x, a): (VariableId, &Number),
        (y, b): (VariableId, &Number),
    ) {
        let first = Signed::with_sign_of(vertex_of(x), a);
        let second = Signed::with_sign_of(vertex_of(y), b);
        if !G::relates(first, second) {
            return;
        }
        let mut rest = expression.clone();
        rest.add_term(x, &-a);
        rest.add_term(y, &-b);
        self.limit(&rest, a, |domain, bound| {
            domain.add_pair(first, second, bound);
        });
    }

    /// Calls `refine` with ⌊−min(rest) / |a|⌋, where there is such a bound.
    fn limit(
        &mut self,
        rest: &LinearExpression,
        a: &Number,
        refine: impl FnOnce(&mut Self, &Number),
    ) {
        if self.graph.is_none() {
            return;
        }
        if let Bound::Finite(least) = self.interval_of(rest).lower() {
            let bound = (-least).div_floor(&a.abs());
            refine(self, &bound);
        }
    }

    fn operand_interval(&self, operand: &Operand) -> Interval {
        match operand {
            Operand::Variable(x) => self.interval_of_vertex(vertex_of(*x)),
            Operand::Constant(value) => Interval::point(value.clone()),
        }
    }

    pub(super) fn apply_operator(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
    ) {
        if let Some(expression) = self.linear_form(operator, left, right) {
            return self.assign_linear(target, &expression);
        }
        let (x, y) = (self.operand_interval(left), self.operand_interval(right));
        let result = Interval::apply(operator, &x, &y);
        let scratch = scratch_vertex(0);
        self.constrain(scratch, &result);
        let mut at_most = |operand: &Operand| {
            if let Operand::Variable(z) = operand {
                let other = Signed::minus(vertex_of(*z));
                self.add_pair(Signed::plus(scratch), other, &Number::ZERO);
            }
        };
        let non_negative = |interval: &Interval| interval.lower().signum() >= 0;
        match operator {
            ArithmeticOperator::Divide if non_negative(&x) && y.lower().signum() > 0 => {
                at_most(left);
            }
            ArithmeticOperator::Remainder | ArithmeticOperator::ShiftRight if non_negative(&x) => {
                at_most(left);
            }
            ArithmeticOperator::And => {
                if non_negative(&x) {
                    at_most(left);
                }
                if non_negative(&y) {
                    at_most(right);
                }
            }
            ArithmeticOperator::Add
            | ArithmeticOperator::Subtract
            | ArithmeticOperator::Multiply
            | ArithmeticOperator::Divide
            | ArithmeticOperator::Remainder
            | ArithmeticOperator::Or
            | ArithmeticOperator::Xor
            | ArithmeticOperator::ShiftLeft
            | ArithmeticOperator::ShiftRight => {}
        }
        self.adopt(target, scratch);
    }

    /// The operation as a linear expression, where it is one in this state.
    fn linear_form(
        &self,
        operator: ArithmeticOperator,
        left: &Operand,
        right: &Operand,
    ) -> Option<LinearExpression> {
        let (l, r) = (left.to_expression(), right.to_expression());
        match operator {
            ArithmeticOperator::Add => Some(l.plus(&r)),
            ArithmeticOperator::Subtract => Some(l.minus(&r)),
            ArithmeticOperator::Multiply => {
                let (x, y) = (self.operand_interval(left), self.operand_interval(right));
                match (x.as_point(), y.as_point()) {
                    (Some(factor), _) => Some(r.scaled(factor)),
                    (_, Some(factor)) => Some(l.scaled(factor)),
                    (None, None) => None,
                }
            }
            ArithmeticOperator::Divide
            | ArithmeticOperator::Remainder
            | ArithmeticOperator::And
            | ArithmeticOperator::Or
            | ArithmeticOperator::Xor
            | ArithmeticOperator::ShiftLeft
            | ArithmeticOperator::ShiftRight => None,
        }
    }
}

/// Facts as linear constraints in the order of their variables, equalities recognised.
pub(super) fn constraints_of(facts: &[Fact]) -> Vec<LinearConstraint> {
    let mut expressions: Vec<LinearExpression> = Vec::new();
    for fact in facts {
        let mut expression = LinearExpression::constant(-Number::from(fact.weight));
        for signed in std::iter::once(fact.first).chain(fact.second) {
            let (variable, sign) = signed.term();
            expression.add_term(variable, &sign);
        }
        expressions.push(expression);
    }
    let leads_positive =
        |it: &LinearExpression| it.terms().first().is_some_and(|(_, c)| c.is_positive());
    expressions.sort_by(|a, b| {
        let key = |it: &LinearExpression| -> Vec<VariableId> { it.variables().collect() };
        key(a).cmp(&key(b)).then_with(|| a.terms().cmp(b.terms()))
    });
    let mut constraints = Vec::new();
    for expression in &expressions {
        let opposite = expression.scaled(&Number::MINUS_ONE);
        if expressions.contains(&opposite) {
            if leads_positive(expression) {
                constraints.push(LinearConstraint::new(expression.clone(), Relation::Equal));
            }
        } else {
            constraints.push(LinearConstraint::new(
                expression.clone(),
                Relation::LessOrEqual,
            ));
        }
    }
    constraints
}
