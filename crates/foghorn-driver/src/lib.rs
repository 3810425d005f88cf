//! Runs engines: which one, for how long, in a process of its own.
//!
//! - [`plan`] is data: which engine runs with which budget, and why; `--explain` prints it.
//! - [`worker`] is the engine's side of a worker process: it reads a request, sends events while
//!   it works, and an answer at the end.
//! - [`supervise`] is the other side: it starts the process, keeps what it sends, and ends it
//!   when its time or memory is used up or when somebody cancels.
//! - [`interrupt`] turns the user's interrupt (Ctrl-C) into cancellation.
//! - [`progress`] is what an engine says about where it is.
//!
//! An engine that crashes, runs out of memory or writes garbage is a value here
//! ([`supervise::End`]), never the end of the run, and what it found before is kept.
//!
//! The messages are type parameters: this crate knows no engine.

pub mod interrupt;
pub mod memory;
pub mod plan;
pub mod progress;
mod protocol;
pub mod supervise;
pub mod worker;

pub use plan::{Plan, Stage};
pub use progress::Progress;
pub use supervise::{End, Limits, Supervised, own_worker, supervise};
pub use worker::{Events, serve};
