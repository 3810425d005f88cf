//! What can go wrong between us and a solver, and whose fault it is.

use foghorn_core::Exhausted;
use std::path::PathBuf;

/// Why a solver gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// The query is outside what this solver can do. Another solver may be able to.
    #[error("{solver} does not support {construct}")]
    Unsupported {
        solver: &'static str,
        construct: String,
    },
    /// The budget was spent first.
    #[error("the solver ran out of {0}")]
    Exhausted(#[from] Exhausted),
    /// The process could not be started.
    #[error("cannot start solver {program}: {reason}")]
    CannotStart { program: String, reason: String },
    /// The process ended or its pipe broke in the middle of a query.
    #[error("solver {program} died: {reason}")]
    Died { program: String, reason: String },
    /// The process answered something that is not an answer.
    #[error("solver {program} answered `{answer}` where {expected} was expected")]
    Garbage {
        program: String,
        answer: String,
        expected: &'static str,
    },
    /// Z3 reported an error through its error handler.
    #[error("Z3: {0}")]
    Z3(String),
    /// Another Z3 than the one we were built for was loaded.
    #[error("linked with Z3 `{found}`, but {expected} is needed")]
    WrongZ3 {
        found: String,
        expected: &'static str,
    },
    /// A value was asked for although the last check did not say satisfiable.
    #[error("there is no model: the last check did not say satisfiable")]
    NoModel,
    /// A core was asked for although the last check did not say unsatisfiable.
    #[error("there is no unsatisfiable core: the last check did not say unsatisfiable")]
    NoCore,
    /// A proof was asked for but none was requested or the last check did not say unsatisfiable.
    #[error("there is no proof: {0}")]
    NoProof(&'static str),
    /// More frames popped than pushed.
    #[error("cannot pop {wanted} frames: only {available} were pushed")]
    NothingToPop { wanted: usize, available: usize },
    /// A file could not be read or written.
    #[error("{path}: {reason}")]
    File { path: PathBuf, reason: String },
    /// A bug on our side, said aloud instead of guessed around.
    #[error("internal error: {0}")]
    Internal(String),
}

impl SolverError {
    pub(crate) fn file(path: impl Into<PathBuf>, error: &std::io::Error) -> Self {
        SolverError::File {
            path: path.into(),
            reason: error.to_string(),
        }
    }
}
