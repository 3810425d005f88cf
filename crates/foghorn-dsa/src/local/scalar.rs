//! Pointer arithmetic, casts and integers.

use super::Local;
use crate::exposure;
use crate::graph::unify::gcd;
use crate::graph::{Cell, Flags, Site};
use foghorn_ir::{BinaryOp, CastOp, Constant, Instruction, Type, ValueId};

impl Local<'_> {
    pub(super) fn scalar(&mut self, result: ValueId, instruction: &Instruction) {
        match instruction {
            Instruction::PointerAdd {
                base,
                constant,
                scaled,
            } => self.pointer_add(result, *base, *constant, scaled),
            Instruction::Select {
                on_true, on_false, ..
            } => {
                self.same(result, *on_true);
                self.same(result, *on_false);
            }
            Instruction::Cast { op, operand } => self.cast(result, *op, *operand),
            Instruction::Binary { op, lhs, rhs } => self.binary(result, *op, *lhs, *rhs),
            Instruction::Unary { operand, .. } => self.derived(result, *operand),
            _other => {}
        }
    }

    fn pointer_add(
        &mut self,
        result: ValueId,
        base: ValueId,
        constant: i64,
        scaled: &[(ValueId, i64)],
    ) {
        let cell = self.pointer(base);
        let mut offset = constant;
        let mut stride = 0;
        for &(index, scale) in scaled {
            match self.signed_constant(index) {
                Some(index) => offset = offset.wrapping_add(index.wrapping_mul(scale)),
                None => stride = gcd(stride, scale),
            }
        }
        self.graph.fold(cell, stride);
        self.define(result, cell.plus(offset));
    }

    fn signed_constant(&self, value: ValueId) -> Option<i64> {
        let Some(Constant::Int(bits)) = self.body.as_constant(value) else {
            return None;
        };
        let unused = 64 - self.body.ty(value).int_width()?.min(64);
        Some(((bits as u64) << unused).cast_signed() >> unused)
    }

    fn is_wide(&self, ty: Type) -> bool {
        ty == Type::Ptr
            || ty == Type::F64 && self.module.layout.pointer_bytes <= 8
            || ty
                .int_width()
                .is_some_and(|width| width >= self.module.layout.pointer_bits())
    }

    fn cast(&mut self, result: ValueId, op: CastOp, operand: ValueId) {
        match op {
            CastOp::FpTrunc
            | CastOp::FpExt
            | CastOp::FpToUi
            | CastOp::FpToSi
            | CastOp::UiToFp
            | CastOp::SiToFp => return,
            CastOp::PtrToInt => {
                let cell = self.pointer(operand);
                self.graph
                    .add_flags(cell, Flags::PTR_TO_INT | Flags::EXPOSED);
            }
            CastOp::IntToPtr => {
                let cell = self.pointer(result);
                if !exposure::may_be_address(self.module, self.body, operand) {
                    return;
                }
                self.graph.add_flags(cell, Flags::INT_TO_PTR);
                if self.cell(operand).is_none() {
                    self.graph.add_flags(cell, Flags::UNKNOWN);
                    self.graph.add_site(cell, Site::Environment);
                }
            }
            CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::Bitcast => {}
        }
        if self.is_wide(self.body.ty(result)) && self.is_wide(self.body.ty(operand)) {
            self.same(result, operand);
        } else {
            self.derived(result, operand);
        }
    }

    /// A constant added to something as wide as a pointer keeps the offset known; everything else
    /// loses it.
    fn binary(&mut self, result: ValueId, op: BinaryOp, lhs: ValueId, rhs: ValueId) {
        let wide = self.is_wide(self.body.ty(result));
        let moved = match (op, self.signed_constant(lhs), self.signed_constant(rhs)) {
            (BinaryOp::Add, None, Some(bytes)) => Some((lhs, bytes)),
            (BinaryOp::Add, Some(bytes), None) => Some((rhs, bytes)),
            (BinaryOp::Sub, None, Some(bytes)) => Some((lhs, bytes.wrapping_neg())),
            _other => None,
        };
        match moved.filter(|_| wide) {
            Some((operand, bytes)) => {
                let cells = (self.cell(result), self.cell(operand));
                if let (Some(result), Some(operand)) = cells {
                    let moved: Cell = operand.plus(bytes);
                    self.graph.unify(result, moved);
                }
            }
            None => {
                self.derived(result, lhs);
                self.derived(result, rhs);
            }
        }
    }

    fn derived(&mut self, result: ValueId, operand: ValueId) {
        if let (Some(result), Some(operand)) = (self.cell(result), self.cell(operand)) {
            self.graph.derive(result, operand);
        }
    }
}
