//! What a program reads, in a harness.
//!
//! Standard input becomes a stream of the harness's own that gives the bytes of the run, its end or
//! its error; so do the files that the program opens. Calls that read by a descriptor, and those
//! whose results are no text (`rand`, `time`), are answered by definitions here, one after the other
//! as in the run. `fgets` and its relatives are defined too, so that a sanitizer sees each byte they
//! write. Only what the program calls is written down.

use super::values::Asked;
use crate::stream::{Item, ReadResult, Source, Streams};
use foghorn_ir::Module;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The pieces, each beginning with a line `//: names`: the library functions that need it.
const PIECES: &str = include_str!("streams.c");

/// Library functions that are given values.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    pub streams: Streams,
    /// Results of library functions that are no text, by name.
    pub library: BTreeMap<String, Asked>,
    /// The bytes of each call of `getrandom`; `None` for an error.
    pub random: Vec<Option<Vec<u8>>>,
    /// The library functions that the program's own code calls.
    pub called: BTreeSet<String>,
}

/// The library functions that have a model in the program.
pub(super) fn called(module: &Module) -> BTreeSet<String> {
    let models = module.functions.values().filter(|f| f.is_model);
    models.map(|function| function.name.to_string()).collect()
}

/// The pieces of the harness that answer what the program reads.
pub(super) fn write(reading: &Reading) -> String {
    let mut needed = String::new();
    for piece in PIECES.split("//: ").skip(1) {
        let (names, text) = piece.split_once('\n').unwrap_or((piece, ""));
        let wanted = |name: &str| reading.called.contains(name);
        if names.split_whitespace().any(wanted) {
            needed += text;
        }
    }
    if needed.is_empty() {
        return needed;
    }
    let mut text = String::new();
    let streams = &reading.streams;
    text += &items("stdin", &streams.standard);
    text += &items("file", &streams.files);
    text += &reads("stdin", &streams.standard);
    text += &reads("file", &streams.files);
    text += &table("signed char", "foghorn_refused", &streams.refused, |&no| {
        i32::from(no).to_string()
    });
    for name in ["time", "seconds", "parts"] {
        let none = vec![];
        let values = reading.library.get(name).map_or(&none, |asked| &asked.bits);
        text += &table("long", &format!("foghorn_{name}"), values, |&bits| {
            format!("(long){bits}ull")
        });
    }
    text += &random(&reading.random);
    text + needed.as_str()
}

/// Library functions of which a harness has only the values, and no piece of its own.
pub(super) fn has_piece(name: &str) -> bool {
    matches!(name, "time" | "seconds" | "parts" | "getrandom")
}

/// A table of values, never empty for C's sake, and how many of them count.
fn table<T>(ty: &str, name: &str, values: &[T], shown: impl Fn(&T) -> String) -> String {
    let mut words: Vec<String> = values.iter().map(shown).collect();
    words.push("0".to_owned());
    format!(
        "static const {ty} {name}_values[] = {{{}}};\nstatic const size_t {name}_count = {};\n\
         static size_t {name}_next;\n",
        words.join(", "),
        values.len()
    )
}

fn items(name: &str, source: &Source) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "/* \"{}\" */",
        crate::stream::escaped(&source.bytes()).replace("*/", "*\\/")
    );
    text + &table(
        "unsigned short",
        &format!("foghorn_{name}"),
        &source.items,
        |item| match item {
            Item::Byte(byte) => byte.to_string(),
            Item::End => "256".to_owned(),
            Item::Error => "257".to_owned(),
        },
    )
}

fn reads(name: &str, source: &Source) -> String {
    let name = format!("foghorn_{name}_read");
    table("long", &name, &source.reads, |result| match result {
        ReadResult::Bytes(count) => count.to_string(),
        ReadResult::Error { interrupted: true } => "-4".to_owned(),
        ReadResult::Error { interrupted: false } => "-5".to_owned(),
    })
}

fn random(calls: &[Option<Vec<u8>>]) -> String {
    let bytes: Vec<u8> = calls.iter().flatten().flatten().copied().collect();
    let counts = table("long", "foghorn_random", calls, |call| match call {
        Some(bytes) => bytes.len().to_string(),
        None => "-4".to_owned(),
    });
    counts
        + &table(
            "unsigned char",
            "foghorn_random_byte",
            &bytes,
            u8::to_string,
        )
}
