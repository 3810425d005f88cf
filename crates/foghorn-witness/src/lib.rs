//! What Foghorn shows for an answer.
//!
//! - [`replay`] runs a counterexample again in the interpreter and [`trace`] tells the run in
//!   terms of source lines and variables.
//! - [`harness`] writes a C file that makes the program itself fail in the same way.
//! - [`report`] is the answer for a whole program, as `--json` prints it.
//!
//! Nothing here prints; the binary renders these values. The crate knows the IR and its
//! interpreter, but no engine: what it shows was executed, whoever found it.

pub mod harness;
pub mod replay;
pub mod report;
pub mod trace;

pub use replay::{Replay, replay, replay_from};
pub use report::{CheckId, CheckIds, CheckReport, VerificationReport};
pub use trace::Trace;
