//! Horn clauses with solvers in processes of their own.

use foghorn_engine::{EngineEntry, EngineOptions};
use foghorn_smt::horn::WorkerCommand;

/// The engine in the table.
pub const ENTRY: EngineEntry = EngineEntry {
    make: |options: &EngineOptions| foghorn_horn::door::make(options, worker()),
    ..foghorn_horn::door::ENTRY
};

/// How this program is started as one member of the portfolio.
pub fn worker() -> Option<WorkerCommand> {
    let program = std::env::current_exe().ok()?;
    Some(WorkerCommand {
        program,
        arguments: vec!["__horn-member".to_owned()],
    })
}
