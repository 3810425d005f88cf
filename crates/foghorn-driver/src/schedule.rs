//! Carrying out a plan: stages side by side on the cores.
//!
//! Each stage is a process under limits, watched by a thread of its own; this thread hears from all of
//! them, enters what they say in the ledger, hands what is new on to those that run, and ends what has
//! become pointless: everything once all checks are decided, and the search for further failures once
//! its time is over.
//!
//! Stages that take turns ([`Stage::first_turn`](crate::plan::Stage::first_turn)) share what the others leave: nobody
//! knows beforehand which engine decides a program, and most that do so do it soon. So each gets a short turn, and
//! the turns double. One that waits is stopped, not ended, and hears when it goes on what others found meanwhile. What
//! one of `n` engines decides in `t` is decided after a small multiple of `n t`. When the whole time is over, all are
//! told so, and go on for a moment to say what they have.

use crate::ledger::Ledger;
use crate::letters::{LetterBox, letter_box};
use crate::message::{StageEvent, StageReport, StageRequest};
use crate::plan::{AfterFailure, Condition, Plan};
use crate::reins::Reins;
use crate::supervise::{End, Limits, Supervised, supervise_with};
use crate::turn::Turn;
use foghorn_core::{Assumption, Budget, Exhausted, UnknownReason};
use foghorn_engine::{ProgramHash, Progress};
use foghorn_witness::report::{CheckReport, VerificationReport};
use serde::Serialize;
use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(20);
/// The least time for further failures.
const LEAST_AFTER_FAILURE: Duration = Duration::from_secs(1);

/// A task that is written down.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub task: PathBuf,
    pub hash: ProgramHash,
    /// All checks, undecided, by the numbers of their sites.
    pub checks: Vec<CheckReport>,
    pub is_loop_free: bool,
    /// Nothing in it could fail.
    pub has_nothing: bool,
    /// What every answer rests on.
    pub assumptions: Vec<Assumption>,
}

/// What is told while a plan is carried out.
#[derive(Clone, Copy, Debug)]
pub enum Notice<'a> {
    /// Where the stage with this number is.
    Progress(usize, &'a Progress),
    /// A check failed for the first time.
    Failed(&'a CheckReport),
    /// Why what a stage proved holds.
    Argued(&'a foghorn_encode::claim::Argument),
}

/// How processes of stages are started and asked.
pub struct Launcher<'l, Q> {
    pub command: &'l dyn Fn() -> std::io::Result<Command>,
    /// The stage as the process wants to be asked.
    pub request: &'l dyn Fn(StageRequest) -> Q,
}

/// What a stage's thread says.
enum Word {
    Event(StageEvent),
    Ended(Box<Supervised<StageReport>>),
}

/// A stage on its way.
enum State {
    Waiting,
    Running {
        letters: LetterBox,
        budget: Budget,
        reins: Reins,
        /// For one that takes turns.
        turn: Option<Turn>,
    },
    Ended,
}

/// Carries out a plan from a start on, which counts for the limits of time.
pub fn carry_out<Q: Serialize + Send>(
    plan: &Plan,
    prepared: &Prepared,
    launcher: &Launcher<'_, Q>,
    started: Instant,
    budget: &Budget,
    notify: &mut dyn FnMut(Notice<'_>),
) -> VerificationReport {
    let ledger = Ledger::new(prepared.hash, prepared.checks.clone(), &plan.stages)
        .with_nothing(prepared.has_nothing);
    let (words, heard) = channel();
    let mut run = Run {
        plan,
        prepared,
        launcher,
        started,
        budget,
        ledger,
        states: plan.stages.iter().map(|_| State::Waiting).collect(),
        words,
        first_failure: None,
        tickets: 0,
        is_over: false,
        is_finishing: false,
        ended_after_failure: false,
    };
    thread::scope(|scope| run.run(scope, &heard, notify));
    run.finish()
}

struct Run<'r, Q> {
    plan: &'r Plan,
    prepared: &'r Prepared,
    launcher: &'r Launcher<'r, Q>,
    started: Instant,
    budget: &'r Budget,
    ledger: Ledger,
    states: Vec<State>,
    words: Sender<(usize, Word)>,
    first_failure: Option<Instant>,
    /// Whatever runs is to end, and nothing more is started.
    is_over: bool,
    /// The whole time is over, and whoever runs was told so.
    is_finishing: bool,
    ended_after_failure: bool,
    /// How many have begun to wait so far.
    tickets: u64,
}

impl<'r, Q: Serialize + Send> Run<'r, Q> {
    fn run<'scope, 'env>(
        &mut self,
        scope: &'scope thread::Scope<'scope, 'env>,
        heard: &Receiver<(usize, Word)>,
        notify: &mut dyn FnMut(Notice<'_>),
    ) where
        'r: 'scope,
        Q: 'scope,
    {
        loop {
            self.look_at_clocks();
            self.end_turns();
            self.start_stages(scope);
            self.begin_turns();
            if self.running() == 0 {
                return;
            }
            match heard.recv_timeout(TICK) {
                Ok((stage, word)) => self.hear(stage, word, notify),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn running(&self) -> usize {
        let states = self.states.iter();
        states
            .filter(|state| matches!(state, State::Running { .. }))
            .count()
    }

    /// How many have a place on the cores.
    fn working(&self) -> usize {
        let works = |state: &&State| match state {
            State::Running { reins, .. } => !reins.is_held(),
            State::Waiting | State::Ended => false,
        };
        self.states.iter().filter(works).count()
    }

    /// What is left of the whole time.
    fn left(&self) -> Option<Duration> {
        let whole = self.plan.time?;
        Some(whole.saturating_sub(self.started.elapsed()))
    }

    /// Ends everything if there is nothing left to find out, or no time for it.
    fn look_at_clocks(&mut self) {
        let after_failure = self.first_failure.is_some_and(|at| {
            let took = at.duration_since(self.started);
            let patience = match self.plan.after_failure {
                AfterFailure::Stop => Duration::ZERO,
                AfterFailure::AsLongAgain => took.max(LEAST_AFTER_FAILURE),
                AfterFailure::Rest => return false,
                AfterFailure::For(time) => time,
            };
            at.elapsed() >= patience
        });
        self.ended_after_failure |= after_failure && !self.is_over;
        let cancelled = matches!(self.budget.check(), Err(Exhausted::Cancelled));
        if after_failure || cancelled || self.ledger.is_decided() {
            self.end_all();
        } else if self.left() == Some(Duration::ZERO) && !self.is_finishing {
            self.finish_all();
        }
    }

    /// Lets everybody end with what they have.
    fn finish_all(&mut self) {
        self.is_finishing = true;
        for state in &self.states {
            if let State::Running { letters, reins, .. } = state {
                letters.finish();
                reins.release();
            }
        }
    }

    /// Stops those whose turn is over, if somebody waits for their place.
    fn end_turns(&mut self) {
        if self.is_over || self.is_finishing {
            return;
        }
        self.spare_memory();
        if !self.somebody_waits() {
            return;
        }
        for state in &mut self.states {
            if let State::Running {
                reins,
                turn: Some(turn),
                ..
            } = state
                && !reins.is_held()
                && turn.is_over()
            {
                reins.hold();
                self.tickets += 1;
                turn.wait(self.tickets);
            }
        }
    }

    fn is_ready(&self, number: usize) -> bool {
        let has_ended = |other: &usize| matches!(self.states[*other], State::Ended);
        matches!(self.states[number], State::Waiting)
            && self.plan.stages[number].after.iter().all(has_ended)
    }

    fn somebody_waits(&self) -> bool {
        let is_held = |state: &State| match state {
            State::Running { reins, .. } => reins.is_held(),
            State::Waiting | State::Ended => false,
        };
        self.states.iter().any(is_held) || (0..self.states.len()).any(|it| self.is_ready(it))
    }

    /// Ends the largest of those that take turns if all together are too large.
    fn spare_memory(&mut self) {
        let Some(limit) = self.plan.memory_mb else {
            return;
        };
        let mut sum = 0;
        let mut largest: Option<(u64, &Reins, &mut Turn)> = None;
        for state in &mut self.states {
            if let State::Running { reins, turn, .. } = state {
                let resident = reins.resident_bytes();
                sum += resident;
                match turn {
                    Some(turn) if turn.is_ending => return,
                    Some(turn) if largest.as_ref().is_none_or(|(size, ..)| *size < resident) => {
                        largest = Some((resident, reins, turn));
                    }
                    Some(_) | None => {}
                }
            }
        }
        if sum > limit << 20
            && let Some((_, reins, turn)) = largest
        {
            turn.is_ending = true;
            reins.end_for_memory();
        }
    }

    /// Lets those go on that have waited longest, as far as there are places.
    fn begin_turns(&mut self) {
        while self.working() < self.plan.jobs.max(1) {
            let held = self.states.iter_mut().filter_map(|state| match state {
                State::Running {
                    reins,
                    turn: Some(turn),
                    ..
                } if reins.is_held() => Some((reins, turn)),
                State::Running { .. } | State::Waiting | State::Ended => None,
            });
            let Some((reins, turn)) = held.min_by_key(|(_, turn)| turn.ticket) else {
                return;
            };
            turn.begin();
            reins.release();
        }
    }

    fn end_all(&mut self) {
        self.is_over = true;
        for state in &self.states {
            if let State::Running { budget, .. } = state {
                budget.cancel();
            }
        }
    }

    /// Starts what can be started, in the order of the plan.
    fn start_stages<'scope, 'env>(&mut self, scope: &'scope thread::Scope<'scope, 'env>)
    where
        'r: 'scope,
        Q: 'scope,
    {
        for number in 0..self.states.len() {
            let stage = &self.plan.stages[number];
            if !self.is_ready(number) {
                continue;
            }
            if self.is_over {
                self.states[number] = State::Ended;
            } else if self.left() == Some(Duration::ZERO) {
                let resource = Exhausted::Time.to_string();
                let reason = UnknownReason::Budget { resource };
                self.ledger.stop(number, reason, 0.0);
                self.states[number] = State::Ended;
            } else if stage.condition == Condition::HasLoops && self.prepared.is_loop_free {
                self.skip(number, "the program has neither loops nor recursion");
            } else if self.working() < self.plan.jobs.max(1) {
                self.start(scope, number);
            }
        }
    }

    fn skip(&mut self, number: usize, why: &str) {
        let report = StageReport {
            skipped: Some(why.to_owned()),
            ..StageReport::default()
        };
        self.ledger.enter(number, report);
        self.states[number] = State::Ended;
    }

    fn start<'scope, 'env>(&mut self, scope: &'scope thread::Scope<'scope, 'env>, number: usize)
    where
        'r: 'scope,
        Q: 'scope,
    {
        let stage = &self.plan.stages[number];
        let own = stage.share.of(self.plan.time);
        let time = own.into_iter().chain(self.left()).min();
        let command = match (self.launcher.command)() {
            Ok(command) => command,
            Err(error) => {
                let what = format!("cannot start a process: {error}");
                let reason = UnknownReason::Failure { what };
                self.ledger.stop(number, reason, 0.0);
                self.states[number] = State::Ended;
                return;
            }
        };
        let request = (self.launcher.request)(StageRequest {
            engine: stage.engine.clone(),
            options: stage.options.clone(),
            task: self.prepared.task.clone(),
            hash: self.prepared.hash,
            time,
            knowledge: self.ledger.knowledge().clone(),
        });
        let jobs = u64::try_from(self.plan.jobs.max(1)).unwrap_or(1);
        let limits = Limits {
            time,
            deadline: self.plan.time.map(|time| self.started + time),
            memory_bytes: self.plan.memory_mb.map(|limit| (limit << 20) / jobs),
            ..Limits::default()
        };
        let budget = Budget::unlimited();
        let reins = Reins::default();
        let (letters, post) = letter_box();
        let ties = (post, reins.clone());
        let (words, own_budget) = (self.words.clone(), budget.clone());
        scope.spawn(move || {
            let told = words.clone();
            let on_event = move |event: StageEvent| {
                // The other side listens as long as a stage runs.
                let _ = told.send((number, Word::Event(event)));
            };
            let end = supervise_with(command, &request, ties, &limits, &own_budget, on_event);
            let _ = words.send((number, Word::Ended(Box::new(end))));
        });
        self.states[number] = State::Running {
            letters,
            budget,
            reins,
            turn: stage.first_turn.map(Turn::first),
        };
    }

    fn hear(&mut self, number: usize, word: Word, notify: &mut dyn FnMut(Notice<'_>)) {
        match word {
            Word::Event(StageEvent::Progress(progress)) => {
                notify(Notice::Progress(number, &progress));
            }
            Word::Event(StageEvent::Failed(_, check)) => self.fail(number, &check, notify),
            Word::Event(StageEvent::Interim(report)) => self.enter(number, *report),
            Word::Ended(supervised) => {
                self.states[number] = State::Ended;
                let peak = supervised.peak_memory_bytes as f64 / 1e6;
                match supervised.end {
                    End::Answered(mut report) => {
                        report.peak_memory_mb = report.peak_memory_mb.max(peak);
                        if let Some(argument) = &report.argument {
                            notify(Notice::Argued(argument));
                        }
                        self.enter(number, report);
                    }
                    // We ended it ourselves, for a reason that the report gives.
                    End::Cancelled if self.is_over => {
                        if let Some(reason) = self.over() {
                            self.ledger.stop(number, reason, peak);
                        }
                    }
                    other => {
                        let reason = other.unknown_reason();
                        let reason = reason.unwrap_or(UnknownReason::Interrupted);
                        self.ledger.stop(number, reason, peak);
                    }
                }
            }
        }
    }

    /// Why everything was ended; nothing if all is decided.
    fn over(&self) -> Option<UnknownReason> {
        if self.ended_after_failure {
            Some(UnknownReason::AfterFailure)
        } else if self.budget.check().is_err() {
            Some(UnknownReason::Interrupted)
        } else {
            None
        }
    }

    fn fail(&mut self, number: usize, check: &CheckReport, notify: &mut dyn FnMut(Notice<'_>)) {
        // Also one that was on its way when the search ended: whoever sent it may have come to its end, and
        // then says nothing more of this check.
        if self.ledger.fail(number, check.clone()) {
            self.first_failure.get_or_insert_with(Instant::now);
            notify(Notice::Failed(check));
        }
    }

    /// Enters a report, and tells the others what is new in it.
    fn enter(&mut self, number: usize, report: StageReport) {
        if self.ledger.enter(number, report) {
            for (other, state) in self.states.iter().enumerate() {
                if let State::Running { letters, .. } = state
                    && other != number
                {
                    letters.send(self.ledger.knowledge());
                }
            }
        }
    }

    fn finish(self) -> VerificationReport {
        let mut report = self.ledger.report();
        if report.engine.is_empty() {
            // Nobody was asked, and still it is about this program under these circumstances.
            report.assume(self.prepared.assumptions.iter().cloned());
        }
        if self.ended_after_failure {
            report.end_after_failure();
        }
        report.time_s = self.started.elapsed().as_secs_f64();
        report
    }
}
