//! `foghorn verify` from the inside: from arguments to a plan and a program that is ready.
//!
//! The command prepares the program once, in a process of its own ([`prepare`]), and lets the driver
//! carry out a plan ([`plan`]) with the engines of the one table ([`engines`]). Each stage is another
//! process of this binary ([`worker`], started in [`processes`]): a crash, a limit or an interrupt costs what was not found yet
//! and nothing else.

pub mod argument;
pub mod bounds;
mod cases;
pub mod certificate;
pub mod certify;
mod circumstances;
mod contents;
pub mod engines;
pub mod harnesses;
pub mod horn;
pub mod in_process;
pub mod options;
pub mod plan;
pub mod prepare;
pub mod processes;
mod residues;
mod start;
pub mod worker;

pub use options::{EngineOptions, HornFormOptions, InterArgument, InvariantOptions, KikiOptions};
