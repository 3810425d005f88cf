//! What ARRAYS and LAMBDAS share: memories are arrays over flattened pointers, pointer cells are held flattened.
//!
//! The flattened pointer is `base · offset`. A pointer that moves stays in its half: the offset wraps around within the
//! object, as it does in the theory of memory.

use super::cell::{self, CellKind};
use super::pointer::{Pointers, children, unflattened};
use super::{Obligation, Phase, Statistics};
use foghorn_term::rules::Facts;
use foghorn_term::{Sort, SortId, TermId, TermPool};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// A write, set or copy under way.
pub(super) struct Change {
    start: Instant,
    cell: CellKind,
}

/// State and conversions of a representation over flattened pointers.
pub(super) struct Flat {
    pub width: u32,
    pub pointers: Pointers,
    pub facts: Facts,
    pub obligations: Vec<Obligation>,
    pub statistics: Statistics,
    /// The cells of memories: of flattened ones the sort does not tell a pointer from a word of its size.
    cells: FxHashMap<TermId, CellKind>,
}

impl Flat {
    pub fn new(width: u32) -> Self {
        Flat {
            width,
            pointers: Pointers::default(),
            facts: Facts::default(),
            obligations: Vec::new(),
            statistics: Statistics::default(),
            cells: FxHashMap::default(),
        }
    }

    /// The sort of the elements: cells, flattened.
    pub fn element_sort(&self, cell: CellKind) -> Sort {
        match cell.sort(self.width) {
            Sort::Pointer { width } => Sort::BitVec(2 * width),
            scalar => scalar,
        }
    }

    /// The sort of a memory.
    pub fn memory_sort(&self, pool: &mut TermPool, cell: CellKind) -> Sort {
        let element = self.element_sort(cell);
        pool.array_sort(Sort::BitVec(2 * self.width), element)
    }

    /// The sort of the elements of a memory.
    pub fn element(pool: &TermPool, memory: TermId) -> SortId {
        match pool.sort(memory) {
            Sort::Array { element, .. } => element,
            other => panic!("invariant: {other:?} is the sort of an array"),
        }
    }

    /// Bits of an element of a memory.
    pub fn element_bits(pool: &TermPool, memory: TermId) -> u32 {
        match pool.sort_of(Self::element(pool, memory)) {
            Sort::BitVec(bits) => bits,
            other => panic!("invariant: {other:?} is the sort of an element"),
        }
    }

    /// The cells of a memory.
    pub fn cell(&self, memory: TermId) -> CellKind {
        *self
            .cells
            .get(&memory)
            .expect("invariant: a memory is of this representation's making")
    }

    /// Remembers the cells of a new memory.
    pub fn made(&mut self, memory: TermId, cell: CellKind) -> TermId {
        self.cells.insert(memory, cell);
        memory
    }

    /// A value as an element or as consecutive elements, the first the least significant.
    fn elements(&mut self, pool: &mut TermPool, memory: TermId, value: TermId) -> Vec<TermId> {
        let bits = Self::element_bits(pool, memory);
        let value = match pool.sort(value) {
            Sort::Pointer { .. } => self.pointers.flat(pool, value),
            _ => value,
        };
        let width = pool.width(value);
        debug_assert!(
            width == bits || bits == 8,
            "invariant: cells are written whole"
        );
        (0..width / bits)
            .map(|position| pool.extract((position + 1) * bits - 1, position * bits, value))
            .collect()
    }

    /// The value that these elements make.
    pub fn value(&self, pool: &mut TermPool, elements: &[TermId], sort: Sort) -> TermId {
        let bits = cell::concatenated(pool, elements);
        match sort {
            Sort::Pointer { width } => unflattened(pool, bits, width),
            _ => bits,
        }
    }

    /// How many elements a value of a sort takes.
    pub fn count(pool: &TermPool, memory: TermId, sort: Sort) -> u32 {
        let bits = match sort {
            Sort::BitVec(bits) => bits,
            Sort::Pointer { width } => 2 * width,
            other => panic!("invariant: {other:?} is no sort of a value in memory"),
        };
        bits / Self::element_bits(pool, memory)
    }

    /// The flattened pointer `bytes` after a pointer.
    pub fn index(&mut self, pool: &mut TermPool, pointer: TermId, bytes: u64) -> TermId {
        let normal = self.pointers.normal(pool, pointer);
        let by = pool.bv(self.width, bytes);
        let moved = self.pointers.moved(pool, normal, by);
        self.pointers.flat(pool, moved)
    }

    /// The two halves of a pointer, as terms.
    pub fn halves(&mut self, pool: &mut TermPool, pointer: TermId) -> (TermId, TermId) {
        let normal = self.pointers.normal(pool, pointer);
        if pool.op(normal) == foghorn_term::Op::Pointer {
            let [base, offset] = children(pool, normal);
            return (base, offset);
        }
        let flat = self.pointers.flat(pool, normal);
        let width = self.width;
        (
            pool.extract(2 * width - 1, width, flat),
            pool.extract(width - 1, 0, flat),
        )
    }

    /// Begins a write: the elements that it stores.
    pub fn begin_write(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        pointer: TermId,
        value: TermId,
    ) -> (Change, Vec<TermId>) {
        let change = self.begin(memory);
        self.aligned(pool, memory, pointer);
        (change, self.elements(pool, memory, value))
    }

    /// Begins a set: the element that it stores, and the length as wide as a pointer.
    pub fn begin_set(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        pointer: TermId,
        byte: TermId,
        length: TermId,
    ) -> (Change, TermId, TermId) {
        let change = self.begin(memory);
        let length = pool.zero_resize(self.width, length);
        self.whole_cells(pool, change.cell, &[pointer], length);
        let filled = cell::filled_cell(pool, change.cell, self.width, byte, &mut self.obligations);
        let element = self.elements(pool, memory, filled)[0];
        (change, element, length)
    }

    /// Begins a copy: the length as wide as a pointer; `None` when there is none between these memories.
    pub fn begin_copy(
        &mut self,
        pool: &mut TermPool,
        memories: [TermId; 2],
        pointers: [TermId; 2],
        length: TermId,
    ) -> Option<(Change, TermId)> {
        let [destination, source] = memories;
        if !self.same_cells(pool, destination, source) {
            return None;
        }
        let change = self.begin(destination);
        let length = pool.zero_resize(self.width, length);
        self.whole_cells(pool, change.cell, &pointers, length);
        Some((change, length))
    }

    fn begin(&mut self, memory: TermId) -> Change {
        Change {
            start: Instant::now(),
            cell: self.cell(memory),
        }
    }

    /// Ends a write, set or copy that made a memory.
    pub fn end(&mut self, change: &Change, memory: TermId) -> TermId {
        self.statistics.spent(Phase::Write, change.start);
        self.made(memory, change.cell)
    }

    /// The memory that is one of two.
    pub fn merge(
        &mut self,
        pool: &mut TermPool,
        condition: TermId,
        on_true: TermId,
        on_false: TermId,
    ) -> TermId {
        let start = Instant::now();
        let merged = pool.ite(condition, on_true, on_false);
        self.statistics.spent(Phase::Merge, start);
        let cell = self.cell(on_true);
        self.made(merged, cell)
    }

    /// Leaves what makes a range exact as obligations: pointers and length are multiples of the cell.
    fn whole_cells(
        &mut self,
        pool: &mut TermPool,
        cell: CellKind,
        pointers: &[TermId],
        length: TermId,
    ) {
        let mut terms = vec![length];
        for &pointer in pointers {
            terms.push(self.halves(pool, pointer).1);
        }
        let bytes = cell.bytes(self.width);
        cell::whole_cells(pool, &mut self.facts, bytes, &terms, &mut self.obligations);
    }

    /// Leaves an obligation where an access is evidently between cells.
    pub fn aligned(&mut self, pool: &mut TermPool, memory: TermId, pointer: TermId) {
        let bytes = self.cell(memory).bytes(self.width);
        if bytes > 1 {
            let offset = self.halves(pool, pointer).1;
            cell::aligned_access(pool, bytes, offset, &mut self.obligations);
        }
    }

    /// Copies happen between memories of the same cells.
    fn same_cells(&mut self, pool: &TermPool, destination: TermId, source: TermId) -> bool {
        let same = self.cell(destination) == self.cell(source);
        if !same {
            let what = "a copy is between memories of the same cells";
            cell::oblige(pool, &mut self.obligations, pool.bool(false), what);
        }
        same
    }
}
