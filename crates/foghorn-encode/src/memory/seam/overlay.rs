//! Values put together from pieces: what a read sees of a write that it overlaps, and what it sees below.
//!
//! All values are little-endian: byte `i` is bits `8i` to `8i + 7`.

use super::Seam;
use crate::memory::cell::concatenated;
use foghorn_term::{Op, Sort, TermId, TermPool};

/// A write that a read may overlap: at each of these distances, under that condition.
pub(super) struct Overlay {
    /// Cells that are read.
    pub size: u32,
    pub value: TermId,
    /// Cells that are written.
    pub written: u32,
    pub cases: Vec<(TermId, i64)>,
}

/// Bytes `from..to` of a value.
pub(super) fn slice(pool: &mut TermPool, value: TermId, from: u32, to: u32) -> TermId {
    let (mut value, mut from, mut to) = (value, from * 8, to * 8);
    loop {
        match pool.op(value) {
            Op::Extract(_, low) => {
                value = pool.child(value, 0);
                (from, to) = (from + low, to + low);
            }
            Op::Concat => {
                let mut end = pool.width(value);
                let mut inside = None;
                for &part in pool.children(value) {
                    let start = end - pool.width(part);
                    if start <= from && to <= end {
                        inside = Some((part, start));
                    }
                    end = start;
                }
                let Some((part, start)) = inside else { break };
                value = part;
                (from, to) = (from - start, to - start);
            }
            _ => break,
        }
    }
    pool.extract(to - 1, from, value)
}

/// What a read of `size` bytes sees that starts `distance` bytes after a write of `written` bytes, over what is below.
pub(super) fn splice(
    pool: &mut TermPool,
    below: TermId,
    size: u32,
    value: TermId,
    written: u32,
    distance: i64,
) -> TermId {
    let first = u32::try_from((-distance).max(0)).expect("invariant: the accesses overlap");
    let end = i64::from(size).min(i64::from(written) - distance);
    let end = u32::try_from(end).expect("invariant: the accesses overlap");
    let at = |position: u32| {
        u32::try_from(i64::from(position) + distance).expect("invariant: the accesses overlap")
    };
    let mut parts = Vec::new();
    if first > 0 {
        parts.push(slice(pool, below, 0, first));
    }
    parts.push(slice(pool, value, at(first), at(end)));
    if end < size {
        parts.push(slice(pool, below, end, size));
    }
    concatenated(pool, &parts)
}

/// Whether a read at that distance sees nothing but the write.
pub(super) fn covers(size: u32, written: u32, distance: i64) -> bool {
    distance >= 0 && distance + i64::from(size) <= i64::from(written)
}

impl Seam {
    /// The value of a read over a write, given what is below.
    pub(super) fn overlaid(
        &mut self,
        pool: &mut TermPool,
        overlay: &Overlay,
        below: TermId,
    ) -> TermId {
        let mut result = below;
        for &(condition, distance) in overlay.cases.iter().rev() {
            let seen = self.seen(pool, overlay, below, distance);
            result = pool.ite(condition, seen, result);
        }
        result
    }

    fn seen(
        &mut self,
        pool: &mut TermPool,
        overlay: &Overlay,
        below: TermId,
        distance: i64,
    ) -> TermId {
        if overlay.size == overlay.written && distance == 0 {
            return overlay.value;
        }
        let (size, written) = (overlay.size, overlay.written);
        let seen = splice(pool, below, size, overlay.value, written, distance);
        self.simplifier.rewrite(pool, seen)
    }

    /// The value of that many cells all of which hold `cell`.
    pub(super) fn repeated(&mut self, pool: &mut TermPool, cell: TermId, size: u32) -> TermId {
        if size == 1 {
            return cell;
        }
        debug_assert!(matches!(pool.sort(cell), Sort::BitVec(8)));
        concatenated(pool, &vec![cell; size as usize])
    }
}
