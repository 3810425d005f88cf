//! Programs in textual IR, proved and refuted in several forms.

mod common;

use common::{program, task};
use foghorn_core::Budget;
use foghorn_engine::Task;
use foghorn_horn::form::{Form, IntegerForm, MemoryForm, ProcedureForm, StepSize};
use foghorn_horn::solve::{Decision, Outcome, Solving, decide};
use std::time::Duration;

const HEADER: &str = "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n";

/// What is said of a whole program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Safe,
    Unsafe,
    Unknown,
}

/// Asks in one form, for at most ten seconds.
fn ask(task: &Task, form: Form) -> Outcome {
    let solving = Solving {
        forms: vec![form],
        ..Solving::default()
    };
    let budget = Budget::unlimited().within(Duration::from_secs(10));
    decide(task, &solving, &budget)
}

/// The answer for the whole program.
fn verdict(text: &str, checks: &str, form: Form) -> Verdict {
    let outcome = ask(&task(text, checks), form);
    let mut verdict = Verdict::Safe;
    for decision in outcome.decisions.values() {
        match decision {
            Decision::Safe => {}
            Decision::Unsafe(_) => return Verdict::Unsafe,
            Decision::Open(_) => verdict = Verdict::Unknown,
        }
    }
    verdict
}

fn forms() -> Vec<Form> {
    let usual = Form::default();
    let small = Form {
        step: StepSize::Small,
        ..usual
    };
    let bits = Form {
        integers: IntegerForm::Bits,
        ..usual
    };
    let summaries = Form {
        procedures: ProcedureForm::Summaries,
        ..usual
    };
    let arrays = Form {
        memory: MemoryForm::Arrays,
        ..usual
    };
    vec![usual, small, bits, summaries, arrays]
}

/// What must be said in the usual form; the others may not know, but never say the opposite.
fn check(text_of: &str, checks: &str, expected: Verdict) {
    let text = format!("{HEADER}{text_of}");
    assert_eq!(verdict(&text, checks, Form::default()), expected);
    check_soundness(text_of, checks, expected);
}

/// The opposite must be said in no form; how far Spacer comes in its time is not asked.
fn check_soundness(text: &str, checks: &str, expected: Verdict) {
    let text = format!("{HEADER}{text}");
    for form in forms() {
        let found = verdict(&text, checks, form);
        assert!(
            found == expected || found == Verdict::Unknown,
            "{form}: {found:?}"
        );
    }
}

#[test]
fn addresses_of_dead_objects_may_be_equal() {
    let text = format!("{HEADER}{}", program("addresses"));
    for form in forms() {
        assert_ne!(verdict(&text, "assertions", form), Verdict::Safe, "{form}");
    }
}

#[test]
fn a_sum_is_twice_the_counter() {
    check(program("sum-good"), "assertions", Verdict::Safe);
    check(program("sum-bad"), "assertions", Verdict::Unsafe);
}

#[test]
fn a_list_is_built_and_freed() {
    check(program("list-good"), "memory-safety", Verdict::Safe);
    check(program("list-bad"), "memory-safety", Verdict::Unsafe);
}

#[test]
fn recursion_goes_as_deep_as_it_likes() {
    check(program("recursion-good"), "assertions", Verdict::Safe);
    check(program("recursion-bad"), "assertions", Verdict::Unsafe);
}

/// What no execution comes to is proved, and said to be unreached.
#[test]
fn a_check_that_nothing_comes_to_is_unreached() {
    let text = |assumed: &str| {
        format!(
            "{HEADER}function @main() -> i32 {{\n\
             block0:\n v0:i32 = nondet input \"n\"\n v1:i1 = compare sgt v0, 5\n assume v1\n jump block1(0:i32)\n\
             block1(v2:i32):\n v3:i1 = compare slt v2, v0\n branch v3, block2, block3\n\
             block2:\n v4:i32 = add v2, 1\n jump block1(v4)\n\
             block3:\n v5:i1 = compare slt v2, {assumed}\n assume v5\n v6:i1 = compare ne v2, 99\n\
             check assertion v6\n return 0:i32\n}}\n"
        )
    };
    for (assumed, unreached) in [(3, 1), (50, 0)] {
        let outcome = ask(
            &task(&text(&assumed.to_string()), "assertions"),
            Form::default(),
        );
        assert_eq!(outcome.unreached.len(), unreached, "below {assumed}");
        assert!(!outcome.contradictory);
    }
}

/// Assumptions that contradict each other leave nothing to say.
#[test]
fn contradictory_assumptions_are_noticed() {
    let text = format!(
        "{HEADER}function @main() -> i32 {{\n\
         block0:\n v0:i32 = nondet input \"n\"\n v1:i1 = compare sgt v0, 5\n assume v1\n\
         v2:i1 = compare slt v0, 5\n assume v2\n jump block1(0:i32)\n\
         block1(v3:i32):\n v4:i1 = compare slt v3, v0\n branch v4, block2, block3\n\
         block2:\n v5:i32 = add v3, 1\n jump block1(v5)\n\
         block3:\n v6:i1 = compare ne v3, 99\n check assertion v6\n return 0:i32\n}}\n"
    );
    let outcome = ask(&task(&text, "assertions"), Form::default());
    assert!(outcome.contradictory);
    assert_eq!(outcome.unreached.len(), 1);
}

/// What lies at the address of a dead object may be another object.
#[test]
fn an_old_address_may_lead_to_a_new_object() {
    let text = format!(
        "{HEADER}function @main() -> i32 {{\n\
         block0:\n v0:ptr = allocate heap 8, align 16\n v1:i64 = ptrtoint v0\n free v0\n\
         v2:ptr = allocate heap 8, align 16\n v3:i64 = ptrtoint v2\n v4:ptr = inttoptr v1\n\
         v5:i1 = compare ne v4, v2\n check assertion v5\n v6:i1 = compare ne v3, 0\n check assertion v6\n\
         return 0:i32\n}}\n"
    );
    for form in forms() {
        let found = ask(&task(&text, "assertions"), form);
        let open = found.decisions.values();
        let open = open.filter(|decision| !matches!(decision, Decision::Safe));
        assert!(open.count() > 0, "{form}");
    }
}
