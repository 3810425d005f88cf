//! One module a command. Each takes its parsed arguments, prints, and says how it ended.

pub mod absint;
pub mod bench;
pub mod bmc;
pub mod certificate;
pub mod chc;
pub mod difftest;
pub mod doctor;
pub mod dsa;
pub mod explain;
pub mod harness;
pub mod horn;
pub mod invariants;
pub mod ir;
pub mod kiki;
pub mod loops;
pub mod pages;
pub mod run;
pub mod verify;

use crate::exit::Exit;

/// An error with whose fault it is.
#[derive(Debug)]
pub struct Failure {
    pub exit: Exit,
    pub error: anyhow::Error,
}

impl Failure {
    /// The user's input is wrong.
    pub fn input(error: impl Into<anyhow::Error>) -> Self {
        Failure {
            exit: Exit::Input,
            error: error.into(),
        }
    }

    /// The command line is wrong.
    pub fn usage(error: impl Into<anyhow::Error>) -> Self {
        Failure {
            exit: Exit::Usage,
            error: error.into(),
        }
    }

    /// Something here went wrong.
    pub fn internal(error: impl Into<anyhow::Error>) -> Self {
        Failure {
            exit: Exit::Internal,
            error: error.into(),
        }
    }
}

/// What a command returns.
pub type CommandResult = Result<Exit, Failure>;
