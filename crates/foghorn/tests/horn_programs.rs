//! `foghorn horn`: the clauses of the SeaHorn paper's figures as snapshots, exports that read back, and bad input.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The release binary if the test command built one, else the one that cargo built.
fn foghorn() -> PathBuf {
    std::env::var_os("FOGHORN").map_or(env!("CARGO_BIN_EXE_foghorn").into(), PathBuf::from)
}

fn suite(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/suites/horn")
        .join(name)
}

fn run(arguments: &[&str], file: &Path) -> Output {
    Command::new(foghorn())
        .args(&arguments[..1])
        .arg(file)
        .args(&arguments[1..])
        .output()
        .expect("the binary starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn clauses(file: &Path, form: [&str; 2], format: &str) -> String {
    let options = ["horn", "--check", "assertions", form[0], form[1]];
    let export = ["--export", format, "-"];
    let output = run(&[&options[..], &export[..]].concat(), file);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {stderr}", file.display());
    stdout(&output)
}

/// The figures in the forms that the paper shows them in.
const FIGURES: [(&str, &str, [&str; 2]); 4] = [
    ("figure-2-good", "", ["--procedures", "summaries"]),
    ("figure-2-good", "-mixed", ["--procedures", "mixed"]),
    ("figure-3-good", "", ["--step", "small"]),
    ("figure-4-good", "", ["--procedures", "summaries"]),
];

/// `FOGHORN_BLESS=1` writes the snapshots.
#[test]
fn clauses_of_the_figures_are_as_they_were() {
    for (name, kind, form) in FIGURES {
        let text = clauses(&suite(&format!("{name}.c")), form, "smt2");
        let snapshot = suite(&format!("{name}{kind}.smt2"));
        if std::env::var_os("FOGHORN_BLESS").is_some_and(|value| value == "1") {
            std::fs::write(&snapshot, &text).expect("the snapshot is written");
        }
        let known = std::fs::read_to_string(&snapshot).expect("there is a snapshot");
        assert_eq!(text, known, "{name}: FOGHORN_BLESS=1 writes it anew");
    }
}

/// What is exported reads back and has the same answer.
#[test]
fn exported_clauses_are_solved_alike() {
    let folder = tempfile::tempdir().expect("a folder");
    let forms = [
        ["--procedures", "summaries"],
        ["--procedures", "mixed"],
        ["--step", "small"],
    ];
    for (name, word) in [("figure-2-good", "sat\n"), ("figure-2-bad", "unsat\n")] {
        for form in forms {
            let text = clauses(&suite(&format!("{name}.c")), form, "smt2");
            let file = folder.path().join("system.smt2");
            std::fs::write(&file, &text).expect("a file");
            let output = Command::new(foghorn())
                .args(["chc", "solve", "--timeout", "60"])
                .arg(&file)
                .output()
                .expect("the binary starts");
            assert_eq!(stdout(&output), word, "{name}, {form:?}");
        }
    }
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
fn what_cannot_be_done_is_said_in_one_line() {
    let program = suite("figure-3-good.c");
    let export = |format: &'static str, out: &'static str| ["horn", "--export", format, out];
    if Path::new("/dev/full").exists() {
        let full = run(&export("smt2", "/dev/full"), &program);
        refused(&full, 2, "cannot write /dev/full");
    }
    refused(
        &run(&export("pdf", "-"), &program),
        1,
        "there is no format pdf",
    );
    let unknown = run(&["horn", "--integers", "reals"], &program);
    refused(&unknown, 1, "'reals' is none of lia, bits");
    let clauses = suite("figure-3-good.smt2");
    refused(&run(&["horn"], &clauses), 2, "unknown kind of file");
    refused(&run(&["horn"], Path::new("/nowhere.c")), 2, "/nowhere.c: ");
}

/// An entry with arguments is called with anything.
#[test]
fn an_entry_with_arguments_is_called_with_anything() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("entry.c");
    let text = "int divide(int n) { return 10 / n; }\nint main(void) { return divide(5); }\n";
    std::fs::write(&file, text).expect("a file");
    let output = run(&["horn", "--entry", "divide"], &file);
    assert_eq!(output.status.code(), Some(10));
    assert!(
        stdout(&output).contains("entry.c:1:31: division fails\n"),
        "{}",
        stdout(&output)
    );
}
