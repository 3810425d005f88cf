//! What a run checks and what it may cost.

use foghorn_core::{Budget, CheckGroup, CheckKind};
use std::collections::BTreeSet;

/// How a program is run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Groups of checks that are reported. What a disabled group would have caught has the
    /// machine's meaning where there is one (integers wrap), and otherwise ends the run as
    /// [`super::Outcome::AssumedAway`].
    pub checks: BTreeSet<CheckGroup>,
    /// Whether accesses must be aligned (`misaligned`, of the group `undefined`).
    pub alignment: bool,
    /// Steps (about one per IR instruction) after which the run ends; `None` for no limit.
    pub max_steps: Option<u64>,
    /// Calls that may be active at once.
    pub max_depth: usize,
    /// Bytes of program memory that may be in use at once.
    pub max_memory: u64,
    /// Selects one of the possible assignments of addresses to objects, of which
    /// [`super::address::COMPACT`] has no gaps. Any two give the same checks unless the program
    /// looks at addresses.
    pub address_seed: u64,
    /// The bases of the first objects whose addresses are asked for, in this order, as a run gives
    /// them ([`super::Run::layout`]). One that the memory model does not allow is passed over.
    pub layout: Vec<u64>,
    /// The program's arguments, its own name first.
    pub arguments: Vec<Vec<u8>>,
    /// Environment strings, for a `main` of three parameters.
    pub environment: Vec<Vec<u8>>,
    /// Time limit and cancellation.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            checks: CheckGroup::ALL
                .iter()
                .copied()
                .filter(|&group| group != CheckGroup::MemoryCleanup)
                .collect(),
            alignment: false,
            max_steps: None,
            max_depth: 200_000,
            max_memory: 4 << 30,
            address_seed: 0,
            layout: vec![],
            arguments: vec![b"program".to_vec()],
            environment: vec![],
            budget: Budget::unlimited(),
        }
    }
}

impl Options {
    /// Whether a check of that kind is reported.
    pub fn enabled(&self, kind: CheckKind) -> bool {
        kind.group()
            .is_none_or(|group| self.checks.contains(&group))
    }
}
