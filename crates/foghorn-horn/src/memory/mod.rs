//! Contents of regions, lives and sizes.
//!
//! Contents are a list of changes over what was there where the path began. Nothing is decided when a
//! change is made: only when a cell is read ([`read`]), at an access, or at the end of the path for the
//! object that the predicates speak of, are places compared. So a write that nothing reads costs nothing,
//! and a write is two rules, one for each outcome of the comparison, rather than an `ite`.
//!
//! What is below the list is a matter of the [form](crate::form::MemoryForm): [`cells`] has the contents of one
//! arbitrary object (or cell) as arguments of every predicate and asks the predicate again for any other; [`arrays`] has
//! an array for each region.

pub mod arrays;
pub mod cells;
pub mod initial;
pub mod read;

use crate::datum::{Datum, Pointer};
use foghorn_encode::integers::Value;
use foghorn_ir::{FunctionId, RegionId};
use foghorn_term::TermId;
use std::rc::Rc;

/// What a region holds.
#[derive(Clone, Debug)]
pub struct Contents(Rc<Node>);

/// A region, or something else that each object has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kept {
    Region(FunctionId, RegionId),
    Life,
    Size,
    /// Which allocation made an object; 0 if it is none of the heap.
    Origin,
}

/// The last change, or what was there before all changes.
#[derive(Debug)]
pub enum Node {
    /// What the predicate at the start of the path says; the number counts what is kept there.
    Slot(usize),
    /// Arrays from places to cells: one for a number, two for pointers.
    Arrays(Vec<TermId>),
    /// The only cell.
    Single(Datum),
    /// What is there when the program starts.
    Initial(Kept),
    /// Nobody has written anything.
    Unwritten,
    /// Anything, pointers to any object included.
    Anything,
    /// A value was stored.
    Write {
        before: Contents,
        at: Pointer,
        bytes: u32,
        value: Datum,
    },
    /// All bytes of a range were set.
    Fill {
        before: Contents,
        at: Pointer,
        byte: Value,
        length: Value,
    },
    /// A range was copied.
    Copy {
        before: Contents,
        at: Pointer,
        source: Contents,
        from: Pointer,
        length: Value,
    },
    /// A range became indeterminate.
    Havoc {
        before: Contents,
        at: Pointer,
        length: Value,
    },
    /// Stack objects that are made any number of times ended, from this number down. Of lives only.
    Ended { before: Contents, mark: TermId },
    /// A summary says what became of it; the numbers of the call on the path and of what it changed.
    Called { call: usize, place: usize },
}

impl Contents {
    pub fn new(node: Node) -> Self {
        Contents(Rc::new(node))
    }

    pub fn node(&self) -> &Node {
        &self.0
    }

    /// Whether nobody has written anything.
    pub fn is_indeterminate(&self) -> bool {
        match self.node() {
            Node::Unwritten | Node::Anything => true,
            Node::Havoc { before, .. } => before.is_indeterminate(),
            Node::Slot(_)
            | Node::Arrays(_)
            | Node::Single(_)
            | Node::Initial(_)
            | Node::Write { .. }
            | Node::Fill { .. }
            | Node::Copy { .. }
            | Node::Ended { .. }
            | Node::Called { .. } => false,
        }
    }

    /// After a store.
    #[must_use]
    pub fn write(&self, at: Pointer, bytes: u32, value: Datum) -> Contents {
        Contents::new(Node::Write {
            before: self.clone(),
            at,
            bytes,
            value,
        })
    }
}

/// A place that is read.
#[derive(Clone, Debug)]
pub struct Target {
    pub object: TermId,
    pub offset: Value,
}
