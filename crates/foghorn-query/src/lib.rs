//! Verification conditions and counterexamples: from what an executed program does to questions for a solver, and from its
//! models back to runs.
//!
//! Engines that execute a program symbolically ([`foghorn_encode::execute`]) share this: [`question`] makes formulas of
//! events, [`session`] asks them and counts, [`model`] reads models, [`replay`] runs them in the interpreter, [`vacuity`]
//! looks for checks that nothing reaches, [`reason`] says why there is no answer. Only what was replayed is a failure.

mod bounds;
pub mod door;
pub mod layout;
pub mod model;
pub mod question;
pub mod reason;
pub mod replay;
pub mod session;
pub mod vacuity;

pub use question::{Question, Settled};
pub use session::{Effort, Session, Vacuity};
