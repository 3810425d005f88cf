//! Constrained Horn clauses.
//!
//! A [`HornSystem`] is a set of predicates and named rules `body ∧ constraint → head`; a rule
//! without a head is a query, and the question is whether `false` can be derived. The answer comes
//! with its evidence: an interpretation per predicate that makes every rule true, or a derivation
//! of `false`. Both are checked here, rule by rule, with a solver that knows nothing of how they
//! were found.
//!
//! [`HornSolver`] is the trait, [`Spacer`] the back end; [`hints`] has the two ways in which
//! invariants from elsewhere can help Spacer (§4.2.7 of the SeaHorn paper).

mod cells;
mod derivation;
mod divide;
mod evidence;
mod execution;
mod generalise;
pub mod hints;
mod intervals;
pub mod member;
mod merge;
pub mod portfolio;
mod run;
mod simplify;
mod skeleton;
mod spacer;
mod strongest;
mod unrolling;

pub use derivation::{Derivation, GroundTerm, Step, StepId};
pub use evidence::Interpretation;
pub use hints::{Hint, HintMode};
pub use member::Member;
pub use portfolio::{Portfolio, Race, WorkerCommand};
pub use spacer::{Alone, Spacer};

use crate::error::SolverError;
use foghorn_core::Budget;
use foghorn_term::{FunctionId, TermId, TermPool};

/// A predicate applied to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    pub predicate: FunctionId,
    pub arguments: Vec<TermId>,
}

/// `body ∧ constraint → head`, for all values of the variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub name: String,
    /// Free constants that the rule quantifies. No two rules need different ones.
    pub variables: Vec<TermId>,
    pub body: Vec<Application>,
    /// A term without predicates.
    pub constraint: TermId,
    /// `None` stands for `false`: the rule is a query.
    pub head: Option<Application>,
}

/// Predicates and rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HornSystem {
    pub predicates: Vec<FunctionId>,
    pub rules: Vec<Rule>,
}

/// Interpretations that make every rule true, one per predicate, each after those it mentions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariants {
    pub interpretations: Vec<Interpretation>,
}

/// Is `false` derivable?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HornAnswer {
    /// No; SMT-LIB says `sat`.
    Solved(Invariants),
    /// Yes; SMT-LIB says `unsat`. The derivation is there if it was asked for.
    Refuted(Option<Derivation>),
    Unknown(String),
}

impl HornAnswer {
    /// SMT-LIB's word for it.
    pub fn word(&self) -> &'static str {
        match self {
            HornAnswer::Solved(_) => "sat",
            HornAnswer::Refuted(_) => "unsat",
            HornAnswer::Unknown(_) => "unknown",
        }
    }
}

/// What is wanted beside the answer.
#[derive(Clone, Debug, Default)]
pub struct HornOptions {
    pub budget: Budget,
    /// Ask for a derivation if `false` is derivable. Without it the solver may transform the rules
    /// beyond recognition and is faster.
    pub derivation: bool,
}

/// Solves systems of Horn clauses.
pub trait HornSolver {
    fn name(&self) -> &str;

    /// Solves a system. Hints are checked before they are used: one that is not inductive (together
    /// with the others) is dropped, never believed.
    fn solve(
        &mut self,
        pool: &TermPool,
        system: &HornSystem,
        hints: &[Hint],
        options: &HornOptions,
    ) -> Result<HornAnswer, SolverError>;
}
