//! The answer for other tools: what editors, code hosts and test runners read.
//!
//! Each format is a function from a [`VerificationReport`](crate::VerificationReport) to text. None decides anything:
//! what a failing check is called, where it lies and whether it failed stands in the report.

pub mod fingerprint;
pub mod github;
pub mod junit;
pub mod sarif;
pub mod short;

use crate::report::CheckReport;

/// What a failing check says in one sentence.
fn message(check: &CheckReport) -> String {
    let meaning = check.kind.explanation().meaning;
    let said = check.trace.as_ref().map(|trace| &*trace.failure.message);
    match said.filter(|said| !said.is_empty()) {
        Some(said) => format!("{meaning} ({said})"),
        None => meaning.to_owned(),
    }
}
