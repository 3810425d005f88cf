//! Memory SSA: from the impure to the pure form (the SEA-IR of the SEAM thesis, §2.5).
//!
//! What a region's contents are at each point is what a local variable's value is in ordinary SSA:
//! an instruction that writes assigns the variable, one that reads uses it. So the construction is
//! the classical one (iterated dominance frontiers, pruned by liveness, renaming along the
//! dominator tree; R. Cytron et al., "Efficiently computing static single assignment form", and
//! J.-D. Choi et al. for the pruning), per region and per function, given a [`Plan`]: which regions
//! a function has and which of them each instruction uses. Plans come from the pointer analysis
//! ([`plan`]).
//!
//! - A function takes the regions that its callers know and returns those that it may modify. So
//!   the callers' plans and the callees' agree, recursion included, and every function can be
//!   rewritten by itself.
//! - A region of the function's own begins as a `nondet` at the start of its entry block.
//! - Constructors and destructors become calls ([`start`]), so that their memories are those of the
//!   entry: whoever runs or encodes the entry gives it one initial memory per parameter.
//!
//! Invariant: the result satisfies the verifier, and interprets as the impure form does.

mod liveness;
pub mod plan;
mod rename;
pub mod start;

#[cfg(test)]
mod tests;

use cranelift_entity::PrimaryMap;
use foghorn_ir::graph::{ControlFlowGraph, DominatorTree};
use foghorn_ir::{
    Body, Form, InstId, MemoryRole, NondetOrigin, Region, RegionId, Terminator, Type, ValueId,
};
use std::collections::BTreeMap;

/// What the construction must know of one function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    pub regions: PrimaryMap<RegionId, Region>,
    /// Regions that the caller passes, in order; their interfaces say which are returned.
    pub parameters: Vec<RegionId>,
    /// Uses in the order in which the instruction is to have them.
    pub uses: BTreeMap<InstId, Vec<PlannedUse>>,
}

/// A use of a region that an instruction is to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedUse {
    pub region: RegionId,
    pub role: MemoryRole,
    pub modifies: bool,
}

/// A step of the construction that can be left out on purpose, to see that it is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sabotage {
    /// Blocks where contents meet get no parameters.
    Joins,
    /// What a call leaves is not used after it.
    Calls,
    /// What a copy leaves is not used after it.
    Copies,
}

impl Plan {
    /// The regions that the function returns, in order.
    pub fn results(&self) -> impl Iterator<Item = RegionId> + '_ {
        use foghorn_ir::Interface;
        let parameters = self.parameters.iter().copied();
        parameters.filter(|&region| self.regions[region].interface == Interface::Modified)
    }

    fn uses_of(&self, instruction: InstId) -> &[PlannedUse] {
        self.uses.get(&instruction).map_or(&[], Vec::as_slice)
    }
}

/// Rewrites an impure body into the pure form.
pub fn construct(body: &mut Body, plan: &Plan, sabotage: Option<Sabotage>) {
    debug_assert!(!body.is_pure(), "the body is in the impure form");
    forget_unreachable(body);
    body.form = Form::Pure;
    body.regions = plan.regions.clone();
    let cfg = ControlFlowGraph::new(body);
    let tree = DominatorTree::new(cfg.graph(), cfg.entry());
    let live = liveness::Liveness::new(body, &cfg, plan);
    let mut joins = live.joins(&cfg, &tree);
    if sabotage == Some(Sabotage::Joins) {
        joins.clear();
    }
    let first = first_memories(body, plan, &live);
    rename::run(body, &tree, plan, &joins, &first, sabotage);
}

/// Unreachable blocks need no memories, and so keep nothing that would.
fn forget_unreachable(body: &mut Body) {
    let cfg = ControlFlowGraph::new(body);
    for (id, block) in body.blocks.iter_mut() {
        if !cfg.is_reachable(id) {
            block.instructions.clear();
            block.terminator = Terminator::Unreachable;
        }
    }
}

/// The contents with which a call begins: parameters, and nondets for local regions that are used.
fn first_memories(
    body: &mut Body,
    plan: &Plan,
    live: &liveness::Liveness,
) -> Vec<(RegionId, ValueId)> {
    let entry = body.entry;
    let mut first = vec![];
    for &region in &plan.parameters {
        first.push((region, body.add_param(entry, Type::Memory(region))));
    }
    let mut nondets = vec![];
    for (region, data) in plan.regions.iter() {
        if data.interface.is_parameter() || !live.is_used(region) {
            continue;
        }
        let origin = NondetOrigin::Uninitialised(data.name.clone());
        let instruction = foghorn_ir::Instruction::Nondet { origin };
        let span = foghorn_core::SpanId::UNKNOWN;
        let id = body.create_instruction(instruction, &[Type::Memory(region)], span);
        nondets.push(id);
        first.push((region, body.result(id)));
    }
    body.blocks[entry].instructions.splice(0..0, nondets);
    first
}
