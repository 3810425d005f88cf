//! What a program does, as far as a pass must keep it, and the comparison of two programs.
//!
//! Values that the program does not determine are a function of the seed, of what is asked for and
//! where, so that they do not move when a pass drops a choice that nothing looks at.

use foghorn_core::{CheckGroup, CheckSelection, SpanId};
use foghorn_ir::interpret::{
    ChoiceRequest, ChoiceSource, Options, Outcome, Program, RecordedWorld,
};
use foghorn_ir::{Module, NondetOrigin};
use foghorn_transform::Pass;
use std::collections::HashMap;

/// One run.
#[derive(Debug, PartialEq, Eq)]
pub struct Observed {
    pub outcome: String,
    pub output: Vec<u8>,
    pub choices: Vec<String>,
}

/// Choices by place.
pub struct ByPlace<'m> {
    module: &'m Module,
    seed: u64,
    asked: HashMap<(String, String), u64>,
}

impl<'m> ByPlace<'m> {
    pub fn new(module: &'m Module, seed: u64) -> Self {
        ByPlace {
            module,
            seed,
            asked: HashMap::new(),
        }
    }
}

fn scramble(mut state: u64) -> u64 {
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

fn is_input(origin: &NondetOrigin) -> bool {
    match origin {
        NondetOrigin::Input(_)
        | NondetOrigin::External(_)
        | NondetOrigin::Change(_)
        | NondetOrigin::OverApproximated(_) => true,
        NondetOrigin::Uninitialised(_) | NondetOrigin::Undefined => false,
    }
}

impl ChoiceSource for ByPlace<'_> {
    fn choose(&mut self, request: &ChoiceRequest<'_>) -> Option<u128> {
        // Passes may move or merge what is not an input: it is the same byte everywhere.
        if !is_input(request.origin) {
            let byte = scramble(self.seed) as u8;
            return Some(u128::from_le_bytes([byte; 16]));
        }
        let key = (
            format!("{} {}", request.origin.name(), request.ty),
            self.module.spans.describe(request.span),
        );
        let mut hash = self.seed;
        for byte in key.0.bytes().chain(key.1.bytes()) {
            hash = scramble(hash ^ u64::from(byte)).wrapping_add(0x9e37_79b9_7f4a_7c15);
        }
        let count = self.asked.entry(key).or_default();
        *count += 1;
        hash = scramble(hash.wrapping_add(*count));
        Some(match hash % 4 {
            0 => u128::from(scramble(hash)),
            1 => u128::from(scramble(hash)) | u128::from(hash) << 64,
            2 => u128::from(scramble(hash) % 9).wrapping_neg(),
            _ => u128::from(scramble(hash) % 9),
        })
    }
}

/// Runs a program; `None` if it ran out of something.
pub fn observe(
    module: &Module,
    seed: u64,
    checks: &CheckSelection,
    max_steps: u64,
) -> Option<Observed> {
    let options = Options {
        checks: checks.groups().collect(),
        max_steps: Some(max_steps),
        max_depth: 2_000,
        max_memory: 64 << 20,
        ..Options::default()
    };
    let mut choices = ByPlace::new(module, seed);
    let mut world = RecordedWorld::default();
    let run = Program::new(module).run(&options, &mut choices, &mut world);
    let run = run.expect("the program has an entry with a body");
    let place = |span: SpanId| module.spans.describe(span);
    let outcome = match &run.outcome {
        Outcome::Failed(failure) => {
            let name = |text: &str| text.split('#').next().unwrap_or_default().to_owned();
            let stack = failure.stack.iter();
            let stack: Vec<_> = stack
                .map(|frame| format!("{} {}", name(&frame.function), place(frame.span)))
                .collect();
            let (kind, at) = (failure.kind, place(failure.span));
            format!("{kind} at {at}: {}; {stack:?}", failure.message)
        }
        Outcome::Exited { .. } | Outcome::Aborted { .. } => format!("{:?}", run.outcome),
        Outcome::Unsupported { construct, span } => format!("{construct} at {}", place(*span)),
        Outcome::AssumptionViolated { .. } | Outcome::AssumedAway { .. } => "assumed".to_owned(),
        Outcome::Inconsistent { detail, .. } => panic!("the program is impure: {detail}"),
        Outcome::OutOfSteps
        | Outcome::OutOfMemory { .. }
        | Outcome::TooDeep { .. }
        | Outcome::InputExhausted { .. }
        | Outcome::OutOfBudget(_) => return None,
    };
    let inputs = run.choices.iter().filter(|choice| is_input(&choice.origin));
    let choices = inputs
        .map(|c| {
            format!(
                "{} {} {} {:x}",
                c.origin.name(),
                c.ty,
                place(c.span),
                c.bits
            )
        })
        .collect();
    Some(Observed {
        outcome,
        output: world.output,
        choices,
    })
}

/// How much a comparison compared.
#[derive(Debug, Default, Clone, Copy)]
pub struct Tally {
    /// Runs that ended in both programs.
    pub compared: usize,
    /// Of these, runs that ended at a failing check.
    pub failed: usize,
    /// Runs that were out of steps, memory or depth to begin with.
    pub skipped: usize,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.compared += other.compared;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

/// The selections under which programs are compared.
pub fn selections() -> [CheckSelection; 3] {
    let assertions = [CheckGroup::Assertions].into_iter().collect();
    let memory = [CheckGroup::MemorySafety].into_iter().collect();
    [CheckSelection::default(), assertions, memory]
}

/// Compares two programs on some seeds; the first difference is the error.
pub fn compare(
    before: &Module,
    after: &Module,
    checks: &CheckSelection,
    seeds: std::ops::Range<u64>,
) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for seed in seeds {
        const STEPS: u64 = 60_000;
        let Some(old) = observe(before, seed, checks, STEPS) else {
            tally.skipped += 1;
            continue;
        };
        let new = observe(after, seed, checks, 2 * STEPS + 1_000);
        let Some(new) = new else {
            return Err(format!("seed {seed}: {old:?}, then it does not end"));
        };
        if old != new {
            return Err(format!("seed {seed}: before {old:?}\nafter {new:?}"));
        }
        tally.compared += 1;
        tally.failed += usize::from(old.outcome.contains(" at "));
    }
    Ok(tally)
}

/// Runs passes over a copy of the module and compares.
pub fn differs(
    module: &Module,
    passes: &[Pass],
    checks: &CheckSelection,
    seeds: std::ops::Range<u64>,
) -> Result<Tally, String> {
    let mut after = module.clone();
    for pass in passes {
        (pass.run)(&mut after);
        let breaches = foghorn_ir::verify_module(&after);
        if let Some(breach) = breaches.first() {
            return Err(format!("{} breaks the IR: {breach}", pass.name));
        }
    }
    compare(module, &after, checks, seeds)
}
