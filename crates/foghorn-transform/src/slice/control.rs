//! What matters, by data and by control dependence (Cytron et al., TOPLAS 1991, §7.1).
//!
//! Effects matter. If an instruction matters, so do its operands, and so do the branches that
//! decide whether its block is executed. If a block parameter matters, so do the jumps that carry
//! its arguments. A branch that does not matter becomes a jump to where its two sides meet, its
//! immediate post-dominator: nothing that matters lies between.
//!
//! Whether a loop ends matters too: branches that leave a loop or go round in it always matter,
//! and so do branches in and into parts from which no end is reached.

use crate::cleanup::{cleanup, is_root, renumber_params, retain_by};
use cranelift_entity::SecondaryMap;
use foghorn_ir::graph::{ControlFlowGraph, LoopForest, PostDominators};
use foghorn_ir::{
    BlockId, Body, Constant, InstId, Instruction, Target, Terminator, ValueDef, ValueId,
};

struct Marker<'b> {
    body: &'b Body,
    cfg: &'b ControlFlowGraph,
    /// The branches on which the execution of each block depends.
    dependences: SecondaryMap<BlockId, Vec<BlockId>>,
    instructions: SecondaryMap<InstId, bool>,
    values: SecondaryMap<ValueId, bool>,
    /// Blocks whose execution matters.
    blocks: SecondaryMap<BlockId, bool>,
    /// Blocks whose branch matters.
    branches: SecondaryMap<BlockId, bool>,
    work_values: Vec<ValueId>,
    work_blocks: Vec<BlockId>,
}

/// Removes what does not matter; returns the number of branches among it.
pub fn slice_body(body: &mut Body) -> usize {
    drop_true_conditions(body);
    let cfg = ControlFlowGraph::new(body);
    let post = PostDominators::new(&cfg);
    let mut marker = Marker {
        body,
        cfg: &cfg,
        dependences: SecondaryMap::new(),
        instructions: SecondaryMap::new(),
        values: SecondaryMap::new(),
        blocks: SecondaryMap::new(),
        branches: SecondaryMap::new(),
        work_values: vec![],
        work_blocks: vec![],
    };
    marker.depend(&post);
    marker.mark_roots();
    marker.mark_loops(&LoopForest::new(&cfg));
    marker.run();
    let Marker {
        values, branches, ..
    } = marker;
    let cut = sweep(body, &cfg, &post, &values, &branches);
    cleanup(body);
    cut
}

/// Conditions that hold say nothing.
fn drop_true_conditions(body: &mut Body) {
    for block in body.blocks.keys() {
        let mut instructions = std::mem::take(&mut body.blocks[block].instructions);
        instructions.retain(|&id| match body.instructions[id].instruction {
            Instruction::Check { condition, .. } | Instruction::Assume { condition } => {
                body.as_constant(condition) != Some(Constant::Int(1))
            }
            _ => true,
        });
        body.blocks[block].instructions = instructions;
    }
}

impl Marker<'_> {
    /// Finds the control dependences: the post-dominance frontier, read the other way round.
    fn depend(&mut self, post: &PostDominators) {
        let tree = post.tree();
        for &block in self.cfg.reverse_postorder() {
            let Terminator::Branch { .. } = self.body.blocks[block].terminator else {
                continue;
            };
            let successors = self.cfg.successors(block);
            if !tree.contains(block) || successors.iter().any(|&next| !tree.contains(next)) {
                self.branch(block);
                continue;
            }
            let meet = tree.immediate_dominator(block);
            for &next in successors {
                let mut at = Some(next);
                while let Some(inside) = at.filter(|_| at != meet) {
                    if self.dependences[inside].last() != Some(&block) {
                        self.dependences[inside].push(block);
                    }
                    at = tree.immediate_dominator(inside);
                }
            }
        }
    }

    fn mark_roots(&mut self) {
        let body = self.body;
        for &block in self.cfg.reverse_postorder() {
            for &id in &body.blocks[block].instructions {
                let instruction = &body.instructions[id].instruction;
                let names = matches!(instruction, Instruction::Bind { .. });
                if !names && is_root(body, instruction) {
                    self.instruction(id);
                    self.block(block);
                }
            }
            match &body.blocks[block].terminator {
                Terminator::Return { values } => {
                    values.iter().for_each(|&value| self.value(value));
                    self.block(block);
                }
                Terminator::Halt { code, .. } => {
                    self.value(*code);
                    self.block(block);
                }
                Terminator::Unreachable => self.block(block),
                Terminator::Jump(_) | Terminator::Branch { .. } => {}
            }
        }
    }

    fn mark_loops(&mut self, forest: &LoopForest) {
        for (_, found) in forest.iter() {
            let leaves = found.exits.iter().map(|&(from, _)| from);
            for block in leaves.chain(found.latches.iter().copied()) {
                self.branch(block);
            }
            if !found.is_reducible() {
                found.blocks.iter().for_each(|&block| self.branch(block));
            }
        }
    }

    fn value(&mut self, value: ValueId) {
        if !std::mem::replace(&mut self.values[value], true) {
            self.work_values.push(value);
        }
    }

    fn instruction(&mut self, id: InstId) {
        if !std::mem::replace(&mut self.instructions[id], true) {
            let body = self.body;
            let instruction = &body.instructions[id].instruction;
            instruction.for_each_operand(|operand| self.value(operand));
        }
    }

    fn block(&mut self, block: BlockId) {
        if !std::mem::replace(&mut self.blocks[block], true) {
            self.work_blocks.push(block);
        }
    }

    /// The end of the block matters, and with it whether control comes there.
    fn branch(&mut self, block: BlockId) {
        self.block(block);
        if std::mem::replace(&mut self.branches[block], true) {
            return;
        }
        if let Terminator::Branch { condition, .. } = self.body.blocks[block].terminator {
            self.value(condition);
        }
    }

    fn run(&mut self) {
        loop {
            if let Some(value) = self.work_values.pop() {
                match self.body.values[value].def {
                    ValueDef::Result(id, _) | ValueDef::Memory(id, _) => self.instruction(id),
                    ValueDef::Param(block, index) => self.param(block, index as usize),
                    ValueDef::Constant(_) => {}
                }
            } else if let Some(block) = self.work_blocks.pop() {
                for branch in std::mem::take(&mut self.dependences[block]) {
                    self.branch(branch);
                }
            } else {
                return;
            }
        }
    }

    fn param(&mut self, block: BlockId, index: usize) {
        let (body, cfg) = (self.body, self.cfg);
        for &before in cfg.predecessors(block) {
            if !cfg.is_reachable(before) {
                continue;
            }
            self.branch(before);
            let targets = body.blocks[before].terminator.targets();
            for target in targets.filter(|target| target.block == block) {
                self.value(target.arguments[index]);
            }
        }
    }
}

/// Turns the branches that do not matter into jumps, and drops parameters, arguments and names
/// of values that do not matter. What computes those values is then unused.
fn sweep(
    body: &mut Body,
    cfg: &ControlFlowGraph,
    post: &PostDominators,
    values: &SecondaryMap<ValueId, bool>,
    branches: &SecondaryMap<BlockId, bool>,
) -> usize {
    let mut cut = 0;
    let entry = body.entry;
    let keep: SecondaryMap<BlockId, Vec<bool>> = body
        .blocks
        .iter()
        .map(|(id, block)| {
            let params = block.params.iter();
            params.map(|&p| id == entry || values[p]).collect()
        })
        .collect::<Vec<_>>()
        .into();
    for block in body.blocks.keys() {
        if !cfg.is_reachable(block) {
            continue;
        }
        retain_by(&mut body.blocks[block].params, &keep[block]);
        for target in body.blocks[block].terminator.targets_mut() {
            retain_by(&mut target.arguments, &keep[target.block]);
        }
        let mut instructions = std::mem::take(&mut body.blocks[block].instructions);
        instructions.retain(|&id| match body.instructions[id].instruction {
            Instruction::Bind { value, .. } => values[value] || body.as_constant(value).is_some(),
            _ => true,
        });
        body.blocks[block].instructions = instructions;
        let is_branch = matches!(body.blocks[block].terminator, Terminator::Branch { .. });
        if is_branch
            && !branches[block]
            && let Some(meet) = post.immediate_post_dominator(block)
        {
            debug_assert!(body.blocks[meet].params.is_empty() || !keep[meet].contains(&true));
            body.blocks[block].terminator = Terminator::Jump(Target::new(meet));
            cut += 1;
        }
    }
    renumber_params(body);
    cut
}
