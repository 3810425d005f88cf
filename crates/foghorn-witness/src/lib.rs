//! What Foghorn shows for an answer.
//!
//! - [`replay`] runs a counterexample again in the interpreter and [`trace`] tells the run in
//!   terms of source lines and variables.
//! - [`outside`] has the arguments and the environment of a run.
//! - [`harness`] writes a C file that makes the program itself fail in the same way.
//! - [`shrink`] makes a failing run shorter before it is shown.
//! - [`stream`] puts together what a run read.
//! - [`property`] reads what a task of SV-COMP asks for.
//! - [`report`] is the answer for a whole program, as `--json` prints it.
//!
//! Nothing here prints; the binary renders these values. The crate knows the IR and its
//! interpreter, but no engine: what it shows was executed, whoever found it.

pub mod formats;
pub mod harness;
pub mod layout;
pub mod outside;
pub mod property;
pub mod replay;
pub mod report;
pub mod shrink;
pub mod stream;
pub mod trace;

pub use property::{Property, PropertyError};
pub use replay::{Replay, replay, replay_from};
pub use report::{CheckId, CheckIds, CheckReport, VerificationReport};
pub use shrink::{Shrunk, shrink};
pub use trace::Trace;
