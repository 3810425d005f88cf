//! The worker's side: a process that does one piece of work.
//!
//! It takes the request from standard input, and further lines as they come, and writes events and
//! the answer to standard output, which nothing else in the process may use. When whoever started it
//! goes away, it ends.

use crate::protocol::{FINISH, Line};
use foghorn_core::clock;
use rustix::process::{Signal, set_parent_process_death_signal};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{BufRead, Write};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

/// Where a worker sends what it finds while it works; may be cloned into threads.
pub struct Events<E> {
    out: Arc<Mutex<dyn Write + Send>>,
    event: PhantomData<fn(E)>,
}

impl<E> Clone for Events<E> {
    fn clone(&self) -> Self {
        Events {
            out: self.out.clone(),
            event: PhantomData,
        }
    }
}

impl<E: Serialize> Events<E> {
    /// To any stream; the worker's own is its standard output.
    pub fn to(out: impl Write + Send + 'static) -> Self {
        Events {
            out: Arc::new(Mutex::new(out)),
            event: PhantomData,
        }
    }

    /// Sends one event; it is kept even if the worker dies right after.
    pub fn send(&self, event: E) {
        self.line(&Line::<E, ()>::Event(event));
    }

    fn line<A: Serialize>(&self, line: &Line<E, A>) {
        let Ok(text) = serde_json::to_string(line) else {
            // Our own types serialise; an engine's map with odd keys would not, and is not sent.
            return;
        };
        // The first line break ends what somebody else may have printed without one.
        let text = format!("\n{text}\n");
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        // If nobody reads, the work is of no use to anyone; the lifeline ends the process.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
}

/// What comes after the request, while the work is done.
#[derive(Clone, Debug, Default)]
pub struct Mail {
    lines: Arc<Mutex<Vec<String>>>,
}

impl Mail {
    /// The lines that came since the last time, in order; those that cannot be read are passed over.
    pub fn take<M: DeserializeOwned>(&self) -> Vec<M> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = std::mem::take(&mut *lines);
        drop(lines);
        let read = taken.iter().map(|line| serde_json::from_str(line));
        read.filter_map(Result::ok).collect()
    }

    fn put(&self, line: String) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push(line);
    }
}

/// Does the work that is asked for on standard input, and says on standard output what came of
/// it. A panic of `work` is a failure like any other.
pub fn serve<Q, E, A>(work: impl FnOnce(Q, &Events<E>, &Mail) -> Result<A, String>) -> ExitCode
where
    Q: DeserializeOwned,
    E: Serialize,
    A: Serialize,
{
    // One that is held cannot see that the pipe was closed; whoever has no such signal has the pipe.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    let events = Events::<E>::to(std::io::stdout());
    let mut request = String::new();
    let read = std::io::stdin().lock().read_line(&mut request);
    let request = match read.map_err(|error| error.to_string()).and_then(|_| {
        serde_json::from_str::<Q>(&request).map_err(|error| format!("unreadable request: {error}"))
    }) {
        Ok(request) => request,
        Err(problem) => {
            events.line(&Line::<E, A>::Failure(problem));
            return ExitCode::from(70);
        }
    };
    let mail = Mail::default();
    read_mail(mail.clone());
    let outcome = catch_unwind(AssertUnwindSafe(|| work(request, &events, &mail)));
    let (line, code) = match outcome {
        Ok(Ok(answer)) => (Line::Answer(answer), ExitCode::SUCCESS),
        Ok(Err(problem)) => (Line::Failure(problem), ExitCode::from(70)),
        Err(panic) => {
            let problem = format!("a bug: {}", panic_message(&*panic));
            (Line::Failure(problem), ExitCode::from(70))
        }
    };
    events.line(&line);
    code
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic")
}

/// Takes lines from standard input, and ends this process when the other end of it is closed: by then
/// nobody waits for the answer, also if that process was killed and could not tell us.
fn read_mail(mail: Mail) {
    std::thread::spawn(move || {
        loop {
            let mut line = String::new();
            match std::io::stdin().lock().read_line(&mut line) {
                Ok(0) | Err(_) => std::process::exit(20),
                Ok(_) if is_finish(&line) => clock::expire(),
                Ok(_) => mail.put(line),
            }
        }
    });
}

fn is_finish(line: &str) -> bool {
    serde_json::from_str::<&str>(line.trim()).is_ok_and(|word| word == FINISH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("no panics").extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn events_of_many_threads_stay_whole_lines() {
        let kept = Kept::default();
        let events = Events::<(u32, String)>::to(kept.clone());
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let events = events.clone();
                scope.spawn(move || {
                    for _ in 0..100 {
                        events.send((thread, "two\nlines".repeat(50)));
                    }
                });
            }
        });
        let bytes = kept.0.lock().expect("no panics").clone();
        let text = String::from_utf8(bytes).expect("text");
        let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(lines.len(), 400);
        for line in lines {
            let line: Line<(u32, String), ()> = serde_json::from_str(line).expect("a line");
            assert!(matches!(line, Line::Event((0..4, _))));
        }
    }
}
