//! Programs that are read from standard input (`-`, `/dev/stdin`) or from a pipe (`<(…)`).
//!
//! Such a file can be read once, and workers have a standard input of their own. So its text is kept
//! in a file for as long as the command runs, and a line marker in front of C makes clang, and so every
//! report, call it by the name that people know. [`text_of`] is what the reports show lines from.

use crate::arguments::ProgramArguments;
use crate::command::Failure;
use anyhow::Context;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tempfile::TempDir;

/// The name of standard input in reports.
const SHOWN: &str = "<stdin>";

/// What was read, by the names that reports use.
static TEXTS: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());

/// Files that stand for what can be read only once; they are gone when this is dropped.
#[derive(Debug, Default)]
pub struct Kept {
    folder: Option<TempDir>,
    /// A file, and the name by which it was given.
    names: Vec<(PathBuf, String)>,
}

/// Whether a path means our own standard input.
pub fn is_meant(path: &Path) -> bool {
    let names = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
    names.iter().any(|name| path == Path::new(name))
}

/// The text of a file, or of standard input.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    let bytes = read(path)?;
    String::from_utf8(bytes).with_context(|| format!("{} is no text", path.display()))
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let read = match is_meant(path) {
        true => {
            let mut bytes = vec![];
            let read = std::io::stdin().lock().read_to_end(&mut bytes);
            read.map(|_| bytes)
        }
        false => std::fs::read(path),
    };
    read.with_context(|| format!("cannot read {}", path.display()))
}

/// What reports show of a file that was read only once.
pub fn text_of(name: &str) -> Option<String> {
    let texts = TEXTS.lock().ok()?;
    let found = texts.iter().find(|(known, _)| known == name);
    found.map(|(_, text)| text.clone())
}

impl Kept {
    /// Replaces what can be read only once among the files of a program.
    pub fn of(program: &mut ProgramArguments) -> Result<Self, Failure> {
        let mut kept = Kept::default();
        let mut has_read = false;
        for file in &mut program.files {
            let is_standard = is_meant(file);
            let data = std::fs::metadata(&*file);
            let is_pipe = data.is_ok_and(|data| !data.is_file() && !data.is_dir());
            if !is_standard && !is_pipe {
                continue;
            }
            if is_standard && std::mem::replace(&mut has_read, true) {
                let error = anyhow::anyhow!("standard input can be given only once");
                return Err(Failure::usage(error));
            }
            *file = kept.keep(file, is_standard).map_err(Failure::input)?;
            program.read_once.push(file.clone());
        }
        Ok(kept)
    }

    fn keep(&mut self, file: &Path, is_standard: bool) -> anyhow::Result<PathBuf> {
        let shown = match is_standard {
            true => SHOWN.to_owned(),
            false => file.display().to_string(),
        };
        let bytes = read(file)?;
        anyhow::ensure!(!bytes.is_empty(), "{shown}: nothing was given");
        let folder = match &mut self.folder {
            Some(folder) => folder,
            none => none.insert(
                tempfile::Builder::new()
                    .prefix("foghorn-input-")
                    .tempdir()
                    .context("cannot write temporary files")?,
            ),
        };
        let extension = extension(&bytes);
        let name = format!("input{}.{extension}", self.names.len());
        let path = folder.path().join(name);
        let mut contents = vec![];
        if matches!(extension, "c" | "i") {
            contents.extend(format!("# 1 \"{shown}\"\n").bytes());
        }
        contents.extend(&bytes);
        std::fs::write(&path, contents).context("cannot write temporary files")?;
        if let Ok(mut texts) = TEXTS.lock() {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            texts.push((shown.clone(), text));
        }
        self.names.push((path.clone(), shown));
        Ok(path)
    }

    /// A message in which files have the names that the user knows.
    pub fn named(&self, message: &str) -> String {
        let mut message = message.to_owned();
        for (path, shown) in &self.names {
            message = message.replace(&*path.to_string_lossy(), shown);
        }
        message
    }
}

/// What the text is, by its beginning; C unless something else is plain.
fn extension(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(b"BC\xC0\xDE") || bytes.starts_with(b"\xDE\xC0\x17\x0B") {
        return "bc";
    }
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.find(|line| !line.starts_with(';') || line.starts_with("; ModuleID"));
    let of_llvm = [
        "; ModuleID",
        "source_filename",
        "target ",
        "define ",
        "declare ",
    ];
    match first {
        Some(line) if of_llvm.iter().any(|start| line.starts_with(start)) => "ll",
        Some(line) if line.starts_with("# ") && line.contains('"') => "i",
        Some(_) | None => "c",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_a_text_shows_at_its_beginning() {
        assert_eq!(extension(b"int main(void) { return 0; }"), "c");
        assert_eq!(extension(b"# 1 \"a.c\"\nint x;"), "i");
        assert_eq!(extension(b"; ModuleID = 'a'\ndefine i32 @f() {"), "ll");
        assert_eq!(extension(b"\n; text\ndefine i32 @f() {"), "ll");
        assert_eq!(extension(b"BC\xC0\xDE\x01"), "bc");
        assert_eq!(extension(b"#include <stdio.h>\n"), "c");
    }

    #[test]
    fn names_of_standard_input() {
        assert!(is_meant(Path::new("-")) && is_meant(Path::new("/dev/stdin")));
        assert!(!is_meant(Path::new("a-.c")));
    }
}
