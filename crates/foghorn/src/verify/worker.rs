//! The processes that `foghorn verify` starts: one that prepares the program, one for each stage.

use super::engines::engine;
use super::harnesses::{HarnessRequest, Harnesses};
use super::prepare::{Preparation, Ready, prepare};
use crate::command::Failure;
use foghorn_core::Budget;
use foghorn_driver::{Events, Mail, Outlet, StageEvent, StageReport, StageRequest, run_stage};
use foghorn_engine::{Knowledge, Progress, Task};
use serde::{Deserialize, Serialize};
use std::process::ExitCode;

/// The argument that makes this binary a process that prepares a program.
pub const PREPARE: &str = "__prepare";
/// The argument that makes this binary the process of a stage.
pub const STAGE: &str = "__stage";

/// What the process of a stage is asked.
#[derive(Debug, Serialize, Deserialize)]
pub struct StageWork {
    pub stage: StageRequest,
    /// Where the harnesses of failing runs go.
    pub harness: Option<HarnessRequest>,
}

/// Whose fault it is that there is no program, for the other process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WorkerFailure {
    pub message: String,
    pub exit: u8,
}

impl From<&Failure> for WorkerFailure {
    fn from(failure: &Failure) -> Self {
        WorkerFailure {
            message: crate::message(&failure.error),
            exit: failure.exit.code(),
        }
    }
}

/// The life of a process that prepares a program.
pub fn serve_preparation() -> ExitCode {
    foghorn_driver::serve(
        |mut preparation: Preparation, events: &Events<Progress>, _: &Mail| {
            preparation.program.isolated = true;
            let result: Result<Ready, Failure> =
                prepare(&preparation, &mut |progress| events.send(progress));
            Ok(result.map_err(|failure| WorkerFailure::from(&failure)))
        },
    )
}

/// The life of the process of a stage.
pub fn serve_stage() -> ExitCode {
    foghorn_driver::serve(
        |work: StageWork, events: &Events<StageEvent>, mail: &Mail| {
            let mut outlet = Pipe { events, mail };
            carry_out(&work, &mut outlet)
        },
    )
}

fn carry_out(work: &StageWork, outlet: &mut dyn Outlet) -> Result<StageReport, String> {
    let stage = &work.stage;
    let entry =
        engine(&stage.engine).ok_or_else(|| format!("there is no engine '{}'", stage.engine))?;
    let engine = (entry.make)(&stage.options).map_err(|error| error.to_string())?;
    let task = Task::read(&stage.task, stage.hash).map_err(|error| error.to_string())?;
    let budget = match stage.time {
        Some(time) => Budget::unlimited().within(time),
        None => Budget::unlimited(),
    };
    let harnesses = work.harness.as_ref().map(Harnesses::new);
    let harnesses = harnesses.as_ref().map(|it| it as _);
    Ok(run_stage(
        &*engine,
        &task,
        &stage.knowledge,
        &budget,
        harnesses,
        outlet,
    ))
}

/// The pipes to the process that started this one.
struct Pipe<'p> {
    events: &'p Events<StageEvent>,
    mail: &'p Mail,
}

impl Outlet for Pipe<'_> {
    fn send(&mut self, event: StageEvent) {
        self.events.send(event);
    }

    fn receive(&mut self) -> Option<Knowledge> {
        // Knowledge only grows, so the last letter has all that the others have.
        self.mail.take().pop()
    }
}
