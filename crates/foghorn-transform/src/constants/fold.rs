//! One instruction on constants.

use foghorn_ir::interpret::{arithmetic, float};
use foghorn_ir::{Body, CastOp, Constant, Instruction, IntPredicate, Type, ValueId};

/// The result of an instruction whose operands are constants, where it is one. `known` gives the
/// constant that an operand is.
///
/// Operations that look at memory or at addresses are not folded, and neither is one whose result
/// is a NaN: its payload is the machine's.
pub fn fold(
    body: &Body,
    instruction: &Instruction,
    result: Type,
    known: impl Fn(ValueId) -> Option<Constant>,
) -> Option<Constant> {
    let number = |value: ValueId| known(value).and_then(bits);
    let width = |value: ValueId| body.ty(value).int_width();
    match instruction {
        Instruction::Binary { op, lhs, rhs } => {
            let folded = arithmetic::binary(*op, width(*lhs)?, number(*lhs)?, number(*rhs)?);
            Some(Constant::Int(folded))
        }
        Instruction::Overflows {
            op,
            signed,
            lhs,
            rhs,
        } => {
            let (left, right) = (number(*lhs)?, number(*rhs)?);
            truth(arithmetic::overflows(
                *op,
                *signed,
                width(*lhs)?,
                left,
                right,
            ))
        }
        Instruction::Unary { op, operand } => {
            let folded = arithmetic::unary(*op, width(*operand)?, number(*operand)?);
            Some(Constant::Int(folded))
        }
        Instruction::Compare {
            predicate,
            lhs,
            rhs,
        } => match width(*lhs) {
            Some(width) => truth(arithmetic::compare(
                *predicate,
                width,
                number(*lhs)?,
                number(*rhs)?,
            )),
            None => pointers(*predicate, known(*lhs)?, known(*rhs)?),
        },
        Instruction::Cast { op, operand } => {
            let operand_bits = number(*operand)?;
            if *op == CastOp::IntToPtr {
                return (operand_bits == 0).then_some(Constant::Null);
            }
            constant(
                result,
                float::cast(*op, body.ty(*operand), result, operand_bits)?,
            )
        }
        Instruction::FloatUnary { .. }
        | Instruction::FloatBinary { .. }
        | Instruction::FusedMultiplyAdd { .. }
        | Instruction::FloatCompare { .. } => floats(instruction, result, &known),
        Instruction::Select {
            condition,
            on_true,
            on_false,
        } => match number(*condition)? {
            0 => known(*on_false),
            _ => known(*on_true),
        },
        Instruction::PointerAdd {
            base,
            constant: 0,
            scaled,
        } if scaled.iter().all(|(index, _)| number(*index) == Some(0)) => known(*base),
        Instruction::PointerAdd { .. }
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
        | Instruction::Bind { .. } => None,
    }
}

/// The bits of a number; pointers have none.
fn bits(constant: Constant) -> Option<u128> {
    match constant {
        Constant::Int(bits) => Some(bits),
        Constant::F32(bits) => Some(bits.into()),
        Constant::F64(bits) => Some(bits.into()),
        Constant::Null | Constant::Global(_) | Constant::Function(_) => None,
    }
}

fn truth(value: bool) -> Option<Constant> {
    Some(Constant::Int(value.into()))
}

/// Bits as a constant of a type; a NaN is none.
fn constant(ty: Type, bits: u128) -> Option<Constant> {
    match ty {
        Type::Int(width) => Some(Constant::Int(arithmetic::cut(bits, width.into()))),
        Type::F32 => {
            let bits = u32::try_from(bits).ok()?;
            (!f32::from_bits(bits).is_nan()).then_some(Constant::F32(bits))
        }
        Type::F64 => {
            let bits = u64::try_from(bits).ok()?;
            (!f64::from_bits(bits).is_nan()).then_some(Constant::F64(bits))
        }
        Type::Ptr | Type::Memory(_) => None,
    }
}

/// Equality of addresses that are known before the program runs: by object, as all are at the
/// start of theirs. Their order is left to whoever knows addresses.
fn pointers(predicate: IntPredicate, lhs: Constant, rhs: Constant) -> Option<Constant> {
    match predicate {
        IntPredicate::Eq => truth(lhs == rhs),
        IntPredicate::Ne => truth(lhs != rhs),
        IntPredicate::Ult
        | IntPredicate::Ule
        | IntPredicate::Ugt
        | IntPredicate::Uge
        | IntPredicate::Slt
        | IntPredicate::Sle
        | IntPredicate::Sgt
        | IntPredicate::Sge => None,
    }
}

fn floats(
    instruction: &Instruction,
    result: Type,
    known: &impl Fn(ValueId) -> Option<Constant>,
) -> Option<Constant> {
    let single = |value: ValueId| match known(value)? {
        Constant::F32(bits) => Some(bits),
        _ => None,
    };
    let double = |value: ValueId| match known(value)? {
        Constant::F64(bits) => Some(bits),
        _ => None,
    };
    match instruction {
        Instruction::FloatUnary { op, operand } => match known(*operand)? {
            Constant::F32(bits) => constant(result, float::unary_f32(*op, bits).into()),
            Constant::F64(bits) => constant(result, float::unary_f64(*op, bits).into()),
            _ => None,
        },
        Instruction::FloatBinary { op, lhs, rhs } => match known(*lhs)? {
            Constant::F32(bits) => {
                constant(result, float::binary_f32(*op, bits, single(*rhs)?).into())
            }
            Constant::F64(bits) => {
                constant(result, float::binary_f64(*op, bits, double(*rhs)?).into())
            }
            _ => None,
        },
        Instruction::FusedMultiplyAdd { a, b, c } => match known(*a)? {
            Constant::F32(bits) => constant(
                result,
                float::fma_f32(bits, single(*b)?, single(*c)?).into(),
            ),
            Constant::F64(bits) => constant(
                result,
                float::fma_f64(bits, double(*b)?, double(*c)?).into(),
            ),
            _ => None,
        },
        Instruction::FloatCompare {
            predicate,
            lhs,
            rhs,
        } => match known(*lhs)? {
            Constant::F32(bits) => truth(float::compare_f32(*predicate, bits, single(*rhs)?)),
            Constant::F64(bits) => truth(float::compare_f64(*predicate, bits, double(*rhs)?)),
            _ => None,
        },
        _ => None,
    }
}
