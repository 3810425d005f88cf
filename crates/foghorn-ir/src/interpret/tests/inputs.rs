//! Choices, their log, and replay.

use super::*;
use crate::instruction::NondetOrigin;
use crate::interpret::{Listed, Seeded, choices_to_text};

/// Reads inputs of several types, uninitialised memory twice, and an external function.
const CURIOUS: &str = "v0:i32 = nondet input \"int\"
    v1:f64 = nondet input \"double\"
    v2:ptr = allocate stack 16, align 8
    v3:i32 = load v2, align 4
    v4:i32 = load v2, align 4
    v5:i1 = compare eq v3, v4
    check assertion v5
    v6:ptr = pointer-add v2 + 2
    v7:i64 = load v6, align 1
    v8:i64 = load v6, align 1
    v9:i1 = compare eq v7, v8
    check assertion v9
    v10:i64 = call @time()
    v11:i64 = xor v10, v8
    v12:i64 = bitcast v1
    v13:i64 = xor v11, v12
    v14:i32 = trunc v13
    v15:i32 = xor v14, v0
    return v15";

#[test]
fn a_log_replays_to_the_identical_run() {
    let text = with_main("declare @time() -> i64", CURIOUS);
    let mut codes = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let first = run_with(&text, &all_checks(), &mut Seeded::new(seed));
        let again = run_with(&text, &all_checks(), &mut Listed::replay(&first.choices));
        assert_eq!(first, again);
        let written = choices_to_text(&first.choices);
        let mut listed = Listed::parse(&written).expect("well formed");
        assert_eq!(first, run_with(&text, &all_checks(), &mut listed));
        assert_eq!(first.choices.len(), 5);
        codes.insert(format!("{:?}", first.outcome));
    }
    assert!(codes.len() > 10, "seeds differ: {codes:?}");
}

#[test]
fn partly_initialised_reads_keep_what_is_there() {
    let body = "v0:ptr = allocate stack 4, align 4
        v1:ptr = pointer-add v0 + 1
        store 0x12:i8 to v1, align 1
        v2:i32 = load v0, align 4
        store 0x34:i8 to v1, align 1
        v3:i32 = load v0, align 4
        v4:i32 = xor v2, v3
        return v4";
    let text = with_main("", body);
    for seed in 0..5 {
        let run = run_with(&text, &all_checks(), &mut Seeded::new(seed));
        assert_eq!(run.outcome, Outcome::Exited { code: 0x2600 });
        assert_eq!(run.choices.len(), 1);
        assert!(matches!(
            run.choices[0].origin,
            NondetOrigin::Uninitialised(_)
        ));
    }
}

#[test]
fn the_list_may_end_before_the_run() {
    let text = with_main(
        "",
        "v0:i32 = nondet input \"x\" ! a.c:3:1\n v1:i32 = nondet input \"x\"\n return v0",
    );
    let run = run_with(&text, &all_checks(), &mut Listed::of_bits([1]));
    assert!(matches!(run.outcome, Outcome::InputExhausted { .. }));
    let run = run_with(&text, &all_checks(), &mut Listed::of_bits([1]).then_zeros());
    assert_eq!(run.outcome, Outcome::Exited { code: 1 });
}

#[test]
fn over_approximations_make_a_run_untrustworthy() {
    let body = "v0:i32 = nondet over-approximated \"long double\"
        v1:f64 = call-math \"j0\"(1.0:f64)
        v2:i32 = nondet over-approximated \"long double\"
        return 0:i32";
    let run = run(&with_main("", body));
    assert!(!run.is_trustworthy());
    let names: Vec<&str> = run
        .over_approximations
        .iter()
        .map(|(name, _)| &**name)
        .collect();
    assert_eq!(names, ["long double", "j0"]);
}

#[test]
fn external_globals_hold_choices() {
    let items = "external global @stdin size 8 align 8";
    let body =
        "v0:ptr = load @stdin, align 8\n v1:i64 = ptrtoint v0\n v2:i32 = trunc v1\n return v2";
    let run = run_with(
        &with_main(items, body),
        &all_checks(),
        &mut Listed::of_bits([77]),
    );
    assert_eq!(run.outcome, Outcome::Exited { code: 77 });
    assert_eq!(
        run.choices[0].origin,
        NondetOrigin::External("stdin".into())
    );
}
