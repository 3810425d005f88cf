//! A failed check of one run.

use super::source::Sources;
use foghorn_core::SpanTable;
use foghorn_ir::interpret::Failure;
use std::fmt::Write;

/// A failed check: the stable first line, the message, the source line, the object, the calls.
pub fn failure(spans: &SpanTable, failure: &Failure) -> String {
    let mut text = format!(
        "error: {} at {}\n",
        failure.kind,
        spans.describe(failure.span)
    );
    if !failure.message.is_empty() && failure.message != failure.kind.name() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {}", failure.message);
    }
    let place = spans.span(failure.span);
    let file = spans.file_name(place.file);
    text += &Sources::default().excerpt(file, place.line, place.column);
    if let Some(object) = &failure.object {
        let _ = writeln!(text, "  {}", object.describe(spans));
    }
    for frame in &failure.stack {
        let model = if frame.is_model {
            " (model of the library)"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "  in {}{model} at {}",
            frame.function,
            spans.describe(frame.span)
        );
    }
    text
}
