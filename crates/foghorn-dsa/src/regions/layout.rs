//! Layouts of regions, which agree along bindings and copies.

use super::{AccessRole, FunctionRegions, RegionInfo};
use crate::graph::AccessKind;
use cranelift_entity::{EntityRef, SecondaryMap};
use foghorn_ir::{Cell as CellLayout, FunctionId, Module, RegionId};
use std::collections::BTreeSet;

/// Classes of regions that must have one layout: union-find over all regions of all functions.
pub(super) struct Classes {
    first: SecondaryMap<FunctionId, usize>,
    parent: Vec<usize>,
}

impl Classes {
    pub fn index(&self, function: FunctionId, region: RegionId) -> usize {
        self.first[function] + region.index()
    }

    pub fn find(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    pub fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
    }
}

/// Sets the layout of every region.
pub fn assign(module: &Module, regions: &mut SecondaryMap<FunctionId, FunctionRegions>) {
    let mut classes = classes(module, regions);
    let mut members: Vec<Vec<(FunctionId, RegionId)>> = vec![vec![]; classes.parent.len()];
    for function in module.functions.keys() {
        for region in regions[function].regions.keys() {
            let class = classes.find(classes.index(function, region));
            members[class].push((function, region));
        }
    }
    let pointer = i64::from(module.layout.pointer_bytes);
    for class in members {
        let infos = class
            .iter()
            .map(|&(function, region)| &regions[function].regions[region]);
        let likely = by_width(&infos, pointer);
        let cell = if fits(&infos, likely, pointer) {
            likely
        } else {
            CellLayout::Bytes
        };
        for (function, region) in class {
            let info = &mut regions[function].regions[region];
            (info.cell, info.likely) = (cell, likely);
        }
    }
}

/// Regions that are one through calls and copies.
pub(super) fn classes(
    module: &Module,
    regions: &SecondaryMap<FunctionId, FunctionRegions>,
) -> Classes {
    let mut first = SecondaryMap::new();
    let mut count = 0;
    for function in module.functions.keys() {
        first[function] = count;
        count += regions[function].regions.len();
    }
    let mut classes = Classes {
        first,
        parent: (0..count).collect(),
    };
    for function in module.functions.keys() {
        let own = &regions[function];
        for binding in own.calls.values().flatten() {
            let theirs = &regions[binding.callee].parameters;
            for (&parameter, &region) in theirs.iter().zip(&binding.regions) {
                let theirs = classes.index(binding.callee, parameter);
                let ours = classes.index(function, region);
                classes.union(theirs, ours);
            }
        }
        for accesses in own.accesses.values() {
            let side = |role| accesses.iter().filter(move |access| access.role == role);
            let pairs = side(AccessRole::Destination).zip(side(AccessRole::Source));
            for (destination, source) in pairs {
                let to = classes.index(function, destination.region);
                let from = classes.index(function, source.region);
                classes.union(to, from);
            }
        }
    }
    classes
}

/// The cells that all accesses of a class are as wide as. Pointers stay pointers where integers of
/// their width share the place.
fn by_width<'a>(
    infos: &(impl Iterator<Item = &'a RegionInfo> + Clone),
    pointer: i64,
) -> CellLayout {
    let kinds: BTreeSet<AccessKind> = infos.clone().flat_map(|info| info.kinds.clone()).collect();
    let widths: BTreeSet<i64> = kinds
        .iter()
        .map(|kind| match kind {
            AccessKind::Int { bytes } | AccessKind::Float { bytes } => i64::from(*bytes),
            AccessKind::Pointer => pointer,
            AccessKind::Raw => 1,
        })
        .collect();
    let &[width] = &widths.into_iter().collect::<Vec<_>>()[..] else {
        return CellLayout::Bytes;
    };
    match width <= 16 && width.count_ones() == 1 {
        true if kinds.contains(&AccessKind::Pointer) => CellLayout::Pointer,
        true => CellLayout::Word {
            bytes: u32::try_from(width).expect("invariant: at most 16"),
        },
        false => CellLayout::Bytes,
    }
}

/// Whether every access is known to be of a whole cell and what it holds: the fields of the class
/// are such cells.
fn fits<'a>(
    infos: &(impl Iterator<Item = &'a RegionInfo> + Clone),
    cell: CellLayout,
    pointer: i64,
) -> bool {
    let (width, only_pointers) = match cell {
        CellLayout::Bytes => return true,
        CellLayout::Word { bytes } => (i64::from(bytes), false),
        CellLayout::Pointer => (pointer, true),
    };
    infos.clone().all(|info| {
        let mut kinds = info.kinds.iter();
        let in_place = info.length == Some(width) && (info.stride == 0 || info.stride % width == 0);
        in_place && (!only_pointers || kinds.all(|kind| *kind == AccessKind::Pointer))
    })
}
