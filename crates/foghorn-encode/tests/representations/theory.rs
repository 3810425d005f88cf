//! The theory of memory itself as a representation: every operation is the term that denotes it, nothing is decided.
//! What the evaluator says of it is the truth that the others are compared with.

use foghorn_encode::memory::{CellKind, MemoryRepresentation, Obligation, Statistics};
use foghorn_term::{Sort, TermId, TermPool};

pub struct Theory {
    pub width: u32,
}

impl Theory {
    fn cell(pool: &TermPool, memory: TermId) -> Sort {
        match pool.sort(memory) {
            Sort::Memory { cell, .. } => pool.sort_of(cell),
            other => panic!("{other:?} is no memory"),
        }
    }
}

impl MemoryRepresentation for Theory {
    fn name(&self) -> &'static str {
        "theory"
    }

    fn arbitrary(&mut self, pool: &mut TermPool, name: &str, cell: CellKind) -> TermId {
        let sort = pool.memory_sort(self.width, cell.sort(self.width));
        pool.symbol(name, sort)
    }

    fn read(&mut self, pool: &mut TermPool, memory: TermId, pointer: TermId, sort: Sort) -> TermId {
        match (Self::cell(pool, memory), sort) {
            (Sort::BitVec(8), Sort::BitVec(bits)) => {
                pool.memory_read_bytes(bits / 8, memory, pointer)
            }
            _ => pool.memory_read(memory, pointer),
        }
    }

    fn write(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        pointer: TermId,
        value: TermId,
    ) -> TermId {
        match Self::cell(pool, memory) {
            Sort::BitVec(8) => pool.memory_write_bytes(memory, pointer, value),
            _ => pool.memory_write(memory, pointer, value),
        }
    }

    fn set(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        pointer: TermId,
        byte: TermId,
        length: TermId,
    ) -> TermId {
        let cell = match Self::cell(pool, memory) {
            Sort::BitVec(bits) => {
                let more = vec![byte; bits as usize / 8 - 1];
                more.into_iter()
                    .fold(byte, |all, byte| pool.concat(all, byte))
            }
            _ => {
                let zero = pool.bv_zero(self.width);
                pool.pointer(zero, zero)
            }
        };
        pool.memory_set(memory, pointer, cell, length)
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
        pool.memory_copy(
            destination_memory,
            destination,
            source_memory,
            source,
            length,
        )
    }

    fn merge(
        &mut self,
        pool: &mut TermPool,
        condition: TermId,
        on_true: TermId,
        on_false: TermId,
    ) -> TermId {
        pool.ite(condition, on_true, on_false)
    }

    fn assume(&mut self, _pool: &mut TermPool, _fact: TermId) {}

    fn simplify(&mut self, _pool: &mut TermPool, term: TermId) -> TermId {
        term
    }

    fn take_obligations(&mut self) -> Vec<Obligation> {
        Vec::new()
    }

    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}
