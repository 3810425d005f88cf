//! Values while a program runs.
//!
//! A register is a [`Slot`] of 16 bytes without a tag: the type of the SSA value says how to read
//! it. Integers up to 64 bits and floats lie in `low` with zeros above; integers beyond use both
//! halves; a pointer is its offset in `low` and its object in `high`.

use std::fmt;

/// The contents of a register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slot {
    pub low: u64,
    pub high: u64,
}

impl Slot {
    #[inline]
    pub fn narrow(low: u64) -> Self {
        Slot { low, high: 0 }
    }

    #[inline]
    pub fn truth(value: bool) -> Self {
        Slot::narrow(u64::from(value))
    }

    #[inline]
    pub fn wide(bits: u128) -> Self {
        Slot {
            low: bits as u64,
            high: (bits >> 64) as u64,
        }
    }

    #[inline]
    pub fn bits(self) -> u128 {
        u128::from(self.low) | (u128::from(self.high) << 64)
    }

    #[inline]
    pub fn pointer(self) -> Pointer {
        Pointer {
            object: ObjectId(self.high),
            offset: self.low.cast_signed(),
        }
    }
}

impl From<Pointer> for Slot {
    #[inline]
    fn from(pointer: Pointer) -> Slot {
        Slot {
            low: pointer.offset.cast_unsigned(),
            high: pointer.object.0,
        }
    }
}

/// The name of an object; never reused during a run.
///
/// Slots of the object table are reused, with a new generation each time. Slot 0 is no object:
/// its generations are null and the ways in which a pointer can be unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub(crate) u64);

const SLOT_BITS: u32 = 28;
const KIND_BITS: u32 = 2;

/// Where an object lives, which decides what may be done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    Function,
    Global,
    Stack,
    Heap,
}

impl ObjectId {
    /// No object; the offset is the address.
    pub const NULL: ObjectId = ObjectId(0);
    /// Made from an integer that no exposed object explains; the offset is the address.
    pub const FROM_INTEGER: ObjectId = ObjectId::new(1, ObjectKind::Function, 0);
    /// Read from memory or a variable that was never written; the offset is the chosen address.
    pub const UNINITIALISED: ObjectId = ObjectId::new(2, ObjectKind::Function, 0);

    /// Bytes without a value that were copied; the offset is their name. Never in a register.
    pub(crate) const COPIED: ObjectId = ObjectId::new(3, ObjectKind::Function, 0);
    /// Not the name of any object; greater than all of them.
    pub(crate) const LAST: ObjectId = ObjectId(u64::MAX);

    pub(crate) const MAX_SLOT: usize = (1 << SLOT_BITS) - 1;

    pub(crate) const fn new(generation: u64, kind: ObjectKind, slot: usize) -> Self {
        let kind = match kind {
            ObjectKind::Function => 0,
            ObjectKind::Global => 1,
            ObjectKind::Stack => 2,
            ObjectKind::Heap => 3,
        };
        ObjectId((generation << (SLOT_BITS + KIND_BITS)) | (kind << SLOT_BITS) | slot as u64)
    }

    #[inline]
    pub(crate) fn slot(self) -> usize {
        self.0 as usize & Self::MAX_SLOT
    }

    pub(crate) fn generation(self) -> u64 {
        self.0 >> (SLOT_BITS + KIND_BITS)
    }

    /// Whether this names an object that exists or existed, rather than null or unknown.
    #[inline]
    pub fn is_object(self) -> bool {
        self.slot() != 0
    }

    /// The kind of an object, also when it is long dead.
    pub fn kind(self) -> ObjectKind {
        match (self.0 >> SLOT_BITS) & 3 {
            0 => ObjectKind::Function,
            1 => ObjectKind::Global,
            2 => ObjectKind::Stack,
            _ => ObjectKind::Heap,
        }
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NULL => f.write_str("null"),
            Self::FROM_INTEGER => f.write_str("unknown"),
            Self::UNINITIALISED => f.write_str("uninitialised"),
            Self::COPIED => f.write_str("copied"),
            _ => write!(f, "object{}.{}", self.slot(), self.generation()),
        }
    }
}

/// A pointer value: an object and a signed offset in bytes. Where the object is none, the offset
/// is the address itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pointer {
    pub object: ObjectId,
    pub offset: i64,
}

impl Pointer {
    pub const NULL: Pointer = Pointer {
        object: ObjectId::NULL,
        offset: 0,
    };
}
