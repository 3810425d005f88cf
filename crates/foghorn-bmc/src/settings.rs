//! What is checked, and how far.

use cranelift_entity::EntityRef;
use foghorn_core::{CheckKind, CheckSelection, SiteKind, WhenOff};
use foghorn_encode::fact::{BlockFacts, Fact};
use foghorn_encode::memory::MemoryRepresentation;
use foghorn_ir::interpret::ProgramPoint;
use foghorn_ir::{BlockId, FunctionId, GlobalId, RegionId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How a program is checked.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Checks that are reported; the others are assumed, or have machine meaning.
    pub checks: CheckSelection,
    pub initial: InitialRegions,
    /// Whether accesses must be aligned (`misaligned`).
    pub alignment: bool,
    /// Sites that somebody else proved. They are answered for and not asked about; nothing is
    /// concluded from them either, so a wrong proof hides no failure elsewhere.
    pub proved: BTreeSet<(SiteKind, ProgramPoint)>,
    /// What somebody else knows of blocks; it is assumed there.
    pub facts: Facts,
}

/// What is known whenever a block starts.
#[derive(Clone, Debug, Default)]
pub struct Facts(FxHashMap<(FunctionId, BlockId), Option<Vec<Fact>>>);

impl Facts {
    #[must_use]
    pub fn new(known: &[BlockFacts]) -> Facts {
        let blocks = known.iter().map(|of| {
            let function = FunctionId::from_u32(of.function);
            ((function, BlockId::from_u32(of.block)), of.facts.clone())
        });
        Facts(blocks.collect())
    }

    /// What is known of a block; the inner `None` says that no run comes there.
    pub(crate) fn of(&self, function: FunctionId, block: BlockId) -> Option<&Option<Vec<Fact>>> {
        self.0.get(&(function, block))
    }
}

impl Settings {
    /// Whether a failure of that kind is reported.
    pub fn enabled(&self, kind: CheckKind) -> bool {
        self.checks.contains(kind)
    }

    /// Whether somebody else proved what a site states.
    pub fn is_proved(&self, kind: SiteKind, point: Option<ProgramPoint>) -> bool {
        point.is_some_and(|point| self.proved.contains(&(kind, point)))
    }

    /// Whether executions go on behind a failed check of this kind when it is not reported.
    pub fn has_machine_meaning(&self, kind: CheckKind) -> bool {
        kind.when_off() == WhenOff::MachineMeaning
    }
}

/// What the regions of the entry function can hold when the program starts, as the pointer
/// analysis knows it, by the index of the region. A region that is not listed may hold anything.
#[derive(Clone, Debug, Default)]
pub struct InitialRegions(pub Vec<InitialRegion>);

/// One region.
#[derive(Clone, Debug, Default)]
pub struct InitialRegion {
    /// Globals with bytes in the region.
    pub globals: Vec<GlobalId>,
    /// The program's arguments may lie in it.
    pub environment: bool,
}

impl InitialRegions {
    /// Whether a region can hold bytes of a global.
    pub fn may_hold(&self, region: RegionId, global: GlobalId) -> bool {
        let region = self.0.get(region.index());
        region.is_none_or(|region| region.globals.contains(&global))
    }

    /// Whether a region can hold the program's arguments.
    pub fn may_hold_arguments(&self, region: RegionId) -> bool {
        let region = self.0.get(region.index());
        region.is_none_or(|region| region.environment)
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
    /// Loops are closed: any number of iterations at once.
    pub loops: Loops,
    /// Loops whose iterations constants decide to be fewer are executed.
    pub closed_from: u32,
}

/// What becomes of loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loops {
    /// They are unwound up to the bound.
    #[default]
    Unwound,
    /// As far as it is known what one iteration does, any number of them is executed at once. That
    /// allows more executions than the program has: it proves and does not refute.
    Closed,
}

impl Limits {
    /// Whether loops are closed.
    pub(crate) fn closes_loops(&self) -> bool {
        self.loops == Loops::Closed
    }

    /// The usual limits for a bound.
    pub fn new(unwind: u32) -> Self {
        Limits {
            unwind,
            unwind_set: BTreeMap::new(),
            decided: unwind.saturating_mul(256).max(1024),
            instructions: 20_000_000,
            loops: Loops::Unwound,
            closed_from: 16,
        }
    }
}

/// How memory is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryChoice {
    Arrays,
    Lambdas,
    Seam {
        arm: bool,
        store_map: bool,
    },
    /// By a representation from elsewhere.
    Given(GivenMemory),
}

/// A memory representation that the caller brings along: a new one, or in tests a broken one.
#[derive(Clone, Copy)]
pub struct GivenMemory {
    pub name: &'static str,
    /// Makes it for pointers of that width.
    pub make: fn(u32) -> Box<dyn MemoryRepresentation>,
}

impl PartialEq for GivenMemory {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for GivenMemory {}

impl std::fmt::Debug for GivenMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Default for MemoryChoice {
    fn default() -> Self {
        MemoryChoice::Seam {
            arm: true,
            store_map: true,
        }
    }
}
