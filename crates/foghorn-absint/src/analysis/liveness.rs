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

fn difference(left: &BTreeSet<VariableId>, right: &BTreeSet<VariableId>) -> Vec<VariableId> {
    left.difference(right).copied().collect()
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

    /// The variables that some successor reads.
    fn live_after(&self, function: &Function, block: BlockId) -> BTreeSet<VariableId> {
        let successors = function.successors(block).iter();
        let live = successors.flat_map(|successor| &self.live_before[*successor]);
        live.copied().collect()
    }

    fn dead(&self, function: &Function, block: BlockId, own: &Effects) -> Vec<VariableId> {
        let mut needed = self.live_after(function, block);
        if let Terminator::Return(results) = &function.blocks[block].terminator {
            needed.extend(results);
        }
        let mut candidates = self.live_before[block].clone();
        candidates.extend(&own.defined);
        difference(&candidates, &needed)
    }

    /// The variables that another successor of `from` reads, but that are not read from `to` on.
    #[must_use]
    pub fn dead_between(&self, function: &Function, from: BlockId, to: BlockId) -> Vec<VariableId> {
        match function.successors(from) {
            [] | [_] => Vec::new(),
            _ => difference(&self.live_after(function, from), &self.live_before[to]),
        }
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
