//! `foghorn run`: one execution, every step checked.

use super::harness::{self, FailingRun};
use super::{CommandResult, Failure};
use crate::arguments::RunArguments;
use crate::exit::Exit;
use crate::program;
use crate::render;
use crate::render::source::Sources;
use crate::render::style::Style;
use crate::standard_input::read_text;
use anyhow::Context;
use foghorn_core::CheckSelection;
use foghorn_ir::Module;
use foghorn_ir::interpret::{
    ChoiceSource, Listed, Options, Outcome, Program, Run, Seeded, World, Zeros, choices_to_text,
};
use foghorn_witness::{replay, shrink};
use std::io::{self, Read, Write};

/// Runs that `--shrink` may make.
const SHRINKING_REPLAYS: u32 = 2000;

pub fn execute(arguments: &RunArguments) -> CommandResult {
    let checks: CheckSelection = arguments.check.parse().map_err(Failure::usage)?;
    let mut choices = choices(arguments)?;
    let translation = program::load(&arguments.program, &[])?;
    for note in &translation.notes {
        eprintln!("warning: {note}");
    }
    let mut module = translation.module;
    if arguments.pure {
        program::purify(&mut module);
    }
    let name = arguments.program.files[0].to_string_lossy().into_owned();
    let options = Options {
        checks: checks.groups().collect(),
        alignment: arguments.misaligned,
        max_steps: arguments.steps,
        arguments: std::iter::once(&name)
            .chain(&arguments.arguments)
            .map(|argument| argument.clone().into_bytes())
            .collect(),
        ..Options::default()
    };
    let mut world = Terminal {
        stdout: io::BufWriter::new(io::stdout().lock()),
        read: vec![],
    };
    let mut run = Program::new(&module)
        .run(&options, &mut *choices, &mut world)
        .with_context(|| name.clone())
        .map_err(Failure::input)?;
    let _ = world.stdout.flush();
    if arguments.shrink {
        let shrunk = shrink(
            &module,
            &options,
            &run.choices,
            &world.read,
            SHRINKING_REPLAYS,
        );
        if let Some(shrunk) = shrunk.map_err(Failure::internal)? {
            run = shrunk.run;
        }
    }
    if let Some(path) = &arguments.record {
        let text = choices_to_text(&run.choices);
        std::fs::write(path, text)
            .with_context(|| format!("cannot write {}", path.display()))
            .map_err(Failure::input)?;
    }
    if arguments.stats {
        eprintln!("{} instructions, {} choices", run.steps, run.choices.len());
    }
    let exit = report(&module, &run);
    if arguments.trace || arguments.harness.is_some() {
        show_again(arguments, &module, &options, &run, &world.read)?;
    }
    Ok(exit)
}

/// Runs a failing program again, tells what happens and writes its harness; to stderr.
fn show_again(
    arguments: &RunArguments,
    module: &Module,
    options: &Options,
    run: &Run,
    stdin: &[u8],
) -> Result<(), Failure> {
    let again = replay(module, options, &run.choices, stdin).map_err(Failure::internal)?;
    let Some(trace) = &again.trace else {
        return Ok(());
    };
    if arguments.trace {
        let style = Style::of(&io::stderr());
        let told = render::trace::trace(trace, &mut Sources::default(), style);
        eprint!("the run that fails:\n{told}");
    }
    if let Some(folder) = &arguments.harness {
        let failing = FailingRun {
            module,
            options,
            choices: &run.choices,
            stdin,
            failure: &trace.failure,
        };
        let written = harness::write(folder, &arguments.program, &[], &failing)?;
        eprint!("{}", render::report::harness(&written));
    }
    Ok(())
}

fn choices(arguments: &RunArguments) -> Result<Box<dyn ChoiceSource>, Failure> {
    let Some(path) = &arguments.inputs else {
        return Ok(match arguments.seed {
            Some(seed) => Box::new(Seeded::new(seed)),
            None => Box::new(Zeros),
        });
    };
    let text = read_text(path).map_err(Failure::input)?;
    let listed = Listed::parse(&text).with_context(|| path.display().to_string());
    Ok(Box::new(listed.map_err(Failure::input)?))
}

/// The program's output is ours.
struct Terminal<'a> {
    stdout: io::BufWriter<io::StdoutLock<'a>>,
    /// What the program has read, for a replay.
    read: Vec<u8>,
}

impl World for Terminal<'_> {
    fn write(&mut self, descriptor: i32, bytes: &[u8]) -> Option<usize> {
        match descriptor {
            1 => self.stdout.write_all(bytes).ok()?,
            2 => {
                self.stdout.flush().ok()?;
                io::stderr().write_all(bytes).ok()?;
            }
            _ => return None,
        }
        Some(bytes.len())
    }

    fn read(&mut self, descriptor: i32, buffer: &mut [u8]) -> Option<usize> {
        if descriptor != 0 {
            return None;
        }
        self.stdout.flush().ok()?;
        let count = io::stdin().read(buffer).ok()?;
        self.read.extend_from_slice(&buffer[..count]);
        Some(count)
    }
}

/// Says how the run ended. The first line is stable: `error: KIND at FILE:LINE:COLUMN` for a
/// failed check, `unknown: …` where the run does not tell.
fn report(module: &Module, run: &Run) -> Exit {
    let spans = &module.spans;
    let exit = match &run.outcome {
        Outcome::Exited { code } | Outcome::Aborted { code } => {
            Exit::Program(u8::try_from(code & 0xff).expect("invariant: masked"))
        }
        Outcome::Failed(failure) => {
            eprint!("{}", render::failure(spans, failure));
            Exit::Unsafe
        }
        Outcome::AssumptionViolated { span } => {
            eprintln!(
                "unknown: the assumption at {} does not hold",
                spans.describe(*span)
            );
            Exit::Unknown
        }
        Outcome::AssumedAway { kind, span } => {
            let place = spans.describe(*span);
            eprintln!("unknown: {kind} at {place}, which --check leaves out, has no meaning");
            Exit::Unknown
        }
        Outcome::Unsupported { construct, span } => {
            eprintln!(
                "unknown: unsupported: {construct} at {}",
                spans.describe(*span)
            );
            Exit::Unknown
        }
        Outcome::InputExhausted { span } => {
            eprintln!("unknown: no more inputs at {}", spans.describe(*span));
            Exit::Unknown
        }
        Outcome::OutOfSteps => {
            eprintln!("unknown: out of steps after {} instructions", run.steps);
            Exit::Unknown
        }
        Outcome::OutOfMemory { span } => {
            eprintln!("unknown: out of memory at {}", spans.describe(*span));
            Exit::Unknown
        }
        Outcome::TooDeep { span } => {
            eprintln!(
                "unknown: too many nested calls at {}",
                spans.describe(*span)
            );
            Exit::Unknown
        }
        Outcome::OutOfBudget(what) => {
            eprintln!("unknown: out of {what}");
            Exit::Unknown
        }
        Outcome::Inconsistent { detail, span } => {
            let place = spans.describe(*span);
            eprintln!("internal error: the pure form is wrong at {place}: {detail}");
            Exit::Internal
        }
    };
    for (what, span) in &run.over_approximations {
        eprintln!(
            "note: {what} at {} is not modelled precisely",
            spans.describe(*span)
        );
    }
    exit
}
