//! Horn clauses as an engine.

use crate::form::{Form, IntegerForm, ProcedureForm};
use crate::solve::{Decision, Outcome, Solving, solve};
use foghorn_core::{Budget, UnknownReason};
use foghorn_engine::{
    Engine, EngineEntry, EngineOptions, EngineReport, Knowledge, OptionError, Power, Progress,
    Sink, SiteAnswer, SitePlace, SiteVerdict, Task,
};
use foghorn_query::door;
use foghorn_smt::horn::WorkerCommand;
use std::str::FromStr;

/// The engine in the table, with Spacer in its own process.
pub const ENTRY: EngineEntry = EngineEntry {
    name: ENGINE_NAME,
    about: "Horn clauses: proves and refutes for any number of iterations, calls and objects",
    power: Power::Both,
    make: |options| make(options, None),
};

/// The engine's name.
pub const ENGINE_NAME: &str = "horn";

/// Options: `step`, `horn-memory`, `integers`, `procedures`, `track`. Where no form is asked for, several
/// take turns.
pub fn make(
    options: &EngineOptions,
    worker: Option<WorkerCommand>,
) -> Result<Box<dyn Engine>, OptionError> {
    let forms = forms(options)?;
    Ok(Box::new(Horn {
        solving: Solving {
            forms,
            worker,
            argues: true,
            ..Solving::default()
        },
    }))
}

fn choice<T: FromStr<Err = String>>(
    options: &EngineOptions,
    name: &str,
) -> Result<Option<T>, OptionError> {
    let text = options.text(name);
    let read = text.map(|text| {
        text.parse()
            .map_err(|problem: String| OptionError::new(name, problem))
    });
    read.transpose()
}

/// The forms that options ask for, and where they leave it open, those that take turns.
pub fn forms(options: &EngineOptions) -> Result<Vec<Form>, OptionError> {
    let usual = Form::default();
    let form = Form {
        step: choice(options, "step")?.unwrap_or(usual.step),
        memory: choice(options, "horn-memory")?.unwrap_or(usual.memory),
        integers: choice(options, "integers")?.unwrap_or(usual.integers),
        procedures: choice(options, "procedures")?.unwrap_or(usual.procedures),
        track: choice(options, "track")?.unwrap_or(usual.track),
    };
    let mut forms = vec![form];
    if options.text("procedures").is_none() {
        forms.push(Form {
            procedures: ProcedureForm::Mixed,
            ..form
        });
    }
    if options.text("integers").is_none() {
        forms.push(Form {
            integers: IntegerForm::Bits,
            ..form
        });
    }
    Ok(forms)
}

struct Horn {
    solving: Solving,
}

impl Engine for Horn {
    fn name(&self) -> &'static str {
        ENGINE_NAME
    }

    fn can(&self, task: &Task) -> Result<(), String> {
        match task.pure().entry {
            Some(_) => Ok(()),
            None => Err("the program has no entry".to_owned()),
        }
    }

    fn run(
        &self,
        task: &Task,
        knowledge: &Knowledge,
        budget: &Budget,
        sink: &mut dyn Sink,
    ) -> EngineReport {
        sink.progress(Progress::phase("solving Horn clauses"));
        let settings = door::settings(task, knowledge);
        let outcome = solve(task, &settings, &self.solving, budget, sink);
        report(outcome)
    }
}

/// What was found, in the terms of the door.
pub fn report(outcome: Outcome) -> EngineReport {
    let reasons = outcome
        .decisions
        .values()
        .filter_map(|decision| match decision {
            Decision::Open(reason) => Some(reason.clone()),
            Decision::Safe | Decision::Unsafe(_) => None,
        });
    let incomplete: Option<UnknownReason> = reasons.into_iter().next().or(outcome.unsolved);
    let answers = outcome
        .decisions
        .into_iter()
        .map(|(id, decision)| SiteAnswer {
            site: SitePlace::Listed(id),
            verdict: match decision {
                Decision::Safe => SiteVerdict::Safe,
                Decision::Unsafe(candidate) => SiteVerdict::Unsafe(candidate),
                Decision::Open(reason) => SiteVerdict::Unknown(reason),
            },
            unreached: outcome.unreached.contains(&id),
        });
    EngineReport {
        answers: answers.collect(),
        incomplete,
        contradictory: outcome.contradictory,
        facts: outcome.facts,
        argument: outcome.argument,
        noticed: outcome.noticed,
        statistics: outcome.statistics,
        ..EngineReport::default()
    }
}
