//! The engine's side: from a request to a report.

use super::absint::{ProofReporter, taken_over};
use super::assumptions::Circumstances;
use super::bounds;
use super::certify::add_certificate;
use super::harnesses::Harnesses;
use super::outside::Outside;
use super::report::Reporter;
use super::request::{EngineName, Request, WorkerEvent};
use super::sites::Sites;
use super::trials::Trials;
use crate::command::Failure;
use crate::program;
use foghorn_bmc::{
    Bmc, BmcReport, Facts, InitialRegion, InitialRegions, News, SiteAnswer, SiteVerdict,
    has_closable_loops,
};
use foghorn_core::{Budget, CheckSelection, SiteKind, UnknownReason, Verdict};
use foghorn_driver::{Events, Progress};
use foghorn_dsa::graph::Site;
use foghorn_frontend::Translation;
use foghorn_invariants::{Proof, RegionTable, prove};
use foghorn_ir::Module;
use foghorn_ir::graph::{CallGraph, ControlFlowGraph, LoopForest};
use foghorn_ir::interpret::ProgramPoint;
use foghorn_smt::SolverError;
use foghorn_witness::report::VerificationReport;
use std::cell::RefCell;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long the engine works on a program of which a trial has failed.
const AFTER_FAILED_TRIAL: Duration = Duration::from_secs(5);

/// What an attempt with closed loops may take before loops are unwound: a part of the time, and a limit.
const CLOSED: (f64, Duration) = (0.15, Duration::from_secs(4));

/// Does one piece of work in this process.
pub fn work(
    request: &Request,
    budget: &Budget,
    tell: &mut dyn FnMut(WorkerEvent),
) -> Result<VerificationReport, Failure> {
    let started = Instant::now();
    let checks: CheckSelection = request.check.parse().map_err(Failure::usage)?;
    tell(WorkerEvent::Progress(Progress::phase("translating")));
    let translation = program::load(&request.program, &[])?;
    let outside = Outside::new(request, &translation);
    let told = translation_notes(&translation, request.program.warnings);
    let taken_for_granted = translation.assumptions;
    let original = translation.module;
    let bounded = request.options.unwind_set.iter();
    let bounded = bounded.filter_map(|item| Some(item.split_once('=')?.0));
    bounds::check_names(&original, bounded, &[])?;
    if request.only_loops && is_loop_free(&original) {
        return Ok(left_to_others(request.engine));
    }
    tell(WorkerEvent::Progress(Progress::phase("analysing pointers")));
    let mut pure = original.clone();
    let pointers = program::purify(&mut pure);
    let task = Task {
        request,
        checks,
        original,
        pure,
        pointers,
        outside,
    };
    let mut whole = match request.engine {
        EngineName::Bmc => task.bmc(budget, tell)?,
        EngineName::Absint => task.absint(tell)?,
    };
    whole.warnings.splice(0..0, told);
    whole.assume(taken_for_granted);
    whole.time_s = started.elapsed().as_secs_f64();
    whole.peak_memory_mb = foghorn_driver::memory::own_peak_bytes() as f64 / 1e6;
    Ok(whole)
}

/// What the front end has to say, and clang too if that is asked for.
fn translation_notes(translation: &Translation, clang: bool) -> Vec<String> {
    let mut told = translation.notes.clone();
    if clang {
        let lines = translation.warnings.iter().flat_map(|text| text.lines());
        let lines = lines.filter(|line| line.contains("warning: "));
        told.extend(lines.map(|line| format!("clang: {line}")));
    }
    told
}

/// Whether every execution is as short as the program.
fn is_loop_free(module: &Module) -> bool {
    let calls = CallGraph::new(module);
    module.functions.iter().all(|(id, function)| {
        let has_loops = function.body.as_ref().is_some_and(|body| {
            let cfg = ControlFlowGraph::new(body);
            !LoopForest::new(&cfg).is_empty()
        });
        !has_loops && !calls.is_recursive(id)
    })
}

/// Nothing was done.
fn left_to_others(engine: EngineName) -> VerificationReport {
    let what = "a program without loops is left to the engines that follow".to_owned();
    let reason = UnknownReason::Failure { what };
    VerificationReport::new(engine.name(), vec![], Some(reason))
}

/// Makes the trials and tells of those that fail. The budget that is left: a program that is known
/// to be unsafe is worth a while to find other failures and shorter runs, and no more.
fn tried(
    reporter: &Reporter<'_>,
    budget: Budget,
    patience: Option<Duration>,
    tell: &mut dyn FnMut(WorkerEvent),
) -> (Trials, Budget) {
    tell(WorkerEvent::Progress(Progress::phase("trying runs")));
    let trials = Trials::of(reporter.module, &reporter.options(), &budget);
    if trials.is_empty() {
        return (trials, budget);
    }
    for trial in trials.failures() {
        let check = reporter.trial(trial);
        tell(WorkerEvent::Failed(Box::new(check)));
    }
    let budget = match patience {
        Some(patience) => budget.within(patience),
        None => budget,
    };
    (trials, budget)
}

/// The report of a search that could not go on.
fn failed(error: &SolverError, refuted: Vec<SiteAnswer>) -> BmcReport {
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

/// The sites that a report says to be safe.
fn safe_sites(report: &BmcReport) -> impl Iterator<Item = (SiteKind, ProgramPoint)> + '_ {
    let answers = report.answers.iter();
    let safe = answers.filter(|answer| matches!(answer.verdict, SiteVerdict::Safe));
    safe.filter_map(|answer| Some((answer.site.kind, answer.site.point?)))
}

/// A program that is ready for an engine.
struct Task<'r> {
    request: &'r Request,
    checks: CheckSelection,
    original: Module,
    pure: Module,
    pointers: foghorn_dsa::Analysis,
    outside: Outside,
}

impl Task<'_> {
    fn circumstances(&self) -> Circumstances<'_> {
        Circumstances {
            module: &self.original,
            checks: &self.checks,
            misaligned: self.request.options.misaligned,
            malloc_may_fail: self.request.program.malloc_may_fail,
            outside: &self.outside,
            pure: &self.pure,
            program: &self.request.program,
        }
    }

    /// Proves what follows from invariants.
    fn absint(&self, tell: &mut dyn FnMut(WorkerEvent)) -> Result<VerificationReport, Failure> {
        let misaligned = self.request.options.misaligned;
        let invariants = &self.request.invariants;
        let options = invariants.proof(self.checks.clone(), misaligned);
        let options = options.map_err(Failure::usage)?;
        let assumed = self.pointers.assumed_conversions(&self.original);
        let sites = self.sites();
        tell(WorkerEvent::Sites(sites.checks()));
        let reporter = ProofReporter {
            module: &self.original,
            circumstances: self.circumstances(),
            addresses_as_pointers: !assumed.is_empty(),
            sites: &sites,
        };
        let phase = Progress::phase("inferring invariants");
        tell(WorkerEvent::Progress(phase));
        let regions = RegionTable::new(&self.pure, &self.pointers);
        let mut told = |proof: &Proof| {
            tell(WorkerEvent::Proved(Box::new(reporter.interim(proof))));
        };
        let proof = prove(&self.pure, &regions, &options, &mut told).map_err(Failure::usage)?;
        let mut report = reporter.interim(&proof).report;
        if invariants.certify {
            tell(WorkerEvent::Progress(Progress::phase("certifying")));
            let budget = match self.request.time {
                Some(time) => Budget::unlimited().within(time),
                None => Budget::unlimited(),
            };
            add_certificate(&mut report, &self.pure, &self.checks, &budget)
                .map_err(Failure::internal)?;
        }
        Ok(report)
    }

    /// Looks for runs that fail, with growing bounds.
    fn bmc(
        &self,
        budget: &Budget,
        tell: &mut dyn FnMut(WorkerEvent),
    ) -> Result<VerificationReport, Failure> {
        let options = &self.request.options;
        let bmc = options.bmc(self.checks.clone());
        let mut bmc = bmc.map_err(Failure::usage)?;
        bmc.settings.initial = self.initial_regions();
        bmc.settings.proved = self.request.proved.iter().map(taken_over).collect();
        bmc.settings.facts = Facts::new(&self.request.facts);
        let budget = match self.request.time {
            Some(time) => budget.within(time),
            None => budget.clone(),
        };
        let sites = self.sites();
        tell(WorkerEvent::Sites(sites.checks()));
        let proved = RefCell::new(bmc.settings.proved.clone());
        let is_proved = |kind, point| proved.borrow().contains(&(kind, point));
        let reporter = Reporter {
            module: &self.original,
            circumstances: self.circumstances(),
            sites: &sites,
            is_proved: &is_proved,
            own_bounds: bmc.unwind_set.clone(),
            harnesses: self
                .request
                .harness
                .as_ref()
                .map(|folder| Harnesses::new(folder.clone(), &self.request.program)),
        };
        let (closes, unwinds) = options.closes_and_unwinds();
        if closes && has_closable_loops(&self.pure) {
            let closed = self.closed(&bmc, unwinds, &budget, tell);
            match closed {
                Ok(report) if !unwinds || report.verdict() == Verdict::Safe => {
                    return Ok(reporter.bmc(&report, &Trials::default()));
                }
                Ok(report) => {
                    bmc.settings.proved.extend(safe_sites(&report));
                    proved.borrow_mut().extend(safe_sites(&report));
                }
                // Whatever went wrong, unwinding does without it.
                Err(_) if unwinds => {}
                Err(error) => return Ok(reporter.bmc(&failed(&error, vec![]), &Trials::default())),
            }
        }
        let patience = (!options.keep_going).then_some(AFTER_FAILED_TRIAL);
        let (trials, budget) = match self.request.trials {
            true => tried(&reporter, budget, patience, tell),
            false => (Trials::default(), budget),
        };
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
                let check = reporter.check(answer);
                tell(WorkerEvent::Failed(Box::new(check)));
            }
            News::Beyond { bound, unwound } => {
                let loops = reporter.loops(bound, unwound);
                tell(WorkerEvent::Beyond { bound, loops });
            }
        };
        let report = foghorn_bmc::check(&self.pure, &bmc, &budget, &mut told);
        let report = report.unwrap_or_else(|error| failed(&error, refuted));
        Ok(reporter.bmc(&report, &trials))
    }

    /// All checks of the program.
    fn sites(&self) -> Sites<'_> {
        let misaligned = self.request.options.misaligned;
        Sites::new(&self.original, &self.pure, &self.checks, misaligned)
    }

    /// An attempt with closed loops, in a part of the time if they are unwound after it.
    fn closed(
        &self,
        bmc: &Bmc,
        unwinds: bool,
        budget: &Budget,
        tell: &mut dyn FnMut(WorkerEvent),
    ) -> Result<BmcReport, SolverError> {
        let options = self.request.options.closed(bmc);
        let share = match (unwinds, self.request.time) {
            (false, _) => budget.clone(),
            (true, Some(time)) => budget.within(time.mul_f64(CLOSED.0).min(CLOSED.1)),
            (true, None) => budget.within(CLOSED.1),
        };
        tell(WorkerEvent::Progress(Progress::phase("closing loops")));
        // What it says of bounds and failures does not hold of the program.
        foghorn_bmc::check(&self.pure, &options, &share, &mut |_| {})
    }

    /// What the initial memories can hold.
    fn initial_regions(&self) -> InitialRegions {
        let Some(entry) = self.pure.entry else {
            return InitialRegions::default();
        };
        let regions = self.pointers.function(entry).regions.values();
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
        InitialRegions(initial.collect())
    }
}

/// The life of a worker process.
pub fn worker() -> ExitCode {
    foghorn_driver::serve(|mut request: Request, events: &Events<WorkerEvent>| {
        request.program.isolated = true;
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
