//! What an engine answers.

use crate::circumstances::Noticed;
use foghorn_core::{SiteKind, SpanId, UnknownReason};
use foghorn_encode::claim::Argument;
use foghorn_encode::fact::BlockFacts;
use foghorn_ir::interpret::{Choice, Failure, ProgramPoint};
use foghorn_ir::sites::SiteId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Everything that an engine found. As an interim report: what holds already, should there be no more.
#[derive(Clone, Debug, Default)]
pub struct EngineReport {
    /// The sites that the engine met.
    pub answers: Vec<SiteAnswer>,
    /// Why sites that are not among the answers are open; `None` if no execution comes to them.
    pub incomplete: Option<UnknownReason>,
    pub noticed: Noticed,
    /// The bound up to which loops and recursion were followed, if there was one.
    pub bound: Option<u32>,
    /// The loops and recursions that can go beyond their bounds.
    pub unwound: Vec<Unwound>,
    /// No execution satisfies the program's own assumptions.
    pub contradictory: bool,
    /// What is known at the starts of blocks, for other engines.
    pub facts: Vec<BlockFacts>,
    /// Whether the facts were proved again, by another program than the one that found them.
    pub certified: bool,
    /// Why what the engine proved holds, in a form that another program can prove again; `None` if the
    /// engine cannot say it.
    pub argument: Option<Argument>,
    /// Further things to know that do not change the answer.
    pub warnings: Vec<String>,
    pub statistics: BTreeMap<String, f64>,
}

/// The answer for one site.
#[derive(Clone, Debug)]
pub struct SiteAnswer {
    pub site: SitePlace,
    pub verdict: SiteVerdict,
    /// No execution reaches it.
    pub unreached: bool,
}

/// Which site is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SitePlace {
    /// One of the table.
    Listed(SiteId),
    /// One that the table does not have: it belongs to no single instruction of the program.
    Further {
        kind: SiteKind,
        point: Option<ProgramPoint>,
        span: SpanId,
    },
}

/// Safe, or a run that should fail, or why neither.
#[derive(Clone, Debug)]
pub enum SiteVerdict {
    Safe,
    Unsafe(Box<Candidate>),
    Unknown(UnknownReason),
}

/// A run that an engine saw fail in the pure form of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What the run is given, in the order in which it asks.
    pub choices: Vec<Choice>,
    /// Where objects lie, in the order in which they are made; empty if that does not matter.
    pub layout: Vec<u64>,
    pub failure: Box<Failure>,
    pub steps: u64,
}

/// A loop or recursion that can go beyond the bound that it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwound {
    pub name: Arc<str>,
    pub span: SpanId,
    pub bound: u32,
}

impl EngineReport {
    /// A report that only says why there is none.
    pub fn undecided(reason: UnknownReason) -> Self {
        EngineReport {
            incomplete: Some(reason),
            ..EngineReport::default()
        }
    }
}
