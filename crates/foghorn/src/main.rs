//! The `foghorn` binary: arguments, rendering, exit codes. The only crate that prints.

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod arguments;
mod bench;
mod command;
mod difftest;
mod exit;
mod program;
mod render;
mod verify;

use arguments::{Arguments, ChcCommand, Command};
use clap::Parser;
use exit::Exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are no errors; clap knows which stream each goes to.
            let exit = if error.use_stderr() {
                Exit::Usage
            } else {
                Exit::Success
            };
            let _ = error.print();
            return exit.into();
        }
    };
    let result = match &arguments.command {
        Command::Verify(arguments) => command::verify::execute(arguments),
        Command::Invariants(arguments) => command::invariants::execute(arguments),
        Command::CheckCertificate(arguments) => command::certificate::execute(arguments),
        Command::Bmc(arguments) => command::bmc::execute(arguments),
        Command::Worker => return verify::worker(),
        Command::Ir(arguments) => command::ir::execute(arguments),
        Command::Loops(arguments) => command::loops::execute(arguments),
        Command::Run(arguments) => command::run::execute(arguments),
        Command::Dsa(arguments) => command::dsa::execute(arguments),
        Command::Difftest(arguments) => command::difftest::execute(arguments),
        Command::Absint(arguments) => command::absint::execute(arguments),
        Command::Chc(ChcCommand::Solve(arguments)) => command::chc::execute(arguments),
        Command::Bench(arguments) => command::bench::execute(arguments),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            eprintln!("foghorn: {}", message(&failure.error));
            failure.exit.into()
        }
    }
}

/// The error and its causes in one line; a cause that the error already tells is not told again.
pub(crate) fn message(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text += ": ";
            text += &cause;
        }
    }
    text
}
