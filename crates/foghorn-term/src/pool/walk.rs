//! Walking a term's graph without recursion, each shared subterm once.

use super::{TermId, TermPool};
use cranelift_entity::EntitySet;

/// Subterms, children before parents, each once, in the deterministic order of a depth-first walk.
pub struct PostOrder<'a, F> {
    pool: &'a TermPool,
    stack: Vec<(TermId, u32)>,
    seen: EntitySet<TermId>,
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
            seen: EntitySet::new(),
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
