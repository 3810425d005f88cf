//! What a cell holds after a list of changes.

use super::{Contents, Node, Target};
use crate::clauses::Maker;
use crate::datum::{Datum, Pointer};
use crate::layout::{CellKind, Layout};
use crate::path::{State, Step};
use foghorn_encode::integers::Value;
use foghorn_ir::{BinaryOp, IntPredicate};
use foghorn_term::TermId;

/// How a range of changed bytes meets a cell.
enum Meeting {
    /// The range has the whole cell.
    Whole,
    /// The range has nothing of it.
    Apart,
    /// Perhaps some of it.
    Open,
}

impl Maker<'_> {
    /// What a cell holds.
    pub fn read(
        &mut self,
        state: &mut State,
        contents: &Contents,
        layout: &Layout,
        target: &Target,
    ) -> Step<Datum> {
        if !layout.tracked {
            return Ok(self.lost_cell(state, layout.cell));
        }
        match contents.node() {
            Node::Slot(slot) => self.read_slot(state, *slot, layout, target),
            Node::Arrays(arrays) => Ok(self.read_arrays(arrays, layout, target)),
            Node::Single(datum) => Ok(datum.clone()),
            Node::Initial(kept) => self.read_initial(state, *kept, layout, target),
            Node::Unwritten => Ok(self.unwritten(layout.cell)),
            Node::Anything => Ok(self.any_cell(layout.cell)),
            Node::Called { call, place } => {
                self.read_called(state, (*call, *place), layout, target)
            }
            Node::Ended { before, mark } => {
                let last = self.pool.int(crate::objects::FIRST_STACK);
                let on_stack = self.pool.int_le(target.object, last);
                let younger = self.pool.int_le(target.object, *mark);
                let ended = self.pool.and(&[on_stack, younger]);
                let no = self.pool.bool(false);
                let dead = Datum::number(self.integers.any(1, no));
                match self.decide(state, ended)? {
                    Some(true) => Ok(dead),
                    Some(false) => self.read(state, before, layout, target),
                    None => {
                        let otherwise = self.read(state, before, layout, target)?;
                        Ok(self.select(ended, &dead, &otherwise))
                    }
                }
            }
            Node::Write {
                before,
                at,
                bytes,
                value,
            } => self.read_written(state, before, (at, *bytes, value), layout, target),
            Node::Fill {
                before,
                at,
                byte,
                length,
            } => {
                let filled = self.filled(layout.cell, byte);
                self.read_changed(state, before, (at, length), filled, layout, target)
            }
            // What was any number before is any number afterwards.
            Node::Havoc { before, .. }
                if matches!(layout.cell, CellKind::Number { .. }) && before.is_indeterminate() =>
            {
                Ok(self.any_cell(layout.cell))
            }
            Node::Havoc { before, at, length } => {
                let anything = self.any_cell(layout.cell);
                self.read_changed(state, before, (at, length), anything, layout, target)
            }
            Node::Copy {
                before,
                at,
                source,
                from,
                length,
            } => {
                let meeting = self.meet(state, (at, length), layout, target)?;
                match meeting {
                    Meeting::Apart => self.read(state, before, layout, target),
                    Meeting::Whole => self.read_copied(state, (at, from), source, layout, target),
                    Meeting::Open => Ok(self.lost_cell(state, layout.cell)),
                }
            }
        }
    }

    /// A cell of which so many bytes were written somewhere.
    fn read_written(
        &mut self,
        state: &mut State,
        before: &Contents,
        (at, bytes, value): (&Pointer, u32, &Datum),
        layout: &Layout,
        target: &Target,
    ) -> Step<Datum> {
        let same_object = match layout.by_object {
            true => self.same_object(state, at.object, target.object),
            false => self.pool.bool(true),
        };
        let whole = bytes == layout.bytes;
        let hit = match (layout.by_offset, whole) {
            (false, true) => same_object,
            (false, false) => {
                return match self.decide(state, same_object)? {
                    Some(false) => self.read(state, before, layout, target),
                    _ => Ok(self.lost_cell(state, layout.cell)),
                };
            }
            (true, true) => {
                let same_offset = self.offsets_equal(state, &at.offset, &target.offset);
                self.pool.and(&[same_object, same_offset])
            }
            (true, false) => self.pool.bool(false),
        };
        let written = |maker: &mut Self| maker.as_cell(layout.cell, value);
        let decided = self.decide(state, hit)?;
        if decided == Some(true) {
            return Ok(written(self));
        }
        if layout.by_offset && !(layout.exact && whole) {
            // Bytes of the cell may have been written that are not all of it.
            let overlap = self.overlaps(state, (at, bytes), layout, target);
            let overlap = self.pool.and(&[same_object, overlap]);
            match self.decide(state, overlap)? {
                Some(false) => return self.read(state, before, layout, target),
                Some(true) => {
                    let anything = self.lost_cell(state, layout.cell);
                    return Ok(match decided {
                        Some(_) => anything,
                        None => {
                            let value = written(self);
                            self.select(hit, &value, &anything)
                        }
                    });
                }
                None => return Ok(self.lost_cell(state, layout.cell)),
            }
        }
        let otherwise = self.read(state, before, layout, target)?;
        if decided == Some(false) {
            return Ok(otherwise);
        }
        let value = written(self);
        Ok(self.select(hit, &value, &otherwise))
    }

    /// Whether bytes at a place and the cell have a byte in common, in one object.
    fn overlaps(
        &mut self,
        state: &State,
        (at, bytes): (&Pointer, u32),
        layout: &Layout,
        target: &Target,
    ) -> TermId {
        // Distances are small where accesses are valid, and nothing wraps around there.
        let gap = self.difference(state, &target.offset, &at.offset);
        let (low, high) = (
            self.distance(-i64::from(layout.bytes)),
            self.distance(i64::from(bytes)),
        );
        let above = self.compare(IntPredicate::Slt, &low, &gap);
        let below = self.compare(IntPredicate::Slt, &gap, &high);
        self.pool.and(&[above, below])
    }

    fn difference(&mut self, state: &State, left: &Value, right: &Value) -> Value {
        let (left, right) = (self.narrow(state, left), self.narrow(state, right));
        let width = self.pointer_bits;
        self.integers
            .binary(&mut self.pool, BinaryOp::Sub, width, &left, &right)
    }

    pub(crate) fn compare(
        &mut self,
        predicate: IntPredicate,
        left: &Value,
        right: &Value,
    ) -> TermId {
        let width = self.pointer_bits;
        self.integers
            .compare(&mut self.pool, predicate, width, left, right)
    }

    pub(crate) fn offsets_equal(&mut self, state: &State, left: &Value, right: &Value) -> TermId {
        let (left, right) = (self.narrow(state, left), self.narrow(state, right));
        self.compare(IntPredicate::Eq, &left, &right)
    }

    /// A cell after a range was given other contents.
    fn read_changed(
        &mut self,
        state: &mut State,
        before: &Contents,
        range: (&Pointer, &Value),
        changed: Datum,
        layout: &Layout,
        target: &Target,
    ) -> Step<Datum> {
        match self.meet(state, range, layout, target)? {
            Meeting::Apart => self.read(state, before, layout, target),
            Meeting::Whole => Ok(changed),
            Meeting::Open => Ok(self.lost_cell(state, layout.cell)),
        }
    }

    /// A cell of which it was not followed what it holds, so that a derivation in which it holds something else is none of
    /// the program's: the path has split too often to say where it was written, or only a part of it was.
    fn lost_cell(&mut self, state: &State, cell: CellKind) -> Datum {
        let span = self.span(state);
        self.note_imprecision("what a place in memory holds", span);
        self.any_cell(cell)
    }

    /// How a range meets a cell.
    fn meet(
        &mut self,
        state: &mut State,
        (at, length): (&Pointer, &Value),
        layout: &Layout,
        target: &Target,
    ) -> Step<Meeting> {
        let same_object = match layout.by_object {
            true => self.same_object(state, at.object, target.object),
            false => self.pool.bool(true),
        };
        match self.decide(state, same_object)? {
            Some(false) => return Ok(Meeting::Apart),
            Some(true) => {}
            None => return Ok(Meeting::Open),
        }
        let place = match (layout.by_offset, layout.start) {
            (true, _) => self.narrow(state, &target.offset),
            (false, Some(start)) => self.distance(start),
            (false, None) => return Ok(Meeting::Open),
        };
        let (start, length) = (self.narrow(state, &at.offset), self.narrow(state, length));
        let width = self.pointer_bits;
        let end = self
            .integers
            .binary(&mut self.pool, BinaryOp::Add, width, &start, &length);
        let bytes = self.distance(i64::from(layout.bytes));
        let after = self
            .integers
            .binary(&mut self.pool, BinaryOp::Add, width, &place, &bytes);
        // Valid ranges lie within objects, and those within half of the address space.
        let from = self.compare(IntPredicate::Sle, &start, &place);
        let until = self.compare(IntPredicate::Sle, &after, &end);
        let whole = self.pool.and(&[from, until]);
        match self.decide(state, whole)? {
            Some(true) => return Ok(Meeting::Whole),
            None => return Ok(Meeting::Open),
            Some(false) => {}
        }
        let before = self.compare(IntPredicate::Sle, &after, &start);
        let behind = self.compare(IntPredicate::Sle, &end, &place);
        let apart = self.pool.or(&[before, behind]);
        Ok(match self.decide(state, apart)? {
            Some(true) => Meeting::Apart,
            Some(false) | None => Meeting::Open,
        })
    }

    fn read_copied(
        &mut self,
        state: &mut State,
        (at, from): (&Pointer, &Pointer),
        source: &Contents,
        layout: &Layout,
        target: &Target,
    ) -> Step<Datum> {
        let place = match (layout.by_offset, layout.start) {
            (true, _) => target.offset.clone(),
            (false, Some(start)) => self.distance(start),
            (false, None) => return Ok(self.lost_cell(state, layout.cell)),
        };
        let into = self.difference(state, &place, &at.offset);
        let width = self.pointer_bits;
        let start = self.narrow(state, &from.offset);
        let offset = self
            .integers
            .binary(&mut self.pool, BinaryOp::Add, width, &start, &into);
        if !layout.by_offset {
            // The cell's own place in the source must be the one that is copied here.
            let same = self.offsets_equal(state, &offset, &place);
            if self.decide(state, same)? != Some(true) {
                return Ok(self.lost_cell(state, layout.cell));
            }
        }
        let target = Target {
            object: from.object,
            offset,
        };
        self.read(state, source, layout, &target)
    }

    /// A cell all of whose bytes are this one.
    fn filled(&mut self, cell: CellKind, byte: &Value) -> Datum {
        let known = byte
            .range
            .single()
            .and_then(|it| u8::try_from(it.clone() & num_bigint::BigInt::from(255)).ok());
        match (cell, known) {
            (CellKind::Number { width: 8 }, _) => Datum::number(byte.clone()),
            (CellKind::Number { width }, Some(byte)) if width <= 128 => {
                let bits = (0..width / 8).fold(0u128, |bits, _| (bits << 8) | u128::from(byte));
                Datum::number(self.literal(width, bits))
            }
            (CellKind::Pointer, Some(0)) => Datum::Pointer(self.null_pointer()),
            (cell, _) => self.any_cell(cell),
        }
    }

    /// A value as it lies in a cell.
    pub(crate) fn as_cell(&mut self, cell: CellKind, value: &Datum) -> Datum {
        match (cell, value) {
            (CellKind::Pointer, Datum::Number { value, address }) => {
                Datum::Pointer(self.pointer_of_number(value, address.as_deref(), None))
            }
            (CellKind::Number { .. }, Datum::Pointer(pointer)) => self.address_of(pointer),
            (CellKind::Pointer | CellKind::Number { .. }, other) => other.clone(),
        }
    }
}
