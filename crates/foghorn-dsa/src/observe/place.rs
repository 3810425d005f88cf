//! Where objects lie in nodes.
//!
//! While a call is active, an object that is no array lies at one place of a node: its byte `x` is
//! the node's offset `x - d`, with one `d` for all accesses. That is what makes a field of one
//! object one cell, which may be overwritten and not only added to. In what is an array, here or
//! for a caller, `d` is one number modulo the stride. Nothing is said of a collapsed node.
//!
//! The pointer's cell tells `d` in the function that accesses. Callers know the field only, so the
//! weaker thing is checked there: all accesses of a field of a node that is no array lie within as
//! many bytes as the field has.

use super::RegionObserver;
use crate::graph::{Cell, NodeId};
use foghorn_ir::RegionId;
use foghorn_ir::interpret::{Access, ObjectId};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What the accesses of one active call tell of the places of objects.
#[derive(Debug, Default)]
pub struct Places {
    displacements: FxHashMap<(ObjectId, NodeId), i64>,
    /// The least range around all accesses of a field, where the node is no array.
    windows: FxHashMap<(ObjectId, RegionId), Range<i64>>,
}

impl RegionObserver<'_> {
    /// Byte `offset` of the object is accessed as `cell` of a representative.
    pub(super) fn check_displacement(&mut self, access: &Access, offset: i64, cell: Cell) {
        let function = access.at.function;
        let (Some(graph), Some(frame)) = (self.analysis.graph(function), self.frames.last_mut())
        else {
            return;
        };
        let node = &graph.nodes[cell.node];
        let displacement = match node.distance() {
            0 => offset - cell.offset,
            stride => (offset - cell.offset).rem_euclid(stride),
        };
        let key = (access.object, cell.node);
        let known = *frame
            .places
            .displacements
            .entry(key)
            .or_insert(displacement);
        if known != displacement {
            let what = format!(
                "{:?} lies at {known} and at {displacement} of one node of {}",
                access.allocation, self.module.functions[function].name
            );
            self.violation(access.at, what);
        }
    }

    /// Bytes of a field are accessed, in the call at a depth or in one that it makes.
    pub(super) fn check_window(
        &mut self,
        access: &Access,
        bytes: &Range<i64>,
        depth: usize,
        field: RegionId,
    ) {
        let frame = &mut self.frames[depth];
        let info = &self.analysis.function(frame.function).regions[field];
        let Some(length) = info.length.filter(|_| info.stride == 0) else {
            return;
        };
        let window = frame
            .places
            .windows
            .entry((access.object, field))
            .or_insert(bytes.clone());
        *window = window.start.min(bytes.start)..window.end.max(bytes.end);
        if window.end - window.start > length {
            let what = format!(
                "bytes {window:?} of {:?} are in region {} of {}, which has {length}",
                access.allocation, info.name, self.module.functions[frame.function].name
            );
            self.violation(access.at, what);
        }
    }
}
