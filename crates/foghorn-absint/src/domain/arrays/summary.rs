//! Array smashing: one summary for all elements of a range.

use super::Arrays;
use super::access::is_integer;
use super::content::{Content, Element, LARGEST_SIZE, last, lower, pair, summary, upper};
use crate::domain::{AbstractDomain as _, ProgramDomain, VariableDomain as _};
use crate::language::{ArrayAccess, Operand};
use crate::linear::{LinearConstraint, LinearExpression};
use crate::number::Number;
use crate::variable::VariableId;

impl<D: ProgramDomain> Arrays<D> {
    pub(super) fn initialise_summary(
        &mut self,
        array: VariableId,
        (from, to): (&Operand, &Operand),
        value: &Operand,
        element: Element,
    ) {
        let (expression, _) = Self::stored(value, element);
        self.assign(lower(array), from.to_expression());
        self.assign(upper(array), to.to_expression());
        // Where the range is empty the end must not lie before the start.
        let mut empty = self.clone();
        empty.assign(upper(array), LinearExpression::variable(lower(array)));
        let order = LinearConstraint::less_or_equal(lower(array), upper(array));
        if !self.below.entails(&order.clone().into()) {
            self.assume(&order.into());
            *self = if self.is_bottom() {
                empty
            } else {
                self.join(&empty)
            };
        }
        self.assign(summary(array), expression.clone());
        if self.partitions() {
            self.initialise_segment(array, &expression);
        }
        self.set_content(array, Content::Smashed(element));
    }

    /// Whether an index is a multiple of the size away from the start of the range.
    fn is_aligned(&self, array: VariableId, index: &Operand, size: u32) -> bool {
        let mut distance = self.alignment.numbers().evaluate(&index.to_expression());
        let start = self.alignment.numbers().get(lower(array));
        distance = crate::value::NumericValue::add(
            &distance,
            &crate::value::NumericValue::scale(&start, &Number::MINUS_ONE),
        );
        let size = Number::from(size);
        let parts = distance.parts();
        parts.is_none_or(|(a, b)| a.is_multiple_of(&size) && b.is_multiple_of(&size))
    }

    fn entails_linear(&self, constraint: LinearConstraint) -> bool {
        self.below.entails(&constraint.into())
    }

    pub(super) fn read_summary(
        &mut self,
        target: VariableId,
        access: &ArrayAccess,
        same_shape: bool,
    ) {
        let (array, index) = (access.array, access.index.to_expression());
        let inside = same_shape
            && self.is_aligned(array, &access.index, access.size)
            && self.entails_linear(LinearConstraint::less_or_equal(lower(array), index.clone()))
            && self.entails_linear(LinearConstraint::less(index, upper(array)));
        if !inside {
            return self.havoc(target);
        }
        // One of many values: constrained like the summary, not equal to it.
        let copy = Self::scratch(array, 0);
        self.below.forget(&[copy]);
        self.alignment.forget(&[copy]);
        self.below.expand(summary(array), copy);
        self.alignment.expand(summary(array), copy);
        self.assign(target, LinearExpression::variable(copy));
        self.below.forget(&[copy]);
        self.alignment.forget(&[copy]);
        if self.partitions() {
            self.refine_read(target, access);
        }
    }

    pub(super) fn write_summary(
        &mut self,
        access: &ArrayAccess,
        value: &Operand,
        element: Element,
        own: Element,
    ) {
        let (array, index) = (access.array, access.index.to_expression());
        let same_shape = own == element && is_integer(value) && element.size <= LARGEST_SIZE;
        if same_shape && self.is_aligned(array, &access.index, element.size) {
            return self.write_aligned(array, &index, value, element);
        }
        let size = Number::from(access.size);
        let before = LinearConstraint::less_or_equal(index.plus_constant(&size), lower(array));
        let beyond = LinearExpression::variable(upper(array))
            .plus_constant(&(Number::from(own.size) - Number::ONE));
        let after = LinearConstraint::less_or_equal(beyond, index);
        if !self.entails_linear(before) && !self.entails_linear(after) {
            self.drop_array(array);
        }
    }

    fn write_aligned(
        &mut self,
        array: VariableId,
        index: &LinearExpression,
        value: &Operand,
        element: Element,
    ) {
        let (expression, _) = Self::stored(value, element);
        let size = Number::from(element.size);
        let start = LinearExpression::variable(lower(array));
        let empty = self.entails_linear(LinearConstraint::equal(start.clone(), upper(array)));
        // The range also ends at the next multiple of the size.
        let at_end = self.entails_linear(LinearConstraint::equal(index.clone(), upper(array)));
        if self.partitions() {
            if at_end {
                self.append(array, &expression, element);
            } else if !self.misses(array, index, element) {
                self.overwrite(array, &expression);
            }
            return;
        }
        if empty && at_end {
            self.assign(summary(array), expression);
        } else {
            self.weak_assign(summary(array), &expression);
        }
        if at_end {
            let end = LinearExpression::variable(upper(array)).plus_constant(&size);
            self.assign(upper(array), end);
        }
    }

    pub(super) fn copy_summary(&mut self, target: VariableId, source: VariableId) {
        self.assign(lower(target), LinearExpression::variable(lower(source)));
        self.assign(upper(target), LinearExpression::variable(upper(source)));
        self.below.expand(summary(source), summary(target));
        self.alignment.expand(summary(source), summary(target));
        if self.partitions() {
            self.assign(last(target), LinearExpression::variable(last(source)));
            // Both of a pair at once, to keep the relation between them.
            let mut renamed = self.below.clone();
            renamed.rename(&pair(source), &pair(target));
            self.below = self.below.meet(&renamed);
        }
    }
}
