//! The one table of engines. A new engine is one line here.

use super::{certify, horn};
use foghorn_engine::EngineEntry;

/// All engines, in the order of `--engine`'s list.
pub const ENGINES: &[EngineEntry] = &[
    foghorn_trial::ENTRY,
    foghorn_invariants::door::ENTRY,
    foghorn_acceleration::door::ENTRY,
    foghorn_bmc::door::ENTRY,
    horn::ENTRY,
    foghorn_kiki::door::ENTRY,
    certify::ENTRY,
];

/// The engine of that name.
pub fn engine(name: &str) -> Option<&'static EngineEntry> {
    ENGINES.iter().find(|entry| entry.name == name)
}
