//! The list of checks: the same in every report on the same source, whatever the engines came to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn foghorn() -> PathBuf {
    std::env::var_os("FOGHORN").map_or(env!("CARGO_BIN_EXE_foghorn").into(), PathBuf::from)
}

fn report(path: &Path, options: &[&str]) -> serde_json::Value {
    let mut command = Command::new(foghorn());
    command
        .args(["verify", "--json", "-"])
        .args(options)
        .arg(path);
    let output = command.output().expect("the binary");
    let report = serde_json::from_slice(&output.stdout);
    report.unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&output.stderr)))
}

fn ids(report: &serde_json::Value) -> Vec<String> {
    let checks = report["checks"].as_array().expect("checks");
    let ids = checks
        .iter()
        .map(|check| check["id"].as_str().expect("an id"));
    ids.map(str::to_owned).collect()
}

/// Code that only deep unwinding reaches, library calls, two checks at one place, a failure.
const PROGRAM: &str = "#include <string.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int deep(int *p) { return *p / (*p - 7); }
int main(void) {
  char text[8];
  int n = __VERIFIER_nondet_int(), *p = 0;
  strcpy(text, \"abc\");
  for (int i = 0; i < n; i++)
    if (i == 40)
      n += deep(&i) + (int)strlen(text);
  if (n == 77)
    return *p;
  char *copy = malloc(4);
  copy[n & 3] = 0;
  free(copy);
  return 0;
}
";

#[test]
fn every_report_lists_the_same_checks() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, PROGRAM).expect("a program");
    let ways: [&[&str]; 6] = [
        &["--engine", "bmc", "--unwind", "1"],
        &["--engine", "bmc", "--unwind", "50"],
        &["--engine", "absint"],
        &["--timeout", "3"],
        &["--timeout", "0.5", "--no-trials"],
        &["--engine", "bmc", "--loops", "closed"],
    ];
    let first = ids(&report(
        &path,
        &["--engine", "absint", "--domain", "intervals"],
    ));
    assert!(first.len() > 10, "{first:?}");
    let distinct: BTreeSet<&String> = first.iter().collect();
    assert_eq!(distinct.len(), first.len(), "{first:?}");
    for way in ways {
        let report = report(&path, way);
        // A worker that was stopped before it knew the program lists nothing.
        if way.contains(&"0.5") && report["checks"].as_array().is_some_and(Vec::is_empty) {
            continue;
        }
        assert_eq!(ids(&report), first, "{way:?}");
        for check in report["checks"].as_array().expect("checks") {
            let explained = check["verdict"] != "unknown" || check["reason"].is_object();
            assert!(explained, "{way:?}: {check}");
        }
    }
}

/// True, and beyond any solver for hours; the check behind it is not even reached by then.
const HARD: &str = "extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);
int main(void) {
  unsigned long long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  __VERIFIER_assume(a > 1 && b > 1);
  __VERIFIER_assert(a * b != 9223372036854775783ull);
  __VERIFIER_assert(a * b != 9223372036854775643ull);
}
";

#[test]
fn a_time_out_lists_the_open_checks_with_their_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hard.c");
    std::fs::write(&path, HARD).expect("a program");
    let report = report(&path, &["--timeout", "6", "--check", "assertions"]);
    assert_eq!(report["verdict"], "unknown");
    let checks = report["checks"].as_array().expect("checks");
    let open: Vec<_> = checks
        .iter()
        .filter(|it| it["verdict"] == "unknown")
        .collect();
    assert_eq!(open.len(), 2, "{report}");
    for check in open {
        assert_eq!(check["reason"]["kind"], "budget", "{check}");
    }
}
