//! Bytes that were copied before anybody gave them a value.
//!
//! What was never written has one value until it is written, and a copy of it has the same. The
//! value is chosen when some copy is read first, so copies must know of each other: a copy *names*
//! the indeterminate bytes that it takes, at the source and at the destination alike, and the value
//! belongs to the name. A name lies in memory as a pointer of [`ObjectId::COPIED`] does, with the
//! number of the name as its offset; so whatever moves pointers moves names.

use super::object::{Allocation, Object, Outsider};
use super::segment::{Cell, Fragment};
use super::value::{ObjectId, Pointer};
use rustc_hash::FxHashMap;

/// Why bytes have no value: what brought their object into being, and who changed it since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub allocation: Allocation,
    pub changed_by: Option<Outsider>,
}

impl Origin {
    pub fn of(object: &Object) -> Self {
        Origin {
            allocation: object.allocation,
            changed_by: object.changed_by().cloned(),
        }
    }
}

/// The names that were given, and the values of those that were read.
#[derive(Debug, Default)]
pub(crate) struct Indeterminate {
    next: i64,
    /// The first of consecutive names of bytes of one origin, and that origin.
    origins: Vec<(i64, Origin)>,
    values: FxHashMap<(i64, u8), u8>,
    /// Names that turned out to be pointers into objects.
    pointers: FxHashMap<i64, Pointer>,
}

impl Indeterminate {
    /// A new name for bytes of this origin.
    pub fn name(&mut self, origin: Origin) -> Pointer {
        if self.origins.last().is_none_or(|(_, last)| *last != origin) {
            self.origins.push((self.next, origin));
        }
        let offset = self.next;
        self.next += 1;
        Pointer {
            object: ObjectId::COPIED,
            offset,
        }
    }

    /// Where the bytes of a name were not given a value.
    pub fn origin(&self, name: Fragment) -> Option<Origin> {
        let number = name.pointer.offset;
        let after = self.origins.partition_point(|(first, _)| *first <= number);
        let (_, origin) = self.origins.get(after.checked_sub(1)?)?;
        Some(origin.clone())
    }

    pub fn value(&self, name: Fragment) -> Option<u8> {
        let key = (name.pointer.offset, name.index);
        self.values.get(&key).copied()
    }

    /// The pointer that the bytes of a name are, if somebody found out that they are one.
    pub fn pointer(&self, name: Fragment) -> Option<Pointer> {
        self.pointers.get(&name.pointer.offset).copied()
    }

    pub fn set_pointer(&mut self, name: Fragment, value: Pointer) {
        self.pointers.insert(name.pointer.offset, value);
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
