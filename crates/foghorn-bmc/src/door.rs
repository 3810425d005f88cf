//! The bounded model checker as an engine: it refutes, and it proves what it can unwind completely.

use crate::answer::{BmcReport, News, SiteAnswer as OwnAnswer, SiteVerdict as OwnVerdict};
use crate::engine::{Bmc, Heard, check_listening};
use foghorn_core::{Budget, SpanId, UnknownReason};
use foghorn_engine::{
    Engine, EngineEntry, EngineOptions, EngineReport, Knowledge, OptionError, Power, Progress,
    Sink, SiteAnswer, SiteVerdict, Task, Unwound,
};
use foghorn_query::door;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The engine in the table.
pub const ENTRY: EngineEntry = EngineEntry {
    name: NAME,
    about: "bounded model checking: refutes, and proves what it can unwind completely",
    power: Power::Both,
    make,
};

const NAME: &str = "bmc";

/// Options: `memory`, `no-arm`, `no-store-map`, `solver`, `unwind`, `unwind-set`, `no-vacuity`,
/// `keep-going`, `dump-smt`.
fn make(options: &EngineOptions) -> Result<Box<dyn Engine>, OptionError> {
    Ok(Box::new(BoundedModelChecker(from_options(options)?)))
}

/// The engine's own form of options.
pub fn from_options(options: &EngineOptions) -> Result<Bmc, OptionError> {
    Ok(Bmc {
        memory: door::memory(options)?,
        solver: door::solver(options)?,
        unwind: options.value("unwind")?,
        unwind_set: door::bounds(options)?,
        vacuity: !options.flag("no-vacuity"),
        keep_going: options.flag("keep-going"),
        dump: options.text("dump-smt").map(Into::into),
        ..Bmc::default()
    })
}

struct BoundedModelChecker(Bmc);

impl Engine for BoundedModelChecker {
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
        let bmc = Bmc {
            settings: door::settings(task, knowledge),
            ..self.0.clone()
        };
        let mut refuted: Vec<OwnAnswer> = vec![];
        let mut known = knowledge.clone();
        // Both directions go over one line.
        let sink = RefCell::new(sink);
        let mut tell = |news: News<'_>| {
            if let News::Refuted(answer) = news {
                refuted.push(answer.clone());
            }
            self.tell(task, news, &mut **sink.borrow_mut());
        };
        let mut hear = || {
            let news = sink.borrow_mut().news()?;
            // What speaks of another program is refused.
            known.join(&news).ok()?;
            let settings = door::settings(task, &known);
            Some(Heard {
                proved: settings.proved,
                facts: settings.facts,
            })
        };
        let report = check_listening(task.pure(), &bmc, budget, &mut tell, &mut hear);
        let report = report.unwrap_or_else(|error| BmcReport {
            answers: refuted,
            incomplete: Some(UnknownReason::Failure {
                what: door::describe(&error),
            }),
            ..BmcReport::default()
        });
        self.report(task, &report)
    }
}

impl BoundedModelChecker {
    fn tell(&self, task: &Task, news: News<'_>, sink: &mut dyn Sink) {
        match news {
            News::Progress { bound, phase, open } => sink.progress(Progress {
                bound: Some(bound),
                open_checks: (open > 0).then_some(open),
                ..Progress::phase(phase)
            }),
            News::Refuted(answer) => {
                if let OwnVerdict::Unsafe(counterexample) = &answer.verdict {
                    let place = door::place(task, &answer.site);
                    sink.failure(Some(place), &door::candidate(counterexample));
                }
            }
            News::Beyond { bound, unwound } => {
                let mut report = EngineReport::undecided(UnknownReason::Bounded { bound });
                report.bound = Some(bound);
                report.unwound = self.unwound(bound, unwound);
                sink.interim(&report);
            }
        }
    }

    fn report(&self, task: &Task, report: &BmcReport) -> EngineReport {
        let mut answers: Vec<&OwnAnswer> = report.answers.iter().collect();
        answers.sort_by_key(|answer| (answer.site.point, answer.site.kind));
        let answers = answers.into_iter().map(|answer| SiteAnswer {
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
        EngineReport {
            answers: answers.collect(),
            incomplete: report.incomplete.clone(),
            noticed: door::noticed(&report.notes),
            bound: Some(report.bound),
            unwound: self.unwound(report.bound, &report.unwound),
            contradictory: report.contradictory,
            statistics: statistics(report),
            ..EngineReport::default()
        }
    }

    fn unwound(&self, bound: u32, names: &[(Arc<str>, SpanId)]) -> Vec<Unwound> {
        let unwound = names.iter().map(|(name, span)| Unwound {
            name: name.clone(),
            span: *span,
            bound: self.0.unwind_set.get(name).copied().unwrap_or(bound),
        });
        unwound.collect()
    }
}

fn statistics(report: &BmcReport) -> BTreeMap<String, f64> {
    let own = &report.statistics;
    let mut statistics = door::memory_statistics(&own.memory);
    let entries = [
        ("instructions", own.instructions as f64),
        ("events", own.events as f64),
        ("terms", own.terms as f64),
        ("formula_size", own.formula_size as f64),
        ("queries", f64::from(own.queries)),
        ("executing_s", own.executing.as_secs_f64()),
        ("solving_s", own.solving.as_secs_f64()),
        ("replaying_s", own.replaying.as_secs_f64()),
    ];
    let entries = entries.into_iter();
    statistics.extend(entries.map(|(name, value)| (name.to_owned(), value)));
    statistics
}
