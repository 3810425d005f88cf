//! Analyses of programs, generic in the domain.
//!
//! - [`forward`]: reachable states of one function;
//! - [`backward`]: states that may reach a failing assertion, and the alternation of both;
//! - [`interprocedural`]: whole programs, by summaries or by memoised contexts;
//! - [`liveness`]: which variables matter where;
//! - [`constants`]: widening thresholds;
//! - [`checker`]: assertions, divisions and dereferences against invariants.

pub mod backward;
pub mod checker;
pub mod constants;
pub mod forward;
pub mod interprocedural;
pub mod liveness;

pub use checker::{Check, CheckKind, CheckStatus};
pub use forward::{AnalysisOptions, CallSemantics, FunctionStates, OpaqueCalls};
