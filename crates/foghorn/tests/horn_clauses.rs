//! `foghorn chc`: the portfolio in processes of its own, exports, and what goes wrong with either.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The release binary if the test command built one, else the one that cargo built.
fn foghorn() -> PathBuf {
    std::env::var_os("FOGHORN").map_or(env!("CARGO_BIN_EXE_foghorn").into(), PathBuf::from)
}

const LOOP: &str = "(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< x 10)) (inv (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (> y BOUND)) false)))
(check-sat)
";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    }

    fn counter(&self, bound: u32) -> PathBuf {
        let name = format!("counter{bound}.smt2");
        self.file(&name, &LOOP.replace("BOUND", &bound.to_string()))
    }
}

fn chc(command: &str, file: &Path, options: &[&str]) -> Output {
    Command::new(foghorn())
        .args(["chc", command])
        .arg(file)
        .args(options)
        .output()
        .expect("the binary starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// One line on standard error, this exit code, nothing on standard output.
#[track_caller]
fn refused(output: &Output, code: i32, expected: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(stderr.contains(expected), "no '{expected}' in: {stderr}");
    assert_eq!(stderr.trim_end().lines().count(), 1, "{stderr}");
    assert!(output.stdout.is_empty(), "{}", stdout(output));
}

#[test]
fn the_portfolio_answers_with_evidence() {
    let folder = Folder::new();
    for jobs in ["1", "2"] {
        let safe = chc("solve", &folder.counter(20), &["--model", "--jobs", jobs]);
        assert!(
            stdout(&safe).starts_with("sat\n(\n(define-fun inv "),
            "{}",
            stdout(&safe)
        );
        let options = ["--derivation", "--jobs", jobs];
        let refuted = stdout(&chc("solve", &folder.counter(19), &options));
        assert!(
            refuted.starts_with("unsat\nstep0: (inv 0 0) by clause-0"),
            "{refuted}"
        );
        assert!(
            refuted.contains("false by clause-2 from step10"),
            "{refuted}"
        );
    }
}

#[test]
fn the_portfolio_is_explained() {
    let folder = Folder::new();
    let text = stdout(&chc("solve", &folder.counter(20), &["--explain"]));
    assert!(text.starts_with("1 predicates, 3 rules\n"), "{text}");
    assert!(
        text.contains(
            "1. 1 s spacer-generalised: rules simplified, large constants as parameters;"
        ),
        "{text}"
    );
    assert!(text.contains("-  spacer-quantified:"), "{text}");
}

#[test]
fn time_that_is_over_is_unknown() {
    let folder = Folder::new();
    let hard = folder.file(
        "hard.smt2",
        "(declare-fun p (Int Int) Bool)
         (assert (p 0 0))
         (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y x)))))
         (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= (* 2 y) (+ 1 (* x (- x 1))))) false)))",
    );
    let output = chc("solve", &hard, &["--timeout", "1"]);
    assert_eq!(output.status.code(), Some(20));
    assert_eq!(stdout(&output), "unknown\n");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "unknown: out of time\n"
    );
}

/// An answer that nobody can read is not one.
#[test]
fn a_full_disk_behind_standard_output_is_said() {
    let folder = Folder::new();
    let full = std::fs::File::options().write(true).open("/dev/full");
    let output = Command::new(foghorn())
        .args(["chc", "solve", "--model"])
        .arg(folder.counter(20))
        .stdout(full.expect("there is a full device"))
        .output()
        .expect("the binary starts");
    refused(&output, 2, "cannot write to standard output");
}

#[test]
fn what_is_no_file_of_clauses_is_said() {
    let folder = Folder::new();
    let c = folder.file("program.c", "int main(void) { return 0; }\n");
    refused(&chc("solve", &c, &[]), 2, "program.c: line 1: ");
    let cut = folder.file("cut.smt2", "(set-logic HORN)\n(assert (forall ((x Int))");
    refused(&chc("solve", &cut, &[]), 2, "cut.smt2: line ");
    refused(
        &chc("export", &cut, &["--format", "clp"]),
        2,
        "cut.smt2: line ",
    );
    let empty = folder.file("empty.smt2", "\n");
    refused(&chc("solve", &empty, &[]), 2, "there is nothing in it");
    let packed = folder.0.path().join("packed.smt2.gz");
    std::fs::write(&packed, [0x1f, 0x8b, 8, 0, 0, 0, 0, 0]).expect("a file");
    refused(&chc("solve", &packed, &[]), 2, "packed by gzip");
    let engine = ["--engine", "nobody"];
    refused(
        &chc("solve", &folder.counter(20), &engine),
        1,
        "there is no engine nobody",
    );
    let format = ["--format", "pdf"];
    refused(
        &chc("export", &folder.counter(20), &format),
        1,
        "there is no format pdf",
    );
}

#[test]
fn a_disk_that_is_full_is_said() {
    let folder = Folder::new();
    if !Path::new("/dev/full").exists() {
        return;
    }
    let output = chc(
        "export",
        &folder.counter(20),
        &["--format", "smt2", "--output", "/dev/full"],
    );
    refused(&output, 2, "cannot write /dev/full");
}

#[test]
fn exports_to_smt2_are_solved_alike() {
    let folder = Folder::new();
    for (bound, word) in [(20, "sat\n"), (19, "unsat\n")] {
        let text = stdout(&chc(
            "export",
            &folder.counter(bound),
            &["--format", "smt2"],
        ));
        let again = folder.file("again.smt2", &text);
        assert_eq!(stdout(&chc("solve", &again, &[])), word);
    }
}
