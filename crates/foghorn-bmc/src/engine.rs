//! The engine: bounds, questions, verdicts.

mod examine;

use crate::answer::{BmcReport, News, SiteAnswer, SiteVerdict};
use foghorn_core::{Budget, SiteKind, UnknownReason};
use foghorn_encode::execute::event::{Site, What};
use foghorn_encode::execute::settings::{Facts, Settings};
use foghorn_encode::execute::{Executor, Memo, Trace, Unwind};
use foghorn_encode::memory::MemoryChoice;
use foghorn_encode::semantics::cells::Cells;
use foghorn_ir::Module;
use foghorn_ir::interpret::ProgramPoint;
use foghorn_query::{Question, Session, Settled, reason};
use foghorn_smt::SolverError;
use foghorn_smt::choice::{SolverChoice, SolverOptions};
use foghorn_smt::solver::Answer;
use foghorn_term::{Op, TermId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
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
            vacuity: true,
            keep_going: false,
            dump: None,
        }
    }
}

/// What others found in the meantime: all of it, also what was known before.
#[derive(Clone, Debug)]
pub struct Heard {
    pub proved: BTreeSet<(SiteKind, ProgramPoint)>,
    pub facts: Facts,
}

/// Checks a module in pure form.
pub fn check(
    module: &Module,
    options: &Bmc,
    budget: &Budget,
    tell: &mut dyn FnMut(News<'_>),
) -> Result<BmcReport, SolverError> {
    check_listening(module, options, budget, tell, &mut || None)
}

/// Checks a module in pure form, and asks before each bound whether others have found something. Where a
/// range covers part of a cell, it is checked again with smaller cells.
pub fn check_listening(
    module: &Module,
    options: &Bmc,
    budget: &Budget,
    tell: &mut dyn FnMut(News<'_>),
    hear: &mut dyn FnMut() -> Option<Heard>,
) -> Result<BmcReport, SolverError> {
    let mut settings = options.settings.clone();
    let mut attempts = Cells::attempts(module);
    let mut cells = attempts.next().unwrap_or(Cells::Bytes);
    loop {
        let mut engine = Engine::open(module, options, settings, cells, budget, tell, hear)?;
        engine.run()?;
        settings = std::mem::take(&mut engine.settings);
        let report = engine.finish();
        match attempts.next() {
            Some(finer) if report.cells_too_coarse && budget.check().is_ok() => cells = finer,
            _ => return Ok(report),
        }
    }
}

/// How long everything else may take, besides half of the time to the first failure, once one is
/// known: the program is unsafe, and other failures are a bonus.
const PATIENCE: Duration = Duration::from_secs(4);

/// A site by what stays the same from bound to bound.
type SiteKey = (SiteKind, Option<ProgramPoint>);

struct Engine<'a> {
    module: &'a Module,
    options: &'a Bmc,
    /// The options' own, with what was heard from others.
    settings: Settings,
    cells: Cells,
    budget: &'a Budget,
    memo: Memo,
    session: Session,
    /// Sites that are settled, and all others met so far.
    answers: FxHashMap<SiteKey, SiteVerdict>,
    report: BmcReport,
    started: Instant,
    /// How long it took to the first failure.
    first_failure: Option<Duration>,
    tell: &'a mut dyn FnMut(News<'_>),
    hear: &'a mut dyn FnMut() -> Option<Heard>,
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

impl<'a> Engine<'a> {
    fn open(
        module: &'a Module,
        options: &'a Bmc,
        settings: Settings,
        cells: Cells,
        budget: &'a Budget,
        tell: &'a mut dyn FnMut(News<'_>),
        hear: &'a mut dyn FnMut() -> Option<Heard>,
    ) -> Result<Self, SolverError> {
        Ok(Engine {
            module,
            options,
            settings,
            cells,
            budget,
            memo: Memo::default(),
            session: Session::new(&SolverOptions {
                choice: options.solver,
                dump: options.dump.clone(),
                budget: budget.clone(),
            })?,
            answers: FxHashMap::default(),
            report: BmcReport::default(),
            started: Instant::now(),
            first_failure: None,
            tell,
            hear,
        })
    }

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
        if let Some(heard) = (self.hear)() {
            self.settings.proved = heard.proved;
            self.settings.facts = heard.facts;
        }
        let started = Instant::now();
        let width = self.module.layout.pointer_bits();
        let mut memory = self.options.memory.open(width);
        let mut policy = Unwind::new(bound).with_bounds(self.options.unwind_set.clone());
        let budget = self.patience();
        let executor = Executor::new(
            self.module,
            &mut self.session.pool,
            &mut self.memo,
            &mut *memory,
            &self.settings,
            &mut policy,
            &budget,
        );
        let trace = executor.with_cells(self.cells).whole_run();
        self.report.statistics.executing += started.elapsed();
        self.report.statistics.memory = memory.statistics();
        let trace = match trace {
            Ok(trace) => trace,
            Err(error) => return Ok(Round::Stopped(reason::of_execution(&error))),
        };
        self.report.statistics.instructions = trace.steps;
        self.report.statistics.events = trace.events.len();
        self.report.statistics.terms = self.session.pool.len();
        self.questions(bound, trace)
    }

    fn questions(&mut self, bound: u32, mut trace: Trace) -> Result<Round, SolverError> {
        self.session.assert_axioms(&mut trace)?;
        let mut settled = Settled::default();
        for (index, site) in trace.sites.iter().enumerate() {
            if self.answers.contains_key(&(site.kind, site.point)) {
                settled.sites.insert(index);
            }
        }
        let mut imprecise = None;
        loop {
            let open = trace.sites.len() - settled.sites.len();
            self.tell(bound, "solving", open);
            let question = Question::Failure;
            let (formula, answer) = self.pose(&trace, &settled, question)?;
            match answer {
                Answer::Unsatisfiable => break,
                Answer::Unknown(why) => return Ok(self.open_sites(&trace, reason::of_solver(why))),
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
            Answer::Unknown(why) => return Ok(self.open_sites(&trace, reason::of_solver(why))),
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

    fn pose(
        &mut self,
        trace: &Trace,
        settled: &Settled,
        question: Question,
    ) -> Result<(TermId, Answer), SolverError> {
        let patience = self.patience();
        let answer = self.session.pose(trace, settled, question, &patience);
        self.count();
        answer
    }

    fn ask(&mut self, formula: TermId) -> Result<Answer, SolverError> {
        let patience = self.patience();
        let answer = self.session.ask(formula, &patience);
        self.count();
        answer
    }

    /// Takes over what questions took.
    fn count(&mut self) {
        let (own, effort) = (&mut self.report.statistics, self.session.effort);
        own.queries = effort.queries;
        own.formula_size = effort.formula_size;
        own.solving = effort.solving;
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
            .filter(|object| self.session.pool.as_bitvec(object.size).is_none())
            .map(|object| (object.allocated, object.size))
            .collect();
        if objects.is_empty() {
            return Ok(());
        }
        for largest in SMALL_OBJECTS {
            let largest = self.session.pool.bv(width, largest);
            let small: Vec<TermId> = objects
                .iter()
                .map(|&(allocated, size)| {
                    let fits = self.session.pool.make(Op::BvUle, &[size, largest]);
                    self.session.pool.implies(allocated, fits)
                })
                .collect();
            let small = self.session.pool.and(&small);
            let both = self.session.pool.and(&[formula, small]);
            if self.ask(both)? == Answer::Satisfiable {
                return Ok(());
            }
        }
        // Back to the model that there was.
        self.ask(formula)?;
        Ok(())
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
        self.report.notes = trace.notes.clone();
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
        let found = self.session.look_for_vacuity(trace)?;
        self.report.contradictory = found.contradictory;
        self.report.answers = trace
            .sites
            .iter()
            .enumerate()
            .map(|(index, site)| SiteAnswer {
                site: *site,
                verdict: SiteVerdict::Safe,
                vacuous: found.unreached.contains(&index),
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
