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

/// Two signs that an interval takes for everything between them.
const SIGNS: &str = "extern int __VERIFIER_nondet_int(void);
int main(void) {
  int sign;
  if (__VERIFIER_nondet_int() > 0) sign = 1; else sign = -1;
  for (int i = 0; i < 1000000; i++) {
    if (sign > 0) sign = 2; else sign = -2;
  }
  return 10 / sign;
}
";

#[test]
fn going_backwards_from_a_failure_keeps_cases_apart() {
    let forwards = ["--engine", "absint", "--domain", "intervals+bool"];
    assert_eq!(report(SIGNS, &forwards)["verdict"], "unknown");
    let both = [&forwards[..], &["--backward"]].concat();
    assert_eq!(report(SIGNS, &both)["verdict"], "safe");
    let zero = SIGNS.replace("sign = -2", "sign = 0");
    assert_eq!(report(&zero, &both)["verdict"], "unknown");
}

/// The sum needs unwinding; that the index stays below 20 is an invariant.
const SUM: &str = "extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int numbers[64];
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 0 && n <= 20);
  int i = 0, sum = 0;
  while (i < n) { numbers[i * 2] = i; sum += numbers[i]; i++; }
  if (sum > 45) reach_error();
  return 0;
}
";

#[test]
fn invariants_bound_the_unwinding() {
    let unwound = |report: &serde_json::Value| report["statistics"]["instructions"].as_f64();
    // One after the other, so that the facts are there when loops are unwound.
    let with = report(SUM, &["--jobs", "1"]);
    let without = report(SUM, &["--jobs", "1", "--no-facts"]);
    assert_eq!(with["verdict"], "safe");
    assert_eq!(without["verdict"], "safe");
    assert!(unwound(&with) < unwound(&without), "{with} {without}");
    let less = SUM.replace("sum > 45", "sum > 44");
    assert_eq!(report(&less, &[])["verdict"], "unsafe");
}

/// Two loops, of which the order of execution is not the order of lines.
const TWO_LOOPS: &str = "extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), sum = 0;
  if (__VERIFIER_nondet_int()) {
    for (int i = 0; i < 3 && sum < n; i++)
      sum++;
  } else {
    for (int i = 0; i < 7 && sum < n; i++)
      sum++;
  }
  return sum;
}
";

/// The loop that is bounded is the one that `foghorn loops` calls so.
#[test]
fn a_bound_is_for_the_loop_of_that_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, TWO_LOOPS).expect("a file");
    let mut command = Command::new(foghorn());
    let listed = command.args(["loops", "--json"]).arg(&path).output();
    let listed = listed.expect("foghorn runs").stdout;
    let listed: serde_json::Value = serde_json::from_slice(&listed).expect("a list");
    for (number, line) in [(0, 5), (1, 8)] {
        let name = format!("main.{number}");
        assert_eq!(listed[number]["name"], *name);
        assert_eq!(listed[number]["line"], line);
        let bounds = format!("{name}=1");
        let bounded = ["--engine", "bmc", "--unwind", "9", "--unwind-set", &bounds];
        let report = report(TWO_LOOPS, &bounded);
        assert_eq!(report["verdict"], "unknown", "{report}");
        let told = report["warnings"].to_string();
        assert!(told.contains(&name), "{told}");
        let other = format!("main.{}", 1 - number);
        assert!(!told.contains(&other), "{told}");
        assert!(told.contains(&format!(":{line}")), "{told}");
    }
}
