//! What goes over the pipes: one JSON value a line.
//!
//! To the worker: the request, one line, and then whatever it is told while it works; the end of the
//! pipe tells the worker that nobody waits any more. From the worker: any number of events, then one answer or failure.
//! Empty lines are passed over. Lines that are not of this form (a library that prints) are kept apart and disturb nothing.

use serde::{Deserialize, Serialize};

/// One line from a worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Line<E, A> {
    /// Something that holds whatever happens later: a verdict of one check, progress.
    Event(E),
    /// The end of the work.
    Answer(A),
    /// The worker could not do it.
    Failure(String),
}

/// What a worker is told, as a line of its own, when its time is over.
pub(crate) const FINISH: &str = "finish";
