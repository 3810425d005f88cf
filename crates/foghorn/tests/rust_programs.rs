//! Rust programs, compiled to bitcode by rustc, run in the interpreter like C programs do.
//!
//! The header of each file under `tests/suites/rust` says what it prints, and whether and where
//! it panics. The bitcode holds no standard library: programs print through C's `printf`.

use std::path::{Path, PathBuf};
use std::process::Command;

fn foghorn() -> PathBuf {
    std::env::var_os("FOGHORN").map_or(env!("CARGO_BIN_EXE_foghorn").into(), PathBuf::from)
}

fn header(text: &str, key: &str) -> Option<String> {
    let prefix = format!("// {key}: ");
    text.lines()
        .find_map(|line| line.strip_prefix(&prefix))
        .map(str::to_owned)
}

#[track_caller]
fn check(name: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/suites/rust")
        .join(name);
    let text = std::fs::read_to_string(&source).expect("the program");
    let folder = tempfile::tempdir().expect("a folder");
    let bitcode = folder.path().join("program.bc");
    let built = Command::new("rustc")
        .args([
            "--emit=llvm-bc",
            "-C",
            "panic=abort",
            "-g",
            "--edition",
            "2024",
            "-o",
        ])
        .arg(&bitcode)
        .arg(&source)
        .status();
    assert!(built.expect("rustc starts").success());
    let output = Command::new(foghorn())
        .arg("run")
        .arg(&bitcode)
        .output()
        .expect("starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        stdout.trim_end(),
        header(&text, "stdout").expect("a stdout line"),
        "{stderr}"
    );
    let expect = header(&text, "expect").expect("an expect line");
    if expect == "safe" {
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        return;
    }
    let (kind, line) = expect
        .strip_prefix("unsafe ")
        .and_then(|rest| rest.split_once(" @ line "))
        .expect("'unsafe KIND @ line N'");
    assert_eq!(output.status.code(), Some(10), "{stderr}");
    let first = stderr.lines().next().unwrap_or("");
    assert!(first.starts_with(&format!("error: {kind} at ")), "{stderr}");
    assert!(first.contains(&format!("{name}:{line}:")), "{stderr}");
}

#[test]
fn sorting() {
    check("sorting.rs");
}

#[test]
fn shapes() {
    check("shapes.rs");
}

#[test]
fn a_panic_is_a_failed_check_at_its_rust_line() {
    check("panics.rs");
}
