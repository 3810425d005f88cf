//! The multi-step rewriter: §7.1 of the SEAM thesis, algorithms 1 to 5.
//!
//! A term is rewritten children first, with two explicit stacks: frames under work and results. After each step the rules
//! say what is to be done with the new term ([`Status`]). Multi-step caching is what keeps a graph a graph: in a rewrite
//! `a ⇝ b ⇝ c` not only `b` but also `a` must be remembered to become `c`, else a term shared by two parents is rewritten
//! once for each way that leads to it (fig. 7.1). A frame marked `rewriting` stays on the stack below its own rewrite for
//! that purpose and is settled when the rewrite is. Where the thesis keeps one mark for a chain of steps, here each
//! intermediate term is marked, so that a later visit that enters the chain in its middle finds the end as well.
//!
//! Theorem 5: with multi-step caching the time is linear in the number of different terms met. `foghorn bench terms`
//! measures it.

mod engine;

pub use engine::{Rewriter, Statistics, StepLimit};

use crate::pool::{TermId, TermPool};

/// What is to be done with the outcome of a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// The term is final.
    Done,
    /// Rewrite further, that many levels down; what is below has been rewritten already.
    Rewrite(u32),
    /// Rewrite further without bound.
    Full,
    /// The term is final and `should_rewrite` refuses it.
    Skip,
}

/// One step: the new term and what is to be done with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub term: TermId,
    pub status: Status,
}

impl Step {
    /// The term is final.
    pub fn done(term: TermId) -> Self {
        Step {
            term,
            status: Status::Done,
        }
    }

    /// The top `levels` levels of the term are new.
    pub fn rewrite(levels: u32, term: TermId) -> Self {
        Step {
            term,
            status: Status::Rewrite(levels),
        }
    }

    /// All of the term may be new.
    pub fn full(term: TermId) -> Self {
        Step {
            term,
            status: Status::Full,
        }
    }
}

/// What a rewriter is configured with.
pub trait RewriteRules {
    /// Whether the term and what is below it is to be visited.
    fn should_rewrite(&mut self, pool: &TermPool, term: TermId) -> bool {
        let _ = (pool, term);
        true
    }

    /// Applies at most one rule to a term whose children are rewritten. When no rule applies, the term itself with
    /// `Status::Done`. The new term must be equivalent to the old one.
    fn apply(&mut self, pool: &mut TermPool, term: TermId) -> Step;

    /// Called after each step with the term before and after.
    fn after_step(&mut self, pool: &TermPool, old: TermId, new: TermId) {
        let _ = (pool, old, new);
    }
}
