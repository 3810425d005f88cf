//! What stands for a value outside of its loop.

use super::Use;
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use foghorn_ir::graph::ControlFlowGraph;
use foghorn_ir::{BlockId, Body, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The definitions that stand for one value beyond its loop.
pub(super) struct Reaching {
    value: ValueId,
    exits: FxHashSet<BlockId>,
    /// What the value is at the start, and so at the end, of each block asked about.
    known: FxHashMap<BlockId, PackedOption<ValueId>>,
    made: Vec<ValueId>,
}

impl Reaching {
    pub fn new(value: ValueId, exits: FxHashSet<BlockId>) -> Self {
        Reaching {
            value,
            exits,
            known: FxHashMap::default(),
            made: vec![],
        }
    }

    /// New parameters, in the order in which they were made.
    pub fn made(self) -> Vec<ValueId> {
        self.made
    }

    /// What stands for the value in `block`, which lies outside of the loop.
    pub fn at(
        &mut self,
        body: &mut Body,
        cfg: &ControlFlowGraph,
        uses: &mut SecondaryMap<ValueId, Vec<Use>>,
        block: BlockId,
    ) -> ValueId {
        let mut open: Vec<BlockId> = vec![];
        // Up from the use, over blocks with one predecessor, to a block that needs a parameter.
        let mut asked = vec![block];
        while let Some(at) = asked.pop() {
            if self.known.contains_key(&at) {
                continue;
            }
            let before = predecessors(cfg, at);
            if let ([only], false) = (&before[..], self.exits.contains(&at)) {
                self.known.insert(at, None.into());
                open.push(at);
                asked.push(*only);
                continue;
            }
            let param = body.add_param(at, body.ty(self.value));
            body.values[param].name = body.values[self.value].name.clone();
            self.known.insert(at, param.into());
            self.made.push(param);
            if self.exits.contains(&at) {
                self.feed(body, uses, &before, at, |_| Some(self.value));
            } else {
                asked.extend(&before);
                open.push(at);
            }
        }
        self.settle(body, cfg, uses, open);
        self.lookup(cfg, block)
    }

    /// What reaches a block, now that everything above it is known.
    fn lookup(&mut self, cfg: &ControlFlowGraph, block: BlockId) -> ValueId {
        let mut path = vec![];
        let mut at = block;
        let found = loop {
            let known = self.known.get(&at).expect("invariant: was asked about");
            match known.expand() {
                Some(value) => break value,
                None => {
                    path.push(at);
                    at = predecessors(cfg, at)[0];
                }
            }
        };
        for block in path {
            self.known.insert(block, found.into());
        }
        found
    }

    /// Gives the parameters that were made at joins their arguments.
    fn settle(
        &mut self,
        body: &mut Body,
        cfg: &ControlFlowGraph,
        uses: &mut SecondaryMap<ValueId, Vec<Use>>,
        open: Vec<BlockId>,
    ) {
        for block in open {
            let before = predecessors(cfg, block);
            if before.len() == 1 {
                continue;
            }
            let arguments: FxHashMap<BlockId, ValueId> = before
                .iter()
                .map(|&from| (from, self.lookup(cfg, from)))
                .collect();
            self.feed(body, uses, &before, block, |from| {
                arguments.get(&from).copied()
            });
        }
    }

    /// Adds an argument to every jump to a block.
    fn feed(
        &self,
        body: &mut Body,
        uses: &mut SecondaryMap<ValueId, Vec<Use>>,
        before: &[BlockId],
        block: BlockId,
        argument: impl Fn(BlockId) -> Option<ValueId>,
    ) {
        for &from in before {
            let value = argument(from).expect("invariant: every predecessor was asked about");
            for target in body.blocks[from].terminator.targets_mut() {
                if target.block == block {
                    target.arguments.push(value);
                }
            }
            uses[value].push(Use::Terminator(from));
        }
    }
}

/// Reachable predecessors, without repetition.
fn predecessors(cfg: &ControlFlowGraph, block: BlockId) -> Vec<BlockId> {
    let reachable = cfg.predecessors(block).iter().copied();
    let mut all: Vec<BlockId> = reachable.filter(|&b| cfg.is_reachable(b)).collect();
    all.sort_unstable();
    all.dedup();
    all
}
