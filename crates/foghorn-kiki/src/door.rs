//! kIkI as an engine.

use crate::answer::{KikiReport, SiteAnswer as OwnAnswer, SiteVerdict as OwnVerdict};
use crate::engine::{Kiki, Mode, News, check};
use foghorn_core::{Budget, UnknownReason};
use foghorn_engine::{
    Engine, EngineEntry, EngineOptions, EngineReport, Knowledge, OptionError, Power, Progress,
    Sink, SiteAnswer, SiteVerdict, Task,
};
use foghorn_query::door;

/// The engine in the table.
pub const ENTRY: EngineEntry = EngineEntry {
    name: NAME,
    about: "k-invariants, k-induction and bounded model checking: proves and refutes",
    power: Power::Both,
    make,
};

const NAME: &str = "kiki";

/// Options: `kiki` (`ai`, `kind`, `bmc`, `all`), `template`, `strategy`, `k-max`, `decided`, `most-rows`, `solver`, `summaries`.
fn make(options: &EngineOptions) -> Result<Box<dyn Engine>, OptionError> {
    Ok(Box::new(KInduction(from_options(options)?)))
}

/// The engine's own form of options.
pub fn from_options(options: &EngineOptions) -> Result<Kiki, OptionError> {
    let usual = Kiki::default();
    let mode = match options.text("kiki") {
        None | Some("all") => Mode::All,
        Some("ai") => Mode::Invariants,
        Some("kind") => Mode::Induction,
        Some("bmc") => Mode::Bounded,
        Some(other) => {
            let problem = format!("'{other}' is none of ai, kind, bmc, all");
            return Err(OptionError::new("kiki", problem));
        }
    };
    let selection = match options.text("template") {
        None => usual.selection,
        Some(text) => text
            .parse()
            .map_err(|error| OptionError::new("template", error))?,
    };
    let strategy = match options.text("strategy") {
        None => usual.strategy,
        Some(text) => text
            .parse()
            .map_err(|error| OptionError::new("strategy", error))?,
    };
    Ok(Kiki {
        mode,
        selection,
        strategy,
        solver: door::solver(options)?,
        most_copies: options.value("k-max")?.unwrap_or(usual.most_copies),
        decided: options.value("decided")?.unwrap_or(usual.decided),
        most_rows: options.value("most-rows")?.unwrap_or(usual.most_rows),
        summaries: options.flag("summaries"),
        ..usual
    })
}

/// Checks a task with what is known of it.
pub fn check_task(
    task: &Task,
    knowledge: &Knowledge,
    options: &Kiki,
    budget: &Budget,
    tell: &mut dyn FnMut(News<'_>),
) -> Result<KikiReport, String> {
    let options = Kiki {
        settings: door::settings(task, knowledge),
        guesses: [knowledge.certified_facts(), knowledge.uncertified_facts()].concat(),
        ..options.clone()
    };
    let report = check(task.pure(), &options, budget, tell);
    report.map_err(|error| door::describe(&error))
}

struct KInduction(Kiki);

impl Engine for KInduction {
    fn name(&self) -> &'static str {
        NAME
    }

    fn can(&self, _: &Task) -> Result<(), String> {
        Ok(())
    }

    fn run(
        &self,
        task: &Task,
        knowledge: &Knowledge,
        budget: &Budget,
        sink: &mut dyn Sink,
    ) -> EngineReport {
        let mut decided: Vec<OwnAnswer> = vec![];
        let mut told = 0;
        let mut tell = |news: News<'_>| match news {
            News::Progress { copies, phase } => {
                sink.progress(Progress {
                    bound: Some(copies),
                    ..Progress::phase(phase)
                });
                if told < decided.len() {
                    told = decided.len();
                    let mut interim = EngineReport::undecided(UnknownReason::Budget {
                        resource: "time".to_owned(),
                    });
                    interim.answers = answers(task, &decided);
                    sink.interim(&interim);
                }
            }
            News::Decided(answer) => {
                decided.push(answer.clone());
                if let OwnVerdict::Unsafe(counterexample) = &answer.verdict {
                    let place = door::place(task, &answer.site);
                    sink.failure(Some(place), &door::candidate(counterexample));
                }
            }
            News::Parameters(_) | News::Executed { .. } => {}
        };
        match check_task(task, knowledge, &self.0, budget, &mut tell) {
            Ok(found) => report(task, &found),
            Err(what) => {
                let mut report = EngineReport::undecided(UnknownReason::Failure { what });
                report.answers = answers(task, &decided);
                report
            }
        }
    }
}

fn answers(task: &Task, own: &[OwnAnswer]) -> Vec<SiteAnswer> {
    let mut own: Vec<&OwnAnswer> = own.iter().collect();
    own.sort_by_key(|answer| (answer.site.point, answer.site.kind));
    let answers = own.into_iter().map(|answer| SiteAnswer {
        site: door::place(task, &answer.site),
        verdict: match &answer.verdict {
            OwnVerdict::Safe => SiteVerdict::Safe,
            OwnVerdict::Unknown(reason) => SiteVerdict::Unknown(reason.clone()),
            OwnVerdict::Unsafe(counterexample) => {
                SiteVerdict::Unsafe(Box::new(door::candidate(counterexample)))
            }
        },
        unreached: answer.vacuous,
    });
    answers.collect()
}

fn report(task: &Task, found: &KikiReport) -> EngineReport {
    EngineReport {
        answers: answers(task, &found.answers),
        incomplete: found.incomplete.clone(),
        contradictory: found.contradictory,
        noticed: door::noticed(&found.notes),
        facts: found.facts.clone(),
        argument: found.argument.clone(),
        warnings: found.warnings.clone(),
        statistics: found.statistics.entries(),
        ..EngineReport::default()
    }
}
