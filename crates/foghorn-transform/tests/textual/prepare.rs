//! Checks out of traps, promotion, clean-up.

use super::{canonical, parse};
use foghorn_ir::Body;
use foghorn_ir::text::print_module;
use foghorn_transform::{cleanup, fold_checks, promote};

#[track_caller]
fn check(pass: impl Fn(&mut Body), before: &str, after: &str) {
    let mut module = parse(before);
    for function in module.functions.values_mut() {
        if let Some(body) = &mut function.body {
            pass(body);
            cleanup(body);
        }
    }
    let (found, expected) = (print_module(&module), canonical(after));
    assert!(found == expected, "found:\n{found}\nexpected:\n{expected}");
}

fn fold(body: &mut Body) {
    fold_checks(body);
}

fn promoted(body: &mut Body) {
    promote(body, 8);
}

#[test]
fn a_branch_around_a_trap_is_a_check() {
    check(
        fold,
        "function @f(i32, i1) -> i32 {
        block0(v0:i32, v1:i1):
          branch v1, block2, block1
        block1:
          check division false
          unreachable
        block2:
          return v0
        }",
        "function @f(i32, i1) -> i32 {
        block0(v0:i32, v1:i1):
          check division v1
          return v0
        }",
    );
}

#[test]
fn a_trap_on_the_true_side_is_a_check_of_the_negation() {
    check(
        fold,
        "function @f(i32, i1) -> i32 {
        block0(v0:i32, v1:i1):
          branch v1, block1, block2
        block1:
          check shift false
          unreachable
        block2:
          return v0
        }",
        "function @f(i32, i1) -> i32 {
        block0(v0:i32, v1:i1):
          v2:i1 = xor v1, true
          check shift v2
          return v0
        }",
    );
}

#[test]
fn a_shift_to_the_left_that_does_not_fit_is_an_overflow() {
    check(
        fold,
        "function @f(i32, i32, i1, i1) -> i32 {
        block0(v0:i32, v1:i32, v2:i1, v3:i1):
          v4:i1 = and v2, v3
          branch v4, block2, block1
        block1:
          check shift false
          unreachable
        block2:
          v5:i32 = shl v0, v1
          return v5
        }",
        "function @f(i32, i32, i1, i1) -> i32 {
        block0(v0:i32, v1:i32, v2:i1, v3:i1):
          v4:i32 = shl v0, v1
          v5:i32 = ashr v4, v1
          v6:i1 = compare eq v5, v0
          v7:i1 = compare sge v0, 0
          v8:i1 = xor v2, true
          v9:i1 = or v8, v6
          check shift v2
          check shift v7
          check shift-overflow v9
          v10:i32 = shl v0, v1
          return v10
        }",
    );
}

#[test]
fn a_negation_is_not_negated_again() {
    check(
        fold,
        "function @f(i1) {
        block0(v0:i1):
          v1:i1 = xor v0, true
          branch v1, block1, block2
        block1:
          check shift false
          unreachable
        block2:
          return
        }",
        "function @f(i1) {
        block0(v0:i1):
          check shift v0
          return
        }",
    );
}

#[test]
fn what_is_not_supported_stays_a_place_of_its_own() {
    let text = "function @f(i1) {
        block0(v0:i1):
          branch v0, block1, block2
        block1:
          check unsupported false \"asm goto\"
          unreachable
        block2:
          return
        }";
    let mut module = parse(text);
    let body = module
        .functions
        .values_mut()
        .next()
        .and_then(|f| f.body.as_mut());
    assert_eq!(fold_checks(body.expect("a body")), 0);
}

#[test]
fn a_variable_of_a_loop_becomes_a_parameter() {
    check(
        promoted,
        "function @count(i32) -> i32 {
        block0(v0:i32):
          v1:ptr = allocate stack 4, align 4
          store 0:i32 to v1, align 4
          jump block1
        block1:
          v2:i32 = load v1, align 4
          v3:i1 = compare slt v2, v0
          branch v3, block2, block3
        block2:
          v4:i32 = load v1, align 4
          v5:i32 = add v4, 1
          store v5 to v1, align 4
          jump block1
        block3:
          v6:i32 = load v1, align 4
          return v6
        }",
        "function @count(i32) -> i32 {
        block0(v0:i32):
          jump block1(0:i32)
        block1(v1:i32):
          v2:i1 = compare slt v1, v0
          branch v2, block3, block2
        block2:
          return v1
        block3:
          v3:i32 = add v1, 1
          jump block1(v3)
        }",
    );
}

#[test]
fn all_reads_of_an_uninitialised_variable_see_one_value() {
    check(
        promoted,
        "function @f() -> i32 {
        block0:
          v0:ptr = allocate stack 4, align 4
          v1:i32 = load v0, align 4
          v2:i32 = load v0, align 4
          v3:i32 = sub v1, v2
          return v3
        }",
        "function @f() -> i32 {
        block0:
          v0:i32 = nondet uninitialised \"temporary\"
          v1:i32 = sub v0, v0
          return v1
        }",
    );
}

#[test]
fn each_life_of_a_variable_has_its_own_value() {
    check(
        promoted,
        "function @f() -> i32 {
        block0:
          v0:ptr = allocate stack 4, align 4
          lifetime-start v0
          v1:i32 = load v0, align 4
          lifetime-end v0
          lifetime-start v0
          v2:i32 = load v0, align 4
          lifetime-end v0
          v3:i32 = sub v1, v2
          return v3
        }",
        "function @f() -> i32 {
        block0:
          v0:i32 = nondet uninitialised \"temporary\"
          v1:i32 = nondet uninitialised \"temporary\"
          v2:i32 = sub v0, v1
          return v2
        }",
    );
}

#[test]
fn fields_of_a_structure_are_split() {
    check(
        promoted,
        "function @f(i32, i64) -> i64 {
        block0(v0:i32, v1:i64):
          v2:ptr = allocate stack 16, align 8
          v3:ptr = pointer-add v2 + 8
          store v0 to v2, align 8
          store v1 to v3, align 8
          v4:i64 = load v3, align 8
          return v4
        }",
        "function @f(i32, i64) -> i64 {
        block0(v0:i32, v1:i64):
          return v1
        }",
    );
}

/// Programs whose slot must stay in memory, since some access is not plainly its own.
#[test]
fn what_is_not_plain_stays_in_memory() {
    let bodies = [
        ("its address escapes", "store v1 to v1, align 8"),
        (
            "an access is outside",
            "v2:ptr = pointer-add v1 + 4\n v3:i64 = load v2, align 4",
        ),
        (
            "accesses overlap",
            "v2:ptr = pointer-add v1 + 2\n store v0 to v2, align 1\n store v0 to v1, align 1",
        ),
        (
            "types differ",
            "store v0 to v1, align 4\n v2:f32 = load v1, align 4",
        ),
        (
            "an index is not known",
            "v2:i64 = zext v0\n v3:ptr = pointer-add v1 + v2 * 4\n store v0 to v3, align 4",
        ),
    ];
    for (why, body) in bodies {
        let text = format!(
            "function @f(i32) {{\nblock0(v0:i32):\n v1:ptr = allocate stack 8, align 8\n {body}\n return\n}}"
        );
        let mut module = parse(&text);
        let body = module
            .functions
            .values_mut()
            .next()
            .and_then(|f| f.body.as_mut());
        assert_eq!(promote(body.expect("a body"), 8), 0, "{why}");
    }
}

#[test]
fn unused_arithmetic_and_parameters_go_but_effects_stay() {
    check(
        |_| {},
        "function @f(i32, ptr) -> i32 {
        block0(v0:i32, v1:ptr):
          v2:i32 = mul v0, v0
          v3:i32 = load v1, align 4
          v9:i1 = compare slt v0, 3
          branch v9, block1(v2), block2
        block1(v4:i32):
          v5:i32 = add v4, 1
          jump block3(v5, v0)
        block2:
          jump block3(7:i32, 8:i32)
        block3(v6:i32, v7:i32):
          return v7
        }",
        "function @f(i32, ptr) -> i32 {
        block0(v0:i32, v1:ptr):
          v2:i32 = load v1, align 4
          v3:i1 = compare slt v0, 3
          branch v3, block1, block2(8:i32)
        block1:
          jump block2(v0)
        block2(v4:i32):
          return v4
        }",
    );
}

/// One trap stands for a divisor of zero and for a quotient that does not fit.
#[test]
fn a_signed_division_has_two_checks() {
    check(
        fold,
        "function @f(i1, i1) {
        block0(v0:i1, v1:i1):
          v2:i1 = and v0, v1
          branch v2, block1, block2
        block1:
          return
        block2:
          check division false
          unreachable
        }",
        "function @f(i1, i1) {
        block0(v0:i1, v1:i1):
          check division v0
          check division-overflow v1
          return
        }",
    );
}
