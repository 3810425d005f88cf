//! Bytes that were copied before anybody gave them a value.
//!
//! What was never written has one value until it is written, and a copy of it has the same. The
//! value is chosen when some copy is read first, so copies must know of each other: a copy *names*
//! the indeterminate bytes that it takes, at the source and at the destination alike, and the value
//! belongs to the name. A name lies in memory as a pointer of [`ObjectId::COPIED`] does, with the
//! number of the name as its offset; so whatever moves pointers moves names.

use super::object::Allocation;
use super::segment::{Cell, Fragment};
use super::value::{ObjectId, Pointer};
use rustc_hash::FxHashMap;

/// The names that were given, and the values of those that were read.
#[derive(Debug, Default)]
pub(crate) struct Indeterminate {
    next: i64,
    /// The first of consecutive names of bytes of one allocation, and that allocation.
    origins: Vec<(i64, Allocation)>,
    values: FxHashMap<(i64, u8), u8>,
}

impl Indeterminate {
    /// A new name for bytes of an object of this allocation.
    pub fn name(&mut self, allocation: Allocation) -> Pointer {
        if self
            .origins
            .last()
            .is_none_or(|(_, last)| *last != allocation)
        {
            self.origins.push((self.next, allocation));
        }
        let offset = self.next;
        self.next += 1;
        Pointer {
            object: ObjectId::COPIED,
            offset,
        }
    }

    /// Where the bytes of a name were not given a value.
    pub fn origin(&self, name: Fragment) -> Option<Allocation> {
        let number = name.pointer.offset;
        let after = self.origins.partition_point(|(first, _)| *first <= number);
        let (_, allocation) = self.origins.get(after.checked_sub(1)?)?;
        Some(*allocation)
    }

    pub fn value(&self, name: Fragment) -> Option<u8> {
        let key = (name.pointer.offset, name.index);
        self.values.get(&key).copied()
    }

    pub fn set(&mut self, name: Fragment, value: u8) {
        self.values.insert((name.pointer.offset, name.index), value);
    }
}

/// The name of an indeterminate byte that was copied.
pub(crate) fn name_of(cell: &Cell) -> Option<Fragment> {
    cell.fragment
        .filter(|fragment| fragment.pointer.object == ObjectId::COPIED)
}
