//! Copies of bodies in the entry, and the choices that lead there.

use super::{ENTERS, cut_off};
use cranelift_entity::{EntityRef, SecondaryMap};
use foghorn_ir::{
    BlockId, Body, Callee, FunctionId, InstId, Instruction, NondetOrigin, Target, Terminator, Type,
    ValueDef, ValueId, VariableId,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Adds a copy of a body: the block at which it begins, with the function's parameters, and its instructions, each
/// with what it is a copy of.
pub fn copy_function(body: &mut Body, inner: &Body) -> (BlockId, Vec<(InstId, InstId)>) {
    let mut copy = Copy {
        inner,
        body,
        values: SecondaryMap::new(),
        blocks: SecondaryMap::new(),
        first_variable: 0,
    };
    copy.blocks();
    let made = copy.instructions();
    copy.terminators();
    (copy.block(inner.entry), made)
}

struct Copy<'c> {
    inner: &'c Body,
    body: &'c mut Body,
    values: SecondaryMap<ValueId, Option<ValueId>>,
    blocks: SecondaryMap<BlockId, Option<BlockId>>,
    first_variable: usize,
}

impl Copy<'_> {
    fn block(&self, block: BlockId) -> BlockId {
        self.blocks[block].expect("invariant: every block is copied")
    }

    fn blocks(&mut self) {
        for (block, data) in self.inner.blocks.iter() {
            let new = self.body.add_block();
            self.blocks[block] = Some(new);
            for &param in &data.params {
                let copy = self.body.add_param(new, self.inner.ty(param));
                self.body.values[copy].name = self.inner.values[param].name.clone();
                self.values[param] = Some(copy);
            }
        }
        self.first_variable = self.body.variables.len();
        for variable in self.inner.variables.values() {
            self.body.variables.push(variable.clone());
        }
    }

    /// Results first and operands second, as code that nothing reaches may use a value before it is defined.
    fn instructions(&mut self) -> Vec<(InstId, InstId)> {
        let mut made = vec![];
        for (block, data) in self.inner.blocks.iter() {
            let to = self.block(block);
            for &id in &data.instructions {
                let old = &self.inner.instructions[id];
                let types: Vec<Type> = old.results.iter().map(|it| self.inner.ty(*it)).collect();
                let new = self
                    .body
                    .append(to, old.instruction.clone(), &types, old.span);
                self.body.instructions[new].effective_type = old.effective_type.clone();
                let results = self.body.instructions[new].results.clone();
                for (&result, copy) in old.results.iter().zip(results) {
                    self.body.values[copy].name = self.inner.values[result].name.clone();
                    self.values[result] = Some(copy);
                }
                made.push((id, new));
            }
        }
        for &(id, new) in &made {
            let mut instruction = self.inner.instructions[id].instruction.clone();
            instruction.map_operands(|value| self.value(value));
            if let Instruction::Bind { variable, .. } = &mut instruction {
                *variable = VariableId::new(variable.index() + self.first_variable);
            }
            self.body.instructions[new].instruction = instruction;
        }
        for (id, variable) in self.inner.variables.iter() {
            let slot = variable.slot.map(|slot| self.value(slot));
            let copy = VariableId::new(id.index() + self.first_variable);
            self.body.variables[copy].slot = slot;
        }
        made
    }

    fn value(&mut self, value: ValueId) -> ValueId {
        match (self.values[value], self.inner.values[value].def) {
            (Some(copy), _) => copy,
            (None, ValueDef::Constant(constant)) => {
                let copy = self.body.constant(self.inner.ty(value), constant);
                self.values[value] = Some(copy);
                copy
            }
            (None, ValueDef::Param(..) | ValueDef::Result(..) | ValueDef::Memory(..)) => {
                unreachable!("invariant: every definition in a block is copied")
            }
        }
    }

    /// The ends of blocks; no execution goes on where the function returns.
    fn terminators(&mut self) {
        for (block, data) in self.inner.blocks.iter() {
            let new = self.block(block);
            self.body.blocks[new].terminator_span = data.terminator_span;
            if let Terminator::Return { .. } = data.terminator {
                cut_off(self.body, new);
                continue;
            }
            let mut terminator = data.terminator.clone();
            terminator.map_operands(|value| self.value(value));
            for target in terminator.targets_mut() {
                target.block = self.block(target.block);
            }
            self.body.blocks[new].terminator = terminator;
        }
    }
}

/// Before each call of a function with a copy, the choice whether it fails; the instructions that choose.
pub fn split_calls(body: &mut Body, entries: &FxHashMap<FunctionId, BlockId>) -> FxHashSet<InstId> {
    let mut choices = FxHashSet::default();
    for head in body.blocks.keys().collect::<Vec<_>>() {
        let mut current = head;
        for id in std::mem::take(&mut body.blocks[head].instructions) {
            let called = match &body.instructions[id].instruction {
                Instruction::Call {
                    callee: Callee::Direct(callee),
                    arguments,
                } => entries.get(callee).map(|block| (*block, arguments.clone())),
                _ => None,
            };
            if let Some((block, arguments)) = called {
                let span = body.instructions[id].span;
                let origin = NondetOrigin::Input(ENTERS.into());
                let choice = Instruction::Nondet { origin };
                let choice = body.append(current, choice, &[Type::BOOL], span);
                choices.insert(choice);
                let rest = body.add_block();
                let after = std::mem::replace(
                    &mut body.blocks[current].terminator,
                    Terminator::Unreachable,
                );
                body.blocks[rest].terminator = after;
                body.blocks[rest].terminator_span = body.blocks[current].terminator_span;
                body.blocks[current].terminator_span = span;
                let condition = body.result(choice);
                body.blocks[current].terminator = Terminator::Branch {
                    condition,
                    on_true: Target { block, arguments },
                    on_false: Target::new(rest),
                };
                current = rest;
            }
            body.blocks[current].instructions.push(id);
        }
    }
    choices
}
