//! The bounded model checker as an engine: it refutes, and it proves what it can unwind completely.

use crate::answer::{BmcReport, News, SiteAnswer as OwnAnswer, SiteVerdict as OwnVerdict};
use crate::engine::{Bmc, check};
use crate::event::Site;
use crate::replay::Counterexample;
use crate::settings::{Facts, InitialRegion, InitialRegions, MemoryChoice, Settings};
use foghorn_core::{Budget, UnknownReason};
use foghorn_dsa::Site as ObjectSite;
use foghorn_engine::{
    Candidate, Engine, EngineEntry, EngineOptions, EngineReport, Knowledge, Noticed, OptionError,
    Power, Progress, Sink, SiteAnswer, SitePlace, SiteVerdict, Task, Unwound,
};
use foghorn_smt::SolverError;
use foghorn_smt::choice::SolverChoice;
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
        memory: memory(options)?,
        solver: solver(options)?,
        unwind: options.value("unwind")?,
        unwind_set: bounds(&options.list("unwind-set"))?,
        vacuity: !options.flag("no-vacuity"),
        keep_going: options.flag("keep-going"),
        dump: options.text("dump-smt").map(Into::into),
        ..Bmc::default()
    })
}

fn memory(options: &EngineOptions) -> Result<MemoryChoice, OptionError> {
    match options.text("memory") {
        None | Some("seam") => Ok(MemoryChoice::Seam {
            arm: !options.flag("no-arm"),
            store_map: !options.flag("no-store-map"),
        }),
        Some("lambdas") => Ok(MemoryChoice::Lambdas),
        Some("arrays") => Ok(MemoryChoice::Arrays),
        Some(other) => {
            let problem = format!("'{other}' is none of seam, lambdas, arrays");
            Err(OptionError::new("memory", problem))
        }
    }
}

fn solver(options: &EngineOptions) -> Result<SolverChoice, OptionError> {
    match options.text("solver") {
        None | Some("auto") => Ok(SolverChoice::Auto),
        Some("z3") => Ok(SolverChoice::Z3),
        Some("sat") => Ok(SolverChoice::Sat),
        Some("portfolio") => Ok(SolverChoice::Portfolio),
        Some("yices") => Ok(SolverChoice::Yices),
        Some(other) => {
            let problem = format!("'{other}' is none of auto, sat, z3, yices, portfolio");
            Err(OptionError::new("solver", problem))
        }
    }
}

fn bounds(list: &[&str]) -> Result<BTreeMap<Arc<str>, u32>, OptionError> {
    let problem = |text: String| OptionError::new("unwind-set", text);
    let pairs = list.iter().map(|item| {
        let (name, bound) = item
            .split_once('=')
            .ok_or_else(|| problem(format!("'{item}' is not LOOP=N")))?;
        let bound = bound
            .parse()
            .map_err(|_| problem(format!("'{bound}' in '{item}' is no number")))?;
        Ok((name.into(), bound))
    });
    pairs.collect()
}

/// What the initial memories can hold.
pub fn initial_regions(task: &Task) -> InitialRegions {
    let Some(entry) = task.pure().entry else {
        return InitialRegions::default();
    };
    let regions = task.regions().of_function(entry).iter();
    let initial = regions.map(|facts| InitialRegion {
        globals: facts
            .sites
            .iter()
            .filter_map(|site| match site {
                ObjectSite::Global(global) => Some(*global),
                ObjectSite::Instruction(..) | ObjectSite::Environment => None,
            })
            .collect(),
        environment: facts.sites.contains(&ObjectSite::Environment),
    });
    InitialRegions(initial.collect())
}

/// What is known of a task, in the terms of the engine.
pub fn settings(task: &Task, knowledge: &Knowledge) -> Settings {
    let proved = knowledge.proved().filter_map(|(id, _)| {
        let site = task.sites().get(id)?;
        Some((site.kind, site.point))
    });
    Settings {
        checks: task.checks().clone(),
        alignment: task.alignment(),
        initial: initial_regions(task),
        proved: proved.collect(),
        facts: Facts::new(&knowledge.certified_facts()),
    }
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
            settings: settings(task, knowledge),
            ..self.0.clone()
        };
        let mut refuted: Vec<OwnAnswer> = vec![];
        let mut told = |news: News<'_>| match news {
            News::Progress { bound, phase, open } => sink.progress(Progress {
                bound: Some(bound),
                open_checks: (open > 0).then_some(open),
                ..Progress::phase(phase)
            }),
            News::Refuted(answer) => {
                refuted.push(answer.clone());
                if let OwnVerdict::Unsafe(counterexample) = &answer.verdict {
                    let place = place(task, &answer.site);
                    sink.failure(Some(place), &candidate(counterexample));
                }
            }
            News::Beyond { bound, unwound } => {
                let mut report = EngineReport::undecided(UnknownReason::Bounded { bound });
                report.bound = Some(bound);
                report.unwound = self.unwound(bound, unwound);
                sink.interim(&report);
            }
        };
        let report = check(task.pure(), &bmc, budget, &mut told);
        let report = report.unwrap_or_else(|error| failed(&error, refuted));
        self.report(task, &report)
    }
}

impl BoundedModelChecker {
    fn report(&self, task: &Task, report: &BmcReport) -> EngineReport {
        EngineReport {
            bound: Some(report.bound),
            unwound: self.unwound(report.bound, &report.unwound),
            ..translate_report(task, report)
        }
    }

    fn unwound(&self, bound: u32, names: &[(Arc<str>, foghorn_core::SpanId)]) -> Vec<Unwound> {
        let unwound = names.iter().map(|(name, span)| Unwound {
            name: name.clone(),
            span: *span,
            bound: self.0.unwind_set.get(name).copied().unwrap_or(bound),
        });
        unwound.collect()
    }
}

/// The engine's report in the terms of the door, without bounds.
pub fn translate_report(task: &Task, report: &BmcReport) -> EngineReport {
    let mut answers: Vec<&OwnAnswer> = report.answers.iter().collect();
    answers.sort_by_key(|answer| (answer.site.point, answer.site.kind));
    let answers = answers.into_iter().map(|answer| SiteAnswer {
        site: place(task, &answer.site),
        verdict: match &answer.verdict {
            OwnVerdict::Safe => SiteVerdict::Safe,
            OwnVerdict::Unknown(reason) => SiteVerdict::Unknown(reason.clone()),
            OwnVerdict::Unsafe(counterexample) => {
                SiteVerdict::Unsafe(Box::new(candidate(counterexample)))
            }
        },
        unreached: answer.vacuous,
    });
    let notes = &report.notes;
    let over = notes.over_approximations.iter();
    EngineReport {
        answers: answers.collect(),
        incomplete: report.incomplete.clone(),
        noticed: Noticed {
            external_calls: notes
                .external_calls
                .iter()
                .map(|it| it.to_string())
                .collect(),
            addresses_as_pointers: notes.addresses_as_pointers,
            fixed_arguments: notes.fixed_arguments,
            over_approximations: over.map(|(what, span)| (what.to_string(), *span)).collect(),
        },
        contradictory: report.contradictory,
        statistics: statistics(report),
        ..EngineReport::default()
    }
}

/// Where a site is, in the terms of the door.
fn place(task: &Task, site: &Site) -> SitePlace {
    let listed = site.point.and_then(|it| task.sites().find(site.kind, it));
    match listed {
        Some(id) => SitePlace::Listed(id),
        None => SitePlace::Further {
            kind: site.kind,
            point: site.point,
            span: site.span,
        },
    }
}

fn candidate(counterexample: &Counterexample) -> Candidate {
    Candidate {
        choices: counterexample.choices.clone(),
        layout: counterexample.layout.clone(),
        failure: counterexample.failure.clone(),
        steps: counterexample.steps,
    }
}

/// The report of a search that could not go on.
fn failed(error: &SolverError, refuted: Vec<OwnAnswer>) -> BmcReport {
    let what = match error {
        SolverError::File { .. } => format!("cannot write {error}"),
        other => other.to_string(),
    };
    BmcReport {
        answers: refuted,
        incomplete: Some(UnknownReason::Failure { what }),
        ..BmcReport::default()
    }
}

fn statistics(report: &BmcReport) -> BTreeMap<String, f64> {
    let own = &report.statistics;
    let memory = &own.memory;
    let entries = [
        ("instructions", own.instructions as f64),
        ("events", own.events as f64),
        ("terms", own.terms as f64),
        ("formula_size", own.formula_size as f64),
        ("queries", f64::from(own.queries)),
        ("executing_s", own.executing.as_secs_f64()),
        ("preprocessing_s", memory.preprocessing.as_secs_f64()),
        ("solving_s", own.solving.as_secs_f64()),
        ("replaying_s", own.replaying.as_secs_f64()),
        ("memory_reads", memory.reads as f64),
        ("row_hits", memory.hits as f64),
        ("row_skips", memory.skips as f64),
        ("arm_skips", memory.arm_skips as f64),
        ("row_splits", memory.splits as f64),
        ("store_map_hits", memory.store_map_hits as f64),
    ];
    let entries = entries.into_iter();
    entries
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// Loop summarisation as an engine.
pub const ACCELERATION: EngineEntry = EngineEntry {
    name: "acceleration",
    about: "loop summarisation: proves for any number of iterations at once",
    power: Power::Proves,
    make: make_acceleration,
};

const UNWOUND_BESIDE_CLOSED: u32 = 16;

fn make_acceleration(options: &EngineOptions) -> Result<Box<dyn Engine>, OptionError> {
    let bmc = from_options(options)?;
    Ok(Box::new(Acceleration(Bmc {
        loops: crate::settings::Loops::Closed,
        unwind: Some(bmc.unwind.unwrap_or(UNWOUND_BESIDE_CLOSED)),
        closed_from: options.value("closed-from")?.unwrap_or(16),
        ..bmc
    })))
}

struct Acceleration(Bmc);

impl Engine for Acceleration {
    fn name(&self) -> &'static str {
        "acceleration"
    }

    fn can(&self, task: &Task) -> Result<(), String> {
        match crate::has_closable_loops(task.pure()) {
            true => Ok(()),
            false => Err("no loop counts".to_owned()),
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
        let bmc = Bmc {
            settings: settings(task, knowledge),
            ..self.0.clone()
        };
        match check(task.pure(), &bmc, budget, &mut |_| {}) {
            Ok(report) => translate_report(task, &report),
            Err(error) => translate_report(task, &failed(&error, vec![])),
        }
    }
}
