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
mod tests {
    use super::*;
    use crate::module::{Function, Signature};
    use crate::text::print_module;
    use crate::verify::verify_module;

    fn module_with(name: &str, params: &[Type], results: &[Type]) -> (Module, Body) {
        let mut module = Module::new(DataLayout { pointer_bytes: 8 });
        let mut body = Body::new();
        for &ty in params {
            body.add_param(body.entry, ty);
        }
        module.functions.push(Function {
            name: name.into(),
            signature: Signature {
                params: params.to_vec(),
                results: results.to_vec(),
            },
            body: None,
            span: SpanId::UNKNOWN,
            is_model: false,
        });
        (module, body)
    }

    fn finish(mut module: Module, body: Body) -> String {
        let only = module.functions.keys().next().expect("one function");
        module.functions[only].body = Some(body);
        assert_eq!(verify_module(&module), []);
        print_module(&module)
    }

    /// The sum of the first n numbers, with the check that it fits.
    #[test]
    fn a_loop() {
        let (mut module, mut body) = module_with("sum", &[Type::I32], &[Type::I32]);
        let span = module.spans.at("sum.c", 3, 5);
        let mut b = FunctionBuilder::new(&mut body, module.layout);
        let n = b.param(b.block(), 0);
        let [head, step] = [[Type::I32; 2], [Type::I32; 2]].map(|types| b.new_block(&types));
        let done = b.new_block(&[Type::I32]);
        let (zero, one) = (b.int(32, 0), b.int(32, 1));
        b.jump(head, &[zero, zero]);

        let (i, sum) = (b.param(head, 0), b.param(head, 1));
        let more = b.at_end(head).compare(IntPredicate::Slt, i, n);
        b.branch(more, (step, &[i, sum]), (done, &[sum]));

        let (i, sum) = (b.param(step, 0), b.param(step, 1));
        b.at_end(step).with_span(span);
        let too_large = b.overflows(OverflowOp::Add, true, sum, i);
        let fits = b.not(too_large);
        b.check(CheckKind::SignedOverflow, fits, Some("sum + i"));
        let next_sum = b.add(sum, i);
        let next = b.add(i, one);
        b.jump(head, &[next, next_sum]);

        let result = b.param(done, 0);
        b.at_end(done).with_span(SpanId::UNKNOWN).ret(&[result]);
        let expected = "foghorn-ir 1
layout pointer-bytes 8

function @sum(i32) -> i32 {
block0(v0:i32):
  jump block1(0:i32, 0:i32)
block1(v1:i32, v2:i32):
  v3:i1 = compare slt v1, v0
  branch v3, block2(v1, v2), block3(v2)
block2(v4:i32, v5:i32):
  v6:i1 = overflows signed add v5, v4          ! sum.c:3:5
  v7:i1 = xor v6, true                         ! sum.c:3:5
  check signed-overflow v7 \"sum + i\"           ! sum.c:3:5
  v8:i32 = add v5, v4                          ! sum.c:3:5
  v9:i32 = add v4, 1                           ! sum.c:3:5
  jump block1(v9, v8)                          ! sum.c:3:5
block3(v10:i32):
  return v10
}
";
        assert_eq!(finish(module, body), expected);
    }

    #[test]
    fn inserting_before_an_instruction() {
        let (module, mut body) = module_with("f", &[Type::Ptr], &[]);
        let mut b = FunctionBuilder::new(&mut body, module.layout);
        let pointer = b.param(b.block(), 0);
        let loaded = b.load(Type::I64, pointer, 8);
        b.store(loaded, pointer, 8);
        b.ret(&[]);
        let entry = b.block();
        let null = b.at(entry, 0).address(Constant::Null);
        let valid = b.compare(IntPredicate::Ne, pointer, null);
        b.check(CheckKind::NullDereference, valid, None);
        let text = finish(module, body);
        let expected = "  v1:i1 = compare ne v0, null
  check null-dereference v1
  v2:i64 = load v0, align 8
  store v2 to v0, align 8
  return
";
        assert!(text.contains(expected), "{text}");
    }

    /// Every method gives what the verifier accepts.
    #[test]
    fn one_of_each() {
        let params = [Type::I64, Type::Ptr, Type::F64, Type::BOOL];
        let (module, mut body) = module_with("f", &params, &[]);
        let mut b = FunctionBuilder::new(&mut body, module.layout);
        let entry = b.block();
        let [int, pointer, float, bool] = std::array::from_fn(|index| b.param(entry, index));
        let (size, byte, half) = (b.size(16), b.int(8, 0), b.f64(0.5));
        let object = b.allocate(AllocationKind::Heap, size, 16);
        b.memory_set(object, byte, size);
        b.memory_copy(object, pointer, int);
        b.free(object);
        let mark = b.stack_save();
        let local = b.allocate(AllocationKind::Stack, int, 1);
        b.lifetime_start(local);
        b.lifetime_end(local);
        b.stack_restore(mark);
        let field = b.pointer_add(pointer, 8, &[(int, 4)]);
        let difference = b.sub(int, mark);
        let ones = b.unary(UnaryOp::CountOnes, difference);
        let narrow = b.cast(CastOp::Trunc, ones, Type::I32);
        let root = b.float_unary(FloatUnaryOp::Sqrt, float);
        let product = b.float_binary(FloatBinaryOp::Mul, root, half);
        let fused = b.fused_multiply_add(product, root, float);
        let less = b.float_compare(FloatPredicate::Olt, fused, half);
        let chosen = b.select(less, field, pointer);
        let input = b.nondet(Type::I32, NondetOrigin::Input("nd_int".into()));
        b.call(Callee::Indirect(chosen), &[input, narrow], &[]);
        let this = module.functions.keys().next().expect("one function");
        b.call_function(&module, this, &[int, pointer, float, bool]);
        b.assume(bool);
        let [stop, never, failing] = std::array::from_fn(|_| b.new_block(&[]));
        b.branch(bool, (stop, &[]), (never, &[]));
        b.at_end(stop).halt(HaltKind::Abort, narrow);
        b.at_end(never).assume_unreachable();
        b.at_end(failing).fail(CheckKind::Assertion, None);
        finish(module, body);
    }
}
