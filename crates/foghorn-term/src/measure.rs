//! Measures of terms: what occurs in them and how large they are.

use crate::op::{FunctionId, Op, SymbolId};
use crate::pool::{TermId, TermPool};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

impl TermPool {
    /// The free constants that occur in the terms, in order of declaration.
    pub fn free_symbols(&self, roots: &[TermId]) -> Vec<SymbolId> {
        let found: BTreeSet<SymbolId> = self
            .post_order(roots)
            .filter_map(|term| match self.op(term) {
                Op::Symbol(symbol) => Some(symbol),
                _ => None,
            })
            .collect();
        found.into_iter().collect()
    }

    /// The uninterpreted functions that occur in the terms, in order of declaration.
    pub fn free_functions(&self, roots: &[TermId]) -> Vec<FunctionId> {
        let found: BTreeSet<FunctionId> = self
            .post_order(roots)
            .filter_map(|term| match self.op(term) {
                Op::Apply(function) => Some(function),
                _ => None,
            })
            .collect();
        found.into_iter().collect()
    }

    /// Number of different subterms.
    pub fn dag_size(&self, roots: &[TermId]) -> usize {
        self.post_order(roots).count()
    }

    /// Number of nodes of the term written out as a tree; `u128::MAX` stands for that many or more.
    pub fn tree_size(&self, root: TermId) -> u128 {
        let mut sizes: FxHashMap<TermId, u128> = FxHashMap::default();
        for term in self.post_order(&[root]) {
            let children = self.children(term).iter();
            let size = children.fold(1u128, |sum, child| sum.saturating_add(sizes[child]));
            sizes.insert(term, size);
        }
        sizes[&root]
    }

    /// Length of the longest path from the term to a leaf, in nodes.
    pub fn depth(&self, root: TermId) -> usize {
        let mut depths: FxHashMap<TermId, usize> = FxHashMap::default();
        for term in self.post_order(&[root]) {
            let deepest = self.children(term).iter().map(|child| depths[child]).max();
            depths.insert(term, 1 + deepest.unwrap_or(0));
        }
        depths[&root]
    }
}
