//! One function: its blocks, φ-nodes as block parameters, one exit.
//!
//! Invariants while a function is translated:
//! - `block` is where the next instruction goes; it may differ from the block that an LLVM block
//!   began as, because some constructs branch.
//! - Code behind a call that never returns goes to a block that nothing reaches; such blocks are
//!   emptied at the end, so that the result has no dead code and at most one `return`.

use super::Unsupported;
use super::missing_return::WatchedResult;
use super::module::ModuleTranslator;
use super::poison::Poison;
use super::scopes::{Mark, ScopeMarks};
use crate::llvm::{BasicBlock, Metadata, Opcode, Value};
use foghorn_core::SpanId;
use foghorn_ir::{
    BlockId, Body, FunctionId, InstId, Instruction, Target, Terminator, Type, ValueId, VariableId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The scalars of one LLVM value.
pub(crate) type Scalars = SmallVec<[ValueId; 1]>;

/// Translates one function.
pub(crate) struct FunctionTranslator<'m, 'p> {
    pub module: &'m mut ModuleTranslator<'p>,
    pub function: Value<'p>,
    pub body: Body,
    pub block: BlockId,
    pub span: SpanId,
    pub values: FxHashMap<Value<'p>, Scalars>,
    pub blocks: FxHashMap<BasicBlock<'p>, BlockId>,
    pub variables: FxHashMap<Metadata<'p>, VariableId>,
    /// Allocations that belong before everything else.
    pub prologue: Vec<InstId>,
    /// Where the variable arguments are, in a variadic function.
    pub variable_arguments: Option<ValueId>,
    /// The block that returns, if there are several places that do.
    pub exit: Option<BlockId>,
    /// The place of the first jump to each block: where code without a place of its own, such as
    /// a trap, belongs.
    pub arrivals: FxHashMap<BlockId, SpanId>,
    /// Where code goes that nothing reaches.
    pub dead_block: Option<BlockId>,
    /// Beginnings and ends of lives that clang does not mark.
    pub scope_marks: ScopeMarks<'p>,
    /// Whether nobody has put checks into this function: it comes from bitcode.
    pub is_unchecked: bool,
    pub poison: Poison<'p>,
    /// The result, if the function may end without one.
    pub watched: Option<WatchedResult<'p>>,
}

impl<'m, 'p> FunctionTranslator<'m, 'p> {
    fn new(module: &'m mut ModuleTranslator<'p>, id: FunctionId, function: Value<'p>) -> Self {
        let body = Body::new();
        let span = module.module.functions[id].span;
        FunctionTranslator {
            module,
            function,
            block: body.entry,
            body,
            span,
            values: FxHashMap::default(),
            blocks: FxHashMap::default(),
            variables: FxHashMap::default(),
            prologue: vec![],
            variable_arguments: None,
            exit: None,
            arrivals: FxHashMap::default(),
            dead_block: None,
            scope_marks: ScopeMarks::default(),
            is_unchecked: function.has_attribute_text(crate::link::UNCHECKED),
            poison: Poison::default(),
            watched: None,
        }
    }

    /// The body of a function that LLVM defines.
    pub(crate) fn translate(
        module: &'m mut ModuleTranslator<'p>,
        id: FunctionId,
        function: Value<'p>,
    ) -> Body {
        let mut this = Self::new(module, id, function);
        this.add_parameters();
        let order = reverse_postorder(function);
        this.scope_marks = ScopeMarks::new(function, &order);
        if this.is_unchecked {
            this.poison = Poison::new(&order);
        }
        this.create_blocks(&order);
        this.guard_error_function();
        this.watch_result();
        for block in order {
            this.translate_block(block);
        }
        this.finish()
    }

    /// A body that does what a call of this function means, for one whose name has a meaning and
    /// whose address is taken.
    pub(crate) fn forwarder(
        module: &'m mut ModuleTranslator<'p>,
        id: FunctionId,
        function: Value<'p>,
    ) -> Option<Body> {
        let results = module.module.functions[id].signature.results.clone();
        let mut this = Self::new(module, id, function);
        this.add_parameters();
        let arguments: Vec<Scalars> = function
            .params()
            .iter()
            .map(|param| this.values[param].clone())
            .collect();
        let mangled = function.name();
        let name = super::dialect::written_name(&mangled);
        let values = this.named_call(name, &arguments, &results)?;
        this.terminate(Terminator::Return {
            values: values.into_vec(),
        });
        Some(this.finish())
    }

    /// A body that says that a call of this function is not understood.
    pub(crate) fn refusal(
        module: &'m mut ModuleTranslator<'p>,
        id: FunctionId,
        function: Value<'p>,
    ) -> Body {
        let mut this = Self::new(module, id, function);
        this.add_parameters();
        this.unsupported(Unsupported::new(function.name()));
        this.terminate(Terminator::Unreachable);
        this.finish()
    }

    fn add_parameters(&mut self) {
        let entry = self.body.entry;
        for param in self.function.params() {
            let types = self.module.types_of(param.ty());
            let name = param.name();
            let values: Scalars = types
                .iter()
                .map(|&ty| self.body.add_param(entry, ty))
                .collect();
            if let ([value], false) = (values.as_slice(), name.is_empty()) {
                self.body.values[*value].name = Some(name.into());
            }
            self.values.insert(param, values);
        }
        if self.function.value_type().is_variadic() {
            let area = self.body.add_param(entry, Type::Ptr);
            self.body.values[area].name = Some("variable arguments".into());
            self.variable_arguments = Some(area);
        }
    }

    fn create_blocks(&mut self, order: &[BasicBlock<'p>]) {
        let returns = order.iter().filter(|block| ends_in_return(**block)).count();
        if returns > 1 {
            let exit = self.body.add_block();
            let results = self.module.types_of(self.function.value_type().result());
            let values = results
                .iter()
                .map(|&ty| self.body.add_param(exit, ty))
                .collect();
            self.body.blocks[exit].terminator = Terminator::Return { values };
            self.exit = Some(exit);
        }
        for (index, &block) in order.iter().enumerate() {
            let id = if index == 0 {
                self.body.entry
            } else {
                self.body.add_block()
            };
            self.blocks.insert(block, id);
            for phi in block.phis() {
                let types = self.module.types_of(phi.ty());
                let values = types
                    .iter()
                    .map(|&ty| self.body.add_param(id, ty))
                    .collect();
                self.values.insert(phi, values);
                self.add_companions(id, phi);
            }
        }
    }

    fn translate_block(&mut self, block: BasicBlock<'p>) {
        self.block = self.blocks[&block];
        if let Some(&span) = self.arrivals.get(&self.block) {
            self.span = span;
        }
        for instruction in block.instructions() {
            let span = self.instruction_span(instruction);
            if span.is_known() {
                self.span = span;
            }
            self.debug_variables(instruction);
            for mark in self
                .scope_marks
                .before
                .remove(&instruction)
                .unwrap_or_default()
            {
                if let Some(instruction) = self.life_mark(mark) {
                    self.emit(instruction, &[]);
                }
            }
            match instruction.opcode() {
                Opcode::LLVMPHI => {}
                Opcode::LLVMRet
                | Opcode::LLVMBr
                | Opcode::LLVMSwitch
                | Opcode::LLVMIndirectBr
                | Opcode::LLVMInvoke
                | Opcode::LLVMUnreachable
                | Opcode::LLVMResume
                | Opcode::LLVMCallBr
                | Opcode::LLVMCleanupRet
                | Opcode::LLVMCatchRet
                | Opcode::LLVMCatchSwitch => self.translate_terminator(block, instruction),
                _ => self.translate_instruction(instruction),
            }
        }
    }

    fn translate_instruction(&mut self, instruction: Value<'p>) {
        let translated = self
            .check_promises(instruction)
            .and_then(|()| self.instruction(instruction))
            .and_then(|values| self.follow_poison(instruction, values));
        let values = match translated {
            Ok(values) => values,
            Err(unsupported) => {
                self.unsupported(unsupported);
                self.undefined_of(instruction)
            }
        };
        debug_assert_eq!(
            values.len(),
            self.module.types_of(instruction.ty()).len(),
            "{}",
            instruction.print()
        );
        self.values.insert(instruction, values);
    }

    /// Fresh values of the instruction's type.
    pub(crate) fn undefined_of(&mut self, instruction: Value<'p>) -> Scalars {
        let types = self.module.types_of(instruction.ty());
        types.into_iter().map(|ty| self.undefined(ty)).collect()
    }

    /// A jump from `from` to `to`, with the values of the φ-nodes there.
    pub(crate) fn target(
        &mut self,
        from: BasicBlock<'p>,
        to: BasicBlock<'p>,
    ) -> Result<Target, Unsupported> {
        let mut arguments = vec![];
        for phi in to.phis() {
            let value = phi
                .incoming(from)
                .ok_or_else(|| Unsupported::new("φ-node without a value for a predecessor"))?;
            arguments.extend(self.operand(value)?);
            arguments.extend(self.companion_arguments(phi, value));
        }
        let block = self.blocks[&to];
        self.arrivals.entry(block).or_insert(self.span);
        let target = Target { block, arguments };
        let marks = self.scope_marks.between.get(&(from, to)).cloned();
        let Some(marks) = marks else {
            return Ok(target);
        };
        let between = self.body.add_block();
        for mark in marks {
            if let Some(instruction) = self.life_mark(mark) {
                self.body.append(between, instruction, &[], self.span);
            }
        }
        self.body.blocks[between].terminator = Terminator::Jump(target);
        self.body.blocks[between].terminator_span = self.span;
        Ok(Target::new(between))
    }

    fn life_mark(&self, mark: Mark<'p>) -> Option<Instruction> {
        let slot = |slot| self.values.get(&slot)?.first().copied();
        Some(match mark {
            Mark::Start(object) => Instruction::LifetimeStart {
                pointer: slot(object)?,
            },
            Mark::End(object) => Instruction::LifetimeEnd {
                pointer: slot(object)?,
            },
        })
    }

    fn finish(mut self) -> Body {
        if !self.prologue.is_empty() {
            let entry = self.body.entry;
            let rest = std::mem::take(&mut self.body.blocks[entry].instructions);
            self.prologue.extend(rest);
            self.body.blocks[entry].instructions = self.prologue;
        }
        clear_unreached(&mut self.body);
        self.body
    }
}

fn ends_in_return(block: BasicBlock<'_>) -> bool {
    block
        .terminator()
        .is_some_and(|terminator| terminator.opcode() == Opcode::LLVMRet)
}

fn successors(block: BasicBlock<'_>) -> Vec<BasicBlock<'_>> {
    block.terminator().map_or(vec![], Value::successors)
}

/// Blocks that the entry reaches, each after its dominators.
fn reverse_postorder(function: Value<'_>) -> Vec<BasicBlock<'_>> {
    let Some(&entry) = function.blocks().first() else {
        return vec![];
    };
    let mut order = vec![];
    let mut seen = FxHashSet::default();
    seen.insert(entry);
    let mut stack = vec![(entry, successors(entry))];
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) => {
                if seen.insert(next) {
                    stack.push((next, successors(next)));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Empties the blocks that the entry does not reach.
fn clear_unreached(body: &mut Body) {
    let mut reached = FxHashSet::default();
    let mut stack = vec![body.entry];
    while let Some(block) = stack.pop() {
        if reached.insert(block) {
            stack.extend(body.blocks[block].terminator.targets().map(|t| t.block));
        }
    }
    for block in body.blocks.keys().collect::<Vec<_>>() {
        if !reached.contains(&block) {
            body.blocks[block].instructions.clear();
            body.blocks[block].terminator = Terminator::Unreachable;
        }
    }
}
