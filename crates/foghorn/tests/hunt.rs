//! The hunt for wrong verdicts, for about a minute of processor time.
//!
//! The seed is fixed and nothing but how many answers are `unknown` depends on time, so that it turns
//! red only where a verdict is wrong. `FOGHORN_HUNT_SEED` and `FOGHORN_HUNT_PROGRAMS` hunt elsewhere
//! and for longer.

use foghorn_testkit::{binary, suites};
use std::process::Command;

fn variable(name: &str, otherwise: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| otherwise.to_owned())
}

#[test]
#[expect(clippy::print_stdout, reason = "what was tried is for people")]
fn no_engine_says_what_is_not_true() {
    let output = Command::new(binary())
        .args(["difftest", "--verdicts", "--jobs", "2", "--timeout", "1"])
        .args(["--seed", &variable("FOGHORN_HUNT_SEED", "1")])
        .args(["--programs", &variable("FOGHORN_HUNT_PROGRAMS", "30")])
        .arg("--suites")
        .arg(suites())
        .output()
        .expect("the binary");
    let told = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}\n{error}");
    assert!(told.contains(" 0 differences "), "{told}");
    println!("{told}");
}
