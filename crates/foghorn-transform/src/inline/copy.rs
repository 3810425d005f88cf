//! A copy of the callee in place of a call.
//!
//! The block of the call is split: its front jumps to the copy of the callee's entry, whose
//! parameters are the arguments, and the copy of the only return jumps to its rest, where the
//! returned values stand for the results. A callee that never returns leaves the rest unreachable.
//!
//! Stack objects: an `allocate` makes a new object each time it is executed, so a call in a loop
//! gets new ones. They die at the return by `lifetime-end` where their address is known there;
//! if one is not (it is allocated on some paths only) and is not dead by then anyway, all die by
//! `stack-restore` to a mark that is saved at the call.

use crate::lives::is_left_alive;
use crate::replacements::Replacements;
use cranelift_entity::{EntityRef, SecondaryMap};
use foghorn_core::{InlineSite, SpanId, SpanTable};
use foghorn_ir::graph::{ControlFlowGraph, DominatorTree, LoopForest};
use foghorn_ir::{
    AllocationKind, BlockId, Body, Callee, FunctionId, InstId, Instruction, Module, Target,
    Terminator, Type, ValueDef, ValueId, VariableId,
};
use rustc_hash::FxHashMap;

/// Inlines the direct calls in `body` that `wanted` wants; returns how many. The body must be
/// taken out of the module, and be cleaned up afterwards.
pub fn inline_calls(
    module: &mut Module,
    body: &mut Body,
    wanted: &mut impl FnMut(&Module, FunctionId) -> bool,
) -> usize {
    let mut results = Replacements::default();
    let mut count = 0;
    for head in body.blocks.keys().collect::<Vec<_>>() {
        let mut current = head;
        for id in std::mem::take(&mut body.blocks[head].instructions) {
            let callee = match body.instructions[id].instruction {
                Instruction::Call {
                    callee: Callee::Direct(callee),
                    ..
                } if wanted(module, callee) => callee,
                _ => {
                    body.blocks[current].instructions.push(id);
                    continue;
                }
            };
            count += 1;
            current = replace_call(module, body, current, id, callee, &mut results);
        }
    }
    results.apply(body);
    count
}

/// Puts a copy of the callee at the end of `block`; what followed the call follows in the block
/// that is returned.
fn replace_call(
    module: &mut Module,
    body: &mut Body,
    block: BlockId,
    call: InstId,
    callee: FunctionId,
    results: &mut Replacements,
) -> BlockId {
    let function = &module.functions[callee];
    let inner = function.body.as_ref().expect("invariant: wanted");
    let call_span = body.instructions[call].span;
    let site = InlineSite {
        callee: function.name.clone(),
        call: call_span,
    };
    let rest = body.add_block();
    let pointer_int = module.layout.pointer_int();
    let mut copy = Copy {
        inner,
        body,
        spans: Spans {
            table: &mut module.spans,
            site,
            known: FxHashMap::default(),
        },
        values: SecondaryMap::new(),
        blocks: SecondaryMap::new(),
        first_variable: 0,
    };
    let end = copy.ending();
    copy.enter(call);
    let mark = copy.save(block, &end, call_span, pointer_int);
    copy.instructions();
    let values = copy.terminators(rest, &end, mark);
    let body = copy.body;
    let terminator = std::mem::replace(&mut body.blocks[block].terminator, Terminator::Unreachable);
    body.blocks[rest].terminator = terminator;
    body.blocks[rest].terminator_span = body.blocks[block].terminator_span;
    let entry = copy.blocks[inner.entry].expect("invariant: the entry is copied");
    body.blocks[block].terminator = Terminator::Jump(Target::new(entry));
    body.blocks[block].terminator_span = call_span;
    for (result, value) in body.instructions[call]
        .results
        .clone()
        .into_iter()
        .zip(values)
    {
        if body.values[value].name.is_none() && body.as_constant(value).is_none() {
            body.values[value].name = body.values[result].name.clone();
        }
        results.set(result, value);
    }
    rest
}

/// How the stack objects of the call die.
enum Ending {
    /// By name; of the callee.
    LifetimeEnds(Vec<ValueId>),
    Restore,
}

/// Locations as they stand after inlining at one site.
struct Spans<'s> {
    table: &'s mut SpanTable,
    site: InlineSite,
    known: FxHashMap<SpanId, SpanId>,
}

impl Spans<'_> {
    fn inlined(&mut self, span: SpanId) -> SpanId {
        let (table, site) = (&mut *self.table, &self.site);
        *self
            .known
            .entry(span)
            .or_insert_with(|| table.inlined(span, site))
    }
}

struct Copy<'c> {
    inner: &'c Body,
    body: &'c mut Body,
    spans: Spans<'c>,
    values: SecondaryMap<ValueId, Option<ValueId>>,
    blocks: SecondaryMap<BlockId, Option<BlockId>>,
    first_variable: usize,
}

impl Copy<'_> {
    fn ending(&self) -> Ending {
        let inner = self.inner;
        let cfg = ControlFlowGraph::new(inner);
        let tree = DominatorTree::new(cfg.graph(), cfg.entry());
        let returns =
            |b: &BlockId| matches!(inner.blocks[*b].terminator, Terminator::Return { .. });
        let Some(last) = cfg.reverse_postorder().iter().copied().find(returns) else {
            return Ending::LifetimeEnds(vec![]);
        };
        let cyclic = LoopForest::new(&cfg);
        let mut objects = vec![];
        for &block in cfg.reverse_postorder() {
            for &id in &inner.blocks[block].instructions {
                let data = &inner.instructions[id];
                let Instruction::Allocate {
                    kind: AllocationKind::Stack,
                    ..
                } = data.instruction
                else {
                    continue;
                };
                // In a loop only the last of several objects would have a name at the return.
                if tree.dominates(block, last) && cyclic.innermost(block).is_none() {
                    objects.push(data.results[0]);
                } else if is_left_alive(inner, &cfg, block, id, data.results[0]) {
                    return Ending::Restore;
                }
            }
        }
        Ending::LifetimeEnds(objects)
    }

    /// Makes the blocks and their parameters; those of the entry are the arguments.
    fn enter(&mut self, call: InstId) {
        let Instruction::Call { arguments, .. } = &self.body.instructions[call].instruction else {
            unreachable!("invariant: only calls are inlined");
        };
        let arguments = arguments.clone();
        let params = &self.inner.blocks[self.inner.entry].params;
        for (&param, argument) in params.iter().zip(arguments) {
            self.values[param] = Some(argument);
        }
        for block in self.inner.blocks.keys() {
            let new = self.body.add_block();
            self.blocks[block] = Some(new);
            if block == self.inner.entry {
                continue;
            }
            for &param in &self.inner.blocks[block].params {
                let copy = self.body.add_param(new, self.inner.ty(param));
                self.body.values[copy].name = self.inner.values[param].name.clone();
                self.values[param] = Some(copy);
            }
        }
        self.first_variable = self.body.variables.len();
        for variable in self.inner.variables.values() {
            let mut variable = variable.clone();
            variable.span = self.spans.inlined(variable.span);
            self.body.variables.push(variable);
        }
    }

    fn save(
        &mut self,
        block: BlockId,
        ending: &Ending,
        span: SpanId,
        pointer_int: Type,
    ) -> Option<ValueId> {
        match ending {
            Ending::LifetimeEnds(_) => None,
            Ending::Restore => {
                let save = Instruction::StackSave;
                let id = self.body.append(block, save, &[pointer_int], span);
                Some(self.body.result(id))
            }
        }
    }

    /// Copies the instructions with their results first and their operands second, as unreachable
    /// code may use a value before it is defined.
    fn instructions(&mut self) {
        let mut made: Vec<(InstId, InstId)> = vec![];
        for (block, data) in self.inner.blocks.iter() {
            let to = self.blocks[block].expect("invariant: every block is copied");
            for &id in &data.instructions {
                let old = &self.inner.instructions[id];
                let types: Vec<Type> = old.results.iter().map(|&r| self.inner.ty(r)).collect();
                let span = self.spans.inlined(old.span);
                let new = self.body.append(to, old.instruction.clone(), &types, span);
                self.body.instructions[new].effective_type = old.effective_type.clone();
                let results = self.body.instructions[new].results.clone();
                for (&result, copy) in old.results.iter().zip(results) {
                    self.body.values[copy].name = self.inner.values[result].name.clone();
                    self.values[result] = Some(copy);
                }
                made.push((id, new));
            }
        }
        for (id, new) in made {
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

    /// Copies the ends of blocks; the values that the call returns.
    fn terminators(
        &mut self,
        rest: BlockId,
        ending: &Ending,
        mark: Option<ValueId>,
    ) -> Vec<ValueId> {
        let mut returned = vec![];
        for (block, data) in self.inner.blocks.iter() {
            let new = self.blocks[block].expect("invariant: every block is copied");
            let span = self.spans.inlined(data.terminator_span);
            let mut terminator = data.terminator.clone();
            terminator.map_operands(|value| self.value(value));
            for target in terminator.targets_mut() {
                target.block = self.blocks[target.block].expect("invariant: every block is copied");
            }
            if let Terminator::Return { values } = terminator {
                returned = values;
                self.end_lives(new, ending, mark, span);
                terminator = Terminator::Jump(Target::new(rest));
            }
            self.body.blocks[new].terminator = terminator;
            self.body.blocks[new].terminator_span = span;
        }
        returned
    }

    fn end_lives(&mut self, block: BlockId, ending: &Ending, mark: Option<ValueId>, span: SpanId) {
        match (ending, mark) {
            (Ending::Restore, Some(mark)) => {
                let restore = Instruction::StackRestore { mark };
                self.body.append(block, restore, &[], span);
            }
            (Ending::LifetimeEnds(objects), _) => {
                for &object in objects {
                    let pointer = self.value(object);
                    let end = Instruction::LifetimeEnd { pointer };
                    self.body.append(block, end, &[], span);
                }
            }
            (Ending::Restore, None) => unreachable!("invariant: a mark was saved"),
        }
    }
}
