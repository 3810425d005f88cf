//! A child process with a time limit whose whole output is kept.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What a finished child printed and returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Output kept per stream; a program that prints without end is cut here.
const MOST_OUTPUT: u64 = 16 << 20;

/// Runs `command` without input; `None` if it had to be killed at the limit.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Option<Finished>> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| {
        let program = command.get_program().to_string_lossy().into_owned();
        io::Error::new(error.kind(), format!("cannot start {program}: {error}"))
    })?;
    let stdout = reader(child.stdout.take());
    let stderr = reader(child.stderr.take());
    let status = wait(&mut child, limit)?;
    let stdout = stdout.join().expect("invariant: the reader does not panic");
    let stderr = stderr.join().expect("invariant: the reader does not panic");
    Ok(status.map(|status| Finished {
        code: status.code(),
        stdout,
        stderr,
    }))
}

fn reader(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = vec![];
        if let Some(stream) = stream {
            // A broken pipe leaves what was read so far.
            let _ = stream.take(MOST_OUTPUT).read_to_end(&mut bytes);
        }
        bytes
    })
}

fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let end = Instant::now() + limit;
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
