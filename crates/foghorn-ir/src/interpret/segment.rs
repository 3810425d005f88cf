//! A run of bytes with what C knows about each: whether it is initialised and whether it is a
//! piece of a pointer.
//!
//! Most memory is fully initialised and free of pointers, and pays for nothing but its bytes. A
//! bit per byte exists only while some byte is uninitialised, and a word per pointer-sized,
//! aligned word only while some pointer lies in the segment. A whole pointer at an aligned place
//! keeps its offset in the bytes and its object in the word; so storing it needs no address.
//! Pieces elsewhere (a pointer copied bytewise, or at an odd place) are [`Fragment`]s per byte.

use super::value::{ObjectId, Pointer};
use rustc_hash::FxHashMap;

/// One byte of a pointer: the byte number `index` of the pointer's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fragment {
    pub pointer: Pointer,
    pub index: u8,
}

/// Everything about one byte. Where it is a fragment, `byte` has no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub byte: u8,
    pub initialised: bool,
    pub fragment: Option<Fragment>,
}

/// Marks a word of which some bytes are fragments that do not form one pointer.
const MIXED: u64 = u64::MAX;

type Fragments = [Option<Fragment>; 8];

/// The pointers in a segment, by aligned word.
#[derive(Debug, Default)]
struct Pointers {
    /// 0, or the object of the pointer that fills the word, or [`MIXED`].
    words: Vec<u64>,
    mixed: FxHashMap<usize, Box<Fragments>>,
    /// Words that are not 0.
    occupied: usize,
}

/// Bytes with their marks.
#[derive(Debug, Default)]
pub(crate) struct Segment {
    pub bytes: Vec<u8>,
    /// A bit per byte, set if the byte is initialised; meaningless while `uninitialised` is 0.
    initialised: Vec<u64>,
    uninitialised: usize,
    pointers: Option<Box<Pointers>>,
    /// log2 of the size of a pointer.
    word_shift: u8,
}

impl Segment {
    pub fn new(pointer_bytes: u32) -> Self {
        Segment {
            word_shift: pointer_bytes.trailing_zeros() as u8,
            ..Self::default()
        }
    }

    /// Makes this a segment of `size` bytes: zeros, or all uninitialised. Keeps small buffers.
    pub fn reset(&mut self, size: usize, initialised: bool) {
        self.pointers = None;
        if size <= self.bytes.capacity() && size <= 4096 {
            self.bytes.clear();
            self.bytes.resize(size, 0);
        } else {
            // A fresh zeroed buffer costs nothing until it is touched.
            self.bytes = vec![0; size];
        }
        self.set_all_initialised(initialised);
    }

    fn set_all_initialised(&mut self, initialised: bool) {
        let size = self.bytes.len();
        self.uninitialised = if initialised { 0 } else { size };
        if !initialised {
            let words = size.div_ceil(64);
            if words <= self.initialised.capacity() && words <= 64 {
                self.initialised.clear();
                self.initialised.resize(words, 0);
            } else {
                self.initialised = vec![0; words];
            }
        }
    }

    /// Gives back what a dead object does not need.
    pub fn release(&mut self) {
        self.pointers = None;
        self.uninitialised = 0;
        if self.bytes.capacity() > 4096 {
            self.bytes = Vec::new();
            self.initialised = Vec::new();
        }
        self.bytes.clear();
    }

    /// No byte is uninitialised or part of a pointer.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.uninitialised == 0 && self.pointers.is_none()
    }

    #[inline]
    fn is_initialised(&self, at: usize) -> bool {
        self.uninitialised == 0 || self.initialised[at / 64] >> (at % 64) & 1 == 1
    }

    pub fn pointer_bytes(&self) -> u32 {
        1 << self.word_shift
    }

    fn word_bytes(&self) -> usize {
        1 << self.word_shift
    }

    /// Whether all bytes of a range (of at most 64 bytes) are initialised.
    #[inline]
    pub fn range_initialised(&self, at: usize, length: usize) -> bool {
        if self.uninitialised == 0 {
            return true;
        }
        let (word, bit) = (at / 64, at % 64);
        if bit + length <= 64 {
            let mask = (u64::MAX >> (64 - length)) << bit;
            self.initialised[word] & mask == mask
        } else {
            (at..at + length).all(|byte| self.is_initialised(byte))
        }
    }

    /// Whether no byte of an aligned word is initialised.
    pub fn range_open(&self, at: usize, length: usize) -> bool {
        let mask = (u64::MAX >> (64 - length)) << (at % 64);
        self.uninitialised > 0 && self.initialised[at / 64] & mask == 0
    }

    #[inline]
    fn mark_initialised(&mut self, at: usize, length: usize) {
        if self.uninitialised == 0 {
            return;
        }
        let (mut at, end) = (at, at + length);
        while at < end {
            let (word, bit) = (at / 64, at % 64);
            let count = (64 - bit).min(end - at);
            let mask = (u64::MAX >> (64 - count)) << bit;
            let old = self.initialised[word];
            self.uninitialised -= (!old & mask).count_ones() as usize;
            self.initialised[word] = old | mask;
            at += count;
        }
    }

    fn mark_uninitialised(&mut self, at: usize, length: usize) {
        if self.uninitialised == 0 && length > 0 {
            self.initialised.clear();
            self.initialised
                .resize(self.bytes.len().div_ceil(64), u64::MAX);
        }
        // Also keeps the pages of a large fresh object untouched.
        if self.uninitialised == self.bytes.len() {
            return;
        }
        let (mut at, end) = (at, at + length);
        while at < end {
            let (word, bit) = (at / 64, at % 64);
            let count = (64 - bit).min(end - at);
            let mask = (u64::MAX >> (64 - count)) << bit;
            let old = self.initialised[word];
            self.uninitialised += (old & mask).count_ones() as usize;
            self.initialised[word] = old & !mask;
            at += count;
        }
    }

    /// Whether some byte of a range is part of a pointer.
    #[inline]
    pub fn range_has_pointers(&self, at: usize, length: usize) -> bool {
        let Some(pointers) = &self.pointers else {
            return false;
        };
        if length == 0 {
            return false;
        }
        let shift = self.word_shift;
        let words = &pointers.words[at >> shift..=(at + length - 1) >> shift];
        words.iter().enumerate().any(|(index, &word)| match word {
            0 => false,
            MIXED => {
                let word = (at >> shift) + index;
                (at.max(word << shift)..(at + length).min((word + 1) << shift))
                    .any(|byte| self.fragment(byte).is_some())
            }
            _ => true,
        })
    }

    /// Makes a range free of pointers; those that it cuts leave their other bytes as fragments.
    fn clear_pointers(&mut self, at: usize, length: usize) {
        if self.pointers.is_none() || length == 0 {
            return;
        }
        let shift = self.word_shift;
        for word in at >> shift..=(at + length - 1) >> shift {
            if pointers_word(self.pointers.as_deref(), word) == 0 {
                continue;
            }
            let (start, end) = (word << shift, (word + 1) << shift);
            if at <= start && end <= at + length {
                self.set_word(word, 0);
            } else {
                for byte in start.max(at)..end.min(at + length) {
                    self.set_fragment(byte, None);
                }
            }
        }
    }

    /// Writes initialised bytes that belong to no pointer.
    #[inline]
    pub fn write(&mut self, at: usize, bytes: &[u8]) {
        // First, as a whole pointer that is cut keeps its offset in the old bytes.
        self.clear_pointers(at, bytes.len());
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        self.mark_initialised(at, bytes.len());
    }

    /// Fills a range with one initialised byte.
    pub fn fill(&mut self, at: usize, length: usize, byte: u8) {
        self.clear_pointers(at, length);
        self.bytes[at..at + length].fill(byte);
        self.mark_initialised(at, length);
    }

    /// Makes a range indeterminate.
    pub fn forget(&mut self, at: usize, length: usize) {
        self.clear_pointers(at, length);
        self.mark_uninitialised(at, length);
    }

    /// Offsets of the aligned words that hold pointers or parts of them, in order.
    pub fn pointer_places(&self) -> impl Iterator<Item = u64> + '_ {
        let words = self.pointers.as_deref().map_or(&[][..], |it| &it.words[..]);
        let places = words.iter().enumerate().filter(|(_, word)| **word != 0);
        places.map(|(index, _)| (index << self.word_shift) as u64)
    }

    /// The pointer that fills the aligned word at `at`, if one does.
    #[inline]
    pub fn whole_pointer(&self, at: usize) -> Option<Pointer> {
        let pointers = self.pointers.as_deref()?;
        if at & (self.word_bytes() - 1) != 0 {
            return None;
        }
        match pointers.words[at >> self.word_shift] {
            0 | MIXED => None,
            object => Some(Pointer {
                object: ObjectId(object),
                offset: self.offset_in_bytes(at),
            }),
        }
    }

    #[inline]
    fn offset_in_bytes(&self, at: usize) -> i64 {
        if self.word_shift == 2 {
            let bytes = self.bytes[at..at + 4].try_into();
            i64::from(i32::from_le_bytes(bytes.expect("invariant: 4 bytes")))
        } else {
            let bytes = self.bytes[at..at + 8].try_into();
            i64::from_le_bytes(bytes.expect("invariant: 8 bytes"))
        }
    }

    /// Stores a pointer that has an object, or is unknown, into an aligned word.
    #[inline]
    pub fn write_whole_pointer(&mut self, at: usize, pointer: Pointer) {
        debug_assert!(at & (self.word_bytes() - 1) == 0 && pointer.object != ObjectId::NULL);
        let length = self.word_bytes();
        let offset = pointer.offset.to_le_bytes();
        self.bytes[at..at + length].copy_from_slice(&offset[..length]);
        self.mark_initialised(at, length);
        self.set_word(at >> self.word_shift, pointer.object.0);
    }

    fn set_word(&mut self, word: usize, value: u64) {
        let count = self.bytes.len().div_ceil(self.word_bytes());
        let pointers = self.pointers.get_or_insert_with(|| {
            Box::new(Pointers {
                words: vec![0; count],
                ..Pointers::default()
            })
        });
        let old = std::mem::replace(&mut pointers.words[word], value);
        if old == MIXED && value != MIXED {
            pointers.mixed.remove(&word);
        }
        pointers.occupied += usize::from(value != 0);
        pointers.occupied -= usize::from(old != 0);
        if pointers.occupied == 0 {
            self.pointers = None;
        }
    }

    fn fragment(&self, at: usize) -> Option<Fragment> {
        let word = at >> self.word_shift;
        let place = at & (self.word_bytes() - 1);
        let pointers = self.pointers.as_deref()?;
        match pointers.words[word] {
            0 => None,
            MIXED => pointers.mixed[&word][place],
            object => Some(Fragment {
                pointer: Pointer {
                    object: ObjectId(object),
                    offset: self.offset_in_bytes(word << self.word_shift),
                },
                index: place as u8,
            }),
        }
    }

    fn set_fragment(&mut self, at: usize, fragment: Option<Fragment>) {
        let word = at >> self.word_shift;
        let place = at & (self.word_bytes() - 1);
        let mut fragments: Fragments = [None; 8];
        for (index, slot) in fragments.iter_mut().enumerate().take(self.word_bytes()) {
            *slot = self.fragment((word << self.word_shift) + index);
        }
        if fragments[place] == fragment {
            return;
        }
        fragments[place] = fragment;
        if let Some(pointer) = self.one_pointer(&fragments) {
            return self.write_whole_pointer(word << self.word_shift, pointer);
        }
        if fragments.iter().all(Option::is_none) {
            return self.set_word(word, 0);
        }
        self.set_word(word, MIXED);
        if let Some(pointers) = &mut self.pointers {
            pointers.mixed.insert(word, Box::new(fragments));
        }
    }

    /// The pointer whose bytes these are, in order.
    fn one_pointer(&self, fragments: &Fragments) -> Option<Pointer> {
        let first = fragments[0]?;
        let whole = fragments[..self.word_bytes()]
            .iter()
            .enumerate()
            .all(|(index, fragment)| {
                *fragment
                    == Some(Fragment {
                        pointer: first.pointer,
                        index: index as u8,
                    })
            });
        whole.then_some(first.pointer)
    }

    /// All about one byte.
    pub fn cell(&self, at: usize) -> Cell {
        Cell {
            byte: self.bytes[at],
            initialised: self.is_initialised(at),
            fragment: self.fragment(at),
        }
    }

    /// Changes one byte with its marks.
    pub fn set_cell(&mut self, at: usize, cell: Cell) {
        if cell.initialised {
            self.mark_initialised(at, 1);
        } else {
            self.mark_uninitialised(at, 1);
        }
        // A whole pointer keeps its offset in the bytes: split it before they change.
        self.set_fragment(at, None);
        self.bytes[at] = cell.byte;
        if cell.fragment.is_some() {
            self.set_fragment(at, cell.fragment);
        }
    }

    /// Objects that some byte of the segment refers to, in the order of the bytes.
    pub fn referenced(&self) -> Vec<ObjectId> {
        let Some(pointers) = self.pointers.as_deref() else {
            return vec![];
        };
        let mut found = vec![];
        for (index, &word) in pointers.words.iter().enumerate() {
            match word {
                0 => {}
                MIXED => found.extend(
                    pointers.mixed[&index]
                        .iter()
                        .flatten()
                        .map(|fragment| fragment.pointer.object),
                ),
                object => found.push(ObjectId(object)),
            }
        }
        found
    }
}

fn pointers_word(pointers: Option<&Pointers>, word: usize) -> u64 {
    pointers.map_or(0, |pointers| pointers.words[word])
}
