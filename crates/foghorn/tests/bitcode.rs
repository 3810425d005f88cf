//! Bitcode and textual IR that others made: the checks are those of LLVM's semantics.
//!
//! The header of each file under `tests/suites/bitcode` says what is true of it. C files are
//! compiled by clang without any check, with and without its optimiser; where that leaves a line
//! out, the header's line counts for the code that no optimiser saw.

use std::path::{Path, PathBuf};
use std::process::Command;

fn foghorn() -> PathBuf {
    std::env::var_os("FOGHORN").map_or(env!("CARGO_BIN_EXE_foghorn").into(), PathBuf::from)
}

fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suites/bitcode")
}

fn files(extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(suite()).expect("the suite");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|it| it == extension))
        .collect();
    found.sort();
    assert!(!found.is_empty());
    found
}

fn expectation(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("the program");
    let mut lines = text.lines();
    let line = lines.find_map(|line| line.split_once(" expect: "));
    line.expect("an expect line").1.trim().to_owned()
}

fn report(path: &Path) -> serde_json::Value {
    let mut command = Command::new(foghorn());
    command.args(["verify", "--timeout", "60", "--json", "-"]);
    let output = command.arg(path).output().expect("foghorn runs");
    serde_json::from_slice(&output.stdout).expect("a report")
}

/// Whether the report says what the header says; lines count only where code has them.
#[track_caller]
fn compare(path: &Path, expect: &str, with_line: bool) {
    let report = report(path);
    let shown = path.display();
    let assumed = report["assumptions"].to_string();
    assert!(assumed.contains("LLVM's semantics"), "{shown}: {assumed}");
    if expect == "safe" {
        assert_eq!(report["verdict"], "safe", "{shown}: {report:#}");
        return;
    }
    let wanted = expect.strip_prefix("unsafe ").expect("'unsafe KIND'");
    let (kind, line) = match wanted.split_once(" @ line ") {
        Some((kind, line)) => (kind, Some(line.parse::<u64>().expect("a line"))),
        None => (wanted, None),
    };
    assert_eq!(report["verdict"], "unsafe", "{shown}: {report:#}");
    let checks = report["checks"].as_array().expect("checks");
    let fails = |check: &serde_json::Value| {
        check["verdict"] == "unsafe"
            && check["kind"] == kind
            && (!with_line || line.is_none_or(|line| check["line"] == line))
    };
    assert!(checks.iter().any(fails), "{shown}: {report:#}");
}

fn compiled(path: &Path, options: &[&str], folder: &Path) -> PathBuf {
    let output = folder.join("program.bc");
    let clang = foghorn_frontend::default_clang();
    let built = Command::new(clang)
        .args(["-g", "-w", "-c", "-emit-llvm", "-o"])
        .arg(&output)
        .args(options)
        .arg(path)
        .status();
    assert!(built.expect("clang starts").success());
    output
}

#[test]
fn textual_ir_is_checked_where_poison_is_used() {
    for path in files("ll") {
        compare(&path, &expectation(&path), false);
    }
}

#[test]
fn bitcode_that_no_optimiser_saw_is_checked_as_its_source() {
    let folder = tempfile::tempdir().expect("a folder");
    for path in files("c") {
        let program = compiled(&path, &["-O0"], folder.path());
        compare(&program, &expectation(&path), true);
    }
}

/// What is safe stays safe; of what is not, the optimiser may have removed the failure.
#[test]
fn optimised_bitcode_is_not_called_unsafe_for_what_was_moved() {
    let folder = tempfile::tempdir().expect("a folder");
    for path in files("c") {
        if expectation(&path) == "safe" {
            let program = compiled(&path, &["-O2"], folder.path());
            compare(&program, "safe", false);
        }
    }
}
