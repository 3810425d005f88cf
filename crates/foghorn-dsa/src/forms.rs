//! The impure and the pure form of a program compared by what they do.
//!
//! Both run on the same inputs and both are watched. They must make the same accesses to the same
//! objects in the same order, with the same values stored; then they leave the same memory behind.
//! They must also end in the same way, print the same and make the same choices. A pure run whose
//! memory values were out of order ends as [`Outcome::Inconsistent`], which is a difference too.
//!
//! A run that is cut off counts as far as it went: devirtualised calls cost a few steps more, so
//! that the two forms are not cut off at the same place.

use crate::Options;
use crate::memory_ssa::plan::purify;
use crate::memory_ssa::start::call_constructors_and_destructors;
use foghorn_core::SpanId;
use foghorn_ir::interpret::{
    Access, Choice, Observed, Observer, Options as RunOptions, Outcome, Pointer, Program,
    RecordedWorld, Run, Seeded, StartError,
};
use foghorn_ir::{Module, Type, verify_module};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Events between two marks of a [`Trace`].
const MARK_EVERY: u64 = 256;

/// Everything that happens to memory, as a hash with marks on the way.
#[derive(Clone, Default)]
pub struct Trace {
    hasher: FxHasher,
    pub events: u64,
    marks: Vec<u64>,
}

impl Trace {
    fn event(&mut self, kind: u8, access: Access, value: Option<Observed>) {
        (kind, access.object, access.offset, access.length).hash(&mut self.hasher);
        match value {
            None => {}
            Some(Observed::Bits(bits)) => bits.hash(&mut self.hasher),
            Some(Observed::Pointer(pointer)) => {
                (pointer.object, pointer.offset).hash(&mut self.hasher);
            }
        }
        self.events += 1;
        if self.events.is_multiple_of(MARK_EVERY) {
            self.marks.push(self.hasher.finish());
        }
    }

    fn end(&self) -> (u64, u64) {
        (self.events, self.hasher.finish())
    }
}

impl Observer for Trace {
    fn read(&mut self, access: Access) {
        self.event(0, access, None);
    }
    fn write(&mut self, access: Access) {
        self.event(1, access, None);
    }
    fn store(&mut self, access: Access, _: Type, value: Observed) {
        self.event(2, access, Some(value));
    }
    fn havoc(&mut self, access: Access) {
        self.event(3, access, None);
    }
    fn determine(&mut self, access: Access, bits: u128) {
        self.event(4, access, Some(Observed::Bits(bits)));
    }
    fn determine_pointer(&mut self, access: Access, pointer: Pointer) {
        self.event(4, access, Some(Observed::Pointer(pointer)));
    }
    fn allocate(&mut self, access: Access, _: SpanId) {
        self.event(5, access, None);
    }
    fn free(&mut self, access: Access) {
        self.event(6, access, None);
    }
}

/// What a comparison showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Events of the impure form's memory.
    pub events: u64,
    pub steps: u64,
    /// Only a beginning was compared: the steps did not suffice.
    pub cut: bool,
    /// What differs, in one line.
    pub difference: Option<String>,
}

struct Execution {
    run: Run,
    world: RecordedWorld,
    trace: Trace,
}

fn execute(module: &Module, steps: Option<u64>) -> Result<Execution, StartError> {
    let options = RunOptions {
        max_steps: steps,
        ..RunOptions::default()
    };
    let mut world = RecordedWorld::with_input("7 words of input\n");
    let mut trace = Trace::default();
    let run =
        Program::new(module).run_observed(&options, &mut Seeded::new(3), &mut world, &mut trace)?;
    Ok(Execution { run, world, trace })
}

/// Runs a module in both forms.
pub fn compare_forms(
    module: &Module,
    options: &Options,
    steps: Option<u64>,
) -> Result<Comparison, StartError> {
    // Objects have numbers, which depend on who calls the constructors.
    let mut changed = module.clone();
    call_constructors_and_destructors(&mut changed);
    let impure = execute(&changed, steps)?;
    purify(&mut changed, options);
    let difference = match verify_module(&changed).first() {
        Some(breach) => Some(format!("the pure form is not valid: {breach}")),
        None => difference(&impure, &execute(&changed, steps)?),
    };
    Ok(Comparison {
        events: impure.trace.events,
        steps: impure.run.steps,
        cut: impure.run.outcome == Outcome::OutOfSteps,
        difference,
    })
}

fn difference(impure: &Execution, pure: &Execution) -> Option<String> {
    let (before, after) = (&impure.run.outcome, &pure.run.outcome);
    if let Outcome::Inconsistent { detail, .. } = after {
        return Some(format!("the memory values are wrong: {detail}"));
    }
    if *before == Outcome::OutOfSteps || *after == Outcome::OutOfSteps {
        let memory = agree(&impure.trace.marks, &pure.trace.marks);
        let output = agree(&impure.world.output, &pure.world.output);
        let choices = agree(&impure.run.choices, &pure.run.choices);
        return what(memory, output && choices);
    }
    if ending(before) != ending(after) {
        return Some(format!("one ends as {before:?}, the other as {after:?}"));
    }
    let memory = impure.trace.end() == pure.trace.end();
    let world = impure.world.output == pure.world.output
        && impure.world.errors == pure.world.errors
        && choices(impure) == choices(pure);
    what(memory, world)
}

fn choices(execution: &Execution) -> &[Choice] {
    &execution.run.choices
}

fn what(memory: bool, world: bool) -> Option<String> {
    match (memory, world) {
        (true, true) => None,
        (false, _) => Some("what happens to memory is not the same".into()),
        (true, false) => Some("output or choices are not the same".into()),
    }
}

/// Whether one list goes on where the other ends.
fn agree<T: PartialEq>(a: &[T], b: &[T]) -> bool {
    let length = a.len().min(b.len());
    a[..length] == b[..length]
}

/// How a run ended, as far as it must not depend on the form. Stacks name the caller of
/// constructors, and messages the way in which a call was wrong.
fn ending(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Failed(failure) => format!("{} {:?}", failure.kind, failure.span),
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_ir::parse_module;

    /// Two stores, whose values and order the tests vary; then a loop without end.
    fn program(first: &str, second: &str) -> Module {
        let text = format!(
            "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\nfunction @main() -> i32 {{\nblock0:\n  \
             v0:ptr = allocate heap 8, align 16\n  v1:ptr = pointer-add v0 + 4\n  {first}\n  {second}\n  \
             jump block1\nblock1:\n  v2:i32 = load v0, align 4\n  store v2 to v1, align 4\n  jump block1\n}}\n"
        );
        parse_module(&text).expect("it parses")
    }

    #[test]
    fn a_beginning_is_compared() {
        let module = program("store 1:i32 to v0, align 4", "store 2:i32 to v1, align 4");
        let comparison = compare_forms(&module, &Options::default(), Some(10_000));
        let comparison = comparison.expect("it starts");
        assert!(
            comparison.cut && comparison.events > 1_000,
            "{comparison:?}"
        );
        assert_eq!(comparison.difference, None);
    }

    #[test]
    fn other_values_and_other_orders_are_noticed() {
        let run =
            |first, second| execute(&program(first, second), Some(10_000)).expect("it starts");
        let (one, two) = ("store 1:i32 to v0, align 4", "store 2:i32 to v1, align 4");
        let original = run(one, two);
        assert_eq!(difference(&original, &run(one, two)), None);
        assert!(difference(&original, &run(two, one)).is_some());
        let other = run(one, "store 3:i32 to v1, align 4");
        assert!(difference(&original, &other).is_some());
    }
}
