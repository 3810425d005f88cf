//! Predicates that nothing derives, and predicates that no query needs.

use super::{Image, Workshop};
use foghorn_term::FunctionId;
use rustc_hash::FxHashSet;

impl Workshop {
    /// Removes both kinds with their rules. True if something went.
    pub(super) fn remove_unreachable(&mut self) -> bool {
        let derived = self.derived();
        let needed = self.needed();
        let before = self.drafts.len();
        self.drafts.retain(|draft| {
            let rule = &draft.rule;
            let head = rule.head.as_ref().map(|head| head.predicate);
            rule.body.iter().all(|a| derived.contains(&a.predicate))
                && head.is_none_or(|head| needed.contains(&head))
        });
        let mut gone = false;
        for predicate in self.predicates.clone() {
            // Of a predicate that is neither derived nor needed both are true; empty is stronger.
            if !derived.contains(&predicate) {
                self.forget(predicate, Image::Empty);
                gone = true;
            } else if !needed.contains(&predicate) {
                self.forget(predicate, Image::Unneeded);
                gone = true;
            }
        }
        gone || self.drafts.len() != before
    }

    /// The predicates that have a derivation as far as the shape of the rules goes.
    fn derived(&self) -> FxHashSet<FunctionId> {
        let mut derived = FxHashSet::default();
        loop {
            let before = derived.len();
            for draft in &self.drafts {
                let rule = &draft.rule;
                if let Some(head) = &rule.head
                    && rule.body.iter().all(|a| derived.contains(&a.predicate))
                {
                    derived.insert(head.predicate);
                }
            }
            if derived.len() == before {
                return derived;
            }
        }
    }

    /// The predicates that a query depends on.
    fn needed(&self) -> FxHashSet<FunctionId> {
        let mut needed = FxHashSet::default();
        loop {
            let before = needed.len();
            for draft in &self.drafts {
                let rule = &draft.rule;
                let head = rule.head.as_ref().map(|head| head.predicate);
                if head.is_none_or(|head| needed.contains(&head)) {
                    needed.extend(rule.body.iter().map(|a| a.predicate));
                }
            }
            if needed.len() == before {
                return needed;
            }
        }
    }
}
