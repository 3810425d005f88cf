//! What engines and the memory SSA builder ask: regions.
//!
//! A region of a function is a field of a node of its graph: a class of bytes such that accesses
//! of different regions never touch the same byte while one call of the function is active. A
//! function's *memory parameters* are the regions that it or its callees access and that exist
//! outside the call: reachable from parameters, results and globals. Each call binds the callee's
//! memory parameters to regions of the caller, different ones to different ones.
//!
//! The layout of a region agrees with that of every region it is bound to or copied from.

mod access;
mod finite;
mod layout;
mod touched;
pub mod types;

use crate::graph::sorted::SortedSet;
use crate::graph::{AccessKind, Cell, Flags, Graph, Node, NodeId, Site};
use crate::solve::Solution;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use foghorn_ir::{Cell as CellLayout, FunctionId, GlobalContents, InstId, Module, RegionId};
use std::collections::BTreeMap;
use std::sync::Arc;
use types::{Refinement, RefinementCounts, TypeClass};

/// A field of a node: the representative and the field's start; or the part of it that accesses of
/// one type are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegionKey {
    pub node: NodeId,
    pub start: i64,
    pub class: Option<TypeClass>,
}

impl RegionKey {
    /// A whole field.
    pub fn whole(node: NodeId, start: i64) -> Self {
        RegionKey {
            node,
            start,
            class: None,
        }
    }
}

/// A region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionInfo {
    pub key: RegionKey,
    /// For people: the allocation site and the offset. Unique within the function.
    pub name: Arc<str>,
    pub cell: CellLayout,
    /// The cells that all accesses seem made for, by their widths alone.
    pub likely: CellLayout,
    /// Bytes of the field; `None` if the node is collapsed.
    pub length: Option<i64>,
    /// 0 unless the node is an array, here or for a caller: its cells may be multiples of this
    /// apart in one object.
    pub stride: i64,
    /// Everything that may bring an object of the region into being.
    pub sites: SortedSet<Site>,
    /// The region lies in one object that is made at most once.
    pub singleton: bool,
    /// The function reaches a bounded number of its cells: finite in the sense of the finite-maps
    /// paper, section 4.
    pub finite: bool,
    /// Addresses of its objects are turned into integers.
    pub escapes: bool,
    /// Types of accesses in this function's graph, or of all accesses in a part of a field.
    pub kinds: Vec<AccessKind>,
    /// Read or written, by the function or its callees.
    pub read: bool,
    pub modified: bool,
}

/// Which side of an instruction an access is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessRole {
    Access,
    /// Of a copy. The n-th destination of an instruction is fed by its n-th source.
    Destination,
    Source,
}

/// A region that an instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionAccess {
    pub region: RegionId,
    pub reads: bool,
    pub writes: bool,
    pub role: AccessRole,
}

/// The regions of the caller for a callee's memory parameters, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallBinding {
    pub callee: FunctionId,
    pub regions: Vec<RegionId>,
}

/// Regions of one function and how its instructions use them.
#[derive(Clone, Debug, Default)]
pub struct FunctionRegions {
    pub regions: PrimaryMap<RegionId, RegionInfo>,
    /// Loads, stores, copies, fills and builtins that access memory, and starts of lives. A range in which nothing but
    /// fills and copies ever happens is in no region.
    pub accesses: BTreeMap<InstId, Vec<RegionAccess>>,
    /// Memory parameters, in a fixed order.
    pub parameters: Vec<RegionId>,
    /// Those of them that the function may modify: its memory results.
    pub modified: Vec<RegionId>,
    /// Calls of functions with bodies: one binding for a direct call, one per possible callee for
    /// an indirect one.
    pub calls: BTreeMap<InstId, Vec<CallBinding>>,
    ids: BTreeMap<RegionKey, RegionId>,
}

impl FunctionRegions {
    /// The region of a field.
    pub fn by_key(&self, key: RegionKey) -> Option<RegionId> {
        self.ids.get(&key).copied()
    }

    /// The regions of a whole field, of which there are several if it is divided by types.
    pub fn of_field(&self, field: RegionKey) -> impl Iterator<Item = RegionId> + '_ {
        let from = RegionKey::whole(field.node, field.start);
        let same = move |key: &RegionKey| (key.node, key.start) == (field.node, field.start);
        let parts = self.ids.range(from..).take_while(move |(key, _)| same(key));
        parts.map(|(_, &region)| region)
    }

    /// Whether two accesses of the function may touch the same byte.
    pub fn may_alias(&self, a: InstId, b: InstId) -> bool {
        let of = |id: InstId| self.accesses.get(&id).into_iter().flatten();
        of(a).any(|first| of(b).any(|second| first.region == second.region))
    }
}

/// The field that holds a cell.
pub fn key_at(graph: &Graph, cell: Cell) -> Option<RegionKey> {
    let cell = graph.lookup(cell);
    let start = graph.nodes[cell.node].field_at(cell.offset)?;
    Some(RegionKey::whole(cell.node, start))
}

/// Regions of all functions, and how fields were divided by types if that was asked for.
pub fn build(
    module: &Module,
    solution: &Solution,
    types: bool,
) -> (
    SecondaryMap<FunctionId, FunctionRegions>,
    Option<RefinementCounts>,
) {
    let mut refinement = Refinement::default();
    let mut regions = build_with(module, solution, &refinement);
    let mut counts = None;
    if types {
        let count = |all: &SecondaryMap<FunctionId, FunctionRegions>| {
            all.values().map(|own| own.regions.len()).sum()
        };
        let before = count(&regions);
        refinement = Refinement::new(module, solution, &regions);
        if !refinement.is_empty() {
            regions = build_with(module, solution, &refinement);
        }
        counts = Some(refinement.counts(before, count(&regions)));
    }
    layout::assign(module, &mut regions);
    (regions, counts)
}

fn build_with(
    module: &Module,
    solution: &Solution,
    refinement: &Refinement,
) -> SecondaryMap<FunctionId, FunctionRegions> {
    let touched = touched::compute(module, solution, refinement);
    let once = touched::functions_run_once(module, solution);
    let mut regions: SecondaryMap<FunctionId, FunctionRegions> = SecondaryMap::new();
    for (function, _) in module.functions.iter().filter(|(_, f)| f.body.is_some()) {
        let described = describe(module, solution, function, refinement, (&touched, &once));
        regions[function] = described;
    }
    for (function, _) in module.functions.iter().filter(|(_, f)| f.body.is_some()) {
        let accesses = access::of_function(module, solution, function, refinement);
        let calls = touched.bindings(solution, function, &regions);
        let own = &mut regions[function];
        own.calls = calls;
        for (id, list) in accesses {
            let with_ids = list.into_iter().map(|access| RegionAccess {
                region: own.ids[&access.key],
                reads: access.reads,
                writes: access.writes,
                role: access.role,
            });
            own.accesses.insert(id, with_ids.collect());
        }
    }
    regions
}

fn describe(
    module: &Module,
    solution: &Solution,
    function: FunctionId,
    refinement: &Refinement,
    (touched, once): (&touched::Touched, &touched::Once),
) -> FunctionRegions {
    let graph = solution.graph_of(function);
    let group = solution.group_of[function].expect("invariant: has a body");
    let finite = finite::finite_nodes(module, solution, function);
    let mut result = FunctionRegions::default();
    let mut names: BTreeMap<String, u32> = BTreeMap::new();
    for (&key, &usage) in &touched.of[function] {
        let node = &graph.nodes[key.node];
        let field = &node.fields[&key.start];
        let mut name = name(module, graph, key);
        if let Some(ty) = refinement.type_name(key) {
            name = format!("{name}:{ty}");
        }
        let count = names.entry(name.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            name = format!("{name}~{count}");
        }
        let id = result.regions.push(RegionInfo {
            key,
            name: name.into(),
            cell: CellLayout::Bytes,
            likely: CellLayout::Bytes,
            length: (!node.collapsed).then_some(field.length),
            stride: node.distance(),
            sites: node.all_sites(),
            singleton: once.is_singleton(node),
            finite: finite.contains(&key.node),
            escapes: node.flags.contains(Flags::PTR_TO_INT),
            kinds: match refinement.kinds(group, key) {
                None => field.accesses.iter().collect(),
                Some(kinds) => kinds_of_part(module, node, kinds),
            },
            read: usage.reads,
            modified: usage.writes,
        });
        result.ids.insert(key, id);
        if touched.is_parameter(function, key) {
            result.parameters.push(id);
            if usage.writes {
                result.modified.push(id);
            }
        }
    }
    result
}

/// What a part of a field holds: what is accessed, and addresses that initialisers may put there.
fn kinds_of_part(module: &Module, node: &Node, accessed: &[AccessKind]) -> Vec<AccessKind> {
    let mut kinds = accessed.to_vec();
    let sites = node.all_sites();
    let addresses = sites.iter().any(|site| match site {
        Site::Global(global) => match &module.globals[*global].contents {
            GlobalContents::Initialised(initial) => !initial.relocations.is_empty(),
            GlobalContents::External => false,
        },
        Site::Instruction(..) | Site::Environment => false,
    });
    if addresses && !kinds.contains(&AccessKind::Pointer) {
        kinds.push(AccessKind::Pointer);
    }
    kinds
}

/// The name of the first allocation site and the offset, as `list.8` or `buffer[]`.
fn name(module: &Module, graph: &Graph, key: RegionKey) -> String {
    let node = &graph.nodes[key.node];
    let base = match node.first_site() {
        Some(Site::Global(global)) => module.globals[global].name.to_string(),
        Some(Site::Instruction(function, id)) => {
            let data = &module.functions[function];
            let named = data.body.as_ref().and_then(|body| {
                let result = body.instructions[id].results.first()?;
                body.values[*result].name.clone()
            });
            match named {
                Some(name) => format!("{}.{name}", data.name),
                None => format!("{}.alloc{}", data.name, id.index()),
            }
        }
        Some(Site::Environment) => "environment".to_owned(),
        None => "object".to_owned(),
    };
    let array = if node.stride > 0 { "[]" } else { "" };
    match (node.collapsed, key.start) {
        (true, _) => base,
        (false, 0) => format!("{base}{array}"),
        (false, start) => format!("{base}{array}+{start}"),
    }
}
