//! What two engines, or an engine that was stopped, say together.

use foghorn_core::UnknownReason;
use foghorn_witness::report::{CheckReport, VerdictName, VerificationReport};

/// The report of an engine that was stopped after it sent this one: what it did not decide is
/// unknown because it was stopped.
pub fn stopped(report: VerificationReport, reason: UnknownReason) -> VerificationReport {
    let incomplete = (report.verdict == VerdictName::Unknown).then_some(reason);
    VerificationReport {
        assumptions: report.assumptions,
        warnings: report.warnings,
        statistics: report.statistics,
        ..VerificationReport::new(&report.engine, report.checks, incomplete)
    }
}

/// Adds what an earlier engine found: its assumptions, its statistics, and the checks that only it
/// has an answer for.
pub fn add_earlier(report: &mut VerificationReport, earlier: &VerificationReport) {
    for assumption in &earlier.assumptions {
        if !report.assumptions.contains(assumption) {
            report.assumptions.push(assumption.clone());
        }
    }
    for (name, value) in &earlier.statistics {
        let name = format!("{}_{name}", earlier.engine);
        report.statistics.insert(name, *value);
    }
    let is_new = |check: &&CheckReport| {
        let mut listed = report.checks.iter();
        check.verdict == VerdictName::Safe && !listed.any(|other| other.id == check.id)
    };
    let new: Vec<CheckReport> = earlier.checks.iter().filter(is_new).cloned().collect();
    // A program that was unwound completely has no checks beyond those that were met.
    if report.verdict == VerdictName::Unknown {
        report.checks.extend(new);
    }
}
