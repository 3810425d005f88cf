//! `foghorn loops`: the loops of a program, by the names that `--unwind-set` takes.

use super::{CommandResult, Failure};
use crate::arguments::LoopsArguments;
use crate::exit::Exit;
use crate::program;
use foghorn_ir::Module;
use foghorn_transform::loops::{NamedLoop, TripCount, loops};
use serde::Serialize;
use std::io::Write;

/// One loop as JSON.
#[derive(Serialize)]
struct Entry {
    name: String,
    function: String,
    location: String,
    line: u32,
    depth: u32,
    parent: Option<String>,
    blocks: usize,
    reducible: bool,
    /// How often the loop goes round, where that can be seen.
    trip_count: Option<u64>,
    /// Whether the count is exact rather than an upper bound.
    exact: bool,
}

pub fn execute(arguments: &LoopsArguments) -> CommandResult {
    let module = program::load(&arguments.program, &arguments.clang)?.module;
    let entries: Vec<Entry> = loops(&module).iter().map(|l| entry(&module, l)).collect();
    let text = match arguments.json {
        true => serde_json::to_string_pretty(&entries).map_err(Failure::internal)? + "\n",
        false => entries.iter().map(line).collect(),
    };
    // A reader that has seen enough (`| head`) is no error.
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(Exit::Success)
}

fn entry(module: &Module, found: &NamedLoop) -> Entry {
    let (trip_count, exact) = match found.trip_count {
        Some(TripCount::Exactly(rounds)) => (Some(rounds), true),
        Some(TripCount::AtMost(rounds)) => (Some(rounds), false),
        None => (None, false),
    };
    Entry {
        name: found.name.clone(),
        function: module.functions[found.function].name.to_string(),
        location: module.spans.describe(found.span),
        line: module.spans.span(found.span).line,
        depth: found.depth,
        parent: found.parent.clone(),
        blocks: found.blocks,
        reducible: found.is_reducible,
        trip_count,
        exact,
    }
}

/// One loop as a line; inner loops are indented.
fn line(entry: &Entry) -> String {
    let indent = "  ".repeat(entry.depth.saturating_sub(1) as usize);
    let rounds = match (entry.trip_count, entry.exact) {
        (Some(rounds), true) => format!(", {rounds} rounds"),
        (Some(rounds), false) => format!(", at most {rounds} rounds"),
        (None, _) => String::new(),
    };
    let entries = if entry.reducible {
        ""
    } else {
        ", several entries"
    };
    format!(
        "{indent}{}: {}{rounds}{entries}\n",
        entry.name, entry.location
    )
}
