//! The process of a stage: an engine of a table, asked over the pipes.

use crate::confirm::HarnessWriter;
use crate::message::{StageEvent, StageReport, StageRequest};
use crate::stage::{Outlet, run_stage};
use crate::worker::{Events, Mail, serve};
use foghorn_core::{Budget, clock};
use foghorn_engine::{EngineEntry, Knowledge, Task};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::process::ExitCode;

/// What the process of a stage is asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageWork<H> {
    pub stage: StageRequest,
    /// What harnesses of failing runs need, if they are wanted.
    pub harness: Option<H>,
}

/// The life of the process of a stage. `table` has the engines, `writer` makes what writes harnesses.
pub fn serve_stage<H: DeserializeOwned>(
    table: &[EngineEntry],
    writer: impl FnOnce(H) -> Box<dyn HarnessWriter>,
) -> ExitCode {
    clock::count_attention();
    serve(
        |work: StageWork<H>, events: &Events<StageEvent>, mail: &Mail| {
            let harnesses = work.harness.map(writer);
            let mut outlet = Pipe { events, mail };
            carry_out(table, &work.stage, harnesses.as_deref(), &mut outlet)
        },
    )
}

fn carry_out(
    table: &[EngineEntry],
    stage: &StageRequest,
    harnesses: Option<&dyn HarnessWriter>,
    outlet: &mut dyn Outlet,
) -> Result<StageReport, String> {
    let entry = table.iter().find(|entry| entry.name == stage.engine);
    let entry = entry.ok_or_else(|| format!("there is no engine '{}'", stage.engine))?;
    let engine = (entry.make)(&stage.options).map_err(|error| error.to_string())?;
    let task = Task::read(&stage.task, stage.hash).map_err(|error| error.to_string())?;
    let budget = match stage.time {
        Some(time) => Budget::unlimited().within(time),
        None => Budget::unlimited(),
    };
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
