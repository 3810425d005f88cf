//! Invariants of reachable blocks: uses are dominated, and `unreachable` is accounted for.

use super::{Invariant, Report};
use crate::body::{BlockId, Body, InstId, ValueDef, ValueId};
use crate::constant::Constant;
use crate::graph::{ControlFlowGraph, DominatorTree};
use crate::instruction::{Instruction, Terminator};
use cranelift_entity::SecondaryMap;

/// Where an instruction stands; `None` is in no block.
type Positions = SecondaryMap<InstId, Option<(BlockId, u32)>>;

pub(super) fn verify(body: &Body, report: &mut Report) {
    let cfg = ControlFlowGraph::new(body);
    let dominators = DominatorTree::new(cfg.graph(), cfg.entry());
    let mut positions = Positions::new();
    for (id, block) in body.blocks.iter() {
        for (index, &instruction) in (0..).zip(&block.instructions) {
            positions[instruction] = Some((id, index));
        }
    }
    for &id in cfg.reverse_postorder() {
        let block = &body.blocks[id];
        for (index, &instruction) in (0..).zip(&block.instructions) {
            report.at(Some(id), Some(instruction));
            body.instructions[instruction].for_each_operand(|value| {
                let available = is_available(body, &dominators, &positions, value, (id, index));
                demand(available, value, report);
            });
        }
        report.at(Some(id), None);
        block.terminator.for_each_operand(|value| {
            let available = is_available(body, &dominators, &positions, value, (id, u32::MAX));
            demand(available, value, report);
        });
        let is_explained = block.terminator != Terminator::Unreachable || ends_in_false(body, id);
        report.require(is_explained, Invariant::Unreachable, || {
            "no check or assumption of false precedes the end".to_owned()
        });
    }
    report.at(None, None);
}

fn demand(available: bool, value: ValueId, report: &mut Report) {
    report.require(available, Invariant::Dominance, || {
        format!("{value} is not defined on every path to its use")
    });
}

fn is_available(
    body: &Body,
    dominators: &DominatorTree<BlockId>,
    positions: &Positions,
    value: ValueId,
    (block, index): (BlockId, u32),
) -> bool {
    match body.values[value].def {
        ValueDef::Constant(_) => true,
        ValueDef::Param(defining, _) => dominators.dominates(defining, block),
        ValueDef::Result(instruction, _) | ValueDef::Memory(instruction, _) => {
            match positions[instruction] {
                None => false,
                Some((defining, at)) if defining == block => at < index,
                Some((defining, _)) => dominators.dominates(defining, block),
            }
        }
    }
}

fn ends_in_false(body: &Body, block: BlockId) -> bool {
    let Some(&last) = body.blocks[block].instructions.last() else {
        return false;
    };
    let (Instruction::Check { condition, .. } | Instruction::Assume { condition }) =
        body.instructions[last].instruction
    else {
        return false;
    };
    body.as_constant(condition) == Some(Constant::Int(0))
}
