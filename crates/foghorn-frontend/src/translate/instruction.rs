//! Instructions other than calls, memory and terminators. The dispatch only dispatches.

use super::Unsupported;
use super::function::{FunctionTranslator, Scalars};
use super::wide::wide_width;
use crate::llvm::{FloatKind, Opcode, TypeShape, Value, ValueKind};
use foghorn_core::CheckKind;
use foghorn_ir::{BinaryOp, Builtin, CastOp, IntPredicate, Type, ValueId};
use smallvec::smallvec;

impl<'p> FunctionTranslator<'_, 'p> {
    /// The results of one instruction.
    pub(crate) fn instruction(&mut self, instruction: Value<'p>) -> Result<Scalars, Unsupported> {
        match instruction.opcode() {
            opcode @ (Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMMul
            | Opcode::LLVMUDiv
            | Opcode::LLVMSDiv
            | Opcode::LLVMURem
            | Opcode::LLVMSRem
            | Opcode::LLVMShl
            | Opcode::LLVMLShr
            | Opcode::LLVMAShr
            | Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor) => self.integer_operation(opcode, instruction),
            opcode @ (Opcode::LLVMFAdd
            | Opcode::LLVMFSub
            | Opcode::LLVMFMul
            | Opcode::LLVMFDiv
            | Opcode::LLVMFRem) => self.float_operation(opcode, instruction),
            Opcode::LLVMFNeg => self.float_negation(instruction),
            Opcode::LLVMICmp => self.integer_comparison(instruction),
            Opcode::LLVMFCmp => self.float_comparison(instruction),
            opcode @ (Opcode::LLVMTrunc
            | Opcode::LLVMZExt
            | Opcode::LLVMSExt
            | Opcode::LLVMFPToUI
            | Opcode::LLVMFPToSI
            | Opcode::LLVMUIToFP
            | Opcode::LLVMSIToFP
            | Opcode::LLVMFPTrunc
            | Opcode::LLVMFPExt
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast) => self.conversion(opcode, instruction),
            Opcode::LLVMAlloca => self.stack_allocation(instruction),
            Opcode::LLVMLoad => self.load_instruction(instruction),
            Opcode::LLVMStore => self.store_instruction(instruction),
            Opcode::LLVMGetElementPtr => self.element_pointer(instruction),
            Opcode::LLVMSelect => self.selection(instruction),
            // Undefined values are one nondet already.
            Opcode::LLVMFreeze => self.operand(instruction.operand(0)),
            Opcode::LLVMExtractValue => self.extract_value(instruction),
            Opcode::LLVMInsertValue => self.insert_value(instruction),
            Opcode::LLVMExtractElement => self.extract_element(instruction),
            Opcode::LLVMInsertElement => self.insert_element(instruction),
            Opcode::LLVMShuffleVector => self.shuffle(instruction),
            Opcode::LLVMCall => self.call(instruction),
            Opcode::LLVMVAArg => self.variable_argument(instruction),
            // One thread at a time: nothing to order.
            Opcode::LLVMFence => Ok(Scalars::new()),
            Opcode::LLVMAtomicCmpXchg => self.compare_exchange(instruction),
            Opcode::LLVMAtomicRMW => self.atomic_update(instruction),
            // Only an exception gets here, and with panic = abort there is none.
            Opcode::LLVMLandingPad => Ok(self.undefined_of(instruction)),
            #[allow(unreachable_patterns)]
            _ => Err(Unsupported::new(opcode_name(instruction))),
        }
    }

    pub(crate) fn integer_operation(
        &mut self,
        opcode: Opcode,
        instruction: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        if opcode == Opcode::LLVMSub {
            self.check_pointer_difference(instruction)?;
        }
        if let Some(width) = wide_width(instruction.ty()) {
            return self.wide_operation(opcode, instruction, width);
        }
        let op = match opcode {
            Opcode::LLVMAdd => BinaryOp::Add,
            Opcode::LLVMSub => BinaryOp::Sub,
            Opcode::LLVMMul => BinaryOp::Mul,
            Opcode::LLVMUDiv => BinaryOp::UDiv,
            Opcode::LLVMSDiv => BinaryOp::SDiv,
            Opcode::LLVMURem => BinaryOp::URem,
            Opcode::LLVMSRem => BinaryOp::SRem,
            Opcode::LLVMShl => BinaryOp::Shl,
            Opcode::LLVMLShr => BinaryOp::LShr,
            Opcode::LLVMAShr => BinaryOp::AShr,
            Opcode::LLVMAnd => BinaryOp::And,
            Opcode::LLVMOr => BinaryOp::Or,
            Opcode::LLVMXor => BinaryOp::Xor,
            _ => return Err(Unsupported::new(opcode_name(instruction))),
        };
        self.elementwise2(instruction, |this, a, b| Ok(this.binary(op, a, b)))
    }

    /// C's subtraction of pointers is defined within one object only. clang writes it as a
    /// subtraction of addresses and marks it by the names it gives.
    fn check_pointer_difference(&mut self, instruction: Value<'p>) -> Result<(), Unsupported> {
        let is_cast = |value: Value<'p>| {
            value.kind() == ValueKind::LLVMInstructionValueKind
                && value.opcode() == Opcode::LLVMPtrToInt
        };
        let (lhs, rhs) = (instruction.operand(0), instruction.operand(1));
        let both = is_cast(lhs) && is_cast(rhs);
        if both && instruction.name().starts_with("sub.ptr.sub") {
            let lhs = self.scalar_operand(lhs, 0)?;
            let rhs = self.scalar_operand(rhs, 0)?;
            let same = self.builtin(Builtin::SameObject, vec![lhs, rhs], &[Type::BOOL])[0];
            let message = "subtraction of pointers to different objects";
            self.check(CheckKind::PointerComparison, same, Some(message));
        }
        Ok(())
    }

    /// Applies `f` to the scalars of the only operand, one by one.
    pub(crate) fn elementwise(
        &mut self,
        instruction: Value<'p>,
        mut f: impl FnMut(&mut Self, ValueId) -> Result<ValueId, Unsupported>,
    ) -> Result<Scalars, Unsupported> {
        let operand = self.operand(instruction.operand(0))?;
        operand.into_iter().map(|value| f(self, value)).collect()
    }

    /// Applies `f` to the scalars of the two operands, pair by pair.
    pub(crate) fn elementwise2(
        &mut self,
        instruction: Value<'p>,
        mut f: impl FnMut(&mut Self, ValueId, ValueId) -> Result<ValueId, Unsupported>,
    ) -> Result<Scalars, Unsupported> {
        let lhs = self.operand(instruction.operand(0))?;
        let rhs = self.operand(instruction.operand(1))?;
        lhs.into_iter()
            .zip(rhs)
            .map(|(a, b)| f(self, a, b))
            .collect()
    }

    fn integer_comparison(&mut self, instruction: Value<'p>) -> Result<Scalars, Unsupported> {
        // LLVM numbers the predicates eq, ne, ugt, uge, ult, ule, sgt, sge, slt, sle from 32.
        let predicate = match instruction.int_predicate() as u32 {
            32 => IntPredicate::Eq,
            33 => IntPredicate::Ne,
            34 => IntPredicate::Ugt,
            35 => IntPredicate::Uge,
            36 => IntPredicate::Ult,
            37 => IntPredicate::Ule,
            38 => IntPredicate::Sgt,
            39 => IntPredicate::Sge,
            40 => IntPredicate::Slt,
            41 => IntPredicate::Sle,
            other => return Err(Unsupported::new(format!("icmp predicate {other}"))),
        };
        if wide_width(instruction.operand(0).ty()).is_some() {
            let lhs = self.operand(instruction.operand(0))?;
            let rhs = self.operand(instruction.operand(1))?;
            return Ok(smallvec![self.wide_comparison(predicate, &lhs, &rhs)]);
        }
        self.elementwise2(instruction, |this, a, b| Ok(this.compare(predicate, a, b)))
    }

    fn selection(&mut self, instruction: Value<'p>) -> Result<Scalars, Unsupported> {
        let condition = self.operand(instruction.operand(0))?;
        let on_true = self.operand(instruction.operand(1))?;
        let on_false = self.operand(instruction.operand(2))?;
        let one = condition.len() == 1;
        let pairs = on_true.into_iter().zip(on_false).enumerate();
        Ok(pairs
            .map(|(i, (t, f))| self.select(condition[if one { 0 } else { i }], t, f))
            .collect())
    }

    /// A cast, of an instruction or a constant expression.
    pub(crate) fn conversion(
        &mut self,
        opcode: Opcode,
        value: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        let is_wide = |value: Value<'p>| wide_width(value.ty()).is_some();
        match opcode {
            Opcode::LLVMTrunc | Opcode::LLVMZExt | Opcode::LLVMSExt
                if is_wide(value) || is_wide(value.operand(0)) =>
            {
                self.wide_cast(opcode, value)
            }
            Opcode::LLVMAddrSpaceCast => self.operand(value.operand(0)),
            Opcode::LLVMBitCast => self.bitcast(value),
            Opcode::LLVMPtrToInt => {
                let to = self.element_types(value)?;
                self.elementwise_to(value, &to, |this, v, ty| {
                    Ok(this.cast(CastOp::PtrToInt, v, ty))
                })
            }
            Opcode::LLVMIntToPtr => self.elementwise(value, |this, v| {
                let v = this.as_size(v)?;
                Ok(this.cast(CastOp::IntToPtr, v, Type::Ptr))
            }),
            Opcode::LLVMTrunc => self.simple_cast(CastOp::Trunc, value),
            Opcode::LLVMZExt => self.simple_cast(CastOp::ZExt, value),
            Opcode::LLVMSExt => self.simple_cast(CastOp::SExt, value),
            _ => self.float_conversion(opcode, value),
        }
    }

    pub(crate) fn element_types(&mut self, value: Value<'p>) -> Result<Vec<Type>, Unsupported> {
        Ok(self.module.layout(value.ty())?.types())
    }

    pub(crate) fn elementwise_to(
        &mut self,
        value: Value<'p>,
        to: &[Type],
        mut f: impl FnMut(&mut Self, ValueId, Type) -> Result<ValueId, Unsupported>,
    ) -> Result<Scalars, Unsupported> {
        let operand = self.operand(value.operand(0))?;
        let pairs = operand.into_iter().zip(to);
        pairs.map(|(v, &ty)| f(self, v, ty)).collect()
    }

    pub(crate) fn simple_cast(
        &mut self,
        op: CastOp,
        value: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        let to = self.element_types(value)?;
        self.elementwise_to(value, &to, |this, v, ty| Ok(this.cast(op, v, ty)))
    }
}

/// The kind of float that a value, or an element of a vector, is.
pub(crate) fn float_kind(value: Value<'_>) -> Option<FloatKind> {
    match value.ty().shape() {
        TypeShape::Float(kind) => Some(kind),
        TypeShape::Vector(element, _) => match element.shape() {
            TypeShape::Float(kind) => Some(kind),
            _ => None,
        },
        _ => None,
    }
}

/// The name of an instruction's operation, for reports.
pub(crate) fn opcode_name(instruction: Value<'_>) -> String {
    let text = format!("{:?}", instruction.opcode());
    text.strip_prefix("LLVM").unwrap_or(&text).to_lowercase()
}
