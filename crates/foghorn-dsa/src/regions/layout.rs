//! Layouts of regions, which agree along bindings and copies.

use super::{AccessRole, FunctionRegions, RegionInfo};
use crate::graph::AccessKind;
use cranelift_entity::{EntityRef, SecondaryMap};
use foghorn_ir::{Cell as CellLayout, FunctionId, Module, RegionId};
use std::collections::BTreeSet;

/// Classes of regions that must have one layout: union-find over all regions of all functions.
struct Classes {
    first: SecondaryMap<FunctionId, usize>,
    parent: Vec<usize>,
}

impl Classes {
    fn index(&self, function: FunctionId, region: RegionId) -> usize {
        self.first[function] + region.index()
    }

    fn find(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    fn union(&mut self, a: usize, b: usize) {
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
        let layout = layout(&infos, pointer);
        for (function, region) in class {
            regions[function].regions[region].cell = layout;
        }
    }
}

fn classes(module: &Module, regions: &SecondaryMap<FunctionId, FunctionRegions>) -> Classes {
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

/// The finest layout in which every access of the class is of whole cells.
fn layout<'a>(infos: &(impl Iterator<Item = &'a RegionInfo> + Clone), pointer: i64) -> CellLayout {
    let kinds: BTreeSet<AccessKind> = infos.clone().flat_map(|info| info.kinds.clone()).collect();
    let widths: BTreeSet<i64> = kinds
        .iter()
        .map(|kind| match kind {
            AccessKind::Int { bytes } | AccessKind::Float { bytes } => i64::from(*bytes),
            AccessKind::Pointer => pointer,
            AccessKind::Raw => 1,
        })
        .collect();
    let pointers = kinds.contains(&AccessKind::Pointer);
    let &[width] = &widths.into_iter().collect::<Vec<_>>()[..] else {
        return CellLayout::Bytes;
    };
    let fits = |info: &RegionInfo| {
        info.length == Some(width) && (info.stride == 0 || info.stride % width == 0)
    };
    let all_fit = infos.clone().all(fits);
    match all_fit && width <= 16 && width.count_ones() == 1 {
        true if kinds.len() == 1 && pointers => CellLayout::Pointer,
        true if !pointers => CellLayout::Word {
            bytes: u32::try_from(width).expect("invariant: at most 16"),
        },
        true | false => CellLayout::Bytes,
    }
}
