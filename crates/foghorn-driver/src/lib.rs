//! Runs engines: which ones, for how long, each in a process of its own.
//!
//! - [`plan`] is data: which engine runs with which budget, when and why; `--explain` prints it.
//! - [`schedule`] carries a plan out: stages side by side on the cores, knowledge from each to all,
//!   an end to what has become pointless.
//! - [`ledger`] is what is known of each check so far, and makes the report of it.
//! - [`stage`] is the engine's side: it lets an engine work on a task, and runs every candidate for a
//!   failure ([`confirm`]) before it is told; [`process`] does so over the pipes.
//! - [`worker`] and [`supervise`] are the two sides of a process: requests, events, answers; limits,
//!   cancellation, crashes; [`letters`] and [`reins`] reach a worker that is at work: what it is told, and that it
//!   waits while others have their turn.
//! - [`interrupt`] turns the user's interrupt (Ctrl-C) into cancellation.
//!
//! An engine that crashes, runs out of memory or writes garbage is a value here
//! ([`supervise::End`]), never the end of the run, and what it found before is kept.
//!
//! This crate knows no engine: whoever starts it brings the table.

pub mod checks;
pub mod confirm;
pub mod interrupt;
pub mod ledger;
pub mod letters;
pub mod memory;
pub mod message;
pub mod plan;
pub mod process;
mod protocol;
pub mod reins;
pub mod schedule;
pub mod stage;
pub mod supervise;
mod turn;
pub mod worker;

pub use confirm::{ConfirmedRun, HarnessWriter};
pub use message::{StageEvent, StageReport, StageRequest};
pub use plan::{AfterFailure, Condition, Plan, Share, Stage};
pub use process::{StageWork, serve_stage};
pub use stage::{Outlet, run_stage};
pub use supervise::{End, Limits, Supervised, own_worker, supervise};
pub use worker::{Events, Mail, serve};
