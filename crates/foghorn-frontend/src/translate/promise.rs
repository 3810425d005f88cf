//! What an LLVM operation promises about its operands, and how that is tested.

use super::Unsupported;
use super::function::FunctionTranslator;
use super::intrinsic::stem;
use super::wide::wide_width;
use crate::llvm::{Opcode, Value, ValueKind};
use foghorn_core::CheckKind;
use foghorn_ir::{
    BinaryOp, CastOp, Constant, FloatPredicate, Instruction, IntPredicate, OverflowOp, Type,
    ValueId,
};

/// One promise of one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Promise {
    NonZeroDivisor,
    NoDivisionOverflow,
    ShiftBelowWidth,
    NoSignedWrap,
    NoUnsignedWrap,
    Exact,
    Disjoint,
    NonNegative,
    SameSign,
    FitsInteger,
    /// `abs` of an integer that has a positive counterpart.
    HasAbsoluteValue,
    /// `ctlz`, `cttz` of what is not zero.
    NonZeroArgument,
}

impl Promise {
    /// The promises of an instruction.
    pub(crate) fn of(instruction: Value<'_>) -> Vec<Promise> {
        let opcode = instruction.opcode();
        let mut promises = vec![];
        let is_wide = |value: Value<'_>| wide_width(value.ty()).is_some();
        match opcode {
            Opcode::LLVMUDiv | Opcode::LLVMURem => promises.push(Promise::NonZeroDivisor),
            Opcode::LLVMSDiv | Opcode::LLVMSRem => {
                promises.extend([Promise::NonZeroDivisor, Promise::NoDivisionOverflow]);
            }
            Opcode::LLVMShl | Opcode::LLVMLShr | Opcode::LLVMAShr if !is_wide(instruction) => {
                promises.push(Promise::ShiftBelowWidth);
            }
            Opcode::LLVMOr if !is_wide(instruction) && instruction.is_disjoint() => {
                promises.push(Promise::Disjoint);
            }
            Opcode::LLVMZExt | Opcode::LLVMUIToFP
                if !is_wide(instruction.operand(0)) && instruction.is_non_negative() =>
            {
                promises.push(Promise::NonNegative);
            }
            Opcode::LLVMICmp if !is_wide(instruction.operand(0)) && instruction.has_same_sign() => {
                promises.push(Promise::SameSign);
            }
            Opcode::LLVMFPToSI | Opcode::LLVMFPToUI => promises.push(Promise::FitsInteger),
            Opcode::LLVMCall => promises.extend(Promise::of_intrinsic(instruction)),
            _ => {}
        }
        let wraps = matches!(
            opcode,
            Opcode::LLVMAdd
                | Opcode::LLVMSub
                | Opcode::LLVMMul
                | Opcode::LLVMShl
                | Opcode::LLVMTrunc
        );
        if wraps && !is_wide(instruction) && !is_wide(instruction.operand(0)) {
            if instruction.has_no_signed_wrap() {
                promises.push(Promise::NoSignedWrap);
            }
            if instruction.has_no_unsigned_wrap() {
                promises.push(Promise::NoUnsignedWrap);
            }
        }
        let divides = matches!(
            opcode,
            Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMLShr | Opcode::LLVMAShr
        );
        if divides && !is_wide(instruction) && instruction.is_exact() {
            promises.push(Promise::Exact);
        }
        promises
    }

    fn of_intrinsic(call: Value<'_>) -> Option<Promise> {
        let callee = call.callee();
        if callee.kind() != ValueKind::LLVMFunctionValueKind {
            return None;
        }
        let name = callee.name();
        if !name.starts_with("llvm.") {
            return None;
        }
        let promise = match stem(&name) {
            "abs" => Promise::HasAbsoluteValue,
            "ctlz" | "cttz" => Promise::NonZeroArgument,
            _ => return None,
        };
        let promised = call.arguments().get(1).and_then(|it| it.int_bits()) == Some(1);
        promised.then_some(promise)
    }

    /// Whether a broken promise makes poison; otherwise it is undefined at once.
    pub(crate) fn is_deferred(self) -> bool {
        !matches!(self, Promise::NonZeroDivisor | Promise::NoDivisionOverflow)
    }

    pub(crate) fn kind(self) -> CheckKind {
        match self {
            Promise::NonZeroDivisor => CheckKind::Division,
            Promise::NoDivisionOverflow => CheckKind::DivisionOverflow,
            Promise::ShiftBelowWidth => CheckKind::Shift,
            Promise::NoSignedWrap | Promise::HasAbsoluteValue => CheckKind::SignedOverflow,
            Promise::NoUnsignedWrap
            | Promise::Exact
            | Promise::Disjoint
            | Promise::NonNegative
            | Promise::SameSign => CheckKind::Poison,
            Promise::FitsInteger => CheckKind::FloatCast,
            Promise::NonZeroArgument => CheckKind::BuiltinArgument,
        }
    }

    pub(crate) fn message(self) -> &'static str {
        match self {
            Promise::NonZeroDivisor => "division by zero",
            Promise::NoDivisionOverflow => "the smallest integer is divided by -1",
            Promise::ShiftBelowWidth => "shift by at least the width",
            Promise::NoSignedWrap => "the signed result does not fit",
            Promise::NoUnsignedWrap => {
                "the unsigned result of an operation marked nuw does not fit"
            }
            Promise::Exact => "an operation marked exact leaves a rest",
            Promise::Disjoint => "an 'or' marked disjoint has a bit in common",
            Promise::NonNegative => "an operand marked nneg is negative",
            Promise::SameSign => "operands marked samesign have different signs",
            Promise::FitsInteger => "the number does not fit the integer",
            Promise::HasAbsoluteValue => "the smallest integer has no absolute value",
            Promise::NonZeroArgument => "the argument is zero",
        }
    }
}

impl<'p> FunctionTranslator<'_, 'p> {
    /// Whether a promise is kept, for each scalar of the result.
    pub(crate) fn kept(
        &mut self,
        promise: Promise,
        instruction: Value<'p>,
    ) -> Result<Vec<ValueId>, Unsupported> {
        if wide_width(instruction.ty()).is_some() {
            return Ok(vec![]);
        }
        let first = self.operand(instruction.operand(0))?;
        let second = match instruction.operand_count() {
            2.. if instruction.opcode() != Opcode::LLVMCall => {
                self.operand(instruction.operand(1))?
            }
            _ => first.clone(),
        };
        let types = self.element_types(instruction)?;
        let lanes = first.into_iter().zip(second).zip(types);
        lanes
            .map(|((a, b), ty)| self.kept_by(promise, instruction.opcode(), a, b, ty))
            .collect()
    }

    fn kept_by(
        &mut self,
        promise: Promise,
        opcode: Opcode,
        a: ValueId,
        b: ValueId,
        ty: Type,
    ) -> Result<ValueId, Unsupported> {
        match promise {
            Promise::NonZeroDivisor => Ok(self.truth(b)),
            Promise::NonZeroArgument => Ok(self.truth(a)),
            Promise::NoDivisionOverflow => {
                let width = self.width(a)?;
                let (smallest, minus) = (self.smallest(width), self.body.int(width, -1));
                let other = self.compare(IntPredicate::Ne, a, smallest);
                let plain = self.compare(IntPredicate::Ne, b, minus);
                Ok(self.or(other, plain))
            }
            Promise::ShiftBelowWidth => {
                let width = self.width(a)?;
                let bits = self.body.int(width, width.into());
                Ok(self.compare(IntPredicate::Ult, b, bits))
            }
            Promise::NoSignedWrap | Promise::NoUnsignedWrap => {
                self.no_wrap(opcode, promise == Promise::NoSignedWrap, a, b, ty)
            }
            Promise::Exact => self.no_rest(opcode, a, b),
            Promise::Disjoint => {
                let common = self.and(a, b);
                let zero = self.zero(self.body.ty(a));
                Ok(self.compare(IntPredicate::Eq, common, zero))
            }
            Promise::NonNegative => {
                let zero = self.zero(self.body.ty(a));
                Ok(self.compare(IntPredicate::Sge, a, zero))
            }
            Promise::SameSign => {
                let ty = self.body.ty(a);
                if ty == Type::Ptr {
                    return Ok(self.bool(true));
                }
                let differing = self.binary(BinaryOp::Xor, a, b);
                let zero = self.zero(ty);
                Ok(self.compare(IntPredicate::Sge, differing, zero))
            }
            Promise::HasAbsoluteValue => {
                let width = self.width(a)?;
                let smallest = self.smallest(width);
                Ok(self.compare(IntPredicate::Ne, a, smallest))
            }
            Promise::FitsInteger => Ok(self.fits_integer(a, ty, opcode == Opcode::LLVMFPToSI)),
        }
    }

    fn smallest(&mut self, width: u8) -> ValueId {
        self.body.int(width, (1u128 << (width - 1)).cast_signed())
    }

    fn no_wrap(
        &mut self,
        opcode: Opcode,
        signed: bool,
        a: ValueId,
        b: ValueId,
        ty: Type,
    ) -> Result<ValueId, Unsupported> {
        let op = match opcode {
            Opcode::LLVMAdd => OverflowOp::Add,
            Opcode::LLVMSub => OverflowOp::Sub,
            Opcode::LLVMMul => OverflowOp::Mul,
            Opcode::LLVMShl => {
                // Shifted back, the operand is what it was.
                let shifted = self.binary(BinaryOp::Shl, a, b);
                let back = if signed {
                    BinaryOp::AShr
                } else {
                    BinaryOp::LShr
                };
                let back = self.binary(back, shifted, b);
                return Ok(self.compare(IntPredicate::Eq, back, a));
            }
            _ => {
                let from = self.body.ty(a);
                let cut = self.cast(CastOp::Trunc, a, ty);
                let extend = if signed { CastOp::SExt } else { CastOp::ZExt };
                let back = self.cast(extend, cut, from);
                return Ok(self.compare(IntPredicate::Eq, back, a));
            }
        };
        let overflows = self.overflows(op, signed, a, b);
        Ok(self.not(overflows))
    }

    /// A division without a rest, or a shift that loses no bit.
    fn no_rest(&mut self, opcode: Opcode, a: ValueId, b: ValueId) -> Result<ValueId, Unsupported> {
        let (quotient, back) = match opcode {
            Opcode::LLVMUDiv => (BinaryOp::UDiv, BinaryOp::Mul),
            Opcode::LLVMSDiv => (BinaryOp::SDiv, BinaryOp::Mul),
            Opcode::LLVMLShr => (BinaryOp::LShr, BinaryOp::Shl),
            _ => (BinaryOp::AShr, BinaryOp::Shl),
        };
        let quotient = self.binary(quotient, a, b);
        let back = self.binary(back, quotient, b);
        Ok(self.compare(IntPredicate::Eq, back, a))
    }

    /// Whether a float, cut at its point, is an integer of that type. Formats that we do not
    /// compute with are converted to anything, which is said elsewhere.
    fn fits_integer(&mut self, value: ValueId, ty: Type, signed: bool) -> ValueId {
        let (Type::Int(width), from @ (Type::F32 | Type::F64)) = (ty, self.body.ty(value)) else {
            return self.bool(true);
        };
        let precision: u32 = if from == Type::F32 { 24 } else { 53 };
        let magnitude = u32::from(width) - u32::from(signed);
        let above = 2f64.powi(magnitude.cast_signed());
        // The largest numbers below which nothing fits: -2^n - 1 where that is a float, else the
        // next float below -2^n, for which "not below -2^n" is the same.
        let (predicate, below) = match (signed, magnitude < precision) {
            (false, _) => (FloatPredicate::Ogt, -1.0),
            (true, true) => (FloatPredicate::Ogt, -above - 1.0),
            (true, false) => (FloatPredicate::Oge, -above),
        };
        let below = self.float_constant(from, below);
        let above = self.float_constant(from, above);
        let mut compare = |predicate, bound| {
            let instruction = Instruction::FloatCompare {
                predicate,
                lhs: value,
                rhs: bound,
            };
            self.emit1(instruction, Type::BOOL)
        };
        let large = compare(predicate, below);
        let small = compare(FloatPredicate::Olt, above);
        self.and(large, small)
    }

    fn float_constant(&mut self, ty: Type, number: f64) -> ValueId {
        let constant = match ty {
            // Powers of two, and those next to small ones, are exact; beyond is infinity.
            #[allow(clippy::cast_possible_truncation)]
            Type::F32 => Constant::F32((number as f32).to_bits()),
            _ => Constant::F64(number.to_bits()),
        };
        self.body.constant(ty, constant)
    }
}
