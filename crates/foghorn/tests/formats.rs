//! The answer for other tools, and what is said of kinds of failures.

use foghorn_core::{CheckKind, EXPLANATIONS};
use foghorn_testkit::schema::Schema;
use foghorn_testkit::{binary, programs, suites};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn foghorn(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(binary());
    command.current_dir(folder).env("PWD", folder);
    let output = command.args(arguments).output();
    output.expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const PROGRAM: &str = "#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int divide(int a, int b) {
  return a / b;
}
int main(void) {
  int *p = malloc(4);
  *p = divide(7, __VERIFIER_nondet_int());
  free(p);
  return *p;
}
";

fn folder_with(source: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), source).expect("a program");
    folder
}

/// A person who reads an explanation can try it: its program fails in just this way.
#[test]
fn examples_fail_in_the_way_they_explain() {
    for it in EXPLANATIONS.iter().filter(|it| !it.example.is_empty()) {
        let folder = folder_with(it.example);
        let options = [
            "verify",
            "--check",
            "all",
            "--misaligned",
            "--json",
            "-",
            "program.c",
        ];
        let report: Value =
            serde_json::from_slice(&foghorn(folder.path(), &options).stdout).expect("JSON");
        let checks = report["checks"].as_array().expect("checks");
        let failing = checks.iter().filter(|check| check["verdict"] == "unsafe");
        let kinds: Vec<&str> = failing.filter_map(|check| check["kind"].as_str()).collect();
        assert!(kinds.contains(&it.kind.name()), "{}: {kinds:?}", it.kind);
    }
}

#[test]
fn explanations_are_found_by_kind_group_and_id() {
    let here = Path::new(".");
    let said = text(&foghorn(here, &["explain", "use-after-free"]).stdout);
    assert!(
        said.contains("CWE-416") && said.contains("free(p);"),
        "{said}"
    );
    let by_id = text(&foghorn(here, &["explain", "main/use-after-free@8:52#2"]).stdout);
    assert_eq!(by_id, said);
    let group = text(&foghorn(here, &["explain", "integer-overflow"]).stdout);
    assert_eq!(group.lines().count(), 3, "{group}");
    let all = text(&foghorn(here, &["explain"]).stdout);
    assert_eq!(all.lines().count(), CheckKind::ALL.len());
    let output = foghorn(here, &["explain", "segfault"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains("'segfault' is no kind of check"), "{said}");
}

fn sarif_schema() -> Schema {
    Schema::new(include_str!("../../../tests/data/sarif-schema-2.1.0.json"))
}

fn sarif(folder: &Path, files: &[&str]) -> Value {
    let options = [
        "verify",
        "--timeout",
        "10",
        "--format",
        "sarif",
        "--after-failure",
        "rest",
    ];
    let output = foghorn(folder, &[&options, files].concat());
    let log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    sarif_schema()
        .check(&log)
        .unwrap_or_else(|error| panic!("{files:?}: {error}"));
    log
}

/// Programs of the suites; all of them with `FOGHORN_SUITES=all`.
#[test]
fn sarif_logs_are_as_the_standard_wants_them() {
    let all = std::env::var("FOGHORN_SUITES").is_ok_and(|which| which == "all");
    for suite in ["defects", "verify", "loops", "inputs"] {
        let programs = programs(&suites().join(suite)).expect("the suite");
        for path in programs.iter().step_by(if all { 1 } else { 40 }) {
            sarif(Path::new("/"), &[&path.to_string_lossy()]);
        }
    }
}

fn results(log: &Value) -> Vec<&Value> {
    let results = log["runs"][0]["results"].as_array().expect("results");
    results.iter().filter(|it| it["kind"] == "fail").collect()
}

#[test]
fn a_finding_has_its_run_its_weakness_and_its_place() {
    let folder = folder_with(PROGRAM);
    let log = sarif(folder.path(), &["program.c"]);
    let found = results(&log);
    let rules: Vec<&str> = found
        .iter()
        .filter_map(|it| it["ruleId"].as_str())
        .collect();
    assert_eq!(rules, ["use-after-free", "division"]);
    let place = &found[1]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "program.c");
    assert_eq!(place["region"]["startLine"], 4);
    let flow = &found[1]["codeFlows"][0]["threadFlows"][0]["locations"];
    let steps = flow.as_array().expect("a flow");
    let said = |step: &Value| step["location"]["message"]["text"].to_string();
    assert!(
        steps
            .iter()
            .any(|step| said(step).contains("__VERIFIER_nondet_int gives 0"))
    );
    let last = steps.last().expect("a last step");
    assert_eq!(said(last), "\"division fails here\"");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].to_string();
    assert!(rules.contains("external/cwe/cwe-369"), "{rules}");
}

/// Lines above a finding, and the white space in it, do not make another one of it.
#[test]
fn a_finding_stays_the_same_when_lines_are_inserted() {
    let prints = |source: &str| {
        let folder = folder_with(source);
        let log = sarif(folder.path(), &["program.c"]);
        let found = results(&log);
        let prints = found.iter().map(|it| it["partialFingerprints"].to_string());
        prints.collect::<Vec<String>>()
    };
    let before = prints(PROGRAM);
    assert_ne!(before[0], before[1]);
    let moved = format!("/* one\n * two */\nint unused;\n{PROGRAM}");
    assert_eq!(prints(&moved), before);
    assert_eq!(
        prints(&PROGRAM.replace("  return a / b;", "      return a /  b;")),
        before
    );
    assert_ne!(prints(&PROGRAM.replace("a / b", "b / a / b")), before);
}

#[test]
fn junit_counts_checks_as_tests() {
    let folder = folder_with(PROGRAM);
    let options = [
        "verify",
        "--after-failure",
        "rest",
        "--format",
        "junit=out.xml",
        "program.c",
    ];
    let output = foghorn(folder.path(), &options);
    // A file beside the answer for people.
    assert!(text(&output.stdout).contains("verdict: unsafe"));
    let path = folder.path().join("out.xml");
    let xml = std::fs::read_to_string(&path).expect("the file");
    assert!(xml.contains("failures=\"2\" errors=\"0\""), "{xml}");
    assert!(xml.contains("<failure type=\"division\""), "{xml}");
    let script = "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])";
    let mut parsed = Command::new("python3");
    let parsed = parsed
        .args(["-c", script])
        .arg(&path)
        .output()
        .expect("python3");
    assert!(parsed.status.success(), "{}", text(&parsed.stderr));
}

#[test]
fn short_lines_and_annotations() {
    let folder = folder_with(PROGRAM);
    let ask = |format| {
        let options = [
            "verify",
            "--after-failure",
            "rest",
            "--format",
            format,
            "program.c",
        ];
        text(&foghorn(folder.path(), &options).stdout)
    };
    let starts = |format, expected: &str| {
        let said = ask(format);
        assert!(
            said.lines().any(|line| line.starts_with(expected)),
            "{said}"
        );
    };
    starts("short", "program.c:4:12: error: A division by zero.");
    starts(
        "github",
        "::error file=program.c,line=4,col=12,title=division::A division by zero.",
    );
}

#[test]
fn wrong_formats_are_said() {
    let folder = folder_with("int main(void) { return 0; }\n");
    let ask = |formats: &[&str]| {
        let output = foghorn(folder.path(), &[&["verify", "program.c"], formats].concat());
        (output.status.code(), text(&output.stderr))
    };
    let (code, said) = ask(&["--format", "xml"]);
    assert!(
        code == Some(1) && said.contains("'xml' is no format"),
        "{said}"
    );
    let (code, said) = ask(&["--format", "short", "--format", "junit"]);
    assert!(
        code == Some(1) && said.contains("only one format"),
        "{said}"
    );
    let (code, said) = ask(&["--format", "short", "--json", "-"]);
    assert!(
        code == Some(1) && said.contains("only one format"),
        "{said}"
    );
    let (code, said) = ask(&["--format", "sarif=/nonexistent/out"]);
    assert!(
        code == Some(2) && said.contains("cannot write /nonexistent/out"),
        "{said}"
    );
}
