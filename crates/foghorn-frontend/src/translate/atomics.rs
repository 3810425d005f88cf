//! Atomic operations. Executions are sequential, so each is its plain steps one after the other.

use super::Unsupported;
use super::function::{FunctionTranslator, Scalars};
use crate::llvm::Value;
use foghorn_ir::{BinaryOp, FloatBinaryOp, IntPredicate, ValueId};
use smallvec::smallvec;

impl<'p> FunctionTranslator<'_, 'p> {
    /// `cmpxchg`: the old value, and whether it was the expected one.
    pub(crate) fn compare_exchange(
        &mut self,
        instruction: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        let pointer = self.scalar_operand(instruction, 0)?;
        let expected = self.scalar_operand(instruction, 1)?;
        let new = self.scalar_operand(instruction, 2)?;
        let ty = self.body.ty(expected);
        let align = self.natural_align(instruction.operand(1));
        let old = self.load(pointer, align, ty);
        let equal = self.compare(IntPredicate::Eq, old, expected);
        let value = self.select(equal, new, old);
        self.store(pointer, value, align);
        Ok(smallvec![old, equal])
    }

    fn natural_align(&self, value: Value<'p>) -> u32 {
        let size = self.module.program.store_size(value.ty());
        u32::try_from(size.next_power_of_two()).unwrap_or(1)
    }

    /// `atomicrmw`: the old value.
    pub(crate) fn atomic_update(&mut self, instruction: Value<'p>) -> Result<Scalars, Unsupported> {
        let pointer = self.scalar_operand(instruction, 0)?;
        let operand = self.scalar_operand(instruction, 1)?;
        let ty = self.body.ty(operand);
        let align = self.natural_align(instruction.operand(1));
        let old = self.load(pointer, align, ty);
        let new = self.updated(instruction.atomic_operation(), old, operand)?;
        self.store(pointer, new, align);
        Ok(smallvec![old])
    }

    /// LLVM numbers the operations in this order.
    fn updated(
        &mut self,
        operation: u32,
        old: ValueId,
        operand: ValueId,
    ) -> Result<ValueId, Unsupported> {
        let extreme = |this: &mut Self, predicate| {
            let keep = this.compare(predicate, old, operand);
            this.select(keep, old, operand)
        };
        Ok(match operation {
            0 => operand,
            1 => self.binary(BinaryOp::Add, old, operand),
            2 => self.binary(BinaryOp::Sub, old, operand),
            3 => self.binary(BinaryOp::And, old, operand),
            4 => {
                let both = self.binary(BinaryOp::And, old, operand);
                let width = self.width(both)?;
                let ones = self.body.int(width, -1);
                self.binary(BinaryOp::Xor, both, ones)
            }
            5 => self.binary(BinaryOp::Or, old, operand),
            6 => self.binary(BinaryOp::Xor, old, operand),
            7 => extreme(self, IntPredicate::Sgt),
            8 => extreme(self, IntPredicate::Slt),
            9 => extreme(self, IntPredicate::Ugt),
            10 => extreme(self, IntPredicate::Ult),
            11 => self.float_binary(FloatBinaryOp::Add, old, operand),
            12 => self.float_binary(FloatBinaryOp::Sub, old, operand),
            13 => self.float_binary(FloatBinaryOp::Max, old, operand),
            14 => self.float_binary(FloatBinaryOp::Min, old, operand),
            other => return Err(Unsupported::new(format!("atomicrmw operation {other}"))),
        })
    }
}
