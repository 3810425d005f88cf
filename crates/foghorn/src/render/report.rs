//! The answer of `foghorn verify` for a person.
//!
//! Failed checks first, each with its line, what is known about it and the run that fails; then
//! what is not known and what to try; then what the answer rests on. The last line is the
//! verdict: on a terminal it is what remains in sight.

use super::advice;
use super::source::{Sources, mentions};
use super::style::{Role, Style};
use super::trace::{readable, trace};
use foghorn_core::UnknownReason;
use foghorn_witness::outside::OutsideReport;
use foghorn_witness::report::{
    CheckId, CheckReport, HarnessReport, VerdictName, VerificationReport,
};
use foghorn_witness::trace::FailedCheck;
use std::fmt::Write;

/// Checks of one verdict beyond this are counted, not listed.
const LISTED: usize = 20;

/// A check that failed, as it is shown when that is known.
pub fn failure(check: &CheckReport, style: Style) -> String {
    failed(check, &mut Sources::default(), style) + "\n"
}

/// The answer without the failures that were shown before.
pub fn rest(report: &VerificationReport, shown: &[CheckId], style: Style) -> String {
    let mut text = String::new();
    let failed = report.with_verdict(VerdictName::Unsafe);
    for check in failed.filter(|check| !shown.contains(&check.id)) {
        text += &failure(check, style);
    }
    text += &undecided(report, style);
    for warning in &report.warnings {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{} {warning}", style.paint(Role::Unsure, "warning:"));
    }
    if !report.assumptions.is_empty() {
        text += "assumed:\n";
        for assumption in &report.assumptions {
            let _ = writeln!(text, "  - {assumption}");
        }
    }
    text += &verdict(report, style);
    text
}

fn verdict(report: &VerificationReport, style: Style) -> String {
    let role = match report.verdict {
        VerdictName::Safe => Role::Good,
        VerdictName::Unsafe => Role::Bad,
        VerdictName::Unknown => Role::Unsure,
    };
    let verdict = style.paint(role, report.headline());
    let cost = match &*report.engine {
        // There was nothing to ask.
        "" => format!("{:.1} s", report.time_s),
        engine => format!(
            "{engine}, {:.1} s, {:.0} MB",
            report.time_s, report.peak_memory_mb
        ),
    };
    let cost = match &report.certificate {
        Some(certificate) => format!("{cost}, {certificate}"),
        None => cost,
    };
    let cost = style.paint(Role::Faint, format!("[{cost}]"));
    format!("verdict: {verdict}: {} {cost}\n", report.reason)
}

/// A failed check: a stable first line, the source, the object, why, and the run.
fn failed(check: &CheckReport, sources: &mut Sources, style: Style) -> String {
    let place = format!("{}:{}:{}", check.file, check.line, check.column);
    let mut text = format!(
        "{} {} at {}\n",
        style.paint(Role::Bad, "error:"),
        check.kind,
        style.paint(Role::Strong, place)
    );
    let failure = check.trace.as_ref().map(|trace| &trace.failure);
    if let Some(failure) = failure
        && !failure.message.is_empty()
        && failure.message != check.kind.name()
    {
        let _ = writeln!(text, "  {}", failure.message);
    }
    text += &sources.excerpt(&check.file, check.line, check.column);
    if let Some(failure) = failure {
        text += &circumstances(failure, sources);
    }
    let _ = writeln!(text, "  check {}", style.paint(Role::Faint, &check.id));
    if let Some(run) = &check.trace {
        text += &started(&run.outside);
        text += "the run that fails:\n";
        text += &trace(run, sources, style);
    }
    if let Some(written) = &check.harness {
        text += &harness(written);
    }
    text
}

/// How the program was started, if that matters.
fn started(outside: &OutsideReport) -> String {
    match outside.is_empty() {
        true => String::new(),
        false => format!("started as: {}\n", outside.command),
    }
}

/// Where a harness is, how it is built and run, and what it cannot force.
pub fn harness(written: &HarnessReport) -> String {
    let mut text = format!("harness: {}\n", written.file);
    for command in [&written.build, &written.run] {
        if !command.is_empty() {
            let _ = writeln!(text, "  {command}");
        }
    }
    for note in &written.notes {
        let _ = writeln!(text, "  note: {note}");
    }
    text
}

/// The object, the variables that the line mentions, and the active calls.
fn circumstances(failure: &FailedCheck, sources: &mut Sources) -> String {
    let mut text = String::new();
    if let Some(object) = &failure.object {
        let _ = writeln!(text, "  {}", object.description);
    }
    if !failure.layout.is_empty() {
        let places = failure.layout.join("; ");
        let _ = writeln!(text, "  depends on where objects lie: {places}");
    }
    let place = &failure.location;
    let line = sources.line(&place.file, place.line).unwrap_or_default();
    let mentioned = failure.variables.iter();
    let mentioned: Vec<String> = mentioned
        .filter(|variable| mentions(line, &variable.variable))
        .map(|v| format!("{} = {}", v.variable, readable(&v.ty, &v.value)))
        .collect();
    if !mentioned.is_empty() {
        let _ = writeln!(text, "  where {}", mentioned.join(", "));
    }
    for (index, call) in failure.stack.iter().enumerate() {
        if index == LISTED {
            let _ = writeln!(text, "  … {} more calls", failure.stack.len() - LISTED);
            break;
        }
        let _ = writeln!(
            text,
            "  in {} at {}:{}:{}",
            call.function, call.file, call.line, call.column
        );
    }
    text
}

/// Checks without an answer, by their reasons, and what to try about each.
fn undecided(report: &VerificationReport, style: Style) -> String {
    let mut reasons: Vec<(UnknownReason, Vec<&CheckReport>)> = vec![];
    let of_run = report.unknown.iter().map(|reason| (reason.clone(), None));
    let of_checks = report.with_verdict(VerdictName::Unknown);
    let of_checks = of_checks.filter_map(|check| Some((check.reason.clone()?, Some(check))));
    for (reason, check) in of_run.chain(of_checks) {
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, checks)) => checks.extend(check),
            None => reasons.push((reason, check.into_iter().collect())),
        }
    }
    let mut text = String::new();
    for (reason, checks) in reasons {
        let _ = writeln!(text, "{} {reason}", style.paint(Role::Unsure, "unknown:"));
        for check in checks.iter().take(LISTED) {
            let _ = writeln!(
                text,
                "  {} at {}:{}:{}",
                check.kind, check.file, check.line, check.column
            );
        }
        if checks.len() > LISTED {
            let _ = writeln!(text, "  … and {} more checks", checks.len() - LISTED);
        }
        if let Some(bound) = advice::finished_bound(&reason, report) {
            let unrepeated = |check: &CheckReport| {
                matches!(check.reason, Some(UnknownReason::Unrepeated { .. }))
            };
            let which = match report.verdict {
                VerdictName::Unsafe => "no other check fails",
                VerdictName::Safe | VerdictName::Unknown
                    if report.checks.iter().any(unrepeated) =>
                {
                    "no other failing run was found"
                }
                VerdictName::Safe | VerdictName::Unknown => "no check fails",
            };
            let _ = writeln!(text, "  {which} within bound {bound}");
        }
        let _ = writeln!(text, "  try: {}\n", advice::advice(&reason, report));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_core::CheckKind;
    use foghorn_witness::report::CheckIds;

    fn check(line: u32, verdict: VerdictName, reason: Option<UnknownReason>) -> CheckReport {
        CheckReport {
            id: CheckIds::default().next("main", CheckKind::Shift, line, 2),
            kind: CheckKind::Shift,
            file: "/nonexistent/a.c".to_owned(),
            line,
            column: 2,
            function: "main".to_owned(),
            verdict,
            reason,
            unreached: false,
            proved_by: vec![],
            certified: None,
            trace: None,
            harness: None,
        }
    }

    #[test]
    fn a_failed_check_and_two_of_one_unknown_reason() {
        let bounded = || Some(UnknownReason::Bounded { bound: 8 });
        let checks = vec![
            check(3, VerdictName::Unsafe, None),
            check(4, VerdictName::Unknown, bounded()),
            check(5, VerdictName::Unknown, bounded()),
        ];
        let mut answer = VerificationReport::new("bmc", checks, None);
        answer.assumptions.push("f has no body".to_owned());
        let expected = "error: shift at /nonexistent/a.c:3:2\n  check main/shift@3:2\n\n\
            unknown: no violation within bound 8\n  shift at /nonexistent/a.c:4:2\n  \
            shift at /nonexistent/a.c:5:2\n  try: a larger bound, such as --unwind 16; \
            `foghorn loops FILE` lists the loops\n\nassumed:\n  - f has no body\n\
            verdict: unsafe: 1 of 3 checks fails, 2 were not decided [bmc, 0.0 s, 0 MB]\n";
        assert_eq!(rest(&answer, &[], Style::Plain), expected);
    }
}
