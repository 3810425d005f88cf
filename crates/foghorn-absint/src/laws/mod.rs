//! The law suite: what every domain must satisfy, tested on random elements and random states.
//!
//! [`check`] tests any [`ProgramDomain`]; the domains of [`crate::registry`] are all enrolled, by
//! being there. Soundness laws compare with the concrete interpreter: an element is built by
//! applying random statements to ⊤ and, step by step, to concrete *witness* states, so each witness
//! must belong to the element; a transfer function is then sound only if the successor of a witness
//! belongs to the image. A state belongs to an element if the element does not become ⊥ when every
//! variable is assumed to have its value there, if its bounds contain the values, and if every
//! condition it gives out holds.
//!
//! - [`random`]: the source of randomness, deterministic;
//! - [`universe`]: variables, random statements, states and elements;
//! - [`lattice`] and [`transfer`]: the laws;
//! - [`programs`]: random whole programs;
//! - [`faults`]: deliberately broken domains, which the suite must catch.

pub mod faults;
pub mod lattice;
pub mod programs;
pub mod random;
pub mod transfer;
pub mod universe;

use std::fmt;

use crate::domain::ProgramDomain;
use random::Random;
use universe::Universe;

/// One law. The functions return a description of the violation.
pub struct Law<D> {
    pub name: &'static str,
    pub check: fn(&mut Trial<'_, D>) -> Result<(), String>,
}

/// What one case of a law works with.
pub struct Trial<'a, D> {
    pub top: &'a D,
    pub universe: &'a Universe,
    pub random: Random,
    pub order: Order,
}

/// How far joins, meets and inclusion of a domain are those of a lattice. Laws about states are
/// tested of every domain, laws about ⊑ only as far as this says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Lattice,
    /// A meet may be above its operands, because it drops what would become too large.
    CoarseMeets,
    /// Not a lattice: wrapped intervals, bounded disjunctions.
    StatesOnly,
}

/// The integers a suite runs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Integers {
    Width(u32),
    Unbounded,
}

impl Integers {
    pub const ALL: [Integers; 4] = [
        Integers::Width(3),
        Integers::Width(8),
        Integers::Width(32),
        Integers::Unbounded,
    ];
}

/// A violated law.
#[derive(Clone, Debug)]
pub struct Violation {
    pub domain: String,
    pub law: &'static str,
    pub integers: Integers,
    pub seed: u64,
    pub detail: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation {
            domain,
            law,
            integers,
            seed,
            detail,
        } = self;
        write!(
            formatter,
            "{domain}: {law} ({integers:?}, seed {seed}): {detail}"
        )
    }
}

/// Tests every law `cases` times on each kind of integers. Stops a law at its first violation.
pub fn check<D: ProgramDomain>(
    domain: &str,
    top: &D,
    order: Order,
    integers: &[Integers],
    cases: usize,
) -> Vec<Violation> {
    violations(domain, top, order, integers, cases).collect()
}

/// The violations that [`check`] finds, one by one: whoever wants only the first can stop there.
pub fn violations<D: ProgramDomain>(
    domain: &str,
    top: &D,
    order: Order,
    integers: &[Integers],
    cases: usize,
) -> impl Iterator<Item = Violation> {
    integers.iter().flat_map(move |kind| {
        let universe = Universe::new(*kind);
        let laws = lattice::laws().into_iter().chain(transfer::laws());
        laws.filter_map(move |law| check_law(domain, top, order, &universe, &law, cases))
    })
}

/// Tests one case of one law again, such as one that a violation names. `None` also if there is no
/// law of that name.
pub fn check_case<D: ProgramDomain>(
    domain: &str,
    top: &D,
    order: Order,
    integers: Integers,
    law: &str,
    seed: u64,
) -> Option<Violation> {
    let universe = Universe::new(integers);
    let mut laws = lattice::laws().into_iter().chain(transfer::laws());
    let law = laws.find(|it| it.name == law)?;
    check_seed(domain, top, order, &universe, &law, seed)
}

fn check_law<D: ProgramDomain>(
    domain: &str,
    top: &D,
    order: Order,
    universe: &Universe,
    law: &Law<D>,
    cases: usize,
) -> Option<Violation> {
    (0..cases as u64).find_map(|seed| check_seed(domain, top, order, universe, law, seed))
}

fn check_seed<D: ProgramDomain>(
    domain: &str,
    top: &D,
    order: Order,
    universe: &Universe,
    law: &Law<D>,
    seed: u64,
) -> Option<Violation> {
    let mut trial = Trial {
        top,
        universe,
        random: Random::new(seed, law.name),
        order,
    };
    let result = (law.check)(&mut trial);
    result.err().map(|detail| Violation {
        domain: domain.to_owned(),
        law: law.name,
        integers: universe.integers,
        seed,
        detail,
    })
}
