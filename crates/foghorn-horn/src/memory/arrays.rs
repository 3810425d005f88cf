//! An array for each region, as SeaHorn has it (§3.2 of its paper).
//!
//! The index is the object, the offset, or the object and then the offset. Changes of ranges are not
//! expressed: what they touch may hold anything afterwards.

use super::{Contents, Node, Target};
use crate::clauses::Maker;
use crate::datum::{Datum, Pointer};
use crate::layout::{CellKind, Layout};
use foghorn_core::SpanId;
use foghorn_term::{Sort, TermId};

impl Maker<'_> {
    /// The sorts of the parts of a cell.
    pub(crate) fn cell_sorts(&mut self, cell: CellKind) -> Vec<Sort> {
        match cell {
            CellKind::Number { width } => vec![self.integers.sort(width)],
            CellKind::Pointer => vec![Sort::Int, self.integers.sort(self.pointer_bits)],
        }
    }

    /// The sorts of the arrays of a region.
    pub(crate) fn array_sorts(&mut self, layout: &Layout) -> Vec<Sort> {
        let offset = self.integers.sort(self.pointer_bits);
        let mut sorts = vec![];
        for cell in self.cell_sorts(layout.cell) {
            let inner = match layout.by_offset {
                true => self.pool.array_sort(offset, cell),
                false => cell,
            };
            sorts.push(match layout.by_object {
                true => self.pool.array_sort(Sort::Int, inner),
                false => inner,
            });
        }
        sorts
    }

    pub(super) fn read_arrays(
        &mut self,
        arrays: &[TermId],
        layout: &Layout,
        target: &Target,
    ) -> Datum {
        let mut terms = vec![];
        for &array in arrays {
            let mut term = array;
            if layout.by_object {
                term = self.pool.select(term, target.object);
            }
            if layout.by_offset {
                term = self.pool.select(term, target.offset.term);
            }
            terms.push(term);
        }
        self.cell_of_terms(layout.cell, &terms)
    }

    /// The arrays after all changes.
    pub(crate) fn arrays_of(&mut self, contents: &Contents, layout: &Layout) -> Vec<TermId> {
        match contents.node() {
            Node::Arrays(arrays) => arrays.clone(),
            Node::Write {
                before,
                at,
                bytes,
                value,
            } if *bytes == layout.bytes && (layout.exact || !layout.by_offset) => {
                let arrays = self.arrays_of(before, layout);
                let value = self.as_cell(layout.cell, value).terms();
                let stored = arrays.into_iter().zip(value);
                let stored: Vec<(TermId, TermId)> = stored.collect();
                stored
                    .into_iter()
                    .map(|(array, value)| self.store_at(array, layout, at, value))
                    .collect()
            }
            _ => {
                let what = "a change of memory that is no store of a whole cell";
                self.note_imprecision(what, SpanId::UNKNOWN);
                let sorts = self.array_sorts(layout);
                let fresh = |sort: &Sort| self.pool.fresh_symbol("memory", *sort);
                sorts.iter().map(fresh).collect()
            }
        }
    }

    fn store_at(&mut self, array: TermId, layout: &Layout, at: &Pointer, value: TermId) -> TermId {
        match (layout.by_object, layout.by_offset) {
            (false, false) => value,
            (true, false) => self.pool.store(array, at.object, value),
            (false, true) => self.pool.store(array, at.offset.term, value),
            (true, true) => {
                let inner = self.pool.select(array, at.object);
                let inner = self.pool.store(inner, at.offset.term, value);
                self.pool.store(array, at.object, inner)
            }
        }
    }
}
