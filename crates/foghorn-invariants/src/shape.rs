//! What stands for an IR value in the goto language, and what a goto variable stands for.
//!
//! - An integer of more than one bit is one machine integer.
//! - An `i1` is one boolean: booleans are kept apart from integers (§4.2.6 of the SeaHorn paper).
//! - A pointer is three *ghost* variables: whether it names an object (alive or not), its offset
//!   in bytes, and the size of its object. A pointer that names no object has the size 0, and its
//!   offset is its address; so a pointer is null exactly if it names no object and its offset is 0.
//!   A function has a negative size of its own ([`foghorn_encode::fact::function_size`]).
//! - Floats have no variable. Memories have none either: regions have ([`crate::contents`]).

use foghorn_absint::variable::{Type as GotoType, VariableId as GotoVariable};
use foghorn_ir::{RegionId, Type, ValueId};

/// The ghost variables of a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointerVariables {
    pub is_object: GotoVariable,
    pub offset: GotoVariable,
    pub size: GotoVariable,
}

/// The variables of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shape {
    /// Constants, which are no variables, and what the translation drops.
    #[default]
    Nothing,
    Integer(GotoVariable),
    Boolean(GotoVariable),
    Pointer(PointerVariables),
}

impl Shape {
    /// The variables, in the order in which they are passed to calls.
    #[must_use]
    pub fn variables(self) -> Vec<GotoVariable> {
        match self {
            Shape::Nothing => Vec::new(),
            Shape::Integer(x) | Shape::Boolean(x) => vec![x],
            Shape::Pointer(p) => vec![p.is_object, p.offset, p.size],
        }
    }
}

/// What a goto variable says about a value of its function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Meaning {
    /// The value itself, an integer of more than one bit.
    Integer(ValueId),
    /// The value itself, an `i1`.
    Boolean(ValueId),
    /// Whether the pointer names an object.
    IsObject(ValueId),
    /// The offset of the pointer.
    Offset(ValueId),
    /// The size of the pointer's object, 0 without one.
    Size(ValueId),
    /// What the one cell of a region holds.
    Contents(RegionId),
    /// Part of the translation of one instruction.
    Temporary,
}

impl Meaning {
    /// The value that the variable says something about.
    #[must_use]
    pub fn value(self) -> Option<ValueId> {
        match self {
            Meaning::Integer(value)
            | Meaning::Boolean(value)
            | Meaning::IsObject(value)
            | Meaning::Offset(value)
            | Meaning::Size(value) => Some(value),
            Meaning::Contents(_) | Meaning::Temporary => None,
        }
    }
}

/// The types of the variables of a value of type `ty`.
#[must_use]
pub fn goto_types(ty: Type, pointer_bits: u32) -> Vec<GotoType> {
    let address = GotoType::Integer {
        width: pointer_bits,
    };
    match ty {
        Type::Int(1) => vec![GotoType::Boolean],
        Type::Int(width) => vec![GotoType::Integer {
            width: u32::from(width),
        }],
        Type::Ptr => vec![GotoType::Boolean, address, address],
        Type::F32 | Type::F64 | Type::Memory(_) => Vec::new(),
    }
}
