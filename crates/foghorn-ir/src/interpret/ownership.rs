//! Which region each byte belongs to, and which contents of a region are current, while a program
//! in pure form runs.
//!
//! There is one physical memory, and what the pure form says about it is checked against what
//! happens. A *region instance* is a region of one call, or of the caller that passed it on; it
//! begins with a fresh memory and has one current version. Every byte of an object belongs to one
//! instance: at first to any, then to one of those that the accesses so far allow. An access that
//! leaves no instance is a mistake of the analysis that made the regions; an operation on a version
//! that is not current is a mistake of the SSA construction.
//!
//! Instances of typed regions share bytes: a write takes them from another such instance, and what
//! is read must have been written in the same one, or in none.

use super::value::ObjectId;
use crate::memory::Cell;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A region instance.
pub(super) type Instance = u32;

/// Bytes that nothing but fills and copies touches need no region.
pub(super) const NOWHERE: Instance = Instance::MAX;

/// Contents of a region instance at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Version {
    pub instance: Instance,
    pub number: u64,
}

/// The instances that some bytes can belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    One(Instance),
    /// An index into [`Ownership::sets`]: sorted, at least two.
    Any(u32),
}

/// Owners of the bytes of one object: ranges by their start, with their ends.
#[derive(Clone, Debug, Default)]
struct Owned {
    object: u64,
    ranges: BTreeMap<u64, (u64, Owner)>,
    /// For instances with cells wider than a byte, their offset modulo the width.
    cells: Vec<(Instance, u32)>,
}

/// See the module doc.
#[derive(Clone, Debug, Default)]
pub(super) struct Ownership {
    /// The number of the current version of each instance.
    current: Vec<u64>,
    /// Whether each instance is of a typed region.
    typed: Vec<bool>,
    last_number: u64,
    /// By slot of the object table.
    objects: Vec<Owned>,
    sets: Vec<Box<[Instance]>>,
    set_numbers: FxHashMap<Box<[Instance]>, u32>,
}

impl Ownership {
    /// The first version of a new instance.
    pub fn begin(&mut self, typed: bool) -> Version {
        let instance = Instance::try_from(self.current.len()).unwrap_or(Instance::MAX);
        self.current.push(0);
        self.typed.push(typed);
        self.advance(instance)
    }

    /// A new current version.
    pub fn advance(&mut self, instance: Instance) -> Version {
        self.last_number += 1;
        let number = self.last_number;
        self.current[instance as usize] = number;
        Version { instance, number }
    }

    pub fn is_current(&self, version: Version) -> bool {
        self.current.get(version.instance as usize) == Some(&version.number)
    }

    fn owned(&mut self, object: ObjectId) -> &mut Owned {
        let slot = object.slot();
        if self.objects.len() <= slot {
            self.objects.resize_with(slot + 1, Owned::default);
        }
        let owned = &mut self.objects[slot];
        if owned.object != object.0 {
            *owned = Owned {
                object: object.0,
                ..Owned::default()
            };
        }
        owned
    }

    fn is_typed(&self, instance: Instance) -> bool {
        self.typed.get(instance as usize) == Some(&true)
    }

    /// A read of bytes that belong to one of the instances. `false` if they cannot.
    pub fn touch(&mut self, object: ObjectId, at: u64, length: u64, among: &[Instance]) -> bool {
        let pieces = self.pieces(object, at, length);
        if let &[only] = among
            && self.is_typed(only)
        {
            // Other types may be read too, as long as none is written.
            return pieces
                .iter()
                .all(|&(_, _, owner)| self.may_own(owner, only));
        }
        self.touch_pieces(object, pieces, among)
    }

    /// A write to bytes that then belong to one of the instances. `false` if they cannot.
    pub fn overwrite(
        &mut self,
        object: ObjectId,
        at: u64,
        length: u64,
        among: &[Instance],
    ) -> bool {
        let mut pieces = self.pieces(object, at, length);
        if among.iter().any(|&instance| self.is_typed(instance)) {
            for (start, end, owner) in &mut pieces {
                if owner.is_some_and(|owner| self.is_of_typed(owner)) {
                    self.owned(object).forget(*start, *end);
                    *owner = None;
                }
            }
        }
        self.touch_pieces(object, pieces, among)
    }

    /// Whether bytes belong to instances of typed regions only.
    fn is_of_typed(&self, owner: Owner) -> bool {
        match owner {
            Owner::One(one) => self.is_typed(one),
            Owner::Any(set) => self.sets[set as usize]
                .iter()
                .all(|&one| self.is_typed(one)),
        }
    }

    fn touch_pieces(
        &mut self,
        object: ObjectId,
        pieces: Vec<(u64, u64, Option<Owner>)>,
        among: &[Instance],
    ) -> bool {
        for (start, end, owner) in pieces {
            match self.restrict(owner, among) {
                None => return false,
                Some(new) if Some(new) == owner => {}
                Some(new) => self.owned(object).set(start, end, new),
            }
        }
        true
    }

    /// A copy between lists of instances that correspond: what is read of the n-th source is
    /// written to the n-th destination.
    pub fn touch_copy(
        &mut self,
        (to, write): (ObjectId, u64),
        (from, read): (ObjectId, u64),
        length: u64,
        destinations: &[Instance],
        sources: &[Instance],
    ) -> bool {
        let pieces = self.pieces(from, read, length);
        if !self.touch(from, read, length, sources) {
            return false;
        }
        for (start, end, owner) in pieces {
            let pairs = sources.iter().zip(destinations);
            let possible: Vec<_> = pairs
                .filter(|&(&source, _)| self.may_own(owner, source))
                .map(|(_, &destination)| destination)
                .collect();
            if !self.overwrite(to, write + (start - read), end - start, &possible) {
                return false;
            }
        }
        true
    }

    /// An access to one whole cell. `false` if the cells of the object lie otherwise.
    pub fn touch_cell(
        &mut self,
        object: ObjectId,
        at: u64,
        length: u64,
        instance: Instance,
        cell: Cell,
        pointer_bytes: u32,
    ) -> bool {
        let width = match cell {
            Cell::Bytes => return true,
            Cell::Word { bytes } => bytes,
            Cell::Pointer => pointer_bytes,
        };
        let residue = u32::try_from(at % u64::from(width)).unwrap_or(0);
        let cells = &mut self.owned(object).cells;
        let known = cells.iter().find(|(known, _)| *known == instance);
        let fits = known.is_none_or(|&(_, known)| known == residue);
        if known.is_none() {
            cells.push((instance, residue));
        }
        fits && length == u64::from(width)
    }

    /// The parts of a range with their owners, none for those that nobody touched.
    fn pieces(&mut self, object: ObjectId, at: u64, length: u64) -> Vec<(u64, u64, Option<Owner>)> {
        self.owned(object).pieces(at, at.saturating_add(length))
    }

    fn may_own(&self, owner: Option<Owner>, instance: Instance) -> bool {
        match owner {
            None => true,
            Some(Owner::One(one)) => one == instance,
            Some(Owner::Any(set)) => self.sets[set as usize].contains(&instance),
        }
    }

    fn restrict(&mut self, owner: Option<Owner>, among: &[Instance]) -> Option<Owner> {
        if let (Some(Owner::One(one)), [other]) = (owner, among) {
            return (one == *other).then_some(Owner::One(one));
        }
        let mut left: Vec<_> = among
            .iter()
            .copied()
            .filter(|&instance| self.may_own(owner, instance))
            .collect();
        left.sort_unstable();
        left.dedup();
        match left[..] {
            [] => None,
            [one] => Some(Owner::One(one)),
            _ => Some(Owner::Any(self.set(left.into_boxed_slice()))),
        }
    }

    fn set(&mut self, set: Box<[Instance]>) -> u32 {
        if let Some(&number) = self.set_numbers.get(&set) {
            return number;
        }
        let number = u32::try_from(self.sets.len()).unwrap_or(u32::MAX);
        self.sets.push(set.clone());
        self.set_numbers.insert(set, number);
        number
    }
}

impl Owned {
    fn pieces(&self, at: u64, end: u64) -> Vec<(u64, u64, Option<Owner>)> {
        let mut pieces = vec![];
        let mut next = at;
        let before = self.ranges.range(..=at).next_back();
        let from = before.map_or(at, |(&start, _)| start);
        for (&start, &(stop, owner)) in self.ranges.range(from..end) {
            if stop <= next {
                continue;
            }
            if start > next {
                pieces.push((next, start, None));
            }
            let stop = stop.min(end);
            pieces.push((start.max(next), stop, Some(owner)));
            next = stop;
        }
        if next < end {
            pieces.push((next, end, None));
        }
        pieces
    }

    /// Gives a range one owner. The range is one of [`Owned::pieces`]: it lies within one range
    /// or within a gap.
    fn set(&mut self, start: u64, end: u64, owner: Owner) {
        self.forget(start, end);
        self.insert(start, end, owner);
    }

    /// Leaves a range without an owner, which lies as for [`Owned::set`].
    fn forget(&mut self, start: u64, end: u64) {
        let around = self.ranges.range(..=start).next_back();
        if let Some((&first, &(last, old))) = around
            && last > start
        {
            self.ranges.remove(&first);
            if first < start {
                self.ranges.insert(first, (start, old));
            }
            if end < last {
                self.ranges.insert(end, (last, old));
            }
        }
    }

    /// Enters a range into a gap, joined with neighbours of the same owner.
    fn insert(&mut self, mut start: u64, mut end: u64, owner: Owner) {
        if let Some((&first, &(last, old))) = self.ranges.range(..start).next_back()
            && last == start
            && old == owner
        {
            self.ranges.remove(&first);
            start = first;
        }
        if let Some(&(last, old)) = self.ranges.get(&end)
            && old == owner
        {
            self.ranges.remove(&end);
            end = last;
        }
        self.ranges.insert(start, (end, owner));
    }
}

#[cfg(test)]
mod tests;
