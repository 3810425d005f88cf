//! kIkI: k-invariants, k-induction and bounded model checking on one solver (chapter 2 of the 2LS thesis).
//!
//! [`check`] executes the program with its loops cut ([`cut`]), looks for the strongest invariant of a chosen form
//! ([`template`], [`strategy`]), asks what it proves together with the checks of the iterations before ([`problem`]), looks
//! for failures from the start, and goes on with one more copy of each loop ([`engine`]).
//!
//! Invariants:
//! - A site is safe only if no execution of the cut program, which has all of the program's and others, fails it, with
//!   invariants that the solver has shown to be inductive in the last question of the search for them.
//! - A site is unsafe only if the run that the solver found was executed and failed there.
//! - What cannot be followed (recursion, marks, objects that loops made before) is a reason why there is no answer.
//!
//! Decisions: [0160](../../../docs/decisions/0160-loops-are-cut-by-a-policy.md),
//! [0161](../../../docs/decisions/0161-windows-of-copies.md), [0162](../../../docs/decisions/0162-templates-and-search.md).

pub mod answer;
mod arrays;
pub mod audit;
pub mod bench;
mod claims;
pub mod counterexample;
pub mod cut;
pub mod door;
pub mod engine;
mod follow;
mod guess;
pub mod invariant;
pub mod modular;
pub mod options;
mod phases;
pub mod problem;
pub mod sabotage;
pub mod show;
mod states;
pub mod strategy;
pub mod template;

pub use answer::{KikiReport, LoopInvariant, ShownInvariant, SiteAnswer, SiteVerdict};
pub use engine::check;
pub use options::{Kiki, Mode, News};
pub use sabotage::Sabotage;
