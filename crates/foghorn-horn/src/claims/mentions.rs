//! What a claim speaks of.

use foghorn_encode::claim::{Expression, Formula, Subject};
use std::collections::BTreeSet;

/// What a formula mentions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// The arbitrary object or offset.
    pub every: bool,
    /// Memories that are read at the arbitrary object.
    pub memories: BTreeSet<Subject>,
}

impl Mentions {
    pub fn of(formula: &Formula) -> Self {
        let mut found = Mentions::default();
        found.formula(formula);
        found
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Constant(_) | Formula::Truth(_) => {}
            Formula::Compare { left, right, .. } => {
                self.expression(left);
                self.expression(right);
            }
            Formula::Alive(of) | Formula::AliveAtEntry(of) | Formula::OnHeap(of) => {
                self.expression(of);
            }
            Formula::Not(of) | Formula::ForEvery(of) => self.formula(of),
            Formula::All(parts) | Formula::Any(parts) => {
                for part in parts {
                    self.formula(part);
                }
            }
            Formula::Implies(when, then) => {
                self.formula(when);
                self.formula(then);
            }
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Number(_)
            | Expression::Signed(_)
            | Expression::Unsigned(_)
            | Expression::Object(_)
            | Expression::Offset(_)
            | Expression::NextObject
            | Expression::NextObjectAtEntry => {}
            Expression::EveryObject | Expression::EveryOffset => self.every = true,
            Expression::Size(of)
            | Expression::Scaled(_, of)
            | Expression::Quotient(of, _)
            | Expression::Remainder(of, _)
            | Expression::Wrapped { of, .. } => self.expression(of),
            Expression::Content(content) => {
                if content.object == Expression::EveryObject {
                    self.memories.insert(content.memory);
                }
                self.expression(&content.object);
                self.expression(&content.offset);
            }
            Expression::Sum(parts) => {
                for part in parts {
                    self.expression(part);
                }
            }
            Expression::Product(left, right) | Expression::Bits { left, right, .. } => {
                self.expression(left);
                self.expression(right);
            }
            Expression::Choice(when, then, otherwise) => {
                self.formula(when);
                self.expression(then);
                self.expression(otherwise);
            }
        }
    }
}
