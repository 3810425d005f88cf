//! The door that all engines share (DESIGN: "The door that engines share").
//!
//! A [`Task`] is the program in the form that engines work on, made once and written down with its
//! hash. [`Knowledge`] is what engines know of it: it only grows, and it names the program that it
//! speaks of. An [`Engine`] takes both and answers with an [`EngineReport`]; while it runs it tells
//! a [`Sink`] what it finds, and hears from it what others found.
//!
//! A new engine implements [`Engine`] and enrols with one [`EngineEntry`] in the table of whoever
//! runs engines. Nothing here knows any of them.
//!
//! Invariants:
//! - What an engine calls safe holds in every execution that has not failed before.
//! - What an engine calls unsafe is a candidate: whoever listens runs it before it is believed.
//! - Knowledge about another program is refused.

pub mod circumstances;
pub mod engine;
pub mod hash;
pub mod knowledge;
pub mod options;
pub mod progress;
pub mod report;
pub mod sink;
pub mod task;

pub use circumstances::{Circumstances, Noticed};
pub use engine::{Engine, EngineEntry, Power};
pub use hash::ProgramHash;
pub use knowledge::{Claim, Knowledge, OtherProgram};
pub use options::{EngineOptions, OptionError};
pub use progress::Progress;
pub use report::{Candidate, EngineReport, SiteAnswer, SitePlace, SiteVerdict, Unwound};
pub use sink::{Silent, Sink};
pub use task::{Task, TaskError};
