//! The interpreter: `foghorn run`.
//!
//! The contract: exit code 10 and a line `error: KIND at FILE:LINE:COLUMN` on stderr when a check
//! fails, exit code 20 and a line `unknown: REASON` when the run tells nothing, else the exit code
//! of the program. So one execution answers "safe" here; it is the header's `args`, `stdin` and
//! `inputs` that make it the execution that matters.

use crate::engine::{Answer, Engine, Found};
use crate::header::Case;
use crate::process::{self, Finished, ProcessError};
use crate::workspace;
use foghorn_core::{CheckGroup, CheckKind};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// `foghorn run` as an engine.
#[derive(Clone, Debug)]
pub struct FoghornRun {
    limit: Duration,
    pure: bool,
}

impl Default for FoghornRun {
    fn default() -> Self {
        Self::new()
    }
}

impl FoghornRun {
    pub fn new() -> Self {
        let limit = Duration::from_secs(60);
        FoghornRun { limit, pure: false }
    }

    /// `foghorn run --pure`, whose answer counts only if the impure form does the same.
    pub fn pure() -> Self {
        FoghornRun {
            pure: true,
            ..Self::new()
        }
    }
}

impl Engine for FoghornRun {
    fn name(&self) -> &str {
        "run"
    }

    fn answer(&self, case: &Case) -> Answer {
        if !self.pure {
            return self.run(case, None).0;
        }
        let (_, impure) = self.run(case, Some(false));
        let (answer, pure) = self.run(case, Some(true));
        if impure == pure {
            return answer;
        }
        let problem = format!("the pure form does something else:\n{impure:#?}\n{pure:#?}");
        Answer {
            found: Found::Broken { problem },
            reproduce: answer.reproduce,
        }
    }
}

/// What must be the same in both forms: exit code, output, first line of the report, choices.
type Observed = Option<(Option<i32>, Vec<u8>, String, Vec<u8>)>;

impl FoghornRun {
    /// Runs one form, and tells what it did if forms are to be compared.
    fn run(&self, case: &Case, pure: Option<bool>) -> (Answer, Observed) {
        let mut command = command(case);
        let files = (inputs_file(case), record_file(pure));
        let (Ok(inputs), Ok(record)) = files else {
            let problem = "cannot write the inputs or the choices".to_owned();
            return (broken(&command, problem), None);
        };
        if let Some(file) = &inputs {
            command.arg("--inputs").arg(file.path());
        }
        if pure == Some(true) {
            command.arg("--pure");
        }
        if let Some(file) = &record {
            command.arg("--record").arg(file.path());
        }
        if !case.arguments.is_empty() {
            command.arg("--").args(&case.arguments);
        }
        let stdin = case.stdin.clone().unwrap_or_default();
        match process::run(&mut command, stdin.as_bytes(), self.limit) {
            Ok(finished) => {
                let answer = Answer {
                    found: read_answer(case, &finished),
                    reproduce: reproduce(case, &command),
                };
                (answer, record.map(|file| observed(finished, file.path())))
            }
            Err(error @ ProcessError::Start(..)) => {
                let problem = format!("{error}; build it with ./x build");
                (broken(&command, problem), None)
            }
            Err(error @ (ProcessError::Timeout(_) | ProcessError::Wait(_))) => {
                (broken(&command, error.to_string()), None)
            }
        }
    }
}

/// The command but for inputs and arguments of the program.
fn command(case: &Case) -> Command {
    let mut command = Command::new(workspace::binary());
    // Paths in reports are as given, so they are given as a person would.
    command.current_dir(workspace::root());
    command.arg("run").arg(workspace::shown(&case.path));
    let groups: Vec<_> = case.checks.iter().map(|group| group.name()).collect();
    command.arg("--check").arg(groups.join(","));
    if case.checks.contains(&CheckGroup::Undefined) {
        command.arg("--misaligned");
    }
    command.args(&case.options);
    command
}

/// Where the choices of a run go that is to be compared.
fn record_file(pure: Option<bool>) -> std::io::Result<Option<tempfile::NamedTempFile>> {
    pure.map(|_| tempfile::NamedTempFile::new()).transpose()
}

fn observed(finished: Finished, record: &Path) -> (Option<i32>, Vec<u8>, String, Vec<u8>) {
    let first = finished.stderr.lines().next().unwrap_or("").to_owned();
    let choices = std::fs::read(record).unwrap_or_default();
    (finished.code, finished.stdout, first, choices)
}

fn broken(command: &Command, problem: String) -> Answer {
    Answer {
        found: Found::Broken { problem },
        reproduce: process::shown(command),
    }
}

/// The values of the header, one a line, as the binary reads them.
fn inputs_file(case: &Case) -> std::io::Result<Option<tempfile::NamedTempFile>> {
    let Some(inputs) = &case.inputs else {
        return Ok(None);
    };
    let mut file = tempfile::NamedTempFile::new()?;
    file.write_all(inputs.join("\n").as_bytes())?;
    Ok(Some(file))
}

/// The command, with its inputs and standard input written out: the files are gone by then.
fn reproduce(case: &Case, command: &Command) -> String {
    let mut text = process::shown(command);
    let mut before = String::new();
    if let Some(inputs) = &case.inputs {
        let file = command
            .get_args()
            .skip_while(|word| *word != "--inputs")
            .nth(1);
        let file = file.unwrap_or_default().to_string_lossy();
        text = text.replace(&*file, "inputs");
        before = format!("printf '{}\\n' > inputs; ", inputs.join("\\n"));
    }
    if let Some(stdin) = &case.stdin {
        before += &format!("printf '%s' '{}' | ", stdin.replace('\'', "'\\''"));
    }
    before + &text
}

fn read_answer(case: &Case, finished: &Finished) -> Found {
    let stderr = &finished.stderr;
    let after = |prefix| stderr.lines().find_map(|line| line.strip_prefix(prefix));
    match (finished.code, after("error: "), after("unknown: ")) {
        (None, ..) => Found::Broken {
            problem: format!("ended by a signal\n{stderr}"),
        },
        (Some(10), Some(failure), _) => failed(&case.path, failure, stderr),
        (Some(20), _, Some(reason)) => Found::Unknown {
            reason: reason.to_owned(),
        },
        (Some(code @ (1 | 2 | 70)), ..) if code != case.exit && !stderr.is_empty() => {
            Found::Broken {
                problem: format!("exit code {code}\n{stderr}"),
            }
        }
        (Some(code), ..) => ran(case, code, &finished.stdout, stderr),
    }
}

/// The failure of `KIND at FILE:LINE:COLUMN`.
fn failed(path: &Path, failure: &str, stderr: &str) -> Found {
    let parsed = failure.split_once(" at ").and_then(|(kind, place)| {
        let kind: CheckKind = kind.parse().ok()?;
        Some((kind, line_in(path, place)))
    });
    let report = stderr.to_owned();
    match parsed {
        Some((kind, line)) => Found::Unsafe {
            kind: Some(kind),
            lines: line.into_iter().collect(),
            report,
        },
        None => Found::Broken {
            problem: format!("cannot read 'error: {failure}'"),
        },
    }
}

/// The line of `FILE:LINE` or `FILE:LINE:COLUMN`, if the file is the test.
fn line_in(path: &Path, place: &str) -> Option<u32> {
    let name = path.file_name()?.to_str()?;
    let (_, numbers) = place.rsplit_once(&format!("{name}:"))?;
    numbers.split(':').next()?.parse().ok()
}

/// Nothing failed: the program must have done what the header says. Of a defective program
/// nothing is said but where it fails.
fn ran(case: &Case, code: i32, stdout: &[u8], stderr: &str) -> Found {
    if case.expect != crate::header::Expectation::Safe {
        return Found::Safe;
    }
    if code != case.exit {
        let difference = format!("exit code {code}, not {}\n{stderr}", case.exit);
        return Found::WrongOutput { difference };
    }
    match &case.stdout {
        Some(expected) => match output_difference(expected, stdout) {
            Some(difference) => Found::WrongOutput { difference },
            None => Found::Safe,
        },
        None => Found::Safe,
    }
}

/// The first line in which the output differs from the expected one.
pub fn output_difference(expected: &str, stdout: &[u8]) -> Option<String> {
    let stdout = String::from_utf8_lossy(stdout);
    let expected = format!("{expected}\n");
    if expected == *stdout {
        return None;
    }
    let (mut wanted, mut printed) = (expected.lines(), stdout.lines());
    for number in 1.. {
        let (want, print) = (wanted.next(), printed.next());
        if want != print {
            let show = |line: Option<&str>| line.map_or("the end".to_owned(), |l| format!("{l:?}"));
            let (want, print) = (show(want), show(print));
            return Some(format!(
                "line {number} of the output is {print}, not {want}"
            ));
        }
        if want.is_none() {
            break;
        }
    }
    Some("the output differs in the line break at its end".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::parse;

    fn case(expect: &str, more: &str) -> Case {
        let text = format!(
            "// About.\n// check: undefined\n// expect: {expect}\n// engines: run\n{more}\n"
        );
        parse(Path::new("tests/a.c"), &text).expect("a header")
    }

    fn finished(code: i32, stdout: &str, stderr: &str) -> Finished {
        Finished {
            code: Some(code),
            stdout: stdout.into(),
            stderr: stderr.to_owned(),
        }
    }

    #[test]
    fn a_failing_check() {
        let stderr = "the program says hello\nerror: shift at tests/a.c:12:3\n  in main\n";
        let found = read_answer(&case("safe", ""), &finished(10, "", stderr));
        let Found::Unsafe { kind, lines, .. } = found else {
            panic!("{found:?}");
        };
        assert_eq!((kind, lines), (Some(CheckKind::Shift), vec![12]));
    }

    #[test]
    fn a_failure_in_another_file_has_no_line() {
        let found = read_answer(
            &case("safe", ""),
            &finished(10, "", "error: shift at a.h:12\n"),
        );
        assert!(matches!(found, Found::Unsafe { lines, .. } if lines.is_empty()));
    }

    #[test]
    fn a_program_may_exit_with_our_codes() {
        let case = case("safe", "// exit: 10");
        assert_eq!(read_answer(&case, &finished(10, "", "")), Found::Safe);
    }

    #[test]
    fn unknown_and_broken() {
        let safe = case("safe", "");
        let found = read_answer(&safe, &finished(20, "", "unknown: out of steps\n"));
        assert!(matches!(found, Found::Unknown { reason } if reason == "out of steps"));
        let found = read_answer(&safe, &finished(2, "", "a.c: no such file\n"));
        assert!(matches!(found, Found::Broken { .. }));
        let found = read_answer(&safe, &finished(10, "", "error: fire at a.c:1\n"));
        assert!(matches!(found, Found::Broken { .. }));
    }

    #[test]
    fn output_and_exit_code() {
        let case = case("safe", "// stdout: one\n// stdout: two");
        assert_eq!(
            read_answer(&case, &finished(0, "one\ntwo\n", "")),
            Found::Safe
        );
        for (code, stdout) in [
            (0, "one\ntwo"),
            (0, "one\n"),
            (1, "one\ntwo\n"),
            (0, "1\n2\n"),
        ] {
            let found = read_answer(&case, &finished(code, stdout, ""));
            assert!(matches!(found, Found::WrongOutput { .. }), "{stdout:?}");
        }
    }

    #[test]
    fn how_to_reproduce() {
        let case = case("safe", "// inputs: 1 2\n// stdin: a b");
        let mut command = Command::new("foghorn");
        command.args(["run", "a.c", "--inputs", "/tmp/x", "--", "y"]);
        let expected = "printf '1\\n2\\n' > inputs; printf '%s' 'a b' | \
                        foghorn run a.c --inputs inputs -- y";
        assert_eq!(reproduce(&case, &command), expected);
    }
}
