//! Which checks are made, and what happens where one that is not made would have failed.
//!
//! A [`CheckSelection`] is a set of [`CheckGroup`]s. What a group that is off would have caught is
//! not reported; it has the machine's meaning where the machine gives one, and is assumed away
//! where it gives none ([`CheckKind::when_off`] is the one table of that, with its reasons).
//! Whatever is assumed away is named in the answer ([`CheckSelection::assumptions`]).

use crate::assumption::AssumptionKind;
use crate::check::{CheckGroup, CheckKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// What follows where a check would have failed that is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WhenOff {
    /// The execution goes on with what the machine computes.
    MachineMeaning,
    /// The execution is not considered from there on.
    AssumedAway,
    /// The check speaks about Foghorn's own limits and cannot be switched off.
    AlwaysOn,
}

impl CheckKind {
    /// What follows where this check would have failed, if its group is off.
    pub fn when_off(self) -> WhenOff {
        match self {
            // The operation wraps or masks on every machine, and the IR's operators do the same.
            Self::SignedOverflow | Self::ShiftOverflow | Self::Shift | Self::Poison
            // Only an address is computed; an access through it has checks of its own.
            | Self::ArrayBounds
            // Addresses are numbers, and numbers have an order.
            | Self::PointerComparison
            // The size is computed as an unsigned number, and may be 0. What is as large as half of
            // the address space is not made.
            | Self::VlaBound
            // The machines we model allow such accesses.
            | Self::Misaligned
            // The bits are what they are; what is done with them is in the IR.
            | Self::InvalidValue
            // Nothing follows the end of a program, and an endless execution does not fail.
            | Self::Leak
            | Self::NotFreed
            | Self::NonTermination => WhenOff::MachineMeaning,
            // The program calls `abort`, or whatever its error function does instead of returning.
            Self::Assertion | Self::ReachError
            // What is read, overwritten or called is not the program's any more.
            | Self::NullDereference
            | Self::OutOfBounds
            | Self::UseAfterFree
            | Self::UseAfterScope
            | Self::UninitialisedPointer
            | Self::UnknownPointer
            | Self::ConstantWrite
            | Self::DoubleFree
            | Self::InvalidFree
            | Self::Overlap
            | Self::LibraryPrecondition
            | Self::InvalidCall
            // Some machines trap, others go on with some number.
            | Self::Division
            | Self::DivisionOverflow
            // Control runs on into whatever the linker put there.
            | Self::Unreachable
            | Self::MissingReturn
            // Machines disagree about the result.
            | Self::FloatCast
            | Self::BuiltinArgument => WhenOff::AssumedAway,
            Self::Unsupported | Self::Unwinding => WhenOff::AlwaysOn,
        }
    }

    /// Whether no execution goes on where this check fails, be its group on or off.
    pub fn always_stops(self) -> bool {
        self.when_off() != WhenOff::MachineMeaning
    }
}

/// The groups of checks that are made.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CheckSelection {
    groups: BTreeSet<CheckGroup>,
}

/// A list of groups that names something else.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseSelectionError {
    #[error("{0}")]
    UnknownGroup(String),
    #[error("no group of checks is named; one of: {}, 'default' or 'all'", names())]
    Empty,
    #[error(
        "whether programs terminate is not checked yet; groups of checks are: {}",
        names()
    )]
    NotYet,
}

/// The groups that can be asked for, as messages and help list them.
pub fn names() -> String {
    let groups = CheckGroup::ALL.iter().filter(|group| group.is_checked());
    let names: Vec<_> = groups.map(|group| group.name()).collect();
    names.join(", ")
}

impl CheckGroup {
    /// Whether there is an engine that decides checks of this group.
    pub fn is_checked(self) -> bool {
        self != CheckGroup::Termination
    }
}

impl Default for CheckSelection {
    /// All but leaks, clean-up and termination, which many programs leave open on purpose.
    fn default() -> Self {
        let off = [
            CheckGroup::MemoryLeak,
            CheckGroup::MemoryCleanup,
            CheckGroup::Termination,
        ];
        let all = CheckGroup::ALL.iter().copied();
        all.filter(|group| !off.contains(group)).collect()
    }
}

impl FromIterator<CheckGroup> for CheckSelection {
    fn from_iter<I: IntoIterator<Item = CheckGroup>>(groups: I) -> Self {
        CheckSelection {
            groups: groups.into_iter().collect(),
        }
    }
}

impl FromStr for CheckSelection {
    type Err = ParseSelectionError;

    /// Names separated by commas: of groups, or `all` or `default`, which stand for several.
    fn from_str(list: &str) -> Result<Self, ParseSelectionError> {
        let mut groups = BTreeSet::new();
        for name in list.split(',').map(str::trim).filter(|n| !n.is_empty()) {
            match name {
                "all" => groups.extend(Self::all().groups),
                "default" => groups.extend(Self::default().groups),
                name => {
                    groups.insert(group(name)?);
                }
            }
        }
        match groups.is_empty() {
            true => Err(ParseSelectionError::Empty),
            false => Ok(CheckSelection { groups }),
        }
    }
}

fn group(name: &str) -> Result<CheckGroup, ParseSelectionError> {
    let group = CheckGroup::from_str(name);
    let unknown = |_| {
        let known = names();
        let text = format!("unknown group of checks '{name}'; one of: {known}, 'default' or 'all'");
        ParseSelectionError::UnknownGroup(text)
    };
    match group.map_err(unknown)? {
        group if group.is_checked() => Ok(group),
        _ => Err(ParseSelectionError::NotYet),
    }
}

impl fmt::Display for CheckSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.groups.iter().map(|group| group.name()).collect();
        f.write_str(&names.join(","))
    }
}

impl CheckSelection {
    /// Every group that is checked.
    pub fn all() -> Self {
        let groups = CheckGroup::ALL.iter().copied();
        groups.filter(|group| group.is_checked()).collect()
    }

    /// Whether checks of that kind are made.
    pub fn contains(&self, kind: CheckKind) -> bool {
        kind.group().is_none_or(|group| self.has_group(group))
    }

    /// Whether the group is on.
    pub fn has_group(&self, group: CheckGroup) -> bool {
        self.groups.contains(&group)
    }

    /// The groups that are on, in the order of declaration.
    pub fn groups(&self) -> impl Iterator<Item = CheckGroup> + '_ {
        self.groups.iter().copied()
    }

    /// What an answer takes for granted because groups are off: only groups that have a kind without
    /// a machine meaning take anything for granted.
    pub fn assumptions(&self) -> Vec<AssumptionKind> {
        let off = CheckGroup::ALL.iter().copied();
        off.filter(|&group| !self.has_group(group))
            .filter_map(assumption)
            .collect()
    }
}

fn assumption(group: CheckGroup) -> Option<AssumptionKind> {
    match group {
        CheckGroup::Assertions => Some(AssumptionKind::AssertionsHold),
        CheckGroup::MemorySafety => Some(AssumptionKind::MemorySafety),
        CheckGroup::Undefined => Some(AssumptionKind::NoUndefinedBehaviour),
        CheckGroup::IntegerOverflow => Some(AssumptionKind::NoDivisionOverflow),
        CheckGroup::MemoryLeak | CheckGroup::MemoryCleanup | CheckGroup::Termination => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_round_trip_and_errors_name_the_groups() {
        let list: CheckSelection = "undefined, assertions".parse().expect("known groups");
        assert_eq!(list.to_string(), "assertions,undefined");
        assert_eq!(list.to_string().parse(), Ok(list));
        assert_eq!("all".parse(), Ok(CheckSelection::all()));
        assert_eq!("default".parse(), Ok(CheckSelection::default()));
        let error = "assertion".parse::<CheckSelection>().expect_err("no group");
        assert!(error.to_string().contains("memory-safety"), "{error}");
        let error = " , ".parse::<CheckSelection>().expect_err("nothing");
        assert_eq!(error, ParseSelectionError::Empty);
    }

    #[test]
    fn a_group_is_added_to_the_default() {
        let more: CheckSelection = "default,memory-leak".parse().expect("known");
        assert!(more.has_group(CheckGroup::MemoryLeak));
        for group in CheckSelection::default().groups() {
            assert!(more.has_group(group), "{group}");
        }
    }

    #[test]
    fn termination_is_not_there_yet() {
        let error = "termination".parse::<CheckSelection>();
        let error = error.expect_err("not yet").to_string();
        assert!(error.contains("not checked yet"), "{error}");
        assert!(!CheckSelection::all().has_group(CheckGroup::Termination));
    }

    #[test]
    fn the_default_leaves_out_leaks_and_termination() {
        let default = CheckSelection::default();
        let off: Vec<_> = CheckKind::ALL
            .iter()
            .filter(|&&kind| !default.contains(kind))
            .collect();
        let expected = [
            CheckKind::Leak,
            CheckKind::NotFreed,
            CheckKind::NonTermination,
        ];
        assert_eq!(off, expected.iter().collect::<Vec<_>>());
        assert!(default.assumptions().is_empty());
    }

    #[test]
    fn what_is_assumed_is_said() {
        let only: CheckSelection = "assertions".parse().expect("known");
        assert!(only.assumptions().contains(&AssumptionKind::MemorySafety));
        // A group assumes something exactly if one of its kinds has no machine meaning.
        for &group in CheckGroup::ALL {
            let mut kinds = CheckKind::ALL.iter().filter(|k| k.group() == Some(group));
            let assumes = kinds.any(|kind| kind.when_off() == WhenOff::AssumedAway);
            assert_eq!(assumption(group).is_some(), assumes, "{group}");
        }
    }

    #[test]
    fn kinds_without_a_group_are_always_on() {
        let none: CheckSelection = [].into_iter().collect();
        for &kind in CheckKind::ALL {
            let always = kind.when_off() == WhenOff::AlwaysOn;
            assert_eq!(kind.group().is_none(), always, "{kind}");
            assert_eq!(none.contains(kind), always, "{kind}");
        }
    }
}
