//! Builders of arrays, finite maps, pointers and memories.
//!
//! Ranges (`set`, `copy`, `memset`, `memcpy`) hold the indices `i` with `i - p < s`, unsigned and modulo 2^width for
//! bit-vectors; for integers, those with `p ≤ i < p + s`. Where `p + s` does not wrap this is the thesis' `p ≤ i < p + s`.

use crate::op::{BoundId, Op};
use crate::pool::{TermId, TermPool};
use crate::sort::{Sort, SortId};

impl TermPool {
    /// The sort of arrays from `index` to `element`.
    pub fn array_sort(&mut self, index: Sort, element: Sort) -> Sort {
        Sort::Array {
            index: self.sort_intern(index),
            element: self.sort_intern(element),
        }
    }

    /// The sort of memories with pointers of that width and these cells.
    pub fn memory_sort(&mut self, width: u32, cell: Sort) -> Sort {
        Sort::Memory {
            width,
            cell: self.sort_intern(cell),
        }
    }

    /// The sort of finite maps with that many keys.
    pub fn finite_map_sort(&mut self, key: Sort, value: Sort, size: u32) -> Sort {
        Sort::FiniteMap {
            key: self.sort_intern(key),
            value: self.sort_intern(value),
            size,
        }
    }

    /// The element of an array.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        self.make(Op::Select, &[array, index])
    }

    /// The array with one element replaced.
    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        self.make(Op::Store, &[array, index, value])
    }

    /// The array that is `value` everywhere.
    pub fn constant_array(&mut self, sort: SortId, value: TermId) -> TermId {
        self.make(Op::ConstantArray(sort), &[value])
    }

    /// λ over a variable made by [`TermPool::bound_variable`], which no other λ binds.
    pub fn lambda(&mut self, variable: TermId, body: TermId) -> TermId {
        let Op::Bound(bound) = self.op(variable) else {
            panic!("invariant: λ binds a bound variable");
        };
        self.lambda_over(bound, body)
    }

    pub(crate) fn lambda_over(&mut self, bound: BoundId, body: TermId) -> TermId {
        self.make(Op::Lambda(bound), &[body])
    }

    /// `array` with `value` at the `size` indices from `start` on.
    pub fn array_set(
        &mut self,
        array: TermId,
        start: TermId,
        value: TermId,
        size: TermId,
    ) -> TermId {
        self.make(Op::ArraySet, &[array, start, value, size])
    }

    /// `array` with the `size` elements of `source` from `from` on placed at `start`.
    pub fn array_copy(
        &mut self,
        array: TermId,
        start: TermId,
        source: TermId,
        from: TermId,
        size: TermId,
    ) -> TermId {
        self.make(Op::ArrayCopy, &[array, start, source, from, size])
    }

    /// Whether `index` is one of the `size` indices from `start` on.
    pub fn in_range(&mut self, index: TermId, start: TermId, size: TermId) -> TermId {
        if let Sort::BitVec(_) = self.sort(index) {
            let distance = self.bv_sub(index, start);
            return self.bv_ult(distance, size);
        }
        let end = self.int_add(start, size);
        let (lower, upper) = (self.int_le(start, index), self.int_lt(index, end));
        self.and(&[lower, upper])
    }

    /// `from + (index - start)`: where a copied element came from.
    pub fn rebase(&mut self, index: TermId, start: TermId, from: TermId) -> TermId {
        if let Sort::BitVec(_) = self.sort(index) {
            let distance = self.bv_sub(index, start);
            return self.bv_add(from, distance);
        }
        let distance = self.int_sub(index, start);
        self.int_add(from, distance)
    }

    /// The finite map with these keys and values.
    pub fn finite_map(&mut self, entries: &[(TermId, TermId)]) -> TermId {
        let children: Vec<TermId> = entries
            .iter()
            .flat_map(|&(key, value)| [key, value])
            .collect();
        self.make(Op::FiniteMap, &children)
    }

    /// The value at a key.
    pub fn finite_map_get(&mut self, map: TermId, key: TermId) -> TermId {
        self.make(Op::FiniteMapGet, &[map, key])
    }

    /// The map with the value at a key replaced.
    pub fn finite_map_set(&mut self, map: TermId, key: TermId, value: TermId) -> TermId {
        self.make(Op::FiniteMapSet, &[map, key, value])
    }

    /// The pointer into the object at `base`, `offset` bytes from its start.
    pub fn pointer(&mut self, base: TermId, offset: TermId) -> TermId {
        self.make(Op::Pointer, &[base, offset])
    }

    /// The base of a pointer.
    pub fn pointer_base(&mut self, pointer: TermId) -> TermId {
        self.make(Op::PointerBase, &[pointer])
    }

    /// The offset of a pointer.
    pub fn pointer_offset(&mut self, pointer: TermId) -> TermId {
        self.make(Op::PointerOffset, &[pointer])
    }

    /// The pointer moved by an offset.
    pub fn pointer_add(&mut self, pointer: TermId, offset: TermId) -> TermId {
        self.make(Op::PointerAdd, &[pointer, offset])
    }

    /// Difference of the offsets of two pointers.
    pub fn pointer_difference(&mut self, a: TermId, b: TermId) -> TermId {
        self.make(Op::PointerDifference, &[a, b])
    }

    /// One cell.
    pub fn memory_read(&mut self, memory: TermId, pointer: TermId) -> TermId {
        self.make(Op::MemoryRead, &[memory, pointer])
    }

    /// The memory with one cell replaced.
    pub fn memory_write(&mut self, memory: TermId, pointer: TermId, value: TermId) -> TermId {
        self.make(Op::MemoryWrite, &[memory, pointer, value])
    }

    /// `count` byte cells as one little-endian word.
    pub fn memory_read_bytes(&mut self, count: u32, memory: TermId, pointer: TermId) -> TermId {
        self.make(Op::MemoryReadBytes(count), &[memory, pointer])
    }

    /// The memory with a little-endian word written to its byte cells.
    pub fn memory_write_bytes(&mut self, memory: TermId, pointer: TermId, value: TermId) -> TermId {
        self.make(Op::MemoryWriteBytes, &[memory, pointer, value])
    }

    /// `memset`: the memory with `size` cells from `pointer` on replaced by `value`.
    pub fn memory_set(
        &mut self,
        memory: TermId,
        pointer: TermId,
        value: TermId,
        size: TermId,
    ) -> TermId {
        self.make(Op::MemorySet, &[memory, pointer, value, size])
    }

    /// `memcpy`: the memory with `size` cells of `source` from `from` on placed at `pointer`.
    pub fn memory_copy(
        &mut self,
        memory: TermId,
        pointer: TermId,
        source: TermId,
        from: TermId,
        size: TermId,
    ) -> TermId {
        self.make(Op::MemoryCopy, &[memory, pointer, source, from, size])
    }
}
