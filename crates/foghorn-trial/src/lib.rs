//! Trials (random testing): a few concrete runs, as an engine that only refutes.
//!
//! [`trials`] runs the program with zeros, with small and random values; [`typist`] makes up texts for
//! programs that read them.

mod trials;
mod typist;

use foghorn_core::{Budget, UnknownReason};
use foghorn_engine::{
    Engine, EngineEntry, EngineOptions, EngineReport, Knowledge, OptionError, Power, Progress,
    Sink, Task,
};
use foghorn_ir::interpret::Options;

/// The engine in the table.
pub const ENTRY: EngineEntry = EngineEntry {
    name: NAME,
    about: "a few concrete runs: refutes what fails without particular inputs",
    power: Power::Refutes,
    make,
};

const NAME: &str = "trial";

struct Trial;

fn make(_: &EngineOptions) -> Result<Box<dyn Engine>, OptionError> {
    Ok(Box::new(Trial))
}

impl Engine for Trial {
    fn name(&self) -> &'static str {
        NAME
    }

    fn can(&self, task: &Task) -> Result<(), String> {
        match task.program().entry {
            Some(_) => Ok(()),
            None => Err("a library has no beginning".to_owned()),
        }
    }

    fn run(
        &self,
        task: &Task,
        _: &Knowledge,
        budget: &Budget,
        sink: &mut dyn Sink,
    ) -> EngineReport {
        sink.progress(Progress::phase("trying runs"));
        let options = Options {
            checks: task.checks().groups().collect(),
            alignment: task.alignment(),
            ..Options::default()
        };
        let runs = trials::try_runs(task.program(), &options, budget, &mut |candidate| {
            sink.failure(None, candidate);
        });
        let mut report = EngineReport::undecided(UnknownReason::OnlyRefutes {
            engine: NAME.to_owned(),
        });
        report.statistics.insert("runs".to_owned(), runs as f64);
        report
    }
}
