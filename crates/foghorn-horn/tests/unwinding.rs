//! Horn clauses against complete unwinding, on random programs, and with faults planted.
//!
//! Every loop and recursion of the programs ends after a few rounds, so that unwinding decides every check. What Horn
//! clauses prove must hold there, what they refute must fail there. `FOGHORN_HORN_PROGRAMS` sets the number of programs,
//! `FOGHORN_HORN_FIRST` the first seed.

mod common;

use common::{program, task};
use foghorn_bmc::{Bmc, SiteVerdict as Unwound};
use foghorn_core::{Budget, SiteKind};
use foghorn_encode::execute::settings::Settings;
use foghorn_engine::Task;
use foghorn_horn::form::{Form, IntegerForm, MemoryForm, ProcedureForm, StepSize};
use foghorn_horn::sabotage::Sabotage;
use foghorn_horn::solve::{Decision, Solving, decide};
use foghorn_ir::interpret::ProgramPoint;
use foghorn_testkit::{list_program, loop_program};
use std::collections::BTreeMap;
use std::time::Duration;

type Answers = BTreeMap<(SiteKind, ProgramPoint), bool>;

const CHECKS: &str = "assertions,memory-safety";

/// Which checks hold, by unwinding.
fn unwind(task: &Task) -> Answers {
    let options = Bmc {
        settings: Settings {
            checks: CHECKS.parse().expect("groups of checks"),
            ..Settings::default()
        },
        unwind: Some(8),
        vacuity: false,
        keep_going: true,
        ..Bmc::default()
    };
    let report = foghorn_bmc::check(task.pure(), &options, &Budget::unlimited(), &mut |_| {});
    let report = report.expect("it solves");
    assert!(report.incomplete.is_none(), "{:?}", report.incomplete);
    let answers = report.answers.iter().filter_map(|answer| {
        let holds = match &answer.verdict {
            Unwound::Safe => true,
            Unwound::Unsafe(_) => false,
            Unwound::Unknown(_) => return None,
        };
        Some(((answer.site.kind, answer.site.point?), holds))
    });
    answers.collect()
}

/// What Horn clauses say in one form. A fault is given more time: an answer is expected there.
fn ask(task: &Task, form: Form, sabotage: Sabotage, seconds: u64) -> Answers {
    let solving = Solving {
        forms: vec![form],
        sabotage,
        ..Solving::default()
    };
    let budget = Budget::unlimited().within(Duration::from_secs(seconds));
    let outcome = decide(task, &solving, &budget);
    let answers = outcome.decisions.into_iter().filter_map(|(id, decision)| {
        let site = task.sites().get(id)?;
        let holds = match decision {
            Decision::Safe => true,
            Decision::Unsafe(_) => false,
            Decision::Open(_) => return None,
        };
        Some(((site.kind, site.point), holds))
    });
    answers.collect()
}

/// Checks about which the two contradict each other, and how many have an answer.
fn compare(task: &Task, form: Form, sabotage: Sabotage, seconds: u64) -> (usize, usize) {
    let expected = unwind(task);
    let found = ask(task, form, sabotage, seconds);
    let contradictions = found
        .iter()
        .filter(|(site, holds)| expected.get(site).is_some_and(|truth| truth != *holds));
    (contradictions.count(), found.len())
}

/// The forms in turn: every one meets both kinds of programs.
fn form(seed: u64) -> Form {
    let usual = Form::default();
    match seed / 2 % 8 {
        0 | 1 => usual,
        2 => Form {
            step: StepSize::Small,
            ..usual
        },
        3 => Form {
            procedures: ProcedureForm::Summaries,
            ..usual
        },
        4 => Form {
            procedures: ProcedureForm::Mixed,
            ..usual
        },
        5 => Form {
            procedures: ProcedureForm::Mixed,
            step: StepSize::Small,
            ..usual
        },
        6 => Form {
            memory: MemoryForm::Arrays,
            ..usual
        },
        _ => Form {
            integers: IntegerForm::Bits,
            ..usual
        },
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn what_is_said_holds_when_loops_are_unwound() {
    let count = number("FOGHORN_HORN_PROGRAMS", 12);
    let first = number("FOGHORN_HORN_FIRST", 0);
    let mut answered = 0;
    for seed in first..first + count {
        let text = match seed % 2 {
            0 => loop_program(seed),
            _ => list_program(seed),
        };
        let form = form(seed);
        let (contradictions, found) = compare(&task(&text, CHECKS), form, Sabotage::None, 2);
        assert_eq!(contradictions, 0, "seed {seed}, {form}\n{text}");
        answered += found;
    }
    assert!(answered as u64 > count, "{answered} answers");
}

/// Programs that show one fault each: right without the fault, and noticed with it.
fn notices(sabotage: Sabotage, form: Form, name: &str) {
    let text = format!(
        "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n{}",
        program(name)
    );
    let task = task(&text, CHECKS);
    let right = compare(&task, form, Sabotage::None, 20);
    assert_eq!(right.0, 0, "{sabotage:?}: right without the fault");
    assert!(right.1 > 0, "{sabotage:?}: answered without the fault");
    let wrong = compare(&task, form, sabotage, 20);
    assert!(wrong.0 > 0, "{sabotage:?} goes unnoticed");
}

#[test]
fn a_lost_hit_is_noticed() {
    notices(Sabotage::LostHit, Form::default(), "short-fill-bad");
}

#[test]
fn a_dropped_carry_is_noticed() {
    notices(Sabotage::DroppedCarry, Form::default(), "wraps-bad");
}

#[test]
fn a_wrong_argument_of_a_summary_is_noticed() {
    notices(
        Sabotage::WrongArgument,
        Form::default(),
        "short-recursion-bad",
    );
}

#[test]
fn a_missing_live_value_is_noticed() {
    notices(Sabotage::MissingLive, Form::default(), "live-bad");
}

#[test]
fn lost_initial_contents_are_noticed() {
    notices(Sabotage::LostInitial, Form::default(), "initial-bad");
}
