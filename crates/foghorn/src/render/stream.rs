//! `--json-stream`: what happens as it happens, one JSON value a line.

use crate::verify::prepare::Ready;
use anyhow::Context;
use foghorn_witness::report::{CheckReport, VerificationReport};
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Where the lines go; nowhere if nobody asked for them.
pub struct Stream(Option<Box<dyn Write>>);

impl Stream {
    /// A stream to a file, or to standard output with `-`.
    pub fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        Ok(Stream(match path {
            None => None,
            Some(path) if path == Path::new("-") => Some(Box::new(std::io::stdout())),
            Some(path) => {
                let file = File::create(path);
                let file = file.with_context(|| format!("cannot write {}", path.display()))?;
                Some(Box::new(file))
            }
        }))
    }

    /// The program is ready.
    pub fn start(&mut self, ready: &Ready) {
        self.line(&json!({
            "event": "started",
            "program": ready.hash.to_string(),
            "checks": ready.checks.len(),
        }));
    }

    /// A check failed, after so long.
    pub fn fail(&mut self, check: &CheckReport, after: Duration) {
        self.line(&json!({
            "event": "failed",
            "time_s": after.as_secs_f64(),
            "check": check,
        }));
    }

    /// The search is over.
    pub fn finish(&mut self, report: &VerificationReport) {
        self.line(&json!({ "event": "finished", "report": report }));
    }

    fn line(&mut self, value: &Value) {
        if let Some(out) = &mut self.0 {
            // If nobody reads it any more, the answer still counts.
            let _ = writeln!(out, "{value}").and_then(|()| out.flush());
        }
    }
}
