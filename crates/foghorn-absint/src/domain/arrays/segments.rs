//! Array partitioning: a segment with symbolic ends, and what relates neighbours in it.
//!
//! Under [`Policy::Partition`] a summary describes the segment from `lower` to `upper` that has been
//! written so far, in the manner of Gopan, Reps and Sagiv and of Halbwachs and Péron, who partition
//! an array at the index variables of a loop: with a relational domain below, `upper` follows the
//! index. Three more scalars describe what a summary cannot: the *last* element, and a *pair* that
//! stands for any two neighbours, so that sortedness is the constraint first ≤ second.
//!
//! The segment of an array that was just created is empty, and whatever is said of all its elements
//! is true. Joins use this: before an empty segment is joined with another, its scalars take values
//! that the other admits. That is what makes `for (i = 0; i < n; i++) a[i] = 7` yield "all elements
//! below i are 7" without a case distinction.

use super::content::{Content, Element, last, lower, pair, summary, upper};
use super::{Arrays, Policy};
use crate::domain::{AbstractDomain as _, ProgramDomain, VariableDomain as _};
use crate::language::{ArrayAccess, Condition};
use crate::linear::{LinearConstraint, LinearExpression, Relation};
use crate::number::Number;
use crate::value::AbstractValue as _;
use crate::value::interval::Interval;
use crate::variable::VariableId;

/// A scalar that still holds the element at an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LastRead {
    array: VariableId,
    index: LinearExpression,
    target: VariableId,
}

impl LastRead {
    fn mentions(&self, x: VariableId) -> bool {
        self.array == x || self.target == x || self.index.mentions(x)
    }
}

impl<D: ProgramDomain> Arrays<D> {
    pub(super) fn partitions(&self) -> bool {
        self.policy == Policy::Partition
    }

    /// Forgets the last read if it speaks of one of these.
    pub(super) fn invalidate_read(&mut self, variables: &[VariableId]) {
        if let Some(read) = &self.last_read
            && variables.iter().any(|x| read.mentions(*x))
        {
            self.last_read = None;
        }
    }

    fn entails_below(&self, constraint: LinearConstraint) -> bool {
        self.below.entails(&constraint.into())
    }

    fn length(array: VariableId) -> LinearExpression {
        LinearExpression::variable(upper(array)).minus(&LinearExpression::variable(lower(array)))
    }

    /// Gives the scalars of empty segments values that `other` admits, if `other` knows of any: an
    /// operand of a widening must not be touched again and again.
    pub(super) fn filled_from(&self, other: &Arrays<D>) -> Arrays<D> {
        let mut result = self.clone();
        for (array, content) in &self.contents {
            let Content::Smashed(element) = content else {
                continue;
            };
            if other.contents.get(array) != Some(content) {
                continue;
            }
            if self.is_empty(array) && !other.is_empty(array) {
                result.adopt(other, &[summary(array)]);
                result.adopt_last(other, last(array));
                result.adopt(other, &pair(array));
            } else if self.has_no_pair(array, *element) && !other.has_no_pair(array, *element) {
                result.adopt(other, &pair(array));
            }
        }
        result
    }

    fn is_empty(&self, array: VariableId) -> bool {
        self.entails_below(LinearConstraint::less_or_equal(Self::length(array), 0))
    }

    /// Both without the scalars that mean nothing in `self`: an inclusion need not look at them,
    /// since a state with an empty segment belongs to `other` whatever their values.
    pub(super) fn without_empty(&self, other: &Arrays<D>) -> (Arrays<D>, Arrays<D>) {
        let mut meaningless = Vec::new();
        for (array, content) in &self.contents {
            let Content::Smashed(element) = content else {
                continue;
            };
            if self.has_no_pair(array, *element) {
                meaningless.extend(pair(array));
            }
            if self.is_empty(array) {
                meaningless.extend([summary(array), last(array)]);
            }
        }
        let (mut own, mut wanted) = (self.clone(), other.clone());
        for state in [&mut own, &mut wanted] {
            state.below.forget(&meaningless);
            state.alignment.forget(&meaningless);
        }
        (own, wanted)
    }

    fn has_no_pair(&self, array: VariableId, element: Element) -> bool {
        let size = LinearExpression::constant(element.size);
        self.entails_below(LinearConstraint::less_or_equal(Self::length(array), size))
    }

    /// Replaces what is known of scalars that mean nothing here by what `other` knows of them.
    fn adopt(&mut self, other: &Arrays<D>, ghosts: &[VariableId]) {
        self.below.forget(ghosts);
        self.alignment.forget(ghosts);
        let (mut below, mut alignment) = (other.below.clone(), other.alignment.clone());
        below.project(ghosts);
        alignment.project(ghosts);
        self.below = self.below.meet(&below);
        self.alignment = self.alignment.meet(&alignment);
    }

    /// As [`Self::adopt`] for one scalar, preferring a relation to a variable of the program.
    ///
    /// Any value will do for a scalar that means nothing, so also the greatest (or least) that a
    /// constraint of `other` allows, written with the variables of that constraint.
    fn adopt_last(&mut self, other: &Arrays<D>, ghost: VariableId) {
        let bounding = other
            .below
            .to_conditions()
            .into_iter()
            .find_map(|condition| {
                let Condition::Linear(constraint) = condition else {
                    return None;
                };
                let coefficient = constraint.expression.coefficient(ghost);
                let mut rest = constraint.expression.clone();
                rest.add_term(ghost, &-&coefficient);
                let usable = coefficient.abs().is_one()
                    && constraint.relation != Relation::NotEqual
                    && !rest.is_constant()
                    && rest.variables().all(|x| !x.is_ghost());
                usable.then(|| rest.scaled(&-coefficient))
            });
        match bounding {
            Some(expression) => self.assign(ghost, expression),
            None => self.adopt(other, &[ghost]),
        }
    }

    pub(super) fn initialise_segment(&mut self, array: VariableId, value: &LinearExpression) {
        for ghost in [last(array), pair(array)[0], pair(array)[1]] {
            self.assign(ghost, value.clone());
        }
    }

    /// Appends a value at the end of the segment.
    pub(super) fn append(&mut self, array: VariableId, value: &LinearExpression, element: Element) {
        let size = Number::from(element.size);
        let length = Self::length(array);
        let one = LinearExpression::constant(size.clone());
        let two = LinearExpression::constant(&size + &size);
        let cases = [
            LinearConstraint::less_or_equal(length.clone(), 0),
            LinearConstraint::equal(length.clone(), one),
            LinearConstraint::less_or_equal(two, length),
        ];
        let mut after = Vec::new();
        for (elements, guard) in cases.into_iter().enumerate() {
            let mut case = self.clone();
            case.assume(&guard.into());
            if case.is_bottom() {
                continue;
            }
            case.append_case(array, value, elements);
            let end = LinearExpression::variable(upper(array)).plus_constant(&size);
            case.assign(upper(array), end);
            after.push(case);
        }
        self.join_cases(after);
    }

    /// Appends to a segment of none, one or more elements.
    fn append_case(&mut self, array: VariableId, value: &LinearExpression, elements: usize) {
        let [first, second] = pair(array);
        if elements == 0 {
            self.assign(summary(array), value.clone());
            self.below.forget(&[first, second]);
            self.alignment.forget(&[first, second]);
        } else {
            let mut paired = self.clone();
            paired.assign(first, LinearExpression::variable(last(array)));
            paired.assign(second, value.clone());
            *self = if elements == 1 {
                paired
            } else {
                self.join_plainly(&paired)
            };
            let mut written = self.clone();
            written.assign(summary(array), value.clone());
            *self = self.join_plainly(&written);
        }
        self.assign(last(array), value.clone());
    }

    /// A write that may hit the segment anywhere.
    pub(super) fn overwrite(&mut self, array: VariableId, value: &LinearExpression) {
        self.weak_assign(summary(array), value);
        let lost = [last(array), pair(array)[0], pair(array)[1]];
        self.below.forget(&lost);
        self.alignment.forget(&lost);
    }

    /// Whether an aligned write at the index certainly misses the segment.
    pub(super) fn misses(
        &self,
        array: VariableId,
        index: &LinearExpression,
        element: Element,
    ) -> bool {
        let end = index.plus_constant(&Number::from(element.size));
        self.entails_below(LinearConstraint::less_or_equal(upper(array), index.clone()))
            || self.entails_below(LinearConstraint::less_or_equal(end, lower(array)))
    }

    /// After a read from inside the segment: what neighbours and the last element add.
    pub(super) fn refine_read(&mut self, target: VariableId, access: &ArrayAccess) {
        let (array, index) = (access.array, access.index.to_expression());
        let size = Number::from(access.size);
        let previous = self.last_read.clone().filter(|read| {
            read.array == array && read.target != target && !read.index.mentions(target)
        });
        // A scalar that is too narrow for the element has another value.
        let exact = match target.width() {
            Some(width) => self
                .below
                .bounds(summary(array))
                .leq(&Interval::signed_range(width)),
            None => true,
        };
        self.invalidate_read(&[target]);
        if index.mentions(target) || !exact {
            return;
        }
        let end = LinearExpression::variable(upper(array)).plus_constant(&-&size);
        if self.entails_below(LinearConstraint::equal(index.clone(), end)) {
            self.assume(&LinearConstraint::equal(target, last(array)).into());
        }
        if let Some(read) = previous {
            let after = read.index.plus_constant(&size);
            let before = read.index.plus_constant(&-&size);
            if self.entails_below(LinearConstraint::equal(index.clone(), after)) {
                self.relate_neighbours(array, read.target, target);
            } else if self.entails_below(LinearConstraint::equal(index.clone(), before)) {
                self.relate_neighbours(array, target, read.target);
            }
        }
        self.last_read = Some(LastRead {
            array,
            index,
            target,
        });
    }

    /// Two scalars are neighbours: they satisfy what every pair does. The copy of the pair is made
    /// of both at once, by renaming and meeting, which keeps the relation between them.
    fn relate_neighbours(&mut self, array: VariableId, left: VariableId, right: VariableId) {
        let ghosts = pair(array);
        let copies = [Self::scratch(array, 1), Self::scratch(array, 2)];
        let mut renamed = self.below.clone();
        renamed.rename(&ghosts, &copies);
        self.below = self.below.meet(&renamed);
        for (copy, scalar) in copies.into_iter().zip([left, right]) {
            self.below
                .assume(&LinearConstraint::equal(copy, scalar).into());
        }
        self.below.forget(&copies);
    }
}
