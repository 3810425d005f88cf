//! One object: a sequence of bytes with a size, a kind and a life.
//!
//! Objects up to [`FLAT_LIMIT`] hold their bytes in one [`Segment`]. Larger ones are divided into
//! pages that exist once they are written to, so that a buffer of many gigabytes of which a
//! program uses little costs little.

use super::address::Lifetime;
use super::segment::{Cell, Segment};
use super::value::ObjectId;
use crate::body::InstId;
use crate::module::{FunctionId, GlobalId};
use foghorn_core::SpanId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Objects of more bytes than this are paged.
pub(crate) const FLAT_LIMIT: u64 = 16 << 20;

const PAGE_BYTES: u64 = 1 << 16;

/// What brought an object into being.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Allocation {
    Global(GlobalId),
    Function(FunctionId),
    /// An [`crate::Instruction::Allocate`].
    Instruction(FunctionId, InstId),
    /// The argument vector, the environment, or a string of one of them.
    Arguments,
}

/// Whether an object may be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Life {
    Alive,
    OutOfScope,
    Freed,
}

/// An object and what is known about it.
#[derive(Debug)]
pub(crate) struct Object {
    /// The id while the object is alive, else 0: one comparison tells both generation and life.
    pub live: u64,
    /// The fast paths apply: flat, every byte initialised, no pointers, accesses not tracked.
    pub plain_load: bool,
    /// As `plain_load`, and not constant.
    pub plain_store: bool,
    pub constant: bool,
    /// Somebody saw its address as a number.
    pub exposed: bool,
    pub life: Life,
    /// Bytes of a fresh page are zeros rather than uninitialised.
    zeroed: bool,
    pub align: u32,
    pub id: ObjectId,
    pub size: u64,
    pub segment: Segment,
    /// 0 while nobody asked for the address.
    pub base: u64,
    pub lifetime: Lifetime,
    /// When a pointer to its start, or one to its end, was last made a number; 0 if never.
    pub start_seen: u64,
    pub end_seen: u64,
    pub allocation: Allocation,
    pub allocated_at: SpanId,
    pub ended_at: SpanId,
    pages: Option<Box<FxHashMap<u64, Segment>>>,
    extras: Option<Box<Extras>>,
}

/// What only few objects have.
#[derive(Debug, Default)]
struct Extras {
    modified: FxHashSet<u64>,
    read: FxHashSet<u64>,
    shadows: Vec<(u8, u64)>,
    /// The code outside the program that changed the object last.
    changed_by: Option<Outsider>,
}

/// Code outside the program that changed something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outsider {
    pub name: Arc<str>,
    /// The objects that it knew, nearest first: the pointers that it leaves may lead to them.
    pub known: Arc<[ObjectId]>,
}

/// Part of a range that lies within one segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    page: u64,
    pub at: usize,
    pub length: usize,
}

/// The facts that an allocation fixes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Birth {
    pub size: u64,
    pub align: u32,
    pub allocation: Allocation,
    pub span: SpanId,
    /// Zeros rather than indeterminate.
    pub zeroed: bool,
}

impl Object {
    pub fn vacant(pointer_bytes: u32) -> Self {
        Object {
            // No pointer has this id, so that the slot of null is never alive.
            live: u64::MAX,
            plain_load: false,
            plain_store: false,
            constant: false,
            exposed: false,
            life: Life::Freed,
            zeroed: false,
            align: 1,
            id: ObjectId::NULL,
            size: 0,
            segment: Segment::new(pointer_bytes),
            base: 0,
            lifetime: Lifetime { born: 0, died: 0 },
            start_seen: 0,
            end_seen: 0,
            allocation: Allocation::Arguments,
            allocated_at: SpanId::UNKNOWN,
            ended_at: SpanId::UNKNOWN,
            pages: None,
            extras: None,
        }
    }

    /// Makes this slot hold a new, living object.
    pub fn begin(&mut self, id: ObjectId, birth: &Birth) {
        self.live = id.0;
        self.id = id;
        self.constant = false;
        self.exposed = false;
        self.life = Life::Alive;
        self.zeroed = birth.zeroed;
        self.align = birth.align;
        self.size = birth.size;
        self.base = 0;
        self.allocation = birth.allocation;
        self.allocated_at = birth.span;
        self.ended_at = SpanId::UNKNOWN;
        self.extras = None;
        self.reset_contents();
    }

    /// Lets a stack object live (again), with indeterminate contents and a new place.
    pub fn restart(&mut self) {
        if self.live == 0 {
            self.live = self.id.0;
            self.life = Life::Alive;
            self.base = 0;
            self.exposed = false;
        }
        self.zeroed = false;
        if let Some(extras) = &mut self.extras {
            extras.changed_by = None;
        }
        self.reset_contents();
    }

    /// Zeros or indeterminate bytes, as at birth.
    fn reset_contents(&mut self) {
        if self.size <= FLAT_LIMIT {
            self.pages = None;
            self.segment.reset(self.size as usize, self.zeroed);
        } else {
            self.pages = Some(Box::default());
        }
    }

    /// Ends the life; the facts stay for reports, the bytes go.
    pub fn end(&mut self, life: Life, span: SpanId) {
        self.live = 0;
        self.life = life;
        self.ended_at = span;
        self.plain_load = false;
        self.plain_store = false;
        self.pages = None;
        match life {
            // Slots of stack objects are used again soon.
            Life::OutOfScope | Life::Alive => self.segment.release(),
            Life::Freed => self.segment = Segment::new(self.segment.pointer_bytes()),
        }
    }

    /// Bytes that the object occupies on the host.
    pub fn resident(&self) -> u64 {
        match &self.pages {
            Some(pages) => pages.len() as u64 * PAGE_BYTES,
            None => self.segment.bytes.len() as u64,
        }
    }

    /// Decides anew whether the fast paths apply.
    #[inline]
    pub fn refresh(&mut self, tracking: bool) {
        self.plain_load =
            self.pages.is_none() && self.live != 0 && !tracking && self.segment.is_plain();
        self.plain_store = self.plain_load && !self.constant;
    }

    pub fn is_flat(&self) -> bool {
        self.pages.is_none()
    }

    /// The first part of a range that lies in one segment.
    #[inline]
    pub fn piece(&self, at: u64, length: u64) -> Piece {
        if self.pages.is_none() {
            return Piece {
                page: 0,
                at: at as usize,
                length: length as usize,
            };
        }
        let within = at % PAGE_BYTES;
        Piece {
            page: at / PAGE_BYTES,
            at: within as usize,
            length: length.min(PAGE_BYTES - within) as usize,
        }
    }

    /// The segment of a piece; `None` for a page that nobody wrote to.
    #[inline]
    pub fn segment(&self, piece: Piece) -> Option<&Segment> {
        match &self.pages {
            None => Some(&self.segment),
            Some(pages) => pages.get(&piece.page),
        }
    }

    /// The segment of a piece, made if it is not there.
    pub fn segment_mut(&mut self, piece: Piece) -> &mut Segment {
        let zeroed = self.zeroed;
        let pointer_bytes = self.segment.pointer_bytes();
        match &mut self.pages {
            None => &mut self.segment,
            Some(pages) => pages.entry(piece.page).or_insert_with(|| {
                let mut page = Segment::new(pointer_bytes);
                page.reset(PAGE_BYTES as usize, zeroed);
                page
            }),
        }
    }

    /// Makes a range indeterminate. Pages that nobody wrote to need not come into being for that.
    pub fn forget(&mut self, at: u64, length: u64) {
        let whole = at == 0 && length == self.size;
        if let Some(pages) = &mut self.pages
            && (whole || !self.zeroed)
        {
            if whole {
                pages.clear();
                self.zeroed = false;
                return;
            }
            let cut = |number: u64, page: &mut Segment| {
                let start = (number * PAGE_BYTES).max(at);
                let end = ((number + 1) * PAGE_BYTES).min(at + length);
                if start < end {
                    let first = (start - number * PAGE_BYTES) as usize;
                    page.forget(first, (end - start) as usize);
                }
            };
            let touched = at / PAGE_BYTES..(at + length).div_ceil(PAGE_BYTES);
            if touched.end - touched.start < pages.len() as u64 {
                for number in touched {
                    if let Some(page) = pages.get_mut(&number) {
                        cut(number, page);
                    }
                }
            } else {
                pages
                    .iter_mut()
                    .for_each(|(&number, page)| cut(number, page));
            }
            return;
        }
        self.for_pieces(at, length, |segment, piece| {
            segment.forget(piece.at, piece.length);
        });
    }

    /// See [`super::memory::Memory::change_from_outside`].
    pub fn change_from_outside(&mut self, with_pointers: bool, by: &Outsider) {
        self.extras().changed_by = Some(by.clone());
        let kept = match with_pointers {
            true => vec![],
            false => self.pointer_places(),
        };
        let width = u64::from(self.segment.pointer_bytes());
        let mut from = 0;
        for place in kept {
            if place > from {
                self.forget(from, place - from);
            }
            from = place + width;
        }
        if from < self.size {
            self.forget(from, self.size - from);
        }
    }

    /// The code outside the program that changed the object last.
    pub fn changed_by(&self) -> Option<&Outsider> {
        self.extras.as_ref()?.changed_by.as_ref()
    }

    /// Offsets of the aligned words that hold pointers or parts of them, in order.
    pub fn pointer_places(&self) -> Vec<u64> {
        let Some(pages) = &self.pages else {
            return self.segment.pointer_places().collect();
        };
        let mut numbers: Vec<u64> = pages.keys().copied().collect();
        numbers.sort_unstable();
        let places = numbers.into_iter().flat_map(|number| {
            let places = pages[&number].pointer_places();
            places.map(move |place| number * PAGE_BYTES + place)
        });
        places.collect()
    }

    pub fn cell(&self, at: u64) -> Cell {
        let piece = self.piece(at, 1);
        self.segment(piece).map_or(
            Cell {
                byte: 0,
                initialised: self.zeroed,
                fragment: None,
            },
            |segment| segment.cell(piece.at),
        )
    }

    /// Calls `f` on the segment of each part of a range, making pages as needed.
    pub fn for_pieces(&mut self, at: u64, length: u64, mut f: impl FnMut(&mut Segment, Piece)) {
        let (mut at, end) = (at, at + length);
        while at < end {
            let piece = self.piece(at, end - at);
            f(self.segment_mut(piece), piece);
            at += piece.length as u64;
        }
    }

    /// Fills a range with one byte. Zeros all over a paged object cost nothing.
    pub fn fill(&mut self, at: u64, length: u64, byte: u8) {
        debug_assert!(length <= self.size && at <= self.size - length);
        if let (Some(pages), 0) = (&mut self.pages, byte)
            && length == self.size
        {
            pages.clear();
            self.zeroed = true;
            return;
        }
        self.for_pieces(at, length, |segment, piece| {
            segment.fill(piece.at, piece.length, byte);
        });
    }

    /// Objects that its bytes refer to.
    pub fn referenced(&self) -> Vec<ObjectId> {
        match &self.pages {
            None => self.segment.referenced(),
            Some(pages) => {
                let mut numbers: Vec<u64> = pages.keys().copied().collect();
                numbers.sort_unstable();
                numbers
                    .into_iter()
                    .flat_map(|number| pages[&number].referenced())
                    .collect()
            }
        }
    }

    fn extras(&mut self) -> &mut Extras {
        self.extras.get_or_insert_default()
    }

    pub fn mark_access(&mut self, at: u64, length: u64, write: bool) {
        let extras = self.extras();
        let marks = if write {
            &mut extras.modified
        } else {
            &mut extras.read
        };
        marks.extend(at..at + length);
    }

    pub fn is_marked(&self, at: u64, write: bool) -> bool {
        self.extras.as_ref().is_some_and(|extras| {
            if write {
                extras.modified.contains(&at)
            } else {
                extras.read.contains(&at)
            }
        })
    }

    pub fn reset_marks(&mut self, write: bool) {
        let extras = self.extras();
        if write {
            extras.modified.clear();
        } else {
            extras.read.clear();
        }
    }

    pub fn set_shadow(&mut self, slot: u8, value: u64) {
        let shadows = &mut self.extras().shadows;
        match shadows.iter_mut().find(|(number, _)| *number == slot) {
            Some((_, old)) => *old = value,
            None => shadows.push((slot, value)),
        }
    }

    pub fn shadow(&self, slot: u8) -> u64 {
        self.extras
            .as_ref()
            .and_then(|extras| extras.shadows.iter().find(|(number, _)| *number == slot))
            .map_or(0, |&(_, value)| value)
    }
}
