//! Builds bodies instruction by instruction.
//!
//! A [`FunctionBuilder`] is a cursor in a body: each method inserts one instruction there, gives it
//! the span that was set last, and returns its result. Types of results follow from the operands;
//! nothing is folded or simplified, so that what a pass or a test asks for is what it gets. That
//! operands fit is for the verifier to say.

use crate::body::{BlockId, Body, InstId, ValueId, VariableId};
use crate::constant::Constant;
use crate::instruction::{
    AllocationKind, Callee, HaltKind, Instruction, NondetOrigin, Target, Terminator,
};
use crate::module::{DataLayout, FunctionId, Module};
use crate::operation::{
    BinaryOp, CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, IntPredicate, OverflowOp,
    UnaryOp,
};
use crate::types::Type;
use foghorn_core::{CheckKind, SpanId};
use smallvec::SmallVec;

/// A cursor in a body.
#[derive(Debug)]
pub struct FunctionBuilder<'b> {
    body: &'b mut Body,
    layout: DataLayout,
    block: BlockId,
    /// Where in the block the next instruction goes.
    position: usize,
    span: SpanId,
}

impl<'b> FunctionBuilder<'b> {
    /// At the end of the entry block.
    pub fn new(body: &'b mut Body, layout: DataLayout) -> Self {
        let block = body.entry;
        let position = body.blocks[block].instructions.len();
        FunctionBuilder {
            body,
            layout,
            block,
            position,
            span: SpanId::UNKNOWN,
        }
    }

    pub fn body(&mut self) -> &mut Body {
        self.body
    }

    /// The block that the cursor is in.
    pub fn block(&self) -> BlockId {
        self.block
    }

    /// Moves the cursor to the end of a block.
    pub fn at_end(&mut self, block: BlockId) -> &mut Self {
        let position = self.body.blocks[block].instructions.len();
        self.at(block, position)
    }

    /// Moves the cursor before the instruction at that index of the block.
    pub fn at(&mut self, block: BlockId, position: usize) -> &mut Self {
        debug_assert!(position <= self.body.blocks[block].instructions.len());
        (self.block, self.position) = (block, position);
        self
    }

    /// Sets the location of what is inserted from here on.
    pub fn with_span(&mut self, span: SpanId) -> &mut Self {
        self.span = span;
        self
    }

    /// A new block with parameters; the cursor stays.
    pub fn new_block(&mut self, params: &[Type]) -> BlockId {
        let block = self.body.add_block();
        for &ty in params {
            self.body.add_param(block, ty);
        }
        block
    }

    /// A parameter of a block.
    pub fn param(&self, block: BlockId, index: usize) -> ValueId {
        self.body.blocks[block].params[index]
    }

    /// Inserts any instruction.
    pub fn insert(&mut self, instruction: Instruction, results: &[Type]) -> InstId {
        let id = self
            .body
            .create_instruction(instruction, results, self.span);
        let instructions = &mut self.body.blocks[self.block].instructions;
        instructions.insert(self.position, id);
        self.position += 1;
        id
    }

    fn value(&mut self, instruction: Instruction, ty: Type) -> ValueId {
        let id = self.insert(instruction, &[ty]);
        self.body.result(id)
    }

    fn effect(&mut self, instruction: Instruction) {
        self.insert(instruction, &[]);
    }
}

/// Constants.
impl FunctionBuilder<'_> {
    pub fn int(&mut self, width: u8, value: i128) -> ValueId {
        self.body.int(width, value)
    }

    /// An integer as wide as a pointer.
    pub fn size(&mut self, value: i128) -> ValueId {
        let bits = value.cast_unsigned();
        self.body
            .constant(self.layout.pointer_int(), Constant::Int(bits))
    }

    pub fn bool(&mut self, value: bool) -> ValueId {
        self.body.constant(Type::BOOL, Constant::Int(value.into()))
    }

    pub fn f64(&mut self, value: f64) -> ValueId {
        self.body
            .constant(Type::F64, Constant::F64(value.to_bits()))
    }

    /// A constant of type `ptr`.
    pub fn address(&mut self, constant: Constant) -> ValueId {
        self.body.constant(Type::Ptr, constant)
    }
}

/// Arithmetic.
impl FunctionBuilder<'_> {
    pub fn binary(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> ValueId {
        let ty = self.body.ty(lhs);
        self.value(Instruction::Binary { op, lhs, rhs }, ty)
    }

    pub fn add(&mut self, lhs: ValueId, rhs: ValueId) -> ValueId {
        self.binary(BinaryOp::Add, lhs, rhs)
    }

    pub fn sub(&mut self, lhs: ValueId, rhs: ValueId) -> ValueId {
        self.binary(BinaryOp::Sub, lhs, rhs)
    }

    /// The negation of a truth value.
    pub fn not(&mut self, value: ValueId) -> ValueId {
        let yes = self.bool(true);
        self.binary(BinaryOp::Xor, value, yes)
    }

    pub fn overflows(
        &mut self,
        op: OverflowOp,
        signed: bool,
        lhs: ValueId,
        rhs: ValueId,
    ) -> ValueId {
        let instruction = Instruction::Overflows {
            op,
            signed,
            lhs,
            rhs,
        };
        self.value(instruction, Type::BOOL)
    }

    pub fn unary(&mut self, op: UnaryOp, operand: ValueId) -> ValueId {
        let ty = self.body.ty(operand);
        self.value(Instruction::Unary { op, operand }, ty)
    }

    pub fn compare(&mut self, predicate: IntPredicate, lhs: ValueId, rhs: ValueId) -> ValueId {
        let instruction = Instruction::Compare {
            predicate,
            lhs,
            rhs,
        };
        self.value(instruction, Type::BOOL)
    }

    pub fn cast(&mut self, op: CastOp, operand: ValueId, to: Type) -> ValueId {
        self.value(Instruction::Cast { op, operand }, to)
    }

    pub fn float_unary(&mut self, op: FloatUnaryOp, operand: ValueId) -> ValueId {
        let ty = self.body.ty(operand);
        self.value(Instruction::FloatUnary { op, operand }, ty)
    }

    pub fn float_binary(&mut self, op: FloatBinaryOp, lhs: ValueId, rhs: ValueId) -> ValueId {
        let ty = self.body.ty(lhs);
        self.value(Instruction::FloatBinary { op, lhs, rhs }, ty)
    }

    pub fn fused_multiply_add(&mut self, a: ValueId, b: ValueId, c: ValueId) -> ValueId {
        let ty = self.body.ty(a);
        self.value(Instruction::FusedMultiplyAdd { a, b, c }, ty)
    }

    pub fn float_compare(
        &mut self,
        predicate: FloatPredicate,
        lhs: ValueId,
        rhs: ValueId,
    ) -> ValueId {
        let instruction = Instruction::FloatCompare {
            predicate,
            lhs,
            rhs,
        };
        self.value(instruction, Type::BOOL)
    }

    pub fn select(&mut self, condition: ValueId, on_true: ValueId, on_false: ValueId) -> ValueId {
        let ty = self.body.ty(on_true);
        let instruction = Instruction::Select {
            condition,
            on_true,
            on_false,
        };
        self.value(instruction, ty)
    }

    pub fn nondet(&mut self, ty: Type, origin: NondetOrigin) -> ValueId {
        self.value(Instruction::Nondet { origin }, ty)
    }
}

/// Memory.
impl FunctionBuilder<'_> {
    pub fn pointer_add(
        &mut self,
        base: ValueId,
        constant: i64,
        scaled: &[(ValueId, i64)],
    ) -> ValueId {
        let instruction = Instruction::PointerAdd {
            base,
            constant,
            scaled: scaled.to_vec(),
        };
        self.value(instruction, Type::Ptr)
    }

    pub fn allocate(&mut self, kind: AllocationKind, size: ValueId, align: u32) -> ValueId {
        self.value(Instruction::Allocate { kind, size, align }, Type::Ptr)
    }

    pub fn free(&mut self, pointer: ValueId) {
        self.effect(Instruction::Free { pointer });
    }

    pub fn lifetime_start(&mut self, pointer: ValueId) {
        self.effect(Instruction::LifetimeStart { pointer });
    }

    pub fn lifetime_end(&mut self, pointer: ValueId) {
        self.effect(Instruction::LifetimeEnd { pointer });
    }

    pub fn stack_save(&mut self) -> ValueId {
        let ty = self.layout.pointer_int();
        self.value(Instruction::StackSave, ty)
    }

    pub fn stack_restore(&mut self, mark: ValueId) {
        self.effect(Instruction::StackRestore { mark });
    }

    pub fn load(&mut self, ty: Type, pointer: ValueId, align: u32) -> ValueId {
        self.value(Instruction::Load { pointer, align }, ty)
    }

    pub fn store(&mut self, value: ValueId, pointer: ValueId, align: u32) {
        self.effect(Instruction::Store {
            pointer,
            value,
            align,
        });
    }

    pub fn memory_copy(&mut self, destination: ValueId, source: ValueId, length: ValueId) {
        self.effect(Instruction::MemoryCopy {
            destination,
            source,
            length,
        });
    }

    pub fn memory_set(&mut self, destination: ValueId, byte: ValueId, length: ValueId) {
        self.effect(Instruction::MemorySet {
            destination,
            byte,
            length,
        });
    }
}

/// Calls, checks and the rest.
impl FunctionBuilder<'_> {
    pub fn call(
        &mut self,
        callee: Callee,
        arguments: &[ValueId],
        results: &[Type],
    ) -> SmallVec<[ValueId; 1]> {
        let arguments = arguments.to_vec();
        let id = self.insert(Instruction::Call { callee, arguments }, results);
        self.body.instructions[id].results.clone()
    }

    /// A call of a function of `module`, with the results that its signature says.
    pub fn call_function(
        &mut self,
        module: &Module,
        function: FunctionId,
        arguments: &[ValueId],
    ) -> SmallVec<[ValueId; 1]> {
        let results = &module.functions[function].signature.results;
        self.call(Callee::Direct(function), arguments, results)
    }

    pub fn check(&mut self, kind: CheckKind, condition: ValueId, message: Option<&str>) {
        self.effect(Instruction::Check {
            kind,
            condition,
            message: message.map(Into::into),
        });
    }

    pub fn assume(&mut self, condition: ValueId) {
        self.effect(Instruction::Assume { condition });
    }

    pub fn bind(&mut self, variable: VariableId, value: ValueId) {
        self.effect(Instruction::Bind { variable, value });
    }
}

/// Ends of blocks. They end the block that the cursor is in, wherever in it the cursor is.
impl FunctionBuilder<'_> {
    pub fn terminate(&mut self, terminator: Terminator) {
        let block = &mut self.body.blocks[self.block];
        (block.terminator, block.terminator_span) = (terminator, self.span);
    }

    pub fn jump(&mut self, block: BlockId, arguments: &[ValueId]) {
        self.terminate(Terminator::Jump(target(block, arguments)));
    }

    pub fn branch(
        &mut self,
        condition: ValueId,
        on_true: (BlockId, &[ValueId]),
        on_false: (BlockId, &[ValueId]),
    ) {
        self.terminate(Terminator::Branch {
            condition,
            on_true: target(on_true.0, on_true.1),
            on_false: target(on_false.0, on_false.1),
        });
    }

    pub fn ret(&mut self, values: &[ValueId]) {
        let values = values.to_vec();
        self.terminate(Terminator::Return { values });
    }

    pub fn halt(&mut self, kind: HaltKind, code: ValueId) {
        self.terminate(Terminator::Halt { kind, code });
    }

    /// A check that fails whenever control gets here, and the end of the block.
    pub fn fail(&mut self, kind: CheckKind, message: Option<&str>) {
        let never = self.bool(false);
        self.check(kind, never, message);
        self.terminate(Terminator::Unreachable);
    }

    /// An assumption that control does not get here, and the end of the block.
    pub fn assume_unreachable(&mut self) {
        let never = self.bool(false);
        self.assume(never);
        self.terminate(Terminator::Unreachable);
    }
}

fn target(block: BlockId, arguments: &[ValueId]) -> Target {
    Target {
        block,
        arguments: arguments.to_vec(),
    }
}

#[cfg(test)]
mod tests;
