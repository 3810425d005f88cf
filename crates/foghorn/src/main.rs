//! The `foghorn` binary: arguments, rendering, exit codes. The only crate that prints.

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod arguments;
mod bench;
mod command;
mod difftest;
mod exit;
mod program;
mod render;
mod standard_input;
mod verify;

use arguments::{Arguments, ChcCommand, Command};
use clap::Parser;
use command::CommandResult;
use exit::Exit;
use standard_input::Kept;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = match Arguments::try_parse() {
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
    match arguments.command {
        Command::Prepare => return verify::worker::serve_preparation(),
        Command::Stage => return verify::worker::serve_stage(),
        Command::Certify => return verify::worker::serve_certificate(),
        Command::HornMember => return command::chc::serve_member(),
        _ => {}
    }
    let kept = match arguments.command.program_mut() {
        Some(program) => Kept::of(program),
        None => Ok(Kept::default()),
    };
    let (kept, result) = match kept {
        Ok(kept) => (kept, execute(&arguments.command)),
        Err(failure) => (Kept::default(), Err(failure)),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            let message = kept.named(&message(&failure.error));
            if let Some(out) = arguments.command.json() {
                render::error::write(&out, failure.exit, &message);
            }
            eprintln!("foghorn: {message}");
            failure.exit.into()
        }
    }
}

fn execute(command: &Command) -> CommandResult {
    match command {
        Command::Verify(arguments) => command::verify::execute(arguments),
        Command::Invariants(arguments) => command::invariants::execute(arguments),
        Command::CheckCertificate(arguments) => command::certificate::execute(arguments),
        Command::Bmc(arguments) => command::bmc::execute(arguments),
        Command::Horn(arguments) => command::horn::execute(arguments),
        Command::Kiki(arguments) => command::kiki::execute(arguments),
        Command::Prepare | Command::Stage | Command::Certify | Command::HornMember => {
            unreachable!("invariant: a worker is served by itself")
        }
        Command::Ir(arguments) => command::ir::execute(arguments),
        Command::Loops(arguments) => command::loops::execute(arguments),
        Command::Run(arguments) => command::run::execute(arguments),
        Command::Dsa(arguments) => command::dsa::execute(arguments),
        Command::Difftest(arguments) => command::difftest::execute(arguments),
        Command::Absint(arguments) => command::absint::execute(arguments),
        Command::Chc(ChcCommand::Solve(arguments)) => command::chc::execute(arguments),
        Command::Chc(ChcCommand::Export(arguments)) => command::chc::export(arguments),
        Command::Bench(arguments) => command::bench::execute(arguments),
        Command::Explain(arguments) => command::explain::execute(arguments),
        Command::Doctor(arguments) => command::doctor::execute(arguments),
        Command::Completions(arguments) => command::pages::complete(arguments),
        Command::Manual(arguments) => command::pages::write_manual(arguments),
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
