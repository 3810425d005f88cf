//! Assignments and guards on unions of boxes, cell by cell.

use super::Boxes;
use crate::diagram::{Diagrams, FALSE, NodeId};
use crate::domain::{AbstractDomain as _, NumericDomain as _};
use crate::language::Operand;
use crate::linear::{LinearConstraint, LinearExpression, Relation};
use crate::number::Number;
use crate::value::interval::{Bound, Interval};
use crate::value::{AbstractValue as _, ArithmeticOperator, NumericValue as _};
use crate::variable::VariableId;

/// More combinations of cells than this are not told apart.
const MAXIMAL_COMBINATIONS: usize = 16;

/// More cells of one variable than this are not told apart.
const MAXIMAL_CELLS: usize = 256;

impl Boxes {
    pub(super) fn assign_linear(&mut self, target: VariableId, expression: &LinearExpression) {
        if let [(x, factor)] = expression.terms()
            && *x == target
            && factor.abs().is_one()
        {
            let (negate, constant) = (factor.is_negative(), expression.constant_part());
            self.update(|diagrams, root| diagrams.shift(root, target, negate, constant));
            return;
        }
        let variables: Vec<VariableId> = expression.variables().collect();
        self.on_cells(&variables, |part| {
            let value = part.bounds_of(expression);
            part.set(target, &value);
        });
    }

    pub(super) fn apply_operator(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
    ) {
        let variables: Vec<VariableId> = [left, right]
            .into_iter()
            .filter_map(Operand::as_variable)
            .collect();
        self.on_cells(&variables, |part| {
            let (x, y) = (part.operand(left), part.operand(right));
            part.set(target, &Interval::apply(operator, &x, &y));
        });
    }

    pub(super) fn assume_linear(&mut self, constraint: &LinearConstraint) {
        if let Some(truth) = constraint.as_constant() {
            if !truth {
                self.set_root(FALSE);
            }
            return;
        }
        let variables: Vec<VariableId> = constraint.expression.variables().collect();
        if variables.len() == 1 {
            self.refine_all(constraint);
        } else {
            self.on_cells(&variables, |part| part.refine_all(constraint));
        }
    }

    fn operand(&self, operand: &Operand) -> Interval {
        match operand {
            Operand::Variable(x) => self.bounds(*x),
            Operand::Constant(value) => Interval::point(value.clone()),
        }
    }

    fn set(&mut self, target: VariableId, value: &Interval) {
        self.update(|diagrams, root| {
            let free = diagrams.exists(root, target);
            let slab = diagrams.interval(target, value);
            diagrams.and(free, slab)
        });
    }

    /// Applies `each` to the parts of the set in which every one of `variables` stays within one of
    /// its cells, and unites the results.
    fn on_cells(&mut self, variables: &[VariableId], mut each: impl FnMut(&mut Self)) {
        if self.is_bottom() {
            return;
        }
        let mut result = FALSE;
        for part in self.parts(variables) {
            let mut part = Self::at(&self.diagrams, part);
            each(&mut part);
            result = self.diagrams.borrow_mut().or(result, part.root);
        }
        self.set_root(result);
    }

    fn parts(&self, variables: &[VariableId]) -> Vec<NodeId> {
        let diagrams = &mut *self.diagrams.borrow_mut();
        let cuts = diagrams.cuts(self.root);
        let mut parts = vec![self.root];
        for x in variables {
            let Some(lines) = cuts.get(x) else { continue };
            let most = match variables {
                [_] => MAXIMAL_CELLS,
                _ => MAXIMAL_COMBINATIONS,
            };
            if parts.len() * (lines.len() + 1) > most {
                continue;
            }
            let mut finer = Vec::new();
            for part in parts {
                finer.extend(slices(diagrams, part, *x, lines));
            }
            parts = finer;
        }
        parts
    }

    fn refine_all(&mut self, constraint: &LinearConstraint) {
        let terms = constraint.expression.terms();
        let rounds = if terms.len() > 1 { 2 } else { 1 };
        for _ in 0..rounds {
            for (x, coefficient) in terms {
                let mut rest = constraint.expression.clone();
                rest.add_term(*x, &-coefficient);
                let limit = self.bounds_of(&rest).scale(&Number::MINUS_ONE);
                self.refine(*x, coefficient, &limit, constraint.relation);
            }
        }
    }

    /// Keeps the states with coefficient·x `relation` some value of `limit`.
    fn refine(&mut self, x: VariableId, factor: &Number, limit: &Interval, relation: Relation) {
        if self.is_bottom() {
            return;
        }
        let allowed = match relation {
            Relation::Equal => limit.divide_exactly(factor),
            Relation::LessOrEqual => {
                let Bound::Finite(upper) = limit.upper() else {
                    return;
                };
                if factor.is_positive() {
                    Interval::at_most(upper.div_floor(factor))
                } else {
                    Interval::at_least(upper.div_ceil(factor))
                }
            }
            Relation::NotEqual => {
                if let Some(value) = limit.as_point().filter(|it| it.is_multiple_of(factor)) {
                    let excluded = value.div_floor(factor);
                    self.update(|diagrams, root| {
                        let holed = diagrams.different(x, &excluded);
                        diagrams.and(root, holed)
                    });
                }
                return;
            }
        };
        if allowed.is_bottom() {
            self.set_root(FALSE);
            return;
        }
        self.update(|diagrams, root| {
            let slab = diagrams.interval(x, &allowed);
            diagrams.and(root, slab)
        });
    }
}

/// The non-empty parts of a set between neighbouring cuts of a variable.
fn slices(diagrams: &mut Diagrams, set: NodeId, x: VariableId, cuts: &[Number]) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut lower = Bound::MinusInfinity;
    for index in 0..=cuts.len() {
        let cut = cuts.get(index);
        let upper = cut.map_or(Bound::PlusInfinity, |cut| Bound::Finite(cut.clone()));
        let slab = diagrams.interval(x, &Interval::new(lower, upper));
        let part = diagrams.and(set, slab);
        if part != FALSE {
            found.push(part);
        }
        lower = cut.map_or(Bound::PlusInfinity, |cut| Bound::Finite(cut + &Number::ONE));
    }
    found
}
