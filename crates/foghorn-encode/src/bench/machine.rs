//! What the workloads are written against: objects, memories and a query, over any representation.

use crate::memory::{CellKind, MemoryRepresentation};
use foghorn_term::{Sort, TermId, TermPool};

/// Bits of a pointer.
pub(super) const WIDTH: u32 = 64;

/// A program under way: its memories and what it has assumed and checked.
pub(super) struct Machine {
    pub pool: TermPool,
    pub memory: Box<dyn MemoryRepresentation>,
    /// The memory of 32-bit integers, of bytes and of pointers.
    ints: TermId,
    bytes: TermId,
    pointers: TermId,
    next_base: u64,
    next_symbol: u64,
    facts: Vec<TermId>,
    checks: Vec<TermId>,
}

/// What a program assumed and what is to be proved of it.
pub(super) struct Query {
    pub pool: TermPool,
    /// Satisfiable exactly when some check fails.
    pub formula: TermId,
    pub memory: Box<dyn MemoryRepresentation>,
}

impl Machine {
    pub fn new(mut memory: Box<dyn MemoryRepresentation>) -> Self {
        let mut pool = TermPool::new();
        let ints = memory.arbitrary(&mut pool, "ints", CellKind::Word { bytes: 4 });
        let bytes = memory.arbitrary(&mut pool, "bytes", CellKind::Bytes);
        let pointers = memory.arbitrary(&mut pool, "pointers", CellKind::Pointer);
        Machine {
            pool,
            memory,
            ints,
            bytes,
            pointers,
            next_base: 2,
            next_symbol: 0,
            facts: Vec::new(),
            checks: Vec::new(),
        }
    }

    /// The start of a new object.
    pub fn object(&mut self) -> TermId {
        let base = self.pool.bv(WIDTH, self.next_base);
        self.next_base += 1;
        let start = self.pool.bv_zero(WIDTH);
        self.pool.pointer(base, start)
    }

    /// A value that nothing is known of.
    pub fn any(&mut self, sort: Sort) -> TermId {
        self.next_symbol += 1;
        let name = format!("any{}", self.next_symbol);
        self.pool.symbol(&name, sort)
    }

    /// A 32-bit integer that nothing is known of.
    pub fn any_int(&mut self) -> TermId {
        self.any(Sort::BitVec(32))
    }

    /// A condition that nothing is known of.
    pub fn any_bool(&mut self) -> TermId {
        self.any(Sort::Bool)
    }

    /// An index below a bound, as an offset counts it.
    pub fn any_below(&mut self, bound: u64) -> TermId {
        let index = self.any(Sort::BitVec(WIDTH));
        let bound = self.pool.bv(WIDTH, bound);
        let fact = self.pool.bv_ult(index, bound);
        self.assume(fact);
        index
    }

    /// The pointer `bytes` after another one.
    pub fn plus(&mut self, pointer: TermId, bytes: u64) -> TermId {
        let by = self.pool.bv(WIDTH, bytes);
        self.pool.pointer_add(pointer, by)
    }

    /// The `index`-th integer of an array.
    pub fn element(&mut self, array: TermId, index: u64) -> TermId {
        self.plus(array, 4 * index)
    }

    /// The integer of an array at an index that is a term.
    pub fn element_at(&mut self, array: TermId, index: TermId) -> TermId {
        let four = self.pool.bv(WIDTH, 4);
        let by = self.pool.bv_mul(index, four);
        self.pool.pointer_add(array, by)
    }

    pub fn load(&mut self, pointer: TermId) -> TermId {
        let sort = Sort::BitVec(32);
        self.memory.read(&mut self.pool, self.ints, pointer, sort)
    }

    pub fn store(&mut self, pointer: TermId, value: TermId) {
        self.ints = self.memory.write(&mut self.pool, self.ints, pointer, value);
    }

    pub fn load_byte(&mut self, pointer: TermId) -> TermId {
        let sort = Sort::BitVec(8);
        self.memory.read(&mut self.pool, self.bytes, pointer, sort)
    }

    pub fn store_byte(&mut self, pointer: TermId, value: TermId) {
        self.bytes = self
            .memory
            .write(&mut self.pool, self.bytes, pointer, value);
    }

    pub fn copy_bytes(&mut self, to: TermId, from: TermId, length: TermId) {
        let bytes = self.bytes;
        self.bytes = self
            .memory
            .copy(&mut self.pool, bytes, to, bytes, from, length);
    }

    pub fn copy_ints(&mut self, to: TermId, from: TermId, length: TermId) {
        let ints = self.ints;
        self.ints = self
            .memory
            .copy(&mut self.pool, ints, to, ints, from, length);
    }

    pub fn load_pointer(&mut self, pointer: TermId) -> TermId {
        let sort = Sort::Pointer { width: WIDTH };
        self.memory
            .read(&mut self.pool, self.pointers, pointer, sort)
    }

    pub fn store_pointer(&mut self, pointer: TermId, value: TermId) {
        self.pointers = self
            .memory
            .write(&mut self.pool, self.pointers, pointer, value);
    }

    /// Runs something on one side of a branch and merges the memories after it.
    pub fn when(&mut self, condition: TermId, then: impl FnOnce(&mut Self)) {
        let before = [self.ints, self.bytes, self.pointers];
        then(self);
        let after = [self.ints, self.bytes, self.pointers];
        let mut merged = [0, 1, 2].map(|side| {
            self.memory
                .merge(&mut self.pool, condition, after[side], before[side])
        });
        std::mem::swap(&mut self.ints, &mut merged[0]);
        std::mem::swap(&mut self.bytes, &mut merged[1]);
        std::mem::swap(&mut self.pointers, &mut merged[2]);
    }

    pub fn assume(&mut self, fact: TermId) {
        self.memory.assume(&mut self.pool, fact);
        self.facts.push(fact);
    }

    pub fn check(&mut self, condition: TermId) {
        let condition = self.memory.simplify(&mut self.pool, condition);
        self.checks.push(condition);
    }

    /// The query after the program.
    pub fn finish(mut self) -> Query {
        let all = self.pool.and(&self.checks);
        let some_fails = self.pool.not(all);
        self.facts.push(some_fails);
        let formula = self.pool.and(&self.facts);
        let formula = self.memory.simplify(&mut self.pool, formula);
        Query {
            pool: self.pool,
            formula,
            memory: self.memory,
        }
    }
}
