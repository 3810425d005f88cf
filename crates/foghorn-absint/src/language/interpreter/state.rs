//! Concrete states: values of variables, bytes of arrays and of objects.
//!
//! Invariant: a machine integer is kept as its signed value, in range.

use std::collections::BTreeMap;

use crate::language::interpreter::Oracle;
use crate::language::statement::Endianness;
use crate::number::Number;
use crate::variable::{Type, VariableId};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PointerValue {
    Null,
    Object { object: usize, offset: Number },
    Function(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Integer(Number),
    Boolean(bool),
    Pointer(PointerValue),
}

impl Value {
    #[must_use]
    pub fn as_integer(&self) -> Option<&Number> {
        match self {
            Value::Integer(value) => Some(value),
            Value::Boolean(_) | Value::Pointer(_) => None,
        }
    }
}

/// One byte of an array or object.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Byte {
    Plain(u8),
    /// Byte `position` of a scalar of `size` bytes whose bytes are not known one by one: a
    /// mathematical integer, a pointer, or one of unknown endianness.
    Fragment {
        value: Value,
        position: u32,
        size: u32,
    },
}

/// A sequence of bytes; those that were never written have no entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bytes(BTreeMap<Number, Byte>);

fn place(index: &Number, position: u32) -> Number {
    index + &Number::from(position)
}

/// The place in memory of the byte of significance `position`.
fn offset_of(position: u32, size: u32, endianness: Endianness) -> u32 {
    match endianness {
        Endianness::Little | Endianness::Unknown => position,
        Endianness::Big => size - 1 - position,
    }
}

fn byte_of(value: &Number, position: u32) -> u8 {
    let byte = value.shift_right(8 * position).wrap_unsigned(8);
    u8::try_from(byte.to_u32().expect("invariant: a byte")).expect("invariant: a byte")
}

impl Bytes {
    pub fn write(
        &mut self,
        index: &Number,
        value: &Value,
        ty: Type,
        size: u32,
        endianness: Endianness,
    ) {
        let plain = ty.width() == Some(8 * size) && endianness != Endianness::Unknown;
        for position in 0..size {
            let byte = match value {
                Value::Integer(number) if plain => Byte::Plain(byte_of(number, position)),
                Value::Integer(_) | Value::Boolean(_) | Value::Pointer(_) => Byte::Fragment {
                    value: value.clone(),
                    position,
                    size,
                },
            };
            self.0
                .insert(place(index, offset_of(position, size, endianness)), byte);
        }
    }

    /// Reads a scalar. Bytes that were never written get a value from the oracle and keep it; a
    /// mixture that no scalar explains reads as any value.
    pub fn read(
        &mut self,
        index: &Number,
        ty: Type,
        size: u32,
        endianness: Endianness,
        oracle: &mut dyn Oracle,
    ) -> Value {
        let keys: Vec<Number> = (0..size)
            .map(|p| place(index, offset_of(p, size, endianness)))
            .collect();
        if keys.iter().all(|key| !self.0.contains_key(key)) {
            let value = any_value(ty, oracle);
            self.write(index, &value, ty, size, endianness);
            return value;
        }
        if let Some(value) = self.whole_fragment(&keys, size) {
            return value;
        }
        if ty.is_integer() && endianness != Endianness::Unknown {
            let mut sum = Number::ZERO;
            for (position, key) in (0u32..).zip(&keys) {
                let byte = match self.0.get(key) {
                    Some(Byte::Plain(byte)) => *byte,
                    Some(Byte::Fragment { .. }) => return any_value(ty, oracle),
                    None => {
                        let byte = byte_of(&oracle.integer(Type::Integer { width: 8 }), 0);
                        self.0.insert(key.clone(), Byte::Plain(byte));
                        byte
                    }
                };
                sum += &Number::from(byte).shift_left(8 * position);
            }
            return Value::Integer(sum.wrap_signed(8 * size));
        }
        any_value(ty, oracle)
    }

    fn whole_fragment(&self, keys: &[Number], wanted: u32) -> Option<Value> {
        let mut whole = None;
        for (expected, key) in (0u32..).zip(keys) {
            match self.0.get(key)? {
                Byte::Fragment {
                    value,
                    position,
                    size,
                } if *position == expected
                    && *size == wanted
                    && whole.as_ref().is_none_or(|known| known == value) =>
                {
                    whole = Some(value.clone());
                }
                Byte::Fragment { .. } | Byte::Plain(_) => return None,
            }
        }
        whole
    }
}

/// Any value of a scalar type.
pub fn any_value(ty: Type, oracle: &mut dyn Oracle) -> Value {
    match ty {
        Type::Integer { .. } | Type::Unbounded => Value::Integer(oracle.integer(ty)),
        Type::Boolean => Value::Boolean(oracle.boolean()),
        Type::Pointer if oracle.boolean() => Value::Pointer(PointerValue::Null),
        // An object that no allocation made: accesses to it are undefined.
        Type::Pointer | Type::Reference | Type::Array => Value::Pointer(PointerValue::Object {
            object: usize::MAX,
            offset: Number::from(oracle.choose(8)),
        }),
    }
}

/// The variables of one activation of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Frame {
    pub scalars: BTreeMap<VariableId, Value>,
    pub arrays: BTreeMap<VariableId, Bytes>,
}

impl Frame {
    /// The value of a scalar; one that was never assigned gets one from the oracle and keeps it.
    pub fn get(&mut self, x: VariableId, oracle: &mut dyn Oracle) -> Value {
        self.scalars
            .entry(x)
            .or_insert_with(|| any_value(x.ty(), oracle))
            .clone()
    }

    pub fn integer(&mut self, x: VariableId, oracle: &mut dyn Oracle) -> Number {
        match self.get(x, oracle) {
            Value::Integer(value) => value,
            Value::Boolean(_) | Value::Pointer(_) => {
                unreachable!("invariant: the type checker only lets integers through")
            }
        }
    }

    /// The value of an integer, if it has one.
    #[must_use]
    pub fn known_integer(&self, x: VariableId) -> Option<Number> {
        self.scalars.get(&x).and_then(Value::as_integer).cloned()
    }

    pub fn set(&mut self, x: VariableId, value: Value) {
        let value = match (value, x.width()) {
            (Value::Integer(number), Some(width)) => Value::Integer(number.wrap_signed(width)),
            (value, _) => value,
        };
        self.scalars.insert(x, value);
    }
}

/// The objects that pointers lead to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Heap {
    objects: Vec<(Number, Bytes)>,
}

impl Heap {
    pub fn allocate(&mut self, size: Number) -> PointerValue {
        self.objects.push((size, Bytes::default()));
        PointerValue::Object {
            object: self.objects.len() - 1,
            offset: Number::ZERO,
        }
    }

    /// The bytes of an access of `size` bytes, if it is inside an object, and its offset.
    pub fn access(&mut self, pointer: &PointerValue, size: u32) -> Option<(&mut Bytes, Number)> {
        let PointerValue::Object { object, offset } = pointer else {
            return None;
        };
        let (length, bytes) = self.objects.get_mut(*object)?;
        let inside = !offset.is_negative() && offset + &Number::from(size) <= *length;
        inside.then(|| (bytes, offset.clone()))
    }
}
