//! Every question twice: of a solver that keeps what it has learned, and of one that starts afresh.

use foghorn_core::Budget;
use foghorn_smt::choice::{EngineSolver, SolverOptions, open};
use foghorn_smt::solver::{Answer, Interrupt, Limits, PushPop, Solver, UnsatCore};
use foghorn_smt::{Interrupter, SolverError};
use foghorn_term::eval::Value;
use foghorn_term::{TermId, TermPool};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What the two took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Comparison {
    pub questions: u32,
    pub kept: Duration,
    pub afresh: Duration,
    /// Questions to which the answers differ.
    pub differing: u32,
}

/// A solver with one beside it that starts afresh for each question. The first one's answers count.
pub(crate) struct Twice {
    options: SolverOptions,
    kept: Box<dyn EngineSolver>,
    asserted: Vec<TermId>,
    comparison: Arc<Mutex<Comparison>>,
}

impl Twice {
    pub(crate) fn new(
        options: &SolverOptions,
        comparison: Arc<Mutex<Comparison>>,
    ) -> Result<Self, SolverError> {
        Ok(Twice {
            options: options.clone(),
            kept: open(options)?,
            asserted: vec![],
            comparison,
        })
    }

    fn ask_afresh(&self, pool: &TermPool, assumed: &[TermId]) -> Result<Answer, SolverError> {
        let mut solver = open(&self.options)?;
        for &term in &self.asserted {
            solver.assert(pool, term)?;
        }
        solver.check_assuming(pool, assumed)
    }
}

impl Solver for Twice {
    fn name(&self) -> &str {
        self.kept.name()
    }

    fn declare(&mut self, pool: &TermPool, symbol: TermId) -> Result<(), SolverError> {
        self.kept.declare(pool, symbol)
    }

    fn assert(&mut self, pool: &TermPool, term: TermId) -> Result<(), SolverError> {
        self.asserted.push(term);
        self.kept.assert(pool, term)
    }

    fn check_assuming(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
    ) -> Result<Answer, SolverError> {
        let started = Instant::now();
        let other = self.ask_afresh(pool, assumptions)?;
        let afresh = started.elapsed();
        let started = Instant::now();
        let answer = self.kept.check_assuming(pool, assumptions)?;
        let kept = started.elapsed();
        if let Ok(mut all) = self.comparison.lock() {
            all.questions += 1;
            all.kept += kept;
            all.afresh += afresh;
            all.differing += u32::from(answer != other);
        }
        Ok(answer)
    }

    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, SolverError> {
        self.kept.value(pool, term)
    }
}

impl PushPop for Twice {
    fn push(&mut self) -> Result<(), SolverError> {
        let what = "questions are asked twice without frames".to_owned();
        Err(SolverError::Internal(what))
    }

    fn pop(&mut self, _: usize) -> Result<(), SolverError> {
        self.push()
    }
}

impl UnsatCore for Twice {
    fn core(&mut self) -> Result<Vec<TermId>, SolverError> {
        self.kept.core()
    }
}

impl Interrupt for Twice {
    fn interrupter(&self) -> Interrupter {
        self.kept.interrupter()
    }
}

impl Limits for Twice {
    fn set_budget(&mut self, budget: Budget) {
        self.options.budget = budget.clone();
        self.kept.set_budget(budget);
    }
}
