//! Why a run or a solver has no answer, in the words of reports.

use foghorn_core::{SiteKind, UnknownReason};
use foghorn_encode::execute::ExecuteError;

/// Why a run could not be finished.
pub fn of_execution(error: &ExecuteError) -> UnknownReason {
    match error {
        ExecuteError::Exhausted(resource) => UnknownReason::Budget {
            resource: resource.to_string(),
        },
        ExecuteError::NoEntry | ExecuteError::TooLarge(_) => UnknownReason::Failure {
            what: error.to_string(),
        },
    }
}

/// Why a solver does not know, by what it says.
pub fn of_solver(what: String) -> UnknownReason {
    match what.strip_prefix("out of ") {
        Some(resource) => UnknownReason::Budget {
            resource: resource.to_owned(),
        },
        None => UnknownReason::Failure { what },
    }
}

/// Why a check is open although a failing run was found: that run did not fail. It is a fault of ours, except for leaks.
/// An object counts as lost unless something is seen to lead to it: what the stack of a program that calls `exit` leads
/// to is not followed, nor is every pointer in memory. So more is said to leak than does.
pub fn of_unrepeated(kind: SiteKind, location: String, why: String) -> UnknownReason {
    if kind == SiteKind::Leak {
        return UnknownReason::Imprecision {
            operation: "reachability at the end of the program".to_owned(),
            location,
        };
    }
    UnknownReason::Unrepeated {
        check: kind.representative().to_string(),
        location,
        why,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_core::CheckKind;

    #[test]
    fn a_leak_that_is_none_is_an_imprecision() {
        let reason = |kind| of_unrepeated(kind, "here".to_owned(), "exit code 0".to_owned());
        assert!(matches!(
            reason(SiteKind::Leak),
            UnknownReason::Imprecision { .. }
        ));
        for kind in [SiteKind::Cleanup, SiteKind::Explicit(CheckKind::Assertion)] {
            assert!(matches!(reason(kind), UnknownReason::Unrepeated { .. }));
        }
    }
}
