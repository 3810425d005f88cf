//! The engine: bounds, questions, verdicts.

mod examine;
mod folds;

use crate::answer::{BmcReport, News, SiteAnswer, SiteVerdict};
use crate::cells::Cells;
use crate::event::{Event, Site, What};
use crate::execute::{ExecuteError, Executor, Memo, Notes, Trace};
use crate::query::{self, Question, Settled};
use crate::settings::{Limits, Loops, MemoryChoice, Settings};
use crate::vacuity;
use foghorn_core::{Budget, SiteKind, UnknownReason};
use foghorn_encode::memory::{Arrays, Lambdas, MemoryRepresentation, Seam, SeamOptions};
use foghorn_ir::Module;
use foghorn_ir::interpret::ProgramPoint;
use foghorn_smt::SolverError;
use foghorn_smt::choice::{EngineSolver, SolverChoice, SolverOptions, open};
use foghorn_smt::solver::Answer;
use foghorn_term::{Op, TermId, TermPool};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bounds on the sizes of objects that are tried for a counterexample, in this order.
const SMALL_OBJECTS: [u64; 2] = [1 << 10, 1 << 24];

/// How to check.
#[derive(Clone, Debug)]
pub struct Bmc {
    pub settings: Settings,
    pub memory: MemoryChoice,
    pub solver: SolverChoice,
    /// One bound instead of growing ones.
    pub unwind: Option<u32>,
    /// Bounds of loops by name.
    pub unwind_set: BTreeMap<Arc<str>, u32>,
    /// The largest bound that is tried.
    pub max_unwind: u32,
    pub loops: Loops,
    /// Loops with fewer iterations, as constants decide, are executed rather than closed.
    pub closed_from: u32,
    /// Whether to look for checks that nothing reaches.
    pub vacuity: bool,
    /// Whether to use the whole time after a check has failed.
    pub keep_going: bool,
    /// A folder for the solver's queries.
    pub dump: Option<PathBuf>,
}

impl Default for Bmc {
    fn default() -> Self {
        Bmc {
            settings: Settings::default(),
            memory: MemoryChoice::default(),
            solver: SolverChoice::default(),
            unwind: None,
            unwind_set: BTreeMap::new(),
            max_unwind: 1 << 20,
            loops: Loops::Unwound,
            closed_from: 16,
            vacuity: true,
            keep_going: false,
            dump: None,
        }
    }
}

/// Checks a module in pure form. Where a range covers part of a cell, it is checked again with
/// smaller cells.
pub fn check(
    module: &Module,
    options: &Bmc,
    budget: &Budget,
    tell: &mut dyn FnMut(News<'_>),
) -> Result<BmcReport, SolverError> {
    let bodies = module.functions.values();
    let bodies = bodies.filter_map(|function| function.body.as_ref());
    let mut regions = bodies.flat_map(|body| body.regions.values());
    let first = match regions.any(|region| Cells::Likely.are_guessed(region)) {
        true => Cells::Likely,
        false => Cells::Promised,
    };
    let mut report = check_with_cells(module, options, first, budget, tell)?;
    for finer in [Cells::Promised, Cells::Pointers, Cells::Bytes] {
        if finer <= first {
            continue;
        }
        if !report.cells_too_coarse || budget.check().is_err() {
            break;
        }
        report = check_with_cells(module, options, finer, budget, tell)?;
    }
    Ok(report)
}

fn check_with_cells(
    module: &Module,
    options: &Bmc,
    cells: Cells,
    budget: &Budget,
    tell: &mut dyn FnMut(News<'_>),
) -> Result<BmcReport, SolverError> {
    let mut engine = Engine {
        module,
        options,
        cells,
        budget,
        pool: TermPool::new(),
        memo: Memo::default(),
        solver: open(&SolverOptions {
            choice: options.solver,
            dump: options.dump.clone(),
            budget: budget.clone(),
        })?,
        answers: FxHashMap::default(),
        report: BmcReport::default(),
        started: Instant::now(),
        first_failure: None,
        tell,
    };
    engine.run()?;
    Ok(engine.finish())
}

/// How long everything else may take, besides half of the time to the first failure, once one is
/// known: the program is unsafe, and other failures are a bonus.
const PATIENCE: Duration = Duration::from_secs(4);

/// What looking for vacuous checks may take even if the proof took less.
const LEAST_FOR_VACUITY: Duration = Duration::from_millis(200);

/// A site by what stays the same from bound to bound.
type SiteKey = (SiteKind, Option<ProgramPoint>);

struct Engine<'a> {
    module: &'a Module,
    options: &'a Bmc,
    cells: Cells,
    budget: &'a Budget,
    pool: TermPool,
    memo: Memo,
    solver: Box<dyn EngineSolver>,
    /// Sites that are settled, and all others met so far.
    answers: FxHashMap<SiteKey, SiteVerdict>,
    report: BmcReport,
    started: Instant,
    /// How long it took to the first failure.
    first_failure: Option<Duration>,
    tell: &'a mut dyn FnMut(News<'_>),
}

/// How a bound ended.
enum Round {
    /// Nothing is beyond it.
    Complete,
    /// Something goes on.
    Beyond,
    /// No answer.
    Stopped(UnknownReason),
}

impl Engine<'_> {
    fn run(&mut self) -> Result<(), SolverError> {
        let mut bound = self.options.unwind.unwrap_or(1);
        loop {
            match self.round(bound)? {
                Round::Complete => {
                    self.report.bound = bound;
                    return Ok(());
                }
                Round::Beyond => {
                    self.report.bound = bound;
                    let unwound = &self.report.unwound;
                    (self.tell)(News::Beyond { bound, unwound });
                }
                Round::Stopped(reason) => {
                    self.report.incomplete = Some(reason);
                    return Ok(());
                }
            }
            let last = self.options.unwind.is_some() || bound >= self.options.max_unwind;
            if last || self.patience().check().is_err() {
                self.report.incomplete = Some(UnknownReason::Bounded { bound });
                return Ok(());
            }
            bound = (bound * 2).min(self.options.max_unwind);
        }
    }

    /// The time that is left: once something has failed, not much more.
    fn patience(&self) -> Budget {
        match self.first_failure {
            Some(after) if !self.options.keep_going => {
                let over = after + after / 2 + PATIENCE;
                let left = over.saturating_sub(self.started.elapsed());
                self.budget.within(left)
            }
            None | Some(_) => self.budget.clone(),
        }
    }

    fn round(&mut self, bound: u32) -> Result<Round, SolverError> {
        self.tell(bound, "unwinding", 0);
        let started = Instant::now();
        let width = self.module.layout.pointer_bits();
        let mut memory = representation(self.options.memory, width);
        let mut limits = Limits::new(bound);
        let budget = self.patience();
        limits.unwind_set = self.options.unwind_set.clone();
        limits.loops = self.options.loops;
        limits.closed_from = self.options.closed_from;
        let executor = Executor::new(
            self.module,
            &mut self.pool,
            &mut self.memo,
            &mut *memory,
            &self.options.settings,
            &limits,
            &budget,
        );
        let trace = executor.with_cells(self.cells).whole_run();
        self.report.statistics.executing += started.elapsed();
        self.report.statistics.memory = memory.statistics();
        let trace = match trace {
            Ok(trace) => trace,
            Err(error) => return Ok(Round::Stopped(stopped(&error))),
        };
        self.report.statistics.instructions = trace.steps;
        self.report.statistics.events = trace.events.len();
        self.report.statistics.terms = self.pool.len();
        self.report.statistics.closed_loops = trace.closed_loops;
        self.questions(bound, trace)
    }

    fn questions(&mut self, bound: u32, mut trace: Trace) -> Result<Round, SolverError> {
        let axioms = std::mem::take(&mut trace.axioms);
        for axiom in axioms {
            self.solver.assert(&self.pool, axiom)?;
        }
        let mut settled = Settled::default();
        for (index, site) in trace.sites.iter().enumerate() {
            if self.answers.contains_key(&(site.kind, site.point)) {
                settled.sites.insert(index);
            }
        }
        self.ask_about_folds(&mut trace, &mut settled)?;
        let mut imprecise = None;
        loop {
            let open = trace.sites.len() - settled.sites.len();
            self.tell(bound, "solving", open);
            let question = Question::Failure;
            let (formula, answer) = self.pose(&trace, &settled, question)?;
            match answer {
                Answer::Unsatisfiable => break,
                Answer::Unknown(why) => return Ok(self.open_sites(&trace, failure(why))),
                Answer::Satisfiable => {
                    let found = self.examine(&trace, &mut settled, formula, question)?;
                    if let Some(reason) = found {
                        imprecise.get_or_insert(reason);
                    }
                }
            }
        }
        let beyond = match self.pose(&trace, &settled, Question::Beyond)?.1 {
            Answer::Unsatisfiable => false,
            Answer::Satisfiable => true,
            Answer::Unknown(why) => return Ok(self.open_sites(&trace, failure(why))),
        };
        if self.options.vacuity && !beyond {
            self.look_for_vacuity(&trace)?;
        }
        self.note_bound(&trace, beyond);
        match (imprecise, beyond) {
            (Some(reason), _) => Ok(self.open_sites(&trace, reason)),
            (None, true) => {
                let _ = self.open_sites(&trace, UnknownReason::Bounded { bound });
                Ok(Round::Beyond)
            }
            (None, false) => {
                self.close_sites(&trace);
                Ok(Round::Complete)
            }
        }
    }

    /// Asks a question, by cases first. A model of the cases is not asked for: what the program
    /// computes stands in the formula without them.
    fn pose(
        &mut self,
        trace: &Trace,
        settled: &Settled,
        question: Question,
    ) -> Result<(TermId, Answer), SolverError> {
        let posed = query::posed(&mut self.pool, &trace.events, settled, question);
        let parts = match posed.cases.is_empty() {
            true => vec![posed.whole],
            false => posed.cases,
        };
        let mut answer = Answer::Unsatisfiable;
        for &part in &parts {
            answer = self.ask(part)?;
            if answer != Answer::Unsatisfiable {
                break;
            }
        }
        let is_case = parts != [posed.whole];
        if is_case && answer == Answer::Satisfiable && question == Question::Failure {
            answer = self.ask(posed.whole)?;
        }
        Ok((posed.whole, answer))
    }

    fn ask(&mut self, formula: TermId) -> Result<Answer, SolverError> {
        if self.pool.as_bool(formula) == Some(false) {
            return Ok(Answer::Unsatisfiable);
        }
        self.report.statistics.queries += 1;
        self.report.statistics.formula_size = self.pool.dag_size(&[formula]);
        let started = Instant::now();
        self.solver.set_budget(self.patience());
        let answer = self.solver.check_assuming(&self.pool, &[formula]);
        self.solver.set_budget(self.budget.clone());
        self.report.statistics.solving += started.elapsed();
        match answer {
            Err(SolverError::Exhausted(resource)) => {
                Ok(Answer::Unknown(format!("out of {resource}")))
            }
            other => other,
        }
    }

    /// Moves the solver from a model of the formula to one in which the program's objects are as
    /// small as an execution can have them: an object of an exabyte is no test case.
    fn prefer_small_objects(&mut self, formula: TermId) -> Result<(), SolverError> {
        let width = self.module.layout.pointer_bits();
        let objects: Vec<(TermId, TermId)> = self
            .memo
            .objects
            .in_order()
            .iter()
            .filter_map(|&number| self.memo.objects.get(number))
            .filter(|object| self.pool.as_bitvec(object.size).is_none())
            .map(|object| (object.born, object.size))
            .collect();
        if objects.is_empty() {
            return Ok(());
        }
        for largest in SMALL_OBJECTS {
            let largest = self.pool.bv(width, largest);
            let small: Vec<TermId> = objects
                .iter()
                .map(|&(born, size)| {
                    let fits = self.pool.make(Op::BvUle, &[size, largest]);
                    self.pool.implies(born, fits)
                })
                .collect();
            let small = self.pool.and(&small);
            let both = self.pool.and(&[formula, small]);
            if self.ask(both)? == Answer::Satisfiable {
                return Ok(());
            }
        }
        // Back to the model that there was.
        self.ask(formula)?;
        Ok(())
    }

    /// A check that closed loops do not prove.
    fn leave_open(&mut self, site: &Site) {
        let reason = UnknownReason::Imprecision {
            operation: "what loops do before this check".to_owned(),
            location: self.module.spans.describe(site.span),
        };
        self.settle(site, SiteVerdict::Unknown(reason));
    }

    fn settle(&mut self, site: &Site, verdict: SiteVerdict) {
        if let SiteVerdict::Unsafe(_) = &verdict {
            let elapsed = self.started.elapsed();
            self.first_failure.get_or_insert(elapsed);
            (self.tell)(News::Refuted(&SiteAnswer {
                site: *site,
                verdict: verdict.clone(),
                vacuous: false,
            }));
        }
        self.answers.insert((site.kind, site.point), verdict);
    }

    fn note_bound(&mut self, trace: &Trace, beyond: bool) {
        self.report.unwound.clear();
        if beyond {
            for event in &trace.events {
                if let What::Unwinding { name, span } = &event.what
                    && !self.report.unwound.iter().any(|(known, _)| known == name)
                {
                    self.report.unwound.push((name.clone(), *span));
                }
            }
        }
        let notes = &trace.notes;
        self.report.notes = Notes {
            external_calls: notes.external_calls.clone(),
            over_approximations: notes.over_approximations.clone(),
            fixed_arguments: notes.fixed_arguments,
            addresses_as_pointers: notes.addresses_as_pointers,
        };
    }

    /// Every site that is not settled is unknown for this reason.
    fn open_sites(&mut self, trace: &Trace, reason: UnknownReason) -> Round {
        self.report.answers = self.answers_for(trace, &SiteVerdict::Unknown(reason.clone()));
        Round::Stopped(reason)
    }

    /// Every site that is not settled is safe.
    fn close_sites(&mut self, trace: &Trace) {
        self.report.answers = self.answers_for(trace, &SiteVerdict::Safe);
    }

    fn answers_for(&self, trace: &Trace, otherwise: &SiteVerdict) -> Vec<SiteAnswer> {
        let vacuous: Vec<SiteKey> = self
            .report
            .answers
            .iter()
            .filter(|answer| answer.vacuous)
            .map(|answer| (answer.site.kind, answer.site.point))
            .collect();
        trace
            .sites
            .iter()
            .map(|site| {
                let key = (site.kind, site.point);
                let known = self.answers.get(&key);
                let otherwise = match self.options.settings.is_proved(site.kind, site.point) {
                    true => &SiteVerdict::Safe,
                    false => otherwise,
                };
                SiteAnswer {
                    site: *site,
                    verdict: known.unwrap_or(otherwise).clone(),
                    vacuous: known.is_none() && vacuous.contains(&key),
                }
            })
            .collect()
    }

    fn look_for_vacuity(&mut self, trace: &Trace) -> Result<(), SolverError> {
        let as_long_again = self.report.statistics.solving.max(LEAST_FOR_VACUITY);
        let budget = self.budget.within(as_long_again);
        self.solver.set_budget(budget.clone());
        let unreached = vacuity::unreached(&mut self.pool, &mut *self.solver, trace, &budget)?;
        // Where every check is reached by some execution, the assumptions have one.
        let is_check = |event: &Event| matches!(event.what, What::Check { .. });
        let suspicious = !unreached.is_empty() || !trace.events.iter().any(is_check);
        self.report.contradictory = suspicious
            && vacuity::contradictory(&mut self.pool, &mut *self.solver, trace, &budget)?;
        self.solver.set_budget(self.budget.clone());
        self.report.answers = trace
            .sites
            .iter()
            .enumerate()
            .map(|(index, site)| SiteAnswer {
                site: *site,
                verdict: SiteVerdict::Safe,
                vacuous: unreached.contains(&index),
            })
            .collect();
        Ok(())
    }

    fn tell(&mut self, bound: u32, phase: &'static str, open: usize) {
        (self.tell)(News::Progress { bound, phase, open });
    }

    fn finish(self) -> BmcReport {
        self.report
    }
}

fn representation(choice: MemoryChoice, width: u32) -> Box<dyn MemoryRepresentation> {
    match choice {
        MemoryChoice::Arrays => Box::new(Arrays::new(width)),
        MemoryChoice::Lambdas => Box::new(Lambdas::new(width)),
        MemoryChoice::Seam { arm, store_map } => {
            Box::new(Seam::new(width, SeamOptions { arm, store_map }))
        }
        MemoryChoice::Given(given) => (given.make)(width),
    }
}

fn stopped(error: &ExecuteError) -> UnknownReason {
    match error {
        ExecuteError::Exhausted(resource) => UnknownReason::Budget {
            resource: resource.to_string(),
        },
        ExecuteError::NoEntry | ExecuteError::TooLarge(_) => UnknownReason::Failure {
            what: error.to_string(),
        },
    }
}

fn failure(what: String) -> UnknownReason {
    match what.strip_prefix("out of ") {
        Some(resource) => UnknownReason::Budget {
            resource: resource.to_owned(),
        },
        None => UnknownReason::Failure { what },
    }
}
