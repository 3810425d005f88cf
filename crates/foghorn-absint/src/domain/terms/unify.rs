//! Joins by anti-unification and order by matching (§4 of the terms paper).
//!
//! The join binds each variable to the most specific term that both of its terms are instances of.
//! Pairs of terms that occur again get the same term again, which is how equalities survive. The
//! domains below are then renumbered to the new terms and joined.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::table::{Definition, Table, TermId, new_value_of, value_of};
use super::{Terms, constant_of};
use crate::domain::NumericDomain;
use crate::linear::{LinearConstraint, LinearExpression};
use crate::variable::VariableId;

/// Terms nested deeper than this are generalised to opaque ones.
const MAXIMAL_DEPTH: usize = 48;

/// The terms of a join under construction.
#[derive(Default)]
struct Generalisation {
    table: Table,
    of_pair: BTreeMap<(TermId, TermId), TermId>,
    /// For each new term, the terms it generalises.
    parts: Vec<(TermId, TermId, TermId)>,
    used: BTreeMap<TermId, ()>,
    next: u32,
}

impl Generalisation {
    /// A new term for a pair; it keeps the left number where that is still free.
    fn allocate(&mut self, left: TermId, right: TermId) -> TermId {
        let free = self.used.insert(left, ()).is_none();
        let term = if free { left } else { TermId(self.next) };
        if !free {
            self.next += 1;
            self.used.insert(term, ());
        }
        self.of_pair.insert((left, right), term);
        self.parts.push((term, left, right));
        term
    }

    fn pair(
        &mut self,
        (a, left): (&Table, TermId),
        (b, right): (&Table, TermId),
        depth: usize,
    ) -> TermId {
        if let Some(known) = self.of_pair.get(&(left, right)) {
            return *known;
        }
        let (x, y) = (a.definition(left), b.definition(right));
        let definition = if depth < MAXIMAL_DEPTH && same_shape(x, y) {
            let pairs = x.children().into_iter().zip(y.children());
            let children: Vec<TermId> = pairs
                .map(|(l, r)| self.pair((a, l), (b, r), depth + 1))
                .collect();
            // Children were numbered anew; a sum may have lost its order, or two of its terms.
            x.with_children(&children)
        } else {
            Definition::Opaque
        };
        let term = self.allocate(left, right);
        self.table.define(term, definition);
        term
    }
}

/// Whether two definitions differ at most in their children.
fn same_shape(left: &Definition, right: &Definition) -> bool {
    match (left, right) {
        (Definition::Constant(x), Definition::Constant(y)) => x == y,
        (
            Definition::Linear {
                terms: x,
                constant: c,
            },
            Definition::Linear {
                terms: y,
                constant: d,
            },
        ) => c == d && x.len() == y.len() && x.iter().zip(y).all(|(a, b)| a.1 == b.1),
        (
            Definition::Application { operator: x, .. },
            Definition::Application { operator: y, .. },
        ) => x == y,
        (
            Definition::Opaque
            | Definition::Constant(_)
            | Definition::Linear { .. }
            | Definition::Application { .. },
            _,
        ) => false,
    }
}

/// The domain with new variables for terms: each pair is (new, old).
fn renumbered<D: NumericDomain>(numbers: &D, pairs: &[(TermId, TermId)]) -> D {
    let mut numbers = numbers.clone();
    for (new, old) in pairs {
        numbers.assign(
            new_value_of(*new),
            &LinearExpression::variable(value_of(*old)),
        );
    }
    let moved: Vec<VariableId> = pairs.iter().map(|(new, _)| new_value_of(*new)).collect();
    let settled: Vec<VariableId> = pairs.iter().map(|(new, _)| value_of(*new)).collect();
    numbers.project(&moved);
    numbers.rename(&moved, &settled);
    numbers
}

impl<D: NumericDomain> Terms<D> {
    pub(super) fn generalise(&self, other: &Self, combine: impl FnOnce(&D, &D) -> D) -> Self {
        if self.is_bottom_below() {
            return other.clone();
        }
        if other.is_bottom_below() {
            return self.clone();
        }
        let (left, right) = (&*self.table, &*other.table);
        let mut work = Generalisation {
            next: first_free(left, right),
            ..Default::default()
        };
        let common: Vec<(VariableId, TermId, TermId)> = left
            .bindings()
            .filter_map(|(x, term)| Some((x, term, right.binding(x)?)))
            .collect();
        for (x, l, r) in common {
            let term = work.pair((left, l), (right, r), 0);
            work.table.bind(x, term);
        }
        let ours: Vec<(TermId, TermId)> = work.parts.iter().map(|(new, l, _)| (*new, *l)).collect();
        let theirs: Vec<(TermId, TermId)> =
            work.parts.iter().map(|(new, _, r)| (*new, *r)).collect();
        // When no left term was split the left domain is used as it is: a widening must see its
        // previous result untouched.
        let identical = ours.len() == left.len() && ours.iter().all(|(new, old)| new == old);
        let mine = if identical {
            self.numbers.clone()
        } else {
            renumbered(&self.numbers, &ours)
        };
        let numbers = combine(&mine, &renumbered(&other.numbers, &theirs));
        self.with(work.table, numbers)
    }

    fn is_bottom_below(&self) -> bool {
        self.numbers.is_bottom()
    }

    /// Whether `other` is `self` with some terms made opaque or told apart, and less known of them.
    pub(super) fn matches(&self, other: &Self) -> bool {
        if Arc::ptr_eq(&self.table, &other.table) {
            return self.numbers.leq(&other.numbers);
        }
        let mut image: BTreeMap<TermId, TermId> = BTreeMap::new();
        let mut pending = Vec::new();
        for (x, theirs) in other.table.bindings() {
            match self.table.binding(x) {
                Some(mine) => pending.push((theirs, mine)),
                None if other.is_free(theirs, x) => {}
                None => return false,
            }
        }
        while let Some((theirs, mine)) = pending.pop() {
            match image.insert(theirs, mine) {
                Some(before) if before != mine => return false,
                Some(_) => continue,
                None => {}
            }
            let (general, special) = (other.table.definition(theirs), self.table.definition(mine));
            if *general == Definition::Opaque {
                continue;
            }
            if let Some(value) = constant_of(general)
                && self.numbers.bounds(value_of(mine)).as_point() == Some(value)
            {
                continue;
            }
            if !same_shape(general, special) {
                return false;
            }
            pending.extend(general.children().into_iter().zip(special.children()));
        }
        let pairs: Vec<(TermId, TermId)> = image.into_iter().collect();
        renumbered(&self.numbers, &pairs).leq(&other.numbers)
    }

    /// Whether a binding of `x` says nothing: an opaque, unbounded term of `x` alone.
    fn is_free(&self, term: TermId, x: VariableId) -> bool {
        let alone = self
            .table
            .bindings()
            .all(|(y, other)| y == x || other != term);
        let unused = self
            .table
            .bindings()
            .all(|(y, other)| y == x || !self.table.reachable([other]).contains(&term));
        let mut rest = self.numbers.clone();
        rest.forget(&[value_of(term)]);
        *self.table.definition(term) == Definition::Opaque
            && alone
            && unused
            && rest.leq(&self.numbers)
    }

    /// What `self` knows of its variables, over the terms that they have in another table.
    pub(super) fn transported(&self, target: &Table) -> (Table, D) {
        let mut table = target.clone();
        let mut numbers = self.numbers.clone();
        let mut source: BTreeMap<TermId, TermId> = BTreeMap::new();
        for (x, mine) in self.table.bindings() {
            let theirs = table.bound_or_opaque(x);
            match source.get(&theirs) {
                None => {
                    source.insert(theirs, mine);
                }
                Some(first) => {
                    let equal = LinearConstraint::equal(value_of(*first), value_of(mine));
                    numbers.assume(&equal);
                }
            }
        }
        let pairs: Vec<(TermId, TermId)> = source.into_iter().collect();
        let numbers = renumbered(&numbers, &pairs);
        (table, numbers)
    }

    pub(super) fn conjoin(&self, other: &Self, combine: impl FnOnce(&D, &D) -> D) -> Self {
        let mut left = self.clone();
        if other.is_bottom_below() {
            return other.clone();
        }
        // Variables that `other` binds to one term are equal.
        let first = other.table.representatives();
        for (x, term) in other.table.bindings() {
            if first[&term] != x && !left.is_bottom_below() {
                left.assume(&LinearConstraint::equal(x, first[&term]));
            }
        }
        if left.is_bottom_below() {
            return left;
        }
        let (table, numbers) = other.transported(&left.table);
        let met = combine(&left.numbers, &numbers);
        left.with(table, met)
    }
}

/// A number that no term of either table has.
fn first_free(left: &Table, right: &Table) -> u32 {
    let largest = |table: &Table| {
        let roots: Vec<TermId> = table.bindings().map(|(_, term)| term).collect();
        table.reachable(roots).last().map_or(0, |term| term.0)
    };
    largest(left).max(largest(right)) + 1
}
