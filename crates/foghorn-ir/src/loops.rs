//! The loops of a program by name.
//!
//! A loop is called `function.N`, where N counts the loops of the function from 0 in the order of
//! the source lines of their headers (those without a line last, in reverse postorder). The name is
//! what people give bounds for and what answers speak of. It depends only on the prepared program,
//! not on engines: every engine, option and report takes it from here.

use crate::body::{BlockId, Body};
use crate::graph::{ControlFlowGraph, LoopForest, LoopId};
use crate::module::{FunctionId, Module};
use cranelift_entity::SecondaryMap;
use foghorn_core::SpanId;
use std::sync::Arc;

/// The loops of a function in the order of their numbers, with their places.
pub fn number_loops(
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

/// The name of the loop with a number.
pub fn loop_name(module: &Module, function: FunctionId, number: usize) -> Arc<str> {
    format!("{}.{number}", module.functions[function].name).into()
}

/// The names of a function's loops, by their headers.
#[derive(Clone, Debug, Default)]
pub struct LoopNames {
    by_header: SecondaryMap<BlockId, Option<Arc<str>>>,
}

impl LoopNames {
    pub fn new(module: &Module, function: FunctionId, body: &Body) -> Self {
        let cfg = ControlFlowGraph::new(body);
        let forest = LoopForest::new(&cfg);
        let mut names = LoopNames::default();
        let order = number_loops(module, body, &cfg, &forest);
        for (number, (id, _)) in order.into_iter().enumerate() {
            let header = forest.get(id).header;
            names.by_header[header] = Some(loop_name(module, function, number));
        }
        names
    }

    /// The loop that a block is the header of.
    pub fn of_header(&self, header: BlockId) -> Option<&Arc<str>> {
        self.by_header[header].as_ref()
    }
}
