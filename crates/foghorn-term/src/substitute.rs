//! Substitution of terms for terms, capture-avoiding, without recursion.
//!
//! Subterms that cannot contain what is replaced are left alone without being looked at: a term is never younger than a
//! term that contains it. A λ whose variable is replaced (a shadow) or occurs free in a replacement (a capture) is worked
//! on under a substitution of its own; all other λs go through like any operator.

use crate::op::{BoundId, Op};
use crate::pool::{Loose, TermId, TermPool};
use rustc_hash::FxHashMap;

/// Which terms are replaced by which. The terms replaced are usually symbols, but may be any.
#[derive(Clone, Default, Debug)]
pub struct Substitution {
    map: FxHashMap<TermId, TermId>,
}

impl Substitution {
    /// The substitution that changes nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces `from` by `to` as well.
    pub fn insert(&mut self, pool: &TermPool, from: TermId, to: TermId) {
        assert_eq!(
            pool.sort_id(from),
            pool.sort_id(to),
            "invariant: substitution keeps the sort"
        );
        self.map.insert(from, to);
    }

    /// What `term` is replaced by.
    pub fn get(&self, term: TermId) -> Option<TermId> {
        self.map.get(&term).copied()
    }

    /// Whether nothing is replaced.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }
}

impl FromIterator<(TermId, TermId)> for Substitution {
    fn from_iter<I: IntoIterator<Item = (TermId, TermId)>>(pairs: I) -> Self {
        Substitution {
            map: pairs.into_iter().collect(),
        }
    }
}

impl TermPool {
    /// The term with every occurrence of what the substitution mentions replaced, all at once.
    pub fn substitute(&mut self, term: TermId, substitution: &Substitution) -> TermId {
        Substituter::new(self, substitution.map.clone()).run(term)
    }

    /// The body of a λ at an index: one step of β-reduction.
    ///
    /// # Panics
    /// When `lambda` is no λ.
    pub fn beta_reduce(&mut self, lambda: TermId, index: TermId) -> TermId {
        let Op::Lambda(bound) = self.op(lambda) else {
            panic!("invariant: only a λ is reduced")
        };
        let body = self.child(lambda, 0);
        let variable = self.bound_term(bound);
        let map = std::iter::once((variable, index)).collect();
        Substituter::new(self, map).run(body)
    }
}

/// One substitution at work on one term.
struct Pass {
    map: FxHashMap<TermId, TermId>,
    /// Nothing older than this can change.
    oldest: TermId,
    /// The bound variables that are replaced.
    replaced: Vec<BoundId>,
    /// Only bound variables are replaced, so closed terms do not change.
    only_bound: bool,
    /// Variables free in the replacements; `None` when there may be others.
    loose: Option<Vec<BoundId>>,
    done: FxHashMap<TermId, TermId>,
    stack: Vec<TermId>,
    root: TermId,
    /// The λ of the enclosing pass that this pass computes, with the variable it gets.
    lambda: Option<(TermId, BoundId)>,
}

struct Substituter<'a> {
    pool: &'a mut TermPool,
    passes: Vec<Pass>,
    map: FxHashMap<TermId, TermId>,
}

impl<'a> Substituter<'a> {
    fn new(pool: &'a mut TermPool, map: FxHashMap<TermId, TermId>) -> Self {
        Substituter {
            pool,
            passes: Vec::new(),
            map,
        }
    }

    fn run(mut self, term: TermId) -> TermId {
        if self.map.is_empty() {
            return term;
        }
        let map = std::mem::take(&mut self.map);
        self.start(map, term, None);
        loop {
            let pass = self
                .passes
                .last_mut()
                .expect("invariant: a pass is at work");
            match pass.stack.last() {
                Some(&next) => self.visit(next),
                None => {
                    let pass = self.passes.pop().expect("invariant: a pass is at work");
                    let result = pass.done[&pass.root];
                    let Some((lambda, bound)) = pass.lambda else {
                        return result;
                    };
                    let made = self.pool.lambda_over(bound, result);
                    self.finish(lambda, made);
                }
            }
        }
    }

    fn start(
        &mut self,
        map: FxHashMap<TermId, TermId>,
        root: TermId,
        lambda: Option<(TermId, BoundId)>,
    ) {
        let pool = &*self.pool;
        let oldest = map.keys().copied().min().unwrap_or(root);
        let replaced: Vec<BoundId> = map
            .keys()
            .filter_map(|&key| match pool.op(key) {
                Op::Bound(bound) => Some(bound),
                _ => None,
            })
            .collect();
        let only_bound = replaced.len() == map.len();
        let mut loose = Some(Vec::new());
        for &replacement in map.values() {
            match (pool.loose(replacement), &mut loose) {
                (Loose::None, _) | (_, None) => {}
                (Loose::One(bound), Some(list)) => list.push(bound),
                (Loose::Many, Some(_)) => loose = None,
            }
        }
        let done = FxHashMap::default();
        let pass = Pass {
            map,
            oldest,
            replaced,
            only_bound,
            loose,
            done,
            stack: vec![root],
            root,
            lambda,
        };
        self.passes.push(pass);
    }

    fn pass(&mut self) -> &mut Pass {
        self.passes
            .last_mut()
            .expect("invariant: a pass is at work")
    }

    fn finish(&mut self, term: TermId, result: TermId) {
        let pass = self.pass();
        pass.stack.pop();
        pass.done.insert(term, result);
    }

    /// What is known of a term without working on it.
    fn known(pool: &TermPool, pass: &Pass, term: TermId) -> Option<TermId> {
        if let Some(&done) = pass.done.get(&term) {
            return Some(done);
        }
        if let Some(&replacement) = pass.map.get(&term) {
            return Some(replacement);
        }
        let untouched = term < pass.oldest || (pass.only_bound && pool.is_closed(term));
        (untouched || pool.children(term).is_empty()).then_some(term)
    }

    fn visit(&mut self, term: TermId) {
        let pool = &*self.pool;
        let pass = self.passes.last().expect("invariant: a pass is at work");
        if let Some(known) = Self::known(pool, pass, term) {
            return self.finish(term, known);
        }
        if let Op::Lambda(bound) = pool.op(term)
            && Self::needs_own_pass(pass, bound)
        {
            return self.enter_lambda(term, bound);
        }
        let children = pool.children(term);
        let mut new = crate::build::Children::new();
        let mut missing = crate::build::Children::new();
        for &child in children {
            match Self::known(pool, pass, child) {
                Some(known) => new.push(known),
                None => missing.push(child),
            }
        }
        if !missing.is_empty() {
            return self.pass().stack.extend(missing);
        }
        let unchanged = children == &new[..];
        let result = if unchanged {
            term
        } else {
            self.pool.make(self.pool.op(term), &new)
        };
        self.finish(term, result);
    }

    fn needs_own_pass(pass: &Pass, bound: BoundId) -> bool {
        let captured = pass
            .loose
            .as_ref()
            .is_none_or(|loose| loose.contains(&bound));
        captured || pass.replaced.contains(&bound)
    }

    /// Works on a λ under the substitution without its variable, which is renamed.
    fn enter_lambda(&mut self, term: TermId, bound: BoundId) {
        let variable = self.pool.bound_term(bound);
        let fresh = self.pool.bound_variable(self.pool.bound_sort(bound));
        let Op::Bound(fresh_id) = self.pool.op(fresh) else {
            unreachable!("invariant: a new bound variable is one")
        };
        let mut map = self.pass().map.clone();
        map.insert(variable, fresh);
        let body = self.pool.child(term, 0);
        self.start(map, body, Some((term, fresh_id)));
    }
}
