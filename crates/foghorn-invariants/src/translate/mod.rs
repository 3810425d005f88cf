//! IR → goto language, function by function (Clam, §4.2.6 of the SeaHorn paper).
//!
//! Every IR block becomes a goto block, every edge one of its own: it assumes what the branch says
//! and assigns the arguments to the parameters of the target. Within a block each instruction
//! becomes statements; one that needs cases forks and meets again. Integers are machine integers of
//! the same width in both languages, compared with the signedness of the instruction.
//!
//! The translation is total: what it does not express is havocked and counted
//! ([`crate::dropped`]). It over-approximates the interpreter of the IR: for each run there is a
//! run of the goto program that passes the same blocks, and in which every variable of a value
//! that dominates the block has the value's meaning ([`crate::shape`]). Either form of a body can
//! be translated.
//!
//! A check ends a run that violates it, so what it claims is assumed afterwards, but only if its
//! group is switched on: signed arithmetic wraps where nobody asks for overflows.

mod arithmetic;
mod call;
mod comparison;
mod memory;
mod operand;
mod program;

use cranelift_entity::{EntityRef as _, SecondaryMap};
use foghorn_absint::language::{
    BlockId as GotoBlock, FunctionId as GotoFunction, Program, Terminator as GotoTerminator,
};
use foghorn_core::CheckGroup;
use foghorn_ir::graph::ControlFlowGraph;
use foghorn_ir::{
    BlockId, Body, FunctionId, InstId, Instruction, Module, Target, Terminator, ValueId,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

use crate::decision::Decision;
use crate::dropped::{Dropped, DroppedKind};
use crate::emitter::Emitter;
use crate::obligation::{Obligation, ObligationKind};
use crate::shape::{Meaning, Shape};

pub use program::translate;

/// What a translation takes for granted.
#[derive(Clone, Debug)]
pub struct TranslationOptions {
    /// Groups of checks that end a run which violates them.
    pub checks: BTreeSet<CheckGroup>,
}

impl Default for TranslationOptions {
    fn default() -> TranslationOptions {
        TranslationOptions {
            checks: CheckGroup::ALL.iter().copied().collect(),
        }
    }
}

/// A module in the goto language, and how the two hang together.
#[derive(Clone, Debug)]
pub struct Translation {
    pub program: Program,
    /// By index of the goto variable.
    pub meanings: Vec<Meaning>,
    /// Functions without a body have none.
    pub functions: SecondaryMap<FunctionId, Option<FunctionTranslation>>,
    pub dropped: Dropped,
}

/// A function in both languages.
#[derive(Clone, Debug)]
pub struct FunctionTranslation {
    pub goto: GotoFunction,
    /// The goto block at whose start the parameters of the IR block have their values; none for
    /// blocks that the entry does not reach.
    pub blocks: SecondaryMap<BlockId, Option<GotoBlock>>,
    pub shapes: SecondaryMap<ValueId, Shape>,
    pub obligations: Vec<Obligation>,
}

/// The translation of one function in the making.
struct FunctionTranslator<'a> {
    module: &'a Module,
    body: &'a Body,
    options: &'a TranslationOptions,
    emitter: Emitter<'a>,
    dropped: &'a mut Dropped,
    shapes: SecondaryMap<ValueId, Shape>,
    blocks: SecondaryMap<BlockId, Option<GotoBlock>>,
    decisions: FxHashMap<ValueId, Decision>,
    obligations: Vec<Obligation>,
}

impl FunctionTranslator<'_> {
    fn run(mut self, id: FunctionId) -> FunctionTranslation {
        let cfg = ControlFlowGraph::new(self.body);
        for &block in cfg.reverse_postorder() {
            self.declare_block(block);
        }
        let entry = self.block(self.body.entry);
        self.emitter.switch_to(entry);
        self.assume_parameters();
        // Dominators come first in reverse postorder, so decisions are known where they are used.
        for &block in cfg.reverse_postorder() {
            if block != self.body.entry {
                let goto = self.block(block);
                self.emitter.switch_to(goto);
            }
            for &instruction in &self.body.blocks[block].instructions {
                self.instruction(instruction);
            }
            self.terminator(block);
        }
        let bits = self.pointer_bits();
        let params = &self.body.blocks[self.body.entry].params;
        let parameters = params
            .iter()
            .flat_map(|param| self.shapes[*param].variables());
        let parameters = parameters.collect();
        let results = &self.module.functions[id].signature.results;
        let results = results
            .iter()
            .flat_map(|ty| crate::shape::goto_types(*ty, bits));
        let results = results.collect();
        let name = program::goto_name(self.module, id);
        FunctionTranslation {
            goto: self.emitter.finish(name, parameters, results, entry),
            blocks: self.blocks,
            shapes: self.shapes,
            obligations: self.obligations,
        }
    }

    fn declare_block(&mut self, block: BlockId) {
        let goto = self.emitter.block(format!("block{}", block.index()));
        self.blocks[block] = Some(goto);
        for &param in &self.body.blocks[block].params {
            self.declare(param);
        }
        for &instruction in &self.body.blocks[block].instructions {
            for &result in &self.body.instructions[instruction].results {
                self.declare(result);
            }
        }
    }

    fn block(&self, block: BlockId) -> GotoBlock {
        self.blocks[block].expect("invariant: reachable blocks are declared first")
    }

    /// Sizes are never negative, also those of arguments.
    fn assume_parameters(&mut self) {
        for &param in &self.body.blocks[self.body.entry].params {
            if let Shape::Pointer(pointer) = self.shapes[param] {
                self.assume_size(pointer.size);
            }
        }
    }

    fn drop_results(&mut self, instruction: InstId, kind: DroppedKind) {
        let body = self.body;
        let results = &body.instructions[instruction].results;
        if !results.is_empty() {
            self.dropped.count(kind);
        }
        for &result in results {
            self.havoc(result);
        }
    }

    /// Havocs what the program itself leaves open.
    fn any_results(&mut self, instruction: InstId) {
        let body = self.body;
        for &result in &body.instructions[instruction].results {
            self.havoc(result);
        }
    }

    fn instruction(&mut self, id: InstId) {
        let body = self.body;
        match &body.instructions[id].instruction {
            Instruction::Binary { op, lhs, rhs } => self.binary(id, *op, *lhs, *rhs),
            Instruction::Overflows {
                op,
                signed,
                lhs,
                rhs,
            } => self.overflows(id, *op, *signed, *lhs, *rhs),
            Instruction::Unary { op, operand } => self.unary(id, *op, *operand),
            Instruction::Compare {
                predicate,
                lhs,
                rhs,
            } => self.compare(id, *predicate, *lhs, *rhs),
            Instruction::Cast { op, operand } => self.cast(id, *op, *operand),
            Instruction::FloatUnary { .. }
            | Instruction::FloatBinary { .. }
            | Instruction::FusedMultiplyAdd { .. }
            | Instruction::FloatCompare { .. } => {
                self.drop_results(id, DroppedKind::FloatingPoint);
            }
            Instruction::Select {
                condition,
                on_true,
                on_false,
            } => self.select(body.result(id), *condition, *on_true, *on_false),
            Instruction::PointerAdd {
                base,
                constant,
                scaled,
            } => self.pointer_add(body.result(id), *base, *constant, scaled),
            Instruction::Nondet { .. } | Instruction::StackSave => self.any_results(id),
            Instruction::Allocate { size, .. } => self.allocate(body.result(id), *size),
            Instruction::Load { pointer, .. } => self.load(id, *pointer),
            Instruction::Store { pointer, value, .. } => {
                let bytes = body.ty(*value).store_size(self.module.layout.pointer_bytes);
                self.access(id, *pointer, bytes);
            }
            Instruction::MemoryCopy {
                destination,
                source,
                length,
            } => {
                self.range_access(id, *destination, *length);
                self.range_access(id, *source, *length);
            }
            Instruction::MemorySet {
                destination,
                length,
                ..
            } => self.range_access(id, *destination, *length),
            // What these do to lives and to memory is not followed.
            Instruction::Free { .. }
            | Instruction::LifetimeStart { .. }
            | Instruction::LifetimeEnd { .. }
            | Instruction::StackRestore { .. }
            | Instruction::Bind { .. } => {}
            Instruction::Call { callee, arguments } => self.call(id, callee, arguments),
            Instruction::Check {
                kind, condition, ..
            } => {
                if kind
                    .group()
                    .is_none_or(|group| self.options.checks.contains(&group))
                {
                    self.check(id, ObligationKind::Check(*kind), *condition);
                }
            }
            Instruction::Assume { condition } => self.assume_value(*condition, true),
        }
    }

    fn check(&mut self, id: InstId, kind: ObligationKind, condition: ValueId) {
        let mut violations = self.decision(condition).fails;
        // The boolean itself knows what the decision may have lost.
        if let Shape::Boolean(variable) = self.shapes[condition] {
            for violation in &mut violations {
                violation.push(foghorn_absint::language::Condition::Boolean {
                    variable,
                    value: false,
                });
            }
        }
        self.oblige(id, kind, violations);
        self.assume_value(condition, true);
    }

    fn oblige(
        &mut self,
        instruction: InstId,
        kind: ObligationKind,
        violations: Vec<crate::decision::Conjunction>,
    ) {
        self.obligations.push(Obligation {
            kind,
            instruction,
            place: self.emitter.place(),
            violations,
        });
    }

    fn terminator(&mut self, block: BlockId) {
        let body = self.body;
        let here = self.emitter.current();
        match &body.blocks[block].terminator {
            Terminator::Jump(target) => {
                self.pass(target);
                let end = self.emitter.current();
                let to = self.block(target.block);
                self.emitter.goto(end, vec![to]);
            }
            Terminator::Branch {
                condition,
                on_true,
                on_false,
            } => {
                let heads = [
                    self.edge(*condition, true, on_true),
                    self.edge(*condition, false, on_false),
                ];
                let heads = heads.into_iter().flatten().collect();
                self.emitter.goto(here, heads);
            }
            Terminator::Return { values } => {
                let returned = self.arguments(values);
                let end = self.emitter.current();
                self.emitter
                    .terminate(end, GotoTerminator::Return(returned));
            }
            // A block without successors: the run does not go on.
            Terminator::Halt { .. } | Terminator::Unreachable => {}
        }
    }

    /// The first block of an edge; none if the edge is never taken.
    fn edge(&mut self, condition: ValueId, truth: bool, target: &Target) -> Option<GotoBlock> {
        if self.decision(condition).when(truth).is_empty() {
            return None;
        }
        let head = self.emitter.next_block();
        self.emitter.switch_to(head);
        self.assume_value(condition, truth);
        self.pass(target);
        let end = self.emitter.current();
        let to = self.block(target.block);
        self.emitter.goto(end, vec![to]);
        Some(head)
    }

    /// Assigns the arguments of an edge to the parameters, all at once: an argument that is itself
    /// a parameter of the target is saved before it is overwritten.
    fn pass(&mut self, target: &Target) {
        let body = self.body;
        let params = &body.blocks[target.block].params;
        let pairs: Vec<(ValueId, ValueId)> = params
            .iter()
            .copied()
            .zip(target.arguments.iter().copied())
            .filter(|(param, argument)| param != argument)
            .collect();
        let mut saved: FxHashMap<ValueId, Shape> = FxHashMap::default();
        for (_, argument) in &pairs {
            if params.contains(argument) && !saved.contains_key(argument) {
                let shape = self.temporary_like(*argument);
                self.copy(shape, *argument);
                saved.insert(*argument, shape);
            }
        }
        for (param, argument) in pairs {
            let target = self.shapes[param];
            match saved.get(&argument) {
                Some(shape) => self.copy_shape(target, *shape),
                None => self.copy(target, argument),
            }
        }
    }
}
