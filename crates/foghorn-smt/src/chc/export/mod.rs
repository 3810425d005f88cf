//! Horn systems in the words of other tools.
//!
//! [`smt2`](super::print) is the exact one and takes all that we can solve; the others take what
//! their language has and say what it has not.

mod boogie;
mod clp;
mod flat;
mod mcmt;
mod words;

use super::print;
use crate::error::SolverError;
use crate::horn::HornSystem;
use foghorn_term::TermPool;

/// A language to write in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// SMT-LIB, logic HORN.
    Smt2,
    /// Constraint logic programming: Prolog with constraints over integers.
    Clp,
    /// A Boogie program whose assertion fails if `false` is derivable.
    Boogie,
    /// A transition system for Sally; for rules with one premise at most.
    Mcmt,
}

impl Format {
    /// Every format with its name.
    pub const ALL: &[(&str, Format)] = &[
        ("smt2", Format::Smt2),
        ("clp", Format::Clp),
        ("boogie", Format::Boogie),
        ("mcmt", Format::Mcmt),
    ];

    /// The format of that name.
    pub fn named(name: &str) -> Option<Format> {
        let mut all = Self::ALL.iter();
        all.find(|(own, _)| *own == name).map(|(_, format)| *format)
    }
}

/// The system as text.
///
/// # Errors
/// What the language does not have is unsupported.
pub fn export(pool: &TermPool, system: &HornSystem, format: Format) -> Result<String, SolverError> {
    match format {
        Format::Smt2 => print(pool, system),
        Format::Clp => clp::export(pool, system),
        Format::Boogie => boogie::export(pool, system),
        Format::Mcmt => mcmt::export(pool, system),
    }
}

fn unsupported(language: &'static str, construct: impl Into<String>) -> SolverError {
    SolverError::Unsupported {
        solver: language,
        construct: construct.into(),
    }
}

#[cfg(test)]
mod tests;
