//! What must be known of a function before it is executed.

use foghorn_encode::claim::{FunctionClaims, LoopClaim, Subject};
use foghorn_ir::graph::{ControlFlowGraph, DominatorTree, WeakTopologicalOrder, WtoKind};
use foghorn_ir::{BlockId, Body, InstId, Instruction, Terminator, ValueDef, ValueId};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

use super::formula::subjects;

/// Where a block stands among the iterations of the loops around it: a position in weak topological
/// order and an iteration for each of them, outermost first, then the block's own position. In this
/// order every block comes after all that flows into it.
pub type Key = Vec<(u32, u32)>;

/// A function ready to be executed.
#[derive(Debug)]
pub struct Plan {
    position: BTreeMap<BlockId, u32>,
    /// The heads of the loops around a block by their positions, outermost first; a head is in its own.
    around: BTreeMap<BlockId, Vec<u32>>,
    heads: BTreeSet<BlockId>,
    live: BTreeMap<BlockId, Vec<ValueId>>,
    /// The values that are defined where a block begins, of blocks of which something is claimed.
    scopes: BTreeMap<BlockId, BTreeSet<ValueId>>,
    /// Heads of loops that can be entered past the head.
    entered_aside: BTreeSet<BlockId>,
    /// Stack objects that are not alive before their `LifetimeStart`.
    pub starts_dead: FxHashSet<InstId>,
    /// Stack objects whose lives end only with the function.
    pub stays: FxHashSet<InstId>,
}

impl Plan {
    /// The plan of a function of which these claims are made.
    pub fn new(body: &Body, claims: Option<&FunctionClaims>) -> Self {
        let cfg = ControlFlowGraph::new(body);
        let order = WeakTopologicalOrder::new(cfg.graph(), &[body.entry]);
        let mut plan = Plan {
            position: BTreeMap::new(),
            around: BTreeMap::new(),
            heads: BTreeSet::new(),
            live: BTreeMap::new(),
            scopes: BTreeMap::new(),
            entered_aside: BTreeSet::new(),
            starts_dead: FxHashSet::default(),
            stays: FxHashSet::default(),
        };
        let mut open: Vec<(u32, usize)> = vec![];
        for (at, item) in order.items().iter().enumerate() {
            open.retain(|(_, end)| *end > at);
            let position = u32::try_from(at).expect("invariant: few blocks");
            if let WtoKind::Head { end } = item.kind {
                open.push((position, end));
                plan.heads.insert(item.node);
            }
            plan.position.insert(item.node, position);
            let around = open.iter().map(|(head, _)| *head).collect();
            plan.around.insert(item.node, around);
        }
        plan.find_scopes(body, &cfg);
        plan.find_entered_aside(&cfg);
        plan.find_live(body, claims);
        plan.find_lives(body);
        plan
    }

    /// Whether a value has been computed on every way to a place where claims stand: a head, the start, the return. What
    /// is in scope is what its definition says; of anything else a claim cannot speak.
    pub fn is_in_scope(&self, block: BlockId, value: ValueId) -> bool {
        let scope = self.scopes.get(&block);
        scope.is_some_and(|scope| scope.contains(&value))
    }

    /// Whether some way comes into the loop of a head without the head: iterations are not counted from there.
    pub fn is_entered_aside(&self, head: BlockId) -> bool {
        self.entered_aside.contains(&head)
    }

    /// The scopes of heads and of the start are what is defined where they begin, that of the return where it ends.
    fn find_scopes(&mut self, body: &Body, cfg: &ControlFlowGraph) {
        let dominators = DominatorTree::new(cfg.graph(), body.entry);
        for &block in self.position.keys() {
            let data = &body.blocks[block];
            let returns = matches!(data.terminator, Terminator::Return { .. });
            if !self.heads.contains(&block) && block != body.entry && !returns {
                continue;
            }
            let mut scope: BTreeSet<ValueId> = data.params.iter().copied().collect();
            let is_end = returns && !self.heads.contains(&block) && block != body.entry;
            let mut at = match is_end {
                true => Some(block),
                false => dominators.immediate_dominator(block),
            };
            while let Some(above) = at {
                scope.extend(definitions(body, above));
                at = dominators.immediate_dominator(above);
            }
            self.scopes.insert(block, scope);
        }
    }

    fn find_entered_aside(&mut self, cfg: &ControlFlowGraph) {
        for (&block, around) in &self.around {
            let preds = cfg.predecessors(block).iter();
            for from in preds.filter_map(|from| self.around.get(from)) {
                let own = self.position[&block];
                let aside = around.iter().filter(|at| !from.contains(at) && **at != own);
                let heads = aside.filter_map(|at| {
                    let mut all = self.position.iter();
                    all.find(|(_, position)| *position == at).map(|it| *it.0)
                });
                self.entered_aside.extend(heads);
            }
        }
    }

    pub fn is_head(&self, block: BlockId) -> bool {
        self.heads.contains(&block)
    }

    /// The heads of all loops.
    pub fn heads(&self) -> impl Iterator<Item = BlockId> + '_ {
        self.heads.iter().copied()
    }

    /// Whether a loop with an invariant lies inside the loop of a head.
    pub fn holds_another(&self, head: BlockId, is_cut: impl Fn(BlockId) -> bool) -> bool {
        let own = self.position[&head];
        let mut inner = self.heads.iter().filter(|other| **other != head);
        inner.any(|other| self.around[other].contains(&own) && is_cut(*other))
    }

    /// How deep the loop of a head lies.
    pub fn level(&self, head: BlockId) -> usize {
        self.around[&head].len() - 1
    }

    /// The values that a block or what follows it uses and does not define.
    pub fn live(&self, block: BlockId) -> &[ValueId] {
        self.live.get(&block).map_or(&[], Vec::as_slice)
    }

    /// The key of a block in the first iteration of all loops around it.
    pub fn first_key(&self, block: BlockId) -> Key {
        let mut key: Key = self.around[&block].iter().map(|head| (*head, 0)).collect();
        key.push((self.position[&block], 0));
        key
    }

    /// The key of a successor.
    pub fn next_key(&self, key: &Key, from: BlockId, to: BlockId) -> Key {
        let (around_from, around_to) = (&self.around[&from], &self.around[&to]);
        let mut next: Key = vec![];
        let mut common = true;
        for (level, head) in around_to.iter().enumerate() {
            common &= around_from.get(level) == Some(head);
            let is_own = level + 1 == around_to.len() && *head == self.position[&to];
            let iteration = match (common, is_own) {
                (true, true) => key[level].1 + 1,
                (true, false) => key[level].1,
                (false, _) => 0,
            };
            next.push((*head, iteration));
        }
        next.push((self.position[&to], 0));
        next
    }

    fn find_live(&mut self, body: &Body, claims: Option<&FunctionClaims>) {
        let mut uses: BTreeMap<BlockId, BTreeSet<ValueId>> = BTreeMap::new();
        let mut defines: BTreeMap<BlockId, BTreeSet<ValueId>> = BTreeMap::new();
        for &block in self.position.keys() {
            let data = &body.blocks[block];
            let own: BTreeSet<ValueId> = definitions(body, block).collect();
            let mut used = BTreeSet::new();
            for &id in &data.instructions {
                body.instructions[id].for_each_operand(|value| {
                    used.insert(value);
                });
            }
            data.terminator.for_each_operand(|value| {
                used.insert(value);
            });
            let is_return = matches!(data.terminator, Terminator::Return { .. });
            let claimed = claimed(body, claims, block, is_return).into_iter();
            used.extend(claimed.filter(|value| self.is_in_scope(block, *value)));
            used.retain(|value| body.as_constant(*value).is_none() && !own.contains(value));
            uses.insert(block, used);
            defines.insert(block, own);
        }
        let mut live = uses.clone();
        let order: Vec<BlockId> = {
            let mut blocks: Vec<(u32, BlockId)> = self
                .position
                .iter()
                .map(|(block, at)| (*at, *block))
                .collect();
            blocks.sort_unstable();
            blocks.into_iter().rev().map(|(_, block)| block).collect()
        };
        let mut changed = true;
        while changed {
            changed = false;
            for block in &order {
                let mut own = uses[block].clone();
                for target in body.blocks[*block].terminator.targets() {
                    let behind = live.get(&target.block).into_iter().flatten();
                    own.extend(behind.filter(|value| !defines[block].contains(value)));
                }
                if own.len() != live[block].len() {
                    live.insert(*block, own);
                    changed = true;
                }
            }
        }
        self.live = live
            .into_iter()
            .map(|(block, values)| (block, values.into_iter().collect()))
            .collect();
    }

    fn find_lives(&mut self, body: &Body) {
        let mut ended: FxHashSet<InstId> = FxHashSet::default();
        let mut restores = false;
        let mut stack = vec![];
        let instructions = self
            .position
            .keys()
            .flat_map(|block| &body.blocks[*block].instructions);
        for &id in instructions {
            let of = |pointer: ValueId| match body.values[pointer].def {
                ValueDef::Result(allocation, _) => Some(allocation),
                ValueDef::Param(..) | ValueDef::Memory(..) | ValueDef::Constant(_) => None,
            };
            match &body.instructions[id].instruction {
                Instruction::LifetimeStart { pointer } => self.starts_dead.extend(of(*pointer)),
                Instruction::LifetimeEnd { pointer } => match of(*pointer) {
                    Some(allocation) => {
                        ended.insert(allocation);
                    }
                    None => restores = true,
                },
                Instruction::StackRestore { .. } => restores = true,
                Instruction::Allocate {
                    kind: foghorn_ir::AllocationKind::Stack,
                    ..
                } => stack.push(id),
                _ => {}
            }
        }
        if !restores {
            let stays = stack.into_iter();
            let dead = &self.starts_dead;
            self.stays = stays
                .filter(|id| !dead.contains(id) && !ended.contains(id))
                .collect();
        }
    }
}

/// What a block defines: its parameters, and results and memories of its instructions.
fn definitions(body: &Body, block: BlockId) -> impl Iterator<Item = ValueId> + '_ {
    let data = &body.blocks[block];
    let computed = data.instructions.iter().flat_map(|&id| {
        let data = &body.instructions[id];
        let outputs = data.memory.iter().filter_map(|used| used.output);
        data.results.iter().copied().chain(outputs)
    });
    data.params.iter().copied().chain(computed)
}

/// The values that claims at a block speak of.
fn claimed(
    body: &Body,
    claims: Option<&FunctionClaims>,
    block: BlockId,
    is_return: bool,
) -> Vec<ValueId> {
    let mut found = vec![];
    let Some(claims) = claims else { return found };
    let contract = claims.contract.as_ref();
    let ensures = contract.and_then(|contract| contract.ensures.as_ref());
    let requires = contract.map(|contract| &contract.requires);
    let at_loop = match claims.loops.get(&block.as_u32()) {
        Some(LoopClaim::Invariant { holds, .. }) => Some(holds),
        Some(LoopClaim::Unwound { .. }) | None => None,
    };
    let at_return = ensures.filter(|_| is_return);
    let at_entry = requires.filter(|_| block == body.entry);
    for formula in [at_loop, at_return, at_entry]
        .into_iter()
        .flatten()
        .flatten()
    {
        for subject in subjects(formula) {
            if let Subject::Value(number) = subject
                && number != u32::MAX
                && body.values.is_valid(ValueId::from_u32(number))
            {
                found.push(ValueId::from_u32(number));
            }
        }
    }
    found
}
