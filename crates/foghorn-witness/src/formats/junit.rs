//! JUnit's XML, which test runners of continuous integration read: a check is a test case.

use super::message;
use crate::report::{CheckReport, VerdictName, VerificationReport};
use std::fmt::Write;

/// One suite: failures fail, what is open is skipped with its reason. A run that ended without its checks is an error.
pub fn junit(report: &VerificationReport) -> String {
    let count = |verdict| report.with_verdict(verdict).count();
    let (failures, skipped) = (count(VerdictName::Unsafe), count(VerdictName::Unknown));
    let lost = report.checks.is_empty() && report.verdict == VerdictName::Unknown;
    let (tests, errors) = (report.checks.len() + usize::from(lost), usize::from(lost));
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    write!(
        text,
        "<testsuites>\n<testsuite name=\"foghorn\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" \
         skipped=\"{skipped}\" time=\"{:.3}\">\n",
        report.time_s
    )
    .expect("strings take everything");
    for check in &report.checks {
        text += &case(check, report);
    }
    if lost {
        let why = attribute(&report.reason);
        writeln!(
            text,
            "<testcase name=\"verify\" classname=\"foghorn\"><error message=\"{why}\"/></testcase>"
        )
        .expect("strings take everything");
    }
    text + "</testsuite>\n</testsuites>\n"
}

fn case(check: &CheckReport, report: &VerificationReport) -> String {
    let (name, class) = (attribute(check.id.as_str()), attribute(&check.file));
    let open = format!(
        "<testcase name=\"{name}\" classname=\"{class}\" file=\"{class}\" line=\"{}\"",
        check.line
    );
    match check.verdict {
        VerdictName::Safe => format!("{open}/>\n"),
        VerdictName::Unsafe => {
            let said = attribute(&message(check));
            let inputs = check.trace.iter().flat_map(|trace| &trace.inputs);
            let inputs = inputs.map(|input| format!("{} = {}\n", input.name, input.value));
            let (kind, inputs) = (check.kind, attribute(&inputs.collect::<String>()));
            format!(
                "{open}><failure type=\"{kind}\" message=\"{said}\">{inputs}</failure></testcase>\n"
            )
        }
        VerdictName::Unknown => {
            let why = check.reason.as_ref().or(report.unknown.as_ref());
            let why = why.map_or_else(|| "not decided".to_owned(), ToString::to_string);
            format!(
                "{open}><skipped message=\"{}\"/></testcase>\n",
                attribute(&why)
            )
        }
    }
}

/// Text that can stand in an attribute. Characters that XML does not have become a question mark.
fn attribute(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\n' => safe += "&#10;",
            '\t' => safe += "&#9;",
            c if c < ' ' || c == '\u{fffe}' || c == '\u{ffff}' => safe.push('?'),
            c => safe.push(c),
        }
    }
    safe
}
