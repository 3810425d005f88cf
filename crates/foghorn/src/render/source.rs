//! Lines of the program, as they stand in its files.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Files that were read, each once. A file that cannot be read has no lines.
#[derive(Debug, Default)]
pub struct Sources {
    files: BTreeMap<String, Vec<String>>,
}

impl Sources {
    /// A line of a file, counted from 1.
    pub fn line(&mut self, file: &str, line: u32) -> Option<&str> {
        if !self.files.contains_key(file) {
            let text = crate::standard_input::text_of(file).unwrap_or_else(|| {
                let bytes = std::fs::read(file).unwrap_or_default();
                String::from_utf8_lossy(&bytes).into_owned()
            });
            let lines = text.lines().map(str::to_owned).collect();
            self.files.insert(file.to_owned(), lines);
        }
        let index = (line as usize).checked_sub(1)?;
        self.files.get(file)?.get(index).map(String::as_str)
    }

    /// The line with a mark below the column; nothing if there is no such line.
    pub fn excerpt(&mut self, file: &str, line: u32, column: u32) -> String {
        let Some(text) = self.line(file, line) else {
            return String::new();
        };
        let mut excerpt = format!("  {line:>5} | {text}\n");
        if column > 0 {
            // Tabs stay tabs, so that the mark stands below its column.
            let before = text.chars().take(column as usize - 1);
            let blank: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            // Writing to a string does not fail.
            let _ = writeln!(excerpt, "        | {blank}^");
        }
        excerpt
    }
}

/// Whether a line of C mentions an identifier.
pub fn mentions(line: &str, identifier: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.split(|c: char| !is_part(c))
        .any(|word| word == identifier)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_stands_below_the_column() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.c");
        std::fs::write(&path, "int x;\n\treturn *p;\n").expect("a file");
        let file = path.to_string_lossy();
        assert_eq!(
            Sources::default().excerpt(&file, 2, 9),
            "      2 | \treturn *p;\n        | \t       ^\n"
        );
    }

    #[test]
    fn a_missing_file_is_passed_over() {
        assert_eq!(Sources::default().excerpt("/nonexistent.c", 2, 9), "");
        assert_eq!(Sources::default().line("/nonexistent.c", 0), None);
    }

    #[test]
    fn identifiers_are_whole_words() {
        assert!(mentions("  x[i] = *p;", "i"));
        assert!(!mentions("  index = item;", "i"));
    }
}
