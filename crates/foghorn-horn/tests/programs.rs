//! Programs in textual IR, proved and refuted in several forms.

mod common;

use common::{Verdict, program, verdict};
use foghorn_horn::form::{Form, IntegerForm, MemoryForm, ProcedureForm, StepSize};

const HEADER: &str = "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n";

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
