//! A member in a process of its own.

use super::WorkerCommand;
use super::protocol::{Reply, Request};
use super::schedule::Racer;
use crate::error::SolverError;
use crate::horn::member::Member;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

/// A process that solves; dropping it kills it.
pub(super) struct Worker {
    name: &'static str,
    child: Child,
    output: Receiver<String>,
}

impl Worker {
    pub fn start(
        command: &WorkerCommand,
        member: &'static Member,
        request: &Request,
    ) -> Result<Self, SolverError> {
        let cannot = |error: std::io::Error| SolverError::CannotStart {
            program: command.program.display().to_string(),
            reason: error.to_string(),
        };
        let mut child = Command::new(&command.program)
            .args(&command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(cannot)?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(mut input), Some(mut output)) = (input, output) else {
            return Err(SolverError::Internal("a worker has no pipes".into()));
        };
        let text = Arc::new(request.text_for(member)?);
        // A pipe holds little: writing and reading must not wait for each other. Both threads end
        // with the process at the other end; a broken pipe is seen as a reply that is missing.
        std::thread::spawn(move || drop(input.write_all(text.as_bytes())));
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let mut text = String::new();
            drop(output.read_to_string(&mut text));
            drop(sender.send(text));
        });
        Ok(Worker {
            name: member.name,
            child,
            output: receiver,
        })
    }

    fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(id) = id {
            // A process that has just ended needs no signal any more.
            let _ = kill_process(id, signal);
        }
    }

    /// A number of the process's line in the process table.
    fn figures(&self) -> Option<String> {
        let id = self.child.id();
        std::fs::read_to_string(format!("/proc/{id}/stat")).ok()
    }
}

impl Racer for Worker {
    fn poll(&mut self) -> Option<Result<Reply, SolverError>> {
        let text = match self.output.try_recv() {
            Ok(text) => text,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => String::new(),
        };
        Some(Reply::read(&text).ok_or_else(|| {
            let status = self.child.wait();
            SolverError::Died {
                program: self.name.to_owned(),
                reason: status.map_or_else(|error| error.to_string(), |status| status.to_string()),
            }
        }))
    }

    fn pause(&mut self) {
        self.signal(Signal::STOP);
    }

    fn resume(&mut self) {
        self.signal(Signal::CONT);
    }

    fn used(&self) -> Duration {
        // The name in parentheses may have blanks; user and system time are the 12th and 13th
        // number after it, in ticks of a hundredth of a second.
        let text = self.figures().unwrap_or_default();
        let numbers: Vec<&str> = text
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        let ticks = |index: usize| -> u64 {
            let number = numbers.get(index).and_then(|n| n.parse().ok());
            number.unwrap_or(0)
        };
        Duration::from_millis(10 * (ticks(11) + ticks(12)))
    }

    fn memory_bytes(&self) -> u64 {
        let id = self.child.id();
        let text = std::fs::read_to_string(format!("/proc/{id}/statm")).unwrap_or_default();
        let pages = text.split_whitespace().nth(1).and_then(|n| n.parse().ok());
        pages.unwrap_or(0u64) * 4096
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Works on stopped processes too. Waiting leaves no zombie behind.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
