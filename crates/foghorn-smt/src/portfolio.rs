//! Two solvers that race: the first definite answer counts, the other is interrupted.
//!
//! Both hear every assertion. A solver that cannot take a query (unsupported, crashed) leaves the
//! race to the other; only if neither answers is there an error. Models and cores come from the
//! winner.

use crate::error::SolverError;
use crate::patience::Interrupter;
use crate::solver::{Answer, Interrupt, Limits, PushPop, Solver, UnsatCore};
use foghorn_core::Budget;
use foghorn_term::eval::Value;
use foghorn_term::{TermId, TermPool};
use std::sync::Mutex;

/// Which of the two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runner {
    First,
    Second,
}

/// Two solvers behind one trait.
pub struct Portfolio<A, B> {
    first: A,
    second: B,
    name: String,
    winner: Option<Runner>,
    /// A runner that refused an assertion is out until the frame it refused is gone.
    out: [Option<usize>; 2],
    frames: usize,
}

impl<A: Solver, B: Solver> Portfolio<A, B> {
    pub fn new(first: A, second: B) -> Self {
        let name = format!("{} | {}", first.name(), second.name());
        Portfolio {
            first,
            second,
            name,
            winner: None,
            out: [None; 2],
            frames: 0,
        }
    }

    /// Who gave the last answer.
    pub fn winner(&self) -> Option<Runner> {
        self.winner
    }

    /// Notes refusals; an error only if nobody is left.
    fn both(
        &mut self,
        first: Result<(), SolverError>,
        second: Result<(), SolverError>,
    ) -> Result<(), SolverError> {
        let frames = self.frames;
        let mut note = |runner: usize, result: Result<(), SolverError>| {
            let error = result.err();
            if error.is_some() {
                self.out[runner].get_or_insert(frames);
            }
            error
        };
        let first = note(0, first);
        let second = note(1, second);
        match (first, second) {
            (Some(error), _) | (None, Some(error)) if self.out.iter().all(Option::is_some) => {
                Err(error)
            }
            (Some(_) | None, Some(_) | None) => Ok(()),
        }
    }
}

impl<A, B> Solver for Portfolio<A, B>
where
    A: Interrupt + Send,
    B: Interrupt + Send,
{
    fn name(&self) -> &str {
        &self.name
    }

    fn declare(&mut self, pool: &TermPool, symbol: TermId) -> Result<(), SolverError> {
        let results = (
            self.first.declare(pool, symbol),
            self.second.declare(pool, symbol),
        );
        self.both(results.0, results.1)
    }

    fn assert(&mut self, pool: &TermPool, term: TermId) -> Result<(), SolverError> {
        self.winner = None;
        let results = (
            self.first.assert(pool, term),
            self.second.assert(pool, term),
        );
        self.both(results.0, results.1)
    }

    fn check_assuming(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
    ) -> Result<Answer, SolverError> {
        self.winner = None;
        match self.out {
            [Some(_), None] => {
                let answer = self.second.check_assuming(pool, assumptions);
                self.winner = answer.is_ok().then_some(Runner::Second);
                return answer;
            }
            [None, Some(_)] => {
                let answer = self.first.check_assuming(pool, assumptions);
                self.winner = answer.is_ok().then_some(Runner::First);
                return answer;
            }
            [Some(_), Some(_)] => {
                return Err(SolverError::Unsupported {
                    solver: "portfolio",
                    construct: "an assertion that both solvers refused".into(),
                });
            }
            [None, None] => {}
        }
        self.race(pool, assumptions)
    }

    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, SolverError> {
        match self.winner {
            Some(Runner::First) => self.first.value(pool, term),
            Some(Runner::Second) => self.second.value(pool, term),
            None => Err(SolverError::NoModel),
        }
    }
}

impl<A: Interrupt + Send, B: Interrupt + Send> Portfolio<A, B> {
    fn race(&mut self, pool: &TermPool, assumptions: &[TermId]) -> Result<Answer, SolverError> {
        let winner: Mutex<Option<Runner>> = Mutex::new(None);
        let finish = |runner: Runner, answer: &Result<Answer, SolverError>, other: &Interrupter| {
            let definite = matches!(answer, Ok(answer) if answer.is_definite());
            if let Ok(mut winner) = winner.lock()
                && definite
                && winner.is_none()
            {
                *winner = Some(runner);
                other.interrupt();
            }
        };
        let interrupters = (self.first.interrupter(), self.second.interrupter());
        let (first, second) = (&mut self.first, &mut self.second);
        let (one, two) = std::thread::scope(|scope| {
            let racer = scope.spawn(|| {
                let answer = second.check_assuming(pool, assumptions);
                finish(Runner::Second, &answer, &interrupters.0);
                answer
            });
            let one = first.check_assuming(pool, assumptions);
            finish(Runner::First, &one, &interrupters.1);
            let two = racer
                .join()
                .unwrap_or_else(|_| Err(SolverError::Internal("a racer panicked".into())));
            (one, two)
        });
        // An interrupt that came after the loser's own end must not hit its next check.
        interrupters.0.clear();
        interrupters.1.clear();
        self.winner = winner.into_inner().ok().flatten();
        match self.winner {
            Some(Runner::First) => one,
            Some(Runner::Second) => two,
            None => one.or(two),
        }
    }
}

impl<A, B> PushPop for Portfolio<A, B>
where
    A: Interrupt + PushPop + Send,
    B: Interrupt + PushPop + Send,
{
    fn push(&mut self) -> Result<(), SolverError> {
        self.winner = None;
        self.frames += 1;
        self.first.push()?;
        self.second.push()
    }

    fn pop(&mut self, frames: usize) -> Result<(), SolverError> {
        if frames > self.frames {
            return Err(SolverError::NothingToPop {
                wanted: frames,
                available: self.frames,
            });
        }
        self.winner = None;
        self.frames -= frames;
        for out in &mut self.out {
            *out = out.filter(|depth| *depth <= self.frames);
        }
        self.first.pop(frames)?;
        self.second.pop(frames)
    }
}

impl<A, B> UnsatCore for Portfolio<A, B>
where
    A: Interrupt + UnsatCore + Send,
    B: Interrupt + UnsatCore + Send,
{
    fn core(&mut self) -> Result<Vec<TermId>, SolverError> {
        match self.winner {
            Some(Runner::First) => self.first.core(),
            Some(Runner::Second) => self.second.core(),
            None => Err(SolverError::NoCore),
        }
    }
}

impl<A, B> Interrupt for Portfolio<A, B>
where
    A: Interrupt + Send,
    B: Interrupt + Send,
{
    fn interrupter(&self) -> Interrupter {
        self.first.interrupter().and(&self.second.interrupter())
    }
}

impl<A, B> Limits for Portfolio<A, B>
where
    A: Interrupt + Limits + Send,
    B: Interrupt + Limits + Send,
{
    fn set_budget(&mut self, budget: Budget) {
        self.first.set_budget(budget.clone());
        self.second.set_budget(budget);
    }
}
