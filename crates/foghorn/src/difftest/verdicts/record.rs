//! What came of each program, in a file: a hunt of hours may be ended and goes on, and several add up.
//!
//! A line is one seed, written when its program was looked at. The last line may be torn, because whoever wrote it was
//! ended; its program is looked at again.

use super::Look;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    seed: u64,
    /// Nothing if the seed gave no program.
    look: Option<Look>,
}

/// A record, which may be nowhere.
#[derive(Debug, Default)]
pub struct Record {
    known: Vec<(u64, Option<Look>)>,
    file: Option<File>,
}

impl Record {
    /// Reads what is there, and writes behind it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new();
        let mut file = file.create(true).append(true).open(path)?;
        let text = std::fs::read_to_string(path)?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n")?;
        }
        let lines = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        let known = lines.map(|line: Line| (line.seed, line.look));
        Ok(Record {
            known: known.collect(),
            file: Some(file),
        })
    }

    /// What was known when it was opened.
    pub fn take_known(&mut self) -> Vec<(u64, Option<Look>)> {
        std::mem::take(&mut self.known)
    }

    /// Adds what came of a seed.
    pub fn write(&mut self, seed: u64, look: Option<&Look>) -> io::Result<()> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        let look = look.cloned();
        let line = serde_json::to_string(&Line { seed, look })?;
        file.write_all((line + "\n").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seeds(path: &Path) -> Vec<u64> {
        let mut record = Record::open(path).expect("a record");
        let known = record.take_known();
        known.into_iter().map(|(seed, _)| seed).collect()
    }

    #[test]
    fn a_torn_line_is_forgotten() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("record");
        let mut record = Record::open(&path).expect("a record");
        record.write(7, None).expect("written");
        record.write(8, None).expect("written");
        assert_eq!(seeds(&path), [7, 8]);
        let text = std::fs::read_to_string(&path).expect("text");
        std::fs::write(&path, &text[..text.len() - 3]).expect("written");
        assert_eq!(seeds(&path), [7]);
        let mut record = Record::open(&path).expect("a record");
        record.write(9, None).expect("written");
        assert_eq!(seeds(&path), [7, 9]);
    }
}
