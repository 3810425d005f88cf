//! Summarised loops against unwound ones, on random programs with loops over two arrays.
//!
//! Every loop ends after at most four iterations, so unwinding decides every check. What summaries
//! prove must hold there; what fails there must stay open. `FOGHORN_SUMMARISED_PROGRAMS` sets the number of
//! programs.

use foghorn_acceleration::{Acceleration, Proof};
use foghorn_bmc::{Bmc, SiteVerdict};
use foghorn_core::{Budget, SiteKind, SpanId};
use foghorn_ir::{Module, parse_module};
use foghorn_testkit::loop_program;
use std::collections::BTreeMap;

fn random_program(seed: u64) -> (Module, String) {
    let text = loop_program(seed);
    let mut module = parse_module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    foghorn_dsa::memory_ssa::plan::purify(&mut module, &foghorn_dsa::Options::default());
    (module, text)
}

type Answers = BTreeMap<(SiteKind, SpanId), Option<bool>>;

/// Whether each check holds, and whether all of the program was looked at.
fn unwind(module: &Module) -> (Answers, bool) {
    let options = Bmc {
        unwind: Some(8),
        vacuity: false,
        ..Bmc::default()
    };
    let report = foghorn_bmc::check(module, &options, &Budget::unlimited(), &mut |_| {});
    let report = report.expect("it solves");
    let answers = report.answers.iter().map(|answer| {
        let holds = match &answer.verdict {
            SiteVerdict::Safe => Some(true),
            SiteVerdict::Unsafe(_) => Some(false),
            SiteVerdict::Unknown(_) => None,
        };
        ((answer.site.kind, answer.site.span), holds)
    });
    (answers.collect(), report.incomplete.is_none())
}

/// The checks that summaries prove, and those that they leave open.
fn summarise(module: &Module) -> Vec<((SiteKind, SpanId), bool)> {
    let options = Acceleration {
        from: 0,
        unwind: 8,
        vacuity: false,
        ..Acceleration::default()
    };
    let report = foghorn_acceleration::check(module, &options, &Budget::unlimited());
    let answers = report.expect("it solves").answers.into_iter();
    let answers = answers.map(|answer| {
        let site = (answer.site.kind, answer.site.span);
        (site, answer.proof == Proof::Proved)
    });
    answers.collect()
}

#[test]
fn what_summaries_prove_holds_when_loops_are_unwound() {
    let count = std::env::var("FOGHORN_SUMMARISED_PROGRAMS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(400);
    let (mut proved, mut failing) = (0, 0);
    for seed in 0..count {
        let (module, text) = random_program(seed);
        let (expected, is_complete) = unwind(&module);
        assert!(is_complete, "seed {seed} is not decided: {text}");
        for (site, is_proved) in summarise(&module) {
            failing += u64::from(expected.get(&site) == Some(&Some(false)));
            if is_proved {
                proved += 1;
                let truth = expected.get(&site).copied();
                assert_ne!(truth, Some(Some(false)), "seed {seed} at {site:?}\n{text}");
            }
        }
    }
    assert!(
        proved > count && failing > count / 2,
        "{proved} proved, {failing} failing"
    );
}

/// The sum of an array of any length is the same after its first two elements have changed places.
const SUMS: &str = r#"foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  v0:i32 = nondet input "n"
  v1:i1 = compare sgt v0, 1
  assume v1
  v2:i64 = zext v0
  v3:i64 = mul v2, 4
  v4:ptr = allocate stack v3, align 8
  jump block1(0:i32)
block1(v5:i32):
  v6:i1 = compare slt v5, v0
  branch v6, block2, block3(0:i32, 0:i32)
block2:
  v7:i64 = sext v5
  v8:ptr = pointer-add v4 + v7 * 4
  v9:i32 = nondet input "x"
  store v9 to v8, align 4
  v10:i32 = add v5, 1
  jump block1(v10)
block3(v11:i32, v12:i32):
  v13:i1 = compare slt v11, v0
  branch v13, block4, block5
block4:
  v14:i64 = sext v11
  v15:ptr = pointer-add v4 + v14 * 4
  v16:i32 = load v15, align 4
  v17:i32 = add v12, v16
  v18:i32 = add v11, 1
  jump block3(v18, v17)
block5:
  v19:i32 = load v4, align 4
  v20:ptr = pointer-add v4 + 4
  v21:i32 = load v20, align 4
  store v21 to v4, align 4
  store v19 to v20, align 4
  jump block6(0:i32, 0:i32)
block6(v22:i32, v23:i32):
  v24:i1 = compare slt v22, v0
  branch v24, block7, block8
block7:
  v25:i64 = sext v22
  v26:ptr = pointer-add v4 + v25 * 4
  v27:i32 = load v26, align 4
  v28:i32 = add v23, v27
  v29:i32 = add v22, 1
  jump block6(v29, v28)
block8:
  v30:i1 = compare eq v12, v23
  check assertion v30
  v31:i1 = compare ne v12, v23
  check assertion v31
  return 0:i32
}
"#;

#[test]
fn a_sum_of_any_length_does_not_depend_on_the_order() {
    let mut module = parse_module(SUMS).expect("the text is right");
    foghorn_dsa::memory_ssa::plan::purify(&mut module, &foghorn_dsa::Options::default());
    let options = Acceleration {
        unwind: 1,
        ..Acceleration::default()
    };
    let report = foghorn_acceleration::check(&module, &options, &Budget::unlimited());
    let report = report.expect("it solves");
    assert!(report.incomplete.is_none(), "{:?}", report.incomplete);
    let assertions = report.answers.iter();
    let assertions = assertions.filter(|answer| matches!(answer.site.kind, SiteKind::Explicit(_)));
    let safe: Vec<bool> = assertions
        .map(|answer| answer.proof == Proof::Proved)
        .collect();
    assert_eq!(safe, [true, false]);
}
