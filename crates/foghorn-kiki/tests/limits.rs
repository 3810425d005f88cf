//! What is said when rows are too many, or time ends.

mod common;

use foghorn_core::Budget;
use foghorn_kiki::{Kiki, SiteVerdict, check};
use std::time::{Duration, Instant};

/// Four counters, and a product of two inputs that is never a certain prime: no solver shows that soon.
const HARD: &str = r#"function @main() -> i32 {
block0:
  jump block1(0:i64, 0:i64, 0:i64, 0:i64)
block1(v0:i64, v1:i64, v2:i64, v3:i64):
  v4:i1 = compare slt v0, 1000
  branch v4, block2, block3
block2:
  v5:i64 = add v0, 1
  v6:i64 = add v1, 2
  v7:i64 = add v2, 3
  v8:i64 = sub v3, 1
  jump block1(v5, v6, v7, v8)
block3:
  v9:i1 = compare sle v0, 1000
  check assertion v9 ! p.c:1:1
  v10:i64 = nondet input "a"
  v11:i64 = nondet input "b"
  v12:i64 = and v10, 4294967295
  v13:i64 = and v11, 4294967295
  v14:i1 = compare ugt v12, 1
  assume v14
  v15:i1 = compare ugt v13, 1
  assume v15
  v16:i64 = mul v12, v13
  v17:i1 = compare ne v16, 4611686018427387847
  check assertion v17 ! p.c:2:1
  return 0:i32
}
"#;

fn options() -> Kiki {
    Kiki {
        settings: common::settings(),
        most_rows: 20,
        ..Kiki::default()
    }
}

/// Time ends in the middle of a question: what was shown before is handed on, and nothing is said of the rest.
#[test]
fn what_was_shown_is_kept_when_time_ends() {
    let module = common::module(HARD);
    let started = Instant::now();
    let budget = Budget::unlimited().within(Duration::from_secs(6));
    let report = check(&module, &options(), &budget, &mut |_| {}).expect("it solves");
    assert!(started.elapsed() < Duration::from_secs(60));
    assert!(!report.facts.is_empty(), "{:?}", report.invariants);
    assert!(report.incomplete.is_some());
    let mut answers = report.answers.iter();
    assert!(answers.any(|answer| matches!(answer.verdict, SiteVerdict::Unknown(_))));
}

/// Rows that would be too many are left out, and the report says which.
#[test]
fn too_many_rows_are_said_to_be_left_out() {
    let text = HARD.replace(
        "compare ne v16, 4611686018427387847",
        "compare ule v12, 4294967295",
    );
    let module = common::module(&text);
    let report = check(&module, &options(), &Budget::unlimited(), &mut |_| {}).expect("it solves");
    let warnings = report.warnings.join("\n");
    assert!(warnings.contains("too many rows"), "{warnings}");
    let mut answers = report.answers.iter();
    assert!(answers.all(|answer| matches!(answer.verdict, SiteVerdict::Safe)));
}
