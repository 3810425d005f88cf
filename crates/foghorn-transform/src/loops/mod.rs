//! The loops of a program with what can be seen of them. Their names are those of
//! [`foghorn_ir::loops`].

mod trip_count;

pub use trip_count::TripCount;

use foghorn_core::SpanId;
use foghorn_ir::graph::{ControlFlowGraph, LoopForest, LoopId};
use foghorn_ir::loops::{loop_name, number_loops};
use foghorn_ir::{BlockId, Body, FunctionId, Module};

/// One loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedLoop {
    /// `function.N`.
    pub name: String,
    pub function: FunctionId,
    /// Its place in the function's loop forest.
    pub id: LoopId,
    pub header: BlockId,
    /// Number of loops around it, itself counted.
    pub depth: u32,
    /// The name of the loop directly around it.
    pub parent: Option<String>,
    /// Where its header stands in the source.
    pub span: SpanId,
    /// Number of blocks, those of inner loops included.
    pub blocks: usize,
    /// Whether it can only be entered at its header.
    pub is_reducible: bool,
    /// How often it goes round, where that can be seen.
    pub trip_count: Option<TripCount>,
}

/// All loops of the module: function by function, in the order of their numbers.
pub fn loops(module: &Module) -> Vec<NamedLoop> {
    let bodies = module.functions.iter();
    bodies
        .filter_map(|(id, function)| Some((id, function.body.as_ref()?)))
        .flat_map(|(id, body)| loops_of(module, id, body))
        .collect()
}

/// The loops of one function.
pub fn loops_of(module: &Module, function: FunctionId, body: &Body) -> Vec<NamedLoop> {
    let cfg = ControlFlowGraph::new(body);
    let forest = LoopForest::new(&cfg);
    let order = number_loops(module, body, &cfg, &forest);
    let name = |id: LoopId| {
        let number = order.iter().position(|&(other, _)| other == id)?;
        Some(loop_name(module, function, number).to_string())
    };
    let describe = |&(id, span): &(LoopId, SpanId)| {
        let found = forest.get(id);
        NamedLoop {
            name: name(id).unwrap_or_default(),
            function,
            id,
            header: found.header,
            depth: found.depth,
            parent: found.parent.and_then(name),
            span,
            blocks: found.blocks.len(),
            is_reducible: found.is_reducible(),
            trip_count: trip_count::find(body, &cfg, &forest, id),
        }
    };
    order.iter().map(describe).collect()
}
