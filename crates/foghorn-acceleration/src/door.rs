//! Loop summarisation as an engine: it proves, and it never refutes.

use crate::answer::{AccelerationReport, Proof};
use crate::engine::{Acceleration, check};
use crate::summarise::has_summarisable_loops;
use foghorn_core::{Budget, UnknownReason};
use foghorn_encode::memory::{MemoryChoice, SeamOptions};
use foghorn_engine::{
    Engine, EngineEntry, EngineOptions, EngineReport, Knowledge, OptionError, Power, Progress,
    Sink, SiteAnswer, SiteVerdict, Task,
};
use foghorn_query::door;
use std::collections::BTreeMap;

/// The engine in the table.
pub const ENTRY: EngineEntry = EngineEntry {
    name: ENGINE_NAME,
    about: "loop summarisation: proves for any number of iterations at once",
    power: Power::Proves,
    make,
};

const ENGINE_NAME: &str = "acceleration";

/// Options: `closed-from`, `any-program` (also one without loops to summarise), and those of memory, solver and bounds that the bounded model checker has.
fn make(options: &EngineOptions) -> Result<Box<dyn Engine>, OptionError> {
    let MemoryChoice::Seam { arm, store_map } = door::memory(options)? else {
        let problem = "loops are summarised in the memory representation 'seam' only";
        return Err(OptionError::new("memory", problem));
    };
    let usual = Acceleration::default();
    let takes_all = options.flag("any-program");
    let own = Acceleration {
        memory: SeamOptions { arm, store_map },
        solver: door::solver(options)?,
        unwind: options.value("unwind")?.unwrap_or(usual.unwind),
        unwind_set: door::bounds(options)?,
        from: options.value("closed-from")?.unwrap_or(usual.from),
        vacuity: !options.flag("no-vacuity"),
        dump: options.text("dump-smt").map(Into::into),
        settings: usual.settings,
    };
    Ok(Box::new(Summariser { own, takes_all }))
}

struct Summariser {
    own: Acceleration,
    /// Also a program without loops that can be summarised.
    takes_all: bool,
}

impl Engine for Summariser {
    fn name(&self) -> &'static str {
        ENGINE_NAME
    }

    fn can(&self, task: &Task) -> Result<(), String> {
        match self.takes_all || has_summarisable_loops(task.pure()) {
            true => Ok(()),
            false => Err("no loop counts in a way that can be summarised".to_owned()),
        }
    }

    fn run(
        &self,
        task: &Task,
        knowledge: &Knowledge,
        budget: &Budget,
        sink: &mut dyn Sink,
    ) -> EngineReport {
        sink.progress(Progress::phase("summarising loops"));
        let options = Acceleration {
            settings: door::settings(task, knowledge),
            ..self.own.clone()
        };
        match check(task.pure(), &options, budget) {
            Ok(found) => report(task, &found),
            Err(error) => EngineReport::undecided(UnknownReason::Failure {
                what: door::describe(&error),
            }),
        }
    }
}

fn report(task: &Task, found: &AccelerationReport) -> EngineReport {
    let answers = found.answers.iter().map(|answer| SiteAnswer {
        site: door::place(task, &answer.site),
        verdict: match &answer.proof {
            Proof::Proved => SiteVerdict::Safe,
            Proof::Open(reason) => SiteVerdict::Unknown(reason.clone()),
        },
        unreached: answer.vacuous,
    });
    EngineReport {
        answers: answers.collect(),
        incomplete: found.incomplete.clone(),
        noticed: door::noticed(&found.notes),
        contradictory: found.contradictory,
        statistics: statistics(found),
        ..EngineReport::default()
    }
}

fn statistics(found: &AccelerationReport) -> BTreeMap<String, f64> {
    let own = &found.statistics;
    let mut statistics = door::memory_statistics(&own.memory);
    let entries = [
        ("summarised_loops", f64::from(own.summarised_loops)),
        ("instructions", own.instructions as f64),
        ("events", own.events as f64),
        ("terms", own.terms as f64),
        ("formula_size", own.formula_size as f64),
        ("queries", f64::from(own.queries)),
        ("executing_s", own.executing.as_secs_f64()),
        ("solving_s", own.solving.as_secs_f64()),
    ];
    let entries = entries.into_iter();
    statistics.extend(entries.map(|(name, value)| (name.to_owned(), value)));
    statistics
}
