//! Float operators on values.

use super::value::Value;
use crate::op::Op;

pub(super) fn apply_float(op: Op, values: &[&Value]) -> Option<Value> {
    let x = values[0];
    match op {
        Op::FloatAbs => Some(Value::Float(x.as_float().abs())),
        Op::FloatNeg => Some(Value::Float(x.as_float().neg())),
        _ => None,
    }
}
