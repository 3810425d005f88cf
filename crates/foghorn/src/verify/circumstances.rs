//! What an answer rests on, the same for every engine: from the arguments and the translation.

use super::start;
use crate::arguments::{ProgramArguments, VolatileArgument};
use crate::program;
use foghorn_core::{Assumption, AssumptionKind, CheckKind, CheckSelection};
use foghorn_engine::Circumstances;
use foghorn_frontend::{External, Translation};
use foghorn_ir::{AllocationKind, Instruction, Module, NondetOrigin};
use std::collections::{BTreeMap, BTreeSet};

/// What is asked of a program, as far as it decides what is assumed.
pub struct Asked<'a> {
    pub program: &'a ProgramArguments,
    pub checks: &'a CheckSelection,
    /// Whether misaligned accesses are reported.
    pub misaligned: bool,
}

/// The circumstances of a program; in its pure form it is known who calls whom.
pub fn circumstances(asked: &Asked<'_>, translation: &Translation, pure: &Module) -> Circumstances {
    let of_checks = asked.checks.assumptions().into_iter();
    let module = &translation.module;
    let ordinary_volatile =
        translation.reads_volatile && asked.program.volatile == VolatileArgument::Program;
    let of_options = [
        (AssumptionKind::VolatileByProgram, ordinary_volatile),
        (
            AssumptionKind::Misaligned,
            !asked.misaligned && asked.checks.contains(CheckKind::Misaligned),
        ),
        (
            AssumptionKind::AllocationsSucceed,
            !asked.program.malloc_may_fail && allocates(module),
        ),
    ];
    let of_options = of_options.into_iter().filter(|(_, is_made)| *is_made);
    Circumstances {
        of_checks: of_checks.map(Assumption::from).collect(),
        of_functions: of_functions(asked.program, module),
        of_options: of_options.map(|(kind, _)| kind.into()).collect(),
        of_start: start::of_program(module, pure, asked.program),
        of_translation: translation.assumptions.clone(),
    }
}

/// What is assumed of each function without a body.
fn of_functions(program: &ProgramArguments, module: &Module) -> BTreeMap<String, AssumptionKind> {
    let externals = program::externals(program);
    let kinds = outside_functions(module).into_iter().filter_map(|name| {
        let kind = match externals.of(&name) {
            External::Pure => AssumptionKind::ExternalFunctionsChangeNothing,
            External::Havoc => AssumptionKind::ExternalFunctionsFreeNothing,
            External::Fail => return None,
        };
        Some((name, kind))
    });
    kinds.collect()
}

/// The names of functions whose effects come from outside.
fn outside_functions(module: &Module) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for function in module.functions.values() {
        let Some(body) = &function.body else {
            names.insert(function.name.to_string());
            continue;
        };
        for data in body.instructions.values() {
            if let Instruction::Nondet {
                origin: NondetOrigin::External(name) | NondetOrigin::Change(name),
            } = &data.instruction
            {
                names.insert(name.to_string());
            }
        }
    }
    names
}

/// Whether anything in the program takes memory from the heap.
fn allocates(module: &Module) -> bool {
    let bodies = module.functions.values();
    let mut instructions = bodies
        .filter_map(|function| function.body.as_ref())
        .flat_map(|body| body.instructions.values());
    instructions.any(|data| {
        let kind = AllocationKind::Heap;
        matches!(data.instruction, Instruction::Allocate { kind: own, .. } if own == kind)
    })
}
