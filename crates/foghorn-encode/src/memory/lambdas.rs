//! LAMBDAS: memories are λ-terms and a read is β-reduction (§2.4 and figure 2.12 of the SEAM thesis, right column).
//!
//! An arbitrary memory is `λi. f(i)` for an uninterpreted function `f`, so that no array is left in what the solver gets.
//! Sets and copies are exact: a range holds the indices of the pointer's object whose offset is less than the length away.
//! What decides the conditions of the `ite`s are the rules for flattened pointers, that is for bit-vectors.

use super::flat::Flat;
use super::{CellKind, MemoryRepresentation, Obligation, Phase, Statistics};
use foghorn_term::rewrite::Rewriter;
use foghorn_term::rules::{RuleSet, simplifier};
use foghorn_term::{Sort, TermId, TermPool};
use std::time::Instant;

/// The LAMBDAS representation.
pub struct Lambdas {
    flat: Flat,
    simplifier: Rewriter<RuleSet>,
}

impl Lambdas {
    /// LAMBDAS for pointers of that width.
    pub fn new(width: u32) -> Self {
        Lambdas {
            flat: Flat::new(width),
            simplifier: simplifier(),
        }
    }

    /// A new variable for flattened pointers.
    fn variable(&self, pool: &mut TermPool) -> TermId {
        let sort = pool.sort_intern(Sort::BitVec(2 * self.flat.width));
        pool.bound_variable(sort)
    }

    /// Whether a flattened pointer lies in the range, and how far from its start.
    fn in_range(
        &mut self,
        pool: &mut TermPool,
        index: TermId,
        pointer: TermId,
        length: TermId,
    ) -> (TermId, TermId) {
        let width = self.flat.width;
        let (base, offset) = self.flat.halves(pool, pointer);
        let index_base = pool.extract(2 * width - 1, width, index);
        let index_offset = pool.extract(width - 1, 0, index);
        let same = pool.equal(index_base, base);
        let distance = pool.bv_sub(index_offset, offset);
        let near = pool.bv_ult(distance, length);
        (pool.and(&[same, near]), distance)
    }
}

impl MemoryRepresentation for Lambdas {
    fn name(&self) -> &'static str {
        "lambdas"
    }

    fn arbitrary(&mut self, pool: &mut TermPool, name: &str, cell: CellKind) -> TermId {
        let element = self.flat.element_sort(cell);
        let index = pool.sort_intern(Sort::BitVec(2 * self.flat.width));
        let element = pool.sort_intern(element);
        let function = pool
            .function(name, &[index], element)
            .expect("invariant: one name, one memory");
        let variable = pool.bound_variable(index);
        let body = pool.apply(function, &[variable]);
        let memory = pool.lambda(variable, body);
        self.flat.made(memory, cell)
    }

    fn read(&mut self, pool: &mut TermPool, memory: TermId, pointer: TermId, sort: Sort) -> TermId {
        let start = Instant::now();
        self.flat.statistics.reads += 1;
        self.flat.aligned(pool, memory, pointer);
        let mut elements = Vec::new();
        for position in 0..Flat::count(pool, memory, sort) {
            let index = self.flat.index(pool, pointer, u64::from(position));
            let read = pool.select(memory, index);
            elements.push(self.simplifier.rewrite(pool, read));
        }
        let value = self.flat.value(pool, &elements, sort);
        let value = self.simplifier.rewrite(pool, value);
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
        let variable = self.variable(pool);
        let mut body = pool.select(memory, variable);
        for (position, element) in (0..).zip(elements) {
            let index = self.flat.index(pool, pointer, position);
            let hit = pool.equal(variable, index);
            body = pool.ite(hit, element, body);
        }
        let result = pool.lambda(variable, body);
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
        let variable = self.variable(pool);
        let (hit, _) = self.in_range(pool, variable, pointer, length);
        let old = pool.select(memory, variable);
        let body = pool.ite(hit, element, old);
        let result = pool.lambda(variable, body);
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
        let variable = self.variable(pool);
        let (hit, distance) = self.in_range(pool, variable, destination, length);
        let (base, offset) = self.flat.halves(pool, source);
        let offset = pool.bv_add(offset, distance);
        let origin = pool.concat(base, offset);
        let new = pool.select(source_memory, origin);
        let old = pool.select(destination_memory, variable);
        let body = pool.ite(hit, new, old);
        let result = pool.lambda(variable, body);
        self.flat.end(&change, result)
    }

    /// A merge is an `ite` of λs: a read goes into both.
    fn merge(
        &mut self,
        pool: &mut TermPool,
        condition: TermId,
        on_true: TermId,
        on_false: TermId,
    ) -> TermId {
        self.flat.merge(pool, condition, on_true, on_false)
    }

    /// β-reduction decides by the terms alone.
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
