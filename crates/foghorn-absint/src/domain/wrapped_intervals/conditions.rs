//! Guards on arcs. Linear conditions compare signed values over ℤ; unsigned ones cut the circle
//! elsewhere.

use super::WrappedIntervals;
use crate::domain::NumericDomain as _;
use crate::language::{Condition, Operand, UnsignedRelation};
use crate::linear::{LinearConstraint, Relation};
use crate::number::Number;
use crate::value::interval::{Bound, Interval};
use crate::value::wrapped::WrappedInterval;
use crate::value::{AbstractValue as _, NumericValue as _};
use crate::variable::VariableId;

impl WrappedIntervals {
    pub(super) fn restrict(&mut self, condition: &Condition) {
        match condition {
            Condition::Constant(true) | Condition::Boolean { .. } | Condition::Pointers { .. } => {}
            Condition::Constant(false) => self.become_bottom(),
            Condition::Linear(constraint) => self.restrict_linear(constraint),
            Condition::Unsigned {
                relation,
                left,
                right,
            } => {
                self.restrict_unsigned(*relation, left, right);
            }
        }
    }

    fn restrict_linear(&mut self, constraint: &LinearConstraint) {
        if constraint.as_constant() == Some(false) {
            return self.become_bottom();
        }
        self.unite_equal(constraint);
        let rounds = if constraint.expression.terms().len() > 1 {
            2
        } else {
            1
        };
        for _ in 0..rounds {
            for (x, factor) in constraint.expression.terms() {
                if self.arcs.is_none() || self.unbounded.map().is_none() {
                    return self.become_bottom();
                }
                let mut rest = constraint.expression.clone();
                rest.add_term(*x, &-factor);
                let limit = self.linear_over_integers(&rest).scale(&Number::MINUS_ONE);
                self.refine(*x, factor, &limit, constraint.relation);
            }
        }
    }

    /// x = y of the same width: both lie in both arcs, wherever the circle is cut.
    fn unite_equal(&mut self, constraint: &LinearConstraint) {
        let [(x, a), (y, b)] = constraint.expression.terms() else {
            return;
        };
        let plain = constraint.expression.constant_part().is_zero()
            && constraint.relation == Relation::Equal
            && (a + b).is_zero();
        let (Some(width), true) = (x.width(), plain && x.width() == y.width()) else {
            return;
        };
        let common = self.arc(*x, width).meet(&self.arc(*y, width));
        self.set_arc(*x, common);
        self.set_arc(*y, common);
    }

    /// Keeps the states with factor·x `relation` some value of `limit`.
    fn refine(&mut self, x: VariableId, factor: &Number, limit: &Interval, relation: Relation) {
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
                    self.exclude(x, &value.div_floor(factor));
                }
                return;
            }
        };
        let Some(width) = x.width() else {
            let known = self.unbounded.bounds(x);
            self.unbounded.set(x, known.meet(&allowed));
            return;
        };
        let allowed = allowed.meet(&Interval::signed_range(width));
        let arc = WrappedInterval::from_interval(width, &allowed);
        self.set_arc(x, self.arc(x, width).meet(&arc));
    }

    fn exclude(&mut self, x: VariableId, value: &Number) {
        match x.width() {
            None => {
                let known = self.unbounded.bounds(x);
                self.unbounded.set(x, known.without(value));
            }
            Some(width) if Interval::signed_range(width).contains(value) => {
                self.set_arc(x, self.arc(x, width).without(value));
            }
            Some(_) => {}
        }
    }

    fn restrict_unsigned(&mut self, relation: UnsignedRelation, left: &Operand, right: &Operand) {
        let operands = [left, right];
        let widths = operands.iter().filter_map(|it| it.as_variable());
        let Some(width) = widths.into_iter().find_map(VariableId::width) else {
            return;
        };
        let hull = |state: &Self, operand: &Operand| match operand {
            Operand::Constant(value) => Interval::point(value.wrap_unsigned(width)),
            Operand::Variable(_) => state.operand(operand, width).unsigned_hull(),
        };
        let offset = match relation {
            UnsignedRelation::Less => Bound::from(-1),
            UnsignedRelation::LessOrEqual => Bound::from(0),
        };
        let (x, y) = (hull(self, left), hull(self, right));
        if x.is_bottom() || y.is_bottom() {
            return self.become_bottom();
        }
        let below = Interval::new(0, y.upper().plus(&offset));
        let most = Interval::unsigned_range(width).upper().clone();
        let above = Interval::new(x.lower().plus(&offset.negate()), most);
        for (operand, hull, allowed) in [(left, &x, below), (right, &y, above)] {
            match operand {
                Operand::Constant(_) if hull.meet(&allowed).is_bottom() => self.become_bottom(),
                Operand::Variable(z) if allowed.is_bottom() || z.width() != Some(width) => {
                    if allowed.is_bottom() {
                        self.become_bottom();
                    }
                }
                Operand::Variable(z) => {
                    let arc = WrappedInterval::from_interval(width, &allowed);
                    self.set_arc(*z, self.arc(*z, width).meet(&arc));
                }
                Operand::Constant(_) => {}
            }
        }
    }
}
