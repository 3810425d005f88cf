//! What is checked, and how far.

use foghorn_core::{CheckKind, CheckSelection, WhenOff};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a program is checked.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Checks that are reported; the others are assumed, or have machine meaning.
    pub checks: CheckSelection,
}

impl Settings {
    /// Whether a failure of that kind is reported.
    pub fn enabled(&self, kind: CheckKind) -> bool {
        self.checks.contains(kind)
    }

    /// Whether executions go on behind a failed check of this kind when it is not reported.
    pub fn has_machine_meaning(&self, kind: CheckKind) -> bool {
        kind.when_off() == WhenOff::MachineMeaning
    }
}

/// How far a run goes.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Iterations of a loop, and activations of a recursive function, that could have ended
    /// otherwise.
    pub unwind: u32,
    /// The same for loops by name (`function.N`).
    pub unwind_set: BTreeMap<Arc<str>, u32>,
    /// Iterations and activations that constants decide.
    pub decided: u32,
    /// Instructions over all.
    pub instructions: u64,
}

impl Limits {
    /// The usual limits for a bound.
    pub fn new(unwind: u32) -> Self {
        Limits {
            unwind,
            unwind_set: BTreeMap::new(),
            decided: unwind.saturating_mul(256).max(1024),
            instructions: 20_000_000,
        }
    }
}

/// How memory is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryChoice {
    Arrays,
    Lambdas,
    Seam { arm: bool, store_map: bool },
}

impl Default for MemoryChoice {
    fn default() -> Self {
        MemoryChoice::Seam {
            arm: true,
            store_map: true,
        }
    }
}

/// Who solves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SolverChoice {
    /// Our own where it can, else Z3.
    #[default]
    Auto,
    Z3,
    Sat,
    /// `yices-smt2`, by the path of the program.
    Yices(String),
    /// `cvc5`, by the path of the program.
    Cvc5(String),
    /// Z3 as a process of its own, by the path of the program.
    Z3Process(String),
}
