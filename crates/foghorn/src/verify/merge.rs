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
        conditions: report.conditions,
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
    for condition in &earlier.conditions {
        if !report.conditions.contains(condition) {
            report.conditions.push(condition.clone());
        }
    }
    for (name, value) in &earlier.statistics {
        let name = format!("{}_{name}", earlier.engine);
        report.statistics.insert(name, *value);
    }
    for check in &mut report.checks {
        let mut same = earlier.checks.iter().filter(|other| other.id == check.id);
        check.unreached |= check.verdict == VerdictName::Safe && same.any(|other| other.unreached);
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

/// Where a check failed, the search for others ends before its time is over. That is no lack of
/// time, and more of it would not help.
pub fn ended_after_failure(report: &mut VerificationReport) {
    let out_of_time = |reason: &UnknownReason| matches!(reason, UnknownReason::Budget { resource } if resource == "time");
    let of_checks = report.checks.iter_mut().map(|check| &mut check.reason);
    for reason in of_checks.chain([&mut report.ended_early]) {
        if reason.as_ref().is_some_and(out_of_time) {
            *reason = Some(UnknownReason::AfterFailure);
        }
    }
}
