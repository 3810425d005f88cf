//! Order, hull, widening and narrowing of products of polyhedra.

use std::sync::Arc;

use super::{PATIENCE, Polyhedra};
use crate::domain::AbstractDomain as _;
use crate::linear::{LinearConstraint, LinearExpression, Relation};
use crate::number::Number;
use crate::polyhedron::block::Block;
use crate::polyhedron::cone::Kind;
use crate::thresholds::Thresholds;
use crate::value::interval::Bound;
use crate::variable::VariableId;

/// A narrowing only adds constraints with coefficients up to this, so that there are finitely many
/// directions in which it can still restrict.
const LARGEST_NARROWED_COEFFICIENT: i64 = 1 << 16;

/// Blocks of either side that share dimensions.
type Group = (Vec<Arc<Block>>, Vec<Arc<Block>>);

fn kind_of(constraint: &LinearConstraint) -> Kind {
    match constraint.relation {
        Relation::Equal => Kind::Equality,
        Relation::LessOrEqual | Relation::NotEqual => Kind::Inequality,
    }
}

fn dimensions(blocks: &[Arc<Block>]) -> Vec<VariableId> {
    let mut all: Vec<VariableId> = blocks
        .iter()
        .flat_map(|block| block.dimensions().iter().copied())
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// An equality as two inequalities; an inequality as itself.
fn halves(constraint: &LinearConstraint) -> Vec<LinearExpression> {
    match constraint.relation {
        Relation::Equal => {
            let flipped = constraint.expression.scaled(&Number::MINUS_ONE);
            vec![constraint.expression.clone(), flipped]
        }
        Relation::LessOrEqual | Relation::NotEqual => vec![constraint.expression.clone()],
    }
}

impl Polyhedra {
    pub(super) fn is_below(&self, other: &Self) -> bool {
        match (&self.blocks, &other.blocks) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(mine), Some(theirs)) => theirs.iter().all(|block| {
                mine.iter().any(|it| Arc::ptr_eq(it, block))
                    || block
                        .constraints()
                        .iter()
                        .all(|it| self.satisfies(&it.expression, kind_of(it)))
            }),
        }
    }

    /// Whether a block of `self` says the same as `other` about its dimensions, independently of
    /// the rest.
    fn agrees_on(&self, block: &Arc<Block>, other: &Self) -> Option<Arc<Block>> {
        let theirs = other.block_of(block.dimensions()[0])?;
        if Arc::ptr_eq(theirs, block) {
            return Some(block.clone());
        }
        let same_dimensions = theirs.dimensions() == block.dimensions();
        let entails = |domain: &Self, block: &Block| {
            block
                .constraints()
                .iter()
                .all(|it| domain.satisfies(&it.expression, kind_of(it)))
        };
        (same_dimensions && entails(self, theirs) && entails(other, block)).then(|| block.clone())
    }

    /// The convex hull where it is small enough, else something larger.
    pub(super) fn hull(&self, other: &Self) -> Self {
        let (Some(mine), Some(_)) = (&self.blocks, &other.blocks) else {
            return if self.is_bottom() {
                other.clone()
            } else {
                self.clone()
            };
        };
        let common: Vec<Arc<Block>> = mine
            .iter()
            .filter_map(|block| self.agrees_on(block, other))
            .collect();
        let settled = dimensions(&common);
        let rest = |state: &Self| {
            let mut state = state.clone();
            state.take(&settled);
            state
        };
        let (mut left, mut right) = (rest(self), rest(other));
        // A variable that one side leaves free is free in the hull.
        let (ours, theirs) = (dimensions(left.list()), dimensions(right.list()));
        for x in ours.iter().filter(|x| theirs.binary_search(x).is_err()) {
            left.forget_one(*x);
        }
        for x in theirs.iter().filter(|x| ours.binary_search(x).is_err()) {
            right.forget_one(*x);
        }
        let mut hull = Self::of(Some(common));
        let parts = left
            .hull_of_all(&right)
            .unwrap_or_else(|| left.hull_by_groups(&right));
        for part in parts {
            hull.put_split(part);
        }
        hull
    }

    /// The hull of everything as one block.
    fn hull_of_all(&self, other: &Self) -> Option<Vec<Block>> {
        let mut all = dimensions(self.list());
        all.extend(dimensions(other.list()));
        let left = Self::product(self.list(), &all)?;
        let right = Self::product(other.list(), &all)?;
        let body = left.body().join(right.body())?;
        Some(vec![left.with_body(body)])
    }

    /// The product of the hulls of the least common coarsening of both partitions: larger than the
    /// hull, but of small blocks.
    fn hull_by_groups(&self, other: &Self) -> Vec<Block> {
        let mut groups: Vec<Group> = Vec::new();
        let tagged = self.list().iter().map(|block| (true, block));
        for (is_left, block) in tagged.chain(other.list().iter().map(|block| (false, block))) {
            let touches = |(left, right): &Group| {
                let mentions =
                    |it: &Arc<Block>| block.dimensions().iter().any(|x| it.column(*x).is_some());
                left.iter().any(mentions) || right.iter().any(mentions)
            };
            let (touched, apart): (Vec<Group>, Vec<Group>) = groups.into_iter().partition(touches);
            groups = apart;
            let mut merged: Group = (Vec::new(), Vec::new());
            for (left, right) in touched {
                merged.0.extend(left);
                merged.1.extend(right);
            }
            if is_left {
                merged.0.push(block.clone());
            } else {
                merged.1.push(block.clone());
            }
            groups.push(merged);
        }
        groups
            .iter()
            .filter_map(|(left, right)| Self::hull_of_group(left, right))
            .collect()
    }

    fn hull_of_group(left: &[Arc<Block>], right: &[Arc<Block>]) -> Option<Block> {
        let mut all = dimensions(left);
        all.extend(dimensions(right));
        let left = Self::product(left, &all)?;
        let right = Self::product(right, &all)?;
        Some(left.with_body(left.body().join(right.body())?))
    }

    pub(super) fn widened(&self, other: &Self, thresholds: &Thresholds) -> Self {
        if self.is_bottom() || other.is_bottom() {
            return self.hull(other);
        }
        let patient = self.age < PATIENCE;
        let hull = self.hull(other);
        let mut kept: Vec<LinearExpression> = Vec::new();
        let mut intact: Vec<Arc<Block>> = Vec::new();
        for block in self.list() {
            if hull.list().iter().any(|it| Arc::ptr_eq(it, block)) {
                intact.push(block.clone());
                continue;
            }
            let own: Vec<LinearExpression> = block.constraints().iter().flat_map(halves).collect();
            kept.extend(
                own.iter()
                    .filter(|it| hull.satisfies(it, Kind::Inequality))
                    .cloned(),
            );
            if patient {
                kept.extend(hull.replacements(block, &own));
            }
        }
        let mut widened = Self::of(Some(intact));
        for expression in &kept {
            widened.add(expression, Kind::Inequality);
        }
        if patient {
            widened.stop_at_thresholds(self, &hull, thresholds);
        }
        widened.age = self.age + 1;
        widened
    }

    /// Constraints of `self`, a hull, that saturate the same generators of `block` as one of its
    /// own: exchanging them leaves the block as it is.
    fn replacements(&self, block: &Block, own: &[LinearExpression]) -> Vec<LinearExpression> {
        let saturations: Vec<_> = own
            .iter()
            .map(|it| block.body().saturation(&block.affine_form(it)))
            .collect();
        let inside = |it: &LinearExpression| it.variables().all(|x| block.column(x).is_some());
        let candidates = self.list().iter().flat_map(|it| it.constraints());
        let candidates = candidates.flat_map(|it| halves(&it)).filter(inside);
        candidates
            .filter(|it| saturations.contains(&block.body().saturation(&block.affine_form(it))))
            .collect()
    }

    fn stop_at_thresholds(&mut self, left: &Self, hull: &Self, thresholds: &Thresholds) {
        if thresholds.numbers().is_empty() {
            return;
        }
        for x in dimensions(left.list()) {
            let (up, down) = (LinearExpression::variable(x), LinearExpression::term(x, -1));
            if left.upper(&up).is_finite()
                && !self.upper(&up).is_finite()
                && let Bound::Finite(limit) = thresholds.above(&hull.integer_above(&up))
            {
                self.add(&up.plus_constant(&-limit), Kind::Inequality);
            }
            if left.upper(&down).is_finite()
                && !self.upper(&down).is_finite()
                && let Bound::Finite(limit) = thresholds.below(&hull.integer_above(&down).negate())
            {
                self.add(&down.plus_constant(&limit), Kind::Inequality);
            }
        }
    }

    /// Adds constraints of `other` in directions that `self` does not bound at all.
    pub(super) fn narrowed(&self, other: &Self) -> Self {
        if self.is_bottom() || other.is_bottom() {
            return self.bottom();
        }
        let limit = Number::from(LARGEST_NARROWED_COEFFICIENT);
        let mut narrowed = self.clone();
        for expression in other
            .list()
            .iter()
            .flat_map(|it| it.constraints())
            .flat_map(|it| halves(&it))
        {
            let small = expression.terms().iter().all(|(_, c)| c.abs() <= limit);
            if small && !narrowed.upper(&expression).is_finite() {
                narrowed.add(&expression, Kind::Inequality);
            }
        }
        narrowed
    }
}
