//! Sorts of applications in the theories of arrays, finite maps and memory.

use super::{Application, Inferred, SortError};
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{Sort, SortId};

impl TermPool {
    fn array_sorts(
        &self,
        at: &Application<'_>,
        position: usize,
    ) -> Result<(SortId, SortId), SortError> {
        match self.sort(at.children[position]) {
            Sort::Array { index, element } => Ok((index, element)),
            _ => Err(at.argument(position)),
        }
    }

    fn has_sort(
        &self,
        at: &Application<'_>,
        position: usize,
        sort: SortId,
    ) -> Result<(), SortError> {
        at.require(self.sort_id(at.children[position]) == sort, position)
    }

    /// Ranges need an index with arithmetic.
    fn range_index(&self, at: &Application<'_>, index: SortId) -> Result<(), SortError> {
        at.require(
            matches!(self.sort_of(index), Sort::BitVec(_) | Sort::Int),
            1,
        )
    }

    pub(super) fn infer_array(&mut self, op: Op, at: &Application<'_>) -> Inferred {
        match op {
            Op::Select => {
                at.arity(2)?;
                let (index, element) = self.array_sorts(at, 0)?;
                self.has_sort(at, 1, index)?;
                Ok(element)
            }
            Op::Store => {
                at.arity(3)?;
                let (index, element) = self.array_sorts(at, 0)?;
                self.has_sort(at, 1, index)?;
                self.has_sort(at, 2, element)?;
                Ok(self.sort_id(at.children[0]))
            }
            Op::ConstantArray(sort) => {
                at.arity(1)?;
                let Sort::Array { element, .. } = self.sort_of(sort) else {
                    return Err(at.index());
                };
                self.has_sort(at, 0, element)?;
                Ok(sort)
            }
            Op::Lambda(bound) => {
                at.arity(1)?;
                let index = self.bound_sort(bound);
                let element = self.sort_id(at.children[0]);
                Ok(self.sort_intern(Sort::Array { index, element }))
            }
            Op::ArraySet => {
                at.arity(4)?;
                let (index, element) = self.array_sorts(at, 0)?;
                self.range_index(at, index)?;
                self.has_sort(at, 1, index)?;
                self.has_sort(at, 2, element)?;
                self.has_sort(at, 3, index)?;
                Ok(self.sort_id(at.children[0]))
            }
            _ => {
                at.arity(5)?;
                let (index, _) = self.array_sorts(at, 0)?;
                self.range_index(at, index)?;
                self.same_sort(at, 0, 2)?;
                for position in [1, 3, 4] {
                    self.has_sort(at, position, index)?;
                }
                Ok(self.sort_id(at.children[0]))
            }
        }
    }

    pub(super) fn infer_finite_map(&mut self, op: Op, at: &Application<'_>) -> Inferred {
        if op == Op::FiniteMap {
            at.at_least(2)?;
            at.require(at.children.len().is_multiple_of(2), at.children.len() - 1)?;
            for position in 2..at.children.len() {
                self.same_sort(at, position % 2, position)?;
            }
            let (key, value) = (self.sort_id(at.children[0]), self.sort_id(at.children[1]));
            let size = u32::try_from(at.children.len() / 2).map_err(|_| at.index())?;
            return Ok(self.sort_intern(Sort::FiniteMap { key, value, size }));
        }
        at.arity(if op == Op::FiniteMapGet { 2 } else { 3 })?;
        let Sort::FiniteMap { key, value, .. } = self.sort(at.children[0]) else {
            return Err(at.argument(0));
        };
        self.has_sort(at, 1, key)?;
        if op == Op::FiniteMapGet {
            return Ok(value);
        }
        self.has_sort(at, 2, value)?;
        Ok(self.sort_id(at.children[0]))
    }

    fn pointer_width(&self, at: &Application<'_>, position: usize) -> Result<u32, SortError> {
        match self.sort(at.children[position]) {
            Sort::Pointer { width } => Ok(width),
            _ => Err(at.argument(position)),
        }
    }

    pub(super) fn infer_pointer(&mut self, op: Op, at: &Application<'_>) -> Inferred {
        let sort = match op {
            Op::Pointer => {
                at.arity(2)?;
                let width = self.bv_width(at, 0)?;
                self.same_sort(at, 0, 1)?;
                Sort::Pointer { width }
            }
            Op::PointerBase | Op::PointerOffset => {
                at.arity(1)?;
                Sort::BitVec(self.pointer_width(at, 0)?)
            }
            Op::PointerAdd => {
                at.arity(2)?;
                let width = self.pointer_width(at, 0)?;
                at.require(self.bv_width(at, 1)? == width, 1)?;
                Sort::Pointer { width }
            }
            _ => {
                at.arity(2)?;
                let width = self.pointer_width(at, 0)?;
                self.same_sort(at, 0, 1)?;
                if op == Op::PointerDifference {
                    Sort::BitVec(width)
                } else {
                    Sort::Bool
                }
            }
        };
        Ok(self.sort_intern(sort))
    }

    /// Checks a memory and the pointer into it; the sort of its cells.
    fn access(
        &self,
        at: &Application<'_>,
        memory: usize,
        pointer: usize,
    ) -> Result<SortId, SortError> {
        let Sort::Memory { width, cell } = self.sort(at.children[memory]) else {
            return Err(at.argument(memory));
        };
        at.require(self.pointer_width(at, pointer)? == width, pointer)?;
        Ok(cell)
    }

    pub(super) fn infer_memory(&mut self, op: Op, at: &Application<'_>) -> Inferred {
        let arity = match op {
            Op::ConstantMemory(_) => 1,
            Op::MemoryRead | Op::MemoryReadBytes(_) => 2,
            Op::MemoryWrite | Op::MemoryWriteBytes => 3,
            Op::MemorySet => 4,
            _ => 5,
        };
        at.arity(arity)?;
        if let Op::ConstantMemory(sort) = op {
            let Sort::Memory { cell, .. } = self.sort_of(sort) else {
                return Err(at.index());
            };
            self.has_sort(at, 0, cell)?;
            return Ok(sort);
        }
        let cell = self.access(at, 0, 1)?;
        match op {
            Op::MemoryRead => return Ok(cell),
            Op::MemoryReadBytes(count) => {
                at.require(self.sort_of(cell) == Sort::BitVec(8) && count >= 1, 0)?;
                return Ok(self.sort_intern(Sort::BitVec(8 * count)));
            }
            Op::MemoryWrite => self.has_sort(at, 2, cell)?,
            Op::MemoryWriteBytes => {
                at.require(self.sort_of(cell) == Sort::BitVec(8), 0)?;
                at.require(self.bv_width(at, 2)?.is_multiple_of(8), 2)?;
            }
            Op::MemorySet => {
                self.has_sort(at, 2, cell)?;
                self.range_size(at, 3)?;
            }
            _ => {
                self.same_sort(at, 0, 2)?;
                self.access(at, 2, 3)?;
                self.range_size(at, 4)?;
            }
        }
        Ok(self.sort_id(at.children[0]))
    }

    fn range_size(&self, at: &Application<'_>, position: usize) -> Result<(), SortError> {
        let width = self.pointer_width(at, 1)?;
        at.require(
            self.sort(at.children[position]) == Sort::BitVec(width),
            position,
        )
    }
}
