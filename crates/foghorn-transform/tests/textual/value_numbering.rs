//! Common subexpressions and repeated checks.

use super::expect;
use foghorn_transform::PassOptions;

#[track_caller]
fn check(before: &str, after: &str) {
    expect("value-numbering", &PassOptions::default(), before, after);
}

#[test]
fn the_dominated_one_gives_way() {
    check(
        "function @f(i32, i32, i1) -> i32 {
        block0(v0:i32, v1:i32, v2:i1):
          v3:i32 = add v0, v1
          branch v2, block1, block2
        block1:
          v4:i32 = add v1, v0
          v5:i32 = mul v4, v4
          jump block3(v5)
        block2:
          v6:i32 = mul v3, v3
          jump block3(v6)
        block3(v7:i32):
          v8:i32 = mul v3, v3
          v9:i32 = sub v7, v8
          return v9
        }",
        "function @f(i32, i32, i1) -> i32 {
        block0(v0:i32, v1:i32, v2:i1):
          v3:i32 = add v0, v1
          branch v2, block2, block1
        block1:
          v4:i32 = mul v3, v3
          jump block3(v4)
        block2:
          v5:i32 = mul v3, v3
          jump block3(v5)
        block3(v6:i32):
          v7:i32 = mul v3, v3
          v8:i32 = sub v6, v7
          return v8
        }",
    );
}

#[test]
fn a_check_that_was_made_holds() {
    check(
        "function @f(i32) {
        block0(v0:i32):
          v1:i1 = compare ne v0, 0
          check division v1
          v2:i1 = compare ne v0, 0
          check division v2
          check shift v2
          return
        }",
        "function @f(i32) {
        block0(v0:i32):
          v1:i1 = compare ne v0, 0
          check division v1
          check division true
          check shift true
          return
        }",
    );
}

#[test]
fn a_check_that_may_be_passed_proves_nothing_for_another_kind() {
    // Where overflow is not checked the execution goes on, and the division must still be.
    let text = "function @f(i1) {
        block0(v0:i1):
          check signed-overflow v0
          check division v0
          return
        }";
    check(text, text);
}

#[test]
fn what_reads_memory_stays() {
    let text = "function @f(ptr, i64) -> i32 {
        block0(v0:ptr, v1:i64):
          v2:i32 = load v0, align 4
          store 1:i32 to v0, align 4
          v3:i32 = load v0, align 4
          v4:ptr = inttoptr v1
          v5:ptr = inttoptr v1
          store v4 to v0, align 8
          store v5 to v0, align 8
          v6:i32 = nondet input \"n\"
          v7:i32 = nondet input \"n\"
          v8:i32 = add v6, v7
          v9:i32 = sub v3, v2
          v10:i32 = add v8, v9
          return v10
        }";
    check(text, text);
}
