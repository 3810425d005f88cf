//! Builders: the way to make terms.
//!
//! `make` normalises what it is given, cheaply and locally: it folds constants, orders the children of commutative
//! operators (by age, literals last), merges nested associative ones and drops neutral, repeated and absorbing operands.
//! Everything deeper is the business of the rewriter. The typed builders in the submodules are thin names over it.
//! `TermPool::intern` is the way around, for tests and for who needs a term exactly as written.
//!
//! Invariant: `make(op, c)` is equivalent to `intern(op, c)` in every model.

mod associative;
mod bitvec;
mod core;
mod memory;
mod number;

use crate::eval::{Value, apply_scalar};
use crate::op::Op;
use crate::pool::{Constant, TermId, TermPool};
use smallvec::SmallVec;

/// Children on their way into a term.
pub type Children = SmallVec<[TermId; 8]>;

impl TermPool {
    /// The normalised term for this operator and these children.
    ///
    /// # Panics
    /// When the children do not fit the operator.
    pub fn make(&mut self, op: Op, children: &[TermId]) -> TermId {
        match op {
            Op::Not => self.make_not(children[0]),
            Op::Xor => self.make_xor(children[0], children[1]),
            Op::Implies => {
                let negated = self.make_not(children[0]);
                self.make_associative(Op::Or, &[negated, children[1]])
            }
            Op::Ite => self.make_ite(children[0], children[1], children[2]),
            Op::Equal => self.make_equal(children[0], children[1]),
            Op::And
            | Op::Or
            | Op::BvAdd
            | Op::BvMul
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::IntAdd
            | Op::IntMul => self.make_associative(op, children),
            Op::Concat => self.make_concat(children),
            Op::ZeroExtend(0) | Op::SignExtend(0) => children[0],
            Op::Extract(high, 0) if self.width(children[0]) == high + 1 => children[0],
            Op::BvUmulOverflow | Op::BvSmulOverflow | Op::FloatEq => {
                let (a, b) = self.ordered(children[0], children[1]);
                self.fold_or_intern(op, &[a, b])
            }
            _ => self.fold_or_intern(op, children),
        }
    }

    /// The literal that the operator yields on literals, or the plain term.
    fn fold_or_intern(&mut self, op: Op, children: &[TermId]) -> TermId {
        match self.fold_constants(op, children) {
            Some(folded) => folded,
            None => self.intern(op, children),
        }
    }

    /// The value of an operator on literals, where SMT-LIB defines one.
    pub(crate) fn fold_constants(&mut self, op: Op, children: &[TermId]) -> Option<TermId> {
        if children.is_empty() || !children.iter().all(|&child| self.is_literal(child)) {
            return None;
        }
        let values: SmallVec<[Value; 4]> = children
            .iter()
            .map(|&child| self.literal_value(child))
            .collect::<Option<_>>()?;
        let references: SmallVec<[&Value; 4]> = values.iter().collect();
        let value = apply_scalar(op, &references)?;
        self.literal(value)
    }

    /// Whether the term is `true`, `false` or a literal.
    #[inline]
    pub fn is_literal(&self, term: TermId) -> bool {
        matches!(self.op(term), Op::True | Op::False | Op::Constant(_))
    }

    /// The value of a literal.
    pub fn literal_value(&self, term: TermId) -> Option<Value> {
        match self.op(term) {
            Op::True => Some(Value::Bool(true)),
            Op::False => Some(Value::Bool(false)),
            Op::Constant(id) => Some(self.constant_data(id).clone().into()),
            _ => None,
        }
    }

    /// The literal of a scalar value. Pointers, arrays and elements of uninterpreted sorts have none.
    pub fn literal(&mut self, value: Value) -> Option<TermId> {
        match value {
            Value::Bool(value) => Some(self.bool(value)),
            Value::BitVec(value) => Some(self.constant(Constant::BitVec(value))),
            Value::Int(value) => Some(self.constant(Constant::Int(value))),
            Value::Float(value) => Some(self.constant(Constant::Float(value))),
            Value::Pointer { .. } | Value::Uninterpreted(_) | Value::Array(_) => None,
        }
    }

    /// Two operands in canonical order: older first, literals last.
    pub(crate) fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        if self.order_key(a) <= self.order_key(b) {
            (a, b)
        } else {
            (b, a)
        }
    }

    pub(crate) fn order_key(&self, term: TermId) -> (bool, TermId) {
        (self.is_literal(term), term)
    }
}
