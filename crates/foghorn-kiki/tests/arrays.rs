//! Contents of arrays that loops fill.

mod common;
#[path = "common/compare.rs"]
mod compare;

use compare::{compare, notices};
use foghorn_core::{Budget, SiteKind};
use foghorn_kiki::{Kiki, Mode, Sabotage, SiteVerdict, check};

/// `for (i = 0; i < N; i++) a[i] = VALUE;` then any element is read.
fn program(size: u32, value: &str, limit: u32) -> String {
    format!(
        r#"function @main() -> i32 {{
block0:
  v0:ptr = allocate stack {bytes}, align 4
  jump block1(0:i64)
block1(v1:i64):
  v2:i1 = compare slt v1, {size}
  branch v2, block2, block3
block2:
  v3:ptr = pointer-add v0 + v1 * 4
  v4:i32 = nondet input "n"
  v5:i32 = and v4, 7
  v6:i32 = add v5, {value}
  store v6 to v3, align 4 ! p.c:1:1
  v7:i64 = add v1, 1
  jump block1(v7)
block3:
  v8:i64 = nondet input "k"
  v9:i1 = compare ult v8, {size}
  assume v9
  v10:ptr = pointer-add v0 + v8 * 4
  v11:i32 = load v10, align 4 ! p.c:2:1
  v12:i1 = compare sle v11, {limit}
  check assertion v12 ! p.c:3:1
  return 0:i32
}}
"#,
        bytes = size * 4
    )
}

fn options() -> Kiki {
    Kiki {
        settings: common::settings(),
        mode: Mode::Invariants,
        decided: 0,
        scouts: false,
        ..Kiki::default()
    }
}

/// What is said of the assertion, however long it takes.
fn assertion(text: &str, options: &Kiki) -> Option<bool> {
    let module = common::module(text);
    let report = check(&module, options, &Budget::unlimited(), &mut |_| {});
    let answers = report.expect("it solves").answers.into_iter();
    let mut own = answers.filter(|answer| answer.site.kind != SiteKind::Dereference);
    match own.next().expect("it is checked").verdict {
        SiteVerdict::Safe => Some(true),
        SiteVerdict::Unsafe(_) => Some(false),
        SiteVerdict::Unknown(_) => None,
    }
}

#[test]
fn what_a_loop_wrote_is_known_at_any_place() {
    assert_eq!(assertion(&program(1000, "3", 10), &options()), Some(true));
    assert_eq!(assertion(&program(1000, "3", 9), &options()), None);
}

#[test]
fn small_arrays_are_as_unwinding_says() {
    for limit in [9, 10] {
        for mode in [Mode::Invariants, Mode::All] {
            let options = Kiki {
                mode,
                most_copies: 3,
                ..options()
            };
            let module = common::module(&program(3, "3", limit));
            assert_eq!(compare(&module, &options).0, 0, "{limit} {mode:?}");
        }
    }
}

#[test]
fn a_forgotten_element_is_noticed() {
    notices(Sabotage::ForgottenElement, &options(), &program(3, "3", 4));
}
