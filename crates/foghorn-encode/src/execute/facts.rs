//! What another engine knows of a block, as assumptions.
//!
//! Facts hold in every run, so assuming them takes nothing away; they end paths that no run takes,
//! and bound the addresses that a memory representation has to tell apart. Only values whose term
//! is that of the present iteration are spoken of.

use super::Executor;
use crate::fact::{Aspect, Quantity, Subject};
use cranelift_entity::EntityRef as _;
use foghorn_ir::{BlockId, ValueId};
use foghorn_term::{Sort, TermId};

impl Executor<'_, '_> {
    /// Assumes what is known of the block that is entered.
    pub(crate) fn assume_facts(&mut self, block: BlockId) {
        let settings = self.settings;
        match settings.facts.of(self.frame().function, block) {
            None => {}
            Some(None) => {
                let never = self.pool.bool(false);
                self.frame_mut().guard = never;
            }
            Some(Some(facts)) => {
                for fact in facts {
                    let terms = fact.quantities().map(|of| self.quantity(of));
                    let Some(terms) = terms.collect::<Option<Vec<TermId>>>() else {
                        continue;
                    };
                    if let Some(term) = fact.term(self.pool, &terms) {
                        self.assume(term);
                    }
                }
            }
        }
    }

    fn quantity(&mut self, quantity: Quantity) -> Option<TermId> {
        let Subject::Value(number) = quantity.subject else {
            return None;
        };
        let (frame, value) = (self.frame(), ValueId::from_u32(number));
        if !frame.body.values.is_valid(value) {
            return None;
        }
        let is_constant = frame.body.as_constant(value).is_some();
        let plan = &frame.plan;
        let is_known = frame.values[value.index()].is_some()
            && plan.is_of_this_iteration(frame.body, value, frame.position);
        if !is_constant && !is_known {
            return None;
        }
        let term = self.get(value);
        match (quantity.aspect, self.pool.sort(term)) {
            (Aspect::Integer, Sort::BitVec(_)) | (Aspect::Boolean, Sort::Bool) => Some(term),
            (Aspect::Offset, Sort::Pointer { .. }) => Some(self.pool.pointer_offset(term)),
            _ => None,
        }
    }
}
