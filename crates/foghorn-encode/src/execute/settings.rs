//! What is checked, what is known before, and what memory holds when the program starts.

use crate::fact::{BlockFacts, Fact};
use cranelift_entity::EntityRef;
use foghorn_core::{CheckKind, CheckSelection, SiteKind, WhenOff};
use foghorn_ir::interpret::ProgramPoint;
use foghorn_ir::{BlockId, FunctionId, GlobalId, RegionId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

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
    /// By the blocks that they speak of.
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
        self.at(function, block)
    }

    /// The same for whoever executes in another way.
    pub fn at(&self, function: FunctionId, block: BlockId) -> Option<&Option<Vec<Fact>>> {
        self.0.get(&(function, block))
    }
}

impl Settings {
    /// Whether a failure of that kind is reported.
    pub fn is_enabled(&self, kind: CheckKind) -> bool {
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
