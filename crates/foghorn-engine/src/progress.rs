//! Where an engine is.

use serde::{Deserialize, Serialize};

/// One line for whoever waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// What is being done: "translating", "encoding", "solving", ….
    pub phase: String,
    /// The bound that is being tried.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bound: Option<u32>,
    /// Checks without a verdict yet.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub open_checks: Option<usize>,
}

impl Progress {
    pub fn phase(phase: impl Into<String>) -> Self {
        Progress {
            phase: phase.into(),
            ..Self::default()
        }
    }
}
