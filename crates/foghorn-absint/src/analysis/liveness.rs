//! Live variables: a state need not speak of what is not read any more.
//!
//! Relational domains pay for every variable; forgetting the dead ones at the end of each block
//! keeps them small.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;

use crate::language::{BlockId, Function, Terminator};
use crate::variable::VariableId;

/// Which variables are read later, and which can be forgotten where.
#[derive(Clone, Debug, Default)]
pub struct Liveness {
    live_before: SecondaryMap<BlockId, BTreeSet<VariableId>>,
    dead_after: SecondaryMap<BlockId, Vec<VariableId>>,
}

struct Effects {
    used_first: BTreeSet<VariableId>,
    defined: BTreeSet<VariableId>,
}

fn effects(function: &Function, block: BlockId) -> Effects {
    let mut result = Effects {
        used_first: BTreeSet::new(),
        defined: BTreeSet::new(),
    };
    for statement in &function.blocks[block].statements {
        for x in statement.used() {
            if !result.defined.contains(&x) {
                result.used_first.insert(x);
            }
        }
        result.defined.extend(statement.defined());
    }
    if let Terminator::Return(results) = &function.blocks[block].terminator {
        let unwritten = results.iter().filter(|x| !result.defined.contains(x));
        result
            .used_first
            .extend(unwritten.copied().collect::<Vec<_>>());
    }
    result
}

impl Liveness {
    #[must_use]
    pub fn new(function: &Function) -> Liveness {
        let mut liveness = Liveness::default();
        let all: Vec<(BlockId, Effects)> = function
            .blocks
            .keys()
            .map(|block| (block, effects(function, block)))
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (block, own) in all.iter().rev() {
                let mut live = own.used_first.clone();
                for successor in function.successors(*block) {
                    let later = liveness.live_before[*successor].iter();
                    live.extend(later.filter(|x| !own.defined.contains(x)));
                }
                if live.len() != liveness.live_before[*block].len() {
                    liveness.live_before[*block] = live;
                    changed = true;
                }
            }
        }
        for (block, own) in &all {
            liveness.dead_after[*block] = liveness.dead(function, *block, own);
        }
        liveness
    }

    fn dead(&self, function: &Function, block: BlockId, own: &Effects) -> Vec<VariableId> {
        let mut needed: BTreeSet<VariableId> = BTreeSet::new();
        for successor in function.successors(block) {
            needed.extend(&self.live_before[*successor]);
        }
        if let Terminator::Return(results) = &function.blocks[block].terminator {
            needed.extend(results);
        }
        let mut candidates = self.live_before[block].clone();
        candidates.extend(&own.defined);
        candidates.difference(&needed).copied().collect()
    }

    /// The variables that are read after the start of the block before they are written.
    #[must_use]
    pub fn live_before(&self, block: BlockId) -> &BTreeSet<VariableId> {
        &self.live_before[block]
    }

    /// The variables that die in the block.
    #[must_use]
    pub fn dead_after(&self, block: BlockId) -> &[VariableId] {
        &self.dead_after[block]
    }
}
