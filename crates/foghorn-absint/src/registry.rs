//! Every domain by name, and how names compose.
//!
//! A description is a numeric domain, optionally followed by functors:
//!
//! ```text
//! description := base ("+" functor)*
//! base        := name | name "(" base ")" | base "*" base
//! ```
//!
//! `zones+bool` is zones under flat booleans; `intervals*congruences` is a reduced product;
//! `terms(zones)` lifts a numeric domain. **A new domain enrols by one line in a table here**: the
//! command line finds it, and the law suite and the random programs run on it.

use crate::domain::arrays::{Arrays, Policy};
use crate::domain::boolean_integers::BooleanIntegers;
use crate::domain::booleans::FlatBooleans;
use crate::domain::boxes::Boxes;
use crate::domain::congruences::{Congruences, IntervalCongruences};
use crate::domain::constants::Constants;
use crate::domain::disjunctive_intervals::DisjunctiveIntervals;
use crate::domain::intervals::Intervals;
use crate::domain::lookahead::Lookahead;
use crate::domain::nullity::Nullity;
use crate::domain::octagons::Octagons;
use crate::domain::polyhedra::Polyhedra;
use crate::domain::powerset::Powerset;
use crate::domain::product::NumericProduct;
use crate::domain::signs::Signs;
use crate::domain::terms::Terms;
use crate::domain::value_partitioning::ValuePartitioning;
use crate::domain::wrapped_intervals::WrappedIntervals;
use crate::domain::zones::Zones;
use crate::domain::{AnyDomain, AnyNumeric};
use crate::laws::Order;
use crate::machine::MachineIntegers;

/// A numeric domain over ℤ.
pub struct NumericEntry {
    pub name: &'static str,
    /// What it expresses, in a few words.
    pub about: &'static str,
    pub top: fn() -> AnyNumeric,
}

/// A functor from numeric domains to numeric domains, written `name(base)`.
pub struct NumericFunctorEntry {
    pub name: &'static str,
    pub about: &'static str,
    pub lift: fn(AnyNumeric) -> AnyNumeric,
}

/// A domain of programs that is not made from a numeric domain over ℤ.
pub struct BaseEntry {
    pub name: &'static str,
    pub about: &'static str,
    pub top: fn() -> AnyDomain,
}

/// A functor from domains of programs to domains of programs, written `…+name`.
pub struct FunctorEntry {
    pub name: &'static str,
    pub about: &'static str,
    pub lift: fn(AnyDomain) -> AnyDomain,
}

/// The numeric domains.
pub const NUMERIC: &[NumericEntry] = &[
    NumericEntry {
        name: "intervals",
        about: "lb <= x <= ub",
        top: || AnyNumeric::new(Intervals::new()),
    },
    NumericEntry {
        name: "congruences",
        about: "x = b mod a",
        top: || AnyNumeric::new(Congruences::new()),
    },
    NumericEntry {
        name: "ric",
        about: "intervals of a congruence class, reduced",
        top: || AnyNumeric::new(IntervalCongruences::new()),
    },
    NumericEntry {
        name: "constants",
        about: "x = c",
        top: || AnyNumeric::new(Constants::new()),
    },
    NumericEntry {
        name: "signs",
        about: "x < 0, x = 0, x > 0 and unions",
        top: || AnyNumeric::new(Signs::new()),
    },
    NumericEntry {
        name: "disjunctive-intervals",
        about: "a few disjoint intervals per variable",
        top: || AnyNumeric::new(DisjunctiveIntervals::new()),
    },
    NumericEntry {
        name: "boxes",
        about: "finite unions of boxes, on decision diagrams",
        top: || AnyNumeric::new(Boxes::new()),
    },
    NumericEntry {
        name: "zones",
        about: "x - y <= c, on split sparse graphs",
        top: || AnyNumeric::new(Zones::new()),
    },
    NumericEntry {
        name: "octagons",
        about: "+-x +- y <= c, on split sparse graphs",
        top: || AnyNumeric::new(Octagons::new()),
    },
    NumericEntry {
        name: "polyhedra",
        about: "linear inequalities, exact",
        top: || AnyNumeric::new(Polyhedra::new()),
    },
];

/// The functors on numeric domains.
pub const NUMERIC_FUNCTORS: &[NumericFunctorEntry] = &[NumericFunctorEntry {
    name: "terms",
    about: "equal terms of uninterpreted functions",
    lift: |below| AnyNumeric::new(Terms::new(below)),
}];

/// The domains of programs that stand alone.
pub const BASES: &[BaseEntry] = &[BaseEntry {
    name: "wrapped-intervals",
    about: "arcs on the circle of machine integers",
    top: || AnyDomain::new(WrappedIntervals::new()),
}];

/// The functors on domains of programs.
pub const FUNCTORS: &[FunctorEntry] = &[
    FunctorEntry {
        name: "bool",
        about: "flat booleans with consequences",
        lift: |below| AnyDomain::new(FlatBooleans::new(below)),
    },
    FunctorEntry {
        name: "nullity",
        about: "null and non-null pointers",
        lift: |below| AnyDomain::new(Nullity::new(below)),
    },
    FunctorEntry {
        name: "smash",
        about: "one summary per array",
        lift: |below| AnyDomain::new(Arrays::new(below, Policy::Smash)),
    },
    FunctorEntry {
        name: "expand",
        about: "one scalar per array cell, with byte overlap",
        lift: |below| AnyDomain::new(Arrays::new(below, Policy::Expand)),
    },
    FunctorEntry {
        name: "adapt",
        about: "cells for small arrays, a summary for others",
        lift: |below| AnyDomain::new(Arrays::new(below, Policy::Adapt { cells: 8 })),
    },
    FunctorEntry {
        name: "partition",
        about: "array segments with symbolic ends, and relations of neighbours",
        lift: |below| AnyDomain::new(Arrays::new(below, Policy::Partition)),
    },
    FunctorEntry {
        name: "powerset",
        about: "up to 8 disjuncts",
        lift: |below| AnyDomain::new(Powerset::new(&below, 8)),
    },
    FunctorEntry {
        name: "values",
        about: "partitioned by the values of up to 3 booleans",
        lift: |below| AnyDomain::new(ValuePartitioning::new(&below, 3)),
    },
    FunctorEntry {
        name: "lookahead",
        about: "widening that solves loops phase by phase",
        lift: |below| AnyDomain::new(Lookahead::new(below)),
    },
    FunctorEntry {
        name: "boolint",
        about: "booleans as integers 0 and 1",
        lift: |below| AnyDomain::new(BooleanIntegers::new(below)),
    },
];

/// Combinations that are tested beside the entries themselves.
pub const COMBINATIONS: &[&str] = &[
    "intervals*congruences",
    "zones+partition",
    "zones+bool+nullity+adapt",
    "boxes+boolint",
    "terms(zones)",
];

/// Descriptions whose order is not that of a lattice, with the reason. The law suite then tests
/// only what concerns states.
pub const NOT_LATTICES: &[(&str, &str)] = &[
    (
        "intervals+bool",
        "which consequences a join keeps depends on which were candidates",
    ),
    ("intervals+smash", "ranges of summaries cannot be met"),
    (
        "intervals+expand",
        "cells that overlap differently cannot be met",
    ),
    ("intervals+adapt", "ranges of summaries cannot be met"),
    ("zones+partition", "ranges of summaries cannot be met"),
    (
        "zones+bool+nullity+adapt",
        "ranges of summaries cannot be met",
    ),
    ("intervals+partition", "ranges of summaries cannot be met"),
    (
        "intervals+powerset",
        "beyond the limit, joins merge in the order in which disjuncts came",
    ),
    (
        "intervals+values",
        "elements partitioned on different booleans are coarsened",
    ),
    (
        "intervals+lookahead",
        "inclusion looks at the main element only",
    ),
    (
        "terms(intervals)",
        "sums have several most specific generalisations",
    ),
    (
        "terms(zones)",
        "sums have several most specific generalisations",
    ),
    (
        "wrapped-intervals",
        "two arcs can have several least upper bounds",
    ),
];

/// Descriptions whose meets may be above their operands, with the reason.
pub const COARSE_MEETS: &[(&str, &str)] = &[(
    "polyhedra",
    "a constraint that would make a polyhedron too large is dropped",
)];

/// A description that names no domain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    #[error("there is no domain called `{0}`")]
    UnknownDomain(String),
    #[error("there is no functor called `{0}`")]
    UnknownFunctor(String),
    #[error("`{0}` is not a description of a domain: {1}")]
    Syntax(String, &'static str),
}

/// ⊤ of the numeric domain with this description, which has no `+`.
pub fn numeric(description: &str) -> Result<AnyNumeric, RegistryError> {
    // A product is split at a star outside parentheses; what lifts a domain applies first.
    if let Some((left, right)) = split_outside_parentheses(description, '*') {
        return Ok(AnyNumeric::new(NumericProduct::new(
            numeric(left)?,
            numeric(right)?,
        )));
    }
    let description = description.trim();
    if let Some((name, rest)) = description.split_once('(') {
        let below = rest
            .strip_suffix(')')
            .ok_or_else(|| RegistryError::Syntax(description.to_owned(), "`)` is missing"))?;
        let functor = NUMERIC_FUNCTORS
            .iter()
            .find(|entry| entry.name == name.trim());
        let functor = functor.ok_or_else(|| RegistryError::UnknownFunctor(name.to_owned()))?;
        return Ok((functor.lift)(numeric(below)?));
    }
    let found = NUMERIC.iter().find(|entry| entry.name == description);
    found
        .map(|entry| (entry.top)())
        .ok_or_else(|| RegistryError::UnknownDomain(description.to_owned()))
}

fn split_outside_parentheses(text: &str, separator: char) -> Option<(&str, &str)> {
    let mut depth = 0u32;
    for (position, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if character == separator && depth == 0 => {
                return Some((&text[..position], &text[position + separator.len_utf8()..]));
            }
            _ => {}
        }
    }
    None
}

/// ⊤ of the domain with this description.
pub fn domain(description: &str) -> Result<AnyDomain, RegistryError> {
    let mut parts = description.split('+').map(str::trim);
    let base = parts.next().filter(|base| !base.is_empty());
    let base = base.ok_or_else(|| RegistryError::Syntax(description.to_owned(), "it is empty"))?;
    let mut domain = match BASES.iter().find(|entry| entry.name == base) {
        Some(entry) => (entry.top)(),
        None => AnyDomain::new(MachineIntegers::new(numeric(base)?)),
    };
    for name in parts {
        let functor = FUNCTORS.iter().find(|entry| entry.name == name);
        let functor = functor.ok_or_else(|| RegistryError::UnknownFunctor(name.to_owned()))?;
        domain = (functor.lift)(domain);
    }
    Ok(domain)
}

/// The descriptions that the law suite and the random programs run on, each with how far
/// its order is that of a lattice: every entry of every table, functors over intervals, and
/// [`COMBINATIONS`].
#[must_use]
pub fn enrolled() -> Vec<(String, Order)> {
    let numeric = NUMERIC.iter().map(|entry| entry.name.to_owned());
    let lifted = NUMERIC_FUNCTORS
        .iter()
        .map(|entry| format!("{}(intervals)", entry.name));
    let bases = BASES.iter().map(|entry| entry.name.to_owned());
    let functors = FUNCTORS
        .iter()
        .map(|entry| format!("intervals+{}", entry.name));
    let combinations = COMBINATIONS
        .iter()
        .map(|description| (*description).to_owned());
    let all = numeric
        .chain(lifted)
        .chain(bases)
        .chain(functors)
        .chain(combinations);
    all.map(|description| {
        let named = |table: &[(&str, &str)]| table.iter().any(|(name, _)| *name == description);
        let order = if named(NOT_LATTICES) {
            Order::StatesOnly
        } else if named(COARSE_MEETS) {
            Order::CoarseMeets
        } else {
            Order::Lattice
        };
        (description, order)
    })
    .collect()
}
