//! The engine: one execution with summarised loops, questions, answers.

use crate::answer::{AccelerationReport, Proof, SiteAnswer};
use crate::summarise::Summarise;
use foghorn_core::{Budget, UnknownReason};
use foghorn_encode::execute::event::{SiteIndex, What};
use foghorn_encode::execute::settings::Settings;
use foghorn_encode::execute::{ExecuteError, Executor, Memo, Trace, Unwind};
use foghorn_encode::memory::{MemoryRepresentation, Seam, SeamOptions};
use foghorn_encode::semantics::cells::Cells;
use foghorn_ir::Module;
use foghorn_query::question::first_violation;
use foghorn_query::{Question, Session, Settled, reason};
use foghorn_smt::SolverError;
use foghorn_smt::choice::{SolverChoice, SolverOptions};
use foghorn_smt::solver::Answer;
use foghorn_term::TermId;
use foghorn_term::eval::Evaluator;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// How to summarise. Memory is encoded by SEAM: what loops write is defined by the applications that its reads are.
#[derive(Clone, Debug)]
pub struct Acceleration {
    pub settings: Settings,
    pub memory: SeamOptions,
    pub solver: SolverChoice,
    /// How far loops that cannot be summarised, and recursion, are unwound.
    pub unwind: u32,
    /// The same for loops by name.
    pub unwind_set: BTreeMap<Arc<str>, u32>,
    /// Loops with fewer iterations, as constants decide, are executed rather than summarised.
    pub from: u32,
    /// Whether to look for checks that nothing reaches.
    pub vacuity: bool,
    /// A folder for the solver's queries.
    pub dump: Option<PathBuf>,
}

impl Default for Acceleration {
    fn default() -> Self {
        Acceleration {
            settings: Settings::default(),
            memory: SeamOptions::default(),
            solver: SolverChoice::default(),
            unwind: 16,
            unwind_set: BTreeMap::new(),
            from: 16,
            vacuity: true,
            dump: None,
        }
    }
}

/// Summarises the loops of a module in pure form and says which sites that proves. Where a range covers part of a cell, it
/// is done again with smaller cells.
pub fn check(
    module: &Module,
    options: &Acceleration,
    budget: &Budget,
) -> Result<AccelerationReport, SolverError> {
    let mut attempts = Cells::attempts(module);
    let first = attempts.next().unwrap_or(Cells::Bytes);
    let mut report = check_with_cells(module, options, first, budget)?;
    for finer in attempts {
        if !report.cells_too_coarse || budget.check().is_err() {
            break;
        }
        report = check_with_cells(module, options, finer, budget)?;
    }
    Ok(report)
}

fn check_with_cells(
    module: &Module,
    options: &Acceleration,
    cells: Cells,
    budget: &Budget,
) -> Result<AccelerationReport, SolverError> {
    let mut engine = Engine {
        module,
        options,
        cells,
        budget,
        session: Session::new(&SolverOptions {
            choice: options.solver,
            dump: options.dump.clone(),
            budget: budget.clone(),
        })?,
        open: FxHashMap::default(),
        report: AccelerationReport::default(),
    };
    engine.run()?;
    engine.count();
    Ok(engine.report)
}

pub(crate) struct Engine<'a> {
    pub(crate) module: &'a Module,
    options: &'a Acceleration,
    cells: Cells,
    pub(crate) budget: &'a Budget,
    pub(crate) session: Session,
    /// Sites that are not proved, and why not.
    open: FxHashMap<SiteIndex, UnknownReason>,
    report: AccelerationReport,
}

impl Engine<'_> {
    fn run(&mut self) -> Result<(), SolverError> {
        let unwind = Unwind::new(self.options.unwind);
        let unwind = unwind.with_bounds(self.options.unwind_set.clone());
        let mut policy = Summarise::new(self.options.from, unwind);
        match self.execute(&mut policy) {
            Ok(trace) => {
                self.report.statistics.summarised_loops = policy.summarised_loops();
                self.answer(trace, policy)
            }
            Err(error) => {
                self.report.incomplete = Some(reason::of_execution(&error));
                Ok(())
            }
        }
    }

    fn execute(&mut self, policy: &mut Summarise) -> Result<Trace, ExecuteError> {
        let started = Instant::now();
        let mut memory = Seam::new(self.module.layout.pointer_bits(), self.options.memory);
        let mut memo = Memo::default();
        let executor = Executor::new(
            self.module,
            &mut self.session.pool,
            &mut memo,
            &mut memory,
            &self.options.settings,
            policy,
            self.budget,
        );
        let trace = executor.with_cells(self.cells).whole_run();
        let statistics = &mut self.report.statistics;
        statistics.executing += started.elapsed();
        statistics.memory = memory.statistics();
        let trace = trace?;
        statistics.instructions = trace.steps;
        statistics.events = trace.events.len();
        statistics.terms = self.session.pool.len();
        Ok(trace)
    }

    /// Asks whether a check can fail until none can that is not known to be open, and then whether that is all.
    fn answer(&mut self, mut trace: Trace, policy: Summarise) -> Result<(), SolverError> {
        self.session.assert_axioms(&mut trace)?;
        let mut settled = Settled::default();
        if let Some(folds) = policy.into_folds() {
            self.ask_about_folds(&mut trace, folds, &mut settled)?;
        }
        let mut imprecise = None;
        loop {
            let question = Question::Failure;
            let posed = self.session.pose(&trace, &settled, question, self.budget);
            match posed? {
                (_, Answer::Unsatisfiable) => break,
                (_, Answer::Unknown(why)) => {
                    self.leave_rest_open(&trace, &reason::of_solver(why));
                    return Ok(());
                }
                (formula, Answer::Satisfiable) => {
                    let found = self.examine(&trace, &mut settled, formula)?;
                    imprecise = imprecise.or(found);
                }
            }
        }
        let question = Question::Beyond;
        let beyond = match self.session.pose(&trace, &settled, question, self.budget)? {
            (_, Answer::Unsatisfiable) => false,
            (_, Answer::Satisfiable) => true,
            (_, Answer::Unknown(why)) => {
                self.leave_rest_open(&trace, &reason::of_solver(why));
                return Ok(());
            }
        };
        let vacuous = match self.options.vacuity && !beyond {
            true => {
                let found = self.session.look_for_vacuity(&trace)?;
                self.report.contradictory = found.contradictory;
                found.unreached
            }
            false => FxHashSet::default(),
        };
        self.report.notes = trace.notes.clone();
        if beyond {
            self.note_unwound(&trace);
        }
        let bound = self.options.unwind;
        if imprecise.is_none() {
            self.report.bound = bound;
        }
        let incomplete = imprecise.or(beyond.then_some(UnknownReason::Bounded { bound }));
        let rest = match &incomplete {
            Some(reason) => Proof::Open(reason.clone()),
            None => Proof::Proved,
        };
        self.report.answers = self.answers(&trace, &rest, &vacuous);
        self.report.incomplete = incomplete;
        Ok(())
    }

    /// Looks at the execution that the solver found and leaves open what it violates first. The reason why later answers
    /// are not trusted, if it is the encoding that is at fault.
    fn examine(
        &mut self,
        trace: &Trace,
        settled: &mut Settled,
        formula: TermId,
    ) -> Result<Option<UnknownReason>, SolverError> {
        let mut roots = vec![formula];
        roots.extend(trace.events.iter().map(|event| event.guard));
        let model = self.session.model(&roots)?;
        let mut evaluator = Evaluator::new(&self.session.pool, &model);
        let question = Question::Failure;
        let violated = first_violation(&mut evaluator, &trace.events, settled, question)
            .map_err(|error| SolverError::Internal(error.to_string()))?;
        let violated = violated.ok_or_else(|| {
            SolverError::Internal("the solver's model violates no check".to_owned())
        })?;
        match &trace.events[violated].what {
            What::Check { site, .. } => {
                settled.sites.insert(*site);
                self.leave_open(trace, *site);
                Ok(None)
            }
            What::Obligation {
                what,
                span,
                of_cells,
                ..
            } => {
                settled.settle_obligations(&trace.events, violated);
                self.report.cells_too_coarse |= *of_cells;
                Ok(Some(UnknownReason::Imprecision {
                    operation: what.to_string(),
                    location: self.module.spans.describe(*span),
                }))
            }
            What::Input { .. }
            | What::Read { .. }
            | What::Assume { .. }
            | What::Unwinding { .. } => unreachable!("invariant: only these are open"),
        }
    }

    /// A check that summaries do not prove.
    pub(crate) fn leave_open(&mut self, trace: &Trace, site: SiteIndex) {
        let reason = UnknownReason::Imprecision {
            operation: "what loops do before this check".to_owned(),
            location: self.module.spans.describe(trace.sites[site].span),
        };
        self.open.insert(site, reason);
    }

    /// Nothing is proved, for this reason.
    fn leave_rest_open(&mut self, trace: &Trace, reason: &UnknownReason) {
        let open = Proof::Open(reason.clone());
        self.report.answers = self.answers(trace, &open, &FxHashSet::default());
        self.report.incomplete = Some(reason.clone());
    }

    fn answers(
        &self,
        trace: &Trace,
        rest: &Proof,
        vacuous: &FxHashSet<SiteIndex>,
    ) -> Vec<SiteAnswer> {
        let sites = trace.sites.iter().enumerate();
        let answers = sites.map(|(index, site)| {
            let open = self.open.get(&index);
            let proof = match open {
                Some(reason) => Proof::Open(reason.clone()),
                None if self.options.settings.is_proved(site.kind, site.point) => Proof::Proved,
                None => rest.clone(),
            };
            SiteAnswer {
                site: *site,
                vacuous: open.is_none() && vacuous.contains(&index),
                proof,
            }
        });
        answers.collect()
    }

    fn note_unwound(&mut self, trace: &Trace) {
        for event in &trace.events {
            if let What::Unwinding { name, span } = &event.what
                && !self.report.unwound.iter().any(|(known, _)| known == name)
            {
                self.report.unwound.push((name.clone(), *span));
            }
        }
    }

    /// Takes over what questions took.
    fn count(&mut self) {
        let effort = self.session.effort;
        let own = &mut self.report.statistics;
        own.queries = effort.queries;
        own.formula_size = effort.formula_size;
        own.solving = effort.solving;
    }
}
