//! What goes between the driver and the process of a stage.

use foghorn_core::{Assumption, UnknownReason};
use foghorn_encode::claim::Argument;
use foghorn_encode::fact::BlockFacts;
use foghorn_engine::{EngineOptions, Knowledge, ProgramHash, Progress};
use foghorn_ir::sites::SiteId;
use foghorn_witness::report::CheckReport;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// One stage of a plan, to be carried out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageRequest {
    pub engine: String,
    pub options: EngineOptions,
    /// Where the task is written, and what names it.
    pub task: PathBuf,
    pub hash: ProgramHash,
    pub time: Option<Duration>,
    /// What is known when the stage begins.
    pub knowledge: Knowledge,
}

/// What comes before the answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum StageEvent {
    Progress(Progress),
    /// A check that failed, with the run that fails, and its site if it is listed.
    Failed(Option<SiteId>, Box<CheckReport>),
    /// What holds already, should there be no more.
    Interim(Box<StageReport>),
}

/// What a stage found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StageReport {
    /// Why the engine was not asked at all, as the end of "it is not asked, since …".
    pub skipped: Option<String>,
    /// The listed sites that have an answer; those that failed were told before.
    pub answers: Vec<StageAnswer>,
    /// What is not listed and has no answer.
    pub further: Vec<CheckReport>,
    /// Why listed sites without an answer are open.
    pub incomplete: Option<UnknownReason>,
    pub assumptions: Vec<Assumption>,
    /// What to know that does not change the answer.
    pub warnings: Vec<String>,
    /// Loops that go beyond their bounds, a sentence each.
    pub unwound: Vec<String>,
    pub bound: Option<u32>,
    pub contradictory: bool,
    pub facts: Vec<BlockFacts>,
    /// Whether the facts were proved again by another program than the one that found them.
    pub certified: bool,
    /// Why what the stage proved holds, for whoever proves it again.
    pub argument: Option<Argument>,
    pub statistics: BTreeMap<String, f64>,
    pub peak_memory_mb: f64,
}

/// The answer for a listed site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageAnswer {
    pub site: SiteId,
    /// `None` if it holds.
    pub open: Option<UnknownReason>,
    /// No execution reaches it.
    pub unreached: bool,
}

impl StageReport {
    /// Whether every check of the program was found to hold, apart from those that failed.
    pub fn is_complete(&self) -> bool {
        self.skipped.is_none()
            && self.incomplete.is_none()
            && self.further.is_empty()
            && self.answers.iter().all(|answer| answer.open.is_none())
    }
}
