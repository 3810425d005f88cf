//! The three honest answers.
//!
//! - [`Verdict::Safe`] is only ever said from an over-approximation of all executions.
//! - [`Verdict::Unsafe`] is only ever said after the failing run was executed.
//! - Everything else is [`Verdict::Unknown`] with its reason.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The answer for one check site, or for a whole program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Verdict {
    Safe,
    Unsafe,
    Unknown { reason: UnknownReason },
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum UnknownReason {
    /// A resource of the budget ran out.
    Budget { resource: String },
    /// The user ended the search.
    Interrupted,
    /// Another check had failed, and the search for further failures ended soon after, with time left.
    AfterFailure,
    /// A construct was reached that Foghorn does not model.
    Unsupported { construct: String, location: String },
    /// An operation was over-approximated and the answer depends on it.
    Imprecision { operation: String, location: String },
    /// No violation exists up to this bound; nothing is known beyond it.
    Bounded { bound: u32 },
    /// What holds whenever the check is reached does not imply it.
    Unproved { invariant: Vec<String> },
    /// A failing run was found that did not fail when it was executed.
    Unrepeated {
        check: String,
        location: String,
        why: String,
    },
    /// The only engine that was asked finds failing runs and proves nothing.
    OnlyRefutes { engine: String },
    /// The only engine that was asked helps others and answers nothing itself.
    OnlyHelps { engine: String },
    /// No engine was asked: this is why.
    NotAsked { why: String },
    /// A part of Foghorn or a solver failed.
    Failure { what: String },
}

impl Verdict {
    /// The answer for two things together: a failure of either is a failure of both, and only
    /// two safe parts make a safe whole.
    #[must_use]
    pub fn meet(self, other: Verdict) -> Verdict {
        match (self, other) {
            (Self::Unsafe, _) | (_, Self::Unsafe) => Self::Unsafe,
            (unknown @ Self::Unknown { .. }, _) | (_, unknown @ Self::Unknown { .. }) => unknown,
            (Self::Safe, Self::Safe) => Self::Safe,
        }
    }
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Budget { resource } => write!(f, "out of {resource}"),
            Self::Interrupted => f.write_str("interrupted"),
            Self::AfterFailure => f.write_str("not decided, since another check had failed"),
            Self::Unsupported {
                construct,
                location,
            } => {
                write!(f, "unsupported: {construct} at {location}")
            }
            Self::Imprecision {
                operation,
                location,
            } => {
                write!(f, "{location}: {operation} was over-approximated")
            }
            Self::Bounded { bound } => write!(f, "no violation within bound {bound}"),
            Self::Unproved { invariant } if invariant.is_empty() => {
                f.write_str("not proved: nothing is known here")
            }
            Self::Unproved { invariant } => {
                let known = invariant.join(" && ");
                write!(f, "not proved: all that is known here is {known}")
            }
            Self::Unrepeated {
                check,
                location,
                why,
            } => write!(
                f,
                "a failing run was found for the {check} at {location}, but it could not be \
                 repeated: {why}"
            ),
            Self::OnlyRefutes { engine } => {
                write!(f, "{engine} found no failing run, and proves nothing")
            }
            Self::OnlyHelps { engine } => {
                write!(f, "{engine} helps other engines, and decides nothing")
            }
            Self::NotAsked { why } => write!(f, "not asked, since {why}"),
            Self::Failure { what } => f.write_str(what),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meet_is_pessimistic() {
        let unknown = Verdict::Unknown {
            reason: UnknownReason::Bounded { bound: 3 },
        };
        assert_eq!(Verdict::Safe.meet(Verdict::Safe), Verdict::Safe);
        assert_eq!(Verdict::Safe.meet(unknown.clone()), unknown);
        assert_eq!(unknown.clone().meet(Verdict::Unsafe), Verdict::Unsafe);
        assert_eq!(Verdict::Unsafe.meet(Verdict::Safe), Verdict::Unsafe);
    }
}
