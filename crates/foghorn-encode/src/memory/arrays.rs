//! ARRAYS: memories are SMT arrays and the solver reads them (figures 2.11 and 2.12 of the SEAM thesis, left column).
//!
//! A set or copy becomes a chain of stores. Where its length is a literal the chain is exact; where it is not, the chain
//! covers a bound, each store keeps the old element where the range has ended, and an obligation says that the length is
//! within the bound: the thesis counts this as unsound, here it is a condition that the engine has to prove.

use super::flat::Flat;
use super::{CellKind, MemoryRepresentation, Obligation, Phase, Statistics};
use foghorn_term::rewrite::Rewriter;
use foghorn_term::rules::{RuleSet, TABLES};
use foghorn_term::{Sort, TermId, TermPool};
use std::time::Instant;

/// Rules that would read arrays in place of the solver.
const READING: &[&str] = &[
    "read_over_write",
    "read_over_set",
    "read_over_copy",
    "read_over_ite",
    "writes_in_order",
];

/// Bytes up to which sets and copies of known length are unrolled.
const MOST_BYTES: u64 = 1 << 16;

/// The ARRAYS representation.
pub struct Arrays {
    flat: Flat,
    /// Bytes up to which sets and copies of unknown length are unrolled.
    bound: u64,
    simplifier: Rewriter<RuleSet>,
}

impl Arrays {
    /// Bytes up to which sets and copies of unknown length are unrolled, unless told otherwise.
    pub const DEFAULT_BOUND: u64 = 256;

    /// ARRAYS for pointers of that width.
    pub fn new(width: u32) -> Self {
        Self::with_bound(width, Self::DEFAULT_BOUND)
    }

    /// ARRAYS with a bound in bytes for sets and copies of unknown length.
    pub fn with_bound(width: u32, bound: u64) -> Self {
        let rules = TABLES.iter().flat_map(|table| table.rules);
        let rules = rules.filter(|rule| !READING.contains(&rule.name));
        Arrays {
            flat: Flat::new(width),
            bound,
            simplifier: Rewriter::new(RuleSet::of(rules)),
        }
    }

    /// How far to unroll, in bytes, and whether the length is exactly that.
    fn unrolling(&mut self, pool: &mut TermPool, length: TermId) -> (u64, bool) {
        let literal = pool
            .as_bitvec(length)
            .and_then(foghorn_term::BitVecValue::to_u64);
        if let Some(literal) = literal.filter(|&literal| literal <= self.bound.max(MOST_BYTES)) {
            return (literal, true);
        }
        let most = self
            .flat
            .facts
            .get(pool, length)
            .map_or(u128::MAX, |fact| fact.high);
        if most <= u128::from(self.bound) {
            return (most as u64, false);
        }
        let width = pool.width(length);
        let bound = pool.bv(width, self.bound);
        let condition = pool.bv_ule(length, bound);
        let what = "the length of a set or copy is within the bound of unrolling";
        self.flat.obligations.push(Obligation { condition, what });
        (self.bound, false)
    }

    /// Stores elements at consecutive cells, those that lie within the length.
    fn store_range(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        pointer: TermId,
        length: TermId,
        mut element: impl FnMut(&mut Self, &mut TermPool, u64) -> TermId,
    ) -> TermId {
        let step = u64::from(self.flat.cell(memory).bytes(self.flat.width));
        let (bytes, exact) = self.unrolling(pool, length);
        let mut result = memory;
        for distance in (0..bytes).step_by(step as usize) {
            let index = self.flat.index(pool, pointer, distance);
            let new = element(self, pool, distance);
            let stored = if exact {
                new
            } else {
                let distance = pool.bv(pool.width(length), distance);
                let within = pool.bv_ult(distance, length);
                let old = pool.select(memory, index);
                pool.ite(within, new, old)
            };
            result = pool.store(result, index, stored);
        }
        result
    }
}

impl MemoryRepresentation for Arrays {
    fn name(&self) -> &'static str {
        "arrays"
    }

    fn arbitrary(&mut self, pool: &mut TermPool, name: &str, cell: CellKind) -> TermId {
        let sort = self.flat.memory_sort(pool, cell);
        let memory = pool.symbol(name, sort);
        self.flat.made(memory, cell)
    }

    fn read(&mut self, pool: &mut TermPool, memory: TermId, pointer: TermId, sort: Sort) -> TermId {
        let start = Instant::now();
        self.flat.statistics.reads += 1;
        self.flat.aligned(pool, memory, pointer);
        let mut elements = Vec::new();
        for position in 0..Flat::count(pool, memory, sort) {
            let index = self.flat.index(pool, pointer, u64::from(position));
            elements.push(pool.select(memory, index));
        }
        let value = self.flat.value(pool, &elements, sort);
        self.flat.statistics.spent(Phase::Read, start);
        value
    }

    fn write(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        pointer: TermId,
        value: TermId,
    ) -> TermId {
        let (change, elements) = self.flat.begin_write(pool, memory, pointer, value);
        let mut result = memory;
        for (position, element) in (0..).zip(elements) {
            let index = self.flat.index(pool, pointer, position);
            result = pool.store(result, index, element);
        }
        self.flat.end(&change, result)
    }

    fn set(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        pointer: TermId,
        byte: TermId,
        length: TermId,
    ) -> TermId {
        let (change, element, length) = self.flat.begin_set(pool, memory, pointer, byte, length);
        let result = self.store_range(pool, memory, pointer, length, |_, _, _| element);
        self.flat.end(&change, result)
    }

    fn copy(
        &mut self,
        pool: &mut TermPool,
        destination_memory: TermId,
        destination: TermId,
        source_memory: TermId,
        source: TermId,
        length: TermId,
    ) -> TermId {
        let memories = [destination_memory, source_memory];
        let begun = self
            .flat
            .begin_copy(pool, memories, [destination, source], length);
        let Some((change, length)) = begun else {
            return destination_memory;
        };
        let read = |arrays: &mut Self, pool: &mut TermPool, distance: u64| {
            let index = arrays.flat.index(pool, source, distance);
            pool.select(source_memory, index)
        };
        let result = self.store_range(pool, destination_memory, destination, length, read);
        self.flat.end(&change, result)
    }

    fn merge(
        &mut self,
        pool: &mut TermPool,
        condition: TermId,
        on_true: TermId,
        on_false: TermId,
    ) -> TermId {
        self.flat.merge(pool, condition, on_true, on_false)
    }

    /// The solver has the facts; nothing is decided here.
    fn assume(&mut self, _pool: &mut TermPool, _fact: TermId) {}

    fn simplify(&mut self, pool: &mut TermPool, term: TermId) -> TermId {
        let start = Instant::now();
        let simplified = self.simplifier.rewrite(pool, term);
        self.flat.statistics.spent(Phase::Simplify, start);
        simplified
    }

    fn take_obligations(&mut self) -> Vec<Obligation> {
        std::mem::take(&mut self.flat.obligations)
    }

    fn statistics(&self) -> Statistics {
        self.flat.statistics
    }
}
