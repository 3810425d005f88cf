//! What summarisation says of loops that it follows, that it executes instead, and that it cannot follow.

use foghorn_acceleration::{
    Acceleration, AccelerationReport, Proof, check, has_summarisable_loops,
};
use foghorn_core::{Budget, UnknownReason, Verdict};
use foghorn_ir::{Module, parse_module, verify_module};

fn module(body: &str) -> Module {
    let text = format!("foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\n{body}");
    let mut module = parse_module(&text).expect("the text is right");
    assert!(verify_module(&module).is_empty());
    foghorn_dsa::memory_ssa::plan::purify(&mut module, &foghorn_dsa::Options::default());
    module
}

fn report(module: &Module, options: &Acceleration) -> AccelerationReport {
    check(module, options, &Budget::unlimited()).expect("the solver works")
}

/// Counts to a limit; behind the loop the counter is the limit, and is it less than 1000?
fn counting(limit: &str) -> Module {
    module(&format!(
        r#"function @main() -> i32 {{
block0:
  v0:i32 = nondet input "n"
  v1:i1 = compare sge v0, 0
  assume v1
  jump block1(0:i32)
block1(v2:i32):
  v3:i1 = compare slt v2, {limit}
  branch v3, block2, block3
block2:
  v4:i32 = add v2, 1
  jump block1(v4)
block3:
  v5:i1 = compare eq v2, {limit}
  check assertion v5
  v6:i1 = compare slt v2, 1000
  check assertion v6
  return 0:i32
}}
"#
    ))
}

#[test]
fn a_loop_of_any_length_is_summarised_and_what_is_not_proved_is_said() {
    let module = counting("v0");
    assert!(has_summarisable_loops(&module));
    let report = report(&module, &Acceleration::default());
    assert_eq!(report.statistics.summarised_loops, 1);
    let proofs: Vec<&Proof> = report.answers.iter().map(|it| &it.proof).collect();
    assert_eq!(*proofs[0], Proof::Proved);
    // It fails for a large input: summaries do not refute, and give the loop as the reason.
    let Proof::Open(UnknownReason::Imprecision { operation, .. }) = proofs[1] else {
        panic!("{proofs:?}");
    };
    assert_eq!(operation, "what loops do before this check");
    assert_eq!(report.incomplete, None);
    assert_eq!(report.proved_sites().count(), 1);
    assert!(matches!(report.verdict(), Verdict::Unknown { .. }));
}

#[test]
fn a_short_loop_that_constants_decide_is_executed() {
    let module = counting("5");
    let executed = report(&module, &Acceleration::default());
    assert_eq!(executed.statistics.summarised_loops, 0);
    assert_eq!(executed.verdict(), Verdict::Safe);
    let options = Acceleration {
        from: 0,
        ..Acceleration::default()
    };
    let summarised = report(&module, &options);
    assert_eq!(summarised.statistics.summarised_loops, 1);
    assert_eq!(summarised.verdict(), Verdict::Safe);
}

/// Allocates in each iteration: not followed.
const ALLOCATES: &str = r#"function @main() -> i32 {
block0:
  v0:i32 = nondet input "n"
  jump block1(0:i32)
block1(v1:i32):
  v2:i1 = compare slt v1, v0
  branch v2, block2, block3
block2:
  v3:ptr = allocate heap 4, align 4
  free v3
  v4:i32 = add v1, 1
  jump block1(v4)
block3:
  return 0:i32
}
"#;

#[test]
fn a_loop_that_cannot_be_followed_is_unwound_and_named() {
    let module = module(ALLOCATES);
    assert!(!has_summarisable_loops(&module));
    let options = Acceleration {
        unwind: 3,
        ..Acceleration::default()
    };
    let report = report(&module, &options);
    assert_eq!(report.statistics.summarised_loops, 0);
    assert_eq!(report.incomplete, Some(UnknownReason::Bounded { bound: 3 }));
    let names: Vec<&str> = report.unwound.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["main.0"]);
    assert_eq!(report.proved_sites().count(), 0);
}
