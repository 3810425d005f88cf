//! The supervisor's side of a worker process.
//!
//! The worker runs in a process group of its own, so that what it starts (solvers) ends with it
//! and so that Ctrl-C reaches us first. Limits are enforced from outside: the clock and the
//! resident memory of the worker and its children are looked at every few milliseconds, the more
//! often the closer to the limit; a limit of the kernel at twice the memory stands behind that,
//! for allocations that are faster than our eyes.
//!
//! A worker may be held ([`Reins`]): its group is stopped, keeps what it has learned, and goes on later. Meanwhile its
//! time does not pass, here and, by [`foghorn_core::clock`], in the worker.
//!
//! Invariants: when [`supervise`] returns, no process of the group is left; every event that the
//! worker had written by then was delivered, in order.

use crate::letters::{Letters, letter_box};
use crate::memory::resident_bytes;
use crate::protocol::Line;
use crate::reins::{Pace, Reins};
use foghorn_core::{Budget, Exhausted, UnknownReason};
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, prlimit};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What a worker may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// In which it is not held.
    pub time: Option<Duration>,
    /// When it must have ended, held or not.
    pub deadline: Option<Instant>,
    /// Resident bytes, of the worker and its children together.
    pub memory_bytes: Option<u64>,
    /// How long after its time a worker may still finish by itself, with what it has.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            time: None,
            deadline: None,
            memory_bytes: None,
            grace: Duration::from_millis(400),
        }
    }
}

impl Limits {
    /// These limits, or what the budget leaves if that is less.
    fn within(self, budget: &Budget) -> Self {
        let smaller = |a: Option<Duration>, b: Option<Duration>| a.into_iter().chain(b).min();
        let memory = self.memory_bytes.into_iter().chain(budget.memory_bytes());
        Limits {
            time: smaller(self.time, budget.remaining()),
            memory_bytes: memory.min(),
            ..self
        }
    }
}

/// How the work ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End<A> {
    Answered(A),
    /// The worker says that it could not do it.
    Failed(String),
    OutOfTime,
    OutOfMemory,
    Cancelled,
    /// The worker ended without an answer.
    Crashed {
        /// How, in words.
        how: String,
        /// The end of what it wrote to its standard error.
        stderr: String,
    },
    NotStarted(String),
}

impl<A> End<A> {
    /// Why there is no answer; `None` if there is one.
    pub fn unknown_reason(&self) -> Option<UnknownReason> {
        let budget = |exhausted: Exhausted| UnknownReason::Budget {
            resource: exhausted.to_string(),
        };
        let failure = |what: String| UnknownReason::Failure { what };
        Some(match self {
            End::Answered(_) => return None,
            End::OutOfTime => budget(Exhausted::Time),
            End::OutOfMemory => budget(Exhausted::Memory),
            End::Cancelled => budget(Exhausted::Cancelled),
            End::Failed(problem) => failure(format!("the engine failed: {problem}")),
            End::NotStarted(problem) => failure(format!("the engine did not start: {problem}")),
            End::Crashed { how, stderr } => {
                let last = stderr.lines().rev().find(|line| !line.trim().is_empty());
                let detail = last.map_or(String::new(), |line| format!(" ({})", line.trim()));
                failure(format!("the engine crashed: {how}{detail}"))
            }
        })
    }
}

/// What there is to say about a worker that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supervised<A> {
    pub end: End<A>,
    pub elapsed: Duration,
    /// The most that was seen in use at once.
    pub peak_memory_bytes: u64,
    /// Lines on the worker's standard output that were no messages.
    pub noise: u64,
}

/// Bytes of a line beyond which it is noise.
const LONGEST_LINE: u64 = 256 << 20;
/// Bytes of standard error that are kept.
const KEPT_ERRORS: usize = 8 << 10;
/// How often it is looked whether there is still somebody to write to.
const LISTENING: Duration = Duration::from_millis(20);
/// How long a worker that has answered may take to end, and a dead one's pipe to be read.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// How long the answer of a worker that has ended may take to be read.
const LAST_ANSWER: Duration = Duration::from_secs(10);

/// The command of a worker that is this very program, told so by its one argument.
pub fn own_worker(argument: &str) -> std::io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(argument);
    Ok(command)
}

/// Runs a worker to its end. `on_event` gets every event as it comes.
pub fn supervise<Q, E, A>(
    command: Command,
    request: &Q,
    limits: &Limits,
    budget: &Budget,
    on_event: impl FnMut(E),
) -> Supervised<A>
where
    Q: Serialize,
    E: DeserializeOwned + Send + 'static,
    A: DeserializeOwned + Send + 'static,
{
    let (_, letters) = letter_box();
    let reins = Reins::default();
    supervise_with(command, request, (letters, reins), limits, budget, on_event)
}

/// As [`supervise`], with lines for the worker while it works, and reins to hold it by.
pub fn supervise_with<Q, E, A>(
    mut command: Command,
    request: &Q,
    (letters, reins): (Letters, Reins),
    limits: &Limits,
    budget: &Budget,
    mut on_event: impl FnMut(E),
) -> Supervised<A>
where
    Q: Serialize,
    E: DeserializeOwned + Send + 'static,
    A: DeserializeOwned + Send + 'static,
{
    let started = Instant::now();
    let limits = limits.within(budget);
    let request = match serde_json::to_string(request) {
        Ok(text) => text + "\n",
        Err(error) => return not_started(format!("the request cannot be written: {error}")),
    };
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            let program = command.get_program().to_string_lossy();
            return not_started(format!("cannot start {program}: {error}"));
        }
    };
    limit_in_kernel(&child, &limits);
    let has_ended = Arc::new(AtomicBool::new(false));
    let lifeline = send_letters(&mut child, request, letters, has_ended.clone());
    let errors = keep_errors(&mut child);
    let messages = read_messages(&mut child);
    let mut watch = Watch {
        child,
        limits,
        budget: budget.clone(),
        reins,
        pace: Pace::new(started),
        exited: None,
        peak: 0,
        noise: 0,
    };
    let heard = watch.listen(&messages, &mut on_event);
    let status = watch.finish(&heard, &messages, &mut on_event);
    let elapsed = started.elapsed();
    // The group is gone, so both threads see the ends of their pipes.
    has_ended.store(true, Ordering::Relaxed);
    drop(lifeline.join());
    let stderr = errors.join().unwrap_or_default();
    Supervised {
        end: watch.end(heard, status, &stderr),
        elapsed,
        peak_memory_bytes: watch.peak,
        noise: watch.noise,
    }
}

fn not_started<A>(problem: String) -> Supervised<A> {
    Supervised {
        end: End::NotStarted(problem),
        elapsed: Duration::ZERO,
        peak_memory_bytes: 0,
        noise: 0,
    }
}

fn pid(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// The kernel's own limit, far enough above ours that only a single burst meets it.
fn limit_in_kernel(child: &Child, limits: &Limits) {
    let Some(bytes) = limits.memory_bytes else {
        return;
    };
    let ceiling = Some(bytes.saturating_mul(2).saturating_add(512 << 20));
    let limit = Rlimit {
        current: ceiling,
        maximum: ceiling,
    };
    // It may have ended already, and the limit only stands behind our own.
    let _ = prlimit(pid(child), Resource::Data, limit);
}

/// Writes the request and what comes after it, without making anybody wait; the pipe stays open until
/// the handle is dropped.
fn send_letters(
    child: &mut Child,
    request: String,
    letters: Letters,
    has_ended: Arc<AtomicBool>,
) -> JoinHandle<Option<ChildStdin>> {
    let mut stdin = child.stdin.take().expect("invariant: piped");
    thread::spawn(move || {
        // A worker that ends before it reads is noticed by its end.
        stdin.write_all(request.as_bytes()).ok()?;
        while !has_ended.load(Ordering::Relaxed) {
            match letters.wait(LISTENING) {
                Ok(line) => stdin.write_all(line.as_bytes()).ok()?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Some(stdin),
            }
        }
        Some(stdin)
    })
}

/// The last of what is written to standard error.
fn keep_errors(child: &mut Child) -> JoinHandle<String> {
    let mut stderr = child.stderr.take().expect("invariant: piped");
    thread::spawn(move || {
        let (mut kept, mut buffer) = (vec![], [0; 4096]);
        while let Ok(count @ 1..) = stderr.read(&mut buffer) {
            kept.extend_from_slice(&buffer[..count]);
            if kept.len() > 2 * KEPT_ERRORS {
                kept.drain(..kept.len() - KEPT_ERRORS);
            }
        }
        let start = kept.len().saturating_sub(KEPT_ERRORS);
        String::from_utf8_lossy(&kept[start..]).into_owned()
    })
}

/// A line of the worker; `None` is noise.
type Message<E, A> = Option<Line<E, A>>;

/// Reads lines in a thread of its own, until the pipe or the interest ends.
fn read_messages<E, A>(child: &mut Child) -> Receiver<Message<E, A>>
where
    E: DeserializeOwned + Send + 'static,
    A: DeserializeOwned + Send + 'static,
{
    let stdout = child.stdout.take().expect("invariant: piped");
    // A bound keeps a worker that floods us from filling our memory.
    let (sender, receiver) = sync_channel(1024);
    thread::spawn(move || read_lines(BufReader::new(stdout), &sender));
    receiver
}

fn read_lines<E: DeserializeOwned, A: DeserializeOwned>(
    mut stdout: impl BufRead,
    sender: &SyncSender<Message<E, A>>,
) {
    let mut line = vec![];
    loop {
        line.clear();
        match stdout
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
        {
            Ok(0) | Err(_) => return,
            Ok(_) if line == b"\n" => {}
            Ok(_) => {
                let message = serde_json::from_slice(&line).ok();
                if sender.send(message).is_err() {
                    return;
                }
            }
        }
    }
}

/// Why we stopped listening.
enum Heard<A> {
    Answer(A),
    Failure(String),
    OutOfTime,
    OutOfMemory,
    Cancelled,
    /// The pipe or the process ended.
    Silence,
}

struct Watch {
    child: Child,
    limits: Limits,
    budget: Budget,
    reins: Reins,
    pace: Pace,
    /// When the process was first seen to be gone; what it said may still be in the pipe.
    exited: Option<Instant>,
    peak: u64,
    noise: u64,
}

impl Watch {
    /// Until there is an answer, or a reason not to wait for it.
    fn listen<E, A>(
        &mut self,
        messages: &Receiver<Message<E, A>>,
        on_event: &mut impl FnMut(E),
    ) -> Heard<A> {
        let mut next_look = Instant::now();
        loop {
            let now = Instant::now();
            if now >= next_look {
                match self.look() {
                    Ok(pause) => next_look = now + pause,
                    Err(heard) => return heard,
                }
            }
            let pause = next_look.saturating_duration_since(Instant::now());
            match messages.recv_timeout(pause) {
                Ok(Some(Line::Event(event))) => on_event(event),
                Ok(Some(Line::Answer(answer))) => return Heard::Answer(answer),
                Ok(Some(Line::Failure(problem))) => return Heard::Failure(problem),
                Ok(None) => self.noise += 1,
                Err(RecvTimeoutError::Disconnected) => return Heard::Silence,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Looks at the limits; how long until the next look.
    fn look<A>(&mut self) -> Result<Duration, Heard<A>> {
        self.follow_reins();
        let limits = self.limits;
        match self.budget.check() {
            Err(Exhausted::Cancelled) => return Err(Heard::Cancelled),
            Err(Exhausted::Time | Exhausted::Memory) | Ok(()) => {}
        }
        let worked = self.pace.worked();
        let is_late = |end: Instant| end.elapsed() > limits.grace;
        if limits
            .time
            .is_some_and(|limit| worked >= limit + limits.grace)
            || limits.deadline.is_some_and(is_late)
        {
            return Err(Heard::OutOfTime);
        }
        let used = resident_bytes(self.child.id());
        self.peak = self.peak.max(used);
        let is_too_large = self.reins.see(used);
        if is_too_large || limits.memory_bytes.is_some_and(|limit| used > limit) {
            return Err(Heard::OutOfMemory);
        }
        if self.exited.is_none() && matches!(self.child.try_wait(), Ok(Some(_))) {
            self.exited = Some(Instant::now());
            // Who else holds the pipe works for nobody any more.
            self.end_group();
        }
        // One that left the group may hold the pipe open for ever. On a machine with much to do, our own
        // reading of a long answer takes its time.
        if self.exited.is_some_and(|at| at.elapsed() > LAST_ANSWER) {
            return Err(Heard::Silence);
        }
        Ok(pause_after(used, limits.memory_bytes))
    }

    /// Stops or continues the group as the reins say.
    fn follow_reins(&mut self) {
        let is_held = self.reins.is_held();
        if self.pace.turn(is_held)
            && let Some(group) = pid(&self.child)
        {
            let signal = if is_held { Signal::STOP } else { Signal::CONT };
            // There may be nobody left.
            let _ = kill_process_group(group, signal);
        }
    }

    /// Ends the whole group and takes what was still in the pipe.
    fn finish<E, A>(
        &mut self,
        heard: &Heard<A>,
        messages: &Receiver<Message<E, A>>,
        on_event: &mut impl FnMut(E),
    ) -> Option<ExitStatus> {
        let status = match heard {
            Heard::OutOfTime | Heard::OutOfMemory | Heard::Cancelled => None,
            Heard::Answer(_) | Heard::Failure(_) | Heard::Silence => self.wait_a_moment(),
        };
        self.end_group();
        let status = status.or_else(|| self.child.wait().ok());
        let end = Instant::now() + LAST_WORDS;
        while let Ok(message) = messages.recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            match message {
                Some(Line::Event(event)) => on_event(event),
                // Too late: the reason to stop stands.
                Some(Line::Answer(_) | Line::Failure(_)) => {}
                None => self.noise += 1,
            }
        }
        status
    }

    fn end_group(&self) {
        if let Some(group) = pid(&self.child) {
            // There may be nobody left.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// A worker that ended by itself is given a moment to be seen as such.
    fn wait_a_moment(&mut self) -> Option<ExitStatus> {
        let end = Instant::now() + LAST_WORDS;
        while Instant::now() < end {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) => thread::sleep(Duration::from_millis(2)),
                Err(_) => return None,
            }
        }
        None
    }

    fn end<A>(&self, heard: Heard<A>, status: Option<ExitStatus>, stderr: &str) -> End<A> {
        match heard {
            Heard::Answer(answer) => End::Answered(answer),
            Heard::Failure(problem) => End::Failed(problem),
            Heard::OutOfTime => End::OutOfTime,
            Heard::OutOfMemory => End::OutOfMemory,
            Heard::Cancelled => End::Cancelled,
            // What Rust's allocator says when the kernel's limit stops it.
            Heard::Silence if stderr.contains("memory allocation of ") => End::OutOfMemory,
            Heard::Silence => End::Crashed {
                how: described(status),
                stderr: stderr.to_owned(),
            },
        }
    }
}

/// The closer to the limit, the sooner we look again.
fn pause_after(used: u64, limit: Option<u64>) -> Duration {
    let eighths = match limit {
        Some(limit) => used.saturating_mul(8) / limit.max(1),
        None => 0,
    };
    Duration::from_millis(match eighths {
        0..=2 => 20,
        3..=4 => 8,
        5 => 4,
        _ => 1,
    })
}

fn described(status: Option<ExitStatus>) -> String {
    let Some(status) = status else {
        return "it ended without an answer".to_owned();
    };
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it exited with code {code} and gave no answer"),
        (None, Some(signal)) => format!("it was ended by signal {signal}"),
        (None, None) => "it ended without an answer".to_owned(),
    }
}
