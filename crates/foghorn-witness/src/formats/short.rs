//! One line a finding, as compilers print them: `file:line:column: error: …`.

use super::message;
use crate::report::{VerdictName, VerificationReport};
use std::fmt::Write;

/// Failures, then what is open, then the verdict.
pub fn short(report: &VerificationReport) -> String {
    let mut text = String::new();
    for check in report.with_verdict(VerdictName::Unsafe) {
        let (file, line, column) = (&check.file, check.line, check.column);
        let said = message(check);
        writeln!(
            text,
            "{file}:{line}:{column}: error: {said} [{}]",
            check.kind
        )
        .expect("strings take everything");
    }
    for check in report.with_verdict(VerdictName::Unknown) {
        let (file, line, column) = (&check.file, check.line, check.column);
        let why = check.reason.as_ref().or(report.unknown.as_ref());
        let why = why.map_or_else(|| "not decided".to_owned(), ToString::to_string);
        writeln!(
            text,
            "{file}:{line}:{column}: warning: unknown: {why} [{}]",
            check.kind
        )
        .expect("strings take everything");
    }
    let (verdict, reason) = (report.headline(), &report.reason);
    writeln!(text, "{verdict}: {reason}").expect("strings take everything");
    text
}
