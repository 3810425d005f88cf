//! Operations on registers that are rare, wide, or need the addresses of objects.

use super::step::{pointers_equal, wrapped};
use super::{Frame, Machine, Step};
use crate::body::InstId;
use crate::instruction::Instruction;
use crate::interpret::arithmetic::{compare, cut, overflows, unary};
use crate::interpret::float::{fma_f32, fma_f64};
use crate::interpret::observer::Observer;
use crate::interpret::value::{ObjectId, Pointer, Slot};
use crate::operation::{CastOp, IntPredicate};
use crate::types::Type;
use foghorn_core::CheckKind;

impl<'p, O: Observer> Machine<'p, O> {
    pub(super) fn scalar(&mut self, frame: &Frame<'p>, id: InstId) -> Step<()> {
        let data = &frame.body.instructions[id];
        let width = |value| frame.body.ty(value).int_width().unwrap_or(64);
        let slot = match &data.instruction {
            Instruction::Unary { op, operand } => {
                Slot::wide(unary(*op, width(*operand), self.get(*operand).bits()))
            }
            Instruction::Overflows {
                op,
                signed,
                lhs,
                rhs,
            } => {
                let (left, right) = (self.get(*lhs).bits(), self.get(*rhs).bits());
                Slot::truth(overflows(*op, *signed, width(*lhs), left, right))
            }
            Instruction::FusedMultiplyAdd { a, b, c } => {
                let (x, y, z) = (self.get(*a).low, self.get(*b).low, self.get(*c).low);
                Slot::narrow(match frame.body.ty(*a) {
                    Type::F32 => fma_f32(x as u32, y as u32, z as u32).into(),
                    Type::F64 | Type::Int(_) | Type::Ptr | Type::Memory(_) => fma_f64(x, y, z),
                })
            }
            Instruction::Compare {
                predicate,
                lhs,
                rhs,
            } => {
                let (lhs, rhs) = (self.get(*lhs).pointer(), self.get(*rhs).pointer());
                Slot::truth(self.compare_pointers(*predicate, lhs, rhs)?)
            }
            Instruction::Cast { op, operand } => {
                let result = frame.body.ty(data.results[0]);
                self.cast_pointer(*op, self.get(*operand), result)?
            }
            Instruction::PointerAdd {
                base,
                constant,
                scaled,
            } => {
                let Slot { mut low, high } = self.get(*base);
                low = low.wrapping_add_signed(*constant);
                for (index, scale) in scaled {
                    let index = wrapped(self.get(*index).low, self.wrap);
                    low = low.wrapping_add(index.wrapping_mul(scale.cast_unsigned()));
                }
                Slot {
                    low: wrapped(low, self.wrap),
                    high,
                }
            }
            _ => return Ok(()),
        };
        self.set_result(id, slot);
        Ok(())
    }

    fn cast_pointer(&mut self, op: CastOp, operand: Slot, result: Type) -> Step<Slot> {
        match op {
            CastOp::PtrToInt => {
                let address = self.address(operand.pointer())?;
                let width = result.int_width().unwrap_or(64);
                Ok(Slot::wide(cut(address.into(), width)))
            }
            CastOp::IntToPtr => Ok(self.memory.pointer_from_integer(operand.low).into()),
            CastOp::Trunc
            | CastOp::ZExt
            | CastOp::SExt
            | CastOp::FpTrunc
            | CastOp::FpExt
            | CastOp::FpToUi
            | CastOp::FpToSi
            | CastOp::UiToFp
            | CastOp::SiToFp
            | CastOp::Bitcast => Ok(operand),
        }
    }

    /// Equality by object and offset. The order within one object is that of the offsets; across
    /// objects it is a `pointer-comparison`, and that of the addresses where this is not checked.
    /// Null is not another object: programs do ask whether a pointer is above null.
    fn compare_pointers(
        &mut self,
        predicate: IntPredicate,
        lhs: Pointer,
        rhs: Pointer,
    ) -> Step<bool> {
        let equality = matches!(predicate, IntPredicate::Eq | IntPredicate::Ne);
        if equality && let Some(equal) = pointers_equal(lhs, rhs) {
            return Ok(equal == (predicate == IntPredicate::Eq));
        }
        if lhs.object == rhs.object && lhs.object.is_object() && !predicate.is_signed() {
            return Ok(ordered_offsets(predicate, lhs.offset, rhs.offset));
        }
        let different = lhs.object != rhs.object
            && lhs.object != ObjectId::NULL
            && rhs.object != ObjectId::NULL;
        if !equality && different && self.options.enabled(CheckKind::PointerComparison) {
            let message = "order of pointers to different objects".to_owned();
            return Err(self.fail(CheckKind::PointerComparison, message, Some(lhs)));
        }
        let bits = self.program.module.layout.pointer_bits();
        let (left, right) = (self.address(lhs)?, self.address(rhs)?);
        Ok(compare(predicate, bits, left.into(), right.into()))
    }
}

/// The order of offsets into one object: that of their addresses, as no object wraps around.
fn ordered_offsets(predicate: IntPredicate, lhs: i64, rhs: i64) -> bool {
    match predicate {
        IntPredicate::Eq => lhs == rhs,
        IntPredicate::Ne => lhs != rhs,
        IntPredicate::Ult | IntPredicate::Slt => lhs < rhs,
        IntPredicate::Ule | IntPredicate::Sle => lhs <= rhs,
        IntPredicate::Ugt | IntPredicate::Sgt => lhs > rhs,
        IntPredicate::Uge | IntPredicate::Sge => lhs >= rhs,
    }
}
