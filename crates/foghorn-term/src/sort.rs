//! Sorts, interned: a `SortId` is equal exactly when the sort is.
//!
//! `Pointer` and `Memory` are those of the theory of memory (chapter 4 of the SEAM thesis), `FiniteMap` that of §5 of the
//! finite-maps paper; the others are SMT-LIB's.

use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;

/// Index of an interned sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SortId(u32);
entity_impl!(SortId, "sort");

/// Index of an uninterpreted sort's name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SortName(u32);
entity_impl!(SortName, "sort_name");

/// A floating-point format as SMT-LIB counts: exponent bits, and significand bits with the hidden one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FloatFormat {
    pub exponent: u32,
    pub significand: u32,
}

impl FloatFormat {
    /// IEEE binary16.
    pub const HALF: Self = FloatFormat {
        exponent: 5,
        significand: 11,
    };
    /// IEEE binary32: C's `float`.
    pub const SINGLE: Self = FloatFormat {
        exponent: 8,
        significand: 24,
    };
    /// IEEE binary64: C's `double`.
    pub const DOUBLE: Self = FloatFormat {
        exponent: 11,
        significand: 53,
    };

    /// Bits of the interchange encoding.
    pub fn width(self) -> u32 {
        self.exponent + self.significand
    }
}

/// What a term denotes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    Bool,
    /// Bit-vector of that many bits, at least one.
    BitVec(u32),
    /// The mathematical integers.
    Int,
    Float(FloatFormat),
    /// Total functions from index to element.
    Array {
        index: SortId,
        element: SortId,
    },
    /// Pairs (base, offset) of bit-vectors of this width.
    Pointer {
        width: u32,
    },
    /// Total functions from pointers of this width to cells. A cell is a byte, a word or a pointer.
    Memory {
        width: u32,
        cell: SortId,
    },
    /// Maps with `size` keys of the program's choosing.
    FiniteMap {
        key: SortId,
        value: SortId,
        size: u32,
    },
    /// A sort known by its name only.
    Uninterpreted(SortName),
}

/// Owner of the sorts of one pool.
#[derive(Clone, Default)]
pub(crate) struct SortTable {
    sorts: PrimaryMap<SortId, Sort>,
    ids: FxHashMap<Sort, SortId>,
    names: PrimaryMap<SortName, Box<str>>,
    names_back: FxHashMap<Box<str>, SortName>,
}

impl SortTable {
    pub fn intern(&mut self, sort: Sort) -> SortId {
        if let Sort::BitVec(width) | Sort::Pointer { width } | Sort::Memory { width, .. } = sort {
            assert!(width >= 1, "invariant: bit-vectors have at least one bit");
        }
        if let Sort::Float(format) = sort {
            assert!(
                format.exponent >= 2 && format.significand >= 2,
                "invariant: a float has two bits of each part"
            );
        }
        if let Sort::FiniteMap { size, .. } = sort {
            assert!(size >= 1, "invariant: a finite map has a key");
        }
        *self
            .ids
            .entry(sort)
            .or_insert_with(|| self.sorts.push(sort))
    }

    pub fn get(&self, id: SortId) -> Sort {
        self.sorts[id]
    }

    pub fn name(&mut self, name: &str) -> SortName {
        if let Some(&id) = self.names_back.get(name) {
            return id;
        }
        let id = self.names.push(name.into());
        self.names_back.insert(name.into(), id);
        id
    }

    pub fn name_text(&self, name: SortName) -> &str {
        &self.names[name]
    }

    pub fn bytes(&self) -> usize {
        self.sorts.len() * 2 * std::mem::size_of::<Sort>()
    }
}
