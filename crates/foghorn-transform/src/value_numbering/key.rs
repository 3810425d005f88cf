//! What a pure instruction computes, as a key of a map.

use crate::simplify::rules::commutes;
use foghorn_ir::{
    BinaryOp, Body, CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, InstId, Instruction,
    IntPredicate, OverflowOp, Type, UnaryOp, ValueId,
};
use smallvec::{SmallVec, smallvec};

/// The operator, its operands and the type of the result.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Key {
    operator: Operator,
    ty: Type,
    operands: SmallVec<[ValueId; 3]>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Operator {
    Binary(BinaryOp),
    Overflows(OverflowOp, bool),
    Unary(UnaryOp),
    Compare(IntPredicate),
    Cast(CastOp),
    FloatUnary(FloatUnaryOp),
    FloatBinary(FloatBinaryOp),
    FusedMultiplyAdd,
    FloatCompare(FloatPredicate),
    Select,
    PointerAdd(i64, SmallVec<[i64; 2]>),
}

/// The key of an instruction that computes the same whenever its operands are the same.
pub fn key_of(body: &Body, id: InstId) -> Option<Key> {
    let (operator, operands): (Operator, SmallVec<[ValueId; 3]>) = match &body.instructions[id]
        .instruction
    {
        Instruction::Binary { op, lhs, rhs } => {
            let (lhs, rhs) = in_order(commutes(*op), *lhs, *rhs);
            (Operator::Binary(*op), smallvec![lhs, rhs])
        }
        Instruction::Overflows {
            op,
            signed,
            lhs,
            rhs,
        } => {
            let (lhs, rhs) = in_order(*op != OverflowOp::Sub, *lhs, *rhs);
            (Operator::Overflows(*op, *signed), smallvec![lhs, rhs])
        }
        Instruction::Unary { op, operand } => (Operator::Unary(*op), smallvec![*operand]),
        Instruction::Compare {
            predicate,
            lhs,
            rhs,
        } => match rhs < lhs {
            true => (
                Operator::Compare(predicate.swapped()),
                smallvec![*rhs, *lhs],
            ),
            false => (Operator::Compare(*predicate), smallvec![*lhs, *rhs]),
        },
        Instruction::Cast { op, operand } if *op != CastOp::IntToPtr => {
            (Operator::Cast(*op), smallvec![*operand])
        }
        Instruction::FloatUnary { op, operand } => (Operator::FloatUnary(*op), smallvec![*operand]),
        // Which NaN a sum of two gives depends on their order: nothing is exchanged.
        Instruction::FloatBinary { op, lhs, rhs } => {
            (Operator::FloatBinary(*op), smallvec![*lhs, *rhs])
        }
        Instruction::FusedMultiplyAdd { a, b, c } => {
            (Operator::FusedMultiplyAdd, smallvec![*a, *b, *c])
        }
        Instruction::FloatCompare {
            predicate,
            lhs,
            rhs,
        } => (Operator::FloatCompare(*predicate), smallvec![*lhs, *rhs]),
        Instruction::Select {
            condition,
            on_true,
            on_false,
        } => (Operator::Select, smallvec![*condition, *on_true, *on_false]),
        Instruction::PointerAdd {
            base,
            constant,
            scaled,
        } => {
            let scales = scaled.iter().map(|&(_, scale)| scale).collect();
            let mut operands = smallvec![*base];
            operands.extend(scaled.iter().map(|&(index, _)| index));
            (Operator::PointerAdd(*constant, scales), operands)
        }
        Instruction::Cast { .. }
        | Instruction::Nondet { .. }
        | Instruction::Allocate { .. }
        | Instruction::Free { .. }
        | Instruction::LifetimeStart { .. }
        | Instruction::LifetimeEnd { .. }
        | Instruction::StackSave
        | Instruction::StackRestore { .. }
        | Instruction::Load { .. }
        | Instruction::Store { .. }
        | Instruction::MemoryCopy { .. }
        | Instruction::MemorySet { .. }
        | Instruction::Call { .. }
        | Instruction::Check { .. }
        | Instruction::Assume { .. }
        | Instruction::Bind { .. } => return None,
    };
    Some(Key {
        operator,
        ty: body.ty(body.result(id)),
        operands,
    })
}

fn in_order(commutes: bool, lhs: ValueId, rhs: ValueId) -> (ValueId, ValueId) {
    match commutes && rhs < lhs {
        true => (rhs, lhs),
        false => (lhs, rhs),
    }
}
