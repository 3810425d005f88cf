//! Predicates that nothing derives, and predicates that no query needs.

use super::{Image, Workshop};
use foghorn_term::FunctionId;
use rustc_hash::{FxHashMap, FxHashSet};

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
        // How many premises of each rule are not derived yet, and the rules that wait for a predicate.
        let mut open: Vec<usize> = self.drafts.iter().map(|d| d.rule.body.len()).collect();
        let mut waiting: FxHashMap<FunctionId, Vec<usize>> = FxHashMap::default();
        for (index, draft) in self.drafts.iter().enumerate() {
            for premise in &draft.rule.body {
                waiting.entry(premise.predicate).or_default().push(index);
            }
        }
        let facts = (0..open.len()).filter(|index| open[*index] == 0);
        let mut pending: Vec<usize> = facts.collect();
        while let Some(index) = pending.pop() {
            let Some(head) = &self.drafts[index].rule.head else {
                continue;
            };
            if !derived.insert(head.predicate) {
                continue;
            }
            for rule in waiting.get(&head.predicate).into_iter().flatten() {
                open[*rule] -= 1;
                if open[*rule] == 0 {
                    pending.push(*rule);
                }
            }
        }
        derived
    }

    /// The predicates that a query depends on.
    fn needed(&self) -> FxHashSet<FunctionId> {
        let mut by_head: FxHashMap<Option<FunctionId>, Vec<usize>> = FxHashMap::default();
        for (index, draft) in self.drafts.iter().enumerate() {
            let head = draft.rule.head.as_ref().map(|head| head.predicate);
            by_head.entry(head).or_default().push(index);
        }
        let mut needed = FxHashSet::default();
        let mut pending = vec![None];
        while let Some(head) = pending.pop() {
            for index in by_head.get(&head).into_iter().flatten() {
                for premise in &self.drafts[*index].rule.body {
                    if needed.insert(premise.predicate) {
                        pending.push(Some(premise.predicate));
                    }
                }
            }
        }
        needed
    }
}
