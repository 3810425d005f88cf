//! Running a counterexample again, in the interpreter, with someone who takes notes.
//!
//! Only a run that fails here is shown as a failure (the first law of verdicts), so everything
//! that is told about one (trace, harness, shrunk inputs) starts from [`replay`].

use crate::harness::values::Values;
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
    replay_from(module, options, &mut Listed::replay(choices), stdin)
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
    let recorder = recorder.into_inner();
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
