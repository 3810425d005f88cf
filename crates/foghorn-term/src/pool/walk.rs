//! Walking a term's graph without recursion, each shared subterm once.

use super::{TermId, TermPool};
use cranelift_entity::EntitySet;
use rustc_hash::FxHashSet;

/// A walk over more terms than this keeps one bit for each term of the pool, which to set up costs as much as the pool is
/// large: many short walks over terms of a large pool would do little else.
const FEW: usize = 512;

/// The terms that a walk has left behind.
#[derive(Default)]
struct Seen {
    few: FxHashSet<TermId>,
    many: Option<EntitySet<TermId>>,
}

impl Seen {
    fn contains(&self, term: TermId) -> bool {
        match &self.many {
            Some(many) => many.contains(term),
            None => self.few.contains(&term),
        }
    }

    /// False if it was there.
    fn insert(&mut self, term: TermId) -> bool {
        if let Some(many) = &mut self.many {
            return many.insert(term);
        }
        let is_new = self.few.insert(term);
        if self.few.len() > FEW {
            let mut many = EntitySet::new();
            for term in self.few.drain() {
                many.insert(term);
            }
            self.many = Some(many);
        }
        is_new
    }
}

/// Subterms, children before parents, each once, in the deterministic order of a depth-first walk.
pub struct PostOrder<'a, F> {
    pool: &'a TermPool,
    stack: Vec<(TermId, u32)>,
    seen: Seen,
    enter: F,
}

impl TermPool {
    /// Every subterm of the roots once, children first.
    pub fn post_order(&self, roots: &[TermId]) -> PostOrder<'_, fn(TermId) -> bool> {
        self.post_order_where(roots, |_| true)
    }

    /// As [`TermPool::post_order`], but neither yielding nor entering the subterms that `enter` refuses.
    pub fn post_order_where<F: FnMut(TermId) -> bool>(
        &self,
        roots: &[TermId],
        enter: F,
    ) -> PostOrder<'_, F> {
        let mut order = PostOrder {
            pool: self,
            stack: Vec::new(),
            seen: Seen::default(),
            enter,
        };
        for &root in roots.iter().rev() {
            order.stack.push((root, 0));
        }
        order
    }
}

impl<F: FnMut(TermId) -> bool> Iterator for PostOrder<'_, F> {
    type Item = TermId;

    fn next(&mut self) -> Option<TermId> {
        while let Some(&mut (term, ref mut next)) = self.stack.last_mut() {
            if *next == 0 && (self.seen.contains(term) || !(self.enter)(term)) {
                self.stack.pop();
                continue;
            }
            // A frame with `next > 0` was entered; its term is marked as seen only from here on, which is right because
            // the graph has no cycles.
            let children = self.pool.children(term);
            if let Some(&child) = children.get(*next as usize) {
                *next += 1;
                if !self.seen.contains(child) {
                    self.stack.push((child, 0));
                }
                continue;
            }
            self.stack.pop();
            if self.seen.insert(term) {
                return Some(term);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::TermPool;
    use rustc_hash::FxHashSet;

    /// Shared terms are met once, in walks over few terms and over many.
    #[test]
    fn every_subterm_comes_once_after_its_children() {
        for length in [3, super::FEW, 3 * super::FEW] {
            let mut pool = TermPool::new();
            let mut term = pool.int_symbol("x");
            for number in 0..length {
                let other = pool.int_symbol(&format!("y{number}"));
                let (one, two) = (pool.int_add(term, other), pool.int_mul(term, other));
                term = pool.int_add(one, two);
            }
            let mut seen = FxHashSet::default();
            for met in pool.post_order(&[term]) {
                let children = pool.children(met);
                assert!(children.iter().all(|child| seen.contains(child)));
                assert!(seen.insert(met), "{met:?} comes twice");
            }
            assert!(seen.len() > length);
        }
    }
}
