//! Loop summarisation (loop acceleration): any number of iterations at once, in terms of the loop's counter.
//!
//! [`check`] executes a program once. At the head of each loop that counts, a policy of the executor ([`summarise`])
//! puts the state after any number of iterations in the place of the first one; what cannot be said of it is anything. So
//! the executions that are checked are all of the program's and others: what is proved holds, what is not proved is open,
//! and nothing is refuted.
//!
//! Invariants:
//! - A site is [`Proof::Proved`] only if no execution fails it, over all numbers of iterations, and every obligation of the
//!   encoding holds; or if somebody else proved it.
//! - What the rest is open for is said.
//!
//! Decisions: [0105](../../../docs/decisions/0105-closed-loops.md), [0129](../../../docs/decisions/0129-summarisation-is-an-engine.md).

pub mod answer;
pub mod door;
pub mod engine;
mod folds;
pub mod summarise;

pub use answer::{AccelerationReport, Proof, SiteAnswer, Statistics};
pub use engine::{Acceleration, check};
pub use summarise::{Summarise, has_summarisable_loops};
