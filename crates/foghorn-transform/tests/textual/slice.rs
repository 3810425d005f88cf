//! Slicing.

use super::{expect, run};
use foghorn_transform::PassOptions;

#[track_caller]
fn check(before: &str, after: &str) {
    expect("slice", &PassOptions::default(), before, after);
}

#[test]
fn branches_that_decide_nothing_go_with_what_they_chose() {
    check(
        "function @f(i1, i32) -> i32 {
          variable var0 x signed
        block0(v0:i1, v1:i32):
          branch v0, block1, block2
        block1:
          v2:i32 = mul v1, v1
          bind var0, v2
          jump block3(v2)
        block2:
          jump block3(1:i32)
        block3(v3:i32):
          v4:i1 = compare ne v1, 0
          check assertion v4
          check division true
          return v1
        }",
        "function @f(i1, i32) -> i32 {
          variable var0 x signed
        block0(v0:i1, v1:i32):
          v2:i1 = compare ne v1, 0
          check assertion v2
          return v1
        }",
    );
}

#[test]
fn a_loop_stays_though_nothing_uses_it() {
    let text = "function @f(i32) -> i32 {
        block0(v0:i32):
          jump block1(0:i32)
        block1(v1:i32):
          v2:i1 = compare ne v1, v0
          branch v2, block3, block2
        block2:
          return v0
        block3:
          v3:i32 = add v1, 2
          jump block1(v3)
        }";
    check(text, text);
}

#[test]
fn a_branch_into_an_endless_loop_stays() {
    let text = "function @f(i1) {
        block0(v0:i1):
          branch v0, block2, block1
        block1:
          return
        block2:
          jump block2
        }";
    check(text, text);
}

#[test]
fn control_dependence_keeps_the_conditions_of_effects() {
    let text = "function @f(i1, i1, ptr) {
        block0(v0:i1, v1:i1, v2:ptr):
          branch v0, block1, block4
        block1:
          branch v1, block2, block3
        block2:
          store 1:i32 to v2, align 4
          jump block3
        block3:
          jump block4
        block4:
          return
        }";
    let module = run("slice", &PassOptions::default(), text);
    let body = module
        .functions
        .values()
        .next()
        .and_then(|f| f.body.as_ref());
    let branches = body.expect("a body").blocks.values();
    let branches = branches.filter(|b| b.terminator.targets().count() == 2);
    assert_eq!(branches.count(), 2);
}

#[test]
fn objects_that_nobody_reads_go_and_others_stay() {
    check(
        "function @f(i32, ptr) {
        block0(v0:i32, v1:ptr):
          v2:ptr = allocate stack 16, align 4
          lifetime-start v2
          memory-set v2, 0:i8, 16:i64
          v3:ptr = pointer-add v2 + 2
          store v0 to v3, align 1
          lifetime-end v2
          v4:ptr = allocate stack 4, align 4
          v5:ptr = pointer-add v4 + 2
          store v0 to v5, align 1
          v6:ptr = allocate stack 4, align 4
          store v6 to v1, align 8
          return
        }",
        "function @f(i32, ptr) {
        block0(v0:i32, v1:ptr):
          v2:ptr = allocate stack 4, align 4
          v3:ptr = pointer-add v2 + 2
          store v0 to v3, align 1
          v4:ptr = allocate stack 4, align 4
          store v4 to v1, align 8
          return
        }",
    );
}

#[test]
fn functions_and_globals_that_nothing_reaches_go() {
    check(
        "entry @main
        global @used size 8 align 8 = { 0: @pointed }
        global @pointed size 4 align 4 = zero
        global @unused size 8 align 8 = { 0: @only_there }
        function @only_there() {
        block0:
          return
        }
        function @main() -> i32 {
        block0:
          call @callee(@used, @address_taken)
          return 0:i32
        }
        function @callee(ptr, ptr) {
        block0(v0:ptr, v1:ptr):
          return
        }
        function @address_taken() {
        block0:
          return
        }",
        "entry @main
        global @used size 8 align 8 = { 0: @pointed }
        global @pointed size 4 align 4 = zero
        function @main() -> i32 {
        block0:
          call @callee(@used, @address_taken)
          return 0:i32
        }
        function @callee(ptr, ptr) {
        block0(v0:ptr, v1:ptr):
          return
        }
        function @address_taken() {
        block0:
          return
        }",
    );
}
