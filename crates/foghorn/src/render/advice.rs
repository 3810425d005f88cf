//! What a user can do about an answer that is none: it follows from the reason, and only what can help
//! is said.

use foghorn_core::UnknownReason;
use foghorn_witness::report::VerificationReport;

/// What is worth a try.
pub fn advice(reason: &UnknownReason, report: &VerificationReport) -> String {
    match reason {
        UnknownReason::Budget { resource } if resource == "memory" => {
            "a larger --memory-limit, or fewer --check groups at once".to_owned()
        }
        UnknownReason::Budget { .. } if names_loops(report) => {
            "an upper limit on what the loops named below depend on, by __VERIFIER_assume; \
             more time does not help where an input lets a loop go on without end"
                .to_owned()
        }
        UnknownReason::Budget { .. } => {
            "a larger --timeout, a smaller --unwind, or fewer --check groups at once".to_owned()
        }
        UnknownReason::Interrupted => "it again, with a --timeout that suits you".to_owned(),
        UnknownReason::AfterFailure => {
            "--after-failure rest, which uses the whole time for these; or repair the failure first"
                .to_owned()
        }
        UnknownReason::Unsupported { .. } => {
            "replace that construct, or give the function that contains it another body".to_owned()
        }
        UnknownReason::Imprecision { operation, .. } => about_operation(operation),
        UnknownReason::Bounded { bound } => format!(
            "a larger bound, such as --unwind {}; `foghorn loops FILE` lists the loops",
            bound.saturating_mul(2).max(2)
        ),
        UnknownReason::Unproved { .. } => {
            "another --domain, or --engine bmc for a run that fails".to_owned()
        }
        UnknownReason::Unrepeated { .. } => {
            "no option helps; the check is open, and a report of the program is welcome".to_owned()
        }
        UnknownReason::OnlyRefutes { .. }
        | UnknownReason::OnlyHelps { .. }
        | UnknownReason::NotAsked { .. } => "--engine auto, which asks all engines".to_owned(),
        UnknownReason::Failure { what } => about_failure(what),
    }
}

/// The bound up to which there is an answer, if it was not the bound that ended the search.
pub fn finished_bound(reason: &UnknownReason, report: &VerificationReport) -> Option<u32> {
    let bound = report.bound.filter(|&bound| bound > 0)?;
    match reason {
        UnknownReason::Budget { .. } | UnknownReason::Interrupted => Some(bound),
        UnknownReason::Unsupported { .. }
        | UnknownReason::AfterFailure
        | UnknownReason::Imprecision { .. }
        | UnknownReason::Bounded { .. }
        | UnknownReason::Unproved { .. }
        | UnknownReason::Unrepeated { .. }
        | UnknownReason::OnlyRefutes { .. }
        | UnknownReason::OnlyHelps { .. }
        | UnknownReason::NotAsked { .. }
        | UnknownReason::Failure { .. } => None,
    }
}

/// Whether the report says which loops go on.
fn names_loops(report: &VerificationReport) -> bool {
    let mut warnings = report.warnings.iter();
    report.bound.is_some_and(|bound| bound > 0)
        && warnings.any(|warning| warning.contains(" can go beyond bound "))
}

/// An over-approximation by what was over-approximated.
fn about_operation(operation: &str) -> String {
    if operation.starts_with("what loops do") {
        "--loops both, which also unwinds loops".to_owned()
    } else if operation.contains("within the bound of unrolling") {
        "--memory seam or --memory lambdas, which have no such bound".to_owned()
    } else if operation.contains("call through a pointer") {
        "a direct call there, or a pointer that is set where it can be seen".to_owned()
    } else if operation.contains("pointer that nobody determined") {
        "a value for that pointer, or --check with memory-safety, which reports it".to_owned()
    } else if operation.contains(" of the cell") || operation.contains("same cells") {
        "--memory lambdas; if it stays, please report it".to_owned()
    } else {
        "a definition for what was over-approximated, in C, linked with the program".to_owned()
    }
}

/// What went wrong, by its words. A solver is blamed only where it gave up.
fn about_failure(what: &str) -> String {
    if what.starts_with("cannot write") {
        "room for that file, or another folder for it".to_owned()
    } else if what.contains("instructions were unwound") {
        "a smaller --unwind, or --unwind-set for the longest loop (`foghorn loops FILE`)".to_owned()
    } else if what.contains("has no entry function") {
        "--entry FUNCTION".to_owned()
    } else if what.contains("not modelled precisely") {
        "a definition for that operation, in C, linked with the program".to_owned()
    } else if what.contains("pure form") {
        "no option helps; the check is open, and a report of the program is welcome".to_owned()
    } else if what.starts_with("the engine") {
        "it again; if it stays, please report it, with the program".to_owned()
    } else {
        "another --solver or --memory; if it stays, please report it".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(reason: &UnknownReason, warnings: &[&str]) -> String {
        let mut report = VerificationReport::new("bmc", vec![], Some(reason.clone()));
        report.bound = Some(8);
        report.warnings = warnings.iter().map(ToString::to_string).collect();
        advice(reason, &report)
    }

    #[test]
    fn loops_are_mentioned_only_where_they_are_named() {
        let time = UnknownReason::Budget {
            resource: "time".to_owned(),
        };
        let named = ["a.c:3:1: main.0 can go beyond bound 8"];
        assert!(tried(&time, &named).contains("loops named below"));
        assert!(!tried(&time, &[]).contains("loops"));
    }

    #[test]
    fn a_solver_is_blamed_only_where_it_gave_up() {
        let failure = |what: &str| {
            let what = what.to_owned();
            tried(&UnknownReason::Failure { what }, &[])
        };
        for what in [
            "the engine crashed: it was ended by signal 11",
            "more than 5 instructions were unwound",
            "the program has no entry function with a body",
            "the failing run fails in the pure form of the program only",
        ] {
            assert!(!failure(what).contains("--solver"), "{what}");
        }
        assert!(failure("incomplete quantifiers").contains("--solver"));
    }
}
