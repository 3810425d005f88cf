//! Copies of memory.
//!
//! A copy does not make its two sides one. It asks that the copied ranges have the same fields, so
//! that each region of the destination is fed by one region of the source, and that links of
//! corresponding fields are unified. As fields may still appear on either side, copies are kept
//! and applied again whenever one of their sides changed, until nothing does.
//!
//! Copies that lead from a place back to another place of the same node, such as elements moved
//! through a buffer at two distances, would make one field after the other. Such a node is an array
//! ([`super::cycles`]).

use super::unify::gcd;
use super::{Cell, CollapseReason, Extent, Graph};
use crate::options::Sabotage;

/// The two sides of a copy and the versions of their nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Applied {
    sides: (Cell, Cell),
    versions: (u64, u64),
}

/// `length` bytes from `source` to `destination`; `None` if the length is not a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Copy {
    pub destination: Cell,
    pub source: Cell,
    pub length: Option<i64>,
}

impl Graph {
    /// Notes a copy.
    pub fn add_copy(&mut self, destination: Cell, source: Cell, length: Option<i64>) {
        let copy = Copy {
            destination: self.find(destination),
            source: self.find(source),
            length,
        };
        self.add_bulk(destination, Extent::at(0, length));
        self.add_bulk(source, Extent::at(0, length));
        if !self.known_copies.insert(copy) {
            return;
        }
        self.version += 1;
        self.copies.push(copy);
        self.applied.push(None);
    }

    /// Forgets copies that unifications made equal to others.
    fn forget_equal_copies(&mut self) {
        if self.copies.len() < 2 * self.distinct_copies {
            return;
        }
        self.known_copies.clear();
        for mut copy in std::mem::take(&mut self.copies) {
            copy.destination = self.find(copy.destination);
            copy.source = self.find(copy.source);
            if copy.destination != copy.source && self.known_copies.insert(copy) {
                self.copies.push(copy);
            }
        }
        self.applied = vec![None; self.copies.len()];
        self.distinct_copies = self.copies.len().max(16);
    }

    /// Applies all copies until nothing changes.
    pub fn apply_copies(&mut self) {
        if self.sabotage == Some(Sabotage::Copies) {
            return;
        }
        self.forget_equal_copies();
        loop {
            let before = self.version;
            for index in 0..self.copies.len() {
                let state = self.state(self.copies[index]);
                if self.applied[index] == Some(state) {
                    continue;
                }
                let version = self.version;
                self.apply_copy(self.copies[index]);
                self.applied[index] = (self.version == version).then_some(state);
            }
            if self.version == before {
                return;
            }
            self.fold_cycles();
        }
    }

    fn state(&mut self, copy: Copy) -> Applied {
        let (to, from) = (self.find(copy.destination), self.find(copy.source));
        let version = |cell: Cell| self.nodes[cell.node].changed;
        Applied {
            sides: (to, from),
            versions: (version(to), version(from)),
        }
    }

    fn apply_copy(&mut self, copy: Copy) {
        let (to, from) = (self.find(copy.destination), self.find(copy.source));
        if to == from {
            return;
        }
        let Some((to, from)) = self.fit_shapes(to, from, copy.length) else {
            return;
        };
        self.transfer(from, to, copy.length);
        self.transfer(to, from, copy.length);
    }

    /// Brings the two nodes into shapes between which fields correspond one to one. `None` if
    /// nothing remains to be done.
    fn fit_shapes(&mut self, to: Cell, from: Cell, length: Option<i64>) -> Option<(Cell, Cell)> {
        let (a, b) = (&self.nodes[to.node], &self.nodes[from.node]);
        if to.node == from.node {
            let apart = length.is_some_and(|l| (to.offset - from.offset).abs() >= l);
            if a.collapsed {
                return None;
            }
            if !apart || a.stride != 0 {
                self.unify(to, from);
                return None;
            }
            return Some((to, from));
        }
        if a.collapsed != b.collapsed {
            let reason = CollapseReason::CopyOfCollapsed;
            self.collapse(to, reason);
            self.collapse(from, reason);
        } else if a.stride != b.stride {
            let within = |cell: Cell, stride: i64| {
                stride == 0 || length.is_some_and(|length| cell.offset + length <= stride)
            };
            if !within(to, a.stride) || !within(from, b.stride) {
                let stride = gcd(a.stride, b.stride);
                self.fold(to, stride);
                self.fold(from, stride);
            }
        }
        Some((self.find(to), self.find(from)))
    }

    /// Gives the target of a copy (or its source: the relation is the same) the fields of the other
    /// side, with their links.
    fn transfer(&mut self, from: Cell, to: Cell, length: Option<i64>) {
        for start in self.fields_in(from, length) {
            // What was done for the fields before may have changed both nodes.
            let field = Cell::new(from.node, start);
            let field = self.find(field);
            let Some(start) = self.nodes[field.node].field_at(field.offset) else {
                continue;
            };
            let source = &self.nodes[field.node].fields[&start];
            let (size, link) = (source.length, source.link);
            let from = self.find(from);
            let (start, size) = self.part_in(from, length, (start, size));
            let target = to.plus(start.wrapping_sub(from.offset));
            let place = self.touch(target, size, None);
            let Some(link) = link else { continue };
            let start = self.nodes[place.node].field_at(place.offset);
            let start = start.expect("invariant: touched above");
            let other = self.link_at(Cell::new(place.node, start));
            self.unify(other, link);
        }
    }

    /// The part of a field (its start and length) that lies in a range of bytes from `cell` on,
    /// where it is plain which part that is. What lies outside the range is not copied, and fields
    /// that were copied whole would grow with each copy that cuts them.
    pub fn part_in(&self, cell: Cell, length: Option<i64>, field: (i64, i64)) -> (i64, i64) {
        let node = &self.nodes[cell.node];
        let low = cell.offset;
        let high = length.map_or(i64::MAX, |length| low.saturating_add(length));
        if node.collapsed || (node.stride != 0 && high > node.stride) {
            return field;
        }
        let (start, end) = (field.0.max(low), field.0.saturating_add(field.1).min(high));
        if start < end {
            (start, end - start)
        } else {
            field
        }
    }

    /// Starts of the fields that a range of bytes from `cell` on touches.
    pub fn fields_in(&self, cell: Cell, length: Option<i64>) -> Vec<i64> {
        let cell = self.lookup(cell);
        let node = &self.nodes[cell.node];
        if node.collapsed {
            return node.fields.keys().copied().collect();
        }
        let end = length.map_or(i64::MAX, |length| cell.offset.saturating_add(length));
        if node.stride == 0 {
            return node.overlapping(cell.offset, end);
        }
        if end <= node.stride {
            return node.overlapping(cell.offset, end);
        }
        node.fields.keys().copied().collect()
    }
}
