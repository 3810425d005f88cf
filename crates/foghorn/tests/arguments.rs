//! Programs that take arguments and look into their environment: what fails is found with the
//! arguments, and the compiled program fails with them too.

use foghorn_testkit::process;
use foghorn_testkit::{Case, Expectation, binary, header, suites};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

fn programs() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(suites().join("arguments")).expect("the suite");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths
}

fn verify(path: &Path, options: &[&str]) -> serde_json::Value {
    let mut command = Command::new(binary());
    command
        .arg("verify")
        .args(["--json", "-", "--timeout", "30"]);
    let output = command
        .args(options)
        .arg(path)
        .output()
        .expect("the binary");
    let report = serde_json::from_slice(&output.stdout);
    report.unwrap_or_else(|error| {
        let told = String::from_utf8_lossy(&output.stderr);
        panic!("{}: {error}\n{told}", path.display())
    })
}

fn shell(command: &str) -> process::Finished {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]);
    process::run(&mut shell, b"", LIMIT).unwrap_or_else(|error| panic!("{command}: {error}"))
}

/// Why the compiled program does not fail as it should, if it does not.
fn fails_natively(path: &Path, case: &Case, line: u32) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let groups: Vec<_> = case.checks.iter().map(|group| group.name()).collect();
    let place = folder.path().to_string_lossy().into_owned();
    let report = verify(path, &["--harness", &place, "--check", &groups.join(",")]);
    let checks = report["checks"].as_array().cloned().unwrap_or_default();
    let failed = checks
        .iter()
        .find(|check| check["verdict"] == "unsafe" && check["line"] == line);
    let failed = failed.ok_or_else(|| format!("no failure in {}", report["reason"]))?;
    let word = |name: &str| {
        failed["harness"][name]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let built = shell(&word("build"));
    if built.code != Some(0) {
        return Err(format!("clang says\n{}", built.stderr));
    }
    let run = shell(&word("run"));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let told = format!("{name}:{line}");
    match run.code != Some(0) && run.stderr.contains(&told) {
        true => Ok(()),
        false => Err(format!(
            "{:?}, not at line {line}\n{}",
            run.code, run.stderr
        )),
    }
}

/// Every failure has a harness that makes the compiled program fail at that line.
#[test]
fn compiled_programs_fail_with_the_arguments_that_were_found() {
    let mut problems = vec![];
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("a program");
        let case = header::parse(&path, &text).expect("a header");
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let Expectation::Unsafe { line, .. } = case.expect else {
            continue;
        };
        if let Err(problem) = fails_natively(&path, &case, line) {
            problems.push(format!("{name}: {problem}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

/// The report says how the program was started.
#[test]
fn a_failing_run_says_how_the_program_was_started() {
    let report = verify(&suites().join("arguments/count-bad.c"), &[]);
    let checks = report["checks"].as_array().expect("checks");
    let failed = checks.iter().find(|check| check["verdict"] == "unsafe");
    let outside = &failed.expect("a failure")["trace"]["outside"];
    assert_eq!(outside["arguments"].as_array().map(Vec::len), Some(3));
    assert_eq!(outside["command"], "PROGRAM a a");
}

/// Those who want fewer arguments get them, and the answer says so.
#[test]
fn arguments_can_be_limited() {
    let program = suites().join("arguments/count-bad.c");
    for options in [
        &["--max-arguments", "1"][..],
        &["--no-arguments"],
        &["--max-arguments", "0"],
    ] {
        let report = verify(&program, options);
        assert_eq!(report["verdict"], "safe", "{options:?}: {report}");
        let assumptions = report["assumptions"].to_string();
        assert!(assumptions.contains("argument"), "{assumptions}");
    }
    let report = verify(&program, &["--max-arguments", "2"]);
    assert_eq!(report["verdict"], "unsafe");
}

/// What a function that is no `main` is called with, and how deep it may recurse, is said.
#[test]
fn assumptions_about_the_start_and_the_stack_are_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("entry.c");
    let text = "int limit = 3;\nint down(int n) { return n <= 0 ? 0 : down(n - 1); }\n\
                int f(int n) { if (n > limit) return 0; return down(n); }\n\
                int main(void) { return f(2); }\n";
    std::fs::write(&path, text).expect("a program");
    let report = verify(&path, &["--entry", "f"]);
    let assumptions = report["assumptions"].to_string();
    for expected in [
        "globals have their initial values when 'f' is called",
        "'f' is called with any values",
        "the stack has room for every recursive call ('down')",
    ] {
        assert!(
            assumptions.contains(expected),
            "no {expected} in {assumptions}"
        );
    }
    let report = verify(&path, &[]);
    let assumptions = report["assumptions"].to_string();
    assert!(!assumptions.contains("initial values"), "{assumptions}");
    assert!(assumptions.contains("'down'"), "{assumptions}");
}
