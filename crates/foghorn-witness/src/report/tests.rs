//! Tests of the report.

use super::*;
use foghorn_core::AssumptionKind;

fn check(verdict: VerdictName) -> CheckReport {
    let kind = CheckKind::Division;
    CheckReport {
        id: CheckIds::default().next("main", kind, 3, 9),
        kind,
        file: "a.c".to_owned(),
        line: 3,
        column: 9,
        function: "main".to_owned(),
        verdict,
        reason: None,
        unreached: false,
        proved_by: vec![],
        certified: None,
        trace: None,
        harness: None,
    }
}

#[test]
fn ids_tell_sites_of_one_place_apart() {
    let mut ids = CheckIds::default();
    let mut next = |kind| ids.next("f", kind, 3, 9).to_string();
    assert_eq!(next(CheckKind::Shift), "f/shift@3:9");
    assert_eq!(next(CheckKind::Division), "f/division@3:9");
    assert_eq!(next(CheckKind::Shift), "f/shift@3:9#2");
}

#[test]
fn the_verdict_is_the_meet() {
    use VerdictName::{Safe, Unknown, Unsafe};
    let report = |verdicts: &[VerdictName], incomplete| {
        let checks = verdicts.iter().map(|&verdict| check(verdict)).collect();
        VerificationReport::new("bmc", checks, incomplete)
    };
    let timeout = || {
        Some(UnknownReason::Budget {
            resource: "time".to_owned(),
        })
    };
    assert_eq!(report(&[Safe, Safe], None).verdict, Safe);
    assert_eq!(report(&[Safe, Safe], timeout()).verdict, Unknown);
    assert_eq!(report(&[Safe, Safe], timeout()).reason, "out of time");
    assert_eq!(report(&[Safe, Unknown], None).verdict, Unknown);
    let failing = report(&[Safe, Unknown, Unsafe], timeout());
    assert_eq!(failing.verdict, Unsafe);
    assert_eq!(failing.reason, "1 of 3 checks fails, 1 was not decided");
}

#[test]
fn a_list_that_is_not_whole_is_not_counted() {
    let mut report = VerificationReport::new("bmc", vec![check(VerdictName::Unsafe)], None);
    assert_eq!(report.reason, "1 of 1 check fails");
    report.partial = true;
    report.explain();
    assert_eq!(report.reason, "1 check fails; others were not decided");
}

#[test]
fn the_verdict_line_says_what_it_rests_on() {
    let mut report = VerificationReport::new("bmc", vec![check(VerdictName::Safe)], None);
    assert_eq!(report.headline(), "safe");
    let external = |name| Assumption::of(AssumptionKind::ExternalFunctionsChangeNothing, name);
    report.assume([external("f"), external("g"), external("f")]);
    report.assume([AssumptionKind::AllocationsSucceed.into()]);
    assert_eq!(report.assumptions.len(), 3);
    assert_eq!(
        report.headline(),
        "safe, if functions without a body change nothing and malloc does not fail"
    );
    report.assume([AssumptionKind::Misaligned.into()]);
    assert_eq!(report.conditions.len(), 2);
}

#[test]
fn a_proof_of_nothing_says_so() {
    let reason = |unreached: &[bool], contradictory| {
        let checks = unreached.iter().map(|&unreached| CheckReport {
            unreached,
            ..check(VerdictName::Safe)
        });
        let mut report = VerificationReport::new("bmc", checks.collect(), None);
        report.contradictory = contradictory;
        report.explain();
        report.reason
    };
    assert_eq!(reason(&[false], false), "1 check holds in every execution");
    assert!(reason(&[], false).starts_with("0 checks"));
    assert!(reason(&[true], false).ends_with("no execution reaches it"));
    assert!(reason(&[true, false], false).ends_with("no execution reaches 1 of them"));
    assert!(reason(&[true, true], false).ends_with("reaches any of them"));
    assert!(reason(&[true], true).ends_with("the program's assumptions"));
}

/// "No violation within bound 64" would not be true.
#[test]
fn a_run_that_could_not_be_repeated_is_not_passed_over() {
    let mut candidate = check(VerdictName::Unknown);
    candidate.reason = Some(UnknownReason::Unrepeated {
        check: "division".to_owned(),
        location: "a.c:3:9".to_owned(),
        why: "the replay ended with exit code 0".to_owned(),
    });
    let bounded = Some(UnknownReason::Bounded { bound: 64 });
    let checks = vec![check(VerdictName::Unknown), candidate];
    let report = VerificationReport::new("bmc", checks, bounded);
    assert_eq!(report.verdict, VerdictName::Unknown);
    assert_eq!(
        report.reason,
        "a failing run was found for the division at a.c:3:9, but it could not be repeated: \
         the replay ended with exit code 0"
    );
}

#[test]
fn the_json_has_the_fields_that_the_guide_names() {
    let report = VerificationReport::new("bmc", vec![check(VerdictName::Safe)], None);
    let json = serde_json::to_value(&report).expect("serialisable");
    for key in [
        "verdict",
        "reason",
        "checks",
        "assumptions",
        "engine",
        "bound",
        "time_s",
        "peak_memory_mb",
        "statistics",
    ] {
        assert!(json.get(key).is_some(), "no {key} in {json}");
    }
    assert_eq!(json["checks"][0]["verdict"], "safe");
    assert_eq!(json["checks"][0]["kind"], "division");
    let back: VerificationReport = serde_json::from_value(json).expect("readable");
    assert_eq!(back, report);
}
