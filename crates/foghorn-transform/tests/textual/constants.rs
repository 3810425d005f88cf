//! Sparse conditional constant propagation.

use super::expect;
use foghorn_transform::PassOptions;

#[track_caller]
fn check(before: &str, after: &str) {
    expect("constants", &PassOptions::default(), before, after);
}

#[test]
fn a_constant_round_a_loop_and_a_branch_that_it_decides() {
    // Optimism: v1 is 1 only because the branch that changes it is never taken.
    check(
        "function @f(i1) -> i32 {
        block0(v0:i1):
          jump block1(1:i32)
        block1(v1:i32):
          v2:i1 = compare eq v1, 1
          branch v2, block2, block3
        block2:
          branch v0, block1(v1), block4
        block3:
          jump block1(2:i32)
        block4:
          return v1
        }",
        "function @f(i1) -> i32 {
        block0(v0:i1):
          jump block1
        block1:
          branch v0, block1, block2
        block2:
          return 1:i32
        }",
    );
}

#[test]
fn checks_stay_with_their_constant_conditions() {
    check(
        "function @f() -> i32 {
        block0:
          v0:i32 = add 2147483647:i32, 1
          v1:i1 = overflows signed add 2147483647:i32, 1
          v2:i1 = xor v1, true
          check signed-overflow v2
          v3:i1 = compare ne v0, 0
          check division v3
          return v0
        }",
        "function @f() -> i32 {
        block0:
          check signed-overflow false
          check division true
          return 2147483648:i32
        }",
    );
}

#[test]
fn what_follows_an_end_is_cut() {
    check(
        "function @f() -> i32 {
        block0:
          v0:i1 = compare ult 3:i32, 2
          check assertion v0
          v1:i32 = nondet input \"n\"
          return v1
        }",
        "function @f() -> i32 {
        block0:
          check assertion false
          unreachable
        }",
    );
}

#[test]
fn inputs_stay_and_nan_is_not_folded() {
    let text = "function @f() -> f64 {
        block0:
          v0:i32 = nondet input \"n\"
          v1:f64 = fdiv 0x0:f64, 0x0:f64
          return v1
        }";
    let text = text.replace("0x0:f64", "0.0:f64");
    check(&text, &text);
}

#[test]
fn addresses_known_before_the_program_runs_are_compared() {
    check(
        "global @a size 4 align 4 = zero
        global @b size 4 align 4 = zero
        function @f() -> i1 {
        block0:
          v0:i1 = compare eq @a, @b
          v1:i1 = compare ne @a, null
          v2:i1 = or v0, v1
          return v2
        }",
        "global @a size 4 align 4 = zero
        global @b size 4 align 4 = zero
        function @f() -> i1 {
        block0:
          return true
        }",
    );
}
