//! `foghorn completions` and `foghorn manual`: what shells and `man` know, from the definitions of the arguments.

use super::{CommandResult, Failure};
use crate::arguments::{Arguments, CompletionsArguments, ManualArguments};
use crate::exit::Exit;
use anyhow::Context;
use clap::CommandFactory;
use std::io::Write;

pub fn complete(arguments: &CompletionsArguments) -> CommandResult {
    let mut text = vec![];
    clap_complete::generate(arguments.shell, &mut visible(), "foghorn", &mut text);
    // A reader that has seen enough (`| head`) is no error.
    let _ = std::io::stdout().write_all(&text);
    Ok(Exit::Success)
}

pub fn write_manual(arguments: &ManualArguments) -> CommandResult {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{}: the folder cannot be made", folder.display()))
        .map_err(Failure::input)?;
    clap_mangen::generate_to(Arguments::command(), folder)
        .with_context(|| format!("{}: a page cannot be written", folder.display()))
        .map_err(Failure::input)?;
    Ok(Exit::Success)
}

/// The command line without the commands that `verify` starts for itself; completions do not leave them out.
fn visible() -> clap::Command {
    let all = Arguments::command();
    let commands = all.get_subcommands().filter(|it| !it.is_hide_set());
    clap::Command::new("foghorn")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommands(commands.cloned())
}
