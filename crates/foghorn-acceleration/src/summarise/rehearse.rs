//! Symbolic execution of one iteration as a function of the loop's counter, without consequences (a rehearsal).

use super::Summariser;
use super::index::Index;
use super::shape::{Change, Shape};
use foghorn_encode::execute::event::What;
use foghorn_encode::execute::new_name;
use foghorn_ir::{BlockId, Body, InstId, Instruction, MemoryUse, Terminator, Type, ValueId};
use foghorn_term::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

/// What an iteration does whose counter is the index's own symbol.
#[derive(Debug, Default)]
pub struct Rehearsal {
    /// What holds of an iteration that goes on.
    pub conditions: Vec<TermId>,
    /// The path was gone through to its end.
    pub is_complete: bool,
    /// Pointers and bits of stores.
    pub stores: FxHashMap<InstId, (TermId, TermId)>,
    /// The values of the path.
    pub values: FxHashMap<ValueId, TermId>,
    /// Pointers of loads.
    pub loads: Vec<TermId>,
}

/// Whether a load in an iteration gives what it would give without the loop's own stores.
pub type Trust<'t, 'm, 'r> = dyn FnMut(&mut Summariser<'_, 'm, 'r>, InstId, TermId) -> bool + 't;

impl<'m, 'r> Summariser<'_, 'm, 'r> {
    /// Goes through the path with these values of the head's parameters. What the loop's own stores did
    /// before is not seen, so loads from changed contents are trusted or may give anything.
    pub(super) fn rehearse(
        &mut self,
        shape: &Shape,
        index: &Index,
        parameters: &[TermId],
        trust: &mut Trust<'_, 'm, 'r>,
    ) -> Rehearsal {
        let known = &mut *self.known;
        let rehearsed = self.executor.rehearse(|executor| {
            let mut own = Summariser { executor, known };
            own.walk_path(shape, index, parameters, trust)
        });
        let mut rehearsal = rehearsed.result;
        for event in rehearsed.events {
            if let What::Assume { condition } | What::Check { condition, .. } = event.what {
                rehearsal.conditions.push(condition);
            }
        }
        if rehearsed.is_stopped {
            let never = self.executor.pool.bool(false);
            rehearsal.conditions.push(never);
        }
        rehearsal.values = rehearsed.values.into_iter().collect();
        rehearsal
    }

    fn walk_path(
        &mut self,
        shape: &Shape,
        index: &Index,
        parameters: &[TermId],
        trust: &mut Trust<'_, 'm, 'r>,
    ) -> Rehearsal {
        let body: &'m Body = self.executor.body();
        let head = shape.path[0];
        let mut changed: FxHashSet<ValueId> = FxHashSet::default();
        for ((&param, &term), change) in body.blocks[head]
            .params
            .iter()
            .zip(parameters)
            .zip(&shape.changes)
        {
            self.executor.set(param, term);
            if body.ty(param).region().is_some() && *change != Change::Kept {
                changed.insert(param);
            }
        }
        let mut rehearsal = Rehearsal::default();
        let mut walk = Walk {
            index,
            changed,
            trust,
        };
        rehearsal.is_complete = shape.is_straight;
        for (place, &block) in shape.path.iter().enumerate() {
            if !self.rehearse_block(body, block, &mut walk, &mut rehearsal) {
                rehearsal.is_complete = false;
                break;
            }
            let next = shape.path.get(place + 1).copied();
            let next = next.unwrap_or(head);
            self.rehearse_end(body, (block, next), shape, &mut walk, &mut rehearsal);
        }
        rehearsal
    }

    /// `false` if the block does something that cannot be said in terms of the counter.
    fn rehearse_block(
        &mut self,
        body: &'m Body,
        block: BlockId,
        walk: &mut Walk<'_, 'm, 'r>,
        rehearsal: &mut Rehearsal,
    ) -> bool {
        for &id in &body.blocks[block].instructions {
            let data = &body.instructions[id];
            match &data.instruction {
                Instruction::Load { pointer, .. } => {
                    let changed = walk.changed.contains(&data.memory[0].input);
                    let pointer = self.executor.get(*pointer);
                    rehearsal.loads.push(pointer);
                    if changed && !(walk.trust)(self, id, pointer) {
                        if !self.leave_open(body, id, walk) {
                            return false;
                        }
                        continue;
                    }
                    self.executor.instruction(id);
                }
                Instruction::Store { pointer, value, .. } => {
                    self.executor.instruction(id);
                    let (at, ty) = (self.executor.get(*pointer), body.ty(*value));
                    let value = self.executor.get(*value);
                    let bits = self.executor.bits_of_value(ty, value);
                    rehearsal.stores.insert(id, (at, bits));
                    walk.follow(&data.memory);
                }
                Instruction::Nondet { .. }
                | Instruction::Call { .. }
                | Instruction::MemorySet { .. } => {
                    if !self.leave_open(body, id, walk) {
                        return false;
                    }
                }
                _ => self.executor.instruction(id),
            }
        }
        true
    }

    /// The results of an instruction may be anything, in each iteration something else.
    fn leave_open(&mut self, body: &Body, id: InstId, walk: &mut Walk<'_, 'm, 'r>) -> bool {
        let data = &body.instructions[id];
        for &result in &data.results {
            let Some(term) = self.any_of(walk.index, body.ty(result)) else {
                return false;
            };
            self.executor.set(result, term);
        }
        for memory in &data.memory {
            if let Some(output) = memory.output {
                let cell = self.executor.cell(&body.regions[memory.region]);
                let name = new_name(self.executor.pool, "left_open");
                let contents = self.executor.arbitrary_memory(&name, cell);
                self.executor.set(output, contents);
                walk.changed.insert(output);
            }
        }
        true
    }

    /// A value for each index of which nothing is known.
    fn any_of(&mut self, index: &Index, ty: Type) -> Option<TermId> {
        let width = match ty {
            Type::Int(width) => width.into(),
            Type::F32 => 32,
            Type::F64 => 64,
            Type::Ptr | Type::Memory(_) => return None,
        };
        let bits = self.any_at(index.wide, width);
        Some(foghorn_encode::scalar::from_bits(self.executor.pool, bits))
    }

    /// The way on: what the branch requires, and the parameters of the next block.
    fn rehearse_end(
        &mut self,
        body: &'m Body,
        (block, next): (BlockId, BlockId),
        shape: &Shape,
        walk: &mut Walk<'_, 'm, 'r>,
        rehearsal: &mut Rehearsal,
    ) {
        let terminator = &body.blocks[block].terminator;
        let last = shape.path.last() == Some(&block) && !shape.is_straight;
        if last {
            return;
        }
        if let Terminator::Branch {
            condition,
            on_true,
            on_false,
        } = terminator
            && on_true != on_false
        {
            let condition = self.executor.get(*condition);
            let condition = self.executor.simplify(condition);
            let holds = match on_true.block == next {
                true => condition,
                false => self.executor.pool.not(condition),
            };
            rehearsal.conditions.push(holds);
        }
        let target = terminator.targets().find(|target| target.block == next);
        let target = target.expect("invariant: the path follows jumps");
        if next != shape.path[0] {
            for (&param, &argument) in body.blocks[next].params.iter().zip(&target.arguments) {
                let term = self.executor.get(argument);
                self.executor.set(param, term);
                // Contents that were changed before are so under their new name.
                if walk.changed.contains(&argument) {
                    walk.changed.insert(param);
                }
            }
        }
    }
}

/// What is known on the way.
struct Walk<'w, 'm, 'r> {
    index: &'w Index,
    /// Contents that depend on what the loop wrote before.
    changed: FxHashSet<ValueId>,
    trust: &'w mut Trust<'w, 'm, 'r>,
}

impl Walk<'_, '_, '_> {
    fn follow(&mut self, memory: &[MemoryUse]) {
        for memory in memory {
            if let Some(output) = memory.output
                && self.changed.contains(&memory.input)
            {
                self.changed.insert(output);
            }
        }
    }
}
