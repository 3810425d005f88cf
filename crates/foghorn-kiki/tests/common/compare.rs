//! kIkI beside complete unwinding.

use crate::common;
use foghorn_bmc::{Bmc, SiteVerdict as Unwound};
use foghorn_core::{Budget, SiteKind, SpanId};
use foghorn_ir::Module;
use foghorn_kiki::{Kiki, Sabotage, SiteVerdict, check};
use std::collections::BTreeMap;
use std::time::Duration;

pub type Answers = BTreeMap<(SiteKind, SpanId), Option<bool>>;

/// What complete unwinding says.
fn unwind(module: &Module) -> Answers {
    let options = Bmc {
        unwind: Some(8),
        vacuity: false,
        ..Bmc::default()
    };
    let report = foghorn_bmc::check(module, &options, &Budget::unlimited(), &mut |_| {});
    let report = report.expect("it solves");
    assert!(report.incomplete.is_none());
    let answers = report.answers.iter().map(|answer| {
        let holds = match &answer.verdict {
            Unwound::Safe => Some(true),
            Unwound::Unsafe(_) => Some(false),
            Unwound::Unknown(_) => None,
        };
        ((answer.site.kind, answer.site.span), holds)
    });
    answers.collect()
}

/// What kIkI says.
pub fn ask(module: &Module, options: &Kiki) -> Answers {
    // What takes longer stays open; that is no contradiction.
    let given = std::env::var("FOGHORN_KIKI_SECONDS");
    let seconds = given.ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    let budget = Budget::unlimited().within(Duration::from_secs(seconds));
    let report = check(module, options, &budget, &mut |_| {});
    let answers = report
        .expect("it solves")
        .answers
        .into_iter()
        .map(|answer| {
            let holds = match answer.verdict {
                SiteVerdict::Safe => Some(true),
                SiteVerdict::Unsafe(_) => Some(false),
                SiteVerdict::Unknown(_) => None,
            };
            ((answer.site.kind, answer.site.span), holds)
        });
    answers.collect()
}

/// Checks about which the two contradict each other, and those that are proved.
pub fn compare(module: &Module, options: &Kiki) -> (u64, u64) {
    let expected = unwind(module);
    let (mut contradictions, mut proved) = (0, 0);
    for (site, holds) in ask(module, options) {
        let truth = expected.get(&site).copied().flatten();
        contradictions += u64::from(matches!(
            (holds, truth),
            (Some(true), Some(false)) | (Some(false), Some(true))
        ));
        proved += u64::from(holds == Some(true));
    }
    (contradictions, proved)
}

/// Programs that show one fault each: what is wrong about them is found, and with the fault it is not.
pub fn notices(sabotage: Sabotage, options: &Kiki, text: &str) {
    let module = common::module(text);
    let right = compare(&module, options);
    assert_eq!(right.0, 0, "{sabotage:?}: right without the fault");
    let options = Kiki {
        sabotage,
        ..options.clone()
    };
    assert!(
        compare(&module, &options).0 > 0,
        "{sabotage:?} goes unnoticed"
    );
}
