//! What is said when rows are too many, or time ends.

mod common;

use foghorn_core::{Budget, UnknownReason};
use foghorn_kiki::{Kiki, Mode, SiteVerdict, check};
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

/// What a loop does to a shadow of memory is not followed, and the answer says so.
#[test]
fn what_is_not_supported_is_named() {
    let module = common::module(
        r#"function @main() -> i32 {
block0:
  v0:ptr = allocate heap 4, align 4 ! p.c:1:1
  call-builtin set-shadow(2:i8, v0, 9:i64)
  jump block1(0:i32)
block1(v1:i32):
  v2:i32 = nondet input "n"
  v3:i1 = compare slt v1, v2
  branch v3, block2, block3
block2:
  v4:i32 = add v1, 1
  jump block1(v4)
block3:
  v5:i1 = compare sge v1, 0
  check assertion v5 ! p.c:2:1
  return 0:i32
}
"#,
    );
    let report = check(&module, &options(), &Budget::unlimited(), &mut |_| {}).expect("it solves");
    let Some(UnknownReason::Unsupported { construct, .. }) = report.incomplete else {
        panic!("{:?}", report.incomplete);
    };
    assert!(construct.contains("shadows"), "{construct}");
}

/// Five counters that wrap around at eight make 32,768 combinations: they are given up, and the rest still proves what it
/// can.
#[test]
fn combinations_that_explode_are_given_up() {
    let steps = (0..5).map(|at| {
        format!(
            "  v{0}:i32 = nondet input \"s\"\n  v{1}:i32 = add v{at}, v{0}\n  v{2}:i32 = and v{1}, 7\n",
            10 + 3 * at,
            11 + 3 * at,
            12 + 3 * at
        )
    });
    let text = format!(
        r#"function @main() -> i32 {{
block0:
  jump block1(0:i32, 0:i32, 0:i32, 0:i32, 0:i32)
block1(v0:i32, v1:i32, v2:i32, v3:i32, v4:i32):
  v5:i1 = compare ule v0, 7
  check assertion v5 ! p.c:1:1
  v6:i32 = mul v1, v2
  v7:i1 = compare ne v6, 35
  check assertion v7 ! p.c:2:1
{}  jump block1(v12, v15, v18, v21, v24)
}}
"#,
        steps.collect::<String>()
    );
    let module = common::module(&text);
    let options = Kiki {
        mode: Mode::Invariants,
        selection: "values+states".parse().expect("both are templates"),
        ..options()
    };
    let budget = Budget::unlimited().within(Duration::from_secs(6));
    let report = check(&module, &options, &budget, &mut |_| {}).expect("it solves");
    let is_safe = |line: &str| {
        let mut answers = report.answers.iter();
        let own = answers.find(|it| module.spans.describe(it.site.span).starts_with(line));
        matches!(own.expect("it is checked").verdict, SiteVerdict::Safe)
    };
    assert!(is_safe("p.c:1:"), "{:?}", report.invariants);
    assert!(!is_safe("p.c:2:"), "it fails");
}
