//! STORE-MAP: chapter 6 of the SEAM thesis, for all objects of a memory at once.
//!
//! Beside each memory stands what its writes come to. For each object (a literal base) there is a store-map: the cells of
//! that object with literal offsets that were written, over the memory below them, which is the last one whose outermost
//! operation may have changed other cells of the object. A read at a literal pointer looks the cell up and, where it is
//! not there (R-MISS), goes on at that memory; writes to other objects are passed over without being looked at (R-SKIP).
//!
//! A write at a literal pointer goes into the store-map of its object, wherever in the chain of writes that stands: this is
//! SMAP-NEW and SMAP-HIT after all the commuting that WOW-COMMUTE and WOSMAP-COMMUTE allow, in one step. The thesis sorts
//! writes by the age of their objects to the same end. An operation at other pointers (and a merge) becomes the memory
//! below for the objects that its address range map names; cells that it cannot touch stay in the maps above it.
//!
//! The maps are persistent, so all versions of a memory keep theirs: where the thesis' cache moves with the newest version
//! and a second write to an older one misses it (§7.2), here it does not.

use super::Seam;
use super::cells::{Cells, Piece, Run};
use super::interval::{Interval, mask};
use super::overlay::{Overlay, slice};
use super::read::{Step, Task};
use super::relate::{Access, Relation};
use crate::memory::cell::CellKind;
use crate::memory::pointer::children;
use foghorn_term::{BitVecValue, Op, TermId, TermPool};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use smallvec::SmallVec;

/// Objects for which an operation is noted one by one; one that may touch more is noted for all.
const MOST_LANES: usize = 64;

/// The store-map of one object.
#[derive(Clone, Debug)]
struct StoreMap {
    cells: Cells,
    /// Where a read goes on that finds nothing in the cells.
    below: TermId,
}

impl PartialEq for StoreMap {
    fn eq(&self, other: &Self) -> bool {
        self.below == other.below && self.cells.is_same(&other.cells)
    }
}

/// What the writes of a memory come to.
#[derive(Clone, Debug)]
pub(super) struct StoreMaps {
    objects: OrdMap<u64, StoreMap>,
    /// Where a read of an object that has no store-map goes on.
    rest: TermId,
}

/// The cells that an operation may change: by object, or any.
enum Reach {
    Objects(SmallVec<[(u64, Interval); 2]>),
    Anything,
}

impl StoreMaps {
    fn new(rest: TermId) -> Self {
        StoreMaps {
            objects: OrdMap::new(),
            rest,
        }
    }

    /// Where a read within these offsets of an object goes on; `None` when there may be a cell for it.
    pub fn target(&self, base: u64, at: Interval) -> Option<TermId> {
        match self.objects.get(&base) {
            None => Some(self.rest),
            Some(object) if object.cells.has_between(at.low, at.high) => None,
            Some(object) => Some(object.below),
        }
    }

    fn object(&self, base: u64) -> StoreMap {
        self.objects.get(&base).cloned().unwrap_or(StoreMap {
            cells: Cells::default(),
            below: self.rest,
        })
    }
}

/// The literal halves of a pointer.
fn literals(pool: &TermPool, pointer: TermId) -> (Option<u64>, Option<u64>) {
    if pool.op(pointer) != Op::Pointer {
        return (None, None);
    }
    let [base, offset] = children(pool, pointer);
    let literal = |term| pool.as_bitvec(term).and_then(BitVecValue::to_u64);
    (literal(base), literal(offset))
}

impl Seam {
    fn store_maps_of(&self, memory: TermId) -> StoreMaps {
        let known = self.store_maps.get(&memory).cloned();
        known.unwrap_or_else(|| StoreMaps::new(memory))
    }

    /// Notes a write that made `written` of `memory`.
    pub(super) fn note_write(
        &mut self,
        pool: &TermPool,
        memory: TermId,
        written: TermId,
        access: Access,
        value: TermId,
    ) {
        let mut maps = self.store_maps_of(memory);
        let (base, offset) = literals(pool, access.pointer);
        if let (Some(base), Some(offset)) = (base, offset) {
            let mut object = maps.object(base);
            let length = access.size;
            let room = (mask(self.width) - offset).saturating_add(1).max(1);
            let fitting = u32::try_from(room).map_or(length, |room| room.min(length));
            let run = |first, length| Run {
                value,
                first,
                length,
            };
            object.cells.put(offset, run(0, fitting));
            if fitting < length {
                object.cells.put(0, run(fitting, length - fitting));
            }
            maps.objects.insert(base, object);
            self.statistics.store_map_writes += 1;
        } else {
            let reach = self.reach(pool, access.pointer, u64::from(access.size));
            note_operation(&mut maps, written, &reach, self.width);
        }
        self.store_maps.insert(written, maps);
    }

    /// Notes a set or copy of at most `length` cells that made `changed` of `memory`.
    pub(super) fn note_range(
        &mut self,
        pool: &TermPool,
        memory: TermId,
        changed: TermId,
        pointer: TermId,
        length: TermId,
    ) {
        let mut maps = self.store_maps_of(memory);
        let longest = match pool.as_bitvec(length).and_then(BitVecValue::to_u64) {
            Some(length) => length,
            None if self.options.arm => {
                let known = self.intervals.get(pool, length);
                known.map_or(u64::MAX, |known| known.high)
            }
            None => u64::MAX,
        };
        let reach = self.reach(pool, pointer, longest);
        note_operation(&mut maps, changed, &reach, self.width);
        self.store_maps.insert(changed, maps);
    }

    /// Notes a merge: the cells that both sides agree on stay, for the others the merge is what is below.
    pub(super) fn note_merge(&mut self, merged: TermId, a: TermId, b: TermId) {
        let (a, b) = (self.store_maps_of(a), self.store_maps_of(b));
        let rest = if a.rest == b.rest { a.rest } else { merged };
        let mut objects = a.objects.clone();
        for difference in a.objects.diff(&b.objects) {
            match difference {
                DiffItem::Update {
                    old: (&base, mine),
                    new: (_, theirs),
                } => {
                    let cells = mine.cells.common(&theirs.cells);
                    let below = merged;
                    objects.insert(base, StoreMap { cells, below });
                }
                DiffItem::Add(&base, _) | DiffItem::Remove(&base, _) => {
                    let cells = Cells::default();
                    let below = merged;
                    objects.insert(base, StoreMap { cells, below });
                }
            }
        }
        self.store_maps.insert(merged, StoreMaps { objects, rest });
    }

    /// The cells that an operation on `length` cells from a pointer on may change.
    fn reach(&mut self, pool: &TermPool, pointer: TermId, length: u64) -> Reach {
        let widened = |interval: Interval, width: u32| {
            let last = length
                .checked_sub(1)
                .and_then(|more| interval.high.checked_add(more));
            match last.filter(|&last| last <= mask(width)) {
                Some(high) => Interval { high, ..interval },
                None => Interval::full(width),
            }
        };
        if self.options.arm {
            let map = self.address_range_map(pool, pointer);
            return match &map.ranges {
                Some(ranges) if ranges.len() <= MOST_LANES => {
                    let width = self.width;
                    let ranges = ranges.iter();
                    Reach::Objects(
                        ranges
                            .map(|&(base, at)| (base, widened(at, width)))
                            .collect(),
                    )
                }
                Some(_) | None => Reach::Anything,
            };
        }
        match literals(pool, pointer) {
            (Some(base), offset) => {
                let at = offset.map_or(Interval::full(self.width), Interval::exactly);
                Reach::Objects(SmallVec::from_elem((base, widened(at, self.width)), 1))
            }
            (None, _) => Reach::Anything,
        }
    }

    /// The value of a read that one run of a store-map answers (R-HIT): the common case, for which no stack is needed and
    /// nothing has to be remembered.
    pub(super) fn hit(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        read: Access,
    ) -> Option<TermId> {
        let (Some(base), Some(offset)) = literals(pool, read.pointer) else {
            return None;
        };
        let object = self.store_maps.get(&memory)?.objects.get(&base)?;
        let run = object.cells.run_at(offset)?;
        if run.length != read.size {
            return None;
        }
        self.statistics.store_map_hits += 1;
        let bytes = Self::cell(pool, memory) == CellKind::Bytes;
        Some(run_value(pool, run, bytes))
    }

    /// Where a read goes by the store-maps: to a value, or to the memory whose operation it has to look at.
    pub(super) fn look_up(&mut self, pool: &mut TermPool, memory: TermId, read: Access) -> Step {
        let (Some(base), offset) = literals(pool, read.pointer) else {
            return Step::On(memory, read);
        };
        let Some(maps) = self.store_maps.get(&memory) else {
            return Step::On(memory, read);
        };
        let bytes = Self::cell(pool, memory) == CellKind::Bytes;
        let Some(object) = maps.objects.get(&base) else {
            self.statistics.store_map_misses += 1;
            return Step::On(maps.rest, read);
        };
        let below = object.below;
        let Some(offset) = offset else {
            let cells = object.cells.clone();
            self.take_apart(pool, &cells, base, read, bytes);
            return Step::On(below, read);
        };
        let pieces = pieces(&object.cells, offset, read.size, self.width);
        if let [Piece { position: 0, run }] = pieces[..]
            && run.length == read.size
        {
            self.statistics.store_map_hits += 1;
            return Step::Value(run_value(pool, run, bytes));
        }
        if pieces.is_empty() {
            self.statistics.store_map_misses += 1;
        } else {
            self.put_together(pool, read, &pieces, bytes);
        }
        let answered: u32 = pieces.iter().map(|piece| piece.run.length).sum();
        if answered == read.size {
            // Every byte is overlaid, so that what is below does not matter.
            return Step::Value(pool.bv_zero(8 * read.size));
        }
        Step::On(below, read)
    }

    /// Lets pieces of a read be overlaid on what is found below.
    fn put_together(&mut self, pool: &mut TermPool, read: Access, pieces: &[Piece], bytes: bool) {
        self.statistics.store_map_hits += 1;
        for piece in pieces {
            let overlay = Overlay {
                size: read.size,
                value: run_value(pool, piece.run, bytes),
                written: piece.run.length,
                cases: vec![(pool.bool(true), -i64::from(piece.position))],
            };
            self.wait(Task::Overlay(Box::new(overlay)));
        }
    }

    /// R-ABORT: the read is compared with every cell of the object that it may meet.
    fn take_apart(
        &mut self,
        pool: &mut TermPool,
        cells: &Cells,
        base: u64,
        read: Access,
        bytes: bool,
    ) {
        if cells.is_empty() {
            return;
        }
        self.statistics.store_map_aborts += 1;
        let offset = pool.child(read.pointer, 1);
        let known = self.options.arm.then(|| self.intervals.get(pool, offset));
        let range = known.flatten().unwrap_or(Interval::full(self.width));
        let last = range.high.checked_add(u64::from(read.size - 1));
        let (from, to) = match last.filter(|&last| last <= mask(self.width)) {
            Some(last) => (range.low, last),
            None => (0, mask(self.width)),
        };
        for (start, run) in cells.between(from, to) {
            let base = pool.bv(self.width, base);
            let start = pool.bv(self.width, start);
            let pointer = pool.pointer(base, start);
            let written = Access {
                pointer,
                size: run.length,
            };
            let cases = match self.relate(pool, read, written) {
                Relation::Apart => Vec::new(),
                Relation::At(distance) => vec![(pool.bool(true), distance)],
                Relation::Unknown => self.overlaps(pool, read, written),
            };
            if cases.is_empty() {
                self.statistics.skips += 1;
                continue;
            }
            self.statistics.splits += 1;
            let overlay = Overlay {
                size: read.size,
                value: run_value(pool, run, bytes),
                written: run.length,
                cases,
            };
            self.wait(Task::Overlay(Box::new(overlay)));
        }
    }
}

/// Notes an operation that may change these cells: reads of them have to look at it.
fn note_operation(maps: &mut StoreMaps, changed: TermId, reach: &Reach, width: u32) {
    let Reach::Objects(objects) = reach else {
        *maps = StoreMaps::new(changed);
        return;
    };
    for &(base, at) in objects {
        let mut object = maps.object(base);
        if at == Interval::full(width) {
            object.cells = Cells::default();
        } else {
            object.cells.cut(at.low, at.high);
        }
        object.below = changed;
        maps.objects.insert(base, object);
    }
}

/// What answers a read at a literal offset, which may wrap around.
fn pieces(cells: &Cells, offset: u64, size: u32, width: u32) -> SmallVec<[Piece; 2]> {
    let room = mask(width) - offset;
    if u64::from(size - 1) <= room {
        return cells.pieces(offset, size);
    }
    let fitting = u32::try_from(room + 1).expect("invariant: less room than the size");
    let mut pieces = cells.pieces(offset, fitting);
    for piece in cells.pieces(0, size - fitting) {
        let position = piece.position + fitting;
        pieces.push(Piece { position, ..piece });
    }
    pieces
}

/// The value of a run by itself: in a memory of bytes it may be a part of the value that was written.
fn run_value(pool: &mut TermPool, run: Run, bytes: bool) -> TermId {
    if !bytes || pool.width(run.value) == 8 * run.length {
        return run.value;
    }
    slice(pool, run.value, run.first, run.first + run.length)
}
