//! A certificate as it is written: whose proofs rest on which arguments.
//!
//! It can be checked without whoever made it: it names the program by a hash of its pure form, the checks
//! that were asked for, and for every check site the engines that proved it and the argument from which
//! it follows, or why there is none.

use foghorn_encode::claim::Argument;
use foghorn_ir::{Module, print_module};
use serde::{Deserialize, Serialize};

/// The version of the format.
pub const VERSION: u32 = 2;

/// Why the checks of a program hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofCertificate {
    pub version: u32,
    /// The hash of [`program_text`].
    pub program: String,
    /// Groups of checks that are on.
    pub checks: String,
    /// Whether alignment is checked too.
    pub alignment: bool,
    pub arguments: Vec<Argument>,
    /// All sites, in the order of the program.
    pub sites: Vec<SiteRecord>,
}

/// Why one site holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteRecord {
    /// Its number among all.
    pub site: u32,
    /// The engines that proved it.
    pub by: Vec<String>,
    /// The argument from which it follows, by its number; `None` if nobody has shown it again.
    pub argument: Option<u32>,
    /// Why nobody has.
    pub reason: Option<String>,
}

/// A program in pure form without its places in sources, which may lie elsewhere on another machine.
pub fn program_text(module: &Module) -> String {
    let text = print_module(module);
    let mut plain = String::with_capacity(text.len());
    for line in text.lines() {
        let code = line.rsplit_once(" ! ").map_or(line, |(code, _)| code);
        plain.push_str(code.trim_end());
        plain.push('\n');
    }
    plain
}
