//! Printing programs in the text syntax.

use crate::variable::{GhostKind, Level, VariableId};

/// The name of a ghost of the variable called `base`.
pub(crate) fn ghost_name(base: &str, x: VariableId) -> String {
    let (below, level) = match x.copied_from() {
        Some((below, level)) => (below, Some(level)),
        None => (x, None),
    };
    let mut name = match below.ghost_of() {
        None => base.to_owned(),
        Some((GhostKind::Smashed, payload)) => format!("{base}[*{payload}]"),
        Some((GhostKind::Cell, payload)) => format!("{base}[cell {payload}]"),
        Some((GhostKind::Segment, payload)) => format!("{base}[segment {payload}]"),
        Some((GhostKind::PointerPart, payload)) => format!("{base}.part{payload}"),
        Some((GhostKind::Internal, payload)) => format!("{base}.internal{payload}"),
        Some((GhostKind::Scratch, payload)) => format!("{base}.scratch{payload}"),
    };
    name.push_str(match level {
        None => "",
        Some(Level::Primed) => "'",
        Some(Level::Entry) => "@entry",
        Some(Level::Formal) => "@formal",
        Some(Level::Temporary) => "@temporary",
    });
    name
}
