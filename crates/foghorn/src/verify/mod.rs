//! `foghorn verify` from the inside: what is asked of an engine, the engine's side, the report.
//!
//! The command runs the engine in a worker process (the same binary) and keeps what it sends: a
//! crash, a limit or an interrupt costs what was not found yet and nothing else.

pub mod absint;
mod assumptions;
pub mod bounds;
pub mod certify;
mod harnesses;
pub mod merge;
mod outside;
pub mod plan;
pub mod report;
pub mod request;
pub mod sites;
mod start;
mod trials;
mod typist;
pub mod work;

pub use request::{
    EngineName, EngineOptions, InterArgument, Interim, InvariantOptions, Request, WorkerEvent,
};
pub use work::{work, worker};
