//! Parses modules.
//!
//! Two passes over the tokens: the first enters every global and function with its signature, the
//! second reads initialisers and bodies, so that names may be used before they are declared. The
//! same within a body: its definitions are entered before its instructions are read.

mod body;
mod instruction;
mod module;
mod operand;
mod stream;

use super::lex::Position;
use crate::module::Module;

/// Why a text is no module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {problem}")]
pub struct ParseError {
    /// Counted from 1.
    pub line: u32,
    /// In characters, counted from 1.
    pub column: u32,
    pub problem: Problem,
}

/// What is wrong at a place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("expected {expected}, found {found}")]
    Expected { expected: String, found: String },
    #[error("{0} is not defined")]
    Undefined(String),
    #[error("{0} is defined twice")]
    Duplicate(String),
}

impl ParseError {
    fn new(position: Position, problem: Problem) -> Self {
        ParseError {
            line: position.line,
            column: position.column,
            problem,
        }
    }

    pub(super) fn expected(
        position: Position,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        let problem = Problem::Expected {
            expected: expected.into(),
            found: found.into(),
        };
        ParseError::new(position, problem)
    }
}

/// The module that a text describes.
pub fn parse_module(text: &str) -> Result<Module, ParseError> {
    module::parse(&super::lex::tokens(text)?)
}
