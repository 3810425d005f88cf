//! Copies between objects, with initialisation and provenance.
//!
//! Bytes without a value get a name when they are copied ([`super::indeterminate`]), by which the
//! copies will have the same value. Only pages of large objects that nobody ever touched do not:
//! a copy of such a page would have to make it.

use super::indeterminate::Origin;
use super::memory::Memory;
use super::segment::{Cell, Fragment};
use super::value::{ObjectId, Pointer};

/// Bytes that a copy takes at once.
const PART: u64 = 1 << 15;

/// What a copy takes from the source before it writes, as the ranges may overlap.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    Word([u8; 8]),
    /// A word of a page that nobody touched.
    Open,
    Pointer(Pointer),
    Cell(Cell),
}

impl Memory {
    /// Copies bytes with their marks; the ranges may overlap. Stops early if memory is exhausted.
    pub fn copy(&mut self, to: (ObjectId, u64), from: (ObjectId, u64), length: u64) {
        if self.copy_plain(to, from, length as usize) {
            return;
        }
        // In the direction in which no part destroys what another still needs.
        let backwards = to.0 == from.0 && to.1 > from.1;
        let mut left = length;
        while left > 0 && !self.is_exhausted() {
            let part = left.min(PART);
            let start = if backwards {
                left - part
            } else {
                length - left
            };
            self.copy_part((to.0, to.1 + start), (from.0, from.1 + start), part);
            left -= part;
        }
    }

    fn copy_part(&mut self, to: (ObjectId, u64), from: (ObjectId, u64), length: u64) {
        let word = u64::from(self.pointer_bytes);
        let aligned = to.1 % word == from.1 % word;
        let mut items = std::mem::take(&mut self.copying);
        items.clear();
        let mut done = 0;
        while done < length {
            let at = from.1 + done;
            let whole_word = aligned && at.is_multiple_of(word) && length - done >= word;
            let item = self.item(from.0, at, whole_word);
            done += match item {
                Item::Word(_) | Item::Open | Item::Pointer(_) => word,
                Item::Cell(_) => 1,
            };
            items.push(item);
        }
        let mut at = to.1;
        for item in &items {
            match *item {
                Item::Word(bytes) => self.write(to.0, at, &bytes[..word as usize]),
                Item::Open => self.forget(to.0, at, word),
                Item::Pointer(pointer) => self.write_pointer(to.0, at, pointer),
                Item::Cell(cell) => self.set_cell(to.0, at, cell),
            }
            at += match item {
                Item::Word(_) | Item::Open | Item::Pointer(_) => word,
                Item::Cell(_) => 1,
            };
        }
        self.copying = items;
    }

    fn item(&mut self, id: ObjectId, at: u64, whole_word: bool) -> Item {
        if !whole_word {
            return Item::Cell(self.named_cell(id, at));
        }
        if let Some(pointer) = self.whole_word(id, at) {
            return Item::Pointer(pointer);
        }
        match self.plain_bytes(id, at, self.pointer_bytes as usize) {
            Some(bytes) => {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                Item::Word(word)
            }
            None => self.open_item(id, at),
        }
    }

    /// A word of which some byte is not plain.
    fn open_item(&mut self, id: ObjectId, at: u64) -> Item {
        let object = &self.objects[id.slot()];
        let piece = object.piece(at, self.pointer_bytes.into());
        match object.segment(piece) {
            Some(segment) if segment.range_open(piece.at, piece.length) => {
                let name = self.indeterminate.name(Origin::of(object));
                self.write_pointer(id, at, name);
                Item::Pointer(name)
            }
            None if !object.cell(at).initialised => Item::Open,
            Some(_) | None => Item::Cell(self.named_cell(id, at)),
        }
    }

    /// A byte, which gets a name if it has neither a value nor a name.
    fn named_cell(&mut self, id: ObjectId, at: u64) -> Cell {
        let object = &self.objects[id.slot()];
        let cell = object.cell(at);
        if cell.initialised || object.segment(object.piece(at, 1)).is_none() {
            return cell;
        }
        let pointer = self.indeterminate.name(Origin::of(object));
        let index = (at % u64::from(self.pointer_bytes)) as u8;
        let named = Cell {
            byte: 0,
            initialised: true,
            fragment: Some(Fragment { pointer, index }),
        };
        self.set_cell(id, at, named);
        named
    }

    /// Copies where both objects are plain, by far the most frequent case.
    fn copy_plain(&mut self, to: (ObjectId, u64), from: (ObjectId, u64), length: usize) -> bool {
        let (source, target) = (from.0.slot(), to.0.slot());
        if !self.objects[source].plain_load || !self.objects[target].is_flat() || self.strict {
            return false;
        }
        let (read, write) = (from.1 as usize, to.1 as usize);
        if source == target {
            let bytes = &mut self.objects[source].segment.bytes;
            bytes.copy_within(read..read + length, write);
            return true;
        }
        let Ok([source, object]) = self.objects.get_disjoint_mut([source, target]) else {
            return false;
        };
        let bytes = &source.segment.bytes[read..read + length];
        object.segment.write(write, bytes);
        object.refresh(self.strict);
        true
    }
}
