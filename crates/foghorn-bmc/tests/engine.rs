//! The engine on small programs in textual IR: proofs, failures, bounds, vacuity, broken models.

use foghorn_bmc::replay::{Replay, Script, replay};
use foghorn_bmc::{Bmc, BmcReport, Settings, SiteVerdict, check};
use foghorn_core::{Budget, CheckKind, SiteKind, UnknownReason, Verdict};
use foghorn_encode::execute::event::Site;
use foghorn_ir::{Instruction, Module, parse_module, verify_module};

fn program(body: &str) -> Module {
    let text = format!("foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\n{body}\n");
    let mut module = parse_module(&text).expect("the text is right");
    assert!(verify_module(&module).is_empty());
    foghorn_dsa::memory_ssa::plan::purify(&mut module, &foghorn_dsa::Options::default());
    module
}

fn checked(module: &Module, options: &Bmc) -> BmcReport {
    check(module, options, &Budget::unlimited(), &mut |_| {}).expect("the solver works")
}

fn loop_to(limit: &str) -> Module {
    program(&format!(
        r#"function @main() -> i32 {{
block0:
  v0:i32 = nondet input "n"
  jump block1(0:i32)
block1(v1:i32):
  v2:i1 = compare slt v1, {limit}
  branch v2, block2, block3
block2:
  v3:i32 = add v1, 1
  jump block1(v3)
block3:
  v4:i1 = compare sge v1, {limit}
  check assertion v4
  return v1
}}"#
    ))
}

#[test]
fn a_loop_that_constants_bound_is_proved() {
    let report = checked(&loop_to("700"), &Bmc::default());
    assert_eq!(report.verdict(), Verdict::Safe);
    assert_eq!(report.bound, 1, "decided iterations do not count");
}

#[test]
fn a_loop_that_an_input_bounds_is_known_up_to_the_bound_only() {
    let options = Bmc {
        unwind: Some(5),
        ..Bmc::default()
    };
    let report = checked(&loop_to("v0"), &options);
    let reason = UnknownReason::Bounded { bound: 5 };
    assert_eq!(report.verdict(), Verdict::Unknown { reason });
    assert_eq!(report.unwound.len(), 1);
}

const DIVISION: &str = r#"function @main() -> i32 {
block0:
  v0:i32 = nondet input "x"
  v1:i1 = compare ne v0, 7
  check assertion v1
  v2:i1 = compare sgt v0, 3
  assume v2
  v3:i1 = compare ne v0, 0
  check division v3
  return v0
}"#;

#[test]
fn an_assumption_counts_from_where_it_stands() {
    let report = checked(&program(DIVISION), &Bmc::default());
    let verdicts: Vec<bool> = report
        .answers
        .iter()
        .map(|answer| matches!(answer.verdict, SiteVerdict::Unsafe(_)))
        .collect();
    assert_eq!(verdicts, [true, false]);
    let SiteVerdict::Unsafe(counterexample) = &report.answers[0].verdict else {
        panic!("x = 7 fails");
    };
    assert_eq!(counterexample.choices[0].bits, 7);
}

#[test]
fn a_check_behind_contradicting_assumptions_is_vacuous() {
    let module = program(
        r#"function @main() -> i32 {
block0:
  v0:i32 = nondet input "x"
  v1:i1 = compare sgt v0, 3
  assume v1
  v2:i1 = compare slt v0, 2
  assume v2
  v3:i1 = compare eq v0, 9
  check assertion v3
  return v0
}"#,
    );
    let report = checked(&module, &Bmc::default());
    assert_eq!(report.verdict(), Verdict::Safe);
    assert!(report.answers[0].vacuous);
}

/// What an engine whose model is wrong would hand over: here one that has no values at all.
#[test]
fn a_model_that_does_not_fail_in_the_interpreter_is_not_believed() {
    let module = program(DIVISION);
    let function = module.entry.expect("there is one");
    let body = module.functions[function]
        .body
        .as_ref()
        .expect("there is one");
    let (instruction, data) = body
        .instructions
        .iter()
        .find(|(_, data)| matches!(data.instruction, Instruction::Check { .. }))
        .expect("there is one");
    let site = Site {
        kind: SiteKind::Explicit(CheckKind::Assertion),
        point: Some(foghorn_ir::interpret::ProgramPoint {
            function,
            instruction,
        }),
        span: data.span,
    };
    let settings = Settings::default();
    let outcome = replay(
        &module,
        &settings,
        &Budget::unlimited(),
        Script::default(),
        &site,
        |_| None,
    );
    assert!(matches!(outcome, Replay::NotConfirmed(_)), "{outcome:?}");
}
