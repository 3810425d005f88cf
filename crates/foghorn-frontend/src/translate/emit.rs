//! Making IR: one small function per instruction that translation makes often.

use super::Unsupported;
use super::function::{FunctionTranslator, Scalars};
use foghorn_core::CheckKind;
use foghorn_ir::{
    AllocationKind, BinaryOp, BlockId, Builtin, Callee, CastOp, Constant, FunctionId, HaltKind,
    InstId, Instruction, IntPredicate, NondetOrigin, OverflowOp, Target, Terminator, Type, UnaryOp,
    ValueId,
};
use std::sync::Arc;

impl FunctionTranslator<'_, '_> {
    /// Adds an instruction at the end of the current block.
    pub(crate) fn emit(&mut self, instruction: Instruction, results: &[Type]) -> InstId {
        self.body
            .append(self.block, instruction, results, self.span)
    }

    /// Adds an instruction with one result.
    pub(crate) fn emit1(&mut self, instruction: Instruction, ty: Type) -> ValueId {
        let id = self.emit(instruction, &[ty]);
        self.body.result(id)
    }

    /// Ends the current block and goes on in one that nothing reaches.
    pub(crate) fn terminate(&mut self, terminator: Terminator) {
        self.set_terminator(terminator);
        self.block = *self.dead_block.get_or_insert_with(|| self.body.add_block());
    }

    /// Ends the current block.
    pub(crate) fn set_terminator(&mut self, terminator: Terminator) {
        let span = self.span;
        let block = &mut self.body.blocks[self.block];
        block.terminator = terminator;
        block.terminator_span = span;
    }

    /// Ends the current block with a branch and returns the two blocks it goes to.
    pub(crate) fn branch(&mut self, condition: ValueId) -> (BlockId, BlockId) {
        let on_true = self.body.add_block();
        let on_false = self.body.add_block();
        self.set_terminator(Terminator::Branch {
            condition,
            on_true: Target::new(on_true),
            on_false: Target::new(on_false),
        });
        (on_true, on_false)
    }

    pub(crate) fn jump(&mut self, target: Target) {
        self.set_terminator(Terminator::Jump(target));
    }

    /// Ends the program.
    pub(crate) fn halt(&mut self, kind: HaltKind, code: ValueId) {
        self.terminate(Terminator::Halt { kind, code });
    }

    pub(crate) fn size_type(&self) -> Type {
        self.module.module.layout.pointer_int()
    }

    pub(crate) fn pointer_bits(&self) -> u8 {
        match self.size_type() {
            Type::Int(width) => width,
            Type::Ptr | Type::F32 | Type::F64 | Type::Memory(_) => {
                unreachable!("sizes are integers")
            }
        }
    }

    /// A constant as wide as a pointer.
    pub(crate) fn size(&mut self, value: u64) -> ValueId {
        let width = self.pointer_bits();
        self.body.int(width, value.into())
    }

    pub(crate) fn bool(&mut self, value: bool) -> ValueId {
        self.body.int(1, value.into())
    }

    pub(crate) fn null(&mut self) -> ValueId {
        self.body.constant(Type::Ptr, Constant::Null)
    }

    /// Zero of any type.
    pub(crate) fn zero(&mut self, ty: Type) -> ValueId {
        let constant = match ty {
            Type::Int(_) => Constant::Int(0),
            Type::Ptr => Constant::Null,
            Type::F32 => Constant::F32(0),
            Type::F64 => Constant::F64(0),
            Type::Memory(_) => unreachable!("the front end gives the impure form"),
        };
        self.body.constant(ty, constant)
    }

    pub(crate) fn width(&self, value: ValueId) -> Result<u8, Unsupported> {
        match self.body.ty(value) {
            Type::Int(width) => Ok(width),
            Type::Ptr | Type::F32 | Type::F64 | Type::Memory(_) => {
                Err(Unsupported::new("operand that is no integer"))
            }
        }
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> ValueId {
        let ty = self.body.ty(lhs);
        self.emit1(Instruction::Binary { op, lhs, rhs }, ty)
    }

    pub(crate) fn overflows(
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
        self.emit1(instruction, Type::BOOL)
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, operand: ValueId) -> ValueId {
        let ty = self.body.ty(operand);
        self.emit1(Instruction::Unary { op, operand }, ty)
    }

    pub(crate) fn compare(
        &mut self,
        predicate: IntPredicate,
        lhs: ValueId,
        rhs: ValueId,
    ) -> ValueId {
        let instruction = Instruction::Compare {
            predicate,
            lhs,
            rhs,
        };
        self.emit1(instruction, Type::BOOL)
    }

    pub(crate) fn not(&mut self, condition: ValueId) -> ValueId {
        let one = self.bool(true);
        self.binary(BinaryOp::Xor, condition, one)
    }

    pub(crate) fn and(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.binary(BinaryOp::And, a, b)
    }

    pub(crate) fn or(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.binary(BinaryOp::Or, a, b)
    }

    pub(crate) fn cast(&mut self, op: CastOp, operand: ValueId, ty: Type) -> ValueId {
        self.emit1(Instruction::Cast { op, operand }, ty)
    }

    pub(crate) fn select(
        &mut self,
        condition: ValueId,
        on_true: ValueId,
        on_false: ValueId,
    ) -> ValueId {
        let ty = self.body.ty(on_true);
        let instruction = Instruction::Select {
            condition,
            on_true,
            on_false,
        };
        self.emit1(instruction, ty)
    }

    /// An integer at another width, its upper bits zero or cut off.
    pub(crate) fn resize_unsigned(
        &mut self,
        value: ValueId,
        width: u8,
    ) -> Result<ValueId, Unsupported> {
        let from = self.width(value)?;
        Ok(match from.cmp(&width) {
            std::cmp::Ordering::Less => self.cast(CastOp::ZExt, value, Type::Int(width)),
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.cast(CastOp::Trunc, value, Type::Int(width)),
        })
    }

    /// An integer at another width, its upper bits copies of its sign or cut off.
    pub(crate) fn resize_signed(
        &mut self,
        value: ValueId,
        width: u8,
    ) -> Result<ValueId, Unsupported> {
        let from = self.width(value)?;
        if let (Some(Constant::Int(bits)), 1..=127) = (self.body.as_constant(value), from) {
            let shift = 128 - u32::from(from);
            let number = (bits << shift).cast_signed() >> shift;
            return Ok(self.body.int(width, number));
        }
        Ok(match from.cmp(&width) {
            std::cmp::Ordering::Less => self.cast(CastOp::SExt, value, Type::Int(width)),
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.cast(CastOp::Trunc, value, Type::Int(width)),
        })
    }

    /// A size given at any integer width.
    pub(crate) fn as_size(&mut self, value: ValueId) -> Result<ValueId, Unsupported> {
        let width = self.pointer_bits();
        self.resize_unsigned(value, width)
    }

    /// `base + offset` bytes.
    pub(crate) fn offset(&mut self, base: ValueId, constant: i64) -> ValueId {
        self.pointer_add(base, constant, vec![])
    }

    pub(crate) fn pointer_add(
        &mut self,
        base: ValueId,
        constant: i64,
        scaled: Vec<(ValueId, i64)>,
    ) -> ValueId {
        if constant == 0 && scaled.is_empty() {
            return base;
        }
        let instruction = Instruction::PointerAdd {
            base,
            constant,
            scaled,
        };
        self.emit1(instruction, Type::Ptr)
    }

    pub(crate) fn nondet(&mut self, origin: NondetOrigin, ty: Type) -> ValueId {
        self.emit1(Instruction::Nondet { origin }, ty)
    }

    /// LLVM's `undef` or `poison`.
    pub(crate) fn undefined(&mut self, ty: Type) -> ValueId {
        self.nondet(NondetOrigin::Undefined, ty)
    }

    /// Any value, because an operation is not modelled precisely.
    pub(crate) fn over_approximated(&mut self, operation: &str, ty: Type) -> ValueId {
        let operation: Arc<str> = operation.into();
        self.module
            .note_over_approximation(operation.clone(), self.span);
        self.nondet(NondetOrigin::OverApproximated(operation), ty)
    }

    pub(crate) fn check(&mut self, kind: CheckKind, condition: ValueId, message: Option<&str>) {
        let instruction = Instruction::Check {
            kind,
            condition,
            message: message.map(Into::into),
        };
        self.emit(instruction, &[]);
    }

    /// A check that fails, and the end of the execution.
    pub(crate) fn fail(&mut self, kind: CheckKind, message: Option<&str>) {
        let never = self.bool(false);
        self.check(kind, never, message);
        self.terminate(Terminator::Unreachable);
    }

    pub(crate) fn assume(&mut self, condition: ValueId) {
        self.emit(Instruction::Assume { condition }, &[]);
    }

    /// Reaching this place is a failing check of its own class.
    pub(crate) fn unsupported(&mut self, Unsupported(construct): Unsupported) {
        let construct: Arc<str> = construct.into();
        self.module.note_unsupported(construct.clone(), self.span);
        let never = self.bool(false);
        self.check(CheckKind::Unsupported, never, Some(&construct));
    }

    pub(crate) fn builtin(
        &mut self,
        builtin: Builtin,
        arguments: Vec<ValueId>,
        results: &[Type],
    ) -> Scalars {
        let callee = Callee::Builtin(builtin);
        let id = self.emit(Instruction::Call { callee, arguments }, results);
        self.body.instructions[id].results.clone()
    }

    pub(crate) fn load(&mut self, pointer: ValueId, align: u32, ty: Type) -> ValueId {
        self.emit1(Instruction::Load { pointer, align }, ty)
    }

    pub(crate) fn store(&mut self, pointer: ValueId, value: ValueId, align: u32) {
        let instruction = Instruction::Store {
            pointer,
            value,
            align,
        };
        self.emit(instruction, &[]);
    }

    /// Calls a function without parameters whose results do not matter.
    pub(crate) fn call_directly(&mut self, function: FunctionId) {
        let results = self.module.module.functions[function]
            .signature
            .results
            .clone();
        let instruction = Instruction::Call {
            callee: Callee::Direct(function),
            arguments: vec![],
        };
        self.emit(instruction, &results);
    }

    pub(crate) fn memory_copy(&mut self, destination: ValueId, source: ValueId, length: ValueId) {
        let instruction = Instruction::MemoryCopy {
            destination,
            source,
            length,
        };
        self.emit(instruction, &[]);
    }

    pub(crate) fn allocate(&mut self, kind: AllocationKind, size: ValueId, align: u32) -> ValueId {
        let object = self.emit1(Instruction::Allocate { kind, size, align }, Type::Ptr);
        if kind == AllocationKind::Heap {
            self.mark_dynamic(object);
        }
        object
    }

    /// A stack object of this call, allocated at the function's start and alive from here until
    /// [`Self::end_temporary`].
    pub(crate) fn temporary(&mut self, size: u64, align: u32) -> ValueId {
        let size = self.size(size);
        let instruction = Instruction::Allocate {
            kind: AllocationKind::Stack,
            size,
            align,
        };
        let id = self
            .body
            .create_instruction(instruction, &[Type::Ptr], self.span);
        self.prologue.push(id);
        let pointer = self.body.result(id);
        self.emit(Instruction::LifetimeStart { pointer }, &[]);
        pointer
    }

    pub(crate) fn end_temporary(&mut self, pointer: ValueId) {
        self.emit(Instruction::LifetimeEnd { pointer }, &[]);
    }

    /// Whether a scalar is not zero.
    pub(crate) fn truth(&mut self, value: ValueId) -> ValueId {
        let ty = self.body.ty(value);
        match ty {
            Type::Int(1) => value,
            Type::Int(_) | Type::Ptr => {
                let zero = self.zero(ty);
                self.compare(IntPredicate::Ne, value, zero)
            }
            Type::F32 | Type::F64 => {
                let zero = self.zero(ty);
                let instruction = Instruction::FloatCompare {
                    predicate: foghorn_ir::FloatPredicate::Une,
                    lhs: value,
                    rhs: zero,
                };
                self.emit1(instruction, Type::BOOL)
            }
            Type::Memory(_) => unreachable!("the front end gives the impure form"),
        }
    }
}
