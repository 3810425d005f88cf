//! SEAM: memories are terms of the theory of memory (chapter 4 of the SEAM thesis), read by its rules.
//!
//! A memory value is the term that says what it is: a symbol, a write, set or copy of a memory, or an `ite` of memories.
//! A read walks down the writes (figures 4.6 and 4.7): a hit ends it, what cannot be hit is skipped, the rest becomes a
//! case split. Nothing of the theory of memory is left but reads of symbols, which become applications of an
//! uninterpreted function to base and offset.
//!
//! - `relate`: whether two accesses can overlap and where; `arm` (chapter 5) and `interval` decide that for pointers under
//!   nested `ite`s in place; `assume` draws bounds from facts; `equation` states what stays open.
//! - `read`: the walk, with explicit stacks; `choice`: when it is divided; `overlay`: values put together from pieces of others.
//! - `store_map` (chapter 6) and `cells`: what the writes of a memory come to, object by object.
//! - `history`: what merges have in common.

mod arm;
mod assume;
mod cells;
mod choice;
mod equation;
mod history;
mod interval;
mod overlay;
mod read;
mod relate;
mod store_map;

use super::cell::{self, CellKind};
use super::pointer::Pointers;
use super::{MemoryRepresentation, Obligation, Phase, Statistics};
use arm::{AddressRangeMap, AddressRangeMaps};
use foghorn_core::Budget;
use foghorn_term::rewrite::Rewriter;
use foghorn_term::rules::{Facts, RuleSet, simplifier};
use foghorn_term::{FunctionId, Op, Sort, TermId, TermPool};
use history::History;
use interval::Intervals;
use relate::Access;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::time::Instant;
use store_map::StoreMaps;

/// What of SEAM is switched on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeamOptions {
    /// Address range maps (chapter 5).
    pub arm: bool,
    /// Store-maps (chapter 6).
    pub store_map: bool,
}

impl Default for SeamOptions {
    fn default() -> Self {
        SeamOptions {
            arm: true,
            store_map: true,
        }
    }
}

/// The SEAM representation.
pub struct Seam {
    width: u32,
    options: SeamOptions,
    pointers: Pointers,
    facts: Facts,
    intervals: Intervals,
    maps: AddressRangeMaps,
    history: History,
    simplifier: Rewriter<RuleSet>,
    obligations: Vec<Obligation>,
    statistics: Statistics,
    /// The functions that reads of symbols become.
    functions: FxHashMap<TermId, FunctionId>,
    /// Equalities of pointers that were worked out.
    equal: FxHashMap<(TermId, TermId), TermId>,
    remembered: FxHashMap<(TermId, Access), TermId>,
    /// Whether offsets are choices between literals.
    literal_leaves: FxHashMap<TermId, bool>,
    walk: read::Walk,
    budget: Budget,
    store_maps: FxHashMap<TermId, StoreMaps>,
}

impl Seam {
    /// SEAM for pointers of that width, at most 64.
    pub fn new(width: u32, options: SeamOptions) -> Self {
        assert!(width <= 64, "invariant: pointers have at most 64 bits");
        Seam {
            width,
            options,
            pointers: Pointers::default(),
            facts: Facts::default(),
            intervals: Intervals::default(),
            maps: AddressRangeMaps::default(),
            history: History::default(),
            simplifier: simplifier(),
            obligations: Vec::new(),
            statistics: Statistics::default(),
            functions: FxHashMap::default(),
            equal: FxHashMap::default(),
            remembered: FxHashMap::default(),
            literal_leaves: FxHashMap::default(),
            walk: read::Walk::default(),
            budget: Budget::unlimited(),
            store_maps: FxHashMap::default(),
        }
    }

    fn address_range_map(&mut self, pool: &TermPool, pointer: TermId) -> Rc<AddressRangeMap> {
        self.maps
            .get(pool, &mut self.intervals, &mut self.facts, pointer)
    }

    /// The cells of a memory.
    fn cell(pool: &TermPool, memory: TermId) -> CellKind {
        match pool.sort(memory) {
            Sort::Memory { cell, .. } => CellKind::of_sort(pool.sort_of(cell)),
            other => panic!("invariant: {other:?} is the sort of a memory"),
        }
    }

    /// How many cells a value takes: only a memory of bytes is accessed in more than one.
    fn size(cell: CellKind, sort: Sort) -> u32 {
        match (cell, sort) {
            (CellKind::Bytes, Sort::BitVec(bits)) => bits / 8,
            (CellKind::Bytes, other) => panic!("invariant: {other:?} has no bytes"),
            (CellKind::Word { .. } | CellKind::Pointer, _) => 1,
        }
    }

    /// The function that a symbol's reads are applications of.
    fn function(&mut self, pool: &mut TermPool, memory: TermId) -> FunctionId {
        if let Some(&function) = self.functions.get(&memory) {
            return function;
        }
        let (Op::Symbol(symbol), Sort::Memory { width, cell }) =
            (pool.op(memory), pool.sort(memory))
        else {
            panic!("invariant: only symbols of memories are read by functions");
        };
        let name = format!("{}.read", pool.symbol_data(symbol).name);
        let bits = pool.sort_intern(Sort::BitVec(width));
        let function = pool
            .function(&name, &[bits, bits], cell)
            .expect("invariant: one name, one memory");
        self.functions.insert(memory, function);
        function
    }

    /// The offsets at the leaves of a pointer in normal form are multiples of the cell, as far as can be seen.
    fn aligned(&mut self, pool: &TermPool, cell: CellKind, pointer: TermId) {
        let bytes = cell.bytes(self.width);
        if bytes > 1 && pool.op(pointer) == Op::Pointer {
            let offset = pool.child(pointer, 1);
            cell::aligned_access(pool, bytes, offset, &mut self.obligations);
        }
    }

    fn whole_cells(
        &mut self,
        pool: &mut TermPool,
        cell: CellKind,
        pointers: &[TermId],
        length: TermId,
    ) {
        let bytes = cell.bytes(self.width);
        if bytes == 1 {
            return;
        }
        let mut terms = vec![length];
        for &pointer in pointers {
            terms.push(match pool.op(pointer) {
                Op::Pointer => pool.child(pointer, 1),
                _ => {
                    let low_bits = self.address_range_map(pool, pointer).low_bits;
                    if bytes.is_power_of_two()
                        && low_bits.count >= bytes.trailing_zeros()
                        && low_bits.value.is_multiple_of(u64::from(bytes))
                    {
                        continue;
                    }
                    pool.pointer_offset(pointer)
                }
            });
        }
        cell::whole_cells(pool, &mut self.facts, bytes, &terms, &mut self.obligations);
    }
}

impl MemoryRepresentation for Seam {
    fn name(&self) -> &'static str {
        "seam"
    }

    fn arbitrary(&mut self, pool: &mut TermPool, name: &str, cell: CellKind) -> TermId {
        let sort = pool.memory_sort(self.width, cell.sort(self.width));
        let memory = pool.symbol(name, sort);
        self.history.root(memory);
        memory
    }

    fn read(&mut self, pool: &mut TermPool, memory: TermId, pointer: TermId, sort: Sort) -> TermId {
        let start = Instant::now();
        self.statistics.reads += 1;
        let pointer = self.pointers.normal(pool, pointer);
        let cell = Self::cell(pool, memory);
        self.aligned(pool, cell, pointer);
        let size = Self::size(cell, sort);
        let value = self.read_access(pool, memory, Access { pointer, size });
        self.statistics.spent(Phase::Read, start);
        value
    }

    fn write(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        pointer: TermId,
        value: TermId,
    ) -> TermId {
        let start = Instant::now();
        let pointer = self.pointers.normal(pool, pointer);
        let cell = Self::cell(pool, memory);
        self.aligned(pool, cell, pointer);
        let size = Self::size(cell, pool.sort(value));
        let value = match cell {
            CellKind::Pointer => self.pointers.normal(pool, value),
            CellKind::Bytes | CellKind::Word { .. } => value,
        };
        let written = match size {
            1 => pool.memory_write(memory, pointer, value),
            _ => pool.memory_write_bytes(memory, pointer, value),
        };
        self.history.child(written, memory);
        if self.options.store_map {
            self.note_write(pool, memory, written, Access { pointer, size }, value);
        }
        self.statistics.spent(Phase::Write, start);
        written
    }

    fn set(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        pointer: TermId,
        byte: TermId,
        length: TermId,
    ) -> TermId {
        let start = Instant::now();
        let length = pool.zero_resize(self.width, length);
        if pool
            .as_bitvec(length)
            .is_some_and(foghorn_term::BitVecValue::is_zero)
        {
            return memory;
        }
        let pointer = self.pointers.normal(pool, pointer);
        let cell = Self::cell(pool, memory);
        self.whole_cells(pool, cell, &[pointer], length);
        let filled = cell::filled_cell(pool, cell, self.width, byte, &mut self.obligations);
        let set = pool.memory_set(memory, pointer, filled, length);
        self.history.child(set, memory);
        if self.options.store_map {
            self.note_range(pool, memory, set, pointer, length);
        }
        self.statistics.spent(Phase::Write, start);
        set
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
        let start = Instant::now();
        let length = pool.zero_resize(self.width, length);
        if pool
            .as_bitvec(length)
            .is_some_and(foghorn_term::BitVecValue::is_zero)
        {
            return destination_memory;
        }
        if pool.sort_id(destination_memory) != pool.sort_id(source_memory) {
            let what = "a copy is between memories of the same cells";
            cell::oblige(pool, &mut self.obligations, pool.bool(false), what);
            return destination_memory;
        }
        let destination = self.pointers.normal(pool, destination);
        let source = self.pointers.normal(pool, source);
        let cell = Self::cell(pool, destination_memory);
        self.whole_cells(pool, cell, &[destination, source], length);
        let copied = pool.memory_copy(
            destination_memory,
            destination,
            source_memory,
            source,
            length,
        );
        self.history.child(copied, destination_memory);
        if self.options.store_map {
            self.note_range(pool, destination_memory, copied, destination, length);
        }
        self.statistics.spent(Phase::Write, start);
        copied
    }

    fn merge(
        &mut self,
        pool: &mut TermPool,
        condition: TermId,
        on_true: TermId,
        on_false: TermId,
    ) -> TermId {
        let start = Instant::now();
        let merged = pool.ite(condition, on_true, on_false);
        if pool.op(merged) == Op::Ite {
            self.history.merge(merged, on_true, on_false);
            if self.options.store_map {
                self.note_merge(merged, on_true, on_false);
            }
        }
        self.statistics.spent(Phase::Merge, start);
        merged
    }

    fn assume(&mut self, pool: &mut TermPool, fact: TermId) {
        let start = Instant::now();
        if self.options.arm {
            assume::assume(pool, &mut self.intervals, fact);
        }
        self.statistics.spent(Phase::Assume, start);
    }

    fn simplify(&mut self, pool: &mut TermPool, term: TermId) -> TermId {
        let start = Instant::now();
        let simplified = self.simplifier.rewrite(pool, term);
        self.statistics.spent(Phase::Simplify, start);
        simplified
    }

    fn take_obligations(&mut self) -> Vec<Obligation> {
        std::mem::take(&mut self.obligations)
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }

    fn set_budget(&mut self, budget: &Budget) {
        self.budget = budget.clone();
    }
}
