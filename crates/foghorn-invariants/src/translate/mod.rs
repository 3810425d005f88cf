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
//! A check ends a run that violates it, so what it claims is assumed afterwards. If its group is
//! switched off that is so only where the machine gives its failure no meaning: signed arithmetic
//! wraps where nobody asks for overflows.

mod again;
mod arithmetic;
mod call;
mod comparison;
mod contents;
mod initial;
mod memory;
mod operand;
mod order;
mod passing;
mod population;
mod program;

use cranelift_entity::{EntityRef as _, SecondaryMap};
use foghorn_absint::language::{
    BlockId as GotoBlock, FunctionId as GotoFunction, Program, Terminator as GotoTerminator,
};
use foghorn_absint::variable::{Type as GotoType, VariableId as GotoVariable};
use foghorn_core::{CheckGroup, CheckKind};
use foghorn_ir::graph::ControlFlowGraph;
use foghorn_ir::{
    BlockId, Body, FunctionId, InstId, Instruction, Module, RegionId, Target, Terminator, ValueId,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

use crate::contents::Contents;
use crate::decision::Decision;
use crate::dropped::{Dropped, DroppedKind};
use crate::emitter::{Emitter, Place};
use crate::obligation::{Obligation, ObligationKind};
use crate::shape::{Meaning, Shape};
use again::Computed;
use foghorn_dsa::table::RegionTable;
use memory::Direction;

pub use program::translate;

/// What a translation takes for granted.
#[derive(Clone, Debug)]
pub struct TranslationOptions {
    /// Groups of checks that end a run which violates them.
    pub checks: BTreeSet<CheckGroup>,
    /// Whether accesses have to be aligned.
    pub alignment: bool,
}

impl Default for TranslationOptions {
    fn default() -> TranslationOptions {
        TranslationOptions {
            checks: CheckGroup::ALL.iter().copied().collect(),
            alignment: false,
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
    /// Where instructions begin.
    pub places: SecondaryMap<InstId, Option<Place>>,
    /// Where the function returns, before anything is passed, and what.
    pub returns: Option<(Place, Vec<ValueId>)>,
    pub contents: SecondaryMap<RegionId, Contents>,
    pub obligations: Vec<Obligation>,
}

/// The translation of one function in the making.
struct FunctionTranslator<'a> {
    module: &'a Module,
    function: FunctionId,
    body: &'a Body,
    regions: &'a RegionTable,
    options: &'a TranslationOptions,
    emitter: Emitter<'a>,
    dropped: &'a mut Dropped,
    shapes: SecondaryMap<ValueId, Shape>,
    blocks: SecondaryMap<BlockId, Option<GotoBlock>>,
    places: SecondaryMap<InstId, Option<Place>>,
    returns: Option<(Place, Vec<ValueId>)>,
    contents: SecondaryMap<RegionId, Contents>,
    /// The places in populations of what allocations make.
    newborn: FxHashMap<(InstId, RegionId), GotoVariable>,
    decisions: FxHashMap<ValueId, Decision>,
    computed: Computed,
    obligations: Vec<Obligation>,
}

impl FunctionTranslator<'_> {
    fn run(mut self) -> FunctionTranslation {
        let cfg = ControlFlowGraph::new(self.body);
        self.declare_regions();
        self.declare_leading(&cfg);
        for &block in cfg.reverse_postorder() {
            self.declare_block(block);
        }
        let entry = self.block(self.body.entry);
        self.emitter.switch_to(entry);
        self.assume_parameters();
        self.start_populations();
        // Dominators come first in reverse postorder, so decisions are known where they are used.
        for &block in cfg.reverse_postorder() {
            if block != self.body.entry {
                let goto = self.block(block);
                self.emitter.switch_to(goto);
            }
            for &instruction in &self.body.blocks[block].instructions {
                self.places[instruction] = Some(self.emitter.place());
                let earlier = self.computed_before(block, instruction);
                self.instruction(instruction, earlier);
            }
            self.terminator(block);
        }
        let (parameters, results) = self.interface();
        let name = program::goto_name(self.module, self.function);
        FunctionTranslation {
            goto: self.emitter.finish(name, parameters, results, entry),
            blocks: self.blocks,
            shapes: self.shapes,
            places: self.places,
            returns: self.returns,
            contents: self.contents,
            obligations: self.obligations,
        }
    }

    /// The parameters and the types of the results: scalars first, then contents of regions.
    fn interface(&self) -> (Vec<GotoVariable>, Vec<GotoType>) {
        let bits = self.pointer_bits();
        let params = &self.body.blocks[self.body.entry].params;
        let scalars = params.iter().flat_map(|it| self.shapes[*it].variables());
        let regions = self.body.memory_parameters();
        let contents = regions.flat_map(|(_, region)| self.contents[region].variables());
        let parameters = scalars.chain(contents).collect();
        let results = &self.module.functions[self.function].signature.results;
        let scalars = results
            .iter()
            .flat_map(|ty| crate::shape::goto_types(*ty, bits));
        let regions = self.body.memory_results();
        let contents = regions.flat_map(|region| self.contents[region].variables());
        let results = scalars.chain(contents.map(GotoVariable::ty)).collect();
        (parameters, results)
    }

    /// Declares the values of blocks that the entry reaches and that have to come first.
    fn declare_leading(&mut self, cfg: &ControlFlowGraph) {
        let reached: BTreeSet<ValueId> = cfg
            .reverse_postorder()
            .iter()
            .flat_map(|block| self.defined_in(*block))
            .collect();
        for value in order::leading_values(self.body) {
            if reached.contains(&value) {
                self.declare(value);
            }
        }
    }

    fn defined_in(&self, block: BlockId) -> Vec<ValueId> {
        let block = &self.body.blocks[block];
        let instructions = block.instructions.iter();
        let results = instructions.flat_map(|it| &self.body.instructions[*it].results);
        block.params.iter().chain(results).copied().collect()
    }

    fn declare_block(&mut self, block: BlockId) {
        let goto = self.emitter.block(format!("block{}", block.index()));
        self.blocks[block] = Some(goto);
        for value in self.defined_in(block) {
            if self.shapes[value] == Shape::Nothing {
                self.declare(value);
            }
        }
    }

    fn block(&self, block: BlockId) -> GotoBlock {
        self.blocks[block].expect("invariant: reachable blocks are declared first")
    }

    /// Sizes are never below the least, also those of arguments.
    fn assume_parameters(&mut self) {
        for &param in &self.body.blocks[self.body.entry].params {
            if let Shape::Pointer(pointer) = self.shapes[param] {
                self.emitter.assume_size(pointer.size);
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
            match body.ty(result).region() {
                Some(region) => self.havoc_region(region),
                None => self.havoc(result),
            }
        }
    }

    /// `earlier` is a value that has been computed in the same way.
    fn instruction(&mut self, id: InstId, earlier: Option<ValueId>) {
        let body = self.body;
        match (&body.instructions[id].instruction, earlier) {
            (Instruction::Load { pointer, align }, _) => self.load(id, *pointer, *align, earlier),
            (_, Some(earlier)) => self.repeat(id, earlier),
            (_, None) => self.new_instruction(id),
        }
    }

    fn new_instruction(&mut self, id: InstId) {
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
            Instruction::Allocate { size, kind, .. } => self.allocate(id, *kind, *size),
            Instruction::Load { pointer, align } => self.load(id, *pointer, *align, None),
            Instruction::Store {
                pointer,
                value,
                align,
            } => self.store(id, *pointer, *value, *align),
            Instruction::MemoryCopy {
                destination,
                source,
                length,
            } => {
                self.range_access(id, *destination, *length, Direction::Write);
                self.range_access(id, *source, *length, Direction::Read);
                self.copy_memory(id, *destination, *source, *length);
            }
            Instruction::MemorySet {
                destination,
                byte,
                length,
            } => {
                self.range_access(id, *destination, *length, Direction::Write);
                self.fill(id, *destination, *byte, *length);
            }
            Instruction::Free { pointer } => self.free(id, *pointer),
            Instruction::LifetimeStart { .. } => self.havoc_written(id),
            // What these do to lives is not followed.
            Instruction::LifetimeEnd { .. }
            | Instruction::StackRestore { .. }
            | Instruction::Bind { .. } => {}
            Instruction::Call { callee, arguments } => self.call(id, callee, arguments),
            Instruction::Check {
                kind, condition, ..
            } => {
                if self.is_on(*kind) {
                    self.check(id, ObligationKind::Check(*kind), *condition);
                } else if *kind == CheckKind::InvalidCall {
                    // A pointer that nobody determined may happen to lead to a function, and what
                    // that does is not known.
                    let unknown = ObligationKind::Check(CheckKind::Unsupported);
                    self.check(id, unknown, *condition);
                    self.assume_value(*condition, true);
                } else if kind.always_stops() {
                    self.assume_value(*condition, true);
                }
            }
            Instruction::Assume { condition } => self.assume_value(*condition, true),
        }
    }

    /// Whether checks of that kind are made.
    fn is_on(&self, kind: CheckKind) -> bool {
        let group = kind.group();
        group.is_none_or(|group| self.options.checks.contains(&group))
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
                self.returns = Some((self.emitter.place(), values.clone()));
                let mut returned = self.arguments(values);
                let regions = body.memory_results();
                returned.extend(regions.flat_map(|region| self.contents[region].variables()));
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
