//! What an answer rests on, the same for every engine.

use super::outside::Outside;
use super::start;
use crate::arguments::ProgramArguments;
use foghorn_core::{Assumption, AssumptionKind, CheckKind, CheckSelection};
use foghorn_ir::{AllocationKind, Instruction, Module};

/// What is asked of a program, as far as it decides what is assumed.
#[derive(Clone, Copy)]
pub struct Circumstances<'m> {
    pub module: &'m Module,
    pub checks: &'m CheckSelection,
    /// Whether misaligned accesses are reported.
    pub misaligned: bool,
    /// Whether allocations can fail.
    pub malloc_may_fail: bool,
    pub outside: &'m Outside,
    /// The program as the engines see it.
    pub pure: &'m Module,
    /// How the program is started.
    pub program: &'m ProgramArguments,
}

/// What an engine noticed on its way.
pub struct Noticed<'a> {
    /// Functions without a body that are called.
    pub external_calls: Vec<&'a str>,
    /// Integers become pointers to objects.
    pub addresses_as_pointers: bool,
    /// `main` was given no arguments.
    pub fixed_arguments: bool,
}

impl Circumstances<'_> {
    pub fn assumptions(&self, noticed: &Noticed<'_>) -> Vec<Assumption> {
        let of_checks = self.checks.assumptions().into_iter();
        let mut assumptions: Vec<Assumption> = of_checks.map(Assumption::from).collect();
        assumptions.extend(self.outside.assumptions(&noticed.external_calls));
        let further = [
            (
                AssumptionKind::Misaligned,
                !self.misaligned && self.checks.contains(CheckKind::Misaligned),
            ),
            (
                AssumptionKind::AllocationsSucceed,
                !self.malloc_may_fail && self.allocates(),
            ),
            (
                AssumptionKind::UnrelatedIntegers,
                noticed.addresses_as_pointers,
            ),
            (AssumptionKind::NoArguments, noticed.fixed_arguments),
        ];
        let further = further.into_iter().filter(|(_, is_made)| *is_made);
        assumptions.extend(further.map(|(kind, _)| Assumption::from(kind)));
        assumptions.extend(start::of_program(self.module, self.pure, self.program));
        assumptions
    }

    /// Whether anything in the program takes memory from the heap.
    fn allocates(&self) -> bool {
        let bodies = self.module.functions.values();
        let mut instructions = bodies
            .filter_map(|function| function.body.as_ref())
            .flat_map(|body| body.instructions.values());
        instructions.any(|data| {
            let kind = AllocationKind::Heap;
            matches!(data.instruction, Instruction::Allocate { kind: own, .. } if own == kind)
        })
    }
}
