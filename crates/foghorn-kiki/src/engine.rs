//! The loop of fig. 2.1 of the 2LS thesis: k-invariant, k-induction, bounded model checking, k + 1.

mod argue;
mod facts;
mod infer;
mod prove;
mod refute;

use crate::answer::{KikiReport, ShownInvariant, SiteAnswer, SiteVerdict, Statistics};
use crate::cut::Cut;
use crate::follow;
use crate::invariant::{Invariants, Remembered};
use crate::problem::Problem;
use crate::sabotage::Sabotage;
use crate::strategy::Strategy;
use crate::template::Selection;
use foghorn_core::{Budget, SiteKind, UnknownReason};
use foghorn_encode::execute::event::{Site, SiteIndex};
use foghorn_encode::execute::settings::Settings;
use foghorn_encode::execute::{ExecuteError, Executor, Memo, Trace};
use foghorn_encode::memory::MemoryChoice;
use foghorn_encode::semantics::cells::Cells;
use foghorn_ir::Module;
use foghorn_ir::interpret::ProgramPoint;
use foghorn_query::{Session, reason};
use foghorn_smt::SolverError;
use foghorn_smt::choice::{SolverChoice, SolverOptions};
use foghorn_term::TermPool;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::time::Instant;

/// Which of the three parts work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Invariants of one copy, and what they prove.
    Invariants,
    /// k-induction without invariants.
    Induction,
    /// Failures from the start.
    Bounded,
    #[default]
    All,
}

impl Mode {
    fn infers(self) -> bool {
        matches!(self, Mode::Invariants | Mode::All)
    }

    fn proves(self) -> bool {
        self != Mode::Bounded
    }

    fn refutes(self) -> bool {
        matches!(self, Mode::Bounded | Mode::Induction | Mode::All)
    }
}

/// How to check.
#[derive(Clone, Debug)]
pub struct Kiki {
    pub settings: Settings,
    pub mode: Mode,
    pub selection: Selection,
    pub strategy: Strategy,
    pub solver: SolverChoice,
    /// The largest number of copies.
    pub most_copies: u32,
    /// Loops that constants decide are executed if they have no more iterations.
    pub decided: u32,
    /// Rows of one loop.
    pub most_rows: usize,
    /// Whether claims are made of what is proved.
    pub argues: bool,
    pub sabotage: Sabotage,
}

impl Default for Kiki {
    fn default() -> Self {
        Kiki {
            settings: Settings::default(),
            mode: Mode::default(),
            selection: Selection::default(),
            strategy: Strategy::default(),
            solver: SolverChoice::default(),
            most_copies: 64,
            decided: 32,
            most_rows: 160,
            argues: true,
            sabotage: Sabotage::None,
        }
    }
}

/// What is told while it works.
pub enum News<'a> {
    /// So many copies are looked at, and what is done with them.
    Progress { copies: u32, phase: &'static str },
    /// A site is decided.
    Decided(&'a SiteAnswer),
    /// The program was executed with cut loops.
    Executed {
        pool: &'a TermPool,
        problem: &'a Problem,
    },
    /// Parameters have changed.
    Parameters(&'a Invariants),
}

/// A site by what stays the same from run to run.
type SiteKey = (SiteKind, Option<ProgramPoint>);

/// Checks a module in pure form. Where a range covers part of a cell, it is checked again with smaller cells.
pub fn check(
    module: &Module,
    options: &Kiki,
    budget: &Budget,
    tell: &mut dyn FnMut(News<'_>),
) -> Result<KikiReport, SolverError> {
    let mut attempts = Cells::attempts(module);
    let mut cells = attempts.next().unwrap_or(Cells::Bytes);
    let mut decided = BTreeMap::new();
    loop {
        let mut engine = Engine::open(module, options, cells, budget, tell, decided)?;
        engine.run()?;
        let is_too_coarse = engine.is_too_coarse;
        let (report, known) = engine.finish();
        decided = known;
        match attempts.next() {
            Some(finer) if is_too_coarse && budget.check().is_ok() => cells = finer,
            _ => return Ok(report),
        }
    }
}

struct Engine<'a> {
    module: &'a Module,
    options: &'a Kiki,
    cells: Cells,
    budget: &'a Budget,
    session: Session,
    memo: Memo,
    cut: Cut,
    /// Sites that are decided.
    decided: BTreeMap<SiteKey, SiteVerdict>,
    /// Why others are not.
    open: BTreeMap<SiteKey, UnknownReason>,
    report: KikiReport,
    is_too_coarse: bool,
    /// Invariants of one copy: they hold whatever the number of copies.
    remembered: Vec<Remembered>,
    /// Invariants that are shown if no obligation is violated.
    pending: Vec<ShownInvariant>,
    tell: &'a mut dyn FnMut(News<'_>),
}

/// Whether it is worth going on.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Round {
    Done,
    Further,
    Stopped(UnknownReason),
}

impl<'a> Engine<'a> {
    fn open(
        module: &'a Module,
        options: &'a Kiki,
        cells: Cells,
        budget: &'a Budget,
        tell: &'a mut dyn FnMut(News<'_>),
        decided: BTreeMap<SiteKey, SiteVerdict>,
    ) -> Result<Self, SolverError> {
        Ok(Engine {
            module,
            options,
            cells,
            budget,
            session: Session::new(&SolverOptions {
                choice: options.solver,
                dump: None,
                budget: budget.clone(),
            })?,
            memo: Memo::default(),
            cut: Cut::new(options.decided).with_sabotage(options.sabotage),
            decided,
            open: BTreeMap::new(),
            report: KikiReport::default(),
            is_too_coarse: false,
            remembered: vec![],
            pending: vec![],
            tell,
        })
    }

    fn run(&mut self) -> Result<(), SolverError> {
        let mut copies = 1;
        loop {
            self.report.copies = copies;
            let round = self.round(copies)?;
            self.report.incomplete = match round {
                Round::Done => None,
                Round::Stopped(reason) => Some(reason),
                Round::Further => {
                    let next = copies + 1 + copies / 4;
                    let is_last =
                        self.options.mode == Mode::Invariants || next > self.options.most_copies;
                    if is_last || self.budget.check().is_err() {
                        self.report.incomplete = Some(UnknownReason::Bounded { bound: copies });
                        return Ok(());
                    }
                    copies = next;
                    continue;
                }
            };
            return Ok(());
        }
    }

    fn round(&mut self, copies: u32) -> Result<Round, SolverError> {
        self.tell(copies, "executing");
        self.cut.set_copies(copies);
        let mut trace = match self.execute() {
            Ok(trace) => trace,
            Err(error) => return Ok(Round::Stopped(reason::of_execution(&error))),
        };
        self.session.assert_axioms(&mut trace)?;
        self.report.notes = trace.notes.clone();
        let loops = self.cut.take_loops();
        self.report.statistics.cut_loops = loops.len();
        if let Some(refused) = self.cut.refusal().filter(|_| !loops.is_empty()) {
            return Ok(Round::Stopped(UnknownReason::Unsupported {
                construct: refused.to_owned(),
                location: self.module.spans.describe(foghorn_core::SpanId::UNKNOWN),
            }));
        }
        let events = std::mem::take(&mut trace.events);
        let problem = Problem::new(&mut self.session.pool, loops, events, copies);
        let problem = problem.with_sabotage(self.options.sabotage);
        (self.tell)(News::Executed {
            pool: &self.session.pool,
            problem: &problem,
        });
        self.list_sites(&trace);
        let mut inexact = None;
        if self.options.mode.proves() {
            inexact = self.infer_and_prove(&trace, &problem, copies)?;
        }
        if let Some(reason) = inexact.clone().filter(|_| self.is_too_coarse) {
            return Ok(Round::Stopped(reason));
        }
        if self.is_all_decided(&trace) && (inexact.is_none() || self.has_failure()) {
            return match inexact {
                Some(reason) => Ok(Round::Stopped(reason)),
                None => {
                    if !self.has_failure() {
                        self.argue(&problem, copies)?;
                    }
                    self.look_for_vacuity(trace, problem)
                }
            };
        }
        if self.options.mode.refutes() {
            self.tell(copies, "looking for failures");
            self.refute(&trace, &problem)?;
        }
        self.count();
        if self.budget.check().is_err() {
            return Ok(Round::Stopped(UnknownReason::Budget {
                resource: "time".to_owned(),
            }));
        }
        match (
            self.is_all_decided(&trace),
            problem.loops.is_empty(),
            inexact,
        ) {
            (true, _, None) => Ok(Round::Done),
            (_, true, Some(reason)) => Ok(Round::Stopped(reason)),
            (_, true, None) => Ok(Round::Stopped(UnknownReason::Bounded { bound: copies })),
            (_, false, _) => Ok(Round::Further),
        }
    }

    /// Everything is decided: which checks does nothing reach? What the cut program does not reach, the program does not.
    fn look_for_vacuity(
        &mut self,
        mut trace: Trace,
        problem: Problem,
    ) -> Result<Round, SolverError> {
        if self.has_failure() {
            return Ok(Round::Done);
        }
        trace.events = problem.events;
        let found = self.session.look_for_vacuity(&trace)?;
        self.report.contradictory = found.contradictory;
        for (index, site) in trace.sites.iter().enumerate() {
            let answers = &mut self.report.answers;
            if let Some(answer) = answers.iter_mut().find(|it| key(&it.site) == key(site)) {
                answer.vacuous = found.unreached.contains(&index);
            }
        }
        Ok(Round::Done)
    }

    /// Executes the program with cut loops until no further cells are to be followed.
    fn execute(&mut self) -> Result<Trace, ExecuteError> {
        /// Runs after which cells that are new are left.
        const MOST_RUNS: u32 = 5;
        let started = Instant::now();
        let mut result = self.execute_once();
        for _ in 1..MOST_RUNS {
            let Ok(trace) = &result else { break };
            let (pool, cut) = (&self.session.pool, &mut self.cut);
            let roots = follow::roots(cut.loops(), &trace.events);
            if !follow::follow_cells(pool, cut, &roots) && !cut.has_late_cut() {
                break;
            }
            result = self.execute_once();
        }
        self.report.statistics.executing += started.elapsed();
        if self.cut.has_late_cut() {
            // Heads mean something else than in the runs before.
            self.remembered.clear();
        }
        result
    }

    fn execute_once(&mut self) -> Result<Trace, ExecuteError> {
        let width = self.module.layout.pointer_bits();
        let mut memory = MemoryChoice::default().open(width);
        let executor = Executor::new(
            self.module,
            &mut self.session.pool,
            &mut self.memo,
            &mut *memory,
            &self.options.settings,
            &mut self.cut,
            self.budget,
        );
        executor.with_cells(self.cells).whole_run()
    }

    /// Every site that was met has an answer in the report.
    fn list_sites(&mut self, trace: &Trace) {
        for site in &trace.sites {
            let known = self
                .report
                .answers
                .iter()
                .any(|it| key(&it.site) == key(site));
            if !known {
                self.report.answers.push(SiteAnswer {
                    site: *site,
                    verdict: SiteVerdict::Unknown(UnknownReason::Budget {
                        resource: "time".to_owned(),
                    }),
                    vacuous: false,
                });
            }
        }
    }

    fn is_settled(&self, site: &Site) -> bool {
        self.decided.contains_key(&key(site))
            || self.options.settings.is_proved(site.kind, site.point)
    }

    /// The sites that need not be asked about, these included.
    fn settled(&self, trace: &Trace, others: &FxHashSet<SiteIndex>) -> FxHashSet<SiteIndex> {
        let sites = trace.sites.iter().enumerate();
        let settled = sites.filter(|(index, site)| self.is_settled(site) || others.contains(index));
        settled.map(|(index, _)| index).collect()
    }

    fn is_all_decided(&self, trace: &Trace) -> bool {
        trace.sites.iter().all(|site| self.is_settled(site))
    }

    fn has_failure(&self) -> bool {
        let mut verdicts = self.decided.values();
        verdicts.any(|verdict| matches!(verdict, SiteVerdict::Unsafe(_)))
    }

    fn decide(&mut self, site: &Site, verdict: SiteVerdict) {
        let answer = SiteAnswer {
            site: *site,
            verdict,
            vacuous: false,
        };
        (self.tell)(News::Decided(&answer));
        self.decided.insert(key(site), answer.verdict);
    }

    fn tell(&mut self, copies: u32, phase: &'static str) {
        (self.tell)(News::Progress { copies, phase });
    }

    /// Takes over what questions took.
    fn count(&mut self) {
        let effort = self.session.effort;
        let own: &mut Statistics = &mut self.report.statistics;
        own.queries = effort.queries;
        own.solving = effort.solving;
        own.terms = self.session.pool.len();
    }

    fn finish(mut self) -> (KikiReport, BTreeMap<SiteKey, SiteVerdict>) {
        self.count();
        let rest = self.report.incomplete.clone();
        for answer in &mut self.report.answers {
            let (kind, point) = key(&answer.site);
            let proved = self.options.settings.is_proved(kind, point);
            answer.verdict = match self.decided.get(&(kind, point)) {
                Some(verdict) => verdict.clone(),
                None if proved => SiteVerdict::Safe,
                None => {
                    let own = self.open.get(&(kind, point)).cloned();
                    let reason = own.or_else(|| rest.clone());
                    SiteVerdict::Unknown(reason.unwrap_or(UnknownReason::Bounded {
                        bound: self.report.copies,
                    }))
                }
            };
        }
        (self.report, self.decided)
    }
}

fn key(site: &Site) -> SiteKey {
    (site.kind, site.point)
}
