//! How the analysis is run.

use serde::Serialize;

/// How much the analysis tells apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// One region for all memory.
    Flat,
    /// One graph for all functions: a function is the same in all contexts.
    Ci,
    /// A graph per function (per set of mutually recursive ones), cloned into callers.
    #[default]
    Cs,
}

impl Mode {
    pub const ALL: [Mode; 3] = [Mode::Flat, Mode::Ci, Mode::Cs];

    pub fn name(self) -> &'static str {
        match self {
            Mode::Flat => "flat",
            Mode::Ci => "ci",
            Mode::Cs => "cs",
        }
    }
}

/// How indirect calls are resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndirectCalls {
    /// By the functions that the pointer's node holds, iterated until the call graph is complete.
    #[default]
    ByGraph,
    /// Any function of a fitting signature whose address is taken.
    ByType,
}

/// What an integer that becomes a pointer may point to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Integers {
    /// What it was computed from. Where that is assumed can be asked:
    /// [`crate::Analysis::assumed_conversions`].
    Carried,
    /// Every object whose address was ever turned into an integer, as the memory model has it.
    #[default]
    Exposed,
}

/// Options of [`crate::analyse`].
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub mode: Mode,
    pub indirect_calls: IndirectCalls,
    pub integers: Integers,
    /// Divide fields by the types of accesses ([`crate::regions::types`]): assumes that accesses
    /// respect effective types, which programs made for `-fno-strict-aliasing` do not.
    pub types: bool,
    /// For tests of the tests only: leave out one unification, to see that it is noticed.
    pub sabotage: Option<Sabotage>,
}

/// A step of the analysis that can be left out on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sabotage {
    /// Stored pointers are not unified with what a load gives.
    Stores,
    /// Callers do not tell callees which of their fields coincide.
    Export,
    /// Callers do not tell callees what is an array.
    Distances,
    /// Copies of memory relate nothing.
    Copies,
    /// Parameters of blocks are not unified with their arguments.
    BlockParameters,
}
