//! One function: where its values come from, and how counters of its loops go.

use super::affine::Affine;
use foghorn_encode::claim::{Expression, Subject};
use foghorn_ir::graph::{ControlFlowGraph, DominatorTree, LoopForest};
use foghorn_ir::{
    BinaryOp, BlockId, Body, Constant, Instruction, RegionId, Type, ValueDef, ValueId,
};
use std::collections::BTreeMap;

/// A function and its graphs.
pub struct Function<'b> {
    pub body: &'b Body,
    pub loops: LoopForest,
    pub dominators: DominatorTree<BlockId>,
    cfg: ControlFlowGraph,
    /// Where values are defined that are no constants.
    defined: BTreeMap<ValueId, BlockId>,
}

/// A parameter of a loop's head that changes by the same number in each iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// What it is when the loop begins.
    pub initial: ValueId,
    pub step: i128,
}

impl<'b> Function<'b> {
    pub fn new(body: &'b Body) -> Self {
        let cfg = ControlFlowGraph::new(body);
        let mut defined = BTreeMap::new();
        for (block, data) in body.blocks.iter() {
            defined.extend(data.params.iter().map(|it| (*it, block)));
            for id in &data.instructions {
                let data = &body.instructions[*id];
                let outputs = data.memory.iter().filter_map(|used| used.output);
                let all = data.results.iter().copied().chain(outputs);
                defined.extend(all.map(|it| (it, block)));
            }
        }
        Function {
            body,
            loops: LoopForest::new(&cfg),
            dominators: DominatorTree::new(cfg.graph(), body.entry),
            cfg,
            defined,
        }
    }

    /// Whether a value is there before the loop of a head begins.
    pub fn is_before(&self, head: BlockId, value: ValueId) -> bool {
        if self.body.as_constant(value).is_some() {
            return true;
        }
        let block = self.defined.get(&value);
        block.is_some_and(|block| self.dominators.strictly_dominates(*block, head))
    }

    pub fn instruction(&self, value: ValueId) -> Option<&'b Instruction> {
        match self.body.values[value].def {
            ValueDef::Result(id, 0) => Some(&self.body.instructions[id].instruction),
            ValueDef::Result(..)
            | ValueDef::Param(..)
            | ValueDef::Memory(..)
            | ValueDef::Constant(_) => None,
        }
    }

    /// A constant, read as signed.
    pub fn number(&self, value: ValueId) -> Option<i128> {
        let width = self.body.ty(value).int_width()?;
        match self.body.as_constant(value)? {
            Constant::Int(bits) => {
                let unused = 128 - width;
                Some((bits << unused).cast_signed() >> unused)
            }
            Constant::F32(_)
            | Constant::F64(_)
            | Constant::Null
            | Constant::Global(_)
            | Constant::Function(_) => None,
        }
    }

    /// A value from before a loop.
    pub fn known(&self, value: ValueId) -> Affine {
        match self.number(value) {
            Some(constant) => Affine::constant(constant),
            None => Affine::of(Expression::Signed(Subject::Value(value.as_u32()))),
        }
    }

    /// What a parameter of a head gets where the loop is entered, and from within it.
    pub fn sources(&self, head: BlockId, param: ValueId) -> Option<(Vec<ValueId>, Vec<ValueId>)> {
        let id = self.loops.with_header(head)?;
        let mut params = self.body.blocks[head].params.iter();
        let index = params.position(|it| *it == param)?;
        let (mut entering, mut returning) = (vec![], vec![]);
        for from in self.cfg.predecessors(head) {
            let is_inside = self.loops.contains(id, *from);
            let targets = self.body.blocks[*from].terminator.targets();
            for target in targets.into_iter().filter(|it| it.block == head) {
                match is_inside {
                    true => returning.push(target.arguments[index]),
                    false => entering.push(target.arguments[index]),
                }
            }
        }
        Some((entering, returning))
    }

    /// The one value that a parameter of a head has when the loop begins.
    pub fn initial(&self, head: BlockId, param: ValueId) -> Option<ValueId> {
        let (entering, _) = self.sources(head, param)?;
        let first = *entering.first()?;
        let is_one = entering.iter().all(|it| *it == first);
        (is_one && self.is_before(head, first)).then_some(first)
    }

    /// How a parameter of a head goes, if it counts.
    pub fn counter(&self, head: BlockId, param: ValueId) -> Option<Counter> {
        let initial = self.initial(head, param)?;
        let (_, returning) = self.sources(head, param)?;
        let step = self.increment(param, *returning.first()?)?;
        let mut others = returning.iter();
        let is_one = others.all(|it| self.increment(param, *it) == Some(step));
        (is_one && step != 0).then_some(Counter { initial, step })
    }

    /// By what a value is more than another.
    fn increment(&self, from: ValueId, value: ValueId) -> Option<i128> {
        if value == from {
            return Some(0);
        }
        let Instruction::Binary { op, lhs, rhs } = self.instruction(value)? else {
            return None;
        };
        let by = self.number(*rhs)?;
        let below = self.increment(from, *lhs)?;
        match op {
            BinaryOp::Add => Some(below + by),
            BinaryOp::Sub => Some(below - by),
            _ => None,
        }
    }

    /// The contents of a region where a loop begins: a parameter of its head, or the last that was made on all ways there.
    pub fn memory_at(&self, head: BlockId, region: RegionId) -> Option<ValueId> {
        let is_of_region = |value: &ValueId| self.body.ty(*value) == Type::Memory(region);
        let mut block = head;
        loop {
            let data = &self.body.blocks[block];
            if block != head {
                let instructions = data.instructions.iter().rev();
                let mut uses = instructions.flat_map(|id| &self.body.instructions[*id].memory);
                if let Some(made) = uses.find_map(|used| used.output.filter(is_of_region)) {
                    return Some(made);
                }
            }
            if let Some(own) = data.params.iter().copied().find(is_of_region) {
                return Some(own);
            }
            block = self.dominators.immediate_dominator(block)?;
        }
    }
}
