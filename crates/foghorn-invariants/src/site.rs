//! Check sites: what the report lists, and what engines hand on to each other.
//!
//! An obligation is a claim at one place of one function. A site is a claim of the *program*: what
//! happens inside a model of a library function is said of the call of the model, for all
//! functions that the model calls in turn. A site is proved if each of its obligations is.

use std::collections::{BTreeMap, BTreeSet};

use foghorn_absint::analysis::checker::CheckStatus;
use foghorn_core::{CheckSelection, SiteKind, SpanId};
use foghorn_ir::graph::CallGraph;
use foghorn_ir::interpret::ProgramPoint;
use foghorn_ir::{AllocationKind, Body, Callee, FunctionId, InstId, Instruction, Module};
use foghorn_transform::site_checks;

use crate::analysis::CheckResult;
use crate::obligation::ObligationKind;

/// The site that an obligation belongs to.
fn site_of(kind: ObligationKind) -> SiteKind {
    match kind {
        ObligationKind::Check(kind) => SiteKind::Explicit(kind),
        ObligationKind::Access { .. } => SiteKind::Dereference,
        ObligationKind::Alignment => SiteKind::Alignment,
        ObligationKind::Free => SiteKind::Free,
        ObligationKind::Call => SiteKind::Call,
        ObligationKind::PointerOrder => SiteKind::PointerOrder,
        ObligationKind::Leak => SiteKind::Leak,
        ObligationKind::Cleanup => SiteKind::Cleanup,
    }
}

/// Whether a site counts. A call that leads nowhere known always does: what it would do to memory is
/// not in the program.
fn is_selected(kind: SiteKind, checks: &CheckSelection) -> bool {
    kind == SiteKind::Call || checks.contains(kind.representative())
}

/// What is known of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteStatus {
    /// No run comes here.
    Unreached,
    /// It holds in every run.
    Proved,
    /// Neither is known. The obligation by which it stays open is given by its number in the list
    /// of results.
    Open(usize),
}

impl SiteStatus {
    #[must_use]
    pub fn is_proved(self) -> bool {
        match self {
            SiteStatus::Unreached | SiteStatus::Proved => true,
            SiteStatus::Open(_) => false,
        }
    }

    fn combine(self, other: SiteStatus) -> SiteStatus {
        match (self, other) {
            (open @ SiteStatus::Open(_), _) | (_, open @ SiteStatus::Open(_)) => open,
            (SiteStatus::Proved, _) | (_, SiteStatus::Proved) => SiteStatus::Proved,
            (SiteStatus::Unreached, SiteStatus::Unreached) => SiteStatus::Unreached,
        }
    }
}

/// A site and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct SiteResult {
    pub kind: SiteKind,
    pub point: ProgramPoint,
    pub span: SpanId,
    pub status: SiteStatus,
}

/// What an obligation contributes.
fn status(result: &CheckResult, index: usize) -> SiteStatus {
    match (result.status, result.kind.is_complete()) {
        (CheckStatus::Unreachable, _) => SiteStatus::Unreached,
        (CheckStatus::Safe, true) => SiteStatus::Proved,
        (CheckStatus::Safe | CheckStatus::Warning | CheckStatus::Error, _) => {
            SiteStatus::Open(index)
        }
    }
}

type ByKind = BTreeMap<SiteKind, SiteStatus>;

fn add(table: &mut ByKind, kind: SiteKind, status: SiteStatus) {
    let entry = table.entry(kind).or_insert(status);
    *entry = entry.combine(status);
}

/// The sites of the functions that the program may call, in the order of the program.
#[must_use]
pub fn sites(module: &Module, results: &[CheckResult], checks: &CheckSelection) -> Vec<SiteResult> {
    let claims = results.iter().enumerate().map(|(index, result)| Claim {
        function: result.function,
        instruction: result.instruction,
        kind: site_of(result.kind),
        status: status(result, index),
    });
    gather(module, claims, checks)
}

/// All sites of the program, whatever an engine knows of them: those that instructions imply and
/// those that the program states.
#[must_use]
pub fn all_sites(module: &Module, checks: &CheckSelection, alignment: bool) -> Vec<SiteResult> {
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
                status: SiteStatus::Open(usize::MAX),
            }));
        }
    }
    gather(module, claims.into_iter(), checks)
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

/// Something that is stated at an instruction.
struct Claim {
    function: FunctionId,
    instruction: InstId,
    kind: SiteKind,
    status: SiteStatus,
}

fn gather(
    module: &Module,
    claims: impl Iterator<Item = Claim>,
    checks: &CheckSelection,
) -> Vec<SiteResult> {
    let reached = reached(module);
    let is_inside = |id: FunctionId| module.functions[id].is_model && module.entry != Some(id);
    let mut of_models: BTreeMap<FunctionId, ByKind> = BTreeMap::new();
    let mut own: BTreeMap<(FunctionId, InstId), ByKind> = BTreeMap::new();
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
        add(table, claim.kind, claim.status);
    }
    for (caller, call, callee) in calls_of_models(module, &reached, &is_inside) {
        for model in models_below(module, callee, &is_inside) {
            let table = own.entry((caller, call)).or_default();
            for (kind, status) in of_models.get(&model).into_iter().flatten() {
                add(table, *kind, *status);
            }
        }
    }
    listed(module, &own)
}

fn listed(module: &Module, own: &BTreeMap<(FunctionId, InstId), ByKind>) -> Vec<SiteResult> {
    let mut all = Vec::new();
    for (&(function, instruction), table) in own {
        let body = module.functions[function].body.as_ref();
        let span = body.map_or(SpanId::UNKNOWN, |it| it.instructions[instruction].span);
        for (&kind, &status) in table {
            all.push(SiteResult {
                kind,
                point: ProgramPoint {
                    function,
                    instruction,
                },
                span,
                status,
            });
        }
    }
    all
}

/// The functions that a run of the program may come to, as far as calls tell.
pub(crate) fn reached(module: &Module) -> BTreeSet<FunctionId> {
    let calls = CallGraph::new(module);
    let mut reached: BTreeSet<FunctionId> = BTreeSet::new();
    let mut pending = crate::translate::roots(module);
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
