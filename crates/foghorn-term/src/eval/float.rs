//! The float operators on values.

use super::value::Value;
use crate::op::Op;
use crate::value::FloatValue;
use num_bigint::BigInt;

pub(super) fn apply_float(op: Op, values: &[&Value]) -> Option<Value> {
    match op {
        Op::FloatFromBits(format) => Some(Value::Float(FloatValue::from_bits(
            format,
            values[0].as_bitvec().clone(),
        ))),
        Op::FloatFromSigned(mode, format) => {
            let integer = values[0].as_bitvec().to_signed();
            Some(Value::Float(FloatValue::from_integer(
                format, mode, &integer,
            )))
        }
        Op::FloatFromUnsigned(mode, format) => {
            let integer = BigInt::from(values[0].as_bitvec().to_biguint());
            Some(Value::Float(FloatValue::from_integer(
                format, mode, &integer,
            )))
        }
        Op::FloatToBits => Some(Value::BitVec(values[0].as_float().bits().clone())),
        Op::FloatToSigned(mode, width) => values[0]
            .as_float()
            .to_signed_bits(width, mode)
            .map(Value::BitVec),
        Op::FloatToUnsigned(mode, width) => values[0]
            .as_float()
            .to_unsigned_bits(width, mode)
            .map(Value::BitVec),
        _ => match arithmetic(op, values) {
            Some(value) => value.map(Value::Float),
            None => Some(Value::Bool(predicate(op, values))),
        },
    }
}

/// The outer option tells whether the operator yields a float, the inner one whether SMT-LIB says which.
fn arithmetic(op: Op, values: &[&Value]) -> Option<Option<FloatValue>> {
    let x = values[0].as_float();
    let y = || values[1].as_float();
    let result = match op {
        Op::FloatAdd(mode) => x.add(y(), mode),
        Op::FloatMul(mode) => x.mul(y(), mode),
        Op::FloatDiv(mode) => x.div(y(), mode),
        Op::FloatFma(mode) => x.fma(y(), values[2].as_float(), mode),
        Op::FloatSqrt(mode) => x.sqrt(mode),
        Op::FloatRem => x.rem(y()),
        Op::FloatRoundToIntegral(mode) => x.round_to_integral(mode),
        Op::FloatAbs => x.abs(),
        Op::FloatNeg => x.neg(),
        Op::FloatFromFloat(mode, format) => x.convert(format, mode),
        Op::FloatMin => return Some(x.min(y())),
        Op::FloatMax => return Some(x.max(y())),
        _ => return None,
    };
    Some(Some(result))
}

fn predicate(op: Op, values: &[&Value]) -> bool {
    let x = values[0].as_float();
    let y = || values[1].as_float();
    match op {
        Op::FloatEq => x.ieee_eq(y()),
        Op::FloatLt => x.ieee_lt(y()),
        Op::FloatLe => x.ieee_le(y()),
        Op::FloatIsNan => x.is_nan(),
        Op::FloatIsInfinite => x.is_infinite(),
        Op::FloatIsZero => x.is_zero(),
        Op::FloatIsNormal => x.is_normal(),
        Op::FloatIsSubnormal => x.is_subnormal(),
        Op::FloatIsNegative => !x.is_nan() && x.sign_bit(),
        Op::FloatIsPositive => !x.is_nan() && !x.sign_bit(),
        other => unreachable!("invariant: {other:?} is a float predicate"),
    }
}
