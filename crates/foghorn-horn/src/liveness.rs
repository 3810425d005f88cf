//! Which values are still used.

use cranelift_entity::SecondaryMap;
use foghorn_ir::graph::ControlFlowGraph;
use foghorn_ir::{BlockId, Body, ValueDef, ValueId};
use std::collections::BTreeSet;

/// The values that are used at or behind the start of each block of a body, without its parameters
/// and without constants.
#[derive(Clone, Debug)]
pub struct Liveness {
    at_start: SecondaryMap<BlockId, BTreeSet<ValueId>>,
}

impl Liveness {
    /// Of the values that matter.
    pub fn new(body: &Body, matters: &dyn Fn(ValueId) -> bool) -> Self {
        let cfg = ControlFlowGraph::new(body);
        let mut found = Liveness {
            at_start: SecondaryMap::new(),
        };
        loop {
            let mut changed = false;
            for &block in cfg.reverse_postorder().iter().rev() {
                let live = found.before(body, block, 0, matters);
                changed |= live.len() != found.at_start[block].len();
                found.at_start[block] = live;
            }
            if !changed {
                return found;
            }
        }
    }

    /// The values that are used at or behind an instruction of a block, given by its place; those that
    /// the block's parameters are, only if the place is not the start.
    pub fn before(
        &self,
        body: &Body,
        block: BlockId,
        index: usize,
        matters: &dyn Fn(ValueId) -> bool,
    ) -> BTreeSet<ValueId> {
        let data = &body.blocks[block];
        let counts = |value: ValueId| match body.values[value].def {
            ValueDef::Constant(_) => false,
            ValueDef::Param(..) | ValueDef::Result(..) | ValueDef::Memory(..) => matters(value),
        };
        let mut live: BTreeSet<ValueId> = BTreeSet::new();
        for target in data.terminator.targets() {
            live.extend(self.at_start[target.block].iter().copied());
            let params = &body.blocks[target.block].params;
            for (param, argument) in params.iter().zip(&target.arguments) {
                if matters(*param) && counts(*argument) {
                    live.insert(*argument);
                }
            }
        }
        let targets: BTreeSet<ValueId> = data
            .terminator
            .targets()
            .flat_map(|target| target.arguments.iter().copied())
            .collect();
        data.terminator.for_each_operand(|value| {
            // The condition of a branch may be an argument too.
            let is_own = !targets.contains(&value) || is_condition(body, block, value);
            if is_own && counts(value) {
                live.insert(value);
            }
        });
        for &instruction in data.instructions[index..].iter().rev() {
            let data = &body.instructions[instruction];
            data.for_each_definition(|value| {
                live.remove(&value);
            });
            data.for_each_operand(|value| {
                if counts(value) {
                    live.insert(value);
                }
            });
        }
        if index == 0 {
            for param in &data.params {
                live.remove(param);
            }
        }
        live
    }

    /// The values that are live where a block starts, its parameters not counted.
    pub fn at_start(&self, block: BlockId) -> &BTreeSet<ValueId> {
        &self.at_start[block]
    }
}

fn is_condition(body: &Body, block: BlockId, value: ValueId) -> bool {
    matches!(
        body.blocks[block].terminator,
        foghorn_ir::Terminator::Branch { condition, .. } if condition == value
    )
}
