//! What a term evaluates to.

use super::array::ArrayValue;
use crate::pool::Constant;
use crate::value::{BitVecValue, FloatValue};
use num_bigint::BigInt;

/// A value of any sort. Arrays, memories and finite maps are all total functions with finitely many pieces.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    Bool(bool),
    BitVec(BitVecValue),
    Int(BigInt),
    Float(FloatValue),
    Pointer {
        base: BitVecValue,
        offset: BitVecValue,
    },
    /// An element of an uninterpreted sort, by number.
    Uninterpreted(u64),
    Array(ArrayValue),
}

impl Value {
    /// The truth value.
    ///
    /// # Panics
    /// When this is no Boolean.
    pub fn as_bool(&self) -> bool {
        match self {
            Value::Bool(value) => *value,
            other => panic!("invariant: {other:?} is a Boolean"),
        }
    }

    /// The bit-vector.
    ///
    /// # Panics
    /// When this is no bit-vector.
    pub fn as_bitvec(&self) -> &BitVecValue {
        match self {
            Value::BitVec(value) => value,
            other => panic!("invariant: {other:?} is a bit-vector"),
        }
    }

    /// The integer.
    ///
    /// # Panics
    /// When this is no integer.
    pub fn as_int(&self) -> &BigInt {
        match self {
            Value::Int(value) => value,
            other => panic!("invariant: {other:?} is an integer"),
        }
    }

    /// The float.
    ///
    /// # Panics
    /// When this is no float.
    pub fn as_float(&self) -> &FloatValue {
        match self {
            Value::Float(value) => value,
            other => panic!("invariant: {other:?} is a float"),
        }
    }

    /// Base and offset.
    ///
    /// # Panics
    /// When this is no pointer.
    pub fn as_pointer(&self) -> (&BitVecValue, &BitVecValue) {
        match self {
            Value::Pointer { base, offset } => (base, offset),
            other => panic!("invariant: {other:?} is a pointer"),
        }
    }

    /// The array, memory or finite map.
    ///
    /// # Panics
    /// When this is none of them.
    pub fn as_array(&self) -> &ArrayValue {
        match self {
            Value::Array(value) => value,
            other => panic!("invariant: {other:?} is an array"),
        }
    }

    /// The next value of its sort in the order of values: `None` where the sort has no such notion, `Some(None)` for the
    /// last one.
    pub(crate) fn successor(&self) -> Option<Option<Value>> {
        match self {
            Value::Bool(value) => Some((!value).then_some(Value::Bool(true))),
            Value::BitVec(value) => Some(next_bits(value).map(Value::BitVec)),
            Value::Int(value) => Some(Some(Value::Int(value + 1))),
            Value::Float(value) => Some(next_float(value).map(Value::Float)),
            Value::Pointer { base, offset } => Some(next_pointer(base, offset)),
            Value::Uninterpreted(_) | Value::Array(_) => None,
        }
    }

    /// Whether this is the least value of its sort.
    pub(crate) fn is_least(&self) -> bool {
        match self {
            Value::Bool(value) => !value,
            Value::BitVec(value) => value.is_zero(),
            Value::Float(value) => value.bits().is_zero(),
            Value::Pointer { base, offset } => base.is_zero() && offset.is_zero(),
            Value::Int(_) | Value::Uninterpreted(_) | Value::Array(_) => false,
        }
    }
}

fn next_bits(value: &BitVecValue) -> Option<BitVecValue> {
    (!value.is_ones()).then(|| value.add(&BitVecValue::one(value.width())))
}

fn next_pointer(base: &BitVecValue, offset: &BitVecValue) -> Option<Value> {
    if let Some(offset) = next_bits(offset) {
        return Some(Value::Pointer {
            base: base.clone(),
            offset,
        });
    }
    let offset = BitVecValue::zero(offset.width());
    next_bits(base).map(|base| Value::Pointer { base, offset })
}

/// Floats are ordered by their bits here; the bits of the NaNs that do not exist are stepped over.
fn next_float(value: &FloatValue) -> Option<FloatValue> {
    let format = value.format();
    if value.is_nan() {
        return Some(FloatValue::zero(format, true));
    }
    if value.is_infinite() {
        return (!value.sign_bit()).then(|| FloatValue::nan(format));
    }
    next_bits(value.bits()).map(|bits| FloatValue::from_bits(format, bits))
}

impl From<Constant> for Value {
    fn from(constant: Constant) -> Self {
        match constant {
            Constant::BitVec(value) => Value::BitVec(value),
            Constant::Int(value) => Value::Int(value),
            Constant::Float(value) => Value::Float(value),
        }
    }
}
