//! Running a counterexample again, in the interpreter, with someone who takes notes.
//!
//! Only a run that fails here is shown as a failure (the first law of verdicts), so everything
//! that is told about one (trace, harness, shrunk inputs) starts from [`replay`].

use crate::harness::values::Values;
use crate::layout::dependence;
use crate::stream::is_stream;
use crate::trace::Trace;
use crate::trace::record::{Recorder, Told, Watch};
use foghorn_ir::Module;
use foghorn_ir::interpret::{
    Choice, ChoiceSource, Listed, Options, Outcome, Program, RecordedWorld, Run, StartError,
};
use std::cell::RefCell;

/// A run that was made again.
#[derive(Clone, Debug)]
pub struct Replay {
    pub run: Run,
    /// `None` if the run did not fail.
    pub trace: Option<Trace>,
}

/// Runs the program with these choices; the values must suffice. `stdin` is what it can read.
pub fn replay(
    module: &Module,
    options: &Options,
    choices: &[Choice],
    stdin: &[u8],
) -> Result<Replay, StartError> {
    let mut again = replay_from(module, options, &mut Listed::replay(choices), stdin)?;
    if let Some(trace) = &mut again.trace {
        trace.failure.layout = dependence(module, options, choices, stdin, &again.run);
    }
    Ok(again)
}

/// Watches a run that is known already.
fn watch_again<'m>(
    program: &Program<'m>,
    options: &Options,
    recorder: Recorder<'m>,
    choices: &[Choice],
    stdin: &[u8],
) -> Result<Recorder<'m>, StartError> {
    let recorder = RefCell::new(recorder);
    let mut told = Told {
        recorder: &recorder,
        inner: &mut Listed::replay(choices),
    };
    let mut world = RecordedWorld::with_input(stdin);
    program.run_observed(options, &mut told, &mut world, Watch(&recorder))?;
    Ok(recorder.into_inner())
}

/// Runs the program with choices from anywhere.
pub fn replay_from(
    module: &Module,
    options: &Options,
    choices: &mut dyn ChoiceSource,
    stdin: &[u8],
) -> Result<Replay, StartError> {
    let recorder = RefCell::new(Recorder::new(module));
    let mut told = Told {
        recorder: &recorder,
        inner: choices,
    };
    let mut world = RecordedWorld::with_input(stdin);
    let program = Program::with_events(module);
    let run = program.run_observed(options, &mut told, &mut world, Watch(&recorder))?;
    let mut recorder = recorder.into_inner();
    if recorder.has_changes() && matches!(run.outcome, Outcome::Failed(_)) {
        recorder = watch_again(&program, options, recorder.again(), &run.choices, stdin)?;
    }
    let mut trace = match &run.outcome {
        Outcome::Failed(failure) => Some(recorder.finish(failure)),
        Outcome::Exited { .. }
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
    };
    if let Some(trace) = &mut trace
        && run.choices.iter().any(|choice| is_stream(&choice.origin))
    {
        let values = Values::of_run(module, options, &run.choices, stdin)?;
        trace.streams = values.reading.streams.told();
    }
    Ok(Replay { run, trace })
}
