//! What holds at the head of a loop since every run has been through the blocks that dominate it.
//!
//! In SSA form a condition that was assumed, checked or branched on there still is what it was.

use super::walk::{State, Walker};
use foghorn_ir::graph::{ControlFlowGraph, DominatorTree};
use foghorn_ir::{BlockId, Instruction, Terminator, ValueId};

impl Walker<'_, '_, '_> {
    /// Takes for granted what the way to a block has shown.
    pub fn suppose_dominating(&mut self, state: &mut State, head: BlockId) {
        let body = self.body;
        let cfg = ControlFlowGraph::new(body);
        let dominators = DominatorTree::new(cfg.graph(), body.entry);
        let mut conditions: Vec<(ValueId, bool)> = vec![];
        let mut below = head;
        while let Some(block) = dominators.immediate_dominator(below) {
            let data = &body.blocks[block];
            for &id in &data.instructions {
                match &body.instructions[id].instruction {
                    Instruction::Assume { condition } => conditions.push((*condition, true)),
                    Instruction::Check {
                        kind, condition, ..
                    } if self.world.checks.contains(*kind) || kind.always_stops() => {
                        conditions.push((*condition, true));
                    }
                    _ => {}
                }
            }
            if let Terminator::Branch {
                condition,
                on_true,
                on_false,
            } = &data.terminator
                && on_true.block != on_false.block
            {
                // Only this edge leads to the block, so whoever came there took it.
                let only = |to: BlockId| to == below && cfg.predecessors(to) == [block];
                if only(on_true.block) {
                    conditions.push((*condition, true));
                } else if only(on_false.block) {
                    conditions.push((*condition, false));
                }
            }
            below = block;
        }
        for (condition, is) in conditions {
            let term = super::instruction::term(self.outer_value(condition));
            let holds = match is {
                true => term,
                false => self.world.pool.not(term),
            };
            self.assume(state, holds);
        }
    }
}
