//! Where an engine tells what it finds while it runs.

use crate::knowledge::Knowledge;
use crate::progress::Progress;
use crate::report::{Candidate, EngineReport, SitePlace};

/// Whoever listens to an engine.
pub trait Sink {
    /// Where the engine is.
    fn progress(&mut self, progress: Progress);

    /// A run that should fail. It is run on the program as it was before it is believed.
    fn failure(&mut self, site: Option<SitePlace>, candidate: &Candidate);

    /// What holds already, should there be no more. A later one stands in the place of an earlier one.
    fn interim(&mut self, report: &EngineReport);

    /// What others found since the last time it was asked for; nothing most of the time.
    fn news(&mut self) -> Option<Knowledge>;
}

/// Nobody listens, and there is no news.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Sink for Silent {
    fn progress(&mut self, _: Progress) {}
    fn failure(&mut self, _: Option<SitePlace>, _: &Candidate) {}
    fn interim(&mut self, _: &EngineReport) {}
    fn news(&mut self) -> Option<Knowledge> {
        None
    }
}
