//! The loop: algorithms 1 (`visit`), 2 (`process`), 3 (`rewrite`), 4 (`mark`) and 5 (`settle`).

use super::{RewriteRules, Status, Step};
use crate::build::Children;
use crate::pool::{TermId, TermPool};
use cranelift_entity::EntityRef;
use cranelift_entity::packed_option::PackedOption;
use thiserror::Error;

/// Levels without bound.
const FULL: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Frame {
    term: TermId,
    /// Levels to rewrite below this node.
    depth: u32,
    /// Children before this one are rewritten.
    next: u32,
    /// The node has been rewritten to something that is now under rewrite itself.
    rewriting: bool,
}

/// What a rewriter did.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Terms looked at.
    pub visits: u64,
    /// Looks that the cache answered.
    pub cache_hits: u64,
    /// Terms whose children were rewritten and which the rules were asked about.
    pub applications: u64,
    /// Applications that changed the term.
    pub steps: u64,
    /// Terms remembered at the end of a rewrite of several steps.
    pub multi_step_cached: u64,
}

/// The rules took more steps than they were allowed to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("rewriting stopped after {limit} applications of rules")]
pub struct StepLimit {
    pub limit: u64,
}

/// A rewriter with its rules and its memory of what it has rewritten, for the terms of one pool.
pub struct Rewriter<R> {
    rules: R,
    cache: Vec<PackedOption<TermId>>,
    frames: Vec<Frame>,
    results: Vec<TermId>,
    multi_step_caching: bool,
    limit: u64,
    statistics: Statistics,
}

impl<R: RewriteRules> Rewriter<R> {
    /// A rewriter that has seen nothing yet.
    pub fn new(rules: R) -> Self {
        Rewriter {
            rules,
            cache: Vec::new(),
            frames: Vec::new(),
            results: Vec::new(),
            multi_step_caching: true,
            limit: u64::MAX,
            statistics: Statistics::default(),
        }
    }

    /// Switches multi-step caching (algorithms 4 and 5) off. Only benchmarks want this.
    #[must_use]
    pub fn without_multi_step_caching(mut self) -> Self {
        self.multi_step_caching = false;
        self
    }

    /// Bounds the number of applications of rules over the life of the rewriter.
    #[must_use]
    pub fn with_step_limit(mut self, limit: u64) -> Self {
        self.limit = limit;
        self
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The rules.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The rules.
    pub fn rules_mut(&mut self) -> &mut R {
        &mut self.rules
    }

    /// Bytes of the cache and the stacks.
    pub fn bytes(&self) -> usize {
        self.cache.capacity() * std::mem::size_of::<PackedOption<TermId>>()
            + self.frames.capacity() * std::mem::size_of::<Frame>()
            + self.results.capacity() * std::mem::size_of::<TermId>()
    }

    /// Forgets what was rewritten, which is needed when the rules' minds change.
    pub fn clear_cache(&mut self) {
        self.cache.clear();
    }

    /// The rewritten term.
    ///
    /// # Panics
    /// When a step limit is set and reached; see [`Rewriter::try_rewrite`].
    pub fn rewrite(&mut self, pool: &mut TermPool, term: TermId) -> TermId {
        self.try_rewrite(pool, term)
            .expect("invariant: no step limit, or one that suffices")
    }

    /// The rewritten term, unless the step limit is reached first.
    pub fn try_rewrite(&mut self, pool: &mut TermPool, term: TermId) -> Result<TermId, StepLimit> {
        self.frames.clear();
        self.results.clear();
        self.visit(pool, term, FULL);
        while let Some(&frame) = self.frames.last() {
            debug_assert!(
                !frame.rewriting,
                "invariant: a marked frame is below its rewrite"
            );
            if self.statistics.applications >= self.limit {
                return Err(StepLimit { limit: self.limit });
            }
            self.process(pool, frame);
        }
        Ok(self
            .results
            .pop()
            .expect("invariant: the rewritten root is on the result stack"))
    }

    fn cached(&self, term: TermId) -> Option<TermId> {
        self.cache
            .get(term.index())
            .and_then(|entry| entry.expand())
    }

    fn remember(&mut self, term: TermId, result: TermId) {
        let index = term.index();
        if index >= self.cache.len() {
            if index >= self.cache.capacity() {
                self.cache
                    .reserve_exact(index + 1 - self.cache.len() + index / 2);
            }
            self.cache.resize(index + 1, None.into());
        }
        self.cache[index] = Some(result).into();
    }

    /// Algorithm 1: true when the result is on the result stack, false when a frame was pushed.
    fn visit(&mut self, pool: &TermPool, term: TermId, depth: u32) -> bool {
        self.statistics.visits += 1;
        if depth == 0 || !self.rules.should_rewrite(pool, term) {
            self.results.push(term);
            return true;
        }
        if let Some(result) = self.cached(term) {
            self.statistics.cache_hits += 1;
            self.results.push(result);
            return true;
        }
        self.push(term, depth);
        false
    }

    fn push(&mut self, term: TermId, depth: u32) {
        let depth = if depth == FULL { FULL } else { depth - 1 };
        self.frames.push(Frame {
            term,
            depth,
            next: 0,
            rewriting: false,
        });
    }

    /// Algorithm 2.
    fn process(&mut self, pool: &mut TermPool, mut frame: Frame) {
        let count = pool.children(frame.term).len();
        while (frame.next as usize) < count {
            let child = pool.child(frame.term, frame.next as usize);
            frame.next += 1;
            let top = self
                .frames
                .last_mut()
                .expect("invariant: the frame is on the stack");
            top.next = frame.next;
            if !self.visit(pool, child, frame.depth) {
                return;
            }
        }
        self.frames.pop();
        let old = self.renew(pool, frame.term, count);
        let step = self.apply(pool, old);
        match step.status {
            Status::Done | Status::Skip => {
                self.results.push(step.term);
                self.remember(frame.term, step.term);
                if self.multi_step_caching {
                    self.remember(old, step.term);
                    self.remember(step.term, step.term);
                }
                self.settle();
            }
            Status::Rewrite(levels) => self.go_on(pool, frame.term, old, step.term, levels),
            Status::Full => self.go_on(pool, frame.term, old, step.term, FULL),
        }
    }

    /// The term with its children replaced by the `count` topmost results.
    fn renew(&mut self, pool: &mut TermPool, term: TermId, count: usize) -> TermId {
        let from = self.results.len() - count;
        let renewed = if pool.children(term) == &self.results[from..] {
            term
        } else {
            let children = Children::from_slice(&self.results[from..]);
            pool.make(pool.op(term), &children)
        };
        self.results.truncate(from);
        renewed
    }

    fn apply(&mut self, pool: &mut TermPool, old: TermId) -> Step {
        self.statistics.applications += 1;
        if self.multi_step_caching
            && let Some(known) = self.cached(old)
        {
            return Step::done(known);
        }
        let step = self.rules.apply(pool, old);
        debug_assert_eq!(
            pool.sort_id(old),
            pool.sort_id(step.term),
            "invariant: rules keep the sort"
        );
        self.statistics.steps += u64::from(step.term != old);
        self.rules.after_step(pool, old, step.term);
        step
    }

    /// The step was not the last: rewrite its outcome.
    fn go_on(&mut self, pool: &TermPool, term: TermId, old: TermId, new: TermId, levels: u32) {
        if !self.multi_step_caching {
            if levels == 0 {
                self.results.push(new);
            } else {
                self.push(new, levels);
            }
            return;
        }
        self.mark(term);
        if old != term {
            self.mark(old);
        }
        if self.visit(pool, new, levels) {
            self.settle();
        }
    }

    /// Algorithm 4: leaves a mark that the term waits for the rewrite above it.
    fn mark(&mut self, term: TermId) {
        self.frames.push(Frame {
            term,
            depth: 0,
            next: 0,
            rewriting: true,
        });
    }

    /// Algorithm 5: the topmost result is what all terms that wait for it become.
    fn settle(&mut self) {
        while let Some(&frame) = self.frames.last()
            && frame.rewriting
        {
            let result = *self
                .results
                .last()
                .expect("invariant: a result was just pushed");
            self.frames.pop();
            self.remember(frame.term, result);
            self.statistics.multi_step_cached += 1;
        }
    }
}
