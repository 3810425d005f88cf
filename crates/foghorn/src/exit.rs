//! Exit codes, the same for every command.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Safe, or done.
    Success,
    /// A check failed, and the run that fails was executed.
    Unsafe,
    /// No answer; the reason was printed.
    Unknown,
    /// The command line was wrong.
    Usage,
    /// The input was wrong.
    Input,
    /// A bug of ours.
    Internal,
    /// The exit code of the program that was interpreted.
    Program(u8),
}

impl Exit {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Unsafe => 10,
            Exit::Unknown => 20,
            Exit::Usage => 1,
            Exit::Input => 2,
            Exit::Internal => 70,
            Exit::Program(code) => code,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
