//! The loops of a program, by name.
//!
//! A loop is called `function.N`, where N counts the loops of the function from 0 in the order of
//! the source lines of their headers (those without a line last, in reverse postorder). The name is
//! what `--unwind-set` takes; it depends only on the prepared program, not on engines.

mod trip_count;

pub use trip_count::TripCount;

use foghorn_core::SpanId;
use foghorn_ir::graph::{ControlFlowGraph, LoopForest, LoopId};
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
    let order = numbering(module, body, &cfg, &forest);
    let name = |id: LoopId| {
        let number = order.iter().position(|&(other, _)| other == id)?;
        Some(format!("{}.{number}", module.functions[function].name))
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

/// The loops in the order of their numbers, with their places.
pub(crate) fn numbering(
    module: &Module,
    body: &Body,
    cfg: &ControlFlowGraph,
    forest: &LoopForest,
) -> Vec<(LoopId, SpanId)> {
    let mut order: Vec<(LoopId, SpanId)> = forest
        .iter()
        .map(|(id, found)| (id, span_of(body, found.header, &found.latches)))
        .collect();
    order.sort_by_key(|&(id, span)| {
        let place = module.spans.span(span);
        let line = match span.is_known() {
            true => (place.line, place.column),
            false => (u32::MAX, u32::MAX),
        };
        (line, cfg.position(forest.get(id).header))
    });
    order
}

/// The first known place of the header, else of a jump back to it.
fn span_of(body: &Body, header: BlockId, latches: &[BlockId]) -> SpanId {
    let data = &body.blocks[header];
    let instructions = data.instructions.iter();
    let spans = instructions.map(|&id| body.instructions[id].span);
    let ends = latches
        .iter()
        .map(|&latch| body.blocks[latch].terminator_span);
    let mut all = spans.chain([data.terminator_span]).chain(ends);
    all.find(|span| span.is_known()).unwrap_or(SpanId::UNKNOWN)
}
