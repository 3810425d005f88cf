//! Values of a path as terms.

use crate::memory::Contents;
use foghorn_encode::integers::Value;
use foghorn_term::TermId;

/// An object and an offset. Null is object 0 at offset 0. A pointer that no object explains has the
/// number [`crate::objects::UNKNOWN`], and nothing is said about its offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// The number of the object, a mathematical integer in every form.
    pub object: TermId,
    pub offset: Value,
}

/// A value of the program.
#[derive(Clone, Debug)]
pub enum Datum {
    /// An integer, or the bits of a floating-point number.
    Number {
        value: Value,
        /// The pointer whose address it is, if that is known: differences of addresses within an
        /// object are differences of offsets.
        address: Option<Box<Pointer>>,
    },
    Pointer(Pointer),
    /// The contents of a region.
    Contents(Contents),
}

impl Datum {
    /// A number without provenance.
    pub fn number(value: Value) -> Datum {
        Datum::Number {
            value,
            address: None,
        }
    }

    /// The terms that the datum consists of; none for contents.
    pub fn terms(&self) -> Vec<TermId> {
        match self {
            Datum::Number { value, .. } => vec![value.term],
            Datum::Pointer(pointer) => vec![pointer.object, pointer.offset.term],
            Datum::Contents(_) => vec![],
        }
    }
}
