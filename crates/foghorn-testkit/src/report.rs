//! What a run of a suite shows.

use crate::judge::Class;
use crate::workspace;
use std::fmt;
use std::path::PathBuf;

/// The failures of a suite.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Answers or snapshots that were looked at.
    pub count: usize,
    /// In the order of files, then of engines.
    pub failures: Vec<Failure>,
}

/// One failure and how to see it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub file: PathBuf,
    pub line: usize,
    /// Empty where no engine is to blame.
    pub engine: String,
    pub class: Class,
    pub detail: String,
    pub reproduce: String,
}

/// Lines of detail that are shown.
const SHOWN_LINES: usize = 20;

impl Report {
    /// Panics with the whole report if anything failed, or if there was nothing to do.
    #[track_caller]
    pub fn assert_clean(&self) {
        assert!(self.failures.is_empty(), "{self}");
        assert!(self.count > 0, "the suite is empty");
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, line) = (workspace::shown(&self.file), self.line);
        write!(f, "{file}:{line}: {}", self.class)?;
        if !self.engine.is_empty() {
            write!(f, " ({})", self.engine)?;
        }
        for line in self.detail.lines().take(SHOWN_LINES) {
            write!(f, "\n    {line}")?;
        }
        if !self.reproduce.is_empty() {
            write!(f, "\n    reproduce: {}", self.reproduce)?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for failure in &self.failures {
            writeln!(f, "\n{failure}")?;
        }
        writeln!(f, "\n{} of {} failed", self.failures.len(), self.count)?;
        let mut classes: Vec<_> = self.failures.iter().map(|failure| failure.class).collect();
        classes.sort_unstable();
        classes.dedup();
        for class in classes {
            let count = self
                .failures
                .iter()
                .filter(|failure| failure.class == class)
                .count();
            writeln!(f, "{count:6} {class}")?;
        }
        Ok(())
    }
}
