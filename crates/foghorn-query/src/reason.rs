//! Why a run or a solver has no answer, in the words of reports.

use foghorn_core::UnknownReason;
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
