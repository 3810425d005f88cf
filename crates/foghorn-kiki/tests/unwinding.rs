//! kIkI against complete unwinding, on random programs with loops over two arrays, and with faults planted.
//!
//! Every loop ends after at most four iterations, so that unwinding decides every check. What kIkI proves must hold there,
//! what it refutes must fail there. `FOGHORN_KIKI_PROGRAMS` sets the number of programs, `FOGHORN_KIKI_FIRST` the
//! first of them, `FOGHORN_KIKI_SECONDS` the time for each.

mod common;
#[path = "common/compare.rs"]
mod compare;

use compare::{ask, compare, notices};
use foghorn_core::{Budget, SiteKind};
use foghorn_ir::{Module, parse_module};
use foghorn_kiki::{Kiki, Mode, Sabotage, SiteVerdict};
use foghorn_testkit::loop_program;
use std::time::Duration;

fn random_program(seed: u64) -> (Module, String) {
    let text = loop_program(seed);
    let mut module = parse_module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    foghorn_dsa::memory_ssa::plan::purify(&mut module, &foghorn_dsa::Options::default());
    (module, text)
}

/// Every loop is cut, however few iterations it has.
fn options() -> Kiki {
    Kiki {
        decided: 0,
        most_copies: 3,
        // A failure that is found before hides a proof that is wrong.
        scouts: false,
        ..Kiki::default()
    }
}

#[test]
fn what_is_said_holds_when_loops_are_unwound() {
    let count = std::env::var("FOGHORN_KIKI_PROGRAMS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(24);
    let first = std::env::var("FOGHORN_KIKI_FIRST").ok();
    let first: u64 = first.and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut all = 0;
    for seed in first..first + count {
        let (module, text) = random_program(seed);
        let mode = match seed % 3 {
            0 => Mode::Induction,
            _ => Mode::All,
        };
        let options = Kiki { mode, ..options() };
        let (contradictions, proved) = compare(&module, &options);
        assert_eq!(contradictions, 0, "seed {seed}\n{text}");
        all += proved;
    }
    assert!(all > count, "{all} proved in {count} programs");
}

/// A loop within another that fills an array: rows of its entry in the first copy of the outer loop were once assumed of
/// all iterations of that one (record 0224). It takes longer than the others are given.
#[test]
fn rows_of_one_entry_are_not_assumed_of_others() {
    let (module, text) = random_program(5);
    let options = Kiki {
        most_copies: 2,
        ..options()
    };
    let budget = Budget::unlimited().within(Duration::from_secs(10));
    let report = foghorn_kiki::check(&module, &options, &budget, &mut |_| {});
    let answers = report.expect("it solves").answers;
    let last = answers.iter().find(|answer| {
        let place = module.spans.describe(answer.site.span);
        place.starts_with("p.c:71:")
    });
    let verdict = &last.expect("it is checked").verdict;
    assert!(!matches!(verdict, SiteVerdict::Safe), "{text}");
}

const CELL: &str = r#"function @main() -> i32 {
block0:
  v0:ptr = allocate stack 4, align 4
  store 0:i32 to v0, align 4 ! p.c:1:1
  jump block1(0:i32)
block1(v1:i32):
  v2:i1 = compare slt v1, 3
  branch v2, block2, block3
block2:
  v5:i32 = add v1, 1
  v3:i32 = load v0, align 4 ! p.c:2:1
  v4:i32 = add v3, 2
  store v4 to v0, align 4 ! p.c:3:1
  jump block1(v5)
block3:
  v6:i32 = load v0, align 4 ! p.c:4:1
  v7:i1 = compare slt v6, 5
  check assertion v7 ! p.c:5:1
  return 0:i32
}
"#;

#[test]
fn a_forgotten_cell_is_noticed() {
    let options = Kiki {
        settings: common::settings(),
        ..options()
    };
    notices(Sabotage::ForgottenMemory, &options, CELL);
}

#[test]
fn forgotten_lives_are_noticed() {
    let text = r#"function @main() -> i32 {
block0:
  v0:ptr = allocate heap 4, align 4 ! p.c:1:1
  store 0:i32 to v0, align 4 ! p.c:2:1
  jump block1(0:i32)
block1(v1:i32):
  v2:i1 = compare slt v1, 3
  branch v2, block2, block3
block2:
  v3:i32 = load v0, align 4 ! p.c:3:1
  v4:i1 = compare eq v1, 1
  branch v4, block4, block5
block4:
  free v0 ! p.c:4:1
  jump block5
block5:
  v5:i32 = add v1, 1
  jump block1(v5)
block3:
  return 0:i32
}
"#;
    let options = Kiki {
        settings: common::settings(),
        most_copies: 1,
        ..options()
    };
    notices(Sabotage::ForgottenLives, &options, text);
}

/// The first value is outside of what comes back.
const FIRST: &str = r#"function @main() -> i32 {
block0:
  jump block1(7:i32, 0:i32)
block1(v0:i32, v1:i32):
  v2:i1 = compare ne v0, 7
  check assertion v2 ! p.c:1:1
  v3:i1 = compare slt v1, 3
  branch v3, block2, block3
block2:
  v4:i32 = add v1, 1
  jump block1(1:i32, v4)
block3:
  return 0:i32
}
"#;

#[test]
fn a_dropped_guard_is_noticed() {
    let options = Kiki {
        settings: common::settings(),
        ..options()
    };
    notices(Sabotage::DroppedGuard, &options, FIRST);
}

/// Fails in the last iteration only.
const COUNTS: &str = r#"function @main() -> i32 {
block0:
  jump block1(0:i32)
block1(v0:i32):
  v1:i1 = compare ne v0, 3
  check assertion v1 ! p.c:1:1
  v2:i1 = compare slt v0, 3
  branch v2, block2, block3
block2:
  v3:i32 = add v0, 1
  jump block1(v3)
block3:
  return 0:i32
}
"#;

#[test]
fn a_bound_off_by_one_is_noticed() {
    let options = Kiki {
        settings: common::settings(),
        mode: Mode::Invariants,
        selection: "intervals".parse().expect("it is one"),
        ..options()
    };
    notices(Sabotage::BoundOffByOne, &options, COUNTS);
}

/// The loop is left and entered again: the first iteration of the second entry fails, and no later one.
const ENTERED_TWICE: &str = r#"function @main() -> i32 {
block0:
  jump block1(0:i32, 0:i32)
block1(v0:i32, v1:i32):
  jump block2(0:i32, v1)
block2(v2:i32, v3:i32):
  v4:i1 = compare eq v3, 0
  check assertion v4 ! p.c:1:1
  v5:i1 = compare slt v2, 2
  branch v5, block3, block4
block3:
  v6:i32 = add v2, 1
  jump block2(v6, 0:i32)
block4:
  v7:i32 = add v0, 1
  v8:i1 = compare slt v7, 2
  branch v8, block1(v7, 1:i32), block5
block5:
  return 0:i32
}
"#;

#[test]
fn an_assumption_from_another_entry_is_noticed() {
    let options = Kiki {
        settings: common::settings(),
        mode: Mode::Induction,
        ..options()
    };
    notices(Sabotage::OtherEntry, &options, ENTERED_TWICE);
}

/// Each iteration of the outer loop makes an object that the inner one counts in, so that the entries of the inner loop have
/// rows of their own. It goes round three times, so that only its loop-back values lead out of it in two copies. What it
/// carries is 0 in the first iteration of the outer loop, 1 in the second, and fails in the third.
const INNER_OBJECT: &str = r#"function @main() -> i32 {
block0:
  jump block1(0:i32, 0:i32)
block1(v0:i32, v1:i32):
  v2:ptr = allocate heap 4, align 4 ! p.c:1:1
  store 0:i32 to v2, align 4 ! p.c:2:1
  jump block2(v1)
block2(v3:i32):
  v4:i32 = load v2, align 4 ! p.c:3:1
  v5:i1 = compare slt v4, 3
  branch v5, block3, block4
block3:
  v6:i32 = add v4, 1
  store v6 to v2, align 4 ! p.c:4:1
  jump block2(v3)
block4:
  v7:i1 = compare ne v3, 2
  check assertion v7 ! p.c:5:1
  v8:i32 = add v0, 1
  v9:i32 = add v3, 1
  v10:i1 = compare slt v8, 4
  branch v10, block1(v8, v9), block5
block5:
  return 0:i32
}
"#;

#[test]
fn rows_of_an_entry_that_nobody_looks_at_are_noticed() {
    let options = Kiki {
        settings: common::settings(),
        most_copies: 2,
        ..options()
    };
    notices(Sabotage::UnseenEntry, &options, INNER_OBJECT);
}

/// The object of the last iteration is freed and read. From the second head on it has no number.
const FREED_AND_READ: &str = r#"function @main() -> i32 {
block0:
  jump block1(0:i32, null)
block1(v0:i32, v1:ptr):
  v2:i1 = compare slt v0, 3
  branch v2, block2, block3
block2:
  v3:ptr = allocate heap 4, align 4 ! p.c:1:1
  store 0:i32 to v3, align 4 ! p.c:2:1
  v4:i32 = add v0, 1
  jump block1(v4, v3)
block3:
  free v1 ! p.c:3:1
  v5:i32 = load v1, align 4 ! p.c:4:1
  return 0:i32
}
"#;

/// What is done to an object without a number may succeed: what comes behind is reached.
#[test]
fn an_access_to_a_lost_object_may_be_valid() {
    let module = common::module(FREED_AND_READ);
    for mode in [Mode::Invariants, Mode::Induction, Mode::All] {
        let options = Kiki {
            settings: common::settings(),
            mode,
            ..options()
        };
        assert_eq!(compare(&module, &options).0, 0, "{mode:?}");
        let read = ask(&module, &options).into_iter();
        let mut read = read.filter(|((kind, span), _)| {
            let place = module.spans.describe(*span);
            *kind == SiteKind::Dereference && place.starts_with("p.c:4")
        });
        assert_ne!(
            read.next().expect("it is checked").1,
            Some(true),
            "{mode:?}"
        );
    }
}
