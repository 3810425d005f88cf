//! A failing run as a program: a C file that answers the verifier's questions as the run did.
//!
//! Linked with the user's own sources by plain clang with sanitizers it fails at the reported
//! line ([`command`] has the command line). [`values`] runs the program once more and notes who
//! asked for what; [`source`] writes the file.
//!
//! What the program reads is in the file too ([`streams`]).
//!
//! What cannot be forced on a real machine (uninitialised variables, some values that the models of
//! library functions choose, addresses) is said in the file and in [`Harness::limits`].

pub mod command;
mod outside;
pub mod source;
pub mod start;
pub mod streams;
#[cfg(test)]
mod tests;
pub mod values;

use crate::trace::Location;
use foghorn_core::CheckKind;
use foghorn_ir::Module;
use foghorn_ir::interpret::{Choice, Options, StartError};
use values::Values;

/// A C file that makes a program fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harness {
    pub source: String,
    /// What of the run the file cannot force, a sentence each.
    pub limits: Vec<String>,
}

/// What the file says about itself.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    pub kind: CheckKind,
    pub location: &'a Location,
    /// How to build and how to run, a command each.
    pub build: &'a str,
    pub run: &'a str,
    /// Where objects have to lie, a clause each.
    pub layout: &'a [String],
}

/// The harness of a failing run.
pub fn harness(
    module: &Module,
    options: &Options,
    choices: &[Choice],
    stdin: &[u8],
    about: &About<'_>,
) -> Result<Harness, StartError> {
    let values = Values::of_run(module, options, choices, stdin)?;
    let mut limits = values.limits();
    if !about.layout.is_empty() {
        limits.push(format!(
            "the failure depends on where objects lie ({}); a native run may not show it",
            about.layout.join("; ")
        ));
    }
    let source = source::write(&values, &limits, about);
    Ok(Harness { source, limits })
}
