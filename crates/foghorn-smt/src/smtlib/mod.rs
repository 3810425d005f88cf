//! SMT-LIB 2: reading, printing, and talking to a solver that speaks it.

mod conversation;
mod print;
mod process;
mod script;
mod split;
mod values;

pub use conversation::{Conversation, SolverCommand};
pub(crate) use print::{sort as sort_text, symbol};
pub use process::{SmtLibProfile, SmtLibSolver};
pub use script::{Printed, Script};
