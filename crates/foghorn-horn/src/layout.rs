//! What is kept of a region: its cells, and what tells one cell from another.
//!
//! Regions of different functions that calls or copies make one have one layout, the most general of
//! theirs. A region with one cell in each object is told by the object, one with a single object by
//! the offset, and one with a single cell needs neither: it is a scalar.

use crate::form::Track;
use cranelift_entity::{EntityRef, SecondaryMap};
use foghorn_dsa::Site;
use foghorn_dsa::table::RegionTable;
use foghorn_ir::{
    AllocationKind, Callee, Cell, Constant, FunctionId, Instruction, MemoryRole, Module, RegionId,
    ValueDef,
};
use std::collections::{BTreeMap, BTreeSet};

/// What one cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CellKind {
    /// A number of so many bits.
    Number {
        width: u32,
    },
    Pointer,
}

/// How a region is told apart and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub cell: CellKind,
    /// Bytes of a cell.
    pub bytes: u32,
    /// Cells of different objects are different.
    pub by_object: bool,
    /// Cells at different offsets are different.
    pub by_offset: bool,
    /// Every access is of a whole cell; otherwise accesses can overlap in part.
    pub exact: bool,
    /// Where the only cell of an object lies.
    pub start: Option<i64>,
    /// What is loaded is what was stored; otherwise it is any value.
    pub tracked: bool,
    /// The bytes of every object, if they are the same number for all.
    pub size: Option<u64>,
    /// Some object may die while there are pointers to it.
    pub mortal: bool,
    /// Objects that may not be written to.
    pub constants: Vec<foghorn_ir::GlobalId>,
    /// Objects that the outside made may be in it.
    pub environment: bool,
    /// All of its objects are allocated on the heap.
    pub on_heap: bool,
    /// The allocation of its only object.
    pub only: Option<Site>,
}

impl Layout {
    /// For something that each object has once.
    pub fn of_objects(width: u32) -> Layout {
        Layout {
            cell: CellKind::Number { width },
            bytes: width.div_ceil(8),
            by_object: true,
            by_offset: false,
            exact: true,
            start: Some(0),
            tracked: true,
            size: None,
            mortal: true,
            constants: vec![],
            environment: false,
            on_heap: false,
            only: None,
        }
    }

    /// Whether it is one scalar.
    pub fn is_single(&self) -> bool {
        !self.by_object && !self.by_offset
    }
}

/// The layouts of all regions.
#[derive(Clone, Debug, Default)]
pub struct Layouts {
    of: SecondaryMap<FunctionId, Vec<usize>>,
    classes: Vec<Layout>,
}

impl Layouts {
    /// The layouts of a program in pure form.
    pub fn new(module: &Module, regions: &RegionTable, track: Track) -> Self {
        let mut classes = Classes::new(module);
        classes.unite(module);
        let mut layouts: BTreeMap<usize, usize> = BTreeMap::new();
        let mut made = Layouts::default();
        let mut members: Vec<Vec<(FunctionId, RegionId)>> = vec![];
        for (function, data) in module.functions.iter() {
            let Some(body) = &data.body else { continue };
            for region in body.regions.keys() {
                let root = classes.find(classes.first[function] + region.index());
                let number = *layouts.entry(root).or_insert(members.len());
                if number == members.len() {
                    members.push(vec![]);
                }
                members[number].push((function, region));
                made.of[function].push(number);
            }
        }
        let join = |of: &Vec<(FunctionId, RegionId)>| join(module, regions, track, of);
        made.classes = members.iter().map(join).collect();
        made
    }

    /// The layout of a region.
    pub fn get(&self, function: FunctionId, region: RegionId) -> &Layout {
        &self.classes[self.of[function][region.index()]]
    }

    /// All of them.
    pub fn all(&self) -> &[Layout] {
        &self.classes
    }
}

struct Classes {
    first: SecondaryMap<FunctionId, usize>,
    parent: Vec<usize>,
}

impl Classes {
    fn new(module: &Module) -> Self {
        let mut first = SecondaryMap::new();
        let mut count = 0;
        for (function, data) in module.functions.iter() {
            first[function] = count;
            count += data.body.as_ref().map_or(0, |body| body.regions.len());
        }
        Classes {
            first,
            parent: (0..count).collect(),
        }
    }

    fn find(&self, mut at: usize) -> usize {
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
    }

    /// Regions are one through calls and copies.
    fn unite(&mut self, module: &Module) {
        for (function, data) in module.functions.iter() {
            let Some(body) = &data.body else { continue };
            for data in body.instructions.values() {
                let uses = &data.memory;
                if let Instruction::Call {
                    callee: Callee::Direct(callee),
                    ..
                } = data.instruction
                    && let Some(theirs) = &module.functions[callee].body
                {
                    let parameters: Vec<RegionId> = theirs
                        .memory_parameters()
                        .map(|(_, region)| region)
                        .collect();
                    for used in uses {
                        if let MemoryRole::Argument(number) = used.role
                            && let Some(parameter) = parameters.get(number as usize)
                        {
                            let ours = self.first[function] + used.region.index();
                            self.join(ours, self.first[callee] + parameter.index());
                        }
                    }
                }
                let side = |role| uses.iter().filter(move |used| used.role == role);
                let pairs = side(MemoryRole::Destination).zip(side(MemoryRole::Source));
                for (to, from) in pairs {
                    let first = self.first[function];
                    self.join(first + to.region.index(), first + from.region.index());
                }
            }
        }
    }
}

fn join(
    module: &Module,
    regions: &RegionTable,
    track: Track,
    members: &[(FunctionId, RegionId)],
) -> Layout {
    let pointer_bytes = module.layout.pointer_bytes;
    let (mut single, mut one_cell, mut starts) = (true, true, BTreeSet::new());
    let mut sites: BTreeSet<Site> = BTreeSet::new();
    let (mut cells, mut promised) = (BTreeSet::new(), true);
    for &(function, region) in members {
        let body = module.functions[function].body.as_ref();
        let data = &body.expect("invariant: it has regions").regions[region];
        cells.insert(data.likely);
        promised &= data.cell == data.likely && data.cell != Cell::Bytes;
        match regions.of(function, region) {
            Some(facts) => {
                single &= facts.single;
                one_cell &=
                    facts.stride == 0 && facts.length == Some(width(data.likely, pointer_bytes));
                starts.insert(facts.start.known());
                sites.extend(facts.sites.iter().copied());
                if facts.sites.is_empty() {
                    sites.insert(Site::Environment);
                }
            }
            None => {
                (single, one_cell) = (false, false);
                sites.insert(Site::Environment);
            }
        }
    }
    let cell = match (cells.len(), cells.first()) {
        (1, Some(cell)) => *cell,
        _ => Cell::Bytes,
    };
    let exact = promised && cell != Cell::Bytes && cells.len() == 1;
    let kind = match cell {
        Cell::Bytes => CellKind::Number { width: 8 },
        Cell::Word { bytes } => CellKind::Number { width: bytes * 8 },
        Cell::Pointer => CellKind::Pointer,
    };
    let one_cell = one_cell && exact;
    let global = |site: &Site| match site {
        Site::Global(global) => Some(*global),
        Site::Instruction(..) | Site::Environment => None,
    };
    let globals: Vec<_> = sites.iter().filter_map(global).collect();
    let constants = globals
        .iter()
        .copied()
        .filter(|id| module.globals[*id].constant);
    Layout {
        cell: kind,
        bytes: width(cell, pointer_bytes) as u32,
        by_object: !single,
        by_offset: !one_cell,
        exact,
        start: match (one_cell, starts.len(), starts.first()) {
            (true, 1, Some(start)) => *start,
            _ => None,
        },
        tracked: match track {
            Track::Registers => false,
            Track::Pointers => kind == CellKind::Pointer,
            Track::Memory => true,
        },
        size: common_size(module, &sites),
        mortal: sites.iter().any(|site| is_mortal(module, regions, *site)),
        constants: constants.collect(),
        environment: sites.contains(&Site::Environment),
        on_heap: sites.iter().all(|site| is_on_heap(module, *site)),
        only: match (single, sites.len(), sites.first()) {
            (true, 1, Some(site)) => Some(*site),
            _ => None,
        },
    }
}

fn width(cell: Cell, pointer_bytes: u32) -> i64 {
    i64::from(match cell {
        Cell::Bytes => 1,
        Cell::Word { bytes } => bytes,
        Cell::Pointer => pointer_bytes,
    })
}

/// The size that every object of these sites has.
fn common_size(module: &Module, sites: &BTreeSet<Site>) -> Option<u64> {
    let sizes: Option<BTreeSet<u64>> = sites.iter().map(|site| size(module, *site)).collect();
    let sizes = sizes?;
    (sizes.len() == 1).then(|| sizes.first().copied()).flatten()
}

fn size(module: &Module, site: Site) -> Option<u64> {
    match site {
        Site::Global(global) => Some(module.globals[global].size),
        Site::Environment => None,
        Site::Instruction(function, instruction) => {
            let body = module.functions[function].body.as_ref()?;
            let Instruction::Allocate { size, .. } =
                body.instructions.get(instruction)?.instruction
            else {
                return None;
            };
            match body.as_constant(size)? {
                Constant::Int(bytes) => u64::try_from(bytes).ok(),
                Constant::F32(_)
                | Constant::F64(_)
                | Constant::Null
                | Constant::Global(_)
                | Constant::Function(_) => None,
            }
        }
    }
}

fn is_on_heap(module: &Module, site: Site) -> bool {
    let Site::Instruction(function, instruction) = site else {
        return false;
    };
    let body = module.functions[function].body.as_ref();
    let data = body.and_then(|body| body.instructions.get(instruction));
    data.is_some_and(|data| {
        let heap = AllocationKind::Heap;
        matches!(data.instruction, Instruction::Allocate { kind, .. } if kind == heap)
    })
}

/// Whether objects of a site may die while the program runs.
fn is_mortal(module: &Module, regions: &RegionTable, site: Site) -> bool {
    let (function, instruction) = match site {
        Site::Global(_) => return false,
        Site::Environment => return true,
        Site::Instruction(function, instruction) => (function, instruction),
    };
    let Some(body) = module.functions[function].body.as_ref() else {
        return true;
    };
    let Some(data) = body.instructions.get(instruction) else {
        return true;
    };
    match data.instruction {
        Instruction::Allocate { kind, .. } => match kind {
            AllocationKind::Permanent => false,
            AllocationKind::Heap => !regions.never_frees,
            AllocationKind::Stack => {
                module.entry != Some(function)
                    || body
                        .instructions
                        .values()
                        .any(|data| match data.instruction {
                            Instruction::StackRestore { .. } => true,
                            Instruction::LifetimeStart { pointer }
                            | Instruction::LifetimeEnd { pointer } => !matches!(
                                body.values[pointer].def,
                                ValueDef::Result(made, _) if made != instruction
                            ),
                            _ => false,
                        })
            }
        },
        _ => true,
    }
}
