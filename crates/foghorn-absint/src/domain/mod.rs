//! Abstract domains: the traits, and one module per domain.
//!
//! The base, [`AbstractDomain`], is a lattice with widening (fig. 8 of the SeaHorn paper); the
//! fixpoint engine asks for nothing else. Capabilities stand beside it:
//!
//! - [`VariableDomain`]: elements describe valuations of variables, which can be forgotten,
//!   projected on, renamed and copied;
//! - [`NumericDomain`]: linear and non-linear arithmetic **over ℤ**. Numeric domains are written
//!   against this and never see a machine integer;
//! - [`ProgramDomain`]: the statements of the goto language. [`crate::machine::MachineIntegers`]
//!   makes one of any numeric domain, with machine integers treated exactly; functors (booleans,
//!   arrays, products) add to one.
//!
//! γ(d) below is the set of valuations that an element describes.

pub mod any;
pub mod arrays;
pub mod boolean_integers;
pub mod booleans;
pub mod boxes;
pub mod congruences;
pub mod constants;
pub mod disjunctive_intervals;
pub mod environment;
pub mod intervals;
pub mod lookahead;
pub mod nullity;
pub mod octagons;
pub mod polyhedra;
pub mod powerset;
pub mod product;
pub mod signs;
pub mod terms;
pub mod value_partitioning;
pub mod weakly_relational;
pub mod wrapped_intervals;
pub mod zones;

use std::fmt;

use crate::language::Operand;
use crate::language::{Condition, Statement};
use crate::linear::{LinearConstraint, LinearExpression, Relation};
use crate::number::Number;
use crate::thresholds::Thresholds;
use crate::value::interval::Interval;
use crate::value::{AbstractValue as _, ArithmeticOperator, NumericValue as _};
use crate::variable::{Level, VariableId};

pub use any::{AnyDomain, AnyNumeric};

/// A lattice of properties of program states.
///
/// `top` and `bottom` are asked of an element, not of the type: an element may carry parameters
/// (a limit of disjuncts, the domain below a functor) that its relatives share.
pub trait AbstractDomain: Clone + fmt::Debug + 'static {
    /// All states.
    #[must_use]
    fn top(&self) -> Self;

    /// No state.
    #[must_use]
    fn bottom(&self) -> Self;

    /// Whether the element is known to describe every state.
    fn is_top(&self) -> bool;

    /// Whether the element is known to describe no state.
    fn is_bottom(&self) -> bool;

    /// True only if γ(self) ⊆ γ(other). Reflexive, and ⊥ is below everything.
    fn leq(&self, other: &Self) -> bool;

    /// γ includes both.
    #[must_use]
    fn join(&self, other: &Self) -> Self;

    /// γ includes the intersection.
    #[must_use]
    fn meet(&self, other: &Self) -> Self;

    /// γ includes both, and each chain xᵢ₊₁ = xᵢ ∇ yᵢ has i with xⱼ₊₁ ⊑ xⱼ for all j ≥ i.
    ///
    /// `self` is the previous iterate. `other` need not be above it.
    #[must_use]
    fn widen(&self, other: &Self, thresholds: &Thresholds) -> Self;

    /// γ includes the intersection of γ(self) and γ(other), and descending chains
    /// xᵢ₊₁ = xᵢ Δ yᵢ are stationary.
    #[must_use]
    fn narrow(&self, other: &Self) -> Self;
}

/// Elements that describe valuations of variables. A variable that was never mentioned is
/// unconstrained.
pub trait VariableDomain: AbstractDomain {
    /// Existential quantification: the variables may take any value.
    fn forget(&mut self, variables: &[VariableId]);

    /// Forgets every variable but these.
    fn project(&mut self, variables: &[VariableId]);

    /// Simultaneously renames `from[i]` to `to[i]`. The variables of `to` that are not in `from`
    /// must be unconstrained, and no variable may occur twice in either list.
    fn rename(&mut self, from: &[VariableId], to: &[VariableId]);

    /// Constrains `copy`, which must be unconstrained, like `original`, but independently of it:
    /// γ' is the set of valuations σ with σ and σ[original ↦ σ(copy)] both in γ. (It may be
    /// larger.)
    fn expand(&mut self, original: VariableId, copy: VariableId);
}

/// Arithmetic over ℤ. Every transfer function over-approximates the image of the concrete one; on
/// ⊥ it yields ⊥.
pub trait NumericDomain: VariableDomain {
    /// target := expression, which may mention the target.
    fn assign(&mut self, target: VariableId, expression: &LinearExpression);

    /// target := left operator right. States without a result (see [`ArithmeticOperator`]) have no
    /// successor; it is sound, but imprecise, to give them one.
    fn apply(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
    );

    /// Keeps (at least) the states that satisfy the constraint.
    fn assume(&mut self, constraint: &LinearConstraint);

    /// An interval that contains every value of the variable.
    fn bounds(&self, variable: VariableId) -> Interval;

    /// An interval that contains every value of the expression. Relational domains should do
    /// better than the default, which adds up the bounds of the variables.
    fn bounds_of(&self, expression: &LinearExpression) -> Interval {
        if self.is_bottom() {
            return Interval::bottom();
        }
        let mut sum = Interval::point(expression.constant_part().clone());
        for (x, coefficient) in expression.terms() {
            sum = sum.add(&self.bounds(*x).scale(coefficient));
        }
        sum
    }

    /// True only if every state satisfies the constraint.
    fn entails(&self, constraint: &LinearConstraint) -> bool {
        if self.is_bottom() {
            return true;
        }
        let mut halves = vec![constraint.negate()];
        if constraint.relation == Relation::Equal {
            // A disequality is a union; convex domains refute its two sides one by one.
            let below = constraint.expression.plus_constant(&Number::ONE);
            let above = constraint.expression.scaled(&Number::MINUS_ONE);
            halves = vec![
                LinearConstraint::new(below, Relation::LessOrEqual),
                LinearConstraint::new(above.plus_constant(&Number::ONE), Relation::LessOrEqual),
            ];
        }
        halves.iter().all(|half| {
            let mut counterexample = self.clone();
            counterexample.assume(half);
            counterexample.is_bottom()
        })
    }

    /// Constraints that every state satisfies; the more of the element they express, the better.
    /// Of ⊥, a false constraint.
    fn to_linear_constraints(&self) -> Vec<LinearConstraint>;

    /// Facts that are no linear constraints (congruences, holes), as text for people.
    fn describe_beyond_constraints(&self, _name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        Vec::new()
    }

    /// Backward assignment: `self` describes states after target := expression, `before` states
    /// that precede it; afterwards `self` includes every state of `before` from which the
    /// assignment leads into `self`.
    ///
    /// The default relates the value after the assignment to those before by a primed copy of the
    /// target, and substitutes the expression in the constraints on the target, which is what
    /// non-relational domains live on.
    fn backward_assign(
        &mut self,
        target: VariableId,
        expression: &LinearExpression,
        before: &Self,
    ) {
        let constraints = self.to_linear_constraints();
        let primed = target.copy_on(Level::Primed);
        let mut after = self.clone();
        after.rename(&[target], &[primed]);
        let mut related = before.clone();
        related.assign(primed, expression);
        *self = related.meet(&after);
        self.forget(&[primed]);
        for constraint in constraints {
            if constraint.expression.mentions(target) {
                self.assume(&constraint.substitute(target, expression));
            }
        }
    }

    /// As [`NumericDomain::backward_assign`], for target := left operator right.
    fn backward_apply(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
        before: &Self,
    ) {
        let primed = target.copy_on(Level::Primed);
        let mut after = self.clone();
        after.rename(&[target], &[primed]);
        let mut related = before.clone();
        related.apply(operator, primed, left, right);
        *self = related.meet(&after);
        self.forget(&[primed]);
    }
}

/// A condition that holds if a boolean has a value.
#[derive(Clone, PartialEq, Debug)]
pub struct Implication {
    pub when: (VariableId, bool),
    pub then: Condition,
}

/// The meaning of the goto language.
pub trait ProgramDomain: VariableDomain {
    /// Forward transfer function. A call havocs its results (the inter-procedural analyses treat
    /// calls themselves); an assertion restricts like an assumption.
    fn transfer(&mut self, statement: &Statement);

    /// Keeps (at least) the states that satisfy the condition.
    fn assume(&mut self, condition: &Condition);

    /// True only if every state satisfies the condition.
    fn entails(&self, condition: &Condition) -> bool {
        if self.is_bottom() {
            return true;
        }
        let mut counterexample = self.clone();
        counterexample.assume(&condition.negate());
        counterexample.is_bottom()
    }

    /// An interval that contains every (signed) value of an integer variable.
    fn bounds(&self, variable: VariableId) -> Interval;

    /// Conditions that every state satisfies. Of ⊥, the constant `false`.
    fn to_conditions(&self) -> Vec<Condition>;

    /// What follows in every state from the values of booleans.
    fn implications(&self) -> Vec<Implication> {
        Vec::new()
    }

    /// Facts that are no conditions, as text for people.
    fn describe_beyond_conditions(&self, _name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        Vec::new()
    }

    /// Backward transfer function: `self` describes states after the statement, `before` states
    /// that precede it; afterwards `self` includes every state of `before` from which the
    /// statement can lead into `self`.
    fn backward(&mut self, statement: &Statement, before: &Self);
}
