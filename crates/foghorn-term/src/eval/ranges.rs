//! Operators on arrays, memories and finite maps, on values.
//!
//! A range holds the indices `i` with `i - p < s` (unsigned, modulo 2^width), so it may run over the end of the domain and
//! go on at its beginning; integer ranges are the usual ones. Copies read the source as it was.

use super::array::{ArrayValue, Shift};
use super::value::Value;
use crate::op::Op;
use crate::value::BitVecValue;
use num_bigint::BigInt;

/// The result of an operator that needs no model and no λ.
pub(super) fn apply_function_like(op: Op, values: &[&Value]) -> Option<Value> {
    let result = match op {
        Op::Store | Op::FiniteMapSet | Op::MemoryWrite => values[0]
            .as_array()
            .store(values[1].clone(), values[2].clone()),
        Op::ConstantArray(_) | Op::ConstantMemory(_) => ArrayValue::constant(values[0].clone()),
        Op::ArraySet | Op::MemorySet => set(values),
        Op::ArrayCopy | Op::MemoryCopy => copy(values),
        Op::MemoryWriteBytes => write_bytes(values),
        Op::MemoryReadBytes(count) => return Some(read_bytes(values, count)),
        Op::FiniteMapGet | Op::MemoryRead => {
            let found = values[0].as_array().get(values[1]);
            return Some(found.expect("invariant: no λ in maps and memories").clone());
        }
        _ => return None,
    };
    Some(Value::Array(result))
}

/// A map that is written out: the first matching key counts, any other key has the default.
pub(super) fn finite_map(default: Value, values: &[&Value]) -> Value {
    let start = ArrayValue::constant(default);
    let store = |map: ArrayValue, entry: &[&Value]| map.store(entry[0].clone(), entry[1].clone());
    Value::Array(values.rchunks_exact(2).fold(start, store))
}

/// The index `by` steps after `start`.
fn step(start: &Value, by: &BitVecValue) -> Value {
    match start {
        Value::BitVec(bits) => Value::BitVec(bits.add(by)),
        other => {
            let (base, offset) = other.as_pointer();
            Value::Pointer {
                base: base.clone(),
                offset: offset.add(by),
            }
        }
    }
}

fn position(index: &Value) -> &BitVecValue {
    match index {
        Value::BitVec(bits) => bits,
        other => other.as_pointer().1,
    }
}

/// How many steps from here until the position wraps to zero; `None` when it starts at zero.
fn room(index: &Value) -> Option<BitVecValue> {
    let position = position(index);
    (!position.is_zero()).then(|| position.neg())
}

/// Cuts a range of `size` steps into runs in which none of the starts wraps: (distance from the start, last distance).
fn runs(starts: &[&Value], size: &BitVecValue) -> Vec<(BitVecValue, BitVecValue)> {
    let one = BitVecValue::one(size.width());
    let mut done = BitVecValue::zero(size.width());
    let mut left = size.clone();
    let mut runs = Vec::new();
    while !left.is_zero() {
        let rooms = starts.iter().filter_map(|start| room(&step(start, &done)));
        let length = rooms.fold(
            left.clone(),
            |least, room| if room.ult(&least) { room } else { least },
        );
        runs.push((done.clone(), done.add(&length).sub(&one)));
        done = done.add(&length);
        left = left.sub(&length);
    }
    runs
}

fn set(values: &[&Value]) -> ArrayValue {
    let (array, start, value, size) = (values[0].as_array(), values[1], values[2], values[3]);
    if let Value::Int(size) = size {
        let last = Value::Int(start.as_int() + size - 1);
        let empty = size <= &BigInt::ZERO;
        return if empty {
            array.clone()
        } else {
            array.store_range(start.clone(), &last, value.clone())
        };
    }
    runs(&[start], size.as_bitvec())
        .into_iter()
        .fold(array.clone(), |array, (from, to)| {
            array.store_range(step(start, &from), &step(start, &to), value.clone())
        })
}

fn copy(values: &[&Value]) -> ArrayValue {
    let (array, start, source, from, size) = (
        values[0].as_array(),
        values[1],
        values[2].as_array(),
        values[3],
        values[4],
    );
    if let Value::Int(size) = size {
        if size <= &BigInt::ZERO {
            return array.clone();
        }
        let shift = Shift::Int(from.as_int() - start.as_int());
        let last = Value::Int(start.as_int() + size - 1);
        return array.copy_range(start, &last, source, &shift);
    }
    let shift = shift(start, from);
    runs(&[start, from], size.as_bitvec()).into_iter().fold(
        array.clone(),
        |array, (first, last)| {
            array.copy_range(&step(start, &first), &step(start, &last), source, &shift)
        },
    )
}

fn shift(start: &Value, from: &Value) -> Shift {
    let by = position(from).sub(position(start));
    match (start, from) {
        (
            Value::Pointer {
                base: from_base, ..
            },
            Value::Pointer { base: to_base, .. },
        ) => Shift::Pointer {
            to_base: to_base.clone(),
            from_base: from_base.clone(),
            offset: by,
        },
        _ => Shift::Bits(by),
    }
}

fn read_bytes(values: &[&Value], count: u32) -> Value {
    let (memory, pointer) = (values[0].as_array(), values[1]);
    let width = position(pointer).width();
    let byte = |index: u32| {
        let at = step(pointer, &BitVecValue::from_u64(width, u64::from(index)));
        memory
            .get(&at)
            .expect("invariant: no λ in memories")
            .as_bitvec()
            .clone()
    };
    Value::BitVec((1..count).fold(byte(0), |word, index| byte(index).concat(&word)))
}

fn write_bytes(values: &[&Value]) -> ArrayValue {
    let (pointer, word) = (values[1], values[2].as_bitvec());
    let width = position(pointer).width();
    (0..word.width() / 8).fold(values[0].as_array().clone(), |memory, index| {
        let at = step(pointer, &BitVecValue::from_u64(width, u64::from(index)));
        memory.store(at, Value::BitVec(word.extract(8 * index + 7, 8 * index)))
    })
}
