//! What kIkI says: for each site, for the program, and of each loop.

use crate::cut::record::{LoopKey, Quantity};
use crate::invariant::Invariant;
use foghorn_core::UnknownReason;
use foghorn_encode::claim::Argument;
use foghorn_encode::execute::Notes;
use foghorn_encode::execute::event::Site;
use foghorn_encode::fact::BlockFacts;
use foghorn_ir::interpret::Allocation;
use foghorn_query::replay::Counterexample;
use std::collections::BTreeMap;
use std::time::Duration;

/// The answer for one site.
#[derive(Clone, Debug)]
pub struct SiteAnswer {
    pub site: Site,
    pub verdict: SiteVerdict,
    /// No execution reaches it.
    pub vacuous: bool,
}

/// Safe, or a run that fails, or why neither.
#[derive(Clone, Debug)]
pub enum SiteVerdict {
    Safe,
    Unsafe(Box<Counterexample>),
    Unknown(UnknownReason),
}

/// What is known of a loop in the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopInvariant {
    pub loop_name: String,
    /// With how many copies it was shown to be inductive.
    pub copies: u32,
    pub rows: Vec<String>,
}

/// What the solver has shown to hold whenever an iteration of a loop has ended, if no check has failed before.
#[derive(Clone, Debug)]
pub struct ShownInvariant {
    pub key: LoopKey,
    pub quantities: Vec<Quantity>,
    /// Bits of each quantity.
    pub widths: Vec<u32>,
    pub invariant: Invariant,
    /// What made the objects that quantities speak of.
    pub objects: BTreeMap<u64, Allocation>,
    /// Those of them that are alive at the head, whatever iterations did.
    pub alive: Vec<u64>,
    /// With how many copies it is inductive.
    pub copies: u32,
}

/// Everything that was found.
#[derive(Clone, Debug, Default)]
pub struct KikiReport {
    pub answers: Vec<SiteAnswer>,
    /// Why sites that are not among the answers are open; `None` if no execution comes to them.
    pub incomplete: Option<UnknownReason>,
    /// No execution satisfies the program's assumptions.
    pub contradictory: bool,
    pub notes: Notes,
    /// The last number of copies.
    pub copies: u32,
    pub invariants: Vec<LoopInvariant>,
    /// The same as data, of all numbers of copies.
    pub shown: Vec<ShownInvariant>,
    /// Those of the invariants that hold whenever a head is reached, and follow from themselves in one iteration.
    pub facts: Vec<BlockFacts>,
    /// Why what is safe is so, as claims; only if everything is.
    pub argument: Option<Argument>,
    /// What is known of functions whoever calls them, as lines of text.
    pub contracts: Vec<String>,
    /// What is good to know and changes no answer.
    pub warnings: Vec<String>,
    pub statistics: Statistics,
}

/// What it took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    pub queries: u32,
    pub cut_loops: usize,
    pub rows: usize,
    /// States that were joined.
    pub states: u32,
    pub executing: Duration,
    pub inferring: Duration,
    pub solving: Duration,
    pub terms: usize,
}

impl Statistics {
    /// By the names of reports.
    pub fn entries(&self) -> BTreeMap<String, f64> {
        let entries = [
            ("queries", f64::from(self.queries)),
            ("cut_loops", self.cut_loops as f64),
            ("rows", self.rows as f64),
            ("states", f64::from(self.states)),
            ("executing_s", self.executing.as_secs_f64()),
            ("inferring_s", self.inferring.as_secs_f64()),
            ("solving_s", self.solving.as_secs_f64()),
            ("terms", self.terms as f64),
        ];
        let entries = entries.into_iter();
        entries
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}
