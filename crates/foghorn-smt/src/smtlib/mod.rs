//! SMT-LIB 2: reading, printing, and talking to a solver that speaks it.

mod conversation;
pub mod sexp;

pub use conversation::{Conversation, SolverCommand};
