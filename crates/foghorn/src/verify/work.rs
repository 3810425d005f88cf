//! The engine's side: from a request to a report.

use super::harnesses::Harnesses;
use super::report::Reporter;
use super::request::{Request, WorkerEvent};
use super::trials::Trials;
use crate::command::Failure;
use crate::program;
use foghorn_bmc::{BmcReport, InitialRegion, InitialRegions, News};
use foghorn_core::{Budget, CheckSelection, UnknownReason};
use foghorn_driver::{Events, Progress};
use foghorn_dsa::graph::Site;
use foghorn_ir::Module;
use foghorn_smt::SolverError;
use foghorn_witness::report::{CheckIds, VerificationReport};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long the engine works on a program of which a trial has failed.
const AFTER_FAILED_TRIAL: Duration = Duration::from_secs(5);

/// Does one piece of work in this process.
pub fn work(
    request: &Request,
    budget: &Budget,
    tell: &mut dyn FnMut(WorkerEvent),
) -> Result<VerificationReport, Failure> {
    let started = Instant::now();
    let checks: CheckSelection = request.check.parse().map_err(Failure::usage)?;
    let mut bmc = request
        .options
        .bmc(checks.clone())
        .map_err(Failure::usage)?;
    let budget = match request.time {
        Some(time) => budget.within(time),
        None => budget.clone(),
    };
    tell(WorkerEvent::Progress(Progress::phase("translating")));
    let translation = program::load(&request.program, &[])?;
    let original = translation.module;
    tell(WorkerEvent::Progress(Progress::phase("analysing pointers")));
    let (pure, initial) = purified(&original);
    bmc.settings.initial = initial;
    let reporter = Reporter {
        module: &original,
        checks: &checks,
        misaligned: request.options.misaligned,
        malloc_may_fail: request.program.malloc_may_fail,
        harnesses: request
            .harness
            .as_ref()
            .map(|folder| Harnesses::new(folder.clone(), &request.program)),
    };
    let (trials, budget) = match request.trials {
        true => tried(&reporter, budget, tell),
        false => (Trials::default(), budget),
    };
    let mut ids = CheckIds::default();
    let mut refuted = vec![];
    let mut told = |news: News<'_>| match news {
        News::Progress { bound, phase, open } => {
            tell(WorkerEvent::Progress(Progress {
                bound: Some(bound),
                open_checks: (open > 0).then_some(open),
                ..Progress::phase(phase)
            }));
        }
        News::Refuted(answer) => {
            refuted.push(answer.clone());
            let check = reporter.check(answer, &mut ids);
            tell(WorkerEvent::Failed(Box::new(check)));
        }
        News::Beyond { bound, unwound } => {
            let loops = reporter.loops(bound, unwound);
            tell(WorkerEvent::Beyond { bound, loops });
        }
    };
    let report = foghorn_bmc::check(&pure, &bmc, &budget, &mut told);
    let mut whole = match report {
        Ok(report) => reporter.bmc(&report, &trials),
        Err(error) => {
            let what = match &error {
                SolverError::File { .. } => format!("cannot write {error}"),
                other => other.to_string(),
            };
            let report = BmcReport {
                answers: refuted,
                incomplete: Some(UnknownReason::Failure { what }),
                ..BmcReport::default()
            };
            reporter.bmc(&report, &trials)
        }
    };
    whole.time_s = started.elapsed().as_secs_f64();
    whole.peak_memory_mb = foghorn_driver::memory::own_peak_bytes() as f64 / 1e6;
    Ok(whole)
}

/// Makes the trials and tells of those that fail. The budget that is left: a program that is known
/// to be unsafe is worth a while to find other failures and shorter runs, and no more.
fn tried(
    reporter: &Reporter<'_>,
    budget: Budget,
    tell: &mut dyn FnMut(WorkerEvent),
) -> (Trials, Budget) {
    tell(WorkerEvent::Progress(Progress::phase("trying runs")));
    let trials = Trials::of(reporter.module, &reporter.options(), &budget);
    if trials.is_empty() {
        return (trials, budget);
    }
    let mut ids = CheckIds::default();
    for trial in trials.failures() {
        let check = reporter.trial(trial, &mut ids);
        tell(WorkerEvent::Failed(Box::new(check)));
    }
    (trials, budget.within(AFTER_FAILED_TRIAL))
}

/// The program in the pure form, and what its initial memories can hold.
fn purified(original: &Module) -> (Module, InitialRegions) {
    let mut pure = original.clone();
    let analysis = program::purify(&mut pure);
    let Some(entry) = pure.entry else {
        return (pure, InitialRegions::default());
    };
    let regions = analysis.function(entry).regions.values();
    let initial = regions.map(|info| InitialRegion {
        globals: info
            .sites
            .iter()
            .filter_map(|site| match site {
                Site::Global(global) => Some(*global),
                Site::Instruction(..) | Site::Environment => None,
            })
            .collect(),
        environment: info.sites.contains(&Site::Environment),
    });
    let initial = InitialRegions(initial.collect());
    (pure, initial)
}

/// The life of a worker process.
pub fn worker() -> ExitCode {
    foghorn_driver::serve(|request: Request, events: &Events<WorkerEvent>| {
        let mut tell = |event| events.send(event);
        let result = work(&request, &Budget::unlimited(), &mut tell);
        Ok(result.map_err(|failure| WorkerFailure::from(&failure)))
    })
}

/// Whose fault it is that there is no report, for the other process.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
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
