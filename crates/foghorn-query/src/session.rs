//! A solver in use: the terms of a run, the questions about it, and what they took.

use crate::model::model;
use crate::question::{self, Question, Settled};
use crate::vacuity;
use foghorn_core::Budget;
use foghorn_encode::execute::Trace;
use foghorn_encode::execute::event::{Event, SiteIndex, What};
use foghorn_smt::SolverError;
use foghorn_smt::choice::{EngineSolver, SolverOptions, open};
use foghorn_smt::solver::Answer;
use foghorn_term::eval::Model;
use foghorn_term::{TermId, TermPool};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// What looking for vacuous checks may take even if the proof took less.
const LEAST_FOR_VACUITY: Duration = Duration::from_millis(200);

/// What questions took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    pub queries: u32,
    /// Nodes of the last formula.
    pub formula_size: usize,
    pub solving: Duration,
}

/// What no execution comes to.
#[derive(Clone, Debug, Default)]
pub struct Vacuity {
    pub unreached: FxHashSet<SiteIndex>,
    /// No execution satisfies the program's assumptions.
    pub contradictory: bool,
}

/// A pool of terms with a solver for them. One serves all bounds of a run: the solver keeps what it has learned.
pub struct Session {
    pub pool: TermPool,
    pub solver: Box<dyn EngineSolver>,
    pub effort: Effort,
    budget: Budget,
}

impl Session {
    /// Opens a solver.
    pub fn new(options: &SolverOptions) -> Result<Session, SolverError> {
        Ok(Session {
            pool: TermPool::new(),
            solver: open(options)?,
            effort: Effort::default(),
            budget: options.budget.clone(),
        })
    }

    /// Tells the solver what holds of symbols in every execution of a trace.
    pub fn assert_axioms(&mut self, trace: &mut Trace) -> Result<(), SolverError> {
        for axiom in std::mem::take(&mut trace.axioms) {
            self.solver.assert(&self.pool, axiom)?;
        }
        Ok(())
    }

    /// Asks a question about a trace, by cases first. A model of the cases is not asked for: what the program
    /// computes stands in the formula without them.
    pub fn pose(
        &mut self,
        trace: &Trace,
        settled: &Settled,
        question: Question,
        within: &Budget,
    ) -> Result<(TermId, Answer), SolverError> {
        let posed = question::pose(&mut self.pool, &trace.events, settled, question);
        let parts = match posed.cases.is_empty() {
            true => vec![posed.whole],
            false => posed.cases,
        };
        let mut answer = Answer::Unsatisfiable;
        for &part in &parts {
            answer = self.ask(part, within)?;
            if answer != Answer::Unsatisfiable {
                break;
            }
        }
        let is_case = parts != [posed.whole];
        if is_case && answer == Answer::Satisfiable && question == Question::Failure {
            answer = self.ask(posed.whole, within)?;
        }
        Ok((posed.whole, answer))
    }

    /// Asks whether a formula has a model. That time or memory ran out is an answer.
    pub fn ask(&mut self, formula: TermId, within: &Budget) -> Result<Answer, SolverError> {
        self.ask_all(&[formula], within)
    }

    /// Asks whether formulas have a common model. Those that were asked about before are not encoded again.
    pub fn ask_all(&mut self, formulas: &[TermId], within: &Budget) -> Result<Answer, SolverError> {
        let is_false = |term: &&TermId| self.pool.as_bool(**term) == Some(false);
        if formulas.iter().any(|term| is_false(&term)) {
            return Ok(Answer::Unsatisfiable);
        }
        self.effort.queries += 1;
        self.effort.formula_size = self.pool.dag_size(formulas);
        let started = Instant::now();
        self.solver.set_budget(within.clone());
        let answer = self.solver.check_assuming(&self.pool, formulas);
        self.solver.set_budget(self.budget.clone());
        self.effort.solving += started.elapsed();
        match answer {
            Err(SolverError::Exhausted(resource)) => {
                Ok(Answer::Unknown(format!("out of {resource}")))
            }
            other => other,
        }
    }

    /// The values of all that some terms mention in the solver's last model.
    pub fn model(&mut self, roots: &[TermId]) -> Result<Model, SolverError> {
        model(&mut *self.solver, &self.pool, roots)
    }

    /// Looks for checks that nothing reaches, for as long as was solved so far.
    pub fn look_for_vacuity(&mut self, trace: &Trace) -> Result<Vacuity, SolverError> {
        let as_long_again = self.effort.solving.max(LEAST_FOR_VACUITY);
        let budget = self.budget.within(as_long_again);
        self.solver.set_budget(budget.clone());
        let (pool, solver) = (&mut self.pool, &mut *self.solver);
        let unreached = vacuity::find_unreached(pool, solver, trace, &budget)?;
        // Where every check is reached by some execution, the assumptions have one.
        let is_check = |event: &Event| matches!(event.what, What::Check { .. });
        let suspicious = !unreached.is_empty() || !trace.events.iter().any(is_check);
        let contradictory = suspicious && vacuity::is_contradictory(pool, solver, trace, &budget)?;
        self.solver.set_budget(self.budget.clone());
        Ok(Vacuity {
            unreached,
            contradictory,
        })
    }
}
