//! The concrete semantics: an interpreter of the goto language.
//!
//! It is the ground truth that every domain is tested against. Nondeterminism (havoc, branches,
//! values of variables and bytes that were never written) is resolved by an [`Oracle`].
//!
//! - [`state`]: values, arrays as bytes, frames, objects behind pointers;
//! - [`step`]: one statement;
//! - [`run`]: whole programs.

pub mod run;
pub mod state;
pub mod step;

use crate::number::Number;
use crate::variable::Type;

pub use run::{Event, run};
pub use state::{Bytes, Frame, Heap, PointerValue, Value};
pub use step::{Outcome, evaluate_binary, evaluate_condition, step};

/// Resolves nondeterminism.
pub trait Oracle {
    /// Any integer of the type (which is an integer type).
    fn integer(&mut self, ty: Type) -> Number;

    fn boolean(&mut self) -> bool;

    /// A number below `count`, which is at least 1.
    fn choose(&mut self, count: usize) -> usize;
}
