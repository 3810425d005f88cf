//! Options that change what a verdict means.

use std::path::PathBuf;
use std::process::Command;

/// The release binary if the test command built one, else the one that cargo built.
fn foghorn() -> PathBuf {
    std::env::var_os("FOGHORN").map_or(env!("CARGO_BIN_EXE_foghorn").into(), PathBuf::from)
}

fn report(program: &str, options: &[&str]) -> serde_json::Value {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, program).expect("a file");
    let mut command = Command::new(foghorn());
    command.args(["verify", "--json", "-"]).args(options);
    let output = command.arg(&path).output().expect("foghorn runs");
    serde_json::from_slice(&output.stdout).expect("a report")
}

const UNCHECKED: &str = "#include <stdlib.h>
int main(void) {
  int *number = malloc(sizeof *number);
  *number = 3;
  free(number);
  return 0;
}
";

#[test]
fn an_allocation_fails_only_if_it_may() {
    let never = report(UNCHECKED, &[]);
    assert_eq!(never["verdict"], "safe");
    let assumed = never["assumptions"].to_string();
    assert!(assumed.contains("--malloc-may-fail"), "{assumed}");

    let sometimes = report(UNCHECKED, &["--malloc-may-fail"]);
    assert_eq!(sometimes["verdict"], "unsafe");
    let assumed = sometimes["assumptions"].to_string();
    assert!(!assumed.contains("--malloc-may-fail"), "{assumed}");
    let failed = sometimes["checks"].as_array().expect("checks");
    let failed: Vec<_> = failed.iter().filter(|c| c["verdict"] == "unsafe").collect();
    let [check] = failed[..] else {
        panic!("one check fails: {failed:?}");
    };
    assert_eq!(check["kind"], "null-dereference");
    assert_eq!(check["line"], 4);

    let checked = UNCHECKED.replace("*number = 3;", "if (number) *number = 3;");
    let handled = report(&checked, &["--malloc-may-fail"]);
    assert_eq!(handled["verdict"], "safe");
}
