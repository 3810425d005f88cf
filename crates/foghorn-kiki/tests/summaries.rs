//! Summaries of functions: contracts as they are found, and what is said with them against complete unwinding.

mod common;
#[path = "common/compare.rs"]
mod compare;

use compare::{Answers, ask, compare, notices};
use foghorn_core::Budget;
use foghorn_kiki::{Kiki, Mode, Sabotage, SiteVerdict, check};
use std::fmt::Write as _;

fn options() -> Kiki {
    Kiki {
        settings: common::settings(),
        summaries: true,
        most_copies: 3,
        // A failure that is found before hides a proof that is wrong.
        scouts: false,
        ..Kiki::default()
    }
}

/// Counts to a bound that its caller gives, and no further than ten.
const CLAMP: &str = r#"function @clamp(i32) -> i32 {
block0(v0:i32):
  jump block1(0:i32)
block1(v1:i32):
  v2:i1 = compare slt v1, v0
  v3:i1 = compare slt v1, 10
  v4:i1 = and v2, v3
  branch v4, block2, block3
block2:
  v5:i32 = add v1, 1
  jump block1(v5)
block3:
  return v1
}

"#;

const CALLS_CLAMP: &str = r#"function @main() -> i32 {
block0:
  v0:i32 = nondet input "n"
  v1:i32 = call @clamp(v0)
  v2:i1 = compare sle v1, 10
  check assertion v2 ! p.c:1:1
  v3:i1 = compare sge v1, 0
  check assertion v3 ! p.c:2:1
  return 0:i32
}
"#;

#[test]
fn a_contract_says_what_a_function_returns() {
    let module = common::module(&format!("{CLAMP}{CALLS_CLAMP}"));
    let report = check(&module, &options(), &Budget::unlimited(), &mut |_| {});
    let report = report.expect("it solves");
    let text = report.contracts.join("\n");
    assert!(text.contains("ensures result <= 10"), "{text}");
    assert!(text.contains("ensures result >= 0"), "{text}");
    assert!(!text.contains("requires"), "{text}");
    let mut answers = report.answers.iter();
    assert!(answers.all(|answer| matches!(answer.verdict, SiteVerdict::Safe)));
    assert_eq!(report.incomplete, None);
}

/// A check in a function that its arguments decide.
const PARTIAL: &str = r#"function @partial(i32) -> i32 {
block0(v0:i32):
  v1:i1 = compare slt v0, 100
  check assertion v1 ! p.c:1:1
  v2:i32 = and v0, 7
  return v2
}

"#;

const CALLS_PARTIAL: &str = r#"function @main() -> i32 {
block0:
  v0:i32 = nondet input "n"
  v1:i32 = and v0, LIMIT
  v2:i32 = call @partial(v1)
  v3:i1 = compare sle v2, 7
  check assertion v3 ! p.c:2:1
  return 0:i32
}
"#;

#[test]
fn a_precondition_is_found_and_shown_at_calls() {
    for (limit, is_safe) in [("63", true), ("127", false)] {
        let main = CALLS_PARTIAL.replace("LIMIT", limit);
        let module = common::module(&format!("{PARTIAL}{main}"));
        let report = check(&module, &options(), &Budget::unlimited(), &mut |_| {});
        let report = report.expect("it solves");
        let text = report.contracts.join("\n");
        assert!(text.contains("requires !("), "{text}");
        assert!(text.contains(">= 100"), "{text}");
        let mut answers = report.answers.iter();
        let found = answers.all(|answer| matches!(answer.verdict, SiteVerdict::Safe));
        assert_eq!(found, is_safe, "{limit}: {:?}", report.answers);
        assert_eq!(compare(&module, &options()).0, 0);
    }
}

#[test]
fn a_dropped_precondition_is_noticed() {
    let main = CALLS_PARTIAL.replace("LIMIT", "127");
    let text = format!("{PARTIAL}{main}");
    notices(Sabotage::DroppedPrecondition, &options(), &text);
}

/// Counts the depth of its recursion, up to two.
const DEEP: &str = r#"function @deep(i32) -> i32 {
block0(v0:i32):
  v1:i1 = compare sle v0, 0
  branch v1, block1, block2
block1:
  jump block5(0:i32)
block2:
  v2:i32 = sub v0, 1
  v3:i32 = call @deep(v2)
  v4:i1 = compare sge v3, 2
  branch v4, block3, block4
block3:
  jump block5(2:i32)
block4:
  v5:i32 = add v3, 1
  jump block5(v5)
block5(v6:i32):
  return v6
}

function @main() -> i32 {
block0:
  v0:i32 = nondet input "n"
  v1:i32 = and v0, 3
  v2:i32 = call @deep(v1)
  v3:i1 = compare sle v2, LIMIT
  check assertion v3 ! p.c:1:1
  return 0:i32
}
"#;

#[test]
fn recursion_is_a_fixpoint_of_summaries() {
    let module = common::module(
        &DEEP
            .replace("LIMIT", "2")
            .replace("and v0, 3", "and v0, -1"),
    );
    let answers = ask(&module, &options());
    let proved = |answers: &Answers| answers.values().all(|holds| *holds == Some(true));
    assert!(proved(&answers), "{answers:?}");
    // Where all functions are executed its depth is not known, and summaries come after that by themselves.
    let inlined = Kiki {
        summaries: false,
        mode: Mode::Induction,
        ..options()
    };
    assert!(!proved(&ask(&module, &inlined)));
    let usual = Kiki {
        summaries: false,
        ..options()
    };
    assert!(proved(&ask(&module, &usual)));
}

#[test]
fn assumed_recursion_is_noticed() {
    notices(
        Sabotage::AssumedRecursion,
        &options(),
        &DEEP.replace("LIMIT", "0"),
    );
}

/// Never returns, and fails on the way.
const FOR_EVER: &str = r#"function @descend(i32) -> i32 {
block0(v0:i32):
  v1:i1 = compare ne v0, 5
  check assertion v1 ! p.c:1:1
  v2:i32 = add v0, 1
  v3:i32 = call @descend(v2)
  return v3
}

function @main() -> i32 {
block0:
  v0:i32 = call @descend(0:i32)
  return 0:i32
}
"#;

#[test]
fn what_happens_before_a_call_that_never_returns_happens() {
    let module = common::module(FOR_EVER);
    let answers = ask(&module, &options());
    assert!(answers.values().all(|holds| *holds != Some(true)));
}

const TWO_CALLS: &str = r#"function @any() -> i32 {
block0:
  v0:i32 = nondet input "n"
  v1:i32 = and v0, 1
  return v1
}

function @main() -> i32 {
block0:
  v0:i32 = call @any()
  v1:i32 = call @any()
  v2:i1 = compare eq v0, v1
  check assertion v2 ! p.c:1:1
  return 0:i32
}
"#;

#[test]
fn a_shared_result_is_noticed() {
    notices(Sabotage::SharedResult, &options(), TWO_CALLS);
}

/// A program of so many functions, each of which calls one or two before it, with checks in some of them.
fn program(functions: u32, seed: u32) -> String {
    let mut state = seed;
    let mut choose = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    };
    let mut text = String::new();
    for number in 0..functions {
        let _ = writeln!(text, "function @f{number}(i32) -> i32 {{\nblock0(v0:i32):");
        let _ = writeln!(
            text,
            "  v1:i32 = and v0, {}",
            [15, 31, 63][choose(3) as usize]
        );
        let mut last = 1;
        for _ in 0..choose(2).min(number) + u32::from(number > 0) {
            let callee = number - 1 - choose(number.min(3));
            let _ = writeln!(text, "  v{}:i32 = call @f{callee}(v{last})", last + 1);
            last += 1;
        }
        let limit = [20, 40, 64, 100][choose(4) as usize];
        let _ = writeln!(
            text,
            "  jump block1(v{last}, 0:i32)\nblock1(v20:i32, v21:i32):"
        );
        let _ = writeln!(text, "  v22:i1 = compare slt v21, {}", 1 + choose(3));
        let _ = writeln!(text, "  branch v22, block2, block3\nblock2:");
        let _ = writeln!(text, "  v23:i32 = add v20, {}", choose(4));
        let _ = writeln!(
            text,
            "  v24:i32 = add v21, 1\n  jump block1(v23, v24)\nblock3:"
        );
        if choose(3) == 0 {
            let _ = writeln!(text, "  v25:i1 = compare slt v20, {limit}");
            let _ = writeln!(text, "  check assertion v25 ! p.c:{}:1", number + 1);
        }
        let _ = writeln!(text, "  v26:i32 = and v20, 63\n  return v26\n}}\n");
    }
    let _ = writeln!(
        text,
        "function @main() -> i32 {{\nblock0:\n  v0:i32 = nondet input \"n\""
    );
    let _ = writeln!(text, "  v1:i32 = call @f{}(v0)", functions - 1);
    let _ = writeln!(
        text,
        "  v2:i1 = compare slt v1, {}",
        [40, 64][choose(2) as usize]
    );
    let _ = writeln!(
        text,
        "  check assertion v2 ! p.c:1000:1\n  return 0:i32\n}}"
    );
    text
}

/// Ten programs of 5 to 40 functions: unwinding, inlining and summaries do not contradict each other.
#[test]
fn inlining_and_summaries_agree() {
    let mut proved = 0;
    for (seed, functions) in (1..).zip([5, 6, 7, 8, 10, 12, 16, 20, 30, 40]) {
        let text = program(functions, seed);
        let module = common::module(&text);
        let with = ask(&module, &options());
        let inlined = Kiki {
            summaries: false,
            ..options()
        };
        let without = ask(&module, &inlined);
        for (site, holds) in &with {
            let other = without.get(site).copied().flatten();
            let contradicts = holds.is_some() && other.is_some() && *holds != other;
            assert!(!contradicts, "{functions} functions: {site:?}\n{text}");
            proved += u32::from(*holds == Some(true));
        }
        if functions <= 10 {
            assert_eq!(compare(&module, &options()).0, 0, "{functions} functions");
        }
    }
    assert!(proved > 10, "{proved} proved");
}
