//! Representations that are wrong on purpose, one for each kind of operation: the comparison with the theory finds them.

use foghorn_encode::memory::{CellKind, MemoryRepresentation, Obligation, Statistics};
use foghorn_term::{Sort, TermId, TermPool};

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A read misses the memory's outermost write.
    Read,
    /// A write of several cells leaves the last one out.
    Write,
    /// A set is one byte too long.
    Set,
    /// A copy takes its source from one cell further on.
    Copy,
    /// A merge takes the wrong side.
    Merge,
    /// A bound is believed that does not hold.
    Assume,
    /// Simplifying forgets one side of an `ite`.
    Simplify,
}

impl Fault {
    pub const ALL: [Fault; 7] = [
        Fault::Read,
        Fault::Write,
        Fault::Set,
        Fault::Copy,
        Fault::Merge,
        Fault::Assume,
        Fault::Simplify,
    ];
}

pub struct Broken {
    pub inner: Box<dyn MemoryRepresentation>,
    pub fault: Fault,
    pub width: u32,
}

impl MemoryRepresentation for Broken {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn arbitrary(&mut self, pool: &mut TermPool, name: &str, cell: CellKind) -> TermId {
        self.inner.arbitrary(pool, name, cell)
    }

    fn read(&mut self, pool: &mut TermPool, memory: TermId, pointer: TermId, sort: Sort) -> TermId {
        let older = pool.children(memory).first().copied();
        let memory = match older {
            Some(older)
                if self.fault == Fault::Read && pool.sort_id(older) == pool.sort_id(memory) =>
            {
                older
            }
            _ => memory,
        };
        self.inner.read(pool, memory, pointer, sort)
    }

    fn write(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        pointer: TermId,
        value: TermId,
    ) -> TermId {
        let value = match pool.sort(value) {
            Sort::BitVec(bits) if self.fault == Fault::Write && bits > 8 => {
                let rest = pool.extract(bits - 9, 0, value);
                pool.zero_extend(8, rest)
            }
            _ => value,
        };
        self.inner.write(pool, memory, pointer, value)
    }

    fn set(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        pointer: TermId,
        byte: TermId,
        length: TermId,
    ) -> TermId {
        let more = pool.bv(self.width, u64::from(self.fault == Fault::Set));
        let length = pool.bv_add(length, more);
        self.inner.set(pool, memory, pointer, byte, length)
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
        let by = pool.bv(self.width, u64::from(self.fault == Fault::Copy));
        let source = pool.pointer_add(source, by);
        self.inner.copy(
            pool,
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
        let condition = match self.fault {
            Fault::Merge => pool.not(condition),
            _ => condition,
        };
        self.inner.merge(pool, condition, on_true, on_false)
    }

    fn assume(&mut self, pool: &mut TermPool, fact: TermId) {
        self.inner.assume(pool, fact);
        if self.fault == Fault::Assume {
            let small = pool.bv_symbol("small", self.width);
            let bound = pool.bv(self.width, 2);
            let wrong = pool.bv_ult(small, bound);
            self.inner.assume(pool, wrong);
        }
    }

    fn simplify(&mut self, pool: &mut TermPool, term: TermId) -> TermId {
        let term = self.inner.simplify(pool, term);
        match (self.fault, pool.op(term)) {
            (Fault::Simplify, foghorn_term::Op::Ite) => pool.child(term, 1),
            _ => term,
        }
    }

    /// What the fault makes inexact is not what is tested.
    fn take_obligations(&mut self) -> Vec<Obligation> {
        Vec::new()
    }

    fn statistics(&self) -> Statistics {
        self.inner.statistics()
    }
}
