//! The loop of fig. 2.1 of the 2LS thesis: k-invariant, k-induction, bounded model checking, k + 1.

mod argue;
mod facts;
mod infer;
mod prove;
mod refute;
mod scout;
mod solver;
mod summarise;

use crate::answer::{KikiReport, ShownInvariant, SiteAnswer, SiteVerdict, Statistics};
use crate::arrays;
use crate::cut::Cut;
use crate::cut::calls::Calls;
use crate::follow;
use crate::invariant::{Invariants, Remembered};
use crate::modular::{self, Modular};
use crate::options::ANY_COPIES;
pub use crate::options::{Kiki, Mode, News};
use crate::problem::Problem;
use foghorn_core::{Budget, SiteKind, UnknownReason};
use foghorn_encode::execute::event::{Site, SiteIndex};
use foghorn_encode::execute::{ExecuteError, Executor, Memo, Trace};
use foghorn_encode::memory::MemoryChoice;
use foghorn_encode::semantics::cells::Cells;
use foghorn_ir::interpret::ProgramPoint;
use foghorn_ir::{FunctionId, Module};
use foghorn_query::{Session, reason};
use foghorn_smt::SolverError;
use foghorn_term::TermId;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Iterations of a loop that constants decide cost less than copies that start from anything.
const DECIDED_PER_COPY: u32 = 4;

/// More of them are not executed: loops within loops multiply.
const MOST_DECIDED: u32 = 4096;

/// The largest number of copies where no time ends the search.
const MOST_COPIES_WITHOUT_END: u32 = 64;

/// A site by what stays the same from run to run.
type SiteKey = (SiteKind, Option<ProgramPoint>);

/// Sites that are decided.
pub(crate) type Decided = BTreeMap<SiteKey, SiteVerdict>;

/// What became of one look at a program.
pub(crate) struct Outcome {
    pub(crate) report: KikiReport,
    pub(crate) decided: Decided,
    /// Functions that are called as their contracts do not allow.
    pub(crate) violated: BTreeSet<FunctionId>,
}

/// Checks a module in pure form.
pub fn check(
    module: &Module,
    options: &Kiki,
    budget: &Budget,
    tell: &mut dyn FnMut(News<'_>),
) -> Result<KikiReport, SolverError> {
    let half = match budget.remaining() {
        Some(left) => budget.within(left / 2),
        None => budget.clone(),
    };
    if options.summaries && options.mode.infers() {
        let known = Modular::default();
        let (mut modular, found) = look_at_functions(module, options, &half, tell, known)?;
        let mut report = match found {
            Some(report) => report,
            None => {
                let (decided, calls) = (std::mem::take(&mut modular.decided), Calls::default());
                attempt(module, options, budget, tell, decided, &calls)?.report
            }
        };
        report.contracts = modular.describe(module);
        return Ok(report);
    }
    // Recursion without a known depth is what summaries are for, if executing it does not suffice.
    let recurs = options.mode == Mode::All && modular::recurs(module, &options.settings.checks);
    let first = if recurs { &half } else { budget };
    let (decided, calls) = (Decided::new(), Calls::default());
    let outcome = attempt(module, options, first, tell, decided, &calls)?;
    let is_unsafe = |verdict: &SiteVerdict| matches!(verdict, SiteVerdict::Unsafe(_));
    let fails = outcome.decided.values().any(is_unsafe);
    if !recurs || fails || outcome.report.incomplete.is_none() {
        return Ok(outcome.report);
    }
    let known = Modular::with_decided(outcome.decided);
    let (_, found) = look_at_functions(module, options, budget, tell, known)?;
    Ok(found.unwrap_or(outcome.report))
}

/// Looks at functions one by one, and at the program with their contracts; its report if that decides everything.
fn look_at_functions(
    module: &Module,
    options: &Kiki,
    budget: &Budget,
    tell: &mut dyn FnMut(News<'_>),
    mut modular: Modular,
) -> Result<(Modular, Option<KikiReport>), SolverError> {
    modular.summarise(module, options, budget, tell)?;
    let found = modular.prove(module, options, budget, tell)?;
    Ok((modular, found))
}

/// Looks at a program. Where a range covers part of a cell, it is looked at again with smaller cells.
pub(crate) fn attempt(
    module: &Module,
    options: &Kiki,
    budget: &Budget,
    tell: &mut dyn FnMut(News<'_>),
    mut decided: Decided,
    calls: &Calls,
) -> Result<Outcome, SolverError> {
    let mut attempts = Cells::attempts(module);
    let mut cells = attempts.next().unwrap_or(Cells::Bytes);
    loop {
        let engine = Engine::open(module, options, cells, budget, tell, decided)?;
        let mut engine = engine.with_calls(calls.clone());
        engine.run()?;
        let is_too_coarse = engine.is_too_coarse;
        let outcome = engine.finish();
        match attempts.next() {
            Some(finer) if is_too_coarse && budget.check().is_ok() => {
                cells = finer;
                decided = outcome.decided;
            }
            _ => return Ok(outcome),
        }
    }
}

pub(crate) struct Engine<'a> {
    module: &'a Module,
    options: &'a Kiki,
    cells: Cells,
    budget: &'a Budget,
    session: Session,
    /// What the solver was told of symbols.
    axioms: Vec<TermId>,
    memo: Memo,
    cut: Cut,
    decided: Decided,
    /// Functions that are called as their contracts do not allow.
    violated: BTreeSet<FunctionId>,
    /// Why others are not.
    open: BTreeMap<SiteKey, UnknownReason>,
    report: KikiReport,
    is_too_coarse: bool,
    /// Invariants of one copy: they hold whatever the number of copies.
    remembered: Vec<Remembered>,
    /// What the last search for cheap rows has found.
    cheap: Invariants,
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
    pub(crate) fn open(
        module: &'a Module,
        options: &'a Kiki,
        cells: Cells,
        budget: &'a Budget,
        tell: &'a mut dyn FnMut(News<'_>),
        decided: Decided,
    ) -> Result<Self, SolverError> {
        let mut session = Session::new(&solver::options(options, budget))?;
        session.solver = solver::open(options, budget)?;
        Ok(Engine {
            module,
            options,
            cells,
            budget,
            session,
            axioms: vec![],
            memo: Memo::default(),
            cut: Cut::new(options.decided).with_sabotage(options.sabotage),
            decided,
            violated: BTreeSet::new(),
            open: BTreeMap::new(),
            report: KikiReport::default(),
            is_too_coarse: false,
            remembered: vec![],
            cheap: Invariants::default(),
            pending: vec![],
            tell,
        })
    }

    /// With contracts for calls.
    pub(crate) fn with_calls(mut self, calls: Calls) -> Self {
        self.cut = std::mem::take(&mut self.cut).with_calls(calls);
        self
    }

    fn run(&mut self) -> Result<(), SolverError> {
        if self.options.scouts && self.options.mode == Mode::All {
            match self.scout()? {
                Some(Round::Stopped(reason)) => {
                    self.report.incomplete = Some(reason);
                    return Ok(());
                }
                Some(Round::Done) => return Ok(()),
                Some(Round::Further) | None => self.renew_solver()?,
            }
        }
        let most = match self.budget.remaining() {
            None if self.options.most_copies == ANY_COPIES => MOST_COPIES_WITHOUT_END,
            None | Some(_) => self.options.most_copies,
        };
        let mut copies = 1;
        loop {
            self.report.copies = copies;
            let round = self.round(copies)?;
            self.report.incomplete = match round {
                Round::Done => None,
                Round::Stopped(reason) => Some(reason),
                Round::Further => {
                    let next = next_copies(copies);
                    let is_last = self.options.mode == Mode::Invariants || next > most;
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
        self.cut.set_decided(self.decided_iterations(copies));
        let mut trace = match self.execute(self.budget) {
            Ok(trace) => trace,
            Err(error) => return Ok(Round::Stopped(reason::of_execution(&error))),
        };
        self.assert_axioms(&mut trace)?;
        self.report.notes = trace.notes.clone();
        let preconditions = self.cut.preconditions().to_vec();
        let mut loops = self.cut.take_loops();
        let roots = follow::roots(&loops, &trace.events);
        arrays::instantiate(&self.session.pool, &mut loops, &roots);
        self.report.statistics.cut_loops = loops.len();
        if let Some(refused) = self.cut.refusal().filter(|_| !loops.is_empty()) {
            return Ok(Round::Stopped(UnknownReason::Unsupported {
                construct: refused.to_owned(),
                location: self.module.spans.describe(foghorn_core::SpanId::UNKNOWN),
            }));
        }
        let events = std::mem::take(&mut trace.events);
        let problem = Problem::new(&mut self.session.pool, loops, events, copies);
        let problem = problem
            .with_sabotage(self.options.sabotage)
            .with_preconditions(&preconditions);
        (self.tell)(News::Executed {
            pool: &self.session.pool,
            problem: &problem,
        });
        self.list_sites(&trace);
        // Without loops a failure from the start is the only kind there is, and what no start leads to holds.
        let is_whole = problem.loops.is_empty() && self.options.mode.refutes();
        if is_whole {
            self.tell(copies, "looking for failures");
            self.refute(&trace, &problem, self.budget)?;
        }
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
                        self.close_unmet();
                        self.argue(&problem, copies)?;
                    }
                    self.look_for_vacuity(trace, problem)
                }
            };
        }
        if self.options.mode.refutes() && !is_whole {
            self.tell(copies, "looking for failures");
            self.refute(&trace, &problem, self.budget)?;
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

    /// How many iterations of a loop that constants decide are executed; none if all loops are to be cut.
    fn decided_iterations(&self, copies: u32) -> u32 {
        match self.options.decided {
            0 => 0,
            usual => usual.max(MOST_DECIDED.min(copies * DECIDED_PER_COPY)),
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
    fn execute(&mut self, budget: &Budget) -> Result<Trace, ExecuteError> {
        /// Runs after which cells that are new are left.
        const MOST_RUNS: u32 = 5;
        let started = Instant::now();
        let mut result = self.execute_once(budget);
        for _ in 1..MOST_RUNS {
            let Ok(trace) = &result else { break };
            let (pool, cut) = (&self.session.pool, &mut self.cut);
            let roots = follow::roots(cut.loops(), &trace.events);
            let is_new = follow::follow_cells(pool, cut, &roots);
            let is_new = arrays::follow_arrays(pool, cut, &roots) || is_new;
            if !is_new && !cut.has_late_cut() {
                break;
            }
            result = self.execute_once(budget);
        }
        self.report.statistics.executing += started.elapsed();
        if self.cut.has_late_cut() {
            // Heads mean something else than in the runs before.
            self.remembered.clear();
        }
        result
    }

    fn execute_once(&mut self, budget: &Budget) -> Result<Trace, ExecuteError> {
        let width = self.module.layout.pointer_bits();
        let mut memory = MemoryChoice::default().open(width);
        let executor = Executor::new(
            self.module,
            &mut self.session.pool,
            &mut self.memo,
            &mut *memory,
            &self.options.settings,
            &mut self.cut,
            budget,
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

    pub(crate) fn finish(mut self) -> Outcome {
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
        Outcome {
            report: self.report,
            decided: self.decided,
            violated: self.violated,
        }
    }
}

/// One more copy, and more at once where there are many: what k copies do not show, k + 1 seldom do.
fn next_copies(copies: u32) -> u32 {
    match copies < 16 {
        true => copies + 1 + copies / 4,
        false => copies + copies / 2,
    }
}

fn key(site: &Site) -> SiteKey {
    (site.kind, site.point)
}
