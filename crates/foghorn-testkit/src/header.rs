//! The header of a file test.
//!
//! The comment lines at the top of the file. A line `// key: value` with a key in lower-case
//! letters is an entry, any other is prose. Keys:
//!
//! | key | value |
//! |---|---|
//! | `check` | groups of checks, separated by blanks |
//! | `expect` | `safe`, or `unsafe KIND @ line N` |
//! | `engines` | names of the engines that must answer |
//! | an engine's name | `unknown FIXME why`: what it answers today |
//! | `options` | further options of Foghorn |
//! | `args` | arguments of the program |
//! | `inputs` | undetermined values, in order, separated by blanks |
//! | `stdin`, `stdout` | one line of text; may be repeated |
//! | `exit` | the exit code, 0 if not given |
//! | `sanitizer` | the sanitizer that sees the defect, or `none`, with a reason after a colon |
//!
//! `check`, `expect` and `engines` and a line of prose are required.

use foghorn_core::{CheckGroup, CheckKind};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A program and what is true of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub path: PathBuf,
    pub checks: Vec<CheckGroup>,
    pub expect: Expectation,
    /// The line of the header that says so.
    pub expect_line: usize,
    pub engines: Vec<String>,
    /// Engines that answer `unknown` today, and the line that says so.
    pub unknown: BTreeMap<String, usize>,
    /// Options of Foghorn, for every engine.
    pub options: Vec<String>,
    pub arguments: Vec<String>,
    pub inputs: Option<Vec<String>>,
    pub stdin: Option<String>,
    pub stdout: Option<String>,
    pub exit: i32,
    pub sanitizer: Option<SanitizerName>,
}

/// The concrete truth about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    Safe,
    Unsafe { kind: CheckKind, line: u32 },
}

/// Who on a real machine sees the defect of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SanitizerName {
    Address,
    Undefined,
    Alignment,
    Function,
    Memory,
    /// The program itself: its own assertion.
    Abort,
    None,
}

/// What is wrong with a header, and in which line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct HeaderError {
    pub line: usize,
    pub problem: String,
}

impl SanitizerName {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "address" => Self::Address,
            "undefined" => Self::Undefined,
            "alignment" => Self::Alignment,
            "function" => Self::Function,
            "memory" => Self::Memory,
            "abort" => Self::Abort,
            "none" => Self::None,
            _ => return None,
        })
    }
}

/// One `key: value`; the value as it stands after the blank that follows the colon.
struct Entry<'t> {
    line: usize,
    key: &'t str,
    value: &'t str,
}

impl Entry<'_> {
    fn error<T>(&self, problem: impl Into<String>) -> Result<T, HeaderError> {
        Err(HeaderError {
            line: self.line,
            problem: problem.into(),
        })
    }
}

/// The header of a file.
pub fn read(path: &Path) -> Result<Case, HeaderError> {
    let text = std::fs::read_to_string(path).map_err(|e| HeaderError {
        line: 1,
        problem: format!("cannot be read: {e}"),
    })?;
    parse(path, &text)
}

/// The header at the top of a text.
pub fn parse(path: &Path, text: &str) -> Result<Case, HeaderError> {
    let mut fields = Fields::default();
    let mut has_prose = false;
    for entry in entries(text) {
        match entry {
            Some(entry) => fields.enter(&entry)?,
            None => has_prose = true,
        }
    }
    let problem = match has_prose {
        true => return fields.finish(path),
        false => "the header does not say what the program is about".to_owned(),
    };
    Err(HeaderError { line: 1, problem })
}

/// The lines of the header: entries, and `None` for prose.
fn entries(text: &str) -> impl Iterator<Item = Option<Entry<'_>>> {
    let comments = text.lines().map_while(|line| line.strip_prefix("//"));
    comments.enumerate().map(|(index, comment)| {
        let (key, value) = comment.strip_prefix(' ')?.split_once(':')?;
        let is_key = !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        let value = value.strip_prefix(' ').unwrap_or(value);
        is_key.then_some(Entry {
            line: index + 1,
            key,
            value,
        })
    })
}

/// What has been read of a header.
#[derive(Default)]
struct Fields {
    checks: Option<Vec<CheckGroup>>,
    expect: Option<(Expectation, usize)>,
    engines: Option<Vec<String>>,
    unknown: BTreeMap<String, usize>,
    options: Option<Vec<String>>,
    arguments: Option<Vec<String>>,
    inputs: Option<Vec<String>>,
    stdin: Option<String>,
    stdout: Option<String>,
    exit: Option<i32>,
    sanitizer: Option<SanitizerName>,
}

/// Sets a field that may be given once.
fn once<T>(field: &mut Option<T>, entry: &Entry<'_>, value: T) -> Result<(), HeaderError> {
    match field.replace(value) {
        None => Ok(()),
        Some(_) => entry.error(format!("'{}' is given twice", entry.key)),
    }
}

impl Fields {
    fn enter(&mut self, entry: &Entry<'_>) -> Result<(), HeaderError> {
        let value = entry.value.trim();
        match entry.key {
            "check" => once(&mut self.checks, entry, groups(entry)?),
            "expect" => once(&mut self.expect, entry, (expectation(entry)?, entry.line)),
            "engines" => once(&mut self.engines, entry, words(value)),
            "options" => once(&mut self.options, entry, words(value)),
            "args" => once(&mut self.arguments, entry, words(value)),
            "inputs" => once(&mut self.inputs, entry, words(value)),
            "stdin" => {
                append(&mut self.stdin, value);
                Ok(())
            }
            "stdout" => {
                append(&mut self.stdout, entry.value);
                Ok(())
            }
            "exit" => match value.parse() {
                Ok(code) => once(&mut self.exit, entry, code),
                Err(_) => entry.error(format!("'{value}' is no exit code")),
            },
            "sanitizer" => {
                let name = value.split(':').next().unwrap_or_default();
                match SanitizerName::parse(name) {
                    Some(name) => once(&mut self.sanitizer, entry, name),
                    None => entry.error(format!("unknown sanitizer '{name}'")),
                }
            }
            engine => self.today(entry, engine, value),
        }
    }

    /// What an engine answers today.
    fn today(&mut self, entry: &Entry<'_>, engine: &str, value: &str) -> Result<(), HeaderError> {
        let named = self
            .engines
            .as_ref()
            .is_some_and(|all| all.iter().any(|e| e == engine));
        if !named {
            return entry.error(format!(
                "'{engine}' is neither a key nor one of the engines"
            ));
        }
        let reason = value.strip_prefix("unknown").map(str::trim);
        let Some(reason) = reason.filter(|reason| reason.starts_with("FIXME")) else {
            return entry.error(format!("expected 'unknown FIXME …', found '{value}'"));
        };
        if reason
            .trim_start_matches("FIXME")
            .trim_start_matches(':')
            .trim()
            .is_empty()
        {
            return entry.error("say why after FIXME");
        }
        match self.unknown.insert(engine.to_owned(), entry.line) {
            None => Ok(()),
            Some(_) => entry.error(format!("'{engine}' is given twice")),
        }
    }

    fn finish(self, path: &Path) -> Result<Case, HeaderError> {
        let missing = |key: &str| HeaderError {
            line: 1,
            problem: format!("the header lacks '{key}'"),
        };
        let (expect, expect_line) = self.expect.ok_or_else(|| missing("expect"))?;
        Ok(Case {
            path: path.to_owned(),
            checks: self.checks.ok_or_else(|| missing("check"))?,
            expect,
            expect_line,
            engines: self.engines.ok_or_else(|| missing("engines"))?,
            unknown: self.unknown,
            options: self.options.unwrap_or_default(),
            arguments: self.arguments.unwrap_or_default(),
            inputs: self.inputs,
            stdin: self.stdin,
            stdout: self.stdout,
            exit: self.exit.unwrap_or(0),
            sanitizer: self.sanitizer,
        })
    }
}

fn words(value: &str) -> Vec<String> {
    value.split_whitespace().map(str::to_owned).collect()
}

/// Lines of one text; the last has a line break too unless it says otherwise to the program.
fn append(text: &mut Option<String>, line: &str) {
    let text = text.get_or_insert_default();
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

fn groups(entry: &Entry<'_>) -> Result<Vec<CheckGroup>, HeaderError> {
    let parsed: Result<Vec<_>, _> = words(entry.value).iter().map(|word| word.parse()).collect();
    match parsed {
        Ok(groups) if groups.is_empty() => entry.error("no check is given"),
        Ok(groups) => Ok(groups),
        Err(problem) => entry.error(problem),
    }
}

fn expectation(entry: &Entry<'_>) -> Result<Expectation, HeaderError> {
    let words = words(entry.value);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["safe"] => Ok(Expectation::Safe),
        ["unsafe", kind, "@", "line", line] => {
            let Ok(line) = line.parse() else {
                return entry.error(format!("'{line}' is no line"));
            };
            match kind.parse() {
                Ok(kind) => Ok(Expectation::Unsafe { kind, line }),
                Err(problem) => entry.error(problem),
            }
        }
        _ => entry.error("expected 'safe' or 'unsafe KIND @ line N'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(text: &str) -> Result<Case, String> {
        parse(Path::new("a.c"), text).map_err(|e| format!("{}: {e}", e.line))
    }

    const FULL: &str = "// What it is about: several lines\n// of prose.\n\
        // check:   memory-safety undefined\n// expect:  unsafe out-of-bounds @ line 12\n\
        // engines: run kiki\n// kiki:    unknown FIXME: needs an invariant\n\
        // args:    one two\n// inputs:  1 -2 x=3\n// stdin:   abc\n// stdout: first\n\
        // stdout:   second\n// exit:    3\n// sanitizer: none: because\n\nint x; // expect: safe\n";

    #[test]
    fn every_key() {
        let case = case(FULL).expect("a header");
        assert_eq!(
            case.checks,
            [CheckGroup::MemorySafety, CheckGroup::Undefined]
        );
        let (kind, line) = (CheckKind::OutOfBounds, 12);
        assert_eq!(case.expect, Expectation::Unsafe { kind, line });
        assert_eq!(case.expect_line, 4);
        assert_eq!(case.engines, ["run", "kiki"]);
        assert_eq!(case.unknown.get("kiki"), Some(&6));
        assert_eq!(case.arguments, ["one", "two"]);
        assert_eq!(case.inputs.expect("inputs"), ["1", "-2", "x=3"]);
        assert_eq!(case.stdin.as_deref(), Some("abc"));
        assert_eq!(case.stdout.as_deref(), Some("first\n  second"));
        assert_eq!((case.exit, case.sanitizer), (3, Some(SanitizerName::None)));
    }

    #[test]
    fn what_is_refused() {
        let required = "// About.\n// check: assertions\n// expect: safe\n// engines: run\n";
        let with = |line: &str| format!("{required}{line}\n");
        let cases = [
            (
                "// check: assertions\n".to_owned(),
                "1: the header does not say what the program is about",
            ),
            (
                "// About.\n// check: assertions\n// engines: run\n".to_owned(),
                "1: the header lacks 'expect'",
            ),
            (
                "// About.\n// expect: safe\n// engines: run\n".to_owned(),
                "1: the header lacks 'check'",
            ),
            (
                "// About.\n// expect: safe\n// check: undefined\n".to_owned(),
                "1: the header lacks 'engines'",
            ),
            (
                with("// colour: red"),
                "5: 'colour' is neither a key nor one of the engines",
            ),
            (
                with("// run: unknown"),
                "5: expected 'unknown FIXME …', found 'unknown'",
            ),
            (with("// run: unknown FIXME"), "5: say why after FIXME"),
            (
                with("// run: safe"),
                "5: expected 'unknown FIXME …', found 'safe'",
            ),
            (with("// check: assertions"), "5: 'check' is given twice"),
            (
                with("// sanitizer: thread"),
                "5: unknown sanitizer 'thread'",
            ),
            (with("// exit: x"), "5: 'x' is no exit code"),
        ];
        for (text, problem) in cases {
            assert_eq!(case(&text).expect_err(&text), problem);
        }
        for expect in [
            "unsafe",
            "unknown",
            "unsafe @ line 3",
            "unsafe leak @ line x",
            "safe @ line 2",
        ] {
            let text = format!("// About.\n// expect: {expect}\n");
            assert!(
                case(&text).expect_err(expect).starts_with("2: "),
                "{expect}"
            );
        }
    }
}
