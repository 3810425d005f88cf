//! Naming shared subterms: a graph of terms becomes a list of small definitions and a small rest.

use crate::pool::{TermId, TermPool};
use rustc_hash::FxHashMap;

/// Terms over new symbols, and what the symbols stand for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Abstraction {
    /// The roots with shared subterms replaced by symbols.
    pub roots: Vec<TermId>,
    /// Symbol and definition; a definition mentions earlier symbols only.
    pub definitions: Vec<(TermId, TermId)>,
}

impl TermPool {
    /// Replaces every closed subterm that occurs at least `uses` times and is no leaf by a fresh symbol. The roots, under
    /// the equations of the definitions, are equivalent to the old ones.
    pub fn abstract_shared(&mut self, roots: &[TermId], uses: usize) -> Abstraction {
        let order: Vec<TermId> = self.post_order(roots).collect();
        let mut counts: FxHashMap<TermId, usize> = FxHashMap::default();
        for &term in &order {
            for &child in self.children(term) {
                *counts.entry(child).or_default() += 1;
            }
        }
        let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut definitions = Vec::new();
        for &term in &order {
            if self.children(term).is_empty() {
                new.insert(term, term);
                continue;
            }
            let children: Vec<TermId> =
                self.children(term).iter().map(|child| new[child]).collect();
            let rebuilt = self.intern(self.op(term), &children);
            let shared = counts.get(&term).is_some_and(|&count| count >= uses);
            if shared && self.is_closed(term) {
                let symbol = self.fresh_symbol("def", self.sort(term));
                definitions.push((symbol, rebuilt));
                new.insert(term, symbol);
            } else {
                new.insert(term, rebuilt);
            }
        }
        let roots = roots.iter().map(|root| new[root]).collect();
        Abstraction { roots, definitions }
    }

    /// Puts the definitions back in: the inverse of [`TermPool::abstract_shared`].
    pub fn expand_definitions(&mut self, abstraction: &Abstraction) -> Vec<TermId> {
        let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &(symbol, definition) in &abstraction.definitions {
            let expanded = self.rebuild_over(definition, &mut new);
            new.insert(symbol, expanded);
        }
        abstraction
            .roots
            .iter()
            .map(|&root| self.rebuild_over(root, &mut new))
            .collect()
    }

    /// The term with the mapped subterms replaced, as written; the map remembers every subterm it has seen.
    fn rebuild_over(&mut self, root: TermId, new: &mut FxHashMap<TermId, TermId>) -> TermId {
        let order: Vec<TermId> = self
            .post_order_where(&[root], |term| !new.contains_key(&term))
            .collect();
        for term in order {
            let children: Vec<TermId> =
                self.children(term).iter().map(|child| new[child]).collect();
            let rebuilt = if children.is_empty() {
                term
            } else {
                self.intern(self.op(term), &children)
            };
            new.insert(term, rebuilt);
        }
        new[&root]
    }
}
