//! Arrays as any one cell of each: what is proved that way, and that nothing else is.

use foghorn_core::Budget;
use foghorn_smt::SolverError;
use foghorn_smt::chc;
use foghorn_smt::horn::{Alone, HornAnswer, HornOptions, HornSolver, Member};
use std::time::Duration;

fn solve(name: &str, text: &str, seconds: u64) -> HornAnswer {
    let member = Member::named(name).expect("it is in the table");
    let file = chc::read(text).expect("it is a system");
    let options = HornOptions {
        budget: Budget::unlimited().within(Duration::from_secs(seconds)),
        derivation: true,
    };
    match Alone(member).solve(&file.pool, &file.system, &[], &options) {
        Ok(answer) => answer,
        Err(SolverError::Exhausted(exhausted)) => HornAnswer::Unknown(exhausted.to_string()),
        Err(error) => panic!("{name}: {error}: {text}"),
    }
}

/// Of a refuted system the form over cells has no interpretation at all, so none that would have to be refused.
fn assert_not_solved(text: &str, seconds: u64) {
    match solve("spacer-cells", text, seconds) {
        HornAnswer::Unknown(reason) => {
            assert!(!reason.contains("did not pass"), "{reason}: {text}");
        }
        answer => panic!("{answer:?}: {text}"),
    }
}

/// `a[0..n]` is filled, and one of its cells looked at.
const FILL: &str = "(set-logic HORN)
    (declare-fun fill ((Array Int Int) Int Int) Bool)
    (assert (forall ((a (Array Int Int)) (n Int)) (fill a 0 n)))
    (assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (fill a i n) (< i n)) (fill (store a i 43) (+ i 1) n))))
    (assert (forall ((a (Array Int Int)) (i Int) (j Int) (n Int))
        (=> (and (fill a i n) (>= i n) (<= 0 j) (< j LAST) (not (= (select a j) 43))) false)))";

#[test]
fn all_cells_of_a_filled_array_are_known() {
    let answer = solve("spacer-cells", &FILL.replace("LAST", "n"), 60);
    let HornAnswer::Solved(invariants) = answer else {
        panic!("{answer:?}")
    };
    let definition = &invariants.interpretations[0].definition;
    assert!(definition.contains("forall"), "{definition}");
    assert_not_solved(&FILL.replace("LAST", "(+ n 1)"), 20);
}

/// A predicate that was resolved is what its rules derive, also where their premises are interpreted with quantifiers.
#[test]
fn resolved_predicates_may_depend_on_quantified_ones() {
    let text = FILL.replace("LAST", "n").replace(
        "(declare-fun fill",
        "(declare-fun error () Bool) (assert (=> error false)) (declare-fun fill",
    );
    let text = text.replace("43))) false)))", "43))) error)))");
    for member in ["spacer-cells", "spacer-quantified"] {
        let answer = solve(member, &text, 60);
        assert!(
            matches!(answer, HornAnswer::Solved(_)),
            "{member}: {answer:?}"
        );
    }
}

/// `b[i] = a[i]` for all, and then the same cell of both.
const COPY: &str = "(set-logic HORN)
    (declare-fun copy ((Array Int Int) (Array Int Int) Int Int) Bool)
    (assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int)) (copy a b 0 n)))
    (assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int))
        (=> (and (copy a b i n) (< i n)) (copy a (store b i (select a FROM)) (+ i 1) n))))
    (assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (j Int) (n Int))
        (=> (and (copy a b i n) (>= i n) (<= 0 j) (< j n) (not (= (select a j) (select b j)))) false)))";

#[test]
fn cells_of_two_arrays_are_compared() {
    let answer = solve("spacer-cells", &COPY.replace("FROM", "i"), 60);
    assert!(matches!(answer, HornAnswer::Solved(_)), "{answer:?}");
    assert_not_solved(&COPY.replace("FROM", "0"), 20);
}

/// A memory of objects: object 1 is filled with ones, object 2 is written as well.
const OBJECTS: &str = "(set-logic HORN)
    (declare-fun fill ((Array Int (Array Int Int)) Int Int) Bool)
    (assert (forall ((m (Array Int (Array Int Int))) (n Int)) (fill m 0 n)))
    (assert (forall ((m (Array Int (Array Int Int))) (i Int) (n Int))
        (=> (and (fill m i n) (< i n))
            (fill (store (store m 1 (store (select m 1) i 1)) OTHER (store (select m 2) i 2)) (+ i 1) n))))
    (assert (forall ((m (Array Int (Array Int Int))) (i Int) (j Int) (n Int))
        (=> (and (fill m i n) (>= i n) (<= 0 j) (< j n) (not (= (select (select m 1) j) 1))) false)))";

#[test]
fn arrays_of_arrays_have_cells_of_two_indices() {
    let answer = solve("spacer-cells", &OBJECTS.replace("OTHER", "2"), 60);
    assert!(matches!(answer, HornAnswer::Solved(_)), "{answer:?}");
    assert_not_solved(&OBJECTS.replace("OTHER", "1"), 20);
}

/// Loops over an array with numbers and operations chosen by chance.
fn random_system(seed: u64) -> String {
    let mut state = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(99);
    let mut number = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % 1_000_003).expect("it is small") % below
    };
    let starts = ["a", "((as const (Array Int Int)) 1)", "(store a 0 2)"];
    let steps = [
        "(store a i i)",
        "(store a i 1)",
        "(ite (< i 2) (store a i 3) a)",
        "(store (store a 0 i) i (select a 0))",
        "(store a i (select a (- i 1)))",
    ];
    let looks = ["j", "i", "0", "(- i 1)"];
    let compare = ["=", "<", ">"][number(3)];
    format!(
        "(declare-fun p ((Array Int Int) Int) Bool)
         (assert (forall ((a (Array Int Int))) (p {start} {from})))
         (assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (< i {to})) (p {step} (+ i 1)))))
         (assert (forall ((a (Array Int Int)) (i Int) (j Int))
             (=> (and (p a i) (= i {to}) (<= 0 j) (< j i) ({compare} (select a {look}) {value})) false)))",
        start = starts[number(3)],
        from = number(2),
        to = number(3) + 2,
        step = steps[number(5)],
        look = looks[number(4)],
        value = number(4),
    )
}

/// What is refuted by a derivation is not even proposed as solved over cells, and what is solved is not refuted.
#[test]
fn cells_never_contradict_a_derivation() {
    let (mut solved, mut refuted) = (0, 0);
    let seeds = std::env::var("FOGHORN_CELLS_SEEDS").map_or(12, |n| n.parse().unwrap_or(12));
    for seed in 1..=seeds {
        let text = random_system(seed);
        let by_unrolling = solve("unrolling", &text, 5);
        match by_unrolling {
            HornAnswer::Refuted(_) => {
                refuted += 1;
                assert_not_solved(&text, 5);
            }
            HornAnswer::Solved(_) => panic!("an unrolling proves nothing: {text}"),
            HornAnswer::Unknown(_) => match solve("spacer-cells", &text, 5) {
                HornAnswer::Solved(_) => solved += 1,
                HornAnswer::Unknown(reason) => {
                    assert!(!reason.contains("says sat"), "{reason}: {text}");
                }
                answer @ HornAnswer::Refuted(_) => panic!("{answer:?}: {text}"),
            },
        }
    }
    assert!(
        solved >= 2 && refuted >= 2,
        "{solved} solved, {refuted} refuted"
    );
}
