//! Check sites (the literature's assertion locations): the one table that every engine, the report and
//! the options speak in.
//!
//! A claim is made at one instruction of one function. A site is a claim of the *program*: what
//! happens inside a model of a library function is said of the call of the model, for all
//! functions that the model calls in turn. A site holds if each of its claims does.
//!
//! The table depends on the program in its pure form and on the selected checks alone, so that a
//! [`SiteId`] means the same for whoever has read the same program.

mod implied;

pub use implied::{end_checks, site_checks};

use crate::body::{Body, InstId};
use crate::graph::CallGraph;
use crate::instruction::{AllocationKind, Callee, Instruction};
use crate::interpret::ProgramPoint;
use crate::module::{FunctionId, Module};
use cranelift_entity::{PrimaryMap, entity_impl};
use foghorn_core::{CheckSelection, SiteKind, SpanId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A site of a [`SiteTable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SiteId(u32);
entity_impl!(SiteId, "site");

/// Where a check is made, and of what kind it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    pub kind: SiteKind,
    pub point: ProgramPoint,
    pub span: SpanId,
}

/// All sites of a program, in its order.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "StoredSites")]
pub struct SiteTable {
    sites: PrimaryMap<SiteId, Site>,
    #[serde(skip_serializing)]
    index: BTreeMap<(SiteKind, ProgramPoint), SiteId>,
}

/// What is written of a [`SiteTable`].
#[derive(Deserialize)]
struct StoredSites {
    sites: PrimaryMap<SiteId, Site>,
}

impl From<StoredSites> for SiteTable {
    fn from(stored: StoredSites) -> Self {
        let sites = stored.sites;
        let index = sites.iter().map(|(id, site)| ((site.kind, site.point), id));
        SiteTable {
            index: index.collect(),
            sites,
        }
    }
}

impl SiteTable {
    /// The sites of the selected checks in the functions that a run may come to: those that
    /// instructions imply and those that the program states.
    pub fn new(module: &Module, checks: &CheckSelection, alignment: bool) -> Self {
        let mut claims = vec![];
        for (function, data) in module.functions.iter() {
            let Some(body) = &data.body else { continue };
            for &instruction in body.blocks.values().flat_map(|block| &block.instructions) {
                let kinds = stated_by(body, &body.instructions[instruction].instruction);
                let kinds = kinds.into_iter();
                let wanted = kinds.filter(|kind| alignment || *kind != SiteKind::Alignment);
                claims.extend(wanted.map(|kind| Claim {
                    function,
                    instruction,
                    kind,
                    status: (),
                }));
            }
        }
        let gathered = gather(module, claims.into_iter(), checks, |(), ()| ());
        let sites = gathered.into_iter().map(|(site, ())| site).collect();
        SiteTable::from(StoredSites { sites })
    }

    pub fn len(&self) -> usize {
        self.sites.len()
    }

    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// The sites in the order of the program.
    pub fn iter(&self) -> impl Iterator<Item = (SiteId, &Site)> {
        self.sites.iter()
    }

    /// The site with that number, if there are so many.
    pub fn get(&self, id: SiteId) -> Option<&Site> {
        self.sites.get(id)
    }

    /// The site of a kind at a place.
    pub fn find(&self, kind: SiteKind, point: ProgramPoint) -> Option<SiteId> {
        self.index.get(&(kind, point)).copied()
    }
}

/// The sites that an instruction is.
fn stated_by(body: &Body, instruction: &Instruction) -> Vec<SiteKind> {
    let mut kinds = vec![];
    match instruction {
        Instruction::Check { kind, .. } => kinds.push(SiteKind::Explicit(*kind)),
        Instruction::Allocate {
            kind: AllocationKind::Heap,
            ..
        } => kinds.extend([SiteKind::Leak, SiteKind::Cleanup]),
        other => {
            for kind in site_checks(body, other) {
                let site = IMPLIED.iter().find(|site| site.admits(*kind));
                kinds.extend(site);
            }
            kinds.sort_unstable();
            kinds.dedup();
        }
    }
    kinds
}

/// The sites that no `check` of the program states.
const IMPLIED: [SiteKind; 5] = [
    SiteKind::Dereference,
    SiteKind::Alignment,
    SiteKind::Free,
    SiteKind::Call,
    SiteKind::PointerOrder,
];

/// Something that is claimed at an instruction, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Claim<S> {
    pub function: FunctionId,
    pub instruction: InstId,
    pub kind: SiteKind,
    pub status: S,
}

/// Whether a site counts. A call that leads nowhere known always does: what it would do to memory is
/// not in the program.
fn is_selected(kind: SiteKind, checks: &CheckSelection) -> bool {
    kind == SiteKind::Call || checks.contains(kind.representative())
}

type ByKind<S> = BTreeMap<SiteKind, S>;

fn add<S: Copy>(table: &mut ByKind<S>, kind: SiteKind, status: S, combine: &impl Fn(S, S) -> S) {
    let entry = table.entry(kind).or_insert(status);
    *entry = combine(*entry, status);
}

/// The sites of claims, in the order of the program, each with what is known of all its claims
/// together.
pub fn gather<S: Copy>(
    module: &Module,
    claims: impl Iterator<Item = Claim<S>>,
    checks: &CheckSelection,
    combine: impl Fn(S, S) -> S,
) -> Vec<(Site, S)> {
    let reached = reached_functions(module);
    let is_inside = |id: FunctionId| module.functions[id].is_model && module.entry != Some(id);
    let mut of_models: BTreeMap<FunctionId, ByKind<S>> = BTreeMap::new();
    let mut own: BTreeMap<(FunctionId, InstId), ByKind<S>> = BTreeMap::new();
    for claim in claims {
        let function = &module.functions[claim.function];
        if !is_selected(claim.kind, checks)
            || !reached.contains(&claim.function)
            || function.handed_over().is_some()
        {
            continue;
        }
        let table = if is_inside(claim.function) {
            of_models.entry(claim.function).or_default()
        } else {
            own.entry((claim.function, claim.instruction)).or_default()
        };
        add(table, claim.kind, claim.status, &combine);
    }
    for (caller, call, callee) in calls_of_models(module, &reached, &is_inside) {
        for model in models_below(module, callee, &is_inside) {
            let table = own.entry((caller, call)).or_default();
            for (kind, status) in of_models.get(&model).into_iter().flatten() {
                add(table, *kind, *status, &combine);
            }
        }
    }
    in_order(module, &own)
}

fn in_order<S: Copy>(
    module: &Module,
    own: &BTreeMap<(FunctionId, InstId), ByKind<S>>,
) -> Vec<(Site, S)> {
    let mut all = Vec::new();
    for (&(function, instruction), table) in own {
        let body = module.functions[function].body.as_ref();
        let span = body.map_or(SpanId::UNKNOWN, |it| it.instructions[instruction].span);
        let point = ProgramPoint {
            function,
            instruction,
        };
        let sites = table.iter();
        all.extend(sites.map(|(&kind, &status)| (Site { kind, point, span }, status)));
    }
    all
}

/// The functions that may be called from outside. In the pure form every call that leads anywhere
/// is direct, so a function whose address is taken is called from within.
#[must_use]
pub fn root_functions(module: &Module) -> Vec<FunctionId> {
    let calls = CallGraph::new(module);
    let entry = module
        .entry
        .and_then(|id| module.functions[id].body.as_ref());
    let is_pure = entry.is_some_and(Body::is_pure);
    let is_root = |id: FunctionId| {
        module.entry.is_none()
            || module.entry == Some(id)
            || module.constructors.contains(&id)
            || module.destructors.contains(&id)
            || (!is_pure && calls.is_address_taken(id))
    };
    let defined = module.functions.iter().filter(|(_, it)| it.body.is_some());
    defined
        .map(|(id, _)| id)
        .filter(|id| is_root(*id))
        .collect()
}

/// The functions that a run of the program may come to, as far as calls tell.
#[must_use]
pub fn reached_functions(module: &Module) -> BTreeSet<FunctionId> {
    let calls = CallGraph::new(module);
    let mut reached: BTreeSet<FunctionId> = BTreeSet::new();
    let mut pending = root_functions(module);
    while let Some(function) = pending.pop() {
        if reached.insert(function) {
            pending.extend(calls.callees(function));
        }
    }
    reached
}

/// The calls by which the program enters models.
fn calls_of_models(
    module: &Module,
    reached: &BTreeSet<FunctionId>,
    is_inside: &dyn Fn(FunctionId) -> bool,
) -> Vec<(FunctionId, InstId, FunctionId)> {
    let mut calls = Vec::new();
    for &caller in reached.iter().filter(|id| !is_inside(**id)) {
        for (instruction, callee) in direct_calls(module, caller) {
            if is_inside(callee) {
                calls.push((caller, instruction, callee));
            }
        }
    }
    calls
}

/// A model and the models that it calls.
fn models_below(
    module: &Module,
    model: FunctionId,
    is_inside: &dyn Fn(FunctionId) -> bool,
) -> BTreeSet<FunctionId> {
    let mut below = BTreeSet::new();
    let mut pending = vec![model];
    while let Some(function) = pending.pop() {
        if below.insert(function) {
            let callees = direct_calls(module, function).into_iter();
            pending.extend(
                callees
                    .map(|(_, callee)| callee)
                    .filter(|it| is_inside(*it)),
            );
        }
    }
    below
}

fn direct_calls(module: &Module, caller: FunctionId) -> Vec<(InstId, FunctionId)> {
    let Some(body) = &module.functions[caller].body else {
        return Vec::new();
    };
    let mut calls = Vec::new();
    for &id in body.blocks.values().flat_map(|it| &it.instructions) {
        if let Instruction::Call {
            callee: Callee::Direct(callee),
            ..
        } = body.instructions[id].instruction
        {
            calls.push((id, callee));
        }
    }
    calls
}
