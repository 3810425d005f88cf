//! Lines for a worker that is at work.

use crate::protocol::FINISH;
use serde::Serialize;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Lines for a worker that is at work.
#[derive(Debug)]
pub struct Letters(Receiver<String>);

impl Letters {
    /// The next line, or none if it does not come in time, or never.
    pub(crate) fn wait(&self, time: Duration) -> Result<String, RecvTimeoutError> {
        self.0.recv_timeout(time)
    }
}

/// Sends lines to a worker that is at work. Lines for one that has ended are lost.
#[derive(Clone, Debug)]
pub struct LetterBox(Sender<String>);

/// A way to tell a worker something while it works.
pub fn letter_box() -> (LetterBox, Letters) {
    let (sender, receiver) = channel();
    (LetterBox(sender), Letters(receiver))
}

impl LetterBox {
    /// Sends one message.
    pub fn send<M: Serialize>(&self, message: &M) {
        if let Ok(text) = serde_json::to_string(message) {
            // Nobody is there to hear it.
            let _ = self.0.send(text + "\n");
        }
    }

    /// Tells the worker that its time is over: it ends with what it has.
    pub fn finish(&self) {
        self.send(&FINISH);
    }
}
