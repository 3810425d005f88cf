//! Values that are computed again.
//!
//! A front end computes the same thing at each use: `x` is extended, or loaded, wherever it is read.
//! A domain that forgets how values hang together then learns of one copy what a branch says, and
//! not of the other. So an instruction that repeats one which dominates it is a copy of its result.
//! In the pure form that includes loads of the same memory.

use foghorn_ir::graph::DominatorTree;
use foghorn_ir::{BlockId, Body, InstId, Instruction, Type, ValueId};
use rustc_hash::FxHashMap;

use super::FunctionTranslator;

/// What was computed so far, by one of its operands.
pub(super) struct Computed {
    dominators: DominatorTree<BlockId>,
    known: FxHashMap<ValueId, Vec<(BlockId, InstId)>>,
}

impl Computed {
    pub(super) fn new(dominators: DominatorTree<BlockId>) -> Computed {
        Computed {
            dominators,
            known: FxHashMap::default(),
        }
    }

    /// The result of an instruction that dominates this one and computes the same; else this one
    /// is remembered.
    fn again(&mut self, body: &Body, block: BlockId, id: InstId) -> Option<ValueId> {
        let data = &body.instructions[id];
        let key = key(body, id)?;
        let known = self.known.entry(key).or_default();
        let same = |(place, earlier): &&(BlockId, InstId)| {
            let other = &body.instructions[*earlier];
            other.instruction == data.instruction
                && other.memory == data.memory
                && self.dominators.dominates(*place, block)
        };
        if let Some((_, earlier)) = known.iter().find(same) {
            return Some(body.result(*earlier));
        }
        known.push((block, id));
        None
    }
}

/// The first operand of an instruction that computes the same again.
fn key(body: &Body, id: InstId) -> Option<ValueId> {
    let data = &body.instructions[id];
    let repeats = match &data.instruction {
        // Pointers whose order is asked for have to be of one object, each time.
        Instruction::Compare { lhs, .. } => body.ty(*lhs) != Type::Ptr,
        Instruction::Load { .. } => data.memory.len() == 1,
        other => other.is_function_of_operands(),
    };
    let mut first = None;
    data.instruction.for_each_operand(|operand| {
        first.get_or_insert(operand);
    });
    first.filter(|_| repeats)
}

impl FunctionTranslator<'_> {
    /// The result of an earlier instruction that computes the same, of the same type.
    pub(super) fn computed_before(&mut self, block: BlockId, id: InstId) -> Option<ValueId> {
        let body = self.body;
        let earlier = self.computed.again(body, block, id)?;
        (body.ty(earlier) == body.ty(body.result(id))).then_some(earlier)
    }

    /// Makes the result of an instruction a copy of another value.
    pub(super) fn repeat(&mut self, id: InstId, earlier: ValueId) {
        let result = self.body.result(id);
        self.copy(self.shapes[result], earlier);
        if let Some(decision) = self.decisions.get(&earlier).cloned() {
            self.decisions.insert(result, decision);
        }
    }
}
