//! Loads and stores on a graph.

use super::node::{AccessKind, AccessSet, Field};
use super::{Cell, Graph};
use crate::options::Sabotage;

impl Graph {
    /// Notes an access to bytes from `cell` on; the field that holds them.
    pub fn touch(&mut self, cell: Cell, bytes: i64, kind: Option<AccessKind>) -> Cell {
        let mut accesses = AccessSet::default();
        if let Some(kind) = kind {
            accesses.insert(kind);
        }
        let field = Field {
            accesses,
            ..Field::default()
        };
        let start = self.insert_field(cell, bytes, field);
        self.settle();
        self.find(start)
    }

    /// What a load of so many bytes at `cell` gives. The bytes must have been touched.
    pub fn load_content(&mut self, cell: Cell, bytes: i64) -> Cell {
        let (link, exact) = self.link_of(cell, bytes);
        if exact {
            return link;
        }
        let content = self.fresh();
        self.derive(content, link);
        content
    }

    /// Makes fields of the bytes that only builtins see, once all other fields are known: each
    /// byte of such a range is in some field.
    pub fn fill_gaps(&mut self) {
        for (cell, length) in std::mem::take(&mut self.covers) {
            let cell = self.find(cell);
            let node = &self.nodes[cell.node];
            if node.collapsed || node.stride > 0 && cell.offset + length > node.stride {
                let whole = if node.stride > 0 { node.stride } else { 1 };
                self.fill_range(Cell::new(cell.node, 0), whole);
            } else {
                self.fill_range(cell, length);
            }
        }
    }

    fn fill_range(&mut self, cell: Cell, length: i64) {
        let node = &self.nodes[cell.node];
        if node.collapsed {
            self.touch(cell, 1, Some(AccessKind::Raw));
            return;
        }
        let (mut at, end) = (cell.offset, cell.offset + length);
        let mut gaps = vec![];
        for start in node.overlapping(at, end) {
            if start > at {
                gaps.push((at, start));
            }
            at = start + node.fields[&start].length;
        }
        gaps.push((at, end));
        for (from, to) in gaps.into_iter().filter(|(from, to)| from < to) {
            self.touch(Cell::new(cell.node, from), to - from, Some(AccessKind::Raw));
        }
    }

    /// An address in an initialiser.
    pub fn initial_pointer(&mut self, cell: Cell, target: Cell) {
        let bytes = i64::from(self.pointer_bytes);
        self.touch(cell, bytes, Some(AccessKind::Pointer));
        self.store_content(cell, bytes, target);
    }

    /// A store of a value with that content.
    pub fn store_content(&mut self, cell: Cell, bytes: i64, value: Cell) {
        if self.sabotage == Some(Sabotage::Stores) {
            return;
        }
        let (link, exact) = self.link_of(cell, bytes);
        if exact {
            self.unify(link, value);
        } else {
            self.derive(link, value);
        }
    }

    /// The link of the field at `cell`, made if need be, and whether the access covers exactly the
    /// field (or is of a whole pointer in a collapsed node).
    fn link_of(&mut self, cell: Cell, bytes: i64) -> (Cell, bool) {
        let cell = self.find(cell);
        let start = self.nodes[cell.node].field_at(cell.offset);
        let start = start.expect("invariant: the bytes were touched");
        let link = self.link_at(Cell::new(cell.node, start));
        let node = &self.nodes[cell.node];
        let exact = match node.collapsed {
            true => bytes == i64::from(self.pointer_bytes),
            false => start == cell.offset && node.fields[&start].length == bytes,
        };
        (link, exact)
    }

    /// The link of the field that starts at a representative cell, made if need be.
    pub fn link_at(&mut self, field: Cell) -> Cell {
        if let Some(link) = self.nodes[field.node].fields[&field.offset].link {
            return link;
        }
        let link = self.fresh();
        self.change(field.node);
        let slot = self.nodes[field.node].fields.get_mut(&field.offset);
        slot.expect("invariant: looked up above").link = Some(link);
        link
    }
}
