//! What commands have in common: the program they are about, JSON, the groups of checks.

use super::{Command, ProgramArguments};
use std::path::PathBuf;

/// What `--check` takes.
pub(super) fn check_help() -> String {
    format!(
        "Checks to make, between commas: {}; 'default' (all but memory-leak and memory-cleanup) or \
         'all'; 'default,memory-leak' adds one",
        foghorn_core::selection::names()
    )
}

impl Command {
    /// The program that the command is about, if it is about one.
    pub fn program_mut(&mut self) -> Option<&mut ProgramArguments> {
        match self {
            Command::Ir(arguments) => Some(&mut arguments.program),
            Command::Loops(arguments) => Some(&mut arguments.program),
            Command::Run(arguments) => Some(&mut arguments.program),
            Command::Dsa(arguments) => Some(&mut arguments.program),
            Command::Verify(arguments) => Some(&mut arguments.program),
            Command::Invariants(arguments) => Some(&mut arguments.program),
            Command::CheckCertificate(arguments) => Some(&mut arguments.program),
            Command::Bmc(arguments) => Some(&mut arguments.program),
            Command::Horn(arguments) => Some(&mut arguments.program),
            Command::Kiki(arguments) => Some(&mut arguments.program),
            Command::Difftest(_)
            | Command::Absint(_)
            | Command::Chc(_)
            | Command::Prepare
            | Command::Stage
            | Command::Certify
            | Command::HornMember
            | Command::Bench(_)
            | Command::Doctor(_)
            | Command::Explain(_)
            | Command::Completions(_)
            | Command::Manual(_) => None,
        }
    }

    /// Where JSON goes, if that was asked for; `-` is standard output.
    pub fn json(&self) -> Option<PathBuf> {
        let to_stdout = |wanted: bool| wanted.then(|| PathBuf::from("-"));
        match self {
            Command::Verify(arguments) => arguments.json.clone(),
            Command::Bmc(arguments) => arguments.json.clone(),
            Command::Bench(arguments) => arguments.json.clone(),
            Command::Ir(arguments) => to_stdout(arguments.json),
            Command::Loops(arguments) => to_stdout(arguments.json),
            Command::Dsa(arguments) => to_stdout(arguments.json),
            Command::Invariants(arguments) => to_stdout(arguments.json),
            Command::Doctor(arguments) => to_stdout(arguments.json),
            Command::Run(_)
            | Command::Completions(_)
            | Command::Manual(_)
            | Command::Explain(_)
            | Command::Horn(_)
            | Command::Kiki(_)
            | Command::CheckCertificate(_)
            | Command::Difftest(_)
            | Command::Absint(_)
            | Command::Chc(_)
            | Command::Prepare
            | Command::Stage
            | Command::Certify
            | Command::HornMember => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_core::CheckGroup;

    #[test]
    fn the_help_lists_every_group_that_is_checked() {
        let help = check_help();
        for group in CheckGroup::ALL {
            assert_eq!(help.contains(group.name()), group.is_checked(), "{help}");
        }
    }
}
