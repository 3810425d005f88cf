//! A polyhedron over named dimensions.
//!
//! A state is a product of blocks over disjoint sets of variables, since polyhedra over unrelated
//! variables would multiply their vertices (Singh, Püschel and Vechev, *Fast Polyhedra Abstract
//! Domain*, POPL 2017, §3). A block is split as soon as its constraints no longer tie it together.
//!
//! Invariant: dimensions ascend, and each occurs in some constraint.

use super::cone::Kind;
use super::vector::Vector;
use super::{Addition, Polyhedron};
use crate::linear::{LinearConstraint, LinearExpression, Relation};
use crate::number::Number;
use crate::variable::VariableId;

#[derive(Clone, Debug)]
pub struct Block {
    dimensions: Vec<VariableId>,
    body: Polyhedron,
}

impl Block {
    /// The block of unconstrained variables; they must ascend.
    #[must_use]
    pub fn universe(dimensions: Vec<VariableId>) -> Self {
        let body = Polyhedron::universe(dimensions.len());
        Self { dimensions, body }
    }

    #[must_use]
    pub fn dimensions(&self) -> &[VariableId] {
        &self.dimensions
    }

    #[must_use]
    pub fn body(&self) -> &Polyhedron {
        &self.body
    }

    #[must_use]
    pub fn column(&self, variable: VariableId) -> Option<usize> {
        self.dimensions
            .binary_search(&variable)
            .ok()
            .map(|index| index + 1)
    }

    /// The part of a linear expression over these dimensions, without its constant.
    #[must_use]
    pub fn form(&self, expression: &LinearExpression) -> Vector {
        let mut form = vec![Number::ZERO; self.body.width()];
        for (x, coefficient) in expression.terms() {
            if let Some(column) = self.column(*x) {
                form[column] = coefficient.clone();
            }
        }
        form
    }

    /// As [`Block::form`], with the constant.
    #[must_use]
    pub fn affine_form(&self, expression: &LinearExpression) -> Vector {
        let mut form = self.form(expression);
        form[0] = expression.constant_part().clone();
        form
    }

    /// The expression that a vector stands for.
    #[must_use]
    pub fn expression(&self, vector: &Vector) -> LinearExpression {
        let mut expression = LinearExpression::constant(vector[0].clone());
        for (x, coefficient) in self.dimensions.iter().zip(&vector[1..]) {
            expression.add_term(*x, coefficient);
        }
        expression
    }

    /// The constraints of the block.
    #[must_use]
    pub fn constraints(&self) -> Vec<LinearConstraint> {
        let system = self.body.constraints();
        let equations = system
            .both_ways
            .iter()
            .map(|vector| LinearConstraint::new(self.expression(vector), Relation::Equal));
        let inequalities = system.one_way.iter().map(|vector| {
            let flipped = self.expression(vector).scaled(&Number::MINUS_ONE);
            LinearConstraint::new(flipped, Relation::LessOrEqual)
        });
        equations.chain(inequalities).collect()
    }

    /// Restricts the block by expression ≤ 0 or = 0, over its own dimensions.
    #[must_use]
    pub fn add(&self, expression: &LinearExpression, kind: Kind) -> Addition {
        let form: Vector = self
            .affine_form(expression)
            .iter()
            .map(|entry| -entry)
            .collect();
        self.body.add(&form, kind)
    }

    #[must_use]
    pub fn with_body(&self, body: Polyhedron) -> Self {
        Self {
            dimensions: self.dimensions.clone(),
            body,
        }
    }

    /// The product of blocks over disjoint dimensions; `None` when it is too large.
    #[must_use]
    pub fn product(&self, other: &Self) -> Option<Self> {
        let body = self.body.product(&other.body)?;
        let dimensions = [&self.dimensions[..], &other.dimensions[..]].concat();
        Some(Self { dimensions, body }.sorted())
    }

    fn sorted(self) -> Self {
        if self.dimensions.is_sorted() {
            return self;
        }
        let mut order: Vec<usize> = (0..self.dimensions.len()).collect();
        order.sort_by_key(|&index| self.dimensions[index]);
        let columns: Vec<usize> = order.iter().map(|index| index + 1).collect();
        Self {
            dimensions: order.iter().map(|&index| self.dimensions[index]).collect(),
            body: self.body.permuted(&columns),
        }
    }

    /// The block without one of its dimensions; `None` when the projection is too large.
    #[must_use]
    pub fn without(&self, variable: VariableId) -> Option<Self> {
        let column = self.column(variable)?;
        let body = self.body.project_out(column)?;
        let mut dimensions = self.dimensions.clone();
        dimensions.remove(column - 1);
        Some(Self { dimensions, body })
    }

    /// The block with a new dimension that equals an expression over the others.
    #[must_use]
    pub fn extended(&self, variable: VariableId, expression: &LinearExpression) -> Self {
        let body = self.body.extended(&self.affine_form(expression));
        let mut dimensions = self.dimensions.clone();
        dimensions.push(variable);
        Self { dimensions, body }.sorted()
    }

    /// The image under variable := expression, which mentions the variable.
    #[must_use]
    pub fn image(&self, variable: VariableId, expression: &LinearExpression) -> Self {
        let column = self
            .column(variable)
            .expect("invariant: the block was gathered for it");
        self.with_body(
            self.body
                .invertible_image(column, &self.affine_form(expression)),
        )
    }

    #[must_use]
    pub fn renamed(&self, renaming: impl Fn(VariableId) -> VariableId) -> Self {
        let dimensions = self.dimensions.iter().map(|x| renaming(*x)).collect();
        Self {
            dimensions,
            body: self.body.clone(),
        }
        .sorted()
    }

    /// The parts whose constraints have no variable in common; unconstrained dimensions vanish.
    #[must_use]
    pub fn split(self) -> Vec<Self> {
        let system = self.body.constraints();
        let mut group: Vec<usize> = (0..self.body.width()).collect();
        let mut constrained = vec![false; self.body.width()];
        for vector in system.both_ways.iter().chain(&system.one_way) {
            let support: Vec<usize> = (1..vector.len())
                .filter(|&column| !vector[column].is_zero())
                .collect();
            for &column in &support {
                constrained[column] = true;
                let (old, new) = (group[column], group[support[0]]);
                group
                    .iter_mut()
                    .filter(|it| **it == old)
                    .for_each(|it| *it = new);
            }
        }
        let columns = || (1..group.len()).filter(|&column| constrained[column]);
        let mut leaders: Vec<usize> = columns().map(|column| group[column]).collect();
        leaders.sort_unstable();
        leaders.dedup();
        if leaders.len() == 1 && columns().count() == self.dimensions.len() {
            return vec![self];
        }
        let part = |leader: &usize| {
            let own: Vec<usize> = columns()
                .filter(|&column| group[column] == *leader)
                .collect();
            let dimensions = own
                .iter()
                .map(|&column| self.dimensions[column - 1])
                .collect();
            Self {
                dimensions,
                body: self.body.restricted(&own),
            }
        };
        leaders.iter().map(part).collect()
    }
}
