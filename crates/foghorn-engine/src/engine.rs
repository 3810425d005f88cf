//! What an engine is.

use crate::knowledge::Knowledge;
use crate::options::{EngineOptions, OptionError};
use crate::report::EngineReport;
use crate::sink::Sink;
use crate::task::Task;
use foghorn_core::Budget;
use std::fmt;

/// Something that proves or refutes checks of a program.
pub trait Engine {
    /// The name in plans and reports.
    fn name(&self) -> &'static str;

    /// Whether it can do anything for this program; if not, why, as the end of "it is not asked,
    /// since …".
    fn can(&self, task: &Task) -> Result<(), String>;

    /// Works until it is done or the budget is spent. Whatever goes wrong is a reason in the report:
    /// an engine does not panic, and nothing that it found is lost.
    fn run(
        &self,
        task: &Task,
        knowledge: &Knowledge,
        budget: &Budget,
        sink: &mut dyn Sink,
    ) -> EngineReport;
}

/// What an engine can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Power {
    /// Only that checks hold.
    Proves,
    /// Only that checks fail.
    Refutes,
    Both,
}

impl Power {
    pub fn proves(self) -> bool {
        matches!(self, Power::Proves | Power::Both)
    }

    pub fn refutes(self) -> bool {
        matches!(self, Power::Refutes | Power::Both)
    }
}

/// An engine in the table of those that there are.
#[derive(Clone, Copy)]
pub struct EngineEntry {
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    pub power: Power,
    /// Makes one with options; an error names the option that is not understood.
    pub make: fn(&EngineOptions) -> Result<Box<dyn Engine>, OptionError>,
}

impl fmt::Debug for EngineEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EngineEntry({})", self.name)
    }
}
