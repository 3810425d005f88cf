//! One path from a cut of the program to the next, instruction by instruction.
//!
//! A [`State`] is what a path knows: the values of its frames, the conditions that hold on it, the
//! premises that it needs, and what it took from outside. Where something is not decided (whether two
//! pointers are equal, say) the path stops with [`Interrupt::Split`], and whoever follows it begins the
//! instruction again on two paths, one for each answer. So every rule in the end is one case.

pub mod access;
pub mod builtin;
pub mod call;
pub mod check;
pub mod instruction;
pub mod lifetime;
pub mod numbers;
pub mod pointer;
pub mod state;

pub use state::{Event, Frame, State};

use foghorn_core::SpanId;
use foghorn_term::TermId;

/// A construct that cannot even be over-approximated here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub construct: String,
    pub span: SpanId,
}

/// Why an instruction does not go on.
#[derive(Clone, Debug)]
pub enum Interrupt {
    /// It depends on this condition, which is open.
    Split(TermId),
    Refused(Refusal),
    /// No execution goes on here.
    Stopped,
}

/// The result of something that may not go on.
pub type Step<T> = Result<T, Interrupt>;
