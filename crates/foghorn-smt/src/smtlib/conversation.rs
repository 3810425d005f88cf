//! A conversation with a solver process over a pipe.
//!
//! One thread writes to the process and one listens, so that neither a process that does not read
//! nor one that does not answer can hold us beyond the budget. Whatever goes wrong is an error
//! value; the process is killed when the conversation is dropped.

use super::split::Splitter;
use crate::error::SolverError;
use foghorn_core::Exhausted;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::Duration;

/// How to start a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverCommand {
    pub program: String,
    pub arguments: Vec<String>,
}

impl SolverCommand {
    pub fn new(program: impl Into<String>, arguments: &[&str]) -> Self {
        SolverCommand {
            program: program.into(),
            arguments: arguments.iter().map(|a| (*a).to_owned()).collect(),
        }
    }

    /// With a memory limit the program is started by a shell that sets it; `exec` keeps the
    /// process the same, so that killing it kills the solver.
    fn to_process(&self, memory_bytes: Option<u64>) -> Command {
        let Some(bytes) = memory_bytes else {
            let mut command = Command::new(&self.program);
            command.args(&self.arguments);
            return command;
        };
        let mut command = Command::new("sh");
        let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", bytes.div_ceil(1024));
        command.arg("-c").arg(script).arg(&self.program);
        command.args(&self.arguments);
        command
    }
}

/// Answers that wait to be read before the listening thread blocks.
const ANSWERS_IN_FLIGHT: usize = 64;
/// Longest single answer we are willing to hold.
const LONGEST_ANSWER: usize = 1 << 28;
/// How often a waiting caller looks at its budget.
const HEARTBEAT: Duration = Duration::from_millis(5);

/// A running solver process.
pub struct Conversation {
    program: String,
    child: Child,
    to_process: Sender<String>,
    answers: Receiver<String>,
}

impl Conversation {
    pub fn start(command: &SolverCommand, memory_bytes: Option<u64>) -> Result<Self, SolverError> {
        let cannot_start = |reason: String| SolverError::CannotStart {
            program: command.program.clone(),
            reason,
        };
        let mut child = command
            .to_process(memory_bytes)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| cannot_start(error.to_string()))?;
        let input = child.stdin.take();
        let output = child.stdout.take();
        let (Some(mut input), Some(output)) = (input, output) else {
            return Err(cannot_start("no pipe".into()));
        };
        let (to_process, lines) = channel::<String>();
        let (heard, answers) = sync_channel(ANSWERS_IN_FLIGHT);
        std::thread::spawn(move || {
            for line in lines {
                // A broken pipe shows on the listening side as the end of the answers.
                if input.write_all(line.as_bytes()).is_err() || input.flush().is_err() {
                    break;
                }
            }
        });
        std::thread::spawn(move || listen(output, &heard));
        Ok(Conversation {
            program: command.program.clone(),
            child,
            to_process,
            answers,
        })
    }

    /// Sends text; never waits for the process to read it.
    pub fn send(&self, text: String) -> Result<(), SolverError> {
        self.to_process
            .send(text)
            .map_err(|_| self.died("its input is closed"))
    }

    /// The next complete expression the process says.
    /// `patience` is asked again and again whether to go on waiting.
    pub fn answer(
        &mut self,
        patience: &dyn Fn() -> Result<(), Exhausted>,
    ) -> Result<String, SolverError> {
        loop {
            patience()?;
            match self.answers.recv_timeout(HEARTBEAT) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let reason = self.exit_status();
                    return Err(self.died(&reason));
                }
            }
        }
    }

    pub fn program(&self) -> &str {
        &self.program
    }

    fn exit_status(&mut self) -> String {
        match self.child.try_wait() {
            Ok(Some(status)) => status.to_string(),
            Ok(None) | Err(_) => "it closed its output".to_owned(),
        }
    }

    fn died(&self, reason: &str) -> SolverError {
        SolverError::Died {
            program: self.program.clone(),
            reason: reason.to_owned(),
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // Both fail only if the process is gone already, which is what we want.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn listen(mut output: impl Read, heard: &SyncSender<String>) {
    let mut splitter = Splitter::default();
    let mut buffer = [0u8; 1 << 14];
    while let Ok(length @ 1..) = output.read(&mut buffer) {
        for byte in &buffer[..length] {
            if let Some(answer) = splitter.push(*byte)
                && heard.send(answer).is_err()
            {
                return;
            }
        }
        if splitter.pending() > LONGEST_ANSWER {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_core::Budget;
    use std::time::Instant;

    fn shell(script: &str) -> Conversation {
        let command = SolverCommand::new("sh", &["-c", script]);
        Conversation::start(&command, None).unwrap()
    }

    #[test]
    fn answers_come_back_in_order() {
        let mut talk = shell("while read line; do echo \"($line)\"; done");
        talk.send("one\n".into()).unwrap();
        talk.send("two\n".into()).unwrap();
        let budget = Budget::unlimited().within(Duration::from_secs(10));
        assert_eq!(talk.answer(&|| budget.check()).unwrap(), "(one)");
        assert_eq!(talk.answer(&|| budget.check()).unwrap(), "(two)");
    }

    #[test]
    fn silence_ends_with_the_budget() {
        let mut talk = shell("exec sleep 100");
        let start = Instant::now();
        let budget = Budget::unlimited().within(Duration::from_millis(200));
        let error = talk.answer(&|| budget.check()).unwrap_err();
        assert!(matches!(error, SolverError::Exhausted(_)), "{error}");
        assert!(start.elapsed() < Duration::from_secs(1));
    }

    #[test]
    fn a_process_that_does_not_read_does_not_block_us() {
        let mut talk = shell("exec sleep 100");
        let start = Instant::now();
        talk.send("x".repeat(10_000_000)).unwrap();
        let budget = Budget::unlimited().within(Duration::from_millis(200));
        assert!(talk.answer(&|| budget.check()).is_err());
        drop(talk);
        assert!(start.elapsed() < Duration::from_secs(1));
    }

    #[test]
    fn death_is_an_error_that_says_how() {
        let mut talk = shell("exit 3");
        let budget = Budget::unlimited().within(Duration::from_secs(10));
        let error = talk.answer(&|| budget.check()).unwrap_err();
        assert!(matches!(error, SolverError::Died { .. }), "{error}");
    }

    #[test]
    fn a_memory_limit_reaches_the_process() {
        let command = SolverCommand::new("sh", &["-c", "ulimit -v"]);
        let mut talk = Conversation::start(&command, Some(1 << 30)).unwrap();
        let budget = Budget::unlimited().within(Duration::from_secs(10));
        assert_eq!(talk.answer(&|| budget.check()).unwrap(), "1048576");
    }

    #[test]
    fn a_missing_program_cannot_start() {
        let command = SolverCommand::new("/nonexistent/solver", &[]);
        assert!(matches!(
            Conversation::start(&command, None),
            Err(SolverError::CannotStart { .. })
        ));
    }
}
