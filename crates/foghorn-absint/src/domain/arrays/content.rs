//! What is represented of one array, and by which scalars.

use crate::language::Endianness;
use crate::variable::{GhostKind, Type, VariableId};

/// Offsets at and above this are not expanded.
pub(super) const LARGEST_OFFSET: u32 = 1 << 15;

/// Sizes above this are not represented.
pub(super) const LARGEST_SIZE: u32 = 16;

/// The shape of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Element {
    pub size: u32,
    pub endianness: Endianness,
}

/// A scalar at a constant offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    pub offset: u32,
    pub element: Element,
    /// Whether its bytes are known one by one: a machine integer of just this size, in known
    /// order.
    pub plain: bool,
}

impl Cell {
    pub fn overlaps(&self, offset: u32, size: u32) -> bool {
        self.offset < offset + size && offset < self.offset + self.element.size
    }

    /// The scalar that holds the value: an integer of ℤ, whatever the type of what was stored.
    pub fn ghost(&self, array: VariableId) -> VariableId {
        let payload = (self.offset << 4) | (self.element.size - 1);
        array.typed_ghost(GhostKind::Cell, payload, Type::Unbounded)
    }
}

/// What is known of an array. No cells: nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Content {
    /// Sorted by offset and size; cells may overlap where their values agree.
    Cells(Vec<Cell>),
    /// All elements of this shape that start in a range, at multiples of the size from its start.
    Smashed(Element),
}

/// The scalar that stands for every element.
pub(super) fn summary(array: VariableId) -> VariableId {
    array.typed_ghost(GhostKind::Smashed, 0, Type::Unbounded)
}

/// The first offset of a smashed array.
pub(super) fn lower(array: VariableId) -> VariableId {
    array.typed_ghost(GhostKind::Smashed, 1, Type::Unbounded)
}

/// The end of the offsets of a smashed array.
pub(super) fn upper(array: VariableId) -> VariableId {
    array.typed_ghost(GhostKind::Smashed, 2, Type::Unbounded)
}

/// The last element of a segment.
pub(super) fn last(array: VariableId) -> VariableId {
    array.typed_ghost(GhostKind::Segment, 0, Type::Unbounded)
}

/// Any two neighbours in a segment.
pub(super) fn pair(array: VariableId) -> [VariableId; 2] {
    [1, 2].map(|payload| array.typed_ghost(GhostKind::Segment, payload, Type::Unbounded))
}

/// Scratch of array operations, by number and type.
pub(super) fn scratch(array: VariableId, number: u32, ty: Type) -> VariableId {
    let width = ty.width().unwrap_or(0);
    array.typed_ghost(GhostKind::Internal, (width << 8) | number, ty)
}

impl Content {
    pub fn is_unknown(&self) -> bool {
        matches!(self, Content::Cells(cells) if cells.is_empty())
    }

    pub fn ghosts(&self, array: VariableId) -> Vec<VariableId> {
        match self {
            Content::Cells(cells) => cells.iter().map(|cell| cell.ghost(array)).collect(),
            Content::Smashed(_) => {
                let [first, second] = pair(array);
                vec![
                    summary(array),
                    lower(array),
                    upper(array),
                    last(array),
                    first,
                    second,
                ]
            }
        }
    }

    /// What both represent.
    pub fn common(&self, other: &Content) -> Content {
        match (self, other) {
            (Content::Cells(own), Content::Cells(others)) => Content::Cells(
                own.iter()
                    .filter(|cell| others.contains(cell))
                    .copied()
                    .collect(),
            ),
            (Content::Smashed(a), Content::Smashed(b)) if a == b => self.clone(),
            (Content::Cells(_) | Content::Smashed(_), Content::Cells(_) | Content::Smashed(_)) => {
                Content::Cells(Vec::new())
            }
        }
    }

    /// What either represents, if that can be said together.
    pub fn combined(&self, other: &Content) -> Option<Content> {
        match (self, other) {
            (Content::Cells(own), Content::Cells(others)) => {
                let mut all = own.clone();
                for cell in others {
                    let clash = |known: &Cell| {
                        known != cell
                            && known.offset == cell.offset
                            && known.element.size == cell.element.size
                    };
                    // One scalar cannot be read in two byte orders.
                    if all.iter().any(clash) {
                        return None;
                    }
                    if !all.contains(cell) {
                        all.push(*cell);
                    }
                }
                all.sort_by_key(|cell| (cell.offset, cell.element.size));
                Some(Content::Cells(all))
            }
            // Two ranges cannot be met: the scalars for the bounds would have to be equal.
            (Content::Smashed(_), Content::Smashed(_))
            | (Content::Cells(_), Content::Smashed(_))
            | (Content::Smashed(_), Content::Cells(_)) => None,
        }
    }

    /// Whether this represents all that `wanted` does.
    pub fn knows(&self, wanted: &Content) -> bool {
        self.common(wanted) == *wanted
    }
}
