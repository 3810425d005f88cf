//! What people read: failures with their source lines.

use foghorn_core::{SpanId, SpanTable};
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
    text += &source_line(spans, failure.span);
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

/// The line with a mark below the column; nothing if the file cannot be read.
fn source_line(spans: &SpanTable, span: SpanId) -> String {
    let span = spans.span(span);
    let file = std::fs::read(&**spans.file_name(span.file)).unwrap_or_default();
    let file = String::from_utf8_lossy(&file);
    let index = (span.line as usize).wrapping_sub(1);
    let Some(line) = file.lines().nth(index) else {
        return String::new();
    };
    let mut text = format!("  {:>5} | {line}\n", span.line);
    if span.column > 0 {
        // Tabs stay tabs, so that the mark stands below its column.
        let before = line.chars().take(span.column as usize - 1);
        let blank: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let _ = writeln!(text, "        | {blank}^");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_stands_below_the_column() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.c");
        std::fs::write(&path, "int x;\n\treturn *p;\n").expect("a file");
        let mut spans = SpanTable::default();
        let span = spans.at(&path.to_string_lossy(), 2, 9);
        assert_eq!(
            source_line(&spans, span),
            "      2 | \treturn *p;\n        | \t       ^\n"
        );
    }

    #[test]
    fn a_missing_file_is_passed_over() {
        let mut spans = SpanTable::default();
        let span = spans.at("/nonexistent.c", 2, 9);
        assert_eq!(source_line(&spans, span), "");
    }
}
