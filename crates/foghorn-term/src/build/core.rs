//! Builders of the core theory: Booleans, equality, `ite`, uninterpreted functions.

use crate::op::{FunctionId, Op};
use crate::pool::{TermId, TermPool};

impl TermPool {
    /// `true` or `false`.
    pub fn bool(&self, value: bool) -> TermId {
        self.truth(value)
    }

    /// The value, if the term is `true` or `false`.
    pub fn as_bool(&self, term: TermId) -> Option<bool> {
        match self.op(term) {
            Op::True => Some(true),
            Op::False => Some(false),
            _ => None,
        }
    }

    /// Negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        self.make(Op::Not, &[a])
    }

    /// Conjunction of any number of terms.
    pub fn and(&mut self, children: &[TermId]) -> TermId {
        self.make_associative(Op::And, children)
    }

    /// Disjunction of any number of terms.
    pub fn or(&mut self, children: &[TermId]) -> TermId {
        self.make_associative(Op::Or, children)
    }

    /// Exclusive disjunction.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.make(Op::Xor, &[a, b])
    }

    /// Implication.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        self.make(Op::Implies, &[a, b])
    }

    /// If-then-else of any sort.
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        self.make(Op::Ite, &[condition, then, otherwise])
    }

    /// Equality of any sort.
    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        self.make(Op::Equal, &[a, b])
    }

    /// Disequality.
    pub fn not_equal(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.equal(a, b);
        self.not(equal)
    }

    /// Pairwise disequality.
    pub fn distinct(&mut self, children: &[TermId]) -> TermId {
        let mut pairs = Vec::new();
        for (position, &a) in children.iter().enumerate() {
            for &b in &children[position + 1..] {
                pairs.push(self.not_equal(a, b));
            }
        }
        self.and(&pairs)
    }

    /// Application of an uninterpreted function or predicate.
    pub fn apply(&mut self, function: FunctionId, arguments: &[TermId]) -> TermId {
        self.intern(Op::Apply(function), arguments)
    }

    pub(super) fn make_not(&mut self, a: TermId) -> TermId {
        match self.op(a) {
            Op::True => self.bool(false),
            Op::False => self.bool(true),
            Op::Not => self.child(a, 0),
            _ => self.intern(Op::Not, &[a]),
        }
    }

    /// Exclusive or is written as a negated equality, so that there is one form.
    pub(super) fn make_xor(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.make_equal(a, b);
        self.make_not(equal)
    }

    pub(super) fn make_equal(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.bool(true);
        }
        if self.is_literal(a) && self.is_literal(b) {
            // Literals are canonical, so two different ones denote different values.
            return self.bool(false);
        }
        let (a, b) = self.ordered(a, b);
        match self.op(b) {
            Op::True => a,
            Op::False => self.make_not(a),
            _ => self.equal_up_to_sign(a, b),
        }
    }

    /// `¬x = y` becomes `¬(x = y)`: negations of Booleans move outwards.
    fn equal_up_to_sign(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.op(a), self.op(b)) {
            (Op::Not, Op::Not) => {
                let (a, b) = (self.child(a, 0), self.child(b, 0));
                self.make_equal(a, b)
            }
            (Op::Not, _) => {
                let equal = self.make_equal(self.child(a, 0), b);
                self.make_not(equal)
            }
            (_, Op::Not) => {
                let equal = self.make_equal(a, self.child(b, 0));
                self.make_not(equal)
            }
            _ => self.intern(Op::Equal, &[a, b]),
        }
    }

    pub(super) fn make_ite(
        &mut self,
        condition: TermId,
        then: TermId,
        otherwise: TermId,
    ) -> TermId {
        match self.op(condition) {
            Op::True => return then,
            Op::False => return otherwise,
            Op::Not => return self.make_ite(self.child(condition, 0), otherwise, then),
            _ => {}
        }
        if then == otherwise {
            return then;
        }
        match (self.as_bool(then), self.as_bool(otherwise)) {
            (Some(true), Some(false)) => condition,
            (Some(false), Some(true)) => self.make_not(condition),
            _ => self.intern(Op::Ite, &[condition, then, otherwise]),
        }
    }
}
