//! Copies between objects, with initialisation and provenance.

use super::memory::Memory;
use super::segment::Cell;
use super::value::{ObjectId, Pointer};

/// Bytes that a copy takes at once.
const PART: u64 = 1 << 15;

/// What a copy takes from the source before it writes, as the ranges may overlap.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    Word([u8; 8]),
    /// A word of which no byte is initialised.
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

    fn item(&self, id: ObjectId, at: u64, whole_word: bool) -> Item {
        if !whole_word {
            return Item::Cell(self.cell(id, at));
        }
        if let Some(pointer) = self.whole_pointer(id, at) {
            return Item::Pointer(pointer);
        }
        match self.plain_bytes(id, at, self.pointer_bytes as usize) {
            Some(bytes) => {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                Item::Word(word)
            }
            None if self.is_open(id, at) => Item::Open,
            None => Item::Cell(self.cell(id, at)),
        }
    }

    /// Whether no byte of an aligned word is initialised.
    fn is_open(&self, id: ObjectId, at: u64) -> bool {
        let object = &self.objects[id.slot()];
        let piece = object.piece(at, self.pointer_bytes.into());
        match object.segment(piece) {
            Some(segment) => segment.range_open(piece.at, piece.length),
            None => !object.cell(at).initialised,
        }
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
