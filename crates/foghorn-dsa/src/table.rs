//! What the pointer analysis says about the regions of a body in pure form, as data: it can be written
//! down and read by an engine in another process, which never sees the analysis itself.

use crate::{Analysis, Cell, RegionInfo, Site};
use cranelift_entity::{EntityRef as _, SecondaryMap};
use foghorn_ir::graph::{CallGraph, ControlFlowGraph, LoopForest};
use foghorn_ir::{
    AllocationKind, Body, FunctionId, GlobalId, InstId, Instruction, Module, RegionId, Type,
    ValueId,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Where a region begins in its objects. The pointer analysis counts offsets from anywhere, so that
/// a callee that is given the middle of an object does not know where that begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Start {
    /// At this offset.
    Known(i64),
    /// So far from where a parameter points, unless that is null.
    Parameter {
        number: usize,
        shift: i64,
    },
    Unknown,
}

impl Start {
    #[must_use]
    pub fn known(self) -> Option<i64> {
        match self {
            Start::Known(offset) => Some(offset),
            Start::Parameter { .. } | Start::Unknown => None,
        }
    }
}

/// One region of one function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionFacts {
    /// At any time at most one object that is alive lies in it, so that an offset tells the place.
    pub single: bool,
    /// All of its objects are made by allocations of the program.
    pub made_by_program: bool,
    /// An object of it may be born while the function runs.
    pub born_here: bool,
    /// Something in it is declared constant.
    pub constant: bool,
    /// Where it begins in its objects.
    pub start: Start,
    /// The distance of its cells in an array of structures; 0 if it is no such array.
    pub stride: i64,
    /// Bytes of each cell or field, if that is known.
    pub extent: Option<i64>,
    /// Its length, if it is one stretch of bytes in each object.
    pub length: Option<i64>,
    /// What its objects are.
    pub sites: Vec<Site>,
    /// The only global in it, if nothing else is.
    pub global: Option<GlobalId>,
    /// The function reaches a bounded number of its cells (the finite-maps paper, section 4).
    pub finite: bool,
    /// Addresses of its objects are turned into integers.
    pub escapes: bool,
}

impl RegionFacts {
    /// Whether a cell of so many bytes at an offset of its object has bytes of the region.
    #[must_use]
    pub fn touches(&self, offset: u64, bytes: u64) -> bool {
        let (Some(start), Ok(offset)) = (self.start.known(), i64::try_from(offset)) else {
            return true;
        };
        let Some(extent) = self.extent.filter(|_| self.stride > 0) else {
            return true;
        };
        let place = (offset - start).rem_euclid(self.stride);
        place < extent || place.saturating_add_unsigned(bytes) > self.stride
    }
}

/// The regions of all functions; nothing is known of those that are not listed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RegionTable {
    functions: SecondaryMap<FunctionId, Vec<RegionFacts>>,
    /// Each function with all that it may call.
    below: SecondaryMap<FunctionId, BTreeSet<FunctionId>>,
    /// Pointers into objects of which there is only one.
    sole: SecondaryMap<FunctionId, BTreeMap<ValueId, Site>>,
    /// Whether nothing in the program frees objects.
    pub never_frees: bool,
    /// Whether integers become pointers of which only the pointer analysis says where they lead.
    pub addresses_as_pointers: bool,
}

impl RegionTable {
    /// The regions of a module that was brought into the pure form by this analysis.
    #[must_use]
    pub fn new(module: &Module, analysis: &Analysis) -> RegionTable {
        let calls = CallGraph::new(module);
        let mut functions: SecondaryMap<FunctionId, Vec<RegionFacts>> = SecondaryMap::new();
        let (mut sole, mut below_of) = (SecondaryMap::new(), SecondaryMap::new());
        let sites = sole_sites(module, analysis);
        for (id, function) in module.functions.iter() {
            if function.body.is_none() {
                continue;
            }
            let below = below(&calls, id);
            let regions = analysis.function(id).regions.values();
            let facts = regions.map(|info| RegionFacts {
                single: info.singleton || is_one_at_a_time(module, &calls, &info.sites),
                made_by_program: !info.sites.is_empty()
                    && info.sites.iter().all(|site| match site {
                        Site::Instruction(..) => true,
                        Site::Global(_) | Site::Environment => false,
                    }),
                born_here: info.sites.is_empty()
                    || info.sites.iter().any(|site| match site {
                        Site::Global(_) => false,
                        Site::Instruction(maker, _) => below.contains(maker),
                        Site::Environment => true,
                    }),
                sites: info.sites.to_vec(),
                constant: info.sites.iter().any(|site| is_constant(module, *site)),
                start: start(module, analysis, id, info),
                stride: info.stride,
                extent: info.length,
                length: info.length.filter(|_| info.stride == 0),
                global: match info.sites[..] {
                    [Site::Global(global)] => Some(global),
                    _ => None,
                },
                finite: info.finite,
                escapes: info.escapes,
            });
            functions[id] = facts.collect();
            below_of[id] = below;
            sole[id] = sole_objects(module, analysis, id, &sites);
        }
        let never_frees = never_frees(module);
        RegionTable {
            functions,
            below: below_of,
            sole,
            never_frees,
            addresses_as_pointers: !analysis.assumed_conversions(module).is_empty(),
        }
    }

    /// The regions of a function, in the order of its body.
    #[must_use]
    pub fn of_function(&self, function: FunctionId) -> &[RegionFacts] {
        self.functions.get(function).map_or(&[], Vec::as_slice)
    }

    /// Whether two pointers, if they point to objects at all, point into one.
    #[must_use]
    pub fn share_object(&self, function: FunctionId, left: ValueId, right: ValueId) -> bool {
        let Some(sole) = self.sole.get(function) else {
            return false;
        };
        sole.get(&left)
            .is_some_and(|site| sole.get(&right) == Some(site))
    }

    /// Whether a call of `callee` may bring an object of a region of `function` into being.
    #[must_use]
    pub fn may_be_born_in(
        &self,
        function: FunctionId,
        region: RegionId,
        callee: FunctionId,
    ) -> bool {
        let (Some(facts), Some(below)) = (self.of(function, region), self.below.get(callee)) else {
            return true;
        };
        facts.sites.iter().any(|site| match site {
            Site::Global(_) => false,
            Site::Instruction(maker, _) => below.contains(maker),
            Site::Environment => true,
        })
    }

    #[must_use]
    pub fn of(&self, function: FunctionId, region: RegionId) -> Option<&RegionFacts> {
        self.functions.get(function)?.get(region.index())
    }
}

fn start(module: &Module, analysis: &Analysis, function: FunctionId, info: &RegionInfo) -> Start {
    let Some(body) = &module.functions[function].body else {
        return Start::Unknown;
    };
    let here = |cell: &Cell| cell.node == info.key.node;
    if let Some(origin) = origin(body, analysis, function, info).filter(here) {
        return Start::Known(info.key.start - origin.offset);
    }
    if info.stride != 0 || info.length.is_none() {
        return Start::Unknown;
    }
    let params = body.blocks[body.entry].params.iter().enumerate();
    let mut pointers = params.filter(|(_, param)| body.ty(**param) == Type::Ptr);
    let found = pointers.find_map(|(number, param)| {
        let cell = analysis.cell(function, *param).filter(here)?;
        Some(Start::Parameter {
            number,
            shift: info.key.start - cell.offset,
        })
    });
    found.unwrap_or(Start::Unknown)
}

/// The cell of the first byte of the only object, if the function itself names that.
fn origin(
    body: &Body,
    analysis: &Analysis,
    function: FunctionId,
    info: &RegionInfo,
) -> Option<Cell> {
    match info.sites[..] {
        [Site::Global(global)] => {
            let graph = analysis.graph(function)?;
            Some(graph.lookup(*graph.globals.get(&global)?))
        }
        [Site::Instruction(maker, instruction)] if maker == function => {
            let result = body.instructions.get(instruction)?.results.first()?;
            analysis.cell(function, *result)
        }
        _ => None,
    }
}

/// Sites that make at most one object in a run.
fn sole_sites(module: &Module, analysis: &Analysis) -> BTreeSet<Site> {
    let functions = module.functions.keys();
    let regions = functions.flat_map(|id| analysis.function(id).regions.values());
    let single = regions.filter(|info| info.singleton);
    single.flat_map(|info| info.sites.iter().copied()).collect()
}

/// Pointers of a function into objects that are made at most once.
fn sole_objects(
    module: &Module,
    analysis: &Analysis,
    function: FunctionId,
    sites: &BTreeSet<Site>,
) -> BTreeMap<ValueId, Site> {
    let body = module.functions[function].body.as_ref();
    let (Some(body), Some(graph)) = (body, analysis.graph(function)) else {
        return BTreeMap::new();
    };
    let pointers = body.values.iter().filter(|(_, data)| data.ty == Type::Ptr);
    let found = pointers.filter_map(|(value, _)| {
        let cell = analysis.cell(function, value)?;
        match graph.nodes[cell.node].all_sites()[..] {
            [site] if sites.contains(&site) => Some((value, site)),
            _ => None,
        }
    });
    found.collect()
}

fn never_frees(module: &Module) -> bool {
    let bodies = module.functions.values().filter_map(|it| it.body.as_ref());
    let mut instructions = bodies.flat_map(|body| body.instructions.values());
    !instructions.any(|data| matches!(data.instruction, Instruction::Free { .. }))
}

/// A function and all that it may call.
fn below(calls: &CallGraph, function: FunctionId) -> BTreeSet<FunctionId> {
    let mut below = BTreeSet::new();
    let mut pending = vec![function];
    while let Some(function) = pending.pop() {
        if below.insert(function) {
            pending.extend(calls.callees(function));
        }
    }
    below
}

fn is_constant(module: &Module, site: Site) -> bool {
    match site {
        Site::Global(global) => module.globals[global].constant,
        Site::Instruction(..) | Site::Environment => false,
    }
}

/// Whether the objects of a region are those of one allocation on the stack that each call of its
/// function makes once, and the function is active once: then an earlier one is dead when a later
/// one is born, and what is dead is never accessed.
fn is_one_at_a_time(module: &Module, calls: &CallGraph, sites: &[Site]) -> bool {
    let [Site::Instruction(function, instruction)] = sites else {
        return false;
    };
    !calls.is_recursive(*function) && is_made_once(module, *function, *instruction)
}

fn is_made_once(module: &Module, function: FunctionId, instruction: InstId) -> bool {
    let Some(body) = &module.functions[function].body else {
        return false;
    };
    let on_stack = matches!(
        body.instructions[instruction].instruction,
        Instruction::Allocate {
            kind: AllocationKind::Stack,
            ..
        }
    );
    let mut blocks = body.blocks.iter();
    let block = blocks.find(|(_, block)| block.instructions.contains(&instruction));
    let loops = LoopForest::new(&ControlFlowGraph::new(body));
    on_stack && block.is_some_and(|(block, _)| loops.depth(block) == 0)
}
