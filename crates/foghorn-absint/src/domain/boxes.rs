//! Boxes: finite unions of boxes, on linear decision diagrams ([`crate::diagram`]).
//!
//! Gurfinkel and Chaki, *Boxes: A Symbolic Abstract Domain of Boxes* (SAS 2010). Joins are exact, so
//! the domain keeps apart what the paths of a program established. An assignment or a guard over
//! several variables is evaluated on each combination of the cells that those variables have in the
//! diagram. Widening keeps to the grid of cuts of the left operand and the thresholds: there are
//! finitely many unions of its cells.
//!
//! A diagram beyond [`MAXIMAL_NODES`] is simplified; nodes that no element needs are
//! collected from time to time. States of one analysis share a table
//! of nodes; elements of different analyses must not be mixed.
//! See `docs/decisions/0027-boxes.md`.

mod transfer;

use std::cell::RefCell;
use std::cmp::Reverse;
use std::rc::Rc;

use crate::diagram::{Diagrams, FALSE, NodeId, TRUE};
use crate::domain::{AbstractDomain, NumericDomain, VariableDomain};
use crate::language::Operand;
use crate::linear::{LinearConstraint, LinearExpression};
use crate::number::Number;
use crate::thresholds::Thresholds;
use crate::value::interval::Interval;
use crate::value::{AbstractValue as _, ArithmeticOperator};
use crate::variable::VariableId;

/// The size beyond which a diagram is simplified.
pub const MAXIMAL_NODES: usize = 4000;

/// The size down to which it is.
const SIMPLE_NODES: usize = 400;

/// How many boxes are written out for people.
const SHOWN_BOXES: usize = 16;

/// A union of boxes.
pub struct Boxes {
    diagrams: Rc<RefCell<Diagrams>>,
    root: NodeId,
}

impl Default for Boxes {
    fn default() -> Self {
        Self::at(&Rc::default(), TRUE)
    }
}

/// The boxes: the table is shared and may be large.
impl std::fmt::Debug for Boxes {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_tuple("Boxes")
            .field(&self.boxes(SHOWN_BOXES))
            .finish()
    }
}

/// An element retains its node in the table.
impl Clone for Boxes {
    fn clone(&self) -> Self {
        Self::at(&self.diagrams, self.root)
    }
}

impl Drop for Boxes {
    fn drop(&mut self) {
        self.diagrams.borrow_mut().release(self.root);
    }
}

impl Boxes {
    /// ⊤, with a table of its own.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn at(diagrams: &Rc<RefCell<Diagrams>>, root: NodeId) -> Self {
        diagrams.borrow_mut().retain(root);
        Self {
            diagrams: diagrams.clone(),
            root,
        }
    }

    fn with(&self, root: NodeId) -> Self {
        let mut made = Self::at(&self.diagrams, root);
        made.limit();
        made
    }

    fn set_root(&mut self, root: NodeId) {
        let mut diagrams = self.diagrams.borrow_mut();
        diagrams.retain(root);
        diagrams.release(self.root);
        drop(diagrams);
        self.root = root;
    }

    /// Simplifies a diagram that has grown too large: of some variables only the bounds are kept.
    fn limit(&mut self) {
        let diagrams = &mut *self.diagrams.borrow_mut();
        if !diagrams.exceeds(self.root, MAXIMAL_NODES) {
            return;
        }
        let simple = simplified(diagrams, self.root);
        diagrams.retain(simple);
        diagrams.release(self.root);
        self.root = simple;
    }

    /// Changes the set without looking at its size.
    fn update(&mut self, change: impl FnOnce(&mut Diagrams, NodeId) -> NodeId) {
        let root = change(&mut self.diagrams.borrow_mut(), self.root);
        self.set_root(root);
    }

    /// The boxes whose union the element is, at most `limit` of them (and one more if there are
    /// more).
    #[must_use]
    pub fn boxes(&self, limit: usize) -> Vec<Vec<(VariableId, Interval)>> {
        self.diagrams.borrow().boxes(self.root, limit)
    }

    fn variables(&self) -> Vec<VariableId> {
        let cuts = self.diagrams.borrow().cuts(self.root);
        let mut variables: Vec<VariableId> = cuts.into_keys().collect();
        variables.sort_unstable();
        variables
    }
}

/// A superset in which variables with few cuts, late ones first, are free within their bounds. What
/// is told apart by many constants is what a program decides by, and is kept longest.
fn simplified(diagrams: &mut Diagrams, root: NodeId) -> NodeId {
    let cuts = diagrams.cuts(root);
    let mut variables: Vec<(usize, Reverse<VariableId>)> = cuts
        .into_iter()
        .map(|(x, lines)| (lines.len(), Reverse(x)))
        .collect();
    variables.sort_unstable();
    let (mut simple, mut bounds) = (root, TRUE);
    for (_, Reverse(x)) in variables {
        if !diagrams.exceeds(simple, SIMPLE_NODES) {
            break;
        }
        let range = diagrams.bounds(root, x);
        let slab = diagrams.interval(x, &range);
        bounds = diagrams.and(bounds, slab);
        simple = diagrams.exists(simple, x);
    }
    diagrams.and(simple, bounds)
}

impl AbstractDomain for Boxes {
    fn top(&self) -> Self {
        self.with(TRUE)
    }

    fn bottom(&self) -> Self {
        self.with(FALSE)
    }

    fn is_top(&self) -> bool {
        self.root == TRUE
    }

    fn is_bottom(&self) -> bool {
        self.root == FALSE
    }

    fn leq(&self, other: &Self) -> bool {
        self.diagrams.borrow_mut().and(self.root, other.root) == self.root
    }

    fn join(&self, other: &Self) -> Self {
        let mut diagrams = self.diagrams.borrow_mut();
        diagrams.collect_garbage();
        let root = diagrams.or(self.root, other.root);
        drop(diagrams);
        self.with(root)
    }

    fn meet(&self, other: &Self) -> Self {
        let root = self.diagrams.borrow_mut().and(self.root, other.root);
        self.with(root)
    }

    fn widen(&self, other: &Self, thresholds: &Thresholds) -> Self {
        if self.is_bottom() {
            return other.clone();
        }
        let mut diagrams = self.diagrams.borrow_mut();
        let union = diagrams.or(self.root, other.root);
        if union == self.root {
            drop(diagrams);
            return self.clone();
        }
        let cuts = diagrams.cuts(self.root);
        let grid = |x: VariableId| -> Vec<Number> {
            let own = cuts.get(&x).into_iter().flatten();
            let mut lines: Vec<Number> = own.chain(thresholds.numbers()).cloned().collect();
            // A lower bound of t is a cut at t − 1.
            lines.extend(thresholds.numbers().iter().map(|line| line - &Number::ONE));
            lines.sort_unstable();
            lines.dedup();
            lines
        };
        let rounded = diagrams.round(union, &grid);
        // The bounds of what is simplified lie on the grid as well.
        let root = match diagrams.exceeds(rounded, MAXIMAL_NODES) {
            true => simplified(&mut diagrams, rounded),
            false => rounded,
        };
        drop(diagrams);
        Self::at(&self.diagrams, root)
    }

    fn narrow(&self, other: &Self) -> Self {
        if other.is_bottom() {
            return self.bottom();
        }
        let mut narrowed = self.clone();
        for x in other.variables() {
            let (mine, theirs) = (self.bounds(x), other.bounds(x));
            let kept = mine.narrow(&theirs);
            narrowed.update(|diagrams, root| {
                let slab = diagrams.interval(x, &kept);
                diagrams.and(root, slab)
            });
        }
        narrowed
    }
}

impl VariableDomain for Boxes {
    fn forget(&mut self, variables: &[VariableId]) {
        for x in variables {
            self.update(|diagrams, root| diagrams.exists(root, *x));
        }
    }

    fn project(&mut self, variables: &[VariableId]) {
        for x in self.variables() {
            if !variables.contains(&x) {
                self.update(|diagrams, root| diagrams.exists(root, x));
            }
        }
    }

    fn rename(&mut self, from: &[VariableId], to: &[VariableId]) {
        let renamed = |x: VariableId| {
            from.iter()
                .position(|it| *it == x)
                .map_or(x, |index| to[index])
        };
        self.update(|diagrams, root| diagrams.rename(root, &renamed));
        self.limit();
    }

    fn expand(&mut self, original: VariableId, copy: VariableId) {
        self.update(|diagrams, root| {
            let second = diagrams.rename(root, &|x| if x == original { copy } else { x });
            diagrams.and(root, second)
        });
        self.limit();
    }
}

impl NumericDomain for Boxes {
    fn assign(&mut self, target: VariableId, expression: &LinearExpression) {
        self.diagrams.borrow_mut().collect_garbage();
        self.assign_linear(target, expression);
        self.limit();
    }

    fn apply(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
    ) {
        self.diagrams.borrow_mut().collect_garbage();
        self.apply_operator(operator, target, left, right);
        self.limit();
    }

    fn assume(&mut self, constraint: &LinearConstraint) {
        self.diagrams.borrow_mut().collect_garbage();
        self.assume_linear(&constraint.normalized());
        self.limit();
    }

    fn bounds(&self, variable: VariableId) -> Interval {
        self.diagrams.borrow().bounds(self.root, variable)
    }

    fn to_linear_constraints(&self) -> Vec<LinearConstraint> {
        if self.is_bottom() {
            return vec![LinearConstraint::less_or_equal(1, 0)];
        }
        let bounds = |x: VariableId| super::environment::interval_constraints(x, &self.bounds(x));
        self.variables().into_iter().flat_map(bounds).collect()
    }

    fn describe_beyond_constraints(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        let boxes = self.boxes(SHOWN_BOXES);
        if boxes.len() < 2 {
            return Vec::new();
        }
        let one = |(x, interval): &(VariableId, Interval)| format!("{} in {interval}", name(*x));
        let write = |found: &Vec<(VariableId, Interval)>| {
            let bounded = found.iter().filter(|(_, interval)| !interval.is_top());
            bounded.map(one).collect::<Vec<_>>().join(" and ")
        };
        let mut parts: Vec<String> = boxes
            .iter()
            .take(SHOWN_BOXES)
            .map(|it| format!("({})", write(it)))
            .collect();
        if boxes.len() > SHOWN_BOXES {
            parts.push("…".to_owned());
        }
        vec![parts.join(" or ")]
    }
}
