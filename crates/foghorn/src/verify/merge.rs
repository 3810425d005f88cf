//! What two engines, or an engine that was stopped, say together.

use foghorn_core::UnknownReason;
use foghorn_witness::report::{CheckId, VerdictName, VerificationReport};
use std::collections::BTreeSet;

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

/// Adds what an earlier engine found: its assumptions, its statistics, and the checks that it proved
/// and nobody refuted.
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
    let proved: BTreeSet<&CheckId> = earlier
        .with_verdict(VerdictName::Safe)
        .map(|check| &check.id)
        .collect();
    for check in &mut report.checks {
        if check.verdict == VerdictName::Unknown && proved.contains(&check.id) {
            check.verdict = VerdictName::Safe;
            check.reason = None;
        }
    }
}
