//! Block parameters for fields, and the replacement of loads and stores.

use super::slots::{FieldId, SlotId, Slots, field_count, is_result};
use crate::cleanup::clear_unreachable;
use cranelift_entity::SecondaryMap;
use foghorn_core::SpanId;
use foghorn_ir::graph::{ControlFlowGraph, DominanceFrontiers, DominatorTree};
use foghorn_ir::{BlockId, Body, InstId, Instruction, NondetOrigin, Terminator, ValueId};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Rewrites the body so that the promoted slots are gone.
pub fn run(body: &mut Body, cfg: &ControlFlowGraph, tree: &DominatorTree<BlockId>, slots: &Slots) {
    let joins = place_params(body, cfg, tree, slots);
    let mut renamer = Renamer {
        slots,
        joins,
        current: vec![vec![]; field_count(slots)],
        replaced: SecondaryMap::new(),
        unknowns: vec![],
    };
    renamer.walk(body, tree);
    let unknowns = std::mem::take(&mut renamer.unknowns);
    clear_unreachable(body);
    for variable in body.variables.values_mut() {
        if variable
            .slot
            .is_some_and(|slot| slots.slot_of(slot).is_some())
        {
            variable.slot = None;
        }
    }
    drop_unused(body, &unknowns);
}

/// The new parameters of a block: each stands for a field.
type Joins = SecondaryMap<BlockId, Vec<(FieldId, ValueId)>>;

/// How a block touches a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Touch {
    /// Reads what the block found.
    UseFirst,
    /// Gives it a value before it reads.
    DefineFirst,
}

fn place_params(
    body: &mut Body,
    cfg: &ControlFlowGraph,
    tree: &DominatorTree<BlockId>,
    slots: &Slots,
) -> Joins {
    let (uses, definitions) = touches(body, cfg, slots);
    let frontiers = DominanceFrontiers::new(cfg.graph(), tree);
    let mut joins = Joins::new();
    for (field, data) in slots.fields.iter() {
        let defined: FxHashSet<BlockId> = definitions[field].iter().copied().collect();
        let live = live_in(cfg, &uses[field], &defined);
        for block in frontiers.iterated(definitions[field].iter().copied()) {
            if live.contains(&block) {
                let param = body.add_param(block, data.ty);
                body.values[param].name = name_of(body, slots, field);
                joins[block].push((field, param));
            }
        }
    }
    joins
}

/// For each field the blocks that read it before they define it, and the blocks that define it.
fn touches(
    body: &Body,
    cfg: &ControlFlowGraph,
    slots: &Slots,
) -> (
    SecondaryMap<FieldId, Vec<BlockId>>,
    SecondaryMap<FieldId, Vec<BlockId>>,
) {
    let mut uses: SecondaryMap<FieldId, Vec<BlockId>> = SecondaryMap::new();
    let mut definitions: SecondaryMap<FieldId, Vec<BlockId>> = SecondaryMap::new();
    let mut note = |field: FieldId, block: BlockId, touch: Touch| match touch {
        Touch::UseFirst => {
            if definitions[field].last() != Some(&block) && uses[field].last() != Some(&block) {
                uses[field].push(block);
            }
        }
        Touch::DefineFirst => {
            if definitions[field].last() != Some(&block) {
                definitions[field].push(block);
            }
        }
    };
    for &block in cfg.reverse_postorder() {
        for &id in &body.blocks[block].instructions {
            let data = &body.instructions[id];
            match &data.instruction {
                Instruction::Load { pointer, .. } => {
                    if let Some(field) = slots.field_of(*pointer)
                        && slots.slot_of(*pointer).is_some()
                    {
                        note(field, block, Touch::UseFirst);
                    }
                }
                Instruction::Store { pointer, .. } => {
                    if let Some(field) = slots.field_of(*pointer)
                        && slots.slot_of(*pointer).is_some()
                    {
                        note(field, block, Touch::DefineFirst);
                    }
                }
                other => {
                    if let Some(slot) = starts(slots, other, data.results.first().copied()) {
                        for &field in slots.slots[slot].fields.values() {
                            note(field, block, Touch::DefineFirst);
                        }
                    }
                }
            }
        }
    }
    (uses, definitions)
}

/// The promoted slot whose life an instruction starts.
fn starts(slots: &Slots, instruction: &Instruction, result: Option<ValueId>) -> Option<SlotId> {
    match instruction {
        Instruction::Allocate { .. } => slots.slot_of(result?),
        Instruction::LifetimeStart { pointer } => slots.slot_of(*pointer),
        _ => None,
    }
}

/// Blocks at whose start the field's value is still read.
fn live_in(
    cfg: &ControlFlowGraph,
    uses: &[BlockId],
    defined: &FxHashSet<BlockId>,
) -> FxHashSet<BlockId> {
    let mut live: FxHashSet<BlockId> = uses.iter().copied().collect();
    let mut work: Vec<BlockId> = uses.to_vec();
    while let Some(block) = work.pop() {
        for &before in cfg.predecessors(block) {
            if cfg.is_reachable(before) && !defined.contains(&before) && live.insert(before) {
                work.push(before);
            }
        }
    }
    live
}

fn name_of(body: &Body, slots: &Slots, field: FieldId) -> Option<Arc<str>> {
    let variable = slots.slots[slots.fields[field].slot].variable?;
    Some(body.variables[variable].name.clone())
}

struct Renamer<'a> {
    slots: &'a Slots,
    joins: Joins,
    /// The values of each field along the path of the dominator tree, innermost last.
    current: Vec<Vec<ValueId>>,
    /// What stands for the result of a removed load.
    replaced: SecondaryMap<ValueId, Option<ValueId>>,
    /// The nondets that were made for the starts of lives.
    unknowns: Vec<(BlockId, InstId)>,
}

/// What to do next on the walk over the dominator tree.
enum Step {
    Enter(BlockId),
    /// Forget the definitions made since.
    Leave(Vec<FieldId>),
}

impl Renamer<'_> {
    fn walk(&mut self, body: &mut Body, tree: &DominatorTree<BlockId>) {
        let mut steps = vec![Step::Enter(tree.root())];
        while let Some(step) = steps.pop() {
            match step {
                Step::Leave(defined) => {
                    for field in defined {
                        self.values_of(field).pop();
                    }
                }
                Step::Enter(block) => {
                    let defined = self.block(body, block);
                    steps.push(Step::Leave(defined));
                    steps.extend(tree.children(block).iter().map(|&child| Step::Enter(child)));
                }
            }
        }
    }

    fn values_of(&mut self, field: FieldId) -> &mut Vec<ValueId> {
        &mut self.current[cranelift_entity::EntityRef::index(field)]
    }

    fn now(&mut self, field: FieldId) -> ValueId {
        let values = self.values_of(field);
        *values
            .last()
            .expect("invariant: the allocation dominates every access")
    }

    fn block(&mut self, body: &mut Body, block: BlockId) -> Vec<FieldId> {
        let mut defined = vec![];
        for (field, param) in self.joins[block].clone() {
            self.values_of(field).push(param);
            defined.push(field);
        }
        let old = std::mem::take(&mut body.blocks[block].instructions);
        let mut new = Vec::with_capacity(old.len());
        for id in old {
            let replaced = &self.replaced;
            body.instructions[id]
                .instruction
                .map_operands(|v| replaced[v].unwrap_or(v));
            self.instruction(body, block, id, &mut new, &mut defined);
        }
        body.blocks[block].instructions = new;
        self.terminator(body, block);
        defined
    }

    fn instruction(
        &mut self,
        body: &mut Body,
        block: BlockId,
        id: InstId,
        new: &mut Vec<InstId>,
        defined: &mut Vec<FieldId>,
    ) {
        let data = &body.instructions[id];
        let result = data.results.first().copied();
        match data.instruction {
            Instruction::Load { pointer, .. } if self.slots.slot_of(pointer).is_some() => {
                let field = self
                    .slots
                    .field_of(pointer)
                    .expect("invariant: loads have fields");
                let value = self.now(field);
                self.replaced[result.expect("invariant: a load has a result")] = Some(value);
            }
            Instruction::Store { pointer, value, .. } if self.slots.slot_of(pointer).is_some() => {
                let field = self
                    .slots
                    .field_of(pointer)
                    .expect("invariant: stores have fields");
                self.values_of(field).push(value);
                defined.push(field);
                new.extend(self.bind(body, id, field, value));
            }
            Instruction::LifetimeEnd { pointer } if self.slots.slot_of(pointer).is_some() => {}
            Instruction::PointerAdd { .. }
                if result.is_some_and(|result| self.slots.slot_of(result).is_some()) => {}
            ref other => match starts(self.slots, other, result) {
                Some(slot) => self.start(body, block, data.span, slot, new, defined),
                None => new.push(id),
            },
        }
    }

    /// The life of a slot starts: its fields have values, but nobody knows which.
    fn start(
        &mut self,
        body: &mut Body,
        block: BlockId,
        span: SpanId,
        slot: SlotId,
        new: &mut Vec<InstId>,
        defined: &mut Vec<FieldId>,
    ) {
        for &field in self.slots.slots[slot].fields.values() {
            let name = name_of(body, self.slots, field).unwrap_or_else(|| "temporary".into());
            let nondet = Instruction::Nondet {
                origin: NondetOrigin::Uninitialised(name),
            };
            let id = body.create_instruction(nondet, &[self.slots.fields[field].ty], span);
            new.push(id);
            self.unknowns.push((block, id));
            let value = body.result(id);
            self.values_of(field).push(value);
            defined.push(field);
        }
    }

    /// The note that a variable of the source has a new value.
    fn bind(
        &self,
        body: &mut Body,
        store: InstId,
        field: FieldId,
        value: ValueId,
    ) -> Option<InstId> {
        let slot = &self.slots.slots[self.slots.fields[field].slot];
        let variable = slot.variable.filter(|_| slot.fields.len() == 1)?;
        if is_result(body, value) && body.values[value].name.is_none() {
            body.values[value].name = Some(body.variables[variable].name.clone());
        }
        let span = body.instructions[store].span;
        Some(body.create_instruction(Instruction::Bind { variable, value }, &[], span))
    }

    fn terminator(&mut self, body: &mut Body, block: BlockId) {
        let mut terminator =
            std::mem::replace(&mut body.blocks[block].terminator, Terminator::Unreachable);
        let replaced = &self.replaced;
        terminator.map_operands(|v| replaced[v].unwrap_or(v));
        for target in terminator.targets_mut() {
            for (field, _) in self.joins[target.block].clone() {
                let value = self.now(field);
                target.arguments.push(value);
            }
        }
        body.blocks[block].terminator = terminator;
    }
}

/// Removes the nondets of lives that are always written before they are read.
fn drop_unused(body: &mut Body, unknowns: &[(BlockId, InstId)]) {
    let mut used: SecondaryMap<ValueId, bool> = SecondaryMap::new();
    for block in body.blocks.values() {
        for &id in &block.instructions {
            body.instructions[id]
                .instruction
                .for_each_operand(|value| used[value] = true);
        }
        block
            .terminator
            .for_each_operand(|value| used[value] = true);
    }
    let unused = |body: &Body, id: InstId| !used[body.result(id)];
    let drop: FxHashSet<InstId> = unknowns
        .iter()
        .map(|&(_, id)| id)
        .filter(|&id| unused(body, id))
        .collect();
    for &(block, id) in unknowns {
        if drop.contains(&id) {
            body.blocks[block]
                .instructions
                .retain(|i| !drop.contains(i));
        }
    }
}
