//! Arguments of the commands that make Foghorn at home on a machine.

use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

/// Say what Foghorn finds on this machine, and how to install what is missing
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn doctor
  foghorn doctor --json

Exit code 0 if all is there that `foghorn verify` needs, 2 if not. What only some commands need is said, and no
error.")]
pub struct DoctorArguments {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn completions bash > ~/.local/share/bash-completion/completions/foghorn
  foghorn completions zsh > \"${fpath[1]}/_foghorn\"
  foghorn completions fish > ~/.config/fish/completions/foghorn.fish")]
pub struct CompletionsArguments {
    pub shell: Shell,
}

/// Write manual pages, one for each command
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn manual ~/.local/share/man/man1
  man foghorn-verify")]
pub struct ManualArguments {
    /// The folder that the pages are written to; it is made if it is not there
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}
