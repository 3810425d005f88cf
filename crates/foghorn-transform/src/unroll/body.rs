//! One loop, copied.

use cranelift_entity::SecondaryMap;
use foghorn_core::{CheckKind, SpanId};
use foghorn_ir::graph::{LoopForest, LoopId};
use foghorn_ir::{BlockId, Body, Constant, Instruction, Target, Terminator, Type, ValueId};
use rustc_hash::FxHashMap;

/// The blocks of each loop, copies of the loops inside included.
pub struct Members {
    blocks: SecondaryMap<LoopId, Vec<BlockId>>,
}

impl Members {
    pub fn new(forest: &LoopForest) -> Self {
        let mut blocks: SecondaryMap<LoopId, Vec<BlockId>> = SecondaryMap::new();
        for (id, found) in forest.iter() {
            blocks[id].clone_from(&found.blocks);
        }
        Members { blocks }
    }

    /// Number of instructions of a loop, ends of blocks counted.
    pub fn size(&self, body: &Body, id: LoopId) -> usize {
        let blocks = self.blocks[id].iter();
        blocks
            .map(|&block| body.blocks[block].instructions.len() + 1)
            .sum()
    }

    /// Adds copies of a loop to the loops around it.
    pub fn grow(&mut self, forest: &LoopForest, id: LoopId, new: &[BlockId]) {
        let mut around = forest.get(id).parent;
        while let Some(outer) = around {
            self.blocks[outer].extend(new);
            around = forest.get(outer).parent;
        }
    }
}

/// What stands for a block or value of the loop in one copy.
#[derive(Default)]
struct Renaming {
    blocks: FxHashMap<BlockId, BlockId>,
    values: FxHashMap<ValueId, ValueId>,
}

/// Copies a loop `bound` times, one after the other, and ends the last jump back in a check that
/// fails. Loops inside must have been unrolled, and the loop must be closed. The new blocks.
pub fn unroll_loop(
    body: &mut Body,
    members: &Members,
    id: LoopId,
    header: BlockId,
    bound: u32,
    span: SpanId,
    message: &str,
) -> Vec<BlockId> {
    let blocks = &members.blocks[id];
    let trap = trap(body, span, message);
    let copies: Vec<Renaming> = (0..bound).map(|_| copy_shell(body, blocks)).collect();
    let headers: Vec<Target> = copies
        .iter()
        .map(|copy| Target::new(copy.blocks[&header]))
        .collect();
    for (index, copy) in copies.iter().enumerate() {
        let next = headers.get(index + 1).map(|target| target.block);
        copy_contents(body, blocks, copy, header, next, trap);
    }
    let first = headers.first().map(|target| target.block);
    for &block in blocks {
        let mut terminator =
            std::mem::replace(&mut body.blocks[block].terminator, Terminator::Unreachable);
        for target in terminator.targets_mut() {
            if target.block == header {
                go_on(target, first, trap);
            }
        }
        body.blocks[block].terminator = terminator;
    }
    let new = copies
        .iter()
        .flat_map(|copy| blocks.iter().map(|b| copy.blocks[b]));
    new.collect()
}

/// Turns a jump back to the header into one to the next copy, or into the trap.
fn go_on(target: &mut Target, next: Option<BlockId>, trap: BlockId) {
    match next {
        Some(next) => target.block = next,
        None => *target = Target::new(trap),
    }
}

/// The block in which an execution ends that goes further than the bound.
pub fn trap(body: &mut Body, span: SpanId, message: &str) -> BlockId {
    let block = body.add_block();
    let condition = body.constant(Type::BOOL, Constant::Int(0));
    let check = Instruction::Check {
        kind: CheckKind::Unwinding,
        condition,
        message: Some(message.into()),
    };
    body.append(block, check, &[], span);
    body.blocks[block].terminator_span = span;
    block
}

/// New blocks with parameters, and new instructions with results but the old operands.
fn copy_shell(body: &mut Body, blocks: &[BlockId]) -> Renaming {
    let mut copy = Renaming::default();
    for &block in blocks {
        let new = body.add_block();
        copy.blocks.insert(block, new);
        for param in body.blocks[block].params.clone() {
            let renamed = body.add_param(new, body.ty(param));
            body.values[renamed].name = body.values[param].name.clone();
            copy.values.insert(param, renamed);
        }
        for id in body.blocks[block].instructions.clone() {
            let data = body.instructions[id].clone();
            let types: Vec<Type> = data.results.iter().map(|&r| body.ty(r)).collect();
            let made = body.append(new, data.instruction, &types, data.span);
            body.instructions[made].effective_type = data.effective_type;
            let results = body.instructions[made].results.clone();
            for (&old, renamed) in data.results.iter().zip(results) {
                body.values[renamed].name = body.values[old].name.clone();
                copy.values.insert(old, renamed);
            }
        }
    }
    copy
}

/// Gives a copy its operands and the ends of its blocks.
fn copy_contents(
    body: &mut Body,
    blocks: &[BlockId],
    copy: &Renaming,
    header: BlockId,
    next: Option<BlockId>,
    trap: BlockId,
) {
    let value = |old: ValueId| copy.values.get(&old).copied().unwrap_or(old);
    for &block in blocks {
        let new = copy.blocks[&block];
        for &id in &body.blocks[new].instructions {
            body.instructions[id].instruction.map_operands(value);
        }
        let mut terminator = body.blocks[block].terminator.clone();
        terminator.map_operands(value);
        for target in terminator.targets_mut() {
            if target.block == header {
                go_on(target, next, trap);
            } else if let Some(&inside) = copy.blocks.get(&target.block) {
                target.block = inside;
            }
        }
        body.blocks[new].terminator = terminator;
        body.blocks[new].terminator_span = body.blocks[block].terminator_span;
    }
}
