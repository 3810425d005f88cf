//! What is true of a program, by executing it.
//!
//! A program whose inputs have few values ([`Domain::Small`]) is executed for all of them, in the
//! order of an odometer: the choices of a run are its digits. Of any other program there are some
//! runs, with zeros and with pseudo-random values: those that fail are true, and nothing else is.
//!
//! The runs are those of our interpreter, which means what our front end says; [`super::native`]
//! compares the same runs with the machine.

use super::generate::INPUTS;
use foghorn_core::{CheckGroup, CheckKind};
use foghorn_ir::Module;
use foghorn_ir::instruction::NondetOrigin;
use foghorn_ir::interpret::{
    ChoiceRequest, ChoiceSource, Options, Outcome, Program, RecordedWorld, Run, Seeded, Zeros,
};
use std::collections::{BTreeMap, BTreeSet};

/// Where a check stands in the program's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub kind: CheckKind,
    pub line: u32,
    pub column: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {}:{}", self.kind, self.line, self.column)
    }
}

/// Which inputs are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// All values that [`INPUTS`] has of each function.
    Small,
    /// The program has no input: there is one execution.
    None,
    /// Zeros, and so many times pseudo-random values.
    Some(u64),
}

/// How a run ended, as far as a machine can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exited(u8),
    /// An assertion failed, or the program aborted.
    Aborted,
    Assumed,
    /// Something undefined happened, or nobody knows.
    Other,
}

/// One execution.
#[derive(Clone, Debug)]
pub struct Execution {
    pub inputs: Vec<u64>,
    pub end: End,
}

/// What is known of a program.
#[derive(Clone, Debug, Default)]
pub struct Truth {
    /// The checks that fail, each with the inputs of the first run that fails there.
    pub failing: BTreeMap<Place, Vec<u64>>,
    /// Whether no other check fails.
    pub complete: bool,
    pub executions: Vec<Execution>,
    /// What the program printed, run by run.
    pub printed: Vec<Vec<u8>>,
}

/// Executions at most.
const MOST_RUNS: usize = 5000;
/// Steps of one execution, and of all together.
const MOST_STEPS: u64 = 3_000_000;
const MOST_STEPS_TOGETHER: u64 = 60_000_000;

impl Truth {
    /// Executes a program.
    pub fn of(module: &Module, checks: impl Iterator<Item = CheckGroup>, domain: Domain) -> Self {
        let options = Options {
            checks: checks.collect::<BTreeSet<_>>(),
            max_steps: Some(MOST_STEPS),
            max_depth: 2000,
            max_memory: 64 << 20,
            ..Options::default()
        };
        let mut truth = Truth {
            complete: matches!(domain, Domain::Small | Domain::None),
            ..Truth::default()
        };
        match domain {
            Domain::Small => truth.exhaust(module, &options),
            Domain::None => truth.sample(module, &options, 0),
            Domain::Some(count) => truth.sample(module, &options, count),
        }
        truth
    }

    fn exhaust(&mut self, module: &Module, options: &Options) {
        let program = Program::new(module);
        let mut odometer = Odometer::default();
        let mut steps = 0;
        loop {
            if self.executions.len() >= MOST_RUNS || steps >= MOST_STEPS_TOGETHER {
                self.complete = false;
                return;
            }
            let mut world = RecordedWorld::default();
            let Ok(run) = program.run(options, &mut odometer, &mut world) else {
                self.complete = false;
                return;
            };
            steps += run.steps;
            self.enter(module, &run, world.output);
            if odometer.asked_for_more {
                self.complete = false;
                // What was never written is anything, and on the machine something else.
                if let Some(last) = self.executions.last_mut() {
                    last.end = End::Other;
                }
            }
            if !odometer.advance() {
                return;
            }
        }
    }

    fn sample(&mut self, module: &Module, options: &Options, count: u64) {
        let program = Program::new(module);
        let mut steps = 0;
        for seed in 0..=count {
            let mut source: Box<dyn ChoiceSource> = match seed {
                0 => Box::new(Zeros),
                seed => Box::new(Seeded::new(seed)),
            };
            let mut world = RecordedWorld::default();
            let Ok(run) = program.run(options, &mut *source, &mut world) else {
                return;
            };
            steps += run.steps;
            let determined = run.choices.is_empty();
            self.complete &= determined;
            self.enter(module, &run, world.output);
            if determined || steps >= MOST_STEPS_TOGETHER {
                return;
            }
        }
    }

    fn enter(&mut self, module: &Module, run: &Run, printed: Vec<u8>) {
        let trustworthy = run.is_trustworthy();
        let bits = run.choices.iter().map(|choice| choice.bits as u64);
        let inputs: Vec<u64> = bits.collect();
        let end = match &run.outcome {
            Outcome::Exited { code } => End::Exited((code & 0xff) as u8),
            Outcome::Aborted { .. } => End::Aborted,
            Outcome::AssumptionViolated { .. } => End::Assumed,
            Outcome::Failed(failure) => {
                let span = module.spans.span(failure.span);
                let place = Place {
                    kind: failure.kind,
                    line: span.line,
                    column: span.column,
                };
                if trustworthy {
                    let inputs = || inputs.clone();
                    self.failing.entry(place).or_insert_with(inputs);
                }
                match failure.kind {
                    CheckKind::Assertion => End::Aborted,
                    _ => End::Other,
                }
            }
            Outcome::AssumedAway { .. }
            | Outcome::Unsupported { .. }
            | Outcome::InputExhausted { .. }
            | Outcome::OutOfSteps
            | Outcome::OutOfMemory { .. }
            | Outcome::TooDeep { .. }
            | Outcome::OutOfBudget(_)
            | Outcome::Inconsistent { .. } => {
                self.complete = false;
                End::Other
            }
        };
        if !trustworthy {
            self.complete = false;
        }
        self.executions.push(Execution { inputs, end });
        self.printed.push(printed);
    }
}

/// The values of a run, and how many each of them can have.
#[derive(Debug, Default)]
struct Odometer {
    digits: Vec<(u64, u64)>,
    position: usize,
    /// A value was asked for that is no input of few values.
    asked_for_more: bool,
}

impl Odometer {
    /// Goes on to the next run; false after the last.
    fn advance(&mut self) -> bool {
        self.digits.truncate(self.position);
        self.position = 0;
        while let Some((value, limit)) = self.digits.pop() {
            if value + 1 < limit {
                self.digits.push((value + 1, limit));
                return true;
            }
        }
        false
    }
}

impl ChoiceSource for Odometer {
    fn choose(&mut self, request: &ChoiceRequest<'_>) -> Option<u128> {
        let limit = match request.origin {
            NondetOrigin::Input(name) => {
                let known = INPUTS.iter().find(|(input, _)| **input == **name);
                known.map(|(_, limit)| *limit)
            }
            _ => None,
        };
        let limit = limit.unwrap_or_else(|| {
            self.asked_for_more = true;
            1
        });
        if self.position == self.digits.len() {
            self.digits.push((0, limit));
        }
        let (value, _) = self.digits[self.position];
        self.position += 1;
        Some(value.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_ir::text::parse_module;

    fn truth(body: &str) -> Truth {
        let text = format!(
            "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\
             function @main() -> i32 {{\nblock0:\n{body}\n}}\n"
        );
        let module = parse_module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        Truth::of(&module, CheckGroup::ALL.iter().copied(), Domain::Small)
    }

    #[test]
    fn all_inputs_are_tried_and_the_first_that_fails_is_told() {
        let found = truth(
            "v0:i8 = nondet input \"__VERIFIER_nondet_uchar\"
            v1:i16 = nondet input \"__VERIFIER_nondet_ushort\"
            v2:i16 = zext v0
            v3:i16 = add v1, v2
            v4:i1 = compare ne v3, 10
            check assertion v4
            return 0:i32",
        );
        assert_eq!(found.executions.len(), 32);
        assert!(found.complete);
        let inputs: Vec<_> = found.failing.values().collect();
        assert_eq!(inputs, [&vec![3, 7]]);
    }

    #[test]
    fn another_input_leaves_the_truth_open() {
        let found = truth(
            "v0:i32 = nondet input \"__VERIFIER_nondet_int\"
            return v0",
        );
        assert_eq!(found.executions.len(), 1);
        assert!(!found.complete);
    }
}
