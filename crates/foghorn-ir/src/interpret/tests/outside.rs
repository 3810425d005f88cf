//! Changes by code outside the program.

use super::*;
use crate::instruction::NondetOrigin;
use crate::interpret::{Listed, choices_to_text};

/// A stack object that points to a second one, known outside, and a third one that is not. Its exit
/// code: 1 if the first changed, 2 for the second, 4 for the third, 8 if the pointer did.
const BODY: &str = "v0:ptr = allocate stack 16, align 8
    v1:ptr = allocate stack 4, align 4
    v2:ptr = allocate stack 4, align 4
    store 0:i64 to v0, align 8
    v3:ptr = pointer-add v0 + 8
    store v1 to v3, align 8
    store 0:i32 to v1, align 4
    store 0:i32 to v2, align 4
    store v0 to @__foghorn_outside, align 8
    v4:i1 = nondet change \"f\"
    call-havoc-reachable \"f\"(@__foghorn_outside, v4)
    v5:i32 = load v0, align 4
    v6:i32 = load v1, align 4
    v7:i32 = load v2, align 4
    v8:ptr = load v3, align 8
    v9:i1 = compare ne v8, v1
    v10:i32 = zext v9
    v11:i32 = shl v10, 3:i32
    v12:i32 = or v5, v6
    v13:i32 = or v7, v11
    v14:i32 = or v12, v13
    return v14";

fn exit_code(inputs: &str) -> (Outcome, Vec<NondetOrigin>) {
    let text = with_main("global @__foghorn_outside size 8 align 8 = zero", BODY);
    let mut listed = Listed::parse(inputs).expect("well formed").then_zeros();
    let run = run_with(&text, &all_checks(), &mut listed);
    let again = run_with(&text, &all_checks(), &mut Listed::replay(&run.choices));
    assert_eq!(run, again, "{}", choices_to_text(&run.choices));
    let origins = run.choices.into_iter().map(|choice| choice.origin);
    (run.outcome, origins.collect())
}

#[test]
fn what_is_reached_gets_new_contents_when_it_is_read() {
    let (outcome, origins) = exit_code("false\n1\n2");
    assert_eq!(outcome, Outcome::Exited { code: 3 });
    let change = NondetOrigin::Change("f".into());
    assert_eq!(origins, [change.clone(), change.clone(), change]);
}

#[test]
fn pointers_change_only_if_it_is_said() {
    let (outcome, _) = exit_code("true\n0\n0\n0");
    assert_eq!(outcome, Outcome::Exited { code: 8 });
    let (outcome, _) = exit_code("false\n0\n0");
    assert_eq!(outcome, Outcome::Exited { code: 0 });
}

#[test]
fn pointers_that_are_left_lead_to_what_is_known() {
    let (outcome, _) = exit_code("true\n0\n0\n&2");
    assert_eq!(outcome, Outcome::Exited { code: 0 }, "the second object");
    let (outcome, _) = exit_code("true\n0\n0\n&1+8");
    assert_eq!(outcome, Outcome::Exited { code: 8 }, "the first one");
    let (outcome, _) = exit_code("true\n0\n0\n&3");
    assert_eq!(outcome, Outcome::Exited { code: 8 }, "there is no third");
}

#[test]
fn constants_stay() {
    let items =
        "global @__foghorn_outside size 8 align 8 = zero\nconstant @limit size 4 align 4 = zero";
    let body = "store @limit to @__foghorn_outside, align 8
        call-havoc-reachable \"f\"(@__foghorn_outside, true)
        v0:i32 = load @limit, align 4
        return v0";
    exits(&with_main(items, body), 0);
}
