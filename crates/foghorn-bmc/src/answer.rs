//! What the engine says: while it works, for each site, and for the program.

use foghorn_core::{SpanId, UnknownReason, Verdict};
use foghorn_encode::execute::Notes;
use foghorn_encode::execute::event::Site;
use foghorn_encode::memory::Statistics as MemoryStatistics;
use foghorn_query::replay::Counterexample;
use std::sync::Arc;
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

impl SiteVerdict {
    /// Without the evidence.
    pub fn verdict(&self) -> Verdict {
        match self {
            SiteVerdict::Safe => Verdict::Safe,
            SiteVerdict::Unsafe(_) => Verdict::Unsafe,
            SiteVerdict::Unknown(reason) => Verdict::Unknown {
                reason: reason.clone(),
            },
        }
    }
}

/// What the engine says while it works.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// Where it is: the bound, what it does, how many checks are open.
    Progress {
        bound: u32,
        phase: &'static str,
        open: usize,
    },
    /// A check failed.
    Refuted(&'a SiteAnswer),
    /// No other check fails within the bound, but these loops and recursions can go on.
    Beyond {
        bound: u32,
        unwound: &'a [(Arc<str>, SpanId)],
    },
}

/// Everything that the engine found.
#[derive(Debug, Default)]
pub struct BmcReport {
    pub answers: Vec<SiteAnswer>,
    /// Why the program as a whole is not known to be safe beyond its sites: a bound, an obligation.
    pub incomplete: Option<UnknownReason>,
    /// The encoding was not exact for some access: smaller cells may help.
    pub cells_too_coarse: bool,
    /// No execution satisfies the program's assumptions.
    pub contradictory: bool,
    /// The largest bound that was finished.
    pub bound: u32,
    /// The loops and recursions that can go beyond the bound.
    pub unwound: Vec<(Arc<str>, SpanId)>,
    pub notes: Notes,
    pub statistics: Statistics,
}

/// What it took.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    pub instructions: u64,
    pub events: usize,
    pub terms: usize,
    /// Nodes of the last formula.
    pub formula_size: usize,
    pub executing: Duration,
    pub solving: Duration,
    pub replaying: Duration,
    pub queries: u32,
    pub memory: MemoryStatistics,
}

impl BmcReport {
    /// The answer for the program: the meet over its sites.
    pub fn verdict(&self) -> Verdict {
        let whole = match &self.incomplete {
            None => Verdict::Safe,
            Some(reason) => Verdict::Unknown {
                reason: reason.clone(),
            },
        };
        self.answers.iter().fold(whole, |verdict, answer| {
            verdict.meet(answer.verdict.verdict())
        })
    }
}
