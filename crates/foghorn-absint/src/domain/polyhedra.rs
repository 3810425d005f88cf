//! Convex polyhedra: conjunctions of linear inequalities, exact over the rationals.
//!
//! A state is a product of blocks ([`crate::polyhedron::block`]); operations gather the blocks they
//! touch and split them again. Where a result would be too large (see
//! [`crate::polyhedron::cone::MAXIMAL_SIZE`]) a constraint is dropped or a coarser product is
//! computed, which is always sound. Guards are tightened to integers before they are added; what
//! follows from them is computed over the rationals. See `docs/decisions/0026-polyhedra.md`.
//!
//! Widening is that of Halbwachs' thesis (1979), §4: constraints of the left operand that the right
//! one satisfies, and those of the hull that could replace a constraint of the left one.

mod lattice;
mod transfer;

use std::sync::Arc;

use crate::domain::{AbstractDomain, NumericDomain, VariableDomain};
use crate::language::Operand;
use crate::linear::{LinearConstraint, LinearExpression, Relation};
use crate::number::Number;
use crate::polyhedron::block::Block;
use crate::polyhedron::cone::Kind;
use crate::polyhedron::{Addition, Supremum};
use crate::thresholds::Thresholds;
use crate::value::interval::{Bound, Interval};
use crate::value::{AbstractValue as _, ArithmeticOperator};
use crate::variable::VariableId;

/// A product of polyhedra over disjoint sets of variables.
#[derive(Clone, Debug)]
pub struct Polyhedra {
    /// Ordered by first dimension; `None` is ⊥.
    blocks: Option<Vec<Arc<Block>>>,
    /// How many widenings in a row led here; after [`PATIENCE`] of them a widening adds nothing new.
    age: u32,
}

/// Widenings of a chain that may replace constraints and stop at thresholds. Either could go on for
/// ever together with the other, so after this many only constraints of the left operand remain.
const PATIENCE: u32 = 12;

impl Default for Polyhedra {
    fn default() -> Self {
        Self::of(Some(Vec::new()))
    }
}

impl Polyhedra {
    /// ⊤.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn of(blocks: Option<Vec<Arc<Block>>>) -> Self {
        Self { blocks, age: 0 }
    }

    fn list(&self) -> &[Arc<Block>] {
        self.blocks.as_deref().unwrap_or_default()
    }

    fn block_of(&self, variable: VariableId) -> Option<&Arc<Block>> {
        self.list()
            .iter()
            .find(|block| block.column(variable).is_some())
    }

    /// Takes out the blocks that mention some of `variables`.
    fn take(&mut self, variables: &[VariableId]) -> Vec<Arc<Block>> {
        let Some(blocks) = &mut self.blocks else {
            return Vec::new();
        };
        let touched = |block: &Arc<Block>| variables.iter().any(|x| block.column(*x).is_some());
        let (taken, kept) = std::mem::take(blocks).into_iter().partition(touched);
        *blocks = kept;
        taken
    }

    fn put(&mut self, parts: impl IntoIterator<Item = Arc<Block>>) {
        if let Some(blocks) = &mut self.blocks {
            blocks.extend(
                parts
                    .into_iter()
                    .filter(|block| !block.dimensions().is_empty()),
            );
            blocks.sort_by_key(|block| block.dimensions()[0]);
        }
    }

    fn put_split(&mut self, block: Block) {
        self.put(block.split().into_iter().map(Arc::new));
    }

    /// The product of some blocks and of the variables of `variables` that are in none.
    fn product(parts: &[Arc<Block>], variables: &[VariableId]) -> Option<Block> {
        let mut loose: Vec<VariableId> = variables
            .iter()
            .copied()
            .filter(|x| parts.iter().all(|block| block.column(*x).is_none()))
            .collect();
        loose.sort_unstable();
        loose.dedup();
        if loose.is_empty()
            && let [only] = parts
        {
            return Some((**only).clone());
        }
        parts
            .iter()
            .try_fold(Block::universe(loose), |product, part| {
                product.product(part)
            })
    }

    /// Adds expression ≤ 0 or expression = 0.
    fn add(&mut self, expression: &LinearExpression, kind: Kind) {
        // What holds already is far cheaper to recognise than to add.
        if self.satisfies(expression, kind) {
            return;
        }
        let variables: Vec<VariableId> = expression.variables().collect();
        let parts = self.take(&variables);
        let Some(block) = Self::product(&parts, &variables) else {
            return self.put(parts);
        };
        match block.add(expression, kind) {
            Addition::Added(body) => self.put_split(block.with_body(body)),
            Addition::Empty => self.blocks = None,
            Addition::TooLarge => self.put(parts),
        }
    }

    fn add_constraint(&mut self, constraint: &LinearConstraint) {
        match constraint.relation {
            Relation::LessOrEqual => self.add(&constraint.expression, Kind::Inequality),
            Relation::Equal => self.add(&constraint.expression, Kind::Equality),
            Relation::NotEqual => {}
        }
    }

    /// The least upper bound of an expression over the rationals; blocks are independent, so it is
    /// the sum of theirs.
    fn supremum(&self, expression: &LinearExpression) -> Supremum {
        let mut numerator = expression.constant_part().clone();
        let mut denominator = Number::ONE;
        let mut covered = 0;
        for block in self.list() {
            let form = block.form(expression);
            let mentioned = form.iter().filter(|entry| !entry.is_zero()).count();
            if mentioned == 0 {
                continue;
            }
            covered += mentioned;
            match block.body().supremum(&form) {
                Supremum::Infinite => return Supremum::Infinite,
                Supremum::Rational(top, bottom) => {
                    numerator = &(&numerator * &bottom) + &(&top * &denominator);
                    denominator = &denominator * &bottom;
                }
            }
        }
        if covered < expression.terms().len() {
            return Supremum::Infinite;
        }
        Supremum::Rational(numerator, denominator)
    }

    fn upper(&self, expression: &LinearExpression) -> Bound {
        match self.supremum(expression) {
            Supremum::Infinite => Bound::PlusInfinity,
            Supremum::Rational(top, bottom) => Bound::Finite(top.div_floor(&bottom)),
        }
    }

    /// The least integer that no rational value of the expression exceeds.
    fn integer_above(&self, expression: &LinearExpression) -> Bound {
        match self.supremum(expression) {
            Supremum::Infinite => Bound::PlusInfinity,
            Supremum::Rational(top, bottom) => Bound::Finite(top.div_ceil(&bottom)),
        }
    }

    /// Whether expression ≤ 0 (or = 0) holds over the rationals.
    fn satisfies(&self, expression: &LinearExpression, kind: Kind) -> bool {
        let at_most = |expression: &LinearExpression| match self.supremum(expression) {
            Supremum::Infinite => false,
            Supremum::Rational(top, _) => !top.is_positive(),
        };
        match kind {
            Kind::Inequality => at_most(expression),
            Kind::Equality => {
                at_most(expression) && at_most(&expression.scaled(&Number::MINUS_ONE))
            }
        }
    }

    fn forget_one(&mut self, variable: VariableId) {
        for block in self.take(&[variable]) {
            match block.without(variable) {
                Some(rest) => self.put_split(rest),
                None => {
                    // Too large a projection: only constraints without the variable survive.
                    for constraint in block.constraints() {
                        if !constraint.expression.mentions(variable) {
                            self.add_constraint(&constraint);
                        }
                    }
                }
            }
        }
    }

    fn interval_of(&self, expression: &LinearExpression) -> Interval {
        let upper = self.upper(expression);
        let lower = self.upper(&expression.scaled(&Number::MINUS_ONE)).negate();
        Interval::new(lower, upper)
    }
}

impl AbstractDomain for Polyhedra {
    fn top(&self) -> Self {
        Self::default()
    }

    fn bottom(&self) -> Self {
        Self::of(None)
    }

    fn is_top(&self) -> bool {
        self.blocks.as_ref().is_some_and(Vec::is_empty)
    }

    fn is_bottom(&self) -> bool {
        self.blocks.is_none()
    }

    fn leq(&self, other: &Self) -> bool {
        self.is_below(other)
    }

    fn join(&self, other: &Self) -> Self {
        self.hull(other)
    }

    fn meet(&self, other: &Self) -> Self {
        let mut meet = self.clone();
        for block in other.list() {
            if meet.list().iter().any(|mine| Arc::ptr_eq(mine, block)) {
                continue;
            }
            for constraint in block.constraints() {
                meet.add_constraint(&constraint);
            }
        }
        if other.is_bottom() {
            other.clone()
        } else {
            meet
        }
    }

    fn widen(&self, other: &Self, thresholds: &Thresholds) -> Self {
        self.widened(other, thresholds)
    }

    fn narrow(&self, other: &Self) -> Self {
        self.narrowed(other)
    }
}

impl VariableDomain for Polyhedra {
    fn forget(&mut self, variables: &[VariableId]) {
        for x in variables {
            self.forget_one(*x);
        }
    }

    fn project(&mut self, variables: &[VariableId]) {
        let present: Vec<VariableId> = self
            .list()
            .iter()
            .flat_map(|block| block.dimensions().to_vec())
            .collect();
        for x in present {
            if !variables.contains(&x) {
                self.forget_one(x);
            }
        }
    }

    fn rename(&mut self, from: &[VariableId], to: &[VariableId]) {
        let renamed = |x: VariableId| {
            from.iter()
                .position(|it| *it == x)
                .map_or(x, |index| to[index])
        };
        let parts = self.take(from);
        self.put(parts.iter().map(|block| Arc::new(block.renamed(renamed))));
    }

    fn expand(&mut self, original: VariableId, copy: VariableId) {
        let Some(block) = self.block_of(original).cloned() else {
            return;
        };
        let renamed = block.renamed(|x| if x == original { copy } else { x });
        for constraint in renamed.constraints() {
            self.add_constraint(&constraint);
        }
    }
}

impl NumericDomain for Polyhedra {
    fn assign(&mut self, target: VariableId, expression: &LinearExpression) {
        if !self.is_bottom() {
            self.age = 0;
            self.assign_linear(target, expression);
        }
    }

    fn apply(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
    ) {
        if !self.is_bottom() {
            self.age = 0;
            self.apply_operator(operator, target, left, right);
        }
    }

    fn assume(&mut self, constraint: &LinearConstraint) {
        if !self.is_bottom() {
            self.age = 0;
            self.assume_linear(&constraint.normalized());
        }
    }

    fn bounds(&self, variable: VariableId) -> Interval {
        self.bounds_of(&LinearExpression::variable(variable))
    }

    fn bounds_of(&self, expression: &LinearExpression) -> Interval {
        if self.is_bottom() {
            Interval::bottom()
        } else {
            self.interval_of(expression)
        }
    }

    fn to_linear_constraints(&self) -> Vec<LinearConstraint> {
        if self.is_bottom() {
            return vec![LinearConstraint::less_or_equal(1, 0)];
        }
        self.list()
            .iter()
            .flat_map(|block| block.constraints())
            .collect()
    }
}
