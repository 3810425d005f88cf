//! Terms over uninterpreted functions, lifting any numeric domain.
//!
//! Gange, Navas, Schachte, Søndergaard and Stuckey, *An Abstract Domain of Uninterpreted Functions*
//! (VMCAI 2016). Every variable is bound to a term; the numeric domain below knows the values of
//! *terms*. Two variables computed alike are bound to one term, so they are equal whatever the
//! operation was, and what is learnt of one is known of the other.
//!
//! - [`table`]: hash-consed terms and bindings;
//! - [`unify`]: joins by anti-unification, order by matching.
//!
//! Invariant: the domain below speaks of variables of terms only ([`table::value_of`]).
//! See `docs/decisions/0028-terms.md`.

pub mod table;
mod unify;

use std::sync::Arc;

use crate::domain::{AbstractDomain, NumericDomain, VariableDomain};
use crate::language::Operand;
use crate::linear::{LinearConstraint, LinearExpression, Relation};
use crate::number::Number;
use crate::thresholds::Thresholds;
use crate::value::interval::Interval;
use crate::value::{AbstractValue as _, ArithmeticOperator};
use crate::variable::VariableId;
use table::{Definition, Table, TermId, value_of};

/// A numeric domain over terms.
#[derive(Clone, Debug)]
pub struct Terms<D> {
    table: Arc<Table>,
    numbers: D,
}

impl<D: NumericDomain> Terms<D> {
    /// ⊤ over ⊤ of the domain below.
    #[must_use]
    pub fn new(numbers: D) -> Self {
        Self {
            table: Arc::default(),
            numbers,
        }
    }

    fn with(&self, table: Table, numbers: D) -> Self {
        Self {
            table: Arc::new(table),
            numbers,
        }
    }

    /// The expression over values of terms. A variable that was never bound gets an opaque term.
    fn over_terms(&mut self, expression: &LinearExpression) -> LinearExpression {
        let table = Arc::make_mut(&mut self.table);
        let mut result = LinearExpression::constant(expression.constant_part().clone());
        for (x, factor) in expression.terms() {
            result.add_term(value_of(table.bound_or_opaque(*x)), factor);
        }
        result
    }

    /// The same without binding anything.
    fn peek(&self, expression: &LinearExpression) -> LinearExpression {
        expression.rename(|x| self.table.binding(x).map_or(x, value_of))
    }

    fn operand(&mut self, operand: &Operand) -> (TermId, Operand) {
        let table = Arc::make_mut(&mut self.table);
        match operand {
            Operand::Variable(x) => {
                let term = table.bound_or_opaque(*x);
                (term, Operand::Variable(value_of(term)))
            }
            Operand::Constant(value) => {
                let (term, fresh) = table.intern(Definition::Constant(value.clone()));
                if fresh {
                    let value = LinearExpression::constant(value.clone());
                    self.numbers.assign(value_of(term), &value);
                }
                (term, Operand::Constant(value.clone()))
            }
        }
    }

    fn bind(&mut self, target: VariableId, term: TermId) {
        Arc::make_mut(&mut self.table).bind(target, term);
        self.collect();
    }

    /// Forgets the terms that no variable depends on. Done at once: what is known of garbage would
    /// count as knowledge when states are compared.
    fn collect(&mut self) {
        let garbage = Arc::make_mut(&mut self.table).collect();
        let values: Vec<VariableId> = garbage.into_iter().map(value_of).collect();
        if !values.is_empty() {
            self.numbers.forget(&values);
        }
    }

    /// x = y: one term from now on, and with it all terms that become alike.
    fn equate(&mut self, x: VariableId, y: VariableId) {
        let table = Arc::make_mut(&mut self.table);
        let pair = (table.bound_or_opaque(x), table.bound_or_opaque(y));
        for (kept, merged) in table.merge(pair.0, pair.1) {
            let equal = LinearConstraint::equal(value_of(kept), value_of(merged));
            self.numbers.assume(&equal);
            self.numbers.forget(&[value_of(merged)]);
        }
    }
}

impl<D: NumericDomain> AbstractDomain for Terms<D> {
    fn top(&self) -> Self {
        Self::new(self.numbers.top())
    }

    fn bottom(&self) -> Self {
        Self::new(self.numbers.bottom())
    }

    fn is_top(&self) -> bool {
        self.numbers.is_top() && self.table.says_nothing()
    }

    fn is_bottom(&self) -> bool {
        self.numbers.is_bottom()
    }

    fn leq(&self, other: &Self) -> bool {
        self.is_bottom() || (!other.is_bottom() && self.matches(other))
    }

    fn join(&self, other: &Self) -> Self {
        self.generalise(other, D::join)
    }

    fn meet(&self, other: &Self) -> Self {
        self.conjoin(other, D::meet)
    }

    fn widen(&self, other: &Self, thresholds: &Thresholds) -> Self {
        self.generalise(other, |left, right| left.widen(right, thresholds))
    }

    fn narrow(&self, other: &Self) -> Self {
        if self.is_bottom() || other.is_bottom() {
            return self.bottom();
        }
        let (table, numbers) = other.transported(&self.table);
        // Bindings stay those of `self`; a table of opaque terms was only needed to translate.
        let narrowed = self.numbers.narrow(&numbers);
        self.with(table, narrowed)
    }
}

impl<D: NumericDomain> VariableDomain for Terms<D> {
    fn forget(&mut self, variables: &[VariableId]) {
        let table = Arc::make_mut(&mut self.table);
        variables.iter().for_each(|x| table.unbind(*x));
        self.collect();
    }

    fn project(&mut self, variables: &[VariableId]) {
        let table = Arc::make_mut(&mut self.table);
        let dropped: Vec<VariableId> = table
            .bindings()
            .map(|(x, _)| x)
            .filter(|x| !variables.contains(x))
            .collect();
        dropped.iter().for_each(|x| table.unbind(*x));
        self.collect();
    }

    fn rename(&mut self, from: &[VariableId], to: &[VariableId]) {
        let table = Arc::make_mut(&mut self.table);
        let terms: Vec<Option<TermId>> = from.iter().map(|x| table.binding(*x)).collect();
        from.iter().for_each(|x| table.unbind(*x));
        for (y, term) in to.iter().zip(terms) {
            if let Some(term) = term {
                table.bind(*y, term);
            }
        }
    }

    fn expand(&mut self, original: VariableId, copy: VariableId) {
        let table = Arc::make_mut(&mut self.table);
        if let Some(term) = table.binding(original) {
            let fresh = table.opaque();
            table.bind(copy, fresh);
            self.numbers.expand(value_of(term), value_of(fresh));
        }
    }
}

impl<D: NumericDomain> NumericDomain for Terms<D> {
    fn assign(&mut self, target: VariableId, expression: &LinearExpression) {
        if self.is_bottom() {
            return;
        }
        let over_terms = self.over_terms(expression);
        let table = Arc::make_mut(&mut self.table);
        let (term, fresh) = table.intern(Definition::linear(&over_terms));
        if fresh {
            self.numbers.assign(value_of(term), &over_terms);
        }
        self.bind(target, term);
    }

    fn apply(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
    ) {
        if self.is_bottom() {
            return;
        }
        match operator {
            ArithmeticOperator::Add => {
                return self.assign(target, &left.to_expression().plus(&right.to_expression()));
            }
            ArithmeticOperator::Subtract => {
                return self.assign(target, &left.to_expression().minus(&right.to_expression()));
            }
            ArithmeticOperator::Multiply
            | ArithmeticOperator::Divide
            | ArithmeticOperator::Remainder
            | ArithmeticOperator::And
            | ArithmeticOperator::Or
            | ArithmeticOperator::Xor
            | ArithmeticOperator::ShiftLeft
            | ArithmeticOperator::ShiftRight => {}
        }
        let (l, left) = self.operand(left);
        let (r, right) = self.operand(right);
        let definition = Definition::application(operator, l, r);
        let (term, fresh) = Arc::make_mut(&mut self.table).intern(definition);
        if fresh {
            self.numbers.apply(operator, value_of(term), &left, &right);
        }
        self.bind(target, term);
    }

    fn assume(&mut self, constraint: &LinearConstraint) {
        if self.is_bottom() {
            return;
        }
        let over_terms = self.over_terms(&constraint.expression);
        self.numbers
            .assume(&LinearConstraint::new(over_terms, constraint.relation));
        if let [(x, a), (y, b)] = constraint.expression.terms() {
            let equates = constraint.relation == Relation::Equal
                && (a + b).is_zero()
                && constraint.expression.constant_part().is_zero();
            if equates && !self.is_bottom() {
                self.equate(*x, *y);
            }
        }
    }

    fn bounds(&self, variable: VariableId) -> Interval {
        if self.is_bottom() {
            return Interval::bottom();
        }
        let term = self.table.binding(variable);
        term.map_or_else(Interval::top, |term| self.numbers.bounds(value_of(term)))
    }

    fn bounds_of(&self, expression: &LinearExpression) -> Interval {
        let unknown = |x: VariableId| self.table.binding(x).is_none();
        if self.is_bottom() {
            Interval::bottom()
        } else if expression.variables().any(unknown) {
            Interval::top()
        } else {
            self.numbers.bounds_of(&self.peek(expression))
        }
    }

    fn to_linear_constraints(&self) -> Vec<LinearConstraint> {
        if self.is_bottom() {
            return vec![LinearConstraint::less_or_equal(1, 0)];
        }
        let named = self.table.representatives();
        let mut visible = self.numbers.clone();
        let values: Vec<VariableId> = named.keys().map(|term| value_of(*term)).collect();
        visible.project(&values);
        let name = |value: VariableId| {
            named
                .iter()
                .find(|(term, _)| value_of(**term) == value)
                .map_or(value, |(_, x)| *x)
        };
        let mut constraints: Vec<LinearConstraint> = visible
            .to_linear_constraints()
            .iter()
            .map(|it| it.rename(name))
            .collect();
        for (x, term) in self.table.bindings() {
            let first = named[&term];
            if first != x {
                constraints.push(LinearConstraint::equal(x, first));
            }
        }
        constraints
    }

    fn describe_beyond_constraints(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        let named = self.table.representatives();
        let of_value = |value: VariableId| {
            let found = named.iter().find(|(term, _)| value_of(**term) == value);
            found.map_or_else(|| "_".to_owned(), |(_, x)| name(*x))
        };
        let facts = self.numbers.describe_beyond_constraints(&of_value);
        facts
            .into_iter()
            .filter(|fact| !fact.starts_with('_'))
            .collect()
    }
}

/// The number a definition denotes by itself.
fn constant_of(definition: &Definition) -> Option<&Number> {
    match definition {
        Definition::Constant(value) => Some(value),
        Definition::Opaque | Definition::Linear { .. } | Definition::Application { .. } => None,
    }
}
