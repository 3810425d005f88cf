//! Unification, folding into arrays, and collapse.
//!
//! All three only push work on a list; [`Graph::settle`] runs it to the end, so that no chain of
//! unifications recurses.

use super::node::{Field, WHOLE};
use super::{Cell, Collapse, CollapseReason, Flags, Graph, NodeId};

/// A node with more fields than this is collapsed: copies between overlapping structures could
/// otherwise make new fields without end.
pub const MOST_FIELDS: usize = 8192;

/// What remains to be done.
#[derive(Clone, Copy, Debug)]
pub(super) enum Work {
    Unify(Cell, Cell),
    Stride(Cell, i64),
    Collapse(Cell, CollapseReason),
    Derive(Cell, Cell),
}

impl Graph {
    /// Makes two cells one.
    pub fn unify(&mut self, a: Cell, b: Cell) {
        self.pending.push(Work::Unify(a, b));
        self.settle();
    }

    /// Makes the node of a cell an array whose elements are `stride` bytes apart.
    pub fn fold(&mut self, cell: Cell, stride: i64) {
        if stride != 0 {
            self.pending.push(Work::Stride(cell, stride));
            self.settle();
        }
    }

    /// Makes the node of a cell one field.
    pub fn collapse(&mut self, cell: Cell, reason: CollapseReason) {
        self.pending.push(Work::Collapse(cell, reason));
        self.settle();
    }

    /// Integers in `result` are computed from those in `source`, losing the offset.
    pub fn derive(&mut self, result: Cell, source: Cell) {
        self.pending.push(Work::Derive(result, source));
        self.settle();
    }

    pub(super) fn later(&mut self, work: Work) {
        self.pending.push(work);
    }

    pub(super) fn settle(&mut self) {
        while let Some(work) = self.pending.pop() {
            match work {
                Work::Unify(a, b) => self.unify_step(a, b),
                Work::Stride(cell, stride) => self.stride_step(cell, stride),
                Work::Collapse(cell, reason) => self.collapse_step(cell, reason),
                Work::Derive(result, source) => self.derive_step(result, source),
            }
        }
    }

    fn unify_step(&mut self, a: Cell, b: Cell) {
        let (a, b) = (self.find(a), self.find(b));
        if a.node == b.node {
            if a.offset != b.offset {
                self.stride_step(a, a.offset.wrapping_sub(b.offset));
            }
            return;
        }
        let weight = |graph: &Graph, cell: Cell| {
            let node = &graph.nodes[cell.node];
            node.fields.len() + node.sites.len() + node.derived.len()
        };
        let (keep, give) = if weight(self, a) >= weight(self, b) {
            (a, b)
        } else {
            (b, a)
        };
        self.merge(keep, give);
        self.change(keep.node);
    }

    /// The shape, the fields or a link of a node changed.
    pub(super) fn change(&mut self, node: NodeId) {
        self.version += 1;
        self.nodes[node].changed = self.version;
    }

    /// `give`'s node becomes part of `keep`'s.
    fn merge(&mut self, keep: Cell, give: Cell) {
        let delta = keep.offset.wrapping_sub(give.offset);
        let gone = &mut self.nodes[give.node];
        let taken = std::mem::take(gone);
        gone.parent = Some((keep.node, delta));
        let kept = &mut self.nodes[keep.node];
        kept.flags |= taken.flags;
        kept.sites.unite(&taken.sites);
        kept.functions.unite(&taken.functions);
        kept.outer_stride = gcd(kept.outer_stride, taken.outer_stride);
        kept.outer_sites.unite(&taken.outer_sites);
        kept.outer_functions.unite(&taken.outer_functions);
        for &source in taken.derived.iter() {
            let source = self.find(Cell::new(source, 0)).node;
            self.nodes[keep.node].derived.insert(source);
        }
        if let Some(extent) = taken.bulk {
            self.add_bulk(Cell::new(keep.node, delta), extent);
        }
        let origin = Cell::new(keep.node, 0);
        if taken.collapsed {
            self.collapse_step(origin, CollapseReason::Inherited);
        } else if taken.stride != 0 {
            self.stride_step(origin, taken.stride);
        }
        for (start, field) in taken.fields {
            let length = field.length;
            self.insert_field(
                Cell::new(keep.node, start.wrapping_add(delta)),
                length,
                field,
            );
        }
        self.activate(keep.node);
    }

    fn stride_step(&mut self, cell: Cell, stride: i64) {
        let root = self.find(cell).node;
        let node = &mut self.nodes[root];
        if node.collapsed {
            return;
        }
        let stride = gcd(node.stride, stride);
        if stride == node.stride {
            return;
        }
        node.stride = stride;
        node.bulk = node.bulk.map(|extent| extent.within(stride));
        let fields = std::mem::take(&mut node.fields);
        self.change(root);
        for (start, field) in fields {
            let length = field.length;
            self.insert_field(Cell::new(root, start), length, field);
        }
    }

    fn collapse_step(&mut self, cell: Cell, reason: CollapseReason) {
        let root = self.find(cell).node;
        let node = &mut self.nodes[root];
        if node.collapsed {
            return;
        }
        node.collapsed = true;
        node.stride = 0;
        let fields = std::mem::take(&mut node.fields);
        // What holds nothing loses nothing: most integers are such.
        if !fields.is_empty() || !node.sites.is_empty() {
            let span = self.span;
            self.collapses.push(Collapse {
                node: root,
                reason,
                span,
            });
        }
        self.change(root);
        for (start, field) in fields {
            let length = field.length;
            self.insert_field(Cell::new(root, start), length, field);
        }
    }

    fn derive_step(&mut self, result: Cell, source: Cell) {
        let (result, source) = (self.find(result).node, self.find(source).node);
        let node = &mut self.nodes[result];
        let settled = node.collapsed && result == source;
        if settled || !node.derived.insert(source) {
            return;
        }
        self.version += 1;
        self.activate(result);
    }

    /// Integers that are used as pointers point to what they were computed from, at any offset.
    pub(super) fn activate(&mut self, node: NodeId) {
        let used = self.nodes[node].flags.contains(Flags::USED_AS_POINTER);
        if !used || self.nodes[node].derived.is_empty() {
            return;
        }
        for &source in std::mem::take(&mut self.nodes[node].derived).iter() {
            let (result, source) = (Cell::new(node, 0), Cell::new(source, 0));
            let reason = CollapseReason::IntegerArithmetic;
            // Done in the other order: first one, then collapsed.
            self.pending.push(Work::Collapse(source, reason));
            self.pending.push(Work::Unify(result, source));
        }
    }

    /// Adds the bytes from `cell` on to the fields of its node, merging what overlaps; the start of
    /// the field that now holds them.
    pub(super) fn insert_field(&mut self, cell: Cell, length: i64, mut field: Field) -> Cell {
        let mut cell = self.find(cell);
        let node = &self.nodes[cell.node];
        let wraps = node.stride > 0 && cell.offset.saturating_add(length) > node.stride;
        if !node.collapsed && (wraps || node.fields.len() > MOST_FIELDS) {
            let reason = match wraps {
                true => CollapseReason::CrossesStride,
                false => CollapseReason::TooManyFields,
            };
            self.collapse_step(cell, reason);
            cell = self.find(cell);
        }
        if self.nodes[cell.node].collapsed {
            field.length = length;
            return self.insert_whole(cell.node, field);
        }
        field.length = length;
        self.insert_range(cell, field)
    }

    /// Into a collapsed node. Links of pointer-sized fields are one: the offset is not known.
    fn insert_whole(&mut self, node: NodeId, field: Field) -> Cell {
        let origin = Cell::new(node, 0);
        let exact = field.length == i64::from(self.pointer_bytes) || field.length == WHOLE;
        let Some(mut whole) = self.nodes[node].fields.remove(&0) else {
            self.change(node);
            let mut field = field;
            field.length = WHOLE;
            if let (Some(link), false) = (field.link, exact) {
                field.link = Some(self.content_derived_both_ways(link));
            }
            self.nodes[node].fields.insert(0, field);
            return origin;
        };
        let changes = self.absorb(&mut whole, &field, exact);
        whole.length = WHOLE;
        self.nodes[node].fields.insert(0, whole);
        if changes {
            self.change(node);
        }
        origin
    }

    fn content_derived_both_ways(&mut self, link: Cell) -> Cell {
        let content = self.fresh();
        self.later(Work::Derive(content, link));
        self.later(Work::Derive(link, content));
        content
    }

    fn insert_range(&mut self, cell: Cell, mut field: Field) -> Cell {
        let (mut from, mut to) = (cell.offset, cell.offset + field.length);
        let mut found = self.nodes[cell.node].overlapping(from, to);
        // Within a field there is already.
        if let [start] = found[..]
            && start <= from
            && to <= start.saturating_add(self.nodes[cell.node].fields[&start].length)
        {
            let own = self.nodes[cell.node].fields.get_mut(&start);
            let mut around = std::mem::take(own.expect("invariant: found above"));
            let exact = start == from && around.length == field.length;
            let changes = self.absorb(&mut around, &field, exact);
            self.nodes[cell.node].fields.insert(start, around);
            if changes {
                self.change(cell.node);
            }
            return Cell::new(cell.node, start);
        }
        self.change(cell.node);
        // Existing fields do not overlap each other, so one pass finds the whole range.
        for start in &found {
            from = from.min(*start);
            to = to.max(start + self.nodes[cell.node].fields[start].length);
        }
        // The field that reaches furthest keeps its place as the one that absorbs.
        for start in found.drain(..) {
            if let Some(old) = self.nodes[cell.node].fields.remove(&start) {
                let exact = old.length == field.length && start == cell.offset;
                self.absorb(&mut field, &old, exact);
            }
        }
        field.length = to - from;
        self.nodes[cell.node].fields.insert(from, field);
        Cell::new(cell.node, from)
    }

    /// Adds what is known of `other` to `field`. Links unify if the two have the same bytes, else
    /// what is read from one may be computed from what was stored in the other. Whether the field
    /// itself changed.
    fn absorb(&mut self, field: &mut Field, other: &Field, exact: bool) -> bool {
        let mut changes = false;
        for kind in other.accesses.iter() {
            changes |= field.accesses.insert(kind);
        }
        match (field.link, other.link) {
            (_, None) => {}
            (None, Some(link)) => {
                changes = true;
                field.link = Some(match exact {
                    true => link,
                    false => self.content_derived_both_ways(link),
                });
            }
            (Some(a), Some(b)) if exact => self.later(Work::Unify(a, b)),
            (Some(a), Some(b)) => {
                self.later(Work::Derive(a, b));
                self.later(Work::Derive(b, a));
            }
        }
        changes
    }
}

/// Greatest common divisor; 0 with anything is the other.
pub fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}
