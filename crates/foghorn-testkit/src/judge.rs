//! Compares answers with the truth.

use crate::engine::Found;
use crate::header::{Case, Expectation};
use foghorn_core::CheckKind;
use std::fmt;

/// What kind of failure a test shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// The opposite of the truth.
    Soundness,
    /// The right verdict at the wrong place or for the wrong reason.
    WrongReport,
    /// The program behaves otherwise than the header says.
    WrongOutput,
    /// `unknown` where an answer is expected.
    Precision,
    /// An answer where `unknown` is expected.
    Improved,
    /// The engine gave no answer.
    Broken,
    /// The test itself is wrong.
    Header,
    /// A snapshot differs, or is missing.
    Snapshot,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::Soundness => "SOUNDNESS FAILURE",
            Class::WrongReport => "wrong report",
            Class::WrongOutput => "wrong output",
            Class::Precision => "precision failure",
            Class::Improved => "improved: update the header",
            Class::Broken => "no answer",
            Class::Header => "bad header",
            Class::Snapshot => "snapshot differs",
        })
    }
}

/// A failure: its class, the line of the test file that it is about, and what happened.
pub type Failed = (Class, usize, String);

/// Whether the answer of an engine is the one that the header demands.
pub fn judge(case: &Case, engine: &str, found: &Found) -> Result<(), Failed> {
    let fail = |class, detail: String| Err((class, case.expect_line, detail));
    let known_gap = case.unknown.get(engine);
    match found {
        Found::Broken { problem } => fail(Class::Broken, problem.clone()),
        Found::WrongOutput { difference } => fail(Class::WrongOutput, difference.clone()),
        Found::Unknown { reason } => match known_gap {
            Some(_) => Ok(()),
            None => fail(Class::Precision, format!("unknown: {reason}")),
        },
        Found::Safe => match case.expect {
            Expectation::Safe => improved(known_gap),
            Expectation::Unsafe { kind, line } => fail(
                Class::Soundness,
                format!("says safe, but there is {kind} in line {line}"),
            ),
        },
        Found::Unsafe {
            kind,
            lines,
            report,
        } => match case.expect {
            Expectation::Safe => fail(
                Class::Soundness,
                format!("says unsafe, but the program is safe\n{report}"),
            ),
            Expectation::Unsafe {
                kind: expected,
                line,
            } => match difference(expected, line, *kind, lines) {
                None => improved(known_gap),
                Some(difference) => fail(Class::WrongReport, format!("{difference}\n{report}")),
            },
        },
    }
}

fn improved(known_gap: Option<&usize>) -> Result<(), Failed> {
    match known_gap {
        None => Ok(()),
        Some(&line) => Err((
            Class::Improved,
            line,
            "the right answer, not unknown".to_owned(),
        )),
    }
}

/// What differs between the expected failure and the one found.
fn difference(
    expected: CheckKind,
    line: u32,
    kind: Option<CheckKind>,
    lines: &[u32],
) -> Option<String> {
    if let Some(kind) = kind.filter(|&kind| kind != expected) {
        return Some(format!("says {kind}, not {expected}"));
    }
    if lines.contains(&line) {
        return None;
    }
    let lines: Vec<_> = lines.iter().map(u32::to_string).collect();
    Some(format!("says line {}, not {line}", lines.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::parse;
    use std::path::Path;

    fn case(expect: &str, today: &str) -> Case {
        let text = format!(
            "// About.\n// check: memory-safety\n// expect: {expect}\n// engines: run\n{today}\n"
        );
        parse(Path::new("a.c"), &text).expect("a header")
    }

    fn class(case: &Case, found: &Found) -> Option<(Class, usize)> {
        judge(case, "run", found)
            .err()
            .map(|(class, line, _)| (class, line))
    }

    fn found(kind: CheckKind, line: u32) -> Found {
        Found::Unsafe {
            kind: Some(kind),
            lines: vec![line],
            report: String::new(),
        }
    }

    fn unknown() -> Found {
        let reason = "no idea".to_owned();
        Found::Unknown { reason }
    }

    #[test]
    fn without_a_gap() {
        let safe = case("safe", "");
        let leak = case("unsafe leak @ line 7", "");
        assert_eq!(class(&safe, &Found::Safe), None);
        assert_eq!(class(&leak, &found(CheckKind::Leak, 7)), None);
        assert_eq!(class(&leak, &Found::Safe), Some((Class::Soundness, 3)));
        assert_eq!(
            class(&safe, &found(CheckKind::Leak, 7)),
            Some((Class::Soundness, 3))
        );
        assert_eq!(
            class(&leak, &found(CheckKind::Leak, 8)),
            Some((Class::WrongReport, 3))
        );
        assert_eq!(
            class(&leak, &found(CheckKind::Shift, 7)),
            Some((Class::WrongReport, 3))
        );
        assert_eq!(class(&leak, &unknown()), Some((Class::Precision, 3)));
        let problem = "it crashed".to_owned();
        assert_eq!(
            class(&leak, &Found::Broken { problem }),
            Some((Class::Broken, 3))
        );
    }

    #[test]
    fn with_a_gap() {
        let today = "// run: unknown FIXME: later";
        let leak = case("unsafe leak @ line 7", today);
        assert_eq!(class(&leak, &unknown()), None);
        assert_eq!(
            class(&leak, &found(CheckKind::Leak, 7)),
            Some((Class::Improved, 5))
        );
        assert_eq!(class(&leak, &Found::Safe), Some((Class::Soundness, 3)));
        let safe = case("safe", today);
        assert_eq!(class(&safe, &Found::Safe), Some((Class::Improved, 5)));
        assert_eq!(
            class(&safe, &found(CheckKind::Leak, 7)),
            Some((Class::Soundness, 3))
        );
    }
}
