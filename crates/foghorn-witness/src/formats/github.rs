//! Workflow commands that GitHub shows beside the lines of a change.

use super::message;
use crate::report::{VerdictName, VerificationReport};
use std::fmt::Write;

/// An `error` for each failure, a `warning` for an answer that is unknown, a `notice` for a proof.
pub fn annotations(report: &VerificationReport) -> String {
    let mut text = String::new();
    for check in report.with_verdict(VerdictName::Unsafe) {
        let (file, line, column) = (
            property(&check.file),
            check.line.max(1),
            check.column.max(1),
        );
        let (title, said) = (property(check.kind.name()), data(&message(check)));
        writeln!(
            text,
            "::error file={file},line={line},col={column},title={title}::{said}"
        )
        .expect("strings take everything");
    }
    let sentence = data(&format!("{}: {}", report.headline(), report.reason));
    let level = match report.verdict {
        VerdictName::Safe => "notice",
        VerdictName::Unknown => "warning",
        VerdictName::Unsafe => return text,
    };
    writeln!(text, "::{level} title=foghorn::{sentence}").expect("strings take everything");
    text
}

/// What would end the command is written by its code.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// In a property two more characters have a meaning.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
