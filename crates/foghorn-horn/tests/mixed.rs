//! Programs with mixed semantics: failures inside calls are found there, as sites of the original program, and what holds
//! is proved.

// The programs there are those of other tests.
#[allow(dead_code)]
mod common;

use common::task;
use foghorn_core::Budget;
use foghorn_horn::form::{Form, ProcedureForm};
use foghorn_horn::solve::{Decision, Solving, decide};
use std::time::Duration;

/// What is decided of each site: its function, and whether it holds.
fn decisions(text: &str, checks: &str) -> Vec<(String, String)> {
    let text = format!("foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n{text}");
    let task = task(&text, checks);
    let solving = Solving {
        forms: vec![Form {
            procedures: ProcedureForm::Mixed,
            ..Form::default()
        }],
        ..Solving::default()
    };
    let budget = Budget::unlimited().within(Duration::from_secs(60));
    let outcome = decide(&task, &solving, &budget);
    let decided = outcome.decisions.iter().map(|(id, decision)| {
        let site = task.sites().get(*id).expect("a site of the task");
        let function = &task.pure().functions[site.point.function].name;
        let found = match decision {
            Decision::Safe => "holds".to_owned(),
            Decision::Unsafe(_) => "fails".to_owned(),
            Decision::Open(reason) => reason.to_string(),
        };
        (function.to_string(), found)
    });
    decided.collect()
}

#[track_caller]
fn expect(text: &str, checks: &str, expected: &[(&str, bool)]) {
    let found = decisions(text, checks);
    let word = |holds: bool| if holds { "holds" } else { "fails" };
    let expected: Vec<(String, String)> = expected
        .iter()
        .map(|(name, holds)| ((*name).to_owned(), word(*holds).to_owned()))
        .collect();
    assert_eq!(found, expected, "{text}");
}

/// Counts down and fails at the bottom, or does not.
fn down(bottom: &str) -> String {
    format!(
        "function @main() -> i32 {{\nblock0:\n v0:i32 = nondet input \"n\"\n v1:i32 = call @down(v0)\n return v1\n}}\n\
         function @down(i32) -> i32 {{\nblock0(v0:i32):\n v1:i1 = compare sle v0, 0\n branch v1, block1, block2\n\
         block1:\n v2:i1 = compare {bottom}\n check assertion v2\n jump block3(0:i32)\n\
         block2:\n v3:i32 = sub v0, 1\n v4:i32 = call @down(v3)\n jump block3(v4)\n\
         block3(v5:i32):\n return v5\n}}\n"
    )
}

#[test]
fn a_failure_below_calls_of_itself_is_found() {
    expect(&down("ne v0, -3"), "assertions", &[("down", false)]);
    expect(&down("sle v0, 0"), "assertions", &[("down", true)]);
}

#[test]
fn a_recursive_entry_is_decided() {
    let text = |test: &str| {
        format!(
            "global @g size 4 align 4 = {{ 0: \"\\00\" }}\n\
             function @main() -> i32 {{\nblock0:\n v0:i32 = load @g, align 4\n v1:i1 = compare {test}\n\
             check assertion v1\n v2:i1 = compare slt v0, 5\n branch v2, block1, block2\n\
             block1:\n v3:i32 = add v0, 1\n store v3 to @g, align 4\n v4:i32 = call @main()\n jump block2\n\
             block2:\n return 0:i32\n}}\n"
        )
    };
    expect(&text("sle v0, 5"), "assertions", &[("main", true)]);
    expect(&text("sle v0, 4"), "assertions", &[("main", false)]);
}

#[test]
fn an_access_that_fails_in_a_call_is_found() {
    let text = |size: u32| {
        format!(
            "function @main() -> i32 {{\nblock0:\n jump block1(0:i64)\n\
             block1(v0:i64):\n v1:i1 = compare slt v0, 1\n branch v1, block2, block3\n\
             block2:\n v2:i64 = add v0, 1\n jump block1(v2)\n\
             block3:\n v3:ptr = allocate heap {size}, align 16\n\
             v4:i32 = call @read(v3, v0)\n free v3\n return v4\n}}\n\
             function @read(ptr, i64) -> i32 {{\nblock0(v0:ptr, v1:i64):\n\
             v2:ptr = pointer-add v0 + v1 * 4\n v3:i32 = load v2, align 4\n return v3\n}}\n"
        )
    };
    let sites = [("main", true), ("read", true)];
    expect(&text(8), "memory-safety", &sites);
    let sites = [("main", true), ("read", false)];
    expect(&text(4), "memory-safety", &sites);
}

/// What is allocated in a call that returns, and in one that ends the program.
#[test]
fn what_calls_leave_is_found_at_the_end() {
    let text = |end: &str| {
        format!(
            "function @main() -> i32 {{\nblock0:\n v0:ptr = call @make()\n free v0\n call @stop()\n return 0:i32\n}}\n\
             function @make() -> ptr {{\nblock0:\n v0:ptr = allocate heap 4, align 16\n return v0\n}}\n\
             function @stop() {{\nblock0:\n v0:ptr = allocate heap 4, align 16\n {end}halt exit 0:i32\n}}\n"
        )
    };
    let holds = [("make", true), ("stop", true)];
    expect(&text("free v0\n "), "memory-cleanup", &holds);
    let fails = [("make", true), ("stop", false)];
    expect(&text(""), "memory-cleanup", &fails);
}
