//! What summarisation says: for each site, and for the program.

use foghorn_core::{SiteKind, SpanId, UnknownReason, Verdict};
use foghorn_encode::execute::Notes;
use foghorn_encode::execute::event::Site;
use foghorn_encode::memory::Statistics as MemoryStatistics;
use foghorn_ir::interpret::ProgramPoint;
use std::sync::Arc;
use std::time::Duration;

/// The answer for one site.
#[derive(Clone, Debug)]
pub struct SiteAnswer {
    pub site: Site,
    pub proof: Proof,
    /// No execution reaches it.
    pub vacuous: bool,
}

/// Whether a site is proved. Nothing is ever refuted: summaries allow executions that the program does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    Proved,
    Open(UnknownReason),
}

/// Everything that summarisation found.
#[derive(Clone, Debug, Default)]
pub struct AccelerationReport {
    pub answers: Vec<SiteAnswer>,
    /// Why the program as a whole is not known to be safe beyond its sites: loops that could not be summarised and go on,
    /// an obligation, the end of time.
    pub incomplete: Option<UnknownReason>,
    /// The encoding was not exact for some access: smaller cells may help.
    pub cells_too_coarse: bool,
    /// No execution satisfies the program's assumptions.
    pub contradictory: bool,
    /// How far loops were unwound that could not be summarised.
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
    pub queries: u32,
    /// How often a loop was entered for any number of iterations at once.
    pub summarised_loops: u32,
    pub memory: MemoryStatistics,
}

impl AccelerationReport {
    /// The answer for the program: safe, or why not all of it is proved.
    pub fn verdict(&self) -> Verdict {
        let open = self
            .answers
            .iter()
            .filter_map(|answer| match &answer.proof {
                Proof::Proved => None,
                Proof::Open(reason) => Some(reason),
            });
        match self.incomplete.iter().chain(open).next() {
            None => Verdict::Safe,
            Some(reason) => Verdict::Unknown {
                reason: reason.clone(),
            },
        }
    }

    /// The sites that are proved.
    pub fn proved_sites(&self) -> impl Iterator<Item = (SiteKind, ProgramPoint)> + '_ {
        let answers = self.answers.iter();
        let proved = answers.filter(|answer| answer.proof == Proof::Proved);
        proved.filter_map(|answer| Some((answer.site.kind, answer.site.point?)))
    }
}
