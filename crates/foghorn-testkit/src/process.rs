//! Runs a command with a time limit.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How a command ended and what it said.
#[derive(Clone, Debug)]
pub struct Finished {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

/// Why a command gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    #[error("cannot start {0}: {1}")]
    Start(String, std::io::Error),
    #[error("did not end within {0:?}")]
    Timeout(Duration),
    #[error("cannot be watched: {0}")]
    Wait(std::io::Error),
}

/// Bytes of output that are kept; a program that prints without end must not take our memory.
const KEPT: u64 = 1 << 20;

/// Runs to the end, or kills after the limit.
pub fn run(command: &mut Command, stdin: &[u8], limit: Duration) -> Result<Finished, ProcessError> {
    let program = command.get_program().to_string_lossy().into_owned();
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .map_err(|e| ProcessError::Start(program, e))?;
    let mut input = child.stdin.take().expect("invariant: piped");
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        let out = scope.spawn(|| drain(stdout.expect("invariant: piped")));
        let err = scope.spawn(|| drain(stderr.expect("invariant: piped")));
        // A program that does not read its input closes it, which is no failure.
        scope.spawn(move || drop(input.write_all(stdin)));
        let status = wait(&mut child, limit);
        let stdout = out.join().expect("invariant: draining does not panic");
        let stderr = err.join().expect("invariant: draining does not panic");
        Ok(Finished {
            code: status?.code(),
            stdout,
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
        })
    })
}

fn wait(child: &mut Child, limit: Duration) -> Result<std::process::ExitStatus, ProcessError> {
    let deadline = Instant::now() + limit;
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some(status) = child.try_wait().map_err(ProcessError::Wait)? {
            return Ok(status);
        }
        if Instant::now() >= deadline {
            // It may have ended by itself in between.
            let _ = child.kill();
            child.wait().map_err(ProcessError::Wait)?;
            return Err(ProcessError::Timeout(limit));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// The first bytes of a stream, which is read to its end.
fn drain(mut stream: impl Read) -> Vec<u8> {
    let mut kept = vec![];
    // An error ends the stream like its end does: what was read counts.
    let _ = stream.by_ref().take(KEPT).read_to_end(&mut kept);
    let _ = std::io::copy(&mut stream, &mut std::io::sink());
    kept
}

/// A command as a person would type it.
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let quoted = words.map(|word| {
        let word = word.to_string_lossy();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@".contains(c);
        match !word.is_empty() && word.chars().all(plain) {
            true => word.into_owned(),
            false => format!("'{}'", word.replace('\'', "'\\''")),
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn output_input_and_code() {
        let limit = Duration::from_secs(10);
        let finished = run(&mut shell("cat; echo problem >&2; exit 7"), b"text", limit);
        let finished = finished.expect("it ends");
        assert_eq!(finished.stdout, b"text");
        assert_eq!(
            (finished.stderr.as_str(), finished.code),
            ("problem\n", Some(7))
        );
    }

    #[test]
    fn a_command_that_does_not_end() {
        let started = Instant::now();
        let error = run(&mut shell("exec sleep 60"), b"", Duration::from_millis(50));
        assert!(matches!(error, Err(ProcessError::Timeout(_))));
        assert!(started.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn endless_output_is_cut() {
        let script = "head -c 5000000 /dev/zero";
        let finished = run(&mut shell(script), b"", Duration::from_secs(20)).expect("it ends");
        assert_eq!(finished.stdout.len() as u64, KEPT);
    }

    #[test]
    fn a_missing_program() {
        let error = run(
            &mut Command::new("/nonexistent"),
            b"",
            Duration::from_secs(1),
        );
        assert!(matches!(error, Err(ProcessError::Start(..))));
    }

    #[test]
    fn commands_are_quoted() {
        let mut command = Command::new("foghorn");
        command.args(["run", "a b.c", "it's"]);
        assert_eq!(shown(&command), "foghorn run 'a b.c' 'it'\\''s'");
    }
}
