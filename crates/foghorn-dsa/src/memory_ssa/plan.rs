//! Plans from the pointer analysis, and the whole way from the impure to the pure form.

use super::start::call_constructors_and_destructors;
use super::{Plan, PlannedUse, Sabotage, construct};
use crate::regions::{AccessRole, FunctionRegions, RegionAccess};
use crate::{Analysis, Options, analyse};
use foghorn_ir::{
    Body, Callee, Cell, FunctionId, InstId, Instruction, Interface, MemoryRole, Module, Region,
    RegionId, verify_module,
};

/// Brings a module into the pure form. Indirect calls become tests and direct calls, constructors
/// and destructors calls of the entry. The analysis is that of the module as it is just before its
/// memory becomes values; its regions are those of the bodies, in the same order, with at most one
/// more behind them for accesses through null.
pub fn purify(module: &mut Module, options: &Options) -> Analysis {
    purify_with(module, options, None)
}

/// As [`purify`], with a mistake.
pub fn purify_with(module: &mut Module, options: &Options, sabotage: Option<Sabotage>) -> Analysis {
    let analysis = resolve_calls(module, options);
    let plans: Vec<_> = module
        .functions
        .iter()
        .filter_map(|(id, function)| {
            let body = function.body.as_ref()?;
            Some((id, plan(body, analysis.function(id), &analysis)))
        })
        .collect();
    for (id, plan) in plans {
        if let Some(body) = &mut module.functions[id].body {
            construct(body, &plan, sabotage);
        }
    }
    if cfg!(debug_assertions) && sabotage.is_none() {
        let breaches = verify_module(module);
        let text: Vec<String> = breaches.iter().map(ToString::to_string).collect();
        let text = text.join("\n");
        assert!(text.is_empty(), "invariant: the pure form is valid\n{text}");
    }
    analysis
}

/// The first step to the pure form: indirect calls become tests and direct calls, constructors and destructors calls
/// of the entry. Instructions have the numbers that they keep in the pure form.
pub fn resolve_calls(module: &mut Module, options: &Options) -> Analysis {
    call_constructors_and_destructors(module);
    let mut analysis = analyse(module, options);
    if crate::devirtualise::devirtualise(module, &analysis) > 0 {
        analysis = analyse(module, options);
    }
    analysis
}

/// The plan of one function, given the regions of all.
pub fn plan(body: &Body, regions: &FunctionRegions, analysis: &Analysis) -> Plan {
    let mut plan = Plan::default();
    for (id, info) in regions.regions.iter() {
        plan.regions.push(Region {
            name: info.name.clone(),
            cell: info.cell,
            likely: info.likely,
            typed: info.key.class.is_some(),
            interface: interface(regions, id),
        });
    }
    plan.parameters = regions.parameters.clone();
    let mut nowhere = None;
    for block in body.blocks.values() {
        for &id in &block.instructions {
            let uses = match &body.instructions[id].instruction {
                Instruction::Call {
                    callee: Callee::Direct(callee),
                    ..
                } => arguments(regions, id, *callee, analysis),
                instruction => {
                    let accesses = regions.accesses.get(&id).map_or(&[][..], Vec::as_slice);
                    let uses = accessed(instruction, accesses);
                    through_null(instruction, uses, &mut plan, &mut nowhere)
                }
            };
            if !uses.is_empty() {
                plan.uses.insert(id, uses);
            }
        }
    }
    plan
}

fn interface(regions: &FunctionRegions, region: RegionId) -> Interface {
    match (
        regions.parameters.contains(&region),
        regions.modified.contains(&region),
    ) {
        (true, true) => Interface::Modified,
        (true, false) => Interface::Read,
        (false, _) => Interface::Local,
    }
}

/// One use for each memory parameter of the callee.
fn arguments(
    regions: &FunctionRegions,
    call: InstId,
    callee: FunctionId,
    analysis: &Analysis,
) -> Vec<PlannedUse> {
    let theirs = analysis.function(callee);
    let bindings = regions.calls.get(&call).into_iter().flatten();
    let bound = bindings.flat_map(|binding| &binding.regions);
    let pairs = (0..).zip(bound.zip(&theirs.parameters));
    pairs
        .map(|(number, (&region, parameter))| PlannedUse {
            region,
            role: MemoryRole::Argument(number),
            modifies: theirs.modified.contains(parameter),
        })
        .collect()
}

/// The uses of an instruction that accesses memory itself: destinations before sources.
fn accessed(instruction: &Instruction, accesses: &[RegionAccess]) -> Vec<PlannedUse> {
    let single = matches!(
        instruction,
        Instruction::Load { .. } | Instruction::Store { .. }
    );
    let copy = matches!(instruction, Instruction::MemoryCopy { .. });
    let mut uses: Vec<PlannedUse> = vec![];
    for writing in [true, false] {
        for access in accesses.iter().filter(|access| access.writes == writing) {
            let role = match (access.role, access.writes) {
                (AccessRole::Access, _) if single => MemoryRole::Access,
                (AccessRole::Access | AccessRole::Destination, true) => MemoryRole::Destination,
                (AccessRole::Access | AccessRole::Destination, false) | (AccessRole::Source, _) => {
                    MemoryRole::Source
                }
            };
            let planned = PlannedUse {
                region: access.region,
                role,
                modifies: access.writes,
            };
            // Sides of a copy are paired, so that none may be left out.
            if copy || !uses.contains(&planned) {
                uses.push(planned);
            }
        }
    }
    uses
}

/// A load or store that the analysis knows no region for goes through null, and fails. It gets a
/// region that nothing else uses.
fn through_null(
    instruction: &Instruction,
    mut uses: Vec<PlannedUse>,
    plan: &mut Plan,
    nowhere: &mut Option<RegionId>,
) -> Vec<PlannedUse> {
    let modifies = match instruction {
        Instruction::Load { .. } => false,
        Instruction::Store { .. } => true,
        _ => return uses,
    };
    if uses.is_empty() {
        let region = *nowhere.get_or_insert_with(|| {
            plan.regions.push(Region {
                name: "nowhere".into(),
                cell: Cell::Bytes,
                likely: Cell::Bytes,
                typed: false,
                interface: Interface::Local,
            })
        });
        uses.push(PlannedUse {
            region,
            role: MemoryRole::Access,
            modifies,
        });
    }
    uses
}
