//! Translation of one instruction.

use super::op::{Op, Order};
use super::{CallSite, Decoder};
use crate::body::{InstId, ValueId};
use crate::instruction::{Callee, Instruction};
use crate::operation::{BinaryOp, CastOp, IntPredicate};
use crate::types::Type;

/// The comparison that the loop knows, and whether the operands are to be exchanged.
pub(super) fn order(predicate: IntPredicate) -> (Order, bool) {
    match predicate {
        IntPredicate::Eq => (Order::Equal, false),
        IntPredicate::Ne => (Order::NotEqual, false),
        IntPredicate::Ult => (Order::UnsignedLess, false),
        IntPredicate::Ule => (Order::UnsignedLessOrEqual, false),
        IntPredicate::Ugt => (Order::UnsignedLess, true),
        IntPredicate::Uge => (Order::UnsignedLessOrEqual, true),
        IntPredicate::Slt => (Order::SignedLess, false),
        IntPredicate::Sle => (Order::SignedLessOrEqual, false),
        IntPredicate::Sgt => (Order::SignedLess, true),
        IntPredicate::Sge => (Order::SignedLessOrEqual, true),
    }
}

impl Decoder<'_> {
    pub(super) fn instruction(&mut self, id: InstId) {
        if let Instruction::Bind { .. } = self.body.instructions[id].instruction
            && !self.events
        {
            return;
        }
        let op = if self.is_checked(id) {
            Op::Slow
        } else {
            self.fast_op(id).unwrap_or(Op::Slow)
        };
        self.emit(op);
    }

    /// Whether the pure form says something about memory here that is to be checked.
    fn is_checked(&self, id: InstId) -> bool {
        let data = &self.body.instructions[id];
        let accesses = match data.instruction {
            Instruction::Load { .. } | Instruction::Store { .. } => true,
            _ => !data.memory.is_empty(),
        };
        self.body.is_pure() && accesses
    }

    /// The op of an instruction that has one of its own.
    fn fast_op(&mut self, id: InstId) -> Option<Op> {
        let data = &self.body.instructions[id];
        let to = data
            .results
            .first()
            .map_or(0, |&result| self.register(result));
        match &data.instruction {
            Instruction::Binary { op, lhs, rhs } => Some(self.binary(*op, to, *lhs, *rhs)),
            Instruction::Overflows {
                op,
                signed,
                lhs,
                rhs,
            } => match self.body.ty(*lhs) {
                Type::Int(width) if width <= 64 => Some(Op::Overflows {
                    op: *op,
                    signed: *signed,
                    to,
                    lhs: self.register(*lhs),
                    rhs: self.register(*rhs),
                    width,
                }),
                Type::Int(_) | Type::Ptr | Type::F32 | Type::F64 | Type::Memory(_) => None,
            },
            Instruction::Compare {
                predicate,
                lhs,
                rhs,
            } => self.compare(*predicate, to, *lhs, *rhs),
            Instruction::Cast { op, operand } => self.cast(*op, to, *operand, id),
            Instruction::FloatBinary { op, lhs, rhs } => {
                let (lhs, rhs) = (self.register(*lhs), self.register(*rhs));
                Some(match self.body.ty(data.results[0]) {
                    Type::F32 => Op::Float32 {
                        op: *op,
                        to,
                        lhs,
                        rhs,
                    },
                    Type::F64 | Type::Int(_) | Type::Ptr | Type::Memory(_) => Op::Float64 {
                        op: *op,
                        to,
                        lhs,
                        rhs,
                    },
                })
            }
            Instruction::FloatUnary { op, operand } => Some(Op::FloatUnary {
                op: *op,
                double: self.body.ty(*operand) == Type::F64,
                to,
                from: self.register(*operand),
            }),
            Instruction::FloatCompare {
                predicate,
                lhs,
                rhs,
            } => Some(Op::FloatCompare {
                predicate: *predicate,
                double: self.body.ty(*lhs) == Type::F64,
                to,
                lhs: self.register(*lhs),
                rhs: self.register(*rhs),
            }),
            Instruction::Select {
                condition,
                on_true,
                on_false,
            } => Some(Op::Select {
                to,
                condition: self.register(*condition),
                on_true: self.register(*on_true),
                on_false: self.register(*on_false),
            }),
            Instruction::PointerAdd {
                base,
                constant,
                scaled,
            } => self.pointer_add(to, *base, *constant, scaled),
            Instruction::Load { pointer, .. } => self.load(to, *pointer, data.results[0]),
            Instruction::Store { pointer, value, .. } => self.store(*pointer, *value),
            Instruction::Call { callee, arguments } => self.call(callee, arguments, &data.results),
            Instruction::Check { condition, .. } | Instruction::Assume { condition } => {
                let condition = self.register(*condition);
                Some(Op::Require { condition })
            }
            Instruction::Unary { .. }
            | Instruction::FusedMultiplyAdd { .. }
            | Instruction::Nondet { .. }
            | Instruction::Allocate { .. }
            | Instruction::Free { .. }
            | Instruction::LifetimeStart { .. }
            | Instruction::LifetimeEnd { .. }
            | Instruction::StackSave
            | Instruction::StackRestore { .. }
            | Instruction::MemoryCopy { .. }
            | Instruction::MemorySet { .. }
            | Instruction::Bind { .. } => None,
        }
    }

    fn binary(&self, op: BinaryOp, to: u32, lhs: ValueId, rhs: ValueId) -> Op {
        let width = match self.body.ty(lhs) {
            Type::Int(width) => width,
            Type::Ptr | Type::F32 | Type::F64 | Type::Memory(_) => 64,
        };
        let (lhs, rhs) = (self.register(lhs), self.register(rhs));
        if width > 64 {
            return Op::Wide {
                op,
                to,
                lhs,
                rhs,
                width,
            };
        }
        match op {
            BinaryOp::Add => Op::Add {
                to,
                lhs,
                rhs,
                width,
            },
            BinaryOp::Sub => Op::Sub {
                to,
                lhs,
                rhs,
                width,
            },
            BinaryOp::Mul => Op::Mul {
                to,
                lhs,
                rhs,
                width,
            },
            BinaryOp::And => Op::And { to, lhs, rhs },
            BinaryOp::Or => Op::Or { to, lhs, rhs },
            BinaryOp::Xor => Op::Xor { to, lhs, rhs },
            BinaryOp::UDiv
            | BinaryOp::SDiv
            | BinaryOp::URem
            | BinaryOp::SRem
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr => Op::Narrow {
                op,
                to,
                lhs,
                rhs,
                width,
            },
        }
    }

    fn compare(&self, predicate: IntPredicate, to: u32, lhs: ValueId, rhs: ValueId) -> Option<Op> {
        let ty = self.body.ty(lhs);
        let (lhs, rhs) = (self.register(lhs), self.register(rhs));
        match ty {
            Type::Int(width) if width <= 64 => {
                let (order, swapped) = order(predicate);
                let (lhs, rhs) = if swapped { (rhs, lhs) } else { (lhs, rhs) };
                Some(Op::Compare {
                    order,
                    to,
                    lhs,
                    rhs,
                    width,
                })
            }
            Type::Int(width) => Some(Op::CompareWide {
                predicate,
                to,
                lhs,
                rhs,
                width,
            }),
            Type::Ptr => match predicate {
                IntPredicate::Eq | IntPredicate::Ne => Some(Op::PointerEqual {
                    to,
                    lhs,
                    rhs,
                    negated: predicate == IntPredicate::Ne,
                }),
                IntPredicate::Ult
                | IntPredicate::Ule
                | IntPredicate::Ugt
                | IntPredicate::Uge
                | IntPredicate::Slt
                | IntPredicate::Sle
                | IntPredicate::Sgt
                | IntPredicate::Sge => None,
            },
            Type::F32 | Type::F64 | Type::Memory(_) => None,
        }
    }

    fn cast(&self, op: CastOp, to: u32, operand: ValueId, id: InstId) -> Option<Op> {
        let old = self.body.ty(operand);
        let new = self.body.ty(self.body.instructions[id].results[0]);
        let from = self.register(operand);
        Some(match (op, old, new) {
            (CastOp::PtrToInt | CastOp::IntToPtr, _, _) => return None,
            (CastOp::ZExt | CastOp::Bitcast, _, _) => Op::Move { to, from },
            (CastOp::Trunc, _, Type::Int(width)) if width <= 64 => Op::Truncate { to, from, width },
            (CastOp::SExt, Type::Int(old), Type::Int(new)) if new <= 64 => {
                Op::SignExtend { to, from, old, new }
            }
            (
                CastOp::Trunc
                | CastOp::SExt
                | CastOp::FpTrunc
                | CastOp::FpExt
                | CastOp::FpToUi
                | CastOp::FpToSi
                | CastOp::UiToFp
                | CastOp::SiToFp,
                _,
                _,
            ) => Op::Cast {
                op,
                to,
                from,
                old,
                new,
            },
        })
    }

    fn pointer_add(
        &self,
        to: u32,
        base: ValueId,
        constant: i64,
        scaled: &[(ValueId, i64)],
    ) -> Option<Op> {
        let constant = i32::try_from(constant).ok()?;
        let base = self.register(base);
        match scaled {
            [] => Some(Op::Offset { to, base, constant }),
            [(index, scale)] => Some(Op::Index {
                to,
                base,
                index: self.register(*index),
                scale: i32::try_from(*scale).ok()?,
                constant,
            }),
            _ => None,
        }
    }

    fn load(&self, to: u32, pointer: ValueId, result: ValueId) -> Option<Op> {
        let pointer = self.register(pointer);
        Some(match self.body.ty(result) {
            Type::Int(8) => Op::Load8 { to, pointer },
            Type::Int(16) => Op::Load16 { to, pointer },
            Type::Int(32) | Type::F32 => Op::Load32 { to, pointer },
            Type::Int(64) | Type::F64 => Op::Load64 { to, pointer },
            Type::Ptr => Op::LoadPointer { to, pointer },
            Type::Int(_) | Type::Memory(_) => return None,
        })
    }

    fn store(&self, pointer: ValueId, value: ValueId) -> Option<Op> {
        let ty = self.body.ty(value);
        let (pointer, value) = (self.register(pointer), self.register(value));
        Some(match ty {
            Type::Int(8) => Op::Store8 { pointer, value },
            Type::Int(16) => Op::Store16 { pointer, value },
            Type::Int(32) | Type::F32 => Op::Store32 { pointer, value },
            Type::Int(64) | Type::F64 => Op::Store64 { pointer, value },
            Type::Ptr => Op::StorePointer { pointer, value },
            Type::Int(_) | Type::Memory(_) => return None,
        })
    }

    /// A call of a function with a body. The call site's number is also how the slow ways find
    /// their registers, so that all calls of functions get one.
    fn call(&mut self, callee: &Callee, arguments: &[ValueId], results: &[ValueId]) -> Option<Op> {
        match callee {
            Callee::Direct(function) if self.module.functions[*function].body.is_some() => {
                let site = self.code.sites.len() as u32;
                let registers =
                    |values: &[ValueId]| values.iter().map(|&value| self.register(value)).collect();
                let site_data = CallSite {
                    arguments: registers(arguments),
                    results: registers(results),
                };
                self.code.sites.push(site_data);
                Some(Op::Call {
                    callee: *function,
                    site,
                })
            }
            Callee::Direct(_) | Callee::Indirect(_) | Callee::Builtin(_) => None,
        }
    }
}
