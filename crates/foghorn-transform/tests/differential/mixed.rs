//! Mixed semantics through the interpreter: a run of the program fails at a check if and only if a run of the changed
//! program fails at the copy of the check in the entry.
//!
//! From the program to the changed one, each call is taken to return at first. Where that leads into an assumption or a
//! failure outside the entry, the last call is the one that does not return, and the run is made again with a jump there.
//! In the other direction calls fail at random.

use crate::harness::{ByPlace, selections};
use crate::programs;
use foghorn_core::CheckSelection;
use foghorn_ir::interpret::{
    ChoiceRequest, ChoiceSource, Options, Outcome, Program, ProgramPoint, RecordedWorld,
};
use foghorn_ir::sites::SiteTable;
use foghorn_ir::{
    Callee, Constant, FunctionId, Instruction, Module, NondetOrigin, parse_module, verify_module,
};
use foghorn_transform::mixed::{ENTERS, Mixed, MixedOptions, NotMixed, mix};
use std::path::Path;

/// Inputs by place, and which calls fail.
struct Choices<'m> {
    inputs: ByPlace<'m>,
    /// Whether the n-th call that could fail does.
    fails: &'m mut dyn FnMut(usize) -> bool,
    asked: usize,
}

impl ChoiceSource for Choices<'_> {
    fn choose(&mut self, request: &ChoiceRequest<'_>) -> Option<u128> {
        match request.origin {
            NondetOrigin::Input(name) if **name == *ENTERS => {
                self.asked += 1;
                Some(u128::from((self.fails)(self.asked - 1)))
            }
            _ => self.inputs.choose(request),
        }
    }
}

/// How a run ended, as far as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    Failed(String, Option<ProgramPoint>),
    Exited(String, Vec<u8>),
    /// At an assumption.
    Assumed,
    /// Something ran out.
    Cut,
}

/// Runs a program: how it ended, and how many calls could have failed.
fn run(
    module: &Module,
    checks: &CheckSelection,
    seed: u64,
    steps: u64,
    fails: &mut dyn FnMut(usize) -> bool,
) -> (End, usize) {
    let options = Options {
        checks: checks.groups().collect(),
        max_steps: Some(steps),
        max_depth: 2_000,
        max_memory: 64 << 20,
        ..Options::default()
    };
    let mut choices = Choices {
        inputs: ByPlace::new(module, seed),
        fails,
        asked: 0,
    };
    let mut world = RecordedWorld::default();
    let ran = Program::new(module).run(&options, &mut choices, &mut world);
    let ran = ran.expect("the program has an entry with a body");
    let end = match &ran.outcome {
        Outcome::Failed(failure) => {
            let place = module.spans.describe(failure.span);
            End::Failed(format!("{} at {place}", failure.kind), failure.point)
        }
        Outcome::Exited { .. } | Outcome::Aborted { .. } => {
            End::Exited(format!("{:?}", ran.outcome), world.output)
        }
        Outcome::AssumptionViolated { .. } | Outcome::AssumedAway { .. } => End::Assumed,
        Outcome::Unsupported { .. }
        | Outcome::Inconsistent { .. }
        | Outcome::OutOfSteps
        | Outcome::OutOfMemory { .. }
        | Outcome::TooDeep { .. }
        | Outcome::InputExhausted { .. }
        | Outcome::OutOfBudget(_) => End::Cut,
    };
    (end, choices.asked)
}

#[derive(Debug, Default)]
struct Count {
    /// Runs that ended alike.
    same: usize,
    /// Of these, runs that failed inside a call.
    failed: usize,
    /// Failures of the changed program that the original has too.
    back: usize,
    refused: usize,
}

fn mixed(module: &Module, checks: &CheckSelection) -> Result<(Module, Mixed), NotMixed> {
    let sites = SiteTable::new(module, checks, false);
    let points: Vec<ProgramPoint> = sites.iter().map(|(_, site)| site.point).collect();
    let mut changed = module.clone();
    let options = MixedOptions {
        can_fail: &|point| points.contains(&point),
        counts: &|_, kind| checks.contains(kind),
    };
    let mixed = mix(&mut changed, &options)?;
    let breaches = verify_module(&changed);
    assert!(breaches.is_empty(), "{}", breaches[0]);
    Ok((changed, mixed))
}

/// A failure of the changed program in terms of the original one; `None` for one that is not considered.
fn considered(changed: &Module, mixed: &Mixed, end: End) -> Option<End> {
    match end {
        End::Failed(what, Some(point)) if Some(point.function) == changed.entry => {
            Some(End::Failed(what, mixed.original(point)))
        }
        End::Failed(what, None) => Some(End::Failed(what, None)),
        // An object that leaks is named by its allocation, which may be in a function that returned.
        End::Failed(what, Some(point)) if what.starts_with("memory-leak") => {
            Some(End::Failed(what, mixed.original(point)))
        }
        End::Failed(..) | End::Assumed => None,
        other => Some(other),
    }
}

const STEPS: u64 = 20_000;

fn compare(module: &Module, checks: &CheckSelection, count: &mut Count) -> Result<(), String> {
    let (changed, mixed) = match mixed(module, checks) {
        Ok(made) => made,
        Err(NotMixed::NoEntry | NotMixed::Indirect(_) | NotMixed::CalledBack(_)) => {
            count.refused += 1;
            return Ok(());
        }
    };
    for seed in 0..3 {
        let (expected, _) = run(module, checks, seed, STEPS, &mut |_| false);
        if expected == End::Cut {
            continue;
        }
        forwards(&changed, &mixed, checks, (seed, &expected), count)?;
        for other in 0..4 {
            let mut fails =
                |number: usize| (seed * 31 + other * 17 + number as u64 * 7).is_multiple_of(3);
            let (end, _) = run(&changed, checks, seed, 2 * STEPS, &mut fails);
            if let Some(end @ End::Failed(..)) = considered(&changed, &mixed, end) {
                if end != expected {
                    return Err(format!("seed {seed}: {end:?}, but {expected:?}"));
                }
                count.back += 1;
            }
        }
    }
    Ok(())
}

/// A run of the changed program that ends as one of the original does.
fn forwards(
    changed: &Module,
    mixed: &Mixed,
    checks: &CheckSelection,
    (seed, expected): (u64, &End),
    count: &mut Count,
) -> Result<(), String> {
    let mut failing: Vec<usize> = vec![];
    loop {
        let mut fails = |number: usize| failing.contains(&number);
        let (end, asked) = run(changed, checks, seed, 4 * STEPS, &mut fails);
        let found = considered(changed, mixed, end);
        if found.as_ref() == Some(expected) || (found.is_none() && *expected == End::Assumed) {
            count.same += 1;
            count.failed += usize::from(!failing.is_empty());
            return Ok(());
        }
        // Calls behind one that fails are those of its copy.
        match asked.checked_sub(1).filter(|last| !failing.contains(last)) {
            Some(last) if found.is_none() => failing.push(last),
            _ => return Err(format!("seed {seed}: {expected:?}, then {found:?}")),
        }
    }
}

/// Calls through constant pointers as calls.
fn make_direct(module: &mut Module) {
    for body in module
        .functions
        .values_mut()
        .filter_map(|it| it.body.as_mut())
    {
        for id in body.instructions.keys().collect::<Vec<_>>() {
            let callee = match &body.instructions[id].instruction {
                Instruction::Call {
                    callee: Callee::Indirect(pointer),
                    ..
                } => body.as_constant(*pointer),
                _ => None,
            };
            if let (Some(Constant::Function(function)), Instruction::Call { callee, .. }) =
                (callee, &mut body.instructions[id].instruction)
            {
                *callee = Callee::Direct(function);
            }
        }
    }
}

#[test]
fn failures_of_random_programs_are_kept() {
    let mut count = Count::default();
    for seed in 0..crate::cases(120) {
        let mut module = programs::program(seed, 40);
        make_direct(&mut module);
        if seed % 3 != 0 {
            let ids: Vec<FunctionId> = module.functions.keys().collect();
            ids.iter()
                .for_each(|id| module.functions[*id].is_model = false);
        }
        for checks in selections() {
            if let Err(difference) = compare(&module, &checks, &mut count) {
                panic!("program {seed} with --check {checks}\n{difference}");
            }
        }
    }
    eprintln!("{count:?}");
    assert!(count.failed > 20 && count.back > 20, "{count:?}");
}

#[test]
fn failures_of_the_suite_are_kept() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suites/ir");
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .expect("the suite")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "fir"))
        .collect();
    paths.sort();
    let mut count = Count::default();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("readable");
        let module = parse_module(&text).expect("well formed");
        for checks in selections().iter().filter(|_| module.entry.is_some()) {
            if let Err(difference) = compare(&module, checks, &mut count) {
                panic!("{} with --check {checks}\n{difference}", path.display());
            }
        }
    }
    eprintln!("{count:?}");
    assert!(count.same > 100, "{count:?}");
}

/// The program of fig. 2, and recursion of the entry itself.
#[test]
fn each_function_has_one_copy() {
    let text = "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\
        function @main() -> i32 {\nblock0:\n call @p1()\n call @p1()\n\
        v0:i1 = nondet input \"c1\"\n check assertion v0\n\
        v1:i1 = nondet input \"again\"\n branch v1, block1, block2\n\
        block1:\n v2:i32 = call @main()\n jump block2\nblock2:\n return 0:i32\n}\n\
        function @p1() {\nblock0:\n call @p2()\n v0:i1 = nondet input \"c2\"\n check assertion v0\n return\n}\n\
        function @p2() {\nblock0:\n v0:i1 = nondet input \"c3\"\n check assertion v0\n return\n}\n";
    let module = parse_module(text).unwrap_or_else(|error| panic!("{error}"));
    let checks = CheckSelection::default();
    let (changed, made) = mixed(&module, &checks).expect("it is mixed");
    assert_eq!(
        made.copied.len(),
        3,
        "p1, p2 and the entry that is called again"
    );
    let checks_of = |name: &str| {
        let id = changed.function_named(name).expect("the function");
        let body = changed.functions[id].body.as_ref().expect("a body");
        let instructions = body.blocks.values().flat_map(|it| &it.instructions);
        let is_check = |id: &&_| {
            matches!(
                body.instructions[**id].instruction,
                Instruction::Check { .. }
            )
        };
        instructions.filter(is_check).count()
    };
    assert_eq!(checks_of("main"), 4, "its own, and one of each copy");
    for name in ["p1", "p2", "main#again"] {
        assert_eq!(checks_of(name), 0, "{name} only returns");
    }
    let mut count = Count::default();
    compare(&module, &checks, &mut count).unwrap_or_else(|difference| panic!("{difference}"));
}

/// Whether the comparison notices that a program was mixed as if no access and no check could fail in a call.
fn notices_lost_copies(seed: u64) -> bool {
    let mut module = programs::program(seed, 40);
    make_direct(&mut module);
    for id in module.functions.keys().collect::<Vec<_>>() {
        module.functions[id].is_model = false;
    }
    let checks = CheckSelection::default();
    let nothing = MixedOptions {
        can_fail: &|_| false,
        counts: &|_, _| false,
    };
    let mut changed = module.clone();
    let made = mix(&mut changed, &nothing).expect("it is mixed");
    (0..3).any(|seed| {
        let (expected, _) = run(&module, &checks, seed, STEPS, &mut |_| false);
        let mut count = Count::default();
        let given = (seed, &expected);
        expected != End::Cut && forwards(&changed, &made, &checks, given, &mut count).is_err()
    })
}

#[test]
fn a_lost_copy_is_noticed() {
    assert!((0..60).any(notices_lost_copies));
}
