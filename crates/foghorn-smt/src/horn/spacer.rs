//! Spacer, in process.
//!
//! Transformed rules are solved faster, but a refutation of them has no derivation, and the
//! interpretations of predicates that were inlined come back with quantifiers and may be hard to
//! check. So without hints the rules are solved both ways, side by side, and the first checked
//! answer counts. More members, in processes of their own, has [`super::portfolio`].

use super::member::Member;
use super::run::solve_as;
use super::{Hint, HornAnswer, HornOptions, HornSolver, HornSystem};
use crate::error::SolverError;
use crate::patience::Patience;
use foghorn_core::{Budget, Exhausted};
use foghorn_term::TermPool;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The Spacer back end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spacer;

/// One member of the portfolio, alone and in process.
#[derive(Clone, Copy, Debug)]
pub struct Alone(pub &'static Member);

impl HornSolver for Alone {
    fn name(&self) -> &str {
        self.0.name
    }

    fn solve(
        &mut self,
        pool: &TermPool,
        system: &HornSystem,
        hints: &[Hint],
        options: &HornOptions,
    ) -> Result<HornAnswer, SolverError> {
        let (member, pool, system) = (self.0, pool.clone(), system.clone());
        let (hints, own) = (hints.to_vec(), options.clone());
        let work = move || {
            let patience = Patience::with(own.budget.clone());
            solve_as(member, &pool, &system, &hints, &patience)
        };
        within_budget(&options.budget, work)
    }
}

fn member(name: &str) -> &'static Member {
    Member::named(name).expect("invariant: the member is in the table")
}

impl HornSolver for Spacer {
    fn name(&self) -> &str {
        "spacer"
    }

    fn solve(
        &mut self,
        pool: &TermPool,
        system: &HornSystem,
        hints: &[Hint],
        options: &HornOptions,
    ) -> Result<HornAnswer, SolverError> {
        let (pool, system) = (pool.clone(), system.clone());
        let (hints, own) = (hints.to_vec(), options.clone());
        let work = move || {
            if hints.is_empty() {
                return race(&pool, &system, &own);
            }
            let patience = Patience::with(own.budget.clone());
            solve_as(member("spacer-given"), &pool, &system, &hints, &patience)
        };
        within_budget(&options.budget, work)
    }
}

/// How long Z3 gets to notice an interrupt.
const GRACE: Duration = Duration::from_millis(500);

/// How often the budget is looked at.
const HEARTBEAT: Duration = Duration::from_millis(20);

/// Runs the work on a thread of its own and leaves it behind if it does not stop in time: the
/// transformations before Spacer's search do not look at interrupts while they are in one pass. The
/// thread ends by itself at the first place that looks, because its watchdog goes on ringing.
fn within_budget(
    budget: &Budget,
    work: impl FnOnce() -> Result<HornAnswer, SolverError> + Send + 'static,
) -> Result<HornAnswer, SolverError> {
    let (sender, receiver) = mpsc::channel();
    // The receiver is gone if nobody waits any more.
    std::thread::spawn(move || drop(sender.send(work())));
    let mut spent: Option<(Exhausted, Instant)> = None;
    loop {
        match receiver.recv_timeout(HEARTBEAT) {
            Ok(answer) => return answer,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(SolverError::Internal("the Horn solver panicked".into()));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        match (spent, budget.check()) {
            (None, Err(exhausted)) => spent = Some((exhausted, Instant::now())),
            (Some((exhausted, since)), _) if since.elapsed() > GRACE => {
                tracing::warn!("Spacer did not stop in time and is left behind");
                return Err(exhausted.into());
            }
            (Some(_) | None, _) => {}
        }
    }
}

/// Whether nobody has to wait for another answer.
fn is_conclusive(answer: &Result<HornAnswer, SolverError>, options: &HornOptions) -> bool {
    match answer {
        Ok(HornAnswer::Solved(_) | HornAnswer::Refuted(Some(_))) => true,
        Ok(HornAnswer::Refuted(None)) => !options.derivation,
        Ok(HornAnswer::Unknown(_)) | Err(_) => false,
    }
}

/// How long the transformed rules are tried alone: most systems are solved by then, and on a busy
/// machine two runs would take each other's time.
const HEAD_START: Duration = Duration::from_secs(3);

/// Waits until the head start is over, the other run has ended or this one is not wanted any more.
fn wait_for_head_start(other_is_over: &AtomicBool, own: &Patience) {
    let start = Instant::now();
    while start.elapsed() < HEAD_START
        && !other_is_over.load(Ordering::Relaxed)
        && own.check().is_ok()
    {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Solves the rules transformed and as they are, side by side after a head start.
fn race(
    pool: &TermPool,
    system: &HornSystem,
    options: &HornOptions,
) -> Result<HornAnswer, SolverError> {
    let patience = || Patience::with(options.budget.clone());
    let (for_plain, for_transformed) = (patience(), patience());
    let run = |plain: bool, own: &Patience, other: &Patience| {
        let name = if plain {
            "spacer"
        } else {
            "spacer-transformed"
        };
        let answer = solve_as(member(name), pool, system, &[], own);
        if is_conclusive(&answer, options) {
            other.interrupter().interrupt();
        }
        answer
    };
    let transformed_is_over = AtomicBool::new(false);
    let (plain, transformed) = std::thread::scope(|scope| {
        let plain = scope.spawn(|| {
            if !options.derivation {
                wait_for_head_start(&transformed_is_over, &for_plain);
            }
            run(true, &for_plain, &for_transformed)
        });
        let transformed = run(false, &for_transformed, &for_plain);
        transformed_is_over.store(true, Ordering::Relaxed);
        let plain = plain
            .join()
            .unwrap_or_else(|_| Err(SolverError::Internal("a racer panicked".into())));
        (plain, transformed)
    });
    match (plain, transformed) {
        (Ok(HornAnswer::Solved(_)), Ok(HornAnswer::Refuted(_)))
        | (Ok(HornAnswer::Refuted(_)), Ok(HornAnswer::Solved(_))) => Err(SolverError::Internal(
            "Spacer contradicts itself about a system of rules".into(),
        )),
        (Ok(plain @ (HornAnswer::Solved(_) | HornAnswer::Refuted(_))), _) => Ok(plain),
        (_, Ok(transformed @ (HornAnswer::Solved(_) | HornAnswer::Refuted(_)))) => Ok(transformed),
        (Err(SolverError::Exhausted(_)), other) | (other, Err(SolverError::Exhausted(_))) => other,
        (Ok(unknown @ HornAnswer::Unknown(_)), _) => Ok(unknown),
        (Err(error), _) => Err(error),
    }
}
