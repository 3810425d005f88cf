//! One program, several stages: what is done once, what is told at once, and what follows.

use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The release binary if the test command built one, else the one that cargo built.
fn foghorn() -> PathBuf {
    std::env::var_os("FOGHORN").map_or(env!("CARGO_BIN_EXE_foghorn").into(), PathBuf::from)
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

fn verify(folder: &Path, options: &[&str]) -> Output {
    let mut command = Command::new(foghorn());
    let command = command.current_dir(folder).arg("verify");
    let command = command.args(options).arg("program.c");
    command.output().expect("the binary starts")
}

/// A loop that only invariants prove, so that several stages have their turn.
const LOOPING: &str = "extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  while (i < n) {
    if (__VERIFIER_nondet_int()) i++;
  }
  __VERIFIER_assert(i >= 0);
  return 0;
}
";

/// Two assertions fail: one in every run, one for a single input.
const FAILING: &str = "extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);
int main(void) {
  if (__VERIFIER_nondet_uint() == 77)
    __VERIFIER_assert(__VERIFIER_nondet_uint() != 123456);
  __VERIFIER_assert(0);
}
";

#[test]
fn clang_is_started_once() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "program.c", LOOPING);
    let log = folder.path().join("log");
    let clang = foghorn_frontend::default_clang();
    let script = format!(
        "#!/bin/sh\necho started >> '{}'\nexec '{}' \"$@\"\n",
        log.display(),
        clang.display()
    );
    let wrapper = write(folder.path(), "clang", &script);
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&wrapper, mode).expect("executable");
    let output = Command::new(foghorn())
        .current_dir(folder.path())
        .env("FOGHORN_CLANG", &wrapper)
        .args(["verify", "--jobs", "1", "--timeout", "30", "program.c"])
        .output()
        .expect("the binary starts");
    let report = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{report}");
    let count = std::fs::read_to_string(&log).expect("a log");
    assert_eq!(count.lines().count(), 1, "{count}");
}

/// Every line is a value of its own, failures come before the end, and the last one is the report.
#[test]
fn failures_are_written_as_they_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "program.c", FAILING);
    let options = [
        "--json-stream",
        "-",
        "--after-failure",
        "rest",
        "--timeout",
        "60",
    ];
    let output = verify(folder.path(), &options);
    let text = String::from_utf8(output.stdout).expect("text");
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let lines: Vec<Value> = lines.collect();
    let events: Vec<&str> = lines.iter().filter_map(|it| it["event"].as_str()).collect();
    assert_eq!(
        events,
        ["started", "failed", "failed", "finished"],
        "{text}"
    );
    assert_eq!(lines[3]["report"]["verdict"], "unsafe");
    for line in &lines[1..3] {
        assert_eq!(line["check"]["verdict"], "unsafe");
        assert!(line["check"]["trace"].is_object());
    }
}

/// With one failure the answer is known, and who asks for no more gets no more.
#[test]
fn what_follows_a_failure_is_the_users_choice() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "program.c", FAILING);
    // What was on its way when the search ended is told too.
    for (options, least) in [
        (&["--after-failure", "stop"][..], 1),
        (&["--check", "assertions"], 1),
        (&["--check", "assertions", "--after-failure", "30"], 2),
        (&["--keep-going"], 2),
    ] {
        let output = verify(folder.path(), options);
        let report = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(10), "{options:?}: {report}");
        let count = report.matches("the run that fails:").count();
        assert!(count >= least, "{options:?}: {report}");
        let line = report.lines().last().unwrap_or_default();
        let open = line.contains("not decided");
        assert_eq!(count == 2, !open, "{options:?}: {report}");
    }
    let output = verify(folder.path(), &["--after-failure", "soon"]);
    assert_eq!(output.status.code(), Some(1));
}

/// Whoever proved a check is named, and the plan that is printed is the one that runs.
#[test]
fn proofs_name_their_engine_and_plans_their_stages() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "program.c", LOOPING);
    let output = verify(folder.path(), &["--json", "-", "--timeout", "60"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["verdict"], "safe");
    let checks = report["checks"].as_array().expect("a list");
    for check in checks.iter().filter(|check| check["kind"] == "assertion") {
        let by = check["proved_by"].as_array().expect("a list");
        assert!(by.contains(&Value::from("absint")), "{check}");
    }
    for jobs in ["1", "2"] {
        let output = verify(folder.path(), &["--explain", "--jobs", jobs]);
        let plan = String::from_utf8_lossy(&output.stdout);
        for engine in ["trial", "absint", "acceleration", "bmc", "kiki", "horn"] {
            assert!(plan.contains(&format!("engine {engine}")), "{plan}");
        }
        let fewer = ["--explain", "--jobs", jobs, "--without", "kiki,horn"];
        let output = verify(folder.path(), &fewer);
        let plan = String::from_utf8_lossy(&output.stdout);
        let stays = plan.contains("engine absint") && plan.contains("engine bmc");
        let left = plan.contains("engine kiki") || plan.contains("engine horn");
        assert!(stays && !left, "{plan}");
    }
}
