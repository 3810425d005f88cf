//! Each kind of failure, at its line, and the same without the defect.

use super::*;
use crate::interpret::Life;
use foghorn_core::CheckKind as K;

/// A body of `main` that fails at line 9 of `a.c`.
fn body_fails(body: &str, kind: K) -> Failure {
    fails(&with_main("", body), kind, 9)
}

const DEFECTS: &[(K, &str)] = &[
    (
        K::OutOfBounds,
        "v0:ptr = allocate stack 8, align 8\n v1:ptr = pointer-add v0 + 5\n store 0:i32 to v1, align 1 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::OutOfBounds,
        "v0:ptr = allocate stack 8, align 8\n v1:ptr = pointer-add v0 + -1\n store 0:i8 to v1, align 1 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::OutOfBounds,
        "v0:ptr = allocate heap 0, align 8\n v1:i8 = load v0, align 1 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::OutOfBounds,
        "v0:ptr = allocate stack 8, align 8\n memory-set v0, 0, 9 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::OutOfBounds,
        "v0:ptr = allocate stack 8, align 8\n v1:ptr = allocate stack 16, align 8\n memory-copy v1, v0, 16 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::OutOfBounds,
        "v0:ptr = allocate stack 8, align 8\n v1:ptr = allocate stack 16, align 8\n memory-copy v0, v1, 16 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::UseAfterFree,
        "v0:ptr = allocate heap 8, align 8\n free v0\n v1:i32 = load v0, align 4 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::UseAfterScope,
        "v0:ptr = allocate stack 8, align 8\n lifetime-start v0\n lifetime-end v0\n store 1:i32 to v0, align 4 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::UseAfterScope,
        "v0:ptr = allocate stack 8, align 8\n store 1:i32 to v0, align 4 ! a.c:9:1\n lifetime-start v0\n return 0:i32",
    ),
    (
        K::UseAfterScope,
        "v0:i64 = stack-save\n v1:ptr = allocate stack 8, align 8\n stack-restore v0\n store 1:i32 to v1, align 4 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::DoubleFree,
        "v0:ptr = allocate heap 8, align 8\n free v0\n free v0 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::InvalidFree,
        "v0:ptr = allocate heap 8, align 8\n v1:ptr = pointer-add v0 + 4\n free v1 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::InvalidFree,
        "v0:ptr = allocate stack 8, align 8\n free v0 ! a.c:9:1\n return 0:i32",
    ),
    (K::InvalidFree, "free @main ! a.c:9:1\n return 0:i32"),
    (
        K::InvalidFree,
        "v0:ptr = inttoptr 64:i64\n free v0 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::NullDereference,
        "v0:i32 = load null, align 4 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::NullDereference,
        "v0:ptr = pointer-add null + 16\n store 1:i8 to v0, align 1 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::UninitialisedPointer,
        "v0:ptr = allocate stack 8, align 8\n v1:ptr = load v0, align 8\n v2:i8 = load v1, align 1 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::UninitialisedPointer,
        "v0:ptr = nondet uninitialised \"p\"\n v2:i8 = load v0, align 1 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::UnknownPointer,
        "v0:ptr = inttoptr 4096:i64\n v1:i8 = load v0, align 1 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::InvalidCall,
        "v0:ptr = allocate stack 8, align 8\n call-indirect v0() ! a.c:9:1\n return 0:i32",
    ),
    (
        K::InvalidCall,
        "call-indirect @main() ! a.c:9:1\n return 0:i32",
    ),
    (
        K::InvalidCall,
        "v0:i32 = call-indirect null() ! a.c:9:1\n return 0:i32",
    ),
    (
        K::PointerComparison,
        "v0:ptr = allocate stack 8, align 8\n v1:ptr = allocate stack 8, align 8\n v2:i1 = compare ult v0, v1 ! a.c:9:1\n return 0:i32",
    ),
    (
        K::Leak,
        "v0:ptr = allocate heap 8, align 8 ! a.c:9:1\n return 0:i32",
    ),
    (K::Division, "check division false ! a.c:9:1\n return 0:i32"),
];

#[test]
fn each_defect_is_reported_with_its_kind_and_line() {
    for (kind, body) in DEFECTS {
        body_fails(body, *kind);
    }
}

#[test]
fn constants_are_not_written() {
    let items = "constant @c size 4 align 4 = zero";
    fails(
        &with_main(items, "store 1:i32 to @c, align 4 ! a.c:9:1\n return 0:i32"),
        K::ConstantWrite,
        9,
    );
    exits(
        &with_main(items, "v0:i32 = load @c, align 4\n return v0"),
        0,
    );
}

const SOUND: &[&str] = &[
    "v0:ptr = allocate stack 8, align 8\n v1:ptr = pointer-add v0 + 4\n store 0:i32 to v1, align 1\n return 0:i32",
    "v0:ptr = allocate stack 8, align 8\n v1:ptr = pointer-add v0 + 9\n v2:ptr = pointer-add v1 + -2\n store 0:i8 to v2, align 1\n return 0:i32",
    "v0:ptr = allocate heap 8, align 8\n memory-set v0, 0, 8\n free v0\n return 0:i32",
    "free null\n return 0:i32",
    "memory-copy null, null, 0\n return 0:i32",
    "v0:ptr = allocate stack 8, align 8\n lifetime-start v0\n store 1:i32 to v0, align 4\n lifetime-end v0\n lifetime-start v0\n store 1:i32 to v0, align 4\n return 0:i32",
    "v0:ptr = allocate stack 8, align 8\n v1:i64 = stack-save\n v2:ptr = allocate stack 8, align 8\n stack-restore v1\n store 1:i32 to v0, align 4\n return 0:i32",
    "v0:ptr = allocate stack 8, align 8\n v1:ptr = pointer-add v0 + 8\n v2:i1 = compare ult v0, v1\n v3:i1 = compare ne v0, null\n v4:i1 = compare ugt v0, null\n check assertion v2\n check assertion v3\n check assertion v4\n return 0:i32",
];

#[test]
fn no_report_without_a_defect() {
    for body in SOUND {
        main_exits(body, 0);
    }
}

#[test]
fn memory_that_a_global_reaches_does_not_leak_but_is_not_freed() {
    let items = "global @root size 8 align 8 = zero";
    let body = "v0:ptr = allocate heap 16, align 8 ! a.c:9:1
        v1:ptr = allocate heap 16, align 8
        v2:ptr = pointer-add v0 + 16
        store v1 to v0, align 8
        store v2 to @root, align 8
        return 0:i32";
    let text = with_main(items, body);
    let failure = fails(&text, K::NotFreed, 9);
    assert!(
        failure.message.contains("and 1 more"),
        "{}",
        failure.message
    );
    let run = run_with(&text, &Options::default(), &mut Zeros);
    assert_eq!(run.outcome, Outcome::Exited { code: 0 });
}

#[test]
fn at_exit_active_calls_still_reach_their_memory() {
    let options = Options::default();
    let held = with_main("", "v0:ptr = allocate heap 16, align 8\n halt exit 0");
    assert_eq!(
        run_with(&held, &options, &mut Zeros).outcome,
        Outcome::Exited { code: 0 }
    );
    let lost = with_main("", "v0:ptr = allocate heap 16, align 8\n return 0:i32");
    assert_eq!(
        failure(run_with(&lost, &options, &mut Zeros).outcome).kind,
        K::Leak
    );
    let aborted = with_main("", "v0:ptr = allocate heap 16, align 8\n halt abort 1");
    assert_eq!(
        run_with(&aborted, &options, &mut Zeros).outcome,
        Outcome::Aborted { code: 1 }
    );
}

#[test]
fn a_stack_object_dies_with_its_call() {
    let items = "function @f() -> ptr {\nblock0:\n v0.local:ptr = allocate stack 4, align 4 ! a.c:3:1\n return v0 ! a.c:4:1\n}";
    let text = with_main(
        items,
        "v0:ptr = call @f()\n v1:i32 = load v0, align 4 ! a.c:9:1\n return v1",
    );
    let object = fails(&text, K::UseAfterScope, 9).object.expect("known");
    assert_eq!(object.name.as_deref(), Some("local"));
    assert_eq!((object.life, object.size), (Life::OutOfScope, Some(4)));
}

#[test]
fn reports_tell_the_object_and_the_stack() {
    let items = "function @g(ptr) ! a.c:1 {\nblock0(v0:ptr):\n v1:ptr = pointer-add v0 + 40\n store 1:i32 to v1, align 4 ! a.c:9:5\n return\n}";
    let body = "v0:ptr = allocate heap 40, align 8 ! a.c:20:1\n call @g(v0) ! a.c:21:3\n free v0\n return 0:i32";
    let text = with_main(items, body);
    let failure = fails(&text, K::OutOfBounds, 9);
    let told = failure.describe(&parse(&text).spans);
    assert_eq!(
        told,
        "a.c:9:5: out-of-bounds: write of 4 bytes at offset 40 of 40 bytes\n  \
         offset 40 of a heap object of 40 bytes, allocated at a.c:20:1\n  \
         in g at a.c:9:5\n  in main at a.c:21:3"
    );
}

#[test]
fn failures_inside_models_are_reported_at_the_call() {
    let items = "model function @strlen(ptr) ! string.c:1 {\nblock0(v0:ptr):\n v1:i8 = load v0, align 1 ! string.c:3:5\n return\n}
        model function @malloc(i64) -> ptr {\nblock0(v0:i64):\n v1:ptr = allocate heap v0, align 16 ! malloc.c:2\n return v1\n}
        model function @free(ptr) {\nblock0(v0:ptr):\n free v0 ! malloc.c:5\n return\n}";
    let text = with_main(items, "call @strlen(null) ! a.c:9:3\n return 0:i32");
    let failure = fails(&text, K::NullDereference, 9);
    assert!(failure.stack[0].is_model && !failure.stack[1].is_model);
    let body = "v0:ptr = call @malloc(4:i64) ! a.c:7:1\n call @free(v0) ! a.c:8:1\n call @free(v0) ! a.c:9:1\n return 0:i32";
    let text = with_main(items, body);
    let object = fails(&text, K::DoubleFree, 9).object.expect("known");
    let spans = parse(&text).spans;
    assert_eq!(spans.describe(object.allocated_at), "a.c:7:1");
    assert_eq!(spans.describe(object.ended_at), "a.c:8:1");
}

#[test]
fn inlined_models_are_peeled_off() {
    let text = "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\
        inline-site ^0 = \"memcpy\" ! a.c:9:3\n\
        model function @memcpy() {\nblock0:\n return\n}\n\
        function @main() -> i32 {\nblock0:\n v0:i8 = load null, align 1 ! string.c:30:1 ^0\n return 0:i32\n}\n";
    let failure = fails(text, K::NullDereference, 9);
    let names: Vec<&str> = failure.stack.iter().map(|frame| &*frame.function).collect();
    assert_eq!(names, ["memcpy", "main"]);
}

#[test]
fn disabled_groups_have_the_machines_meaning_or_end_the_run() {
    let assertions = Options {
        checks: [CheckGroup::Assertions].into(),
        ..Options::default()
    };
    let outcome = |body: &str| run_with(&with_main("", body), &assertions, &mut Zeros).outcome;
    assert!(matches!(
        outcome("v0:i32 = load null, align 4\n return 0:i32"),
        Outcome::AssumedAway {
            kind: K::NullDereference,
            ..
        }
    ));
    assert!(matches!(
        outcome("check overlap false\n return 0:i32"),
        Outcome::AssumedAway {
            kind: K::Overlap,
            ..
        }
    ));
    assert_eq!(
        outcome("check signed-overflow false\n return 4:i32"),
        Outcome::Exited { code: 4 }
    );
    assert_eq!(
        outcome("v0:ptr = allocate heap 4, align 4\n return 0:i32"),
        Outcome::Exited { code: 0 }
    );
    let body = "v0:ptr = allocate stack 8, align 8\n v1:ptr = allocate stack 8, align 8\n v2:i1 = compare ult v0, v1\n return 0:i32";
    assert_eq!(outcome(body), Outcome::Exited { code: 0 });
    assert_eq!(
        failure(outcome("check assertion false\n return 4:i32")).kind,
        K::Assertion
    );
}

#[test]
fn alignment_is_checked_on_request() {
    let body = "v0:ptr = allocate stack 16, align 8\n v1:ptr = pointer-add v0 + 2\n store 1:i32 to v1, align 4 ! a.c:9:1\n v2:i32 = load v1, align 1\n return v2";
    let text = with_main("", body);
    exits(&text, 1);
    let options = Options {
        alignment: true,
        ..all_checks()
    };
    assert_eq!(
        failure(run_with(&text, &options, &mut Zeros).outcome).kind,
        K::Misaligned
    );
    let aligned = text.replace("+ 2", "+ 4");
    assert_eq!(
        run_with(&aligned, &options, &mut Zeros).outcome,
        Outcome::Exited { code: 1 }
    );
}
