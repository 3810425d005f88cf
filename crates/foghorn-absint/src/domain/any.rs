//! Domains behind a pointer, so that they can be composed by name when the program runs.
//!
//! Functors are generic over the domain below; instantiating each with each would multiply the
//! code of the analyses by the number of combinations. [`AnyNumeric`] and [`AnyDomain`] implement
//! the domain traits for *some* domain chosen at run time, at the price of one indirect call per
//! operation.
//!
//! Invariant: both operands of a binary operation descend from one element, so their hidden types
//! agree.

use std::any::Any;
use std::fmt;

use crate::domain::{AbstractDomain, Implication, NumericDomain, ProgramDomain, VariableDomain};
use crate::language::{Condition, Operand, Statement};
use crate::linear::{LinearConstraint, LinearExpression};
use crate::thresholds::Thresholds;
use crate::value::ArithmeticOperator;
use crate::value::interval::Interval;
use crate::variable::VariableId;

/// What both erased traits have in common; `B` is the boxed trait object itself.
trait Lattice<B> {
    fn as_any(&self) -> &dyn Any;
    fn boxed_clone(&self) -> B;
    fn boxed_top(&self) -> B;
    fn boxed_bottom(&self) -> B;
    fn erased_is_top(&self) -> bool;
    fn erased_is_bottom(&self) -> bool;
    fn erased_leq(&self, other: &dyn Any) -> bool;
    fn boxed_join(&self, other: &dyn Any) -> B;
    fn boxed_meet(&self, other: &dyn Any) -> B;
    fn boxed_widen(&self, other: &dyn Any, thresholds: &Thresholds) -> B;
    fn boxed_narrow(&self, other: &dyn Any) -> B;
    fn erased_forget(&mut self, variables: &[VariableId]);
    fn erased_project(&mut self, variables: &[VariableId]);
    fn erased_rename(&mut self, from: &[VariableId], to: &[VariableId]);
    fn erased_expand(&mut self, original: VariableId, copy: VariableId);
    fn erased_debug(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result;
}

fn same_domain<D: 'static>(other: &dyn Any) -> &D {
    other
        .downcast_ref()
        .expect("invariant: both operands come from one domain")
}

macro_rules! erased_lattice {
    ($any:ident, $object:ident, $capability:ident) => {
        impl<D: $capability> Lattice<$any> for D {
            fn as_any(&self) -> &dyn Any {
                self
            }
            fn boxed_clone(&self) -> $any {
                $any(Box::new(self.clone()))
            }
            fn boxed_top(&self) -> $any {
                $any(Box::new(self.top()))
            }
            fn boxed_bottom(&self) -> $any {
                $any(Box::new(self.bottom()))
            }
            fn erased_is_top(&self) -> bool {
                self.is_top()
            }
            fn erased_is_bottom(&self) -> bool {
                self.is_bottom()
            }
            fn erased_leq(&self, other: &dyn Any) -> bool {
                self.leq(same_domain(other))
            }
            fn boxed_join(&self, other: &dyn Any) -> $any {
                $any(Box::new(self.join(same_domain(other))))
            }
            fn boxed_meet(&self, other: &dyn Any) -> $any {
                $any(Box::new(self.meet(same_domain(other))))
            }
            fn boxed_widen(&self, other: &dyn Any, thresholds: &Thresholds) -> $any {
                $any(Box::new(self.widen(same_domain(other), thresholds)))
            }
            fn boxed_narrow(&self, other: &dyn Any) -> $any {
                $any(Box::new(self.narrow(same_domain(other))))
            }
            fn erased_forget(&mut self, variables: &[VariableId]) {
                self.forget(variables);
            }
            fn erased_project(&mut self, variables: &[VariableId]) {
                self.project(variables);
            }
            fn erased_rename(&mut self, from: &[VariableId], to: &[VariableId]) {
                self.rename(from, to);
            }
            fn erased_expand(&mut self, original: VariableId, copy: VariableId) {
                self.expand(original, copy);
            }
            fn erased_debug(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self, formatter)
            }
        }

        impl $any {
            /// Hides the type of a domain.
            #[must_use]
            pub fn new<D: $capability>(domain: D) -> $any {
                $any(Box::new(domain))
            }

            /// The domain, when it has this type.
            #[must_use]
            pub fn downcast<D: 'static>(&self) -> Option<&D> {
                self.0.as_any().downcast_ref()
            }
        }

        impl Clone for $any {
            fn clone(&self) -> $any {
                self.0.boxed_clone()
            }
        }

        impl fmt::Debug for $any {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.erased_debug(formatter)
            }
        }

        impl AbstractDomain for $any {
            fn top(&self) -> $any {
                self.0.boxed_top()
            }
            fn bottom(&self) -> $any {
                self.0.boxed_bottom()
            }
            fn is_top(&self) -> bool {
                self.0.erased_is_top()
            }
            fn is_bottom(&self) -> bool {
                self.0.erased_is_bottom()
            }
            fn leq(&self, other: &$any) -> bool {
                self.0.erased_leq(other.0.as_any())
            }
            fn join(&self, other: &$any) -> $any {
                self.0.boxed_join(other.0.as_any())
            }
            fn meet(&self, other: &$any) -> $any {
                self.0.boxed_meet(other.0.as_any())
            }
            fn widen(&self, other: &$any, thresholds: &Thresholds) -> $any {
                self.0.boxed_widen(other.0.as_any(), thresholds)
            }
            fn narrow(&self, other: &$any) -> $any {
                self.0.boxed_narrow(other.0.as_any())
            }
        }

        impl VariableDomain for $any {
            fn forget(&mut self, variables: &[VariableId]) {
                self.0.erased_forget(variables);
            }
            fn project(&mut self, variables: &[VariableId]) {
                self.0.erased_project(variables);
            }
            fn rename(&mut self, from: &[VariableId], to: &[VariableId]) {
                self.0.erased_rename(from, to);
            }
            fn expand(&mut self, original: VariableId, copy: VariableId) {
                self.0.erased_expand(original, copy);
            }
        }
    };
}

/// Some numeric domain over ℤ.
pub struct AnyNumeric(Box<dyn NumericObject>);

/// Some domain of programs.
pub struct AnyDomain(Box<dyn ProgramObject>);

erased_lattice!(AnyNumeric, NumericObject, NumericDomain);
erased_lattice!(AnyDomain, ProgramObject, ProgramDomain);

trait NumericObject: Lattice<AnyNumeric> {
    fn object_assign(&mut self, target: VariableId, expression: &LinearExpression);
    fn object_apply(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
    );
    fn object_assume(&mut self, constraint: &LinearConstraint);
    fn object_bounds(&self, variable: VariableId) -> Interval;
    fn object_bounds_of(&self, expression: &LinearExpression) -> Interval;
    fn object_entails(&self, constraint: &LinearConstraint) -> bool;
    fn object_constraints(&self) -> Vec<LinearConstraint>;
    fn object_describe(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String>;
    fn object_backward_assign(
        &mut self,
        target: VariableId,
        expression: &LinearExpression,
        before: &dyn Any,
    );
    fn object_backward_apply(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        operands: (&Operand, &Operand),
        before: &dyn Any,
    );
}

impl<D: NumericDomain> NumericObject for D {
    fn object_assign(&mut self, target: VariableId, expression: &LinearExpression) {
        self.assign(target, expression);
    }
    fn object_apply(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
    ) {
        self.apply(operator, target, left, right);
    }
    fn object_assume(&mut self, constraint: &LinearConstraint) {
        self.assume(constraint);
    }
    fn object_bounds(&self, variable: VariableId) -> Interval {
        self.bounds(variable)
    }
    fn object_bounds_of(&self, expression: &LinearExpression) -> Interval {
        self.bounds_of(expression)
    }
    fn object_entails(&self, constraint: &LinearConstraint) -> bool {
        self.entails(constraint)
    }
    fn object_constraints(&self) -> Vec<LinearConstraint> {
        self.to_linear_constraints()
    }
    fn object_describe(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        self.describe_beyond_constraints(name)
    }
    fn object_backward_assign(
        &mut self,
        target: VariableId,
        expression: &LinearExpression,
        before: &dyn Any,
    ) {
        self.backward_assign(target, expression, same_domain(before));
    }
    fn object_backward_apply(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        operands: (&Operand, &Operand),
        before: &dyn Any,
    ) {
        self.backward_apply(
            operator,
            target,
            operands.0,
            operands.1,
            same_domain(before),
        );
    }
}

impl NumericDomain for AnyNumeric {
    fn assign(&mut self, target: VariableId, expression: &LinearExpression) {
        self.0.object_assign(target, expression);
    }
    fn apply(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
    ) {
        self.0.object_apply(operator, target, left, right);
    }
    fn assume(&mut self, constraint: &LinearConstraint) {
        self.0.object_assume(constraint);
    }
    fn bounds(&self, variable: VariableId) -> Interval {
        self.0.object_bounds(variable)
    }
    fn bounds_of(&self, expression: &LinearExpression) -> Interval {
        self.0.object_bounds_of(expression)
    }
    fn entails(&self, constraint: &LinearConstraint) -> bool {
        self.0.object_entails(constraint)
    }
    fn to_linear_constraints(&self) -> Vec<LinearConstraint> {
        self.0.object_constraints()
    }
    fn describe_beyond_constraints(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        self.0.object_describe(name)
    }
    fn backward_assign(
        &mut self,
        target: VariableId,
        expression: &LinearExpression,
        before: &AnyNumeric,
    ) {
        self.0
            .object_backward_assign(target, expression, before.0.as_any());
    }
    fn backward_apply(
        &mut self,
        operator: ArithmeticOperator,
        target: VariableId,
        left: &Operand,
        right: &Operand,
        before: &AnyNumeric,
    ) {
        self.0
            .object_backward_apply(operator, target, (left, right), before.0.as_any());
    }
}

trait ProgramObject: Lattice<AnyDomain> {
    fn object_transfer(&mut self, statement: &Statement);
    fn object_assume(&mut self, condition: &Condition);
    fn object_entails(&self, condition: &Condition) -> bool;
    fn object_bounds(&self, variable: VariableId) -> Interval;
    fn object_conditions(&self) -> Vec<Condition>;
    fn object_implications(&self) -> Vec<Implication>;
    fn object_describe(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String>;
    fn object_backward(&mut self, statement: &Statement, before: &dyn Any);
}

impl<D: ProgramDomain> ProgramObject for D {
    fn object_transfer(&mut self, statement: &Statement) {
        self.transfer(statement);
    }
    fn object_assume(&mut self, condition: &Condition) {
        self.assume(condition);
    }
    fn object_entails(&self, condition: &Condition) -> bool {
        self.entails(condition)
    }
    fn object_bounds(&self, variable: VariableId) -> Interval {
        self.bounds(variable)
    }
    fn object_conditions(&self) -> Vec<Condition> {
        self.to_conditions()
    }
    fn object_implications(&self) -> Vec<Implication> {
        self.implications()
    }
    fn object_describe(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        self.describe_beyond_conditions(name)
    }
    fn object_backward(&mut self, statement: &Statement, before: &dyn Any) {
        self.backward(statement, same_domain(before));
    }
}

impl ProgramDomain for AnyDomain {
    fn transfer(&mut self, statement: &Statement) {
        self.0.object_transfer(statement);
    }
    fn assume(&mut self, condition: &Condition) {
        self.0.object_assume(condition);
    }
    fn entails(&self, condition: &Condition) -> bool {
        self.0.object_entails(condition)
    }
    fn bounds(&self, variable: VariableId) -> Interval {
        self.0.object_bounds(variable)
    }
    fn to_conditions(&self) -> Vec<Condition> {
        self.0.object_conditions()
    }
    fn implications(&self) -> Vec<Implication> {
        self.0.object_implications()
    }
    fn describe_beyond_conditions(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        self.0.object_describe(name)
    }
    fn backward(&mut self, statement: &Statement, before: &AnyDomain) {
        self.0.object_backward(statement, before.0.as_any());
    }
}
