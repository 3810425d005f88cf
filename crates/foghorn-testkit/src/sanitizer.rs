//! The machine itself: clang's sanitizers.
//!
//! Where a header names the sanitizer that sees the defect, it must report it in the line that the
//! header says, and for the same reason where it has a name for it. A repaired program must run
//! clean under the address, leak and undefined-behaviour sanitizers. So the headers, which judge
//! our engines, are themselves judged by something that is not ours.

use crate::engine::{Answer, Engine, Found};
use crate::header::{Case, Expectation, SanitizerName};
use crate::process::{self, Finished};
use crate::workspace;
use foghorn_core::CheckKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The checks of UndefinedBehaviorSanitizer that the front end also asks for.
const UNDEFINED: &str = "signed-integer-overflow,shift,integer-divide-by-zero,array-bounds,\
    unreachable,return,vla-bound,float-cast-overflow,bool,builtin";

/// clang's sanitizers as an engine.
#[derive(Clone, Debug)]
pub struct Sanitizer {
    clang: PathBuf,
    limit: Duration,
    with_twins: bool,
}

/// The clang that the variable `CLANG` names, else the newest that we support.
pub fn clang() -> PathBuf {
    let installed = ["/usr/lib/llvm-22/bin/clang", "/usr/lib/llvm-19/bin/clang"];
    let installed = installed
        .map(PathBuf::from)
        .into_iter()
        .find(|path| path.exists());
    let named = std::env::var_os("CLANG").map(PathBuf::from);
    named.or(installed).unwrap_or_else(|| "clang".into())
}

impl Default for Sanitizer {
    fn default() -> Self {
        Self::new()
    }
}

impl Sanitizer {
    /// With the clang of [`clang`].
    pub fn new() -> Self {
        Sanitizer {
            clang: clang(),
            limit: Duration::from_secs(60),
            with_twins: false,
        }
    }

    /// Also looks at the repaired programs, which takes twice as long.
    #[must_use]
    pub fn with_twins(mut self, with_twins: bool) -> Self {
        self.with_twins = with_twins;
        self
    }

    fn compile(&self, case: &Case, program: &Path) -> Command {
        let root = workspace::root();
        let mut command = Command::new(&self.clang);
        command.current_dir(&root);
        command.args(["-std=gnu17", "-O0", "-g", "-w", "-fno-omit-frame-pointer"]);
        for old_habit in [
            "implicit-function-declaration",
            "implicit-int",
            "int-conversion",
            "incompatible-pointer-types",
        ] {
            command.arg(format!("-Wno-error={old_habit}"));
        }
        command
            .arg("-I")
            .arg(root.join("crates/foghorn-frontend/runtime/include"));
        command.args(flags(case));
        command
            .arg(workspace::shown(&case.path))
            .arg("tests/native/verifier.c");
        command.arg("-o").arg(program).arg("-lm");
        command
    }
}

/// What to compile with: the sanitizer named, or for a repaired program all that may see something.
fn flags(case: &Case) -> Vec<String> {
    // The interceptors of AddressSanitizer want calls as calls; the overflow check of `abs` wants
    // it known.
    let calls = "-fno-builtin".to_owned();
    let fatal = |checks: &str| {
        vec![
            format!("-fsanitize={checks}"),
            format!("-fno-sanitize-recover={checks}"),
        ]
    };
    let address = || {
        vec![
            "-fsanitize=address,pointer-compare,pointer-subtract".to_owned(),
            "-fsanitize-address-use-after-return=always".to_owned(),
            "-fsanitize-address-use-after-scope".to_owned(),
        ]
    };
    let mut flags = match case.sanitizer {
        Some(SanitizerName::Undefined) => return fatal(UNDEFINED),
        Some(SanitizerName::Address) => address(),
        Some(SanitizerName::Alignment) => fatal("alignment"),
        Some(SanitizerName::Function) => {
            let mut flags = fatal("function");
            // Names the line of a wild call.
            flags.push("-fsanitize=address".to_owned());
            flags
        }
        Some(SanitizerName::Memory) => vec!["-fsanitize=memory".to_owned()],
        Some(SanitizerName::Abort) => vec![],
        Some(SanitizerName::None) | None => {
            let all = format!("{UNDEFINED},alignment,function,null,pointer-overflow");
            [address(), fatal(&all)].concat()
        }
    };
    flags.push(calls);
    flags
}

impl Engine for Sanitizer {
    fn name(&self) -> &str {
        "sanitizer"
    }

    fn applies(&self, case: &Case) -> bool {
        match (case.sanitizer, case.expect) {
            (None, _) => false,
            (Some(_), Expectation::Safe) => self.with_twins,
            (Some(name), Expectation::Unsafe { .. }) => name != SanitizerName::None,
        }
    }

    fn answer(&self, case: &Case) -> Answer {
        let folder = match tempfile::tempdir() {
            Ok(folder) => folder,
            Err(error) => return broken(format!("no temporary folder: {error}"), String::new()),
        };
        let program = folder.path().join("program");
        let mut compile = self.compile(case, &program);
        let reproduce = format!("{} && {}", process::shown(&compile), program.display());
        match process::run(&mut compile, b"", self.limit) {
            Ok(compiled) if compiled.code == Some(0) => {}
            Ok(compiled) => return broken(compiled.stderr, reproduce),
            Err(error) => return broken(error.to_string(), reproduce),
        }
        let mut run = Command::new(&program);
        run.args(&case.arguments);
        run.env(
            "ASAN_OPTIONS",
            "detect_stack_use_after_return=1:detect_invalid_pointer_pairs=2:\
             strict_string_checks=1:detect_leaks=1:allocator_may_return_null=1",
        );
        run.env("UBSAN_OPTIONS", "print_stacktrace=1");
        let stdin = case.stdin.clone().unwrap_or_default();
        match process::run(&mut run, stdin.as_bytes(), self.limit) {
            Ok(finished) => Answer {
                found: read_report(case, &finished),
                reproduce,
            },
            Err(error) => broken(error.to_string(), reproduce),
        }
    }
}

fn broken(problem: String, reproduce: String) -> Answer {
    let found = Found::Broken { problem };
    Answer { found, reproduce }
}

fn read_report(case: &Case, finished: &Finished) -> Found {
    let report = &finished.stderr;
    if finished.code == Some(case.exit) && !report.contains("runtime error") {
        return Found::Safe;
    }
    let in_library = matches!(
        case.expect,
        Expectation::Unsafe {
            kind: CheckKind::LibraryPrecondition,
            ..
        }
    );
    // What a library function is asked for wrongly may be noticed in its callback, and is to the
    // sanitizer whatever the function does then.
    let depth = if in_library { 2 } else { 1 };
    let mut lines = reported_lines(&case.path, report);
    lines.truncate(depth);
    Found::Unsafe {
        kind: reported_kind(report).filter(|_| !in_library),
        lines,
        report: report.clone(),
    }
}

/// The lines of the program that the report names, the innermost call first.
fn reported_lines(path: &Path, report: &str) -> Vec<u32> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mention = format!("{name}:");
    let mentions = report.split(&mention).skip(1);
    let digits = |text: &str| {
        text.chars()
            .take_while(char::is_ascii_digit)
            .collect::<String>()
    };
    mentions
        .filter_map(|text| digits(text).parse().ok())
        .collect()
}

/// Phrases of the sanitizers' reports and what we call that. A phrase that may mean several of our
/// kinds is not here.
const PHRASES: &[(&str, CheckKind)] = &[
    ("heap-use-after-free", CheckKind::UseAfterFree),
    ("attempting double-free", CheckKind::DoubleFree),
    (
        "attempting free on address which was not malloc()-ed",
        CheckKind::InvalidFree,
    ),
    ("heap-buffer-overflow", CheckKind::OutOfBounds),
    ("stack-buffer-overflow", CheckKind::OutOfBounds),
    ("stack-buffer-underflow", CheckKind::OutOfBounds),
    ("global-buffer-overflow", CheckKind::OutOfBounds),
    ("stack-use-after-scope", CheckKind::UseAfterScope),
    ("stack-use-after-return", CheckKind::UseAfterScope),
    ("param-overlap", CheckKind::Overlap),
    ("invalid-pointer-pair", CheckKind::PointerComparison),
    ("detected memory leaks", CheckKind::Leak),
    ("signed integer overflow", CheckKind::SignedOverflow),
    ("runtime error: negation of", CheckKind::SignedOverflow),
    ("runtime error: division by zero", CheckKind::Division),
    ("runtime error: division of", CheckKind::DivisionOverflow),
    ("runtime error: shift exponent", CheckKind::Shift),
    ("runtime error: left shift of negative", CheckKind::Shift),
    ("runtime error: left shift", CheckKind::ShiftOverflow),
    ("out of bounds for type", CheckKind::ArrayBounds),
    (
        "reached an unreachable program point",
        CheckKind::Unreachable,
    ),
    (
        "reached the end of a value-returning function",
        CheckKind::MissingReturn,
    ),
    ("variable length array bound", CheckKind::VlaBound),
    (
        "outside the range of representable values",
        CheckKind::FloatCast,
    ),
    ("not a valid value for type", CheckKind::InvalidValue),
    ("which is not a valid argument", CheckKind::BuiltinArgument),
    ("misaligned address", CheckKind::Misaligned),
    (
        "through pointer to incorrect function type",
        CheckKind::InvalidCall,
    ),
];

fn reported_kind(report: &str) -> Option<CheckKind> {
    let found = PHRASES.iter().find(|(phrase, _)| report.contains(phrase));
    found.map(|&(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::parse;

    fn case(expect: &str, sanitizer: &str) -> Case {
        let text = format!(
            "// About.\n// check: undefined\n// expect: {expect}\n// engines: run\n\
             // sanitizer: {sanitizer}\n"
        );
        parse(Path::new("tests/a.c"), &text).expect("a header")
    }

    #[test]
    fn who_is_asked() {
        let sanitizer = Sanitizer::new();
        let defect = "unsafe shift @ line 3";
        assert!(sanitizer.applies(&case(defect, "undefined")));
        assert!(!sanitizer.applies(&case(defect, "none: it cannot see it")));
        assert!(!sanitizer.applies(&case("safe", "none")));
        assert!(sanitizer.with_twins(true).applies(&case("safe", "none")));
    }

    #[test]
    fn a_report_of_the_address_sanitizer() {
        let stderr = "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n\
            READ of size 4\n  #0 0x1 in main /x/tests/a.c:12:10\n\nfreed by thread T0 here:\n\
            #1 0x2 in main /x/tests/a.c:11:3\n";
        let finished = Finished {
            code: Some(1),
            stdout: vec![],
            stderr: stderr.to_owned(),
        };
        let found = read_report(
            &case("unsafe use-after-free @ line 12", "address"),
            &finished,
        );
        let Found::Unsafe { kind, lines, .. } = found else {
            panic!("{found:?}");
        };
        assert_eq!((kind, lines), (Some(CheckKind::UseAfterFree), vec![12]));
    }
}
