//! Pointer analysis: which accesses may touch the same memory, and who calls whom.
//!
//! A unification-based, field- and context-sensitive analysis after SeaDSA (section 4.2.7 of the
//! SeaHorn survey; section 4 of the finite-maps paper). Points-to [`graph`]s are built per function
//! ([`local`]), cloned bottom-up along the call graph and informed top-down ([`solve`]) until
//! callers and callees agree; [`regions`] then answers what engines ask. Indirect calls are
//! resolved on the way and can be turned into direct ones ([`devirtualise`]).
//!
//! Invariants:
//! - Two accesses of one call whose regions differ never touch the same byte; what executions do
//!   is compared with this in `foghorn difftest --regions`.
//! - A call binds different memory parameters of the callee to different regions of the caller.
//! - Nothing depends on the order of a hash map, and nothing recurses over the program.

pub mod bench;
mod calls;
pub mod devirtualise;
pub mod draw;
mod exchange;
pub mod exposure;
mod external;
pub mod forms;
pub mod graph;
mod integers;
mod linking;
mod local;
pub mod memory_ssa;
pub mod observe;
pub mod options;
pub mod regions;
pub mod report;
mod shifts;
mod solve;
pub mod statistics;
pub mod table;

use cranelift_entity::SecondaryMap;
use foghorn_ir::{FunctionId, InstId, Module, ValueId};
use regions::FunctionRegions;
use regions::types::RefinementCounts;
use solve::Solution;

pub use graph::{AccessKind, Cell, CollapseReason, Flags, Graph, Node, NodeId, Site};
pub use options::{IndirectCalls, Integers, Mode, Options, Sabotage};
pub use regions::{AccessRole, CallBinding, RegionAccess, RegionInfo, RegionKey};

/// Everything that is known about a module.
#[derive(Debug)]
pub struct Analysis {
    solution: Solution,
    functions: SecondaryMap<FunctionId, FunctionRegions>,
    integers: Integers,
    types: Option<RefinementCounts>,
    nothing: FunctionRegions,
}

/// Analyses a module.
pub fn analyse(module: &Module, options: &Options) -> Analysis {
    let solution = solve::solve(module, options);
    let (functions, types) = regions::build(module, &solution, options.types);
    Analysis {
        solution,
        functions,
        integers: options.integers,
        types,
        nothing: FunctionRegions::default(),
    }
}

impl Analysis {
    /// The regions of a function; none for one without a body.
    pub fn function(&self, function: FunctionId) -> &FunctionRegions {
        self.functions.get(function).unwrap_or(&self.nothing)
    }

    /// The graph of a function with a body.
    pub fn graph(&self, function: FunctionId) -> Option<&Graph> {
        let group = self.solution.group_of[function]?;
        Some(&self.solution.groups[group].graph)
    }

    /// The cell that a pointer points to (or an integer may carry), in the function's graph.
    pub fn cell(&self, function: FunctionId, value: ValueId) -> Option<Cell> {
        let cell = self.solution.cells.get(function)?.get(value)?;
        Some(self.graph(function)?.lookup(cell))
    }

    /// What an indirect call may call, in the order of ids.
    pub fn targets(&self, caller: FunctionId, call: InstId) -> Vec<FunctionId> {
        let found = self.solution.targets.get(&(caller, call));
        found.into_iter().flatten().copied().collect()
    }
}
