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

use crate::domain::intervals::Intervals;
use crate::domain::octagons::Octagons;
use crate::domain::polyhedra::Polyhedra;
use crate::domain::zones::Zones;
use crate::domain::{AnyDomain, AnyNumeric};
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
pub const NUMERIC_FUNCTORS: &[NumericFunctorEntry] = &[];

/// The domains of programs that stand alone.
pub const BASES: &[BaseEntry] = &[];

/// The functors on domains of programs.
pub const FUNCTORS: &[FunctorEntry] = &[];

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

/// ⊤ of the numeric domain called `name`.
pub fn numeric(name: &str) -> Result<AnyNumeric, RegistryError> {
    let found = NUMERIC.iter().find(|entry| entry.name == name);
    found
        .map(|entry| (entry.top)())
        .ok_or_else(|| RegistryError::UnknownDomain(name.to_owned()))
}

/// ⊤ of the domain with this description.
pub fn domain(description: &str) -> Result<AnyDomain, RegistryError> {
    let numbers = numeric(description)?;
    Ok(AnyDomain::new(MachineIntegers::new(numbers)))
}
