//! What the arguments of a predicate stand for.

use crate::memory::Kept;
use foghorn_ir::ValueId;
use foghorn_term::Sort;

/// What of a value an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// All of it.
    Number,
    /// The number of the object of a pointer.
    Object,
    /// Its offset.
    Offset,
}

/// What an argument stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A value of a frame, the lowest counted as 0.
    Value {
        frame: usize,
        value: ValueId,
        part: Part,
    },
    /// What a region holds (a memory value of a frame): in the tracked object or cell, or as an array,
    /// or in its only cell if `single`.
    Content {
        frame: usize,
        value: ValueId,
        part: Part,
        single: bool,
        slot: usize,
    },
    /// Life, size or origin of the tracked object, or of all as an array.
    Ghost {
        kept: Kept,
        slot: usize,
    },
    /// The arbitrary object that the predicate speaks of …
    TrackedObject,
    /// … and the offset in it.
    TrackedOffset,
    /// The next object of the heap that is made any number of times.
    NextHeap,
    /// The same of the stack.
    NextStack,
    /// The counter of stack objects when a frame began.
    Mark {
        frame: usize,
    },
    /// A parameter of the procedure as it was at its entry.
    Entry {
        value: ValueId,
        part: Part,
        slot: Option<usize>,
    },
    /// The same of what memory was.
    EntryGhost {
        kept: Kept,
        slot: usize,
    },
    /// The counters of objects at the entry.
    EntryNextHeap,
    EntryNextStack,
    /// What the procedure returns; of its memories, what the tracked cell holds afterwards.
    Result {
        number: usize,
        part: Part,
        slot: Option<usize>,
    },
    /// Whether the call has failed.
    Failed,
}

impl Role {
    /// Whether the argument is about the tracked object or cell.
    pub fn depends_on_place(&self) -> bool {
        match self {
            Role::Content { single, .. } => !single,
            Role::Entry { slot, .. } | Role::Result { slot, .. } => slot.is_some(),
            Role::Ghost { .. } | Role::EntryGhost { .. } => true,
            Role::Value { .. }
            | Role::TrackedObject
            | Role::TrackedOffset
            | Role::NextHeap
            | Role::NextStack
            | Role::Mark { .. }
            | Role::EntryNextHeap
            | Role::EntryNextStack
            | Role::Failed => false,
        }
    }

    /// What is kept of memory that it belongs to.
    fn slot(&self) -> Option<usize> {
        match self {
            Role::Content { slot, .. }
            | Role::Ghost { slot, .. }
            | Role::EntryGhost { slot, .. } => Some(*slot),
            Role::Entry { slot, .. } | Role::Result { slot, .. } => *slot,
            Role::Value { .. }
            | Role::TrackedObject
            | Role::TrackedOffset
            | Role::NextHeap
            | Role::NextStack
            | Role::Mark { .. }
            | Role::EntryNextHeap
            | Role::EntryNextStack
            | Role::Failed => None,
        }
    }
}

/// One argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub role: Role,
    pub sort: Sort,
    /// For a number its width.
    pub width: Option<u32>,
    /// For people.
    pub name: String,
    /// The literal that it always is; then the predicate does without it.
    pub fixed: Option<foghorn_term::eval::Value>,
}

/// The arguments of a predicate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signature {
    pub entries: Vec<Entry>,
}

impl Signature {
    /// The places of the arguments of what is kept of memory.
    pub fn slot(&self, slot: usize) -> Vec<usize> {
        let entries = self.entries.iter().enumerate();
        entries
            .filter(|(_, entry)| entry.role.slot() == Some(slot))
            .map(|(place, _)| place)
            .collect()
    }

    /// The arguments that the predicate has, of all.
    pub fn free<T: Copy>(&self, arguments: &[T]) -> Vec<T> {
        let pairs = self.entries.iter().zip(arguments);
        let free = pairs.filter(|(entry, _)| entry.fixed.is_none());
        free.map(|(_, argument)| *argument).collect()
    }

    /// The place of the argument with a role.
    pub fn place(&self, role: &Role) -> Option<usize> {
        self.entries.iter().position(|entry| entry.role == *role)
    }
}
