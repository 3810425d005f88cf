//! A persistent table from small numbers to records, shared between the states of an analysis.
//!
//! Two levels: chunks of sixteen slots behind one reference count each, and records behind
//! another. Copying a table copies one pointer per chunk, writing to a copy duplicates one chunk
//! of pointers and one record, and two tables that descend from the same state recognise what they
//! still have in common by address, so that joins and widenings visit only what differs.

use std::sync::Arc;

const CHUNK: usize = 16;

type Chunk<T> = [Option<Arc<T>>; CHUNK];

/// A sparse table from `u32` keys to records of type `T`.
#[derive(Debug)]
pub struct ChunkedTable<T> {
    chunks: Vec<Option<Arc<Chunk<T>>>>,
}

impl<T> Clone for ChunkedTable<T> {
    fn clone(&self) -> Self {
        Self {
            chunks: self.chunks.clone(),
        }
    }
}

impl<T> Default for ChunkedTable<T> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

/// How much of a table is physically part of other tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sharing {
    /// Records that one of the other tables holds too.
    pub shared: usize,
    /// Records in all.
    pub total: usize,
}

fn split(key: u32) -> (usize, usize) {
    (key as usize / CHUNK, key as usize % CHUNK)
}

fn join_key(chunk: usize, slot: usize) -> u32 {
    u32::try_from(chunk * CHUNK + slot).expect("invariant: keys came from u32")
}

fn same<T>(left: Option<&Arc<T>>, right: Option<&Arc<T>>) -> bool {
    match (left, right) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

impl<T> ChunkedTable<T> {
    fn chunk(&self, index: usize) -> Option<&Arc<Chunk<T>>> {
        self.chunks.get(index)?.as_ref()
    }

    fn slot(&self, key: u32) -> Option<&Arc<T>> {
        let (chunk, slot) = split(key);
        self.chunk(chunk)?[slot].as_ref()
    }

    #[must_use]
    pub fn get(&self, key: u32) -> Option<&T> {
        self.slot(key).map(AsRef::as_ref)
    }

    /// The records in ascending order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> + '_ {
        self.chunks.iter().enumerate().flat_map(|(index, chunk)| {
            chunk.iter().flat_map(move |chunk| {
                chunk.iter().enumerate().filter_map(move |(slot, record)| {
                    Some((join_key(index, slot), record.as_ref()?.as_ref()))
                })
            })
        })
    }

    fn slot_mut(&mut self, key: u32) -> &mut Option<Arc<T>> {
        let (chunk, slot) = split(key);
        if self.chunks.len() <= chunk {
            self.chunks.resize_with(chunk + 1, || None);
        }
        let chunk = self.chunks[chunk].get_or_insert_with(|| Arc::new([const { None }; CHUNK]));
        &mut Arc::make_mut(chunk)[slot]
    }

    pub fn remove(&mut self, key: u32) {
        if self.slot(key).is_some() {
            *self.slot_mut(key) = None;
        }
    }

    pub fn insert(&mut self, key: u32, record: T) {
        *self.slot_mut(key) = Some(Arc::new(record));
    }

    /// The record of `key` to write to, made empty first if there was none.
    pub fn record_mut(&mut self, key: u32) -> &mut T
    where
        T: Clone + Default,
    {
        Arc::make_mut(self.slot_mut(key).get_or_insert_with(Arc::default))
    }

    /// Combines two tables slot by slot. `combine` is called only where the records are not the
    /// very same; elsewhere the result shares them. It must be idempotent for that to be right.
    pub fn merge(
        left: &Self,
        right: &Self,
        mut combine: impl FnMut(u32, Option<&T>, Option<&T>) -> Option<T>,
    ) -> Self {
        let length = left.chunks.len().max(right.chunks.len());
        let chunks = (0..length).map(|index| {
            let (a, b) = (left.chunk(index), right.chunk(index));
            if same(a, b) {
                return a.cloned();
            }
            merge_chunk(index, a, b, &mut combine)
        });
        Self {
            chunks: chunks.collect(),
        }
    }

    /// Visits the slots whose records are not the very same in both tables.
    pub fn differences<'a>(
        left: &'a Self,
        right: &'a Self,
        mut visit: impl FnMut(u32, Option<&'a T>, Option<&'a T>) -> bool,
    ) -> bool {
        let length = left.chunks.len().max(right.chunks.len());
        for index in 0..length {
            let (a, b) = (left.chunk(index), right.chunk(index));
            if same(a, b) {
                continue;
            }
            for slot in 0..CHUNK {
                let x = a.and_then(|chunk| chunk[slot].as_ref());
                let y = b.and_then(|chunk| chunk[slot].as_ref());
                let (x_ref, y_ref) = (x.map(AsRef::as_ref), y.map(AsRef::as_ref));
                if !same(x, y) && !visit(join_key(index, slot), x_ref, y_ref) {
                    return false;
                }
            }
        }
        true
    }

    /// Counts the records of `self` that some table of `others` physically holds too.
    #[must_use]
    pub fn sharing(&self, others: &[&Self]) -> Sharing {
        let mut sharing = Sharing::default();
        for (key, record) in self.iter() {
            sharing.total += 1;
            let held = |other: &&&Self| other.get(key).is_some_and(|it| std::ptr::eq(it, record));
            sharing.shared += usize::from(others.iter().any(|other| held(&other)));
        }
        sharing
    }
}

fn merge_chunk<T>(
    index: usize,
    left: Option<&Arc<Chunk<T>>>,
    right: Option<&Arc<Chunk<T>>>,
    combine: &mut impl FnMut(u32, Option<&T>, Option<&T>) -> Option<T>,
) -> Option<Arc<Chunk<T>>> {
    let mut merged: Chunk<T> = [const { None }; CHUNK];
    for (slot, target) in merged.iter_mut().enumerate() {
        let a = left.and_then(|chunk| chunk[slot].as_ref());
        let b = right.and_then(|chunk| chunk[slot].as_ref());
        *target = if same(a, b) {
            a.cloned()
        } else {
            let key = join_key(index, slot);
            combine(key, a.map(AsRef::as_ref), b.map(AsRef::as_ref)).map(Arc::new)
        };
    }
    merged.iter().any(Option::is_some).then(|| Arc::new(merged))
}
