//! Floating-point instructions.
//!
//! `float` and `double` are exact. Other formats are kept as bits: they can be loaded, stored,
//! moved and passed exactly, but the result of computing with one is over-approximated.

use super::Unsupported;
use super::function::{FunctionTranslator, Scalars};
use super::instruction::{float_kind, opcode_name};
use super::layout::float_name;
use crate::llvm::{FloatKind, Opcode, Value};
use foghorn_ir::{CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, Instruction, Type, ValueId};

/// Whether the IR computes with this format.
pub(crate) fn is_exact(kind: FloatKind) -> bool {
    matches!(kind, FloatKind::Single | FloatKind::Double)
}

impl<'p> FunctionTranslator<'_, 'p> {
    pub(crate) fn float_binary(
        &mut self,
        op: FloatBinaryOp,
        lhs: ValueId,
        rhs: ValueId,
    ) -> ValueId {
        let ty = self.body.ty(lhs);
        if !ty.is_float() {
            return self.inexact_float(op.name(), ty);
        }
        self.emit1(Instruction::FloatBinary { op, lhs, rhs }, ty)
    }

    pub(crate) fn float_unary(&mut self, op: FloatUnaryOp, operand: ValueId) -> ValueId {
        let ty = self.body.ty(operand);
        if !ty.is_float() {
            return self.inexact_float(op.name(), ty);
        }
        self.emit1(Instruction::FloatUnary { op, operand }, ty)
    }

    /// The result of an operation on a format that we do not compute with, of which only the
    /// width is known.
    fn inexact_float(&mut self, operation: &str, ty: Type) -> ValueId {
        let format = match ty {
            Type::Int(16) => "_Float16",
            Type::Int(80) => "long double",
            _ => "__float128",
        };
        self.over_approximated(&format!("{format} {operation}"), ty)
    }

    pub(crate) fn float_operation(
        &mut self,
        opcode: Opcode,
        instruction: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        let op = match opcode {
            Opcode::LLVMFAdd => FloatBinaryOp::Add,
            Opcode::LLVMFSub => FloatBinaryOp::Sub,
            Opcode::LLVMFMul => FloatBinaryOp::Mul,
            Opcode::LLVMFDiv => FloatBinaryOp::Div,
            Opcode::LLVMFRem => FloatBinaryOp::Rem,
            _ => return Err(Unsupported::new(opcode_name(instruction))),
        };
        self.elementwise2(instruction, |this, a, b| Ok(this.float_binary(op, a, b)))
    }

    pub(crate) fn float_negation(
        &mut self,
        instruction: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        self.elementwise(instruction, |this, value| Ok(this.negate_float(value)))
    }

    /// Flips the sign, which is the highest bit of every format.
    fn negate_float(&mut self, value: ValueId) -> ValueId {
        match self.body.ty(value) {
            Type::Int(width) => {
                let sign = self.body.int(width, (1u128 << (width - 1)).cast_signed());
                self.binary(foghorn_ir::BinaryOp::Xor, value, sign)
            }
            Type::Ptr | Type::F32 | Type::F64 | Type::Memory(_) => {
                self.float_unary(FloatUnaryOp::Neg, value)
            }
        }
    }

    pub(crate) fn float_comparison(
        &mut self,
        instruction: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        let number = instruction.float_predicate() as usize;
        // LLVM numbers: false, oeq, ogt, oge, olt, ole, one, ord, uno, ueq, …, true; as we do.
        let predicate = *FloatPredicate::ALL
            .get(number)
            .ok_or_else(|| Unsupported::new("fcmp predicate"))?;
        self.elementwise2(instruction, |this, a, b| {
            if !this.body.ty(a).is_float() {
                return Ok(this.over_approximated("long double comparison", Type::BOOL));
            }
            let instruction = Instruction::FloatCompare {
                predicate,
                lhs: a,
                rhs: b,
            };
            Ok(this.emit1(instruction, Type::BOOL))
        })
    }

    pub(crate) fn float_conversion(
        &mut self,
        opcode: Opcode,
        value: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        let op = match opcode {
            Opcode::LLVMFPToUI => CastOp::FpToUi,
            Opcode::LLVMFPToSI => CastOp::FpToSi,
            Opcode::LLVMUIToFP => CastOp::UiToFp,
            Opcode::LLVMSIToFP => CastOp::SiToFp,
            Opcode::LLVMFPTrunc => CastOp::FpTrunc,
            Opcode::LLVMFPExt => CastOp::FpExt,
            _ => return Err(Unsupported::new(opcode_name(value))),
        };
        let to = self.element_types(value)?;
        let inexact = [float_kind(value), float_kind(value.operand(0))]
            .into_iter()
            .flatten()
            .find(|&kind| !is_exact(kind));
        self.elementwise_to(value, &to, |this, v, ty| match inexact {
            Some(kind) => {
                let operation = format!("{} conversion", float_name(kind));
                Ok(this.over_approximated(&operation, ty))
            }
            None => Ok(this.cast(op, v, ty)),
        })
    }
}
