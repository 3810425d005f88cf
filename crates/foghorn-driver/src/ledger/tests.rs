//! Tests of the ledger.

use super::*;
use crate::message::StageAnswer;
use foghorn_core::CheckKind;
use foghorn_witness::report::CheckIds;

fn ledger() -> Ledger {
    let mut ids = CheckIds::default();
    let check = |line| CheckReport {
        id: ids.next("main", CheckKind::Assertion, line, 1),
        kind: CheckKind::Assertion,
        file: "a.c".to_owned(),
        line,
        column: 1,
        function: "main".to_owned(),
        verdict: VerdictName::Unknown,
        reason: None,
        unreached: false,
        proved_by: vec![],
        certified: None,
        trace: None,
        harness: None,
    };
    let checks = (1..=2).map(check).collect();
    let stages = ["a", "b"].map(|engine| Stage::new(engine, ""));
    Ledger::new(ProgramHash::default(), checks, &stages)
}

fn bounded() -> UnknownReason {
    UnknownReason::Bounded { bound: 8 }
}

fn proves(sites: &[usize]) -> StageReport {
    let answers = sites.iter().map(|&site| StageAnswer {
        site: SiteId::new(site),
        open: None,
        unreached: false,
    });
    StageReport {
        answers: answers.collect(),
        incomplete: Some(bounded()),
        ..StageReport::default()
    }
}

fn failing(ledger: &Ledger, index: usize) -> CheckReport {
    CheckReport {
        verdict: VerdictName::Unsafe,
        ..ledger.checks[index].clone()
    }
}

#[test]
fn two_halves_make_a_proof() {
    let mut ledger = ledger();
    assert!(ledger.enter(0, proves(&[0])));
    assert!(!ledger.is_decided());
    assert_eq!(ledger.report().verdict, VerdictName::Unknown);
    assert_eq!(ledger.report().unknown, Some(bounded()));
    assert!(ledger.enter(1, proves(&[1])));
    assert!(ledger.is_decided());
    let report = ledger.report();
    assert_eq!(report.verdict, VerdictName::Safe);
    assert_eq!(report.engine, "a+b");
    assert_eq!(report.checks[1].proved_by, ["b"]);
    assert_eq!(report.bound, None);
}

/// What a stage said before it was replaced by less stays known.
#[test]
fn nothing_is_taken_back() {
    let mut ledger = ledger();
    ledger.enter(0, proves(&[0]));
    assert!(!ledger.enter(0, proves(&[])));
    ledger.stop(0, UnknownReason::Interrupted, 1.0);
    let report = ledger.report();
    assert_eq!(report.checks[0].verdict, VerdictName::Safe);
    assert_eq!(report.checks[1].reason, Some(UnknownReason::Interrupted));
}

#[test]
fn a_failure_is_a_failure_whoever_proves_it() {
    let mut ledger = ledger();
    let check = failing(&ledger, 0);
    assert!(ledger.fail(1, check.clone()));
    assert!(!ledger.fail(0, check));
    ledger.enter(0, proves(&[0, 1]));
    let report = ledger.report();
    assert_eq!(report.verdict, VerdictName::Unsafe);
    assert_eq!(report.checks[0].verdict, VerdictName::Unsafe);
    assert_eq!(report.engine, "b");
}

#[test]
fn who_comes_to_its_end_has_proved_the_rest() {
    let mut ledger = ledger();
    let complete = StageReport {
        incomplete: None,
        ..proves(&[1])
    };
    ledger.enter(1, complete);
    assert!(ledger.is_decided());
    let report = ledger.report();
    assert_eq!(report.verdict, VerdictName::Safe);
    assert_eq!(report.engine, "b");
}

/// Who only helps does not say why there is no answer, even if it comes last.
#[test]
fn the_strongest_voice_has_the_word() {
    let stages = [Stage::new("a", ""), Stage::new("b", "").with_voice(0)];
    let mut ledger = Ledger::new(ProgramHash::default(), ledger().checks, &stages);
    ledger.enter(0, proves(&[]));
    ledger.stop(1, UnknownReason::Interrupted, 0.0);
    assert_eq!(ledger.report().unknown, Some(bounded()));
}

/// No check in the list, and still somebody has to look.
#[test]
fn an_empty_list_is_no_proof() {
    let stages = [Stage::new("a", "")];
    let ledger = Ledger::new(ProgramHash::default(), vec![], &stages);
    assert!(!ledger.is_decided());
    assert_eq!(ledger.report().verdict, VerdictName::Unknown);
    let mut asked = ledger.clone();
    asked.enter(0, StageReport::default());
    assert_eq!(asked.report().verdict, VerdictName::Safe);
    let ledger = ledger.with_nothing(true);
    assert!(ledger.is_decided());
    assert_eq!(ledger.report().verdict, VerdictName::Safe);
}

/// All listed checks are proved, but a call leads nowhere known.
#[test]
fn what_is_not_listed_counts() {
    let mut ledger = ledger();
    let mut report = proves(&[0, 1]);
    report.incomplete = None;
    let open = CheckReport {
        reason: Some(bounded()),
        ..failing(&ledger, 0)
    };
    let id = CheckIds::default().next("main", CheckKind::InvalidCall, 7, 1);
    report.further.push(CheckReport {
        id,
        verdict: VerdictName::Unknown,
        ..open
    });
    ledger.enter(0, report);
    assert!(!ledger.is_decided());
    assert_eq!(ledger.report().verdict, VerdictName::Unknown);
}

#[test]
fn who_was_not_asked_proves_nothing() {
    let mut ledger = ledger();
    ledger.enter(
        0,
        StageReport {
            skipped: Some("it cannot".to_owned()),
            ..StageReport::default()
        },
    );
    assert!(!ledger.is_decided());
    let why = "it cannot".to_owned();
    let reason = Some(UnknownReason::NotAsked { why });
    assert_eq!(ledger.report().unknown, reason);
}

#[test]
fn a_run_that_was_not_repeated_says_more_than_a_bound() {
    let unrepeated = UnknownReason::Unrepeated {
        check: "assertion".to_owned(),
        location: "a.c:1:1".to_owned(),
        why: "it ended".to_owned(),
    };
    let mut ledger = ledger();
    let mut first = proves(&[]);
    first.answers.push(StageAnswer {
        site: SiteId::new(0),
        open: Some(unrepeated.clone()),
        unreached: false,
    });
    ledger.enter(0, first);
    ledger.enter(1, proves(&[1]));
    assert_eq!(ledger.report().checks[0].reason, Some(unrepeated));
}
