//! How an engine enrols.

use crate::header::Case;
use foghorn_core::CheckKind;

/// Something that answers whether a program is safe.
///
/// A new engine implements this and is listed where its suite is run.
pub trait Engine: Sync {
    /// The name that headers use.
    fn name(&self) -> &str;

    /// Whether this engine must answer for the program: by default, if the header names it.
    fn applies(&self, case: &Case) -> bool {
        case.engines.iter().any(|engine| engine == self.name())
    }

    /// The answer for one program.
    fn answer(&self, case: &Case) -> Answer;
}

/// What an engine said, and how to hear it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub found: Found,
    /// A command for the root of the workspace.
    pub reproduce: String,
}

/// The answer itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    Safe,
    Unsafe {
        /// `None` where the engine has other names for kinds than we have.
        kind: Option<CheckKind>,
        /// Lines of the program at which the failure may be said to be, the likeliest first.
        lines: Vec<u32>,
        report: String,
    },
    Unknown {
        reason: String,
    },
    /// The program behaved otherwise than its header says, apart from its safety.
    WrongOutput {
        difference: String,
    },
    /// No answer at all: a crash, a time-out, something missing.
    Broken {
        problem: String,
    },
}
