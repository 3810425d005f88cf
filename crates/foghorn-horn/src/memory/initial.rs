//! What is there when the program starts: globals with their initial bytes, and nothing else.

use super::{Kept, Target};
use crate::clauses::Maker;
use crate::datum::Datum;
use crate::layout::{CellKind, Layout};
use crate::path::numbers::all;
use crate::path::{State, Step};
use crate::sabotage::Sabotage;
use cranelift_entity::EntityRef;
use foghorn_core::SpanId;
use foghorn_dsa::Site;
use foghorn_ir::{FunctionId, Global, GlobalContents, GlobalId, Initializer, RegionId, Symbol};
use foghorn_term::TermId;

/// A global with more cells than this that are not zero holds anything there.
const MOST_CELLS: usize = 256;

impl Maker<'_> {
    pub(super) fn read_initial(
        &mut self,
        state: &mut State,
        kept: Kept,
        layout: &Layout,
        target: &Target,
    ) -> Step<Datum> {
        match kept {
            Kept::Life => {
                let (first, end) = (
                    self.pool.int(1),
                    self.pool.int(self.numbering.first_once_on_stack()),
                );
                let above = self.pool.int_le(first, target.object);
                let below = self.pool.int_lt(target.object, end);
                let alive = self.pool.and(&[above, below]);
                Ok(Datum::number(self.integers.any(1, alive)))
            }
            Kept::Size => self.initial_size(state, target),
            Kept::Origin => Ok(Datum::number(self.literal(32, 0))),
            Kept::Region(function, region) => {
                self.initial_cell(state, (function, region), layout, target)
            }
        }
    }

    fn initial_size(&mut self, state: &mut State, target: &Target) -> Step<Datum> {
        let size = self.any_number("size", self.pointer_bits);
        let mut known = vec![];
        for (id, global) in self.module.globals.iter() {
            known.push((self.numbering.global(id), global.size));
        }
        for id in 0..self.module.functions.len() {
            known.push((self.numbering.function(FunctionId::new(id)), 0));
        }
        for (number, bytes) in known {
            let number = self.pool.int(number);
            let here = self.same_object(state, number, target.object);
            let bytes = self.distance(bytes.cast_signed());
            let equal = self.pool.equal(size.term, bytes.term);
            let condition = self.pool.implies(here, equal);
            self.assume(state, condition)?;
        }
        Ok(Datum::number(size))
    }

    /// A cell of a region: what an initialiser says of it.
    fn initial_cell(
        &mut self,
        state: &mut State,
        (function, region): (FunctionId, RegionId),
        layout: &Layout,
        target: &Target,
    ) -> Step<Datum> {
        // Regions with one layout need not have the same objects.
        let Some(facts) = self.task.regions().of(function, region) else {
            return Ok(self.any_cell(layout.cell));
        };
        let globals: Vec<GlobalId> = facts.sites.iter().filter_map(global_of).collect();
        // Callees that are handed the middle of an object do not know where it begins. The entry does, and what is there at
        // the start is its own.
        let start = layout.start.or(facts.start.known());
        if !layout.by_object && globals.len() > 1 {
            return Ok(self.any_cell(layout.cell));
        }
        if let [global] = globals[..]
            && layout.is_single()
        {
            return Ok(match start {
                Some(start) => self.cell_at(layout, global, start),
                None => self.any_cell(layout.cell),
            });
        }
        let unwritten = self.unwritten(layout.cell);
        let cell = self.any_cell(layout.cell);
        let mut nowhere = vec![];
        for global in globals {
            let number = self.pool.int(self.numbering.global(global));
            let here = match layout.by_object {
                true => self.same_object(state, number, target.object),
                false => self.pool.bool(true),
            };
            let elsewhere = self.pool.not(here);
            nowhere.push(elsewhere);
            if self.known(state, here) == Some(false) {
                continue;
            }
            for (condition, value) in self.cells_of(state, (layout, start), global, target) {
                let equal = self.same_terms(&cell, &value);
                let condition = self.pool.and(&[here, condition]);
                let holds = self.pool.implies(condition, equal);
                self.assume(state, holds)?;
            }
        }
        if layout.environment {
            return Ok(cell);
        }
        let nowhere = all(&mut self.pool, &nowhere);
        let equal = self.same_terms(&cell, &unwritten);
        let holds = self.pool.implies(nowhere, equal);
        self.assume(state, holds)?;
        Ok(cell)
    }

    fn same_terms(&mut self, left: &Datum, right: &Datum) -> TermId {
        let pairs: Vec<_> = left.terms().into_iter().zip(right.terms()).collect();
        let equal: Vec<TermId> = pairs
            .into_iter()
            .map(|(a, b)| self.pool.equal(a, b))
            .collect();
        all(&mut self.pool, &equal)
    }

    /// The cells of a global, each with the condition that the place is it. Nothing is said of cells
    /// that are no part of it, or that are too many.
    fn cells_of(
        &mut self,
        state: &State,
        (layout, start): (&Layout, Option<i64>),
        id: GlobalId,
        target: &Target,
    ) -> Vec<(TermId, Datum)> {
        let module = self.module;
        let global = &module.globals[id];
        let GlobalContents::Initialised(initializer) = &global.contents else {
            return vec![];
        };
        let yes = self.pool.bool(true);
        if !layout.by_offset {
            return match start {
                Some(start) => vec![(yes, self.cell_at(layout, id, start))],
                None => vec![],
            };
        }
        if !layout.exact && layout.bytes > 1 {
            // Cells may begin anywhere; only all zeros are the same everywhere.
            return match initializer
                .chunks
                .iter()
                .all(|(_, bytes)| bytes.iter().all(|it| *it == 0))
                && initializer.relocations.is_empty()
            {
                true => {
                    let inside = self.is_inside(global, layout, target);
                    vec![(inside, self.zero(layout.cell))]
                }
                false => {
                    let what = "an initialised array that is read in other pieces";
                    self.note_imprecision(what, SpanId::UNKNOWN);
                    vec![]
                }
            };
        }
        let offsets = nonzero(initializer, u64::from(layout.bytes), self.pointer_bits);
        if offsets.len() > MOST_CELLS {
            self.note_imprecision("a large initialised array", SpanId::UNKNOWN);
            return vec![];
        }
        let (mut cells, mut others) = (vec![], vec![self.is_inside(global, layout, target)]);
        for offset in offsets {
            let place = self.distance(offset.cast_signed());
            let here = self.offsets_equal(state, &place, &target.offset);
            cells.push((here, self.cell_at(layout, id, offset.cast_signed())));
            others.push(self.pool.not(here));
        }
        let others = self.pool.and(&others);
        let zero = self.zero(layout.cell);
        cells.push((others, zero));
        cells
    }

    /// Whether a place is one of a global's bytes from which a whole cell fits.
    fn is_inside(&mut self, global: &Global, layout: &Layout, target: &Target) -> TermId {
        let last = global.size.cast_signed() - i64::from(layout.bytes);
        let (zero, last) = (self.distance(0), self.distance(last));
        let from = self.compare(foghorn_ir::IntPredicate::Sle, &zero, &target.offset);
        let until = self.compare(foghorn_ir::IntPredicate::Sle, &target.offset, &last);
        self.pool.and(&[from, until])
    }

    fn zero(&mut self, cell: CellKind) -> Datum {
        match cell {
            CellKind::Number { width } => Datum::number(self.literal(width, 0)),
            CellKind::Pointer => Datum::Pointer(self.null_pointer()),
        }
    }

    /// The cell at an offset of a global.
    fn cell_at(&mut self, layout: &Layout, id: GlobalId, offset: i64) -> Datum {
        let module = self.module;
        let GlobalContents::Initialised(initializer) = &module.globals[id].contents else {
            return self.any_cell(layout.cell);
        };
        if self.sabotage == Sabotage::LostInitial {
            return self.zero(layout.cell);
        }
        let Ok(offset) = u64::try_from(offset) else {
            return self.any_cell(layout.cell);
        };
        let (first, end) = (offset, offset + u64::from(layout.bytes));
        let pointer_bytes = u64::from(self.pointer_bits / 8);
        let touches = |at: u64| at < end && at + pointer_bytes > first;
        let relocation = initializer.relocations.iter().find(|it| touches(it.offset));
        if let Some(relocation) = relocation {
            if relocation.offset != offset || layout.cell != CellKind::Pointer {
                return self.any_cell(layout.cell);
            }
            let number = match relocation.target {
                Symbol::Global(global) => self.numbering.global(global),
                Symbol::Function(function) => self.numbering.function(function),
            };
            return Datum::Pointer(self.pointer_to(number, relocation.addend));
        }
        let mut bits = 0u128;
        for (start, bytes) in &initializer.chunks {
            for (place, &byte) in (*start..).zip(bytes) {
                if (first..end).contains(&place) {
                    bits |= u128::from(byte) << (8 * (place - first)).min(127);
                }
            }
        }
        match layout.cell {
            CellKind::Number { width } => Datum::number(self.literal(width, bits)),
            CellKind::Pointer if bits == 0 => Datum::Pointer(self.null_pointer()),
            CellKind::Pointer => Datum::Pointer(self.any_pointer("number")),
        }
    }
}

fn global_of(site: &Site) -> Option<GlobalId> {
    match site {
        Site::Global(global) => Some(*global),
        Site::Instruction(..) | Site::Environment => None,
    }
}

/// The offsets of whole cells that are not zero.
fn nonzero(initializer: &Initializer, bytes: u64, pointer_bits: u32) -> Vec<u64> {
    let mut found = std::collections::BTreeSet::new();
    for (start, chunk) in &initializer.chunks {
        for (place, &byte) in (*start..).zip(chunk) {
            if byte != 0 {
                found.insert(place - place % bytes);
            }
        }
    }
    for relocation in &initializer.relocations {
        let end = relocation.offset + u64::from(pointer_bits / 8);
        let mut place = relocation.offset - relocation.offset % bytes;
        while place < end {
            found.insert(place);
            place += bytes;
        }
    }
    found.into_iter().collect()
}
