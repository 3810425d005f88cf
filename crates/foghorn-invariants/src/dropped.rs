//! What the translation does not express, counted by kind.
//!
//! A result that is dropped is havocked, so dropping is sound; the counts say where precision goes.

use std::collections::BTreeMap;
use std::fmt;

/// Why a value is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum DroppedKind {
    /// Arithmetic, comparison or conversion of floating-point numbers.
    FloatingPoint,
    /// A value read from memory.
    Load,
    /// The result of a function without a body.
    ExternalCall,
    /// The result of a call through a pointer.
    IndirectCall,
    /// The result of an operation on the machine or the memory model.
    Builtin,
    /// Bits counted, reversed or swapped, beyond the bounds of the result.
    BitOperation,
    /// An address as an integer, or an integer as an address.
    PointerConversion,
    /// Pointers whose objects are not known to be the same are compared.
    PointerComparison,
    /// Arithmetic on single bits that is no connective, and shifts by unknown amounts.
    OddArithmetic,
    /// A write to memory of which nothing is known afterwards.
    Memory,
    /// A claim about memory of a length that is not constant, which is not used afterwards.
    SymbolicLength,
}

impl DroppedKind {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            DroppedKind::FloatingPoint => "floating-point",
            DroppedKind::Load => "load",
            DroppedKind::ExternalCall => "external-call",
            DroppedKind::IndirectCall => "indirect-call",
            DroppedKind::Builtin => "builtin",
            DroppedKind::BitOperation => "bit-operation",
            DroppedKind::PointerConversion => "pointer-conversion",
            DroppedKind::PointerComparison => "pointer-comparison",
            DroppedKind::OddArithmetic => "odd-arithmetic",
            DroppedKind::Memory => "memory",
            DroppedKind::SymbolicLength => "symbolic-length",
        }
    }
}

impl fmt::Display for DroppedKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// How many instructions were dropped, by kind.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dropped(BTreeMap<DroppedKind, usize>);

impl Dropped {
    pub(crate) fn count(&mut self, kind: DroppedKind) {
        *self.0.entry(kind).or_default() += 1;
    }

    #[must_use]
    pub fn of(&self, kind: DroppedKind) -> usize {
        self.0.get(&kind).copied().unwrap_or_default()
    }

    /// The kinds that occurred, in order.
    pub fn iter(&self) -> impl Iterator<Item = (DroppedKind, usize)> + '_ {
        self.0.iter().map(|(kind, count)| (*kind, *count))
    }
}
