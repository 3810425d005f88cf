//! Making a counterexample shorter and smaller.
//!
//! A person reads the run, so fewer choices (and with them fewer loop iterations) come first,
//! then small values. Each candidate is replayed: it counts only if the same check fails and the
//! run is smaller by [`Measure`]. Chunks are removed from large to small, as in delta debugging,
//! then every value is tried at 0, 1 and by halving its distance to 0; this repeats until nothing
//! helps or the replays are used up. So the result is never worse than what came in, and the
//! number of replays is bounded.
//!
//! A byte that the program reads is small if it is easy to read.
//!
//! Removing a value from the list makes later requests get the values that follow it. A run that
//! asks for more than is left gets zeros, which is what makes removal useful at all.

use crate::stream;
use foghorn_core::CheckKind;
use foghorn_ir::Module;
use foghorn_ir::interpret::{
    Choice, Listed, Options, Outcome, Program, ProgramPoint, RecordedWorld, Run, StartError,
};

/// The check that must fail again: kind, place and instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Target {
    kind: CheckKind,
    place: String,
    point: Option<ProgramPoint>,
}

/// What is smaller is better, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Measure {
    choices: usize,
    /// Sum of the sizes of the values.
    size: u128,
    steps: u64,
}

/// A counterexample after shrinking.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The run of the smallest choices found; its choices replay it.
    pub run: Run,
    /// Runs that were made to find it.
    pub replays: u32,
}

/// Shrinks a failing run with at most so many replays. `None` if the choices do not fail.
pub fn shrink(
    module: &Module,
    options: &Options,
    choices: &[Choice],
    stdin: &[u8],
    replays: u32,
) -> Result<Option<Shrunk>, StartError> {
    let mut search = Search {
        program: Program::new(module),
        options: options.clone(),
        stdin,
        left: replays.max(1),
        made: 0,
    };
    let bits: Vec<u128> = choices.iter().map(|choice| choice.bits).collect();
    let Some(run) = search.run(&bits)? else {
        return Ok(None);
    };
    let Some(target) = search.target(&run) else {
        return Ok(None);
    };
    // A candidate that runs much longer than the original is no improvement.
    search.options.max_steps = Some(run.steps.saturating_mul(2).saturating_add(10_000));
    let mut best = Best { run, target };
    while search.left > 0 && (search.remove(&mut best)? | search.lessen(&mut best)?) {}
    Ok(Some(Shrunk {
        run: best.run,
        replays: search.made,
    }))
}

struct Best {
    run: Run,
    target: Target,
}

impl Best {
    fn bits(&self) -> Vec<u128> {
        self.run.choices.iter().map(|choice| choice.bits).collect()
    }
}

struct Search<'m, 's> {
    program: Program<'m>,
    options: Options,
    stdin: &'s [u8],
    left: u32,
    made: u32,
}

impl Search<'_, '_> {
    /// One replay; zeros where the values do not suffice. `None` if none may be made any more.
    fn run(&mut self, bits: &[u128]) -> Result<Option<Run>, StartError> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        self.made += 1;
        let mut choices = Listed::of_bits(bits.iter().copied()).then_zeros();
        let mut world = RecordedWorld::with_input(self.stdin);
        self.program
            .run(&self.options, &mut choices, &mut world)
            .map(Some)
    }

    fn target(&self, run: &Run) -> Option<Target> {
        match &run.outcome {
            Outcome::Failed(failure) if run.is_trustworthy() => Some(Target {
                kind: failure.kind,
                place: self.program.module().spans.describe(failure.span),
                point: failure.point,
            }),
            Outcome::Failed(_)
            | Outcome::Exited { .. }
            | Outcome::Aborted { .. }
            | Outcome::AssumptionViolated { .. }
            | Outcome::AssumedAway { .. }
            | Outcome::Unsupported { .. }
            | Outcome::InputExhausted { .. }
            | Outcome::OutOfSteps
            | Outcome::OutOfMemory { .. }
            | Outcome::TooDeep { .. }
            | Outcome::OutOfBudget(_)
            | Outcome::Inconsistent { .. } => None,
        }
    }

    /// Whether the candidate is better; then it is the best.
    fn attempt(&mut self, best: &mut Best, bits: &[u128]) -> Result<bool, StartError> {
        let Some(run) = self.run(bits)? else {
            return Ok(false);
        };
        let same = self.target(&run).as_ref() == Some(&best.target);
        let better = same && measure(&run) < measure(&best.run);
        if better {
            best.run = run;
        }
        Ok(better)
    }

    /// Leaves out stretches of values, the long ones first. Whether anything helped.
    fn remove(&mut self, best: &mut Best) -> Result<bool, StartError> {
        let mut helped = false;
        let mut length = best.run.choices.len();
        while length > 0 {
            let mut start = 0;
            while start < best.run.choices.len() && self.left > 0 {
                let mut bits = best.bits();
                let end = (start + length).min(bits.len());
                bits.drain(start..end);
                match self.attempt(best, &bits)? {
                    // The values that followed now stand here.
                    true => helped = true,
                    false => start += length,
                }
            }
            length /= 2;
        }
        Ok(helped)
    }

    /// Makes single values smaller. Whether anything helped.
    fn lessen(&mut self, best: &mut Best) -> Result<bool, StartError> {
        let mut helped = false;
        let mut index = 0;
        while index < best.run.choices.len() && self.left > 0 {
            helped |= self.lessen_one(best, index)?;
            index += 1;
        }
        Ok(helped)
    }

    fn lessen_one(&mut self, best: &mut Best, index: usize) -> Result<bool, StartError> {
        let mut helped = false;
        let choice = best.run.choices.get(index);
        let is_byte = choice.is_some_and(|c| stream::difficulty(&c.origin, c.bits).is_some());
        let small: &[u128] = if is_byte { &stream::READABLE } else { &[0, 1] };
        for &small in small {
            if self.replace(best, index, small)? {
                return Ok(true);
            }
        }
        if is_byte {
            return Ok(false);
        }
        // Towards 0 from either side, in ever smaller steps.
        let mut step = distance(best, index) / 2;
        while step > 0 && self.left > 0 {
            let Some(choice) = best.run.choices.get(index) else {
                break;
            };
            let bits = match is_negative(choice) {
                true => choice.bits.wrapping_add(step),
                false => choice.bits.wrapping_sub(step),
            };
            match self.replace(best, index, bits)? {
                true => {
                    helped = true;
                    step = step.min(distance(best, index));
                }
                false => step /= 2,
            }
        }
        Ok(helped)
    }

    fn replace(&mut self, best: &mut Best, index: usize, value: u128) -> Result<bool, StartError> {
        let mut bits = best.bits();
        match bits.get_mut(index) {
            Some(old) if *old != value => *old = value,
            Some(_) | None => return Ok(false),
        }
        self.attempt(best, &bits)
    }
}

fn distance(best: &Best, index: usize) -> u128 {
    best.run.choices.get(index).map_or(0, size)
}

fn measure(run: &Run) -> Measure {
    let sizes = run.choices.iter().map(size);
    Measure {
        choices: run.choices.len(),
        size: sizes.fold(0, u128::saturating_add),
        steps: run.steps,
    }
}

fn is_negative(choice: &Choice) -> bool {
    let width = choice.ty.int_width().unwrap_or(128);
    width > 1 && choice.bits >> (width - 1) & 1 == 1
}

/// How far a value is from 0, as a signed number; a negative one is a little larger than the
/// positive one of its size.
fn size(choice: &Choice) -> u128 {
    if let Some(difficulty) = stream::difficulty(&choice.origin, choice.bits) {
        return difficulty;
    }
    let width = choice.ty.int_width().unwrap_or(128);
    match is_negative(choice) {
        true => {
            let unused = 128 - width;
            let value = (choice.bits << unused).cast_signed() >> unused;
            value.unsigned_abs().saturating_add(1)
        }
        false => choice.bits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_ir::text::parse_module;

    /// Reads numbers until one is 7 or more and fails there; gives up after a negative one.
    const PROGRAM: &str = "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main
        function @main() -> i32 ! a.c:1 {
        block0:
          jump block1 ! a.c:2:1
        block1:
          v0:i32 = nondet input \"f\" ! a.c:3:1
          v1:i1 = compare slt v0, 0 ! a.c:4:1
          branch v1, block3, block2 ! a.c:4:1
        block2:
          v2:i1 = compare slt v0, 7 ! a.c:5:1
          check assertion v2 ! a.c:5:1
          jump block1 ! a.c:5:1
        block3:
          check assertion false ! a.c:7:1
          return 0:i32 ! a.c:8:1
        }";

    fn shrunk(inputs: &[u128], replays: u32) -> (Vec<u128>, u32) {
        let module = parse_module(PROGRAM).expect("a module");
        let options = Options::default();
        let program = Program::new(&module);
        let mut source = Listed::of_bits(inputs.iter().copied());
        let run = program.run(&options, &mut source, &mut RecordedWorld::default());
        let choices = run.expect("starts").choices;
        let shrunk = shrink(&module, &options, &choices, b"", replays).expect("starts");
        let shrunk = shrunk.expect("fails");
        let Outcome::Failed(failure) = &shrunk.run.outcome else {
            panic!("{:?}", shrunk.run.outcome);
        };
        let line = module.spans.span(failure.span).line;
        let bits = shrunk.run.choices.iter().map(|choice| choice.bits);
        (bits.collect(), line)
    }

    #[test]
    fn fewest_choices_then_small_values() {
        let long: Vec<u128> = (0..40).map(|i| i % 7).chain([1_000_000]).collect();
        assert_eq!(shrunk(&long, 1000), (vec![7], 5));
    }

    #[test]
    fn the_same_check_fails() {
        assert_eq!(
            shrunk(&[1, 2, 3, 0x8000_0000], 1000),
            (vec![0xffff_ffff], 7)
        );
    }

    #[test]
    fn the_number_of_replays_is_bounded() {
        let long: Vec<u128> = (0..40).map(|i| i % 7).chain([1_000_000]).collect();
        let (bits, line) = shrunk(&long, 2);
        assert_eq!(line, 5);
        assert!(!bits.is_empty() && bits.len() <= 41);
    }

    #[test]
    fn what_does_not_fail_is_not_shrunk() {
        let text = PROGRAM.replace("check assertion false", "check assertion true");
        let module = parse_module(&text).expect("a module");
        let choice = |bits| Choice {
            origin: foghorn_ir::NondetOrigin::Input("f".into()),
            ty: foghorn_ir::Type::I32,
            span: foghorn_core::SpanId::UNKNOWN,
            bits,
        };
        let choices = [choice(3), choice(0xffff_ffff)];
        let shrunk = shrink(&module, &Options::default(), &choices, b"", 100);
        assert!(shrunk.expect("starts").is_none());
    }
}
