//! A finding that is the same one after lines were inserted above it.
//!
//! Made of the kind, the file, the function, the text of the line without its white space, and how many such lines of
//! the function come before: never of numbers of lines.

use crate::report::CheckReport;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Reads source files once and gives out fingerprints.
#[derive(Debug, Default)]
pub struct Fingerprints {
    files: BTreeMap<String, Vec<String>>,
    given: BTreeMap<String, u32>,
}

impl Fingerprints {
    /// The fingerprint of the next finding; findings must come in the order of the program.
    pub fn next(&mut self, check: &CheckReport) -> String {
        let line = self.line(&check.file, check.line);
        let words: Vec<&str> = line.split_whitespace().collect();
        let (kind, file, function) = (check.kind, &check.file, &check.function);
        let place = format!("{kind}\n{file}\n{function}\n{}", words.join(" "));
        let count = self.given.entry(place.clone()).or_default();
        *count += 1;
        hash(&format!("{place}\n{count}"))
    }

    /// The text of a line; empty where the source is not there.
    fn line(&mut self, file: &str, line: u32) -> String {
        let lines = self.files.entry(file.to_owned()).or_insert_with(|| {
            let text = std::fs::read_to_string(file).unwrap_or_default();
            text.lines().map(str::to_owned).collect()
        });
        let index = (line as usize).checked_sub(1);
        let found = index.and_then(|index| lines.get(index));
        found.cloned().unwrap_or_default()
    }
}

/// FNV-1a, twice with different starts: 128 bits that every version of Foghorn computes alike.
fn hash(text: &str) -> String {
    let mut digits = String::new();
    for start in [0xcbf2_9ce4_8422_2325_u64, 0x6c62_272e_07bb_0142] {
        let folded = text.bytes().fold(start, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        write!(digits, "{folded:016x}").expect("strings take everything");
    }
    digits
}
