//! The operators on scalar values: the meaning of everything but arrays, maps, memories and functions.
//!
//! Used by the evaluator and, for constant folding, by the builders. `None` means that the operator is no scalar one or
//! that SMT-LIB leaves the result open (integer division by zero, float to integer out of range, minimum of zeros of
//! different sign); the evaluator then makes a choice, the builders never do.

use super::value::Value;
use crate::op::Op;
use crate::value::BitVecValue;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// The result of a scalar operator on values, where it is defined.
pub fn apply_scalar(op: Op, values: &[&Value]) -> Option<Value> {
    match op {
        Op::True => Some(Value::Bool(true)),
        Op::False => Some(Value::Bool(false)),
        Op::Not => Some(Value::Bool(!values[0].as_bool())),
        Op::And => Some(Value::Bool(values.iter().all(|value| value.as_bool()))),
        Op::Or => Some(Value::Bool(values.iter().any(|value| value.as_bool()))),
        Op::Xor => Some(Value::Bool(values[0].as_bool() != values[1].as_bool())),
        Op::Implies => Some(Value::Bool(!values[0].as_bool() || values[1].as_bool())),
        Op::Ite => Some(values[if values[0].as_bool() { 1 } else { 2 }].clone()),
        Op::Equal => equal(values[0], values[1]).map(Value::Bool),
        Op::BvNot
        | Op::BvNeg
        | Op::BvAdd
        | Op::BvMul
        | Op::BvUdiv
        | Op::BvUrem
        | Op::BvSdiv
        | Op::BvSrem
        | Op::BvSmod
        | Op::BvAnd
        | Op::BvOr
        | Op::BvXor
        | Op::BvShl
        | Op::BvLshr
        | Op::BvAshr
        | Op::Concat
        | Op::Extract(..)
        | Op::ZeroExtend(_)
        | Op::SignExtend(_) => Some(Value::BitVec(bitvec(op, values))),
        Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::BvUmulOverflow | Op::BvSmulOverflow => {
            Some(Value::Bool(bitvec_predicate(op, values)))
        }
        Op::IntAdd | Op::IntMul | Op::IntNeg | Op::IntDiv | Op::IntMod => {
            int(op, values).map(Value::Int)
        }
        Op::IntLe => Some(Value::Bool(values[0].as_int() <= values[1].as_int())),
        Op::IntLt => Some(Value::Bool(values[0].as_int() < values[1].as_int())),
        Op::BvToInt => Some(Value::Int(BigInt::from(values[0].as_bitvec().to_biguint()))),
        Op::IntToBv(width) => Some(Value::BitVec(BitVecValue::from_bigint(
            width,
            values[0].as_int(),
        ))),
        Op::FloatAdd(_)
        | Op::FloatMul(_)
        | Op::FloatDiv(_)
        | Op::FloatFma(_)
        | Op::FloatSqrt(_)
        | Op::FloatRem
        | Op::FloatRoundToIntegral(_)
        | Op::FloatMin
        | Op::FloatMax
        | Op::FloatAbs
        | Op::FloatNeg
        | Op::FloatEq
        | Op::FloatLt
        | Op::FloatLe
        | Op::FloatIsNan
        | Op::FloatIsInfinite
        | Op::FloatIsZero
        | Op::FloatIsNormal
        | Op::FloatIsSubnormal
        | Op::FloatIsNegative
        | Op::FloatIsPositive
        | Op::FloatFromBits(_)
        | Op::FloatToBits
        | Op::FloatFromFloat(..)
        | Op::FloatFromSigned(..)
        | Op::FloatFromUnsigned(..)
        | Op::FloatToSigned(..)
        | Op::FloatToUnsigned(..) => super::float::apply_float(op, values),
        Op::Pointer
        | Op::PointerBase
        | Op::PointerOffset
        | Op::PointerAdd
        | Op::PointerDifference
        | Op::PointerLt
        | Op::PointerLe => Some(pointer(op, values)),
        Op::Constant(_)
        | Op::Symbol(_)
        | Op::Bound(_)
        | Op::Apply(_)
        | Op::Select
        | Op::Store
        | Op::ConstantArray(_)
        | Op::Lambda(_)
        | Op::ArraySet
        | Op::ArrayCopy
        | Op::FiniteMap
        | Op::FiniteMapGet
        | Op::FiniteMapSet
        | Op::ConstantMemory(_)
        | Op::MemoryRead
        | Op::MemoryWrite
        | Op::MemoryReadBytes(_)
        | Op::MemoryWriteBytes
        | Op::MemorySet
        | Op::MemoryCopy => None,
    }
}

/// Extensional equality; open only between different functions of which one involves a λ.
fn equal(a: &Value, b: &Value) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    match (a, b) {
        (Value::Array(x), Value::Array(y)) if !(x.is_table() && y.is_table()) => None,
        _ => Some(false),
    }
}

fn fold(values: &[&Value], f: impl Fn(&BitVecValue, &BitVecValue) -> BitVecValue) -> BitVecValue {
    let first = values[0].as_bitvec().clone();
    values[1..]
        .iter()
        .fold(first, |sum, value| f(&sum, value.as_bitvec()))
}

fn bitvec(op: Op, values: &[&Value]) -> BitVecValue {
    let first = values[0].as_bitvec();
    match op {
        Op::BvNot => first.not(),
        Op::BvNeg => first.neg(),
        Op::Extract(high, low) => first.extract(high, low),
        Op::ZeroExtend(by) => first.zero_extend(by),
        Op::SignExtend(by) => first.sign_extend(by),
        Op::BvAdd => fold(values, BitVecValue::add),
        Op::BvMul => fold(values, BitVecValue::mul),
        Op::BvAnd => fold(values, BitVecValue::and),
        Op::BvOr => fold(values, BitVecValue::or),
        Op::BvXor => fold(values, BitVecValue::xor),
        Op::Concat => fold(values, BitVecValue::concat),
        Op::BvUdiv => first.udiv(values[1].as_bitvec()),
        Op::BvUrem => first.urem(values[1].as_bitvec()),
        Op::BvSdiv => first.sdiv(values[1].as_bitvec()),
        Op::BvSrem => first.srem(values[1].as_bitvec()),
        Op::BvSmod => first.smod(values[1].as_bitvec()),
        Op::BvShl => first.shl(values[1].as_bitvec()),
        Op::BvLshr => first.lshr(values[1].as_bitvec()),
        Op::BvAshr => first.ashr(values[1].as_bitvec()),
        other => unreachable!("invariant: {other:?} yields a bit-vector"),
    }
}

fn bitvec_predicate(op: Op, values: &[&Value]) -> bool {
    let (a, b) = (values[0].as_bitvec(), values[1].as_bitvec());
    match op {
        Op::BvUlt => a.ult(b),
        Op::BvUle => a.ule(b),
        Op::BvSlt => a.slt(b),
        Op::BvSle => a.sle(b),
        Op::BvUmulOverflow => a.umul_overflows(b),
        Op::BvSmulOverflow => a.smul_overflows(b),
        other => unreachable!("invariant: {other:?} compares bit-vectors"),
    }
}

fn int(op: Op, values: &[&Value]) -> Option<BigInt> {
    let numbers = values.iter().map(|value| value.as_int());
    match op {
        Op::IntAdd => Some(numbers.fold(BigInt::zero(), |sum, value| sum + value)),
        Op::IntMul => Some(numbers.fold(BigInt::one(), |product, value| product * value)),
        Op::IntNeg => Some(-values[0].as_int()),
        Op::IntDiv => euclidean(values[0].as_int(), values[1].as_int()).map(|(q, _)| q),
        Op::IntMod => euclidean(values[0].as_int(), values[1].as_int()).map(|(_, r)| r),
        other => unreachable!("invariant: {other:?} yields an integer"),
    }
}

/// Quotient and remainder with a remainder that is never negative.
fn euclidean(a: &BigInt, b: &BigInt) -> Option<(BigInt, BigInt)> {
    if b.is_zero() {
        return None;
    }
    let (quotient, remainder) = (a / b, a % b);
    Some(if remainder >= BigInt::zero() {
        (quotient, remainder)
    } else if b > &BigInt::zero() {
        (quotient - 1, remainder + b)
    } else {
        (quotient + 1, remainder - b)
    })
}

fn pointer(op: Op, values: &[&Value]) -> Value {
    if op == Op::Pointer {
        let (base, offset) = (values[0].as_bitvec().clone(), values[1].as_bitvec().clone());
        return Value::Pointer { base, offset };
    }
    let (base, offset) = values[0].as_pointer();
    match op {
        Op::PointerBase => Value::BitVec(base.clone()),
        Op::PointerOffset => Value::BitVec(offset.clone()),
        Op::PointerAdd => Value::Pointer {
            base: base.clone(),
            offset: offset.add(values[1].as_bitvec()),
        },
        Op::PointerDifference => Value::BitVec(offset.sub(values[1].as_pointer().1)),
        Op::PointerLt | Op::PointerLe => {
            let (other_base, other_offset) = values[1].as_pointer();
            let ordered = if op == Op::PointerLt {
                offset.slt(other_offset)
            } else {
                offset.sle(other_offset)
            };
            Value::Bool(base == other_base && ordered)
        }
        other => unreachable!("invariant: {other:?} works on pointers"),
    }
}
