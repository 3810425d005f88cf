//! Every place where Foghorn does not do exactly what a program does, as one list.
//!
//! An entry says of a construct what is done instead, in which direction that errs, and how a report
//! says it. `docs/guide/approximations.md` is [`page`], and a test compares the two; another one looks
//! through the sources for names under which something is reported, and wants each in an entry
//! ([`Approximation::names`]). Assumptions have a table of their own ([`crate::assumption`]).

mod table;

pub use table::{ENGINES, ENVIRONMENT, LANGUAGE, LIBRARY};

use crate::assumption::AssumptionKind;
use std::fmt::Write;

/// On which side an approximation errs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// More executions than there are: a proof holds, a failure may have to be left open.
    Over,
    /// Fewer executions than there are: a failure is one, a proof says nothing of the others.
    Under,
    /// Executions in which it is otherwise are not considered; the answer says so.
    Assumed,
    /// Reaching it ends in `unknown`.
    Unsupported,
}

impl Direction {
    pub fn name(self) -> &'static str {
        match self {
            Self::Over => "over",
            Self::Under => "under",
            Self::Assumed => "assumed",
            Self::Unsupported => "unsupported",
        }
    }
}

/// One construct that is not modelled as it is.
#[derive(Clone, Copy, Debug)]
pub struct Approximation {
    /// What of a program it is about.
    pub construct: &'static str,
    /// What is done instead.
    pub treatment: &'static str,
    pub direction: Direction,
    /// How a report says it.
    pub reported: &'static str,
    /// The names by which reports call it, as they stand in the sources: whole, or up to the first
    /// part that is filled in.
    pub names: &'static [&'static str],
}

/// The sections of the list, with their titles.
pub const SECTIONS: &[(&str, &[Approximation])] = &[
    ("The language", LANGUAGE),
    ("The library", LIBRARY),
    ("The environment", ENVIRONMENT),
    ("The engines", ENGINES),
];

/// All entries.
pub fn all() -> impl Iterator<Item = &'static Approximation> {
    SECTIONS.iter().flat_map(|(_, entries)| entries.iter())
}

/// Whether an entry covers what is reported under this name.
pub fn covers(name: &str) -> bool {
    all().any(|entry| entry.names.contains(&name))
}

const INTRODUCTION: &str = "\
# Where Foghorn does not do exactly what the program does

Every place, as the code lists it (`crates/foghorn-core/src/approximation/`; this page is generated from
there, `FOGHORN_BLESS=1` writes it anew). The direction says on which side an approximation errs:

- **over**: more executions are considered than there are. A proof holds; a failing run is reported only
  if it can be executed without the approximation, else the check is open.
- **under**: fewer executions are considered. A failing run is one; what is proved is said with its limit.
- **assumed**: executions in which it is otherwise are not considered. The answer lists it, and the
  verdict line names it behind \"if\".
- **unsupported**: a check of its own. Where it can be reached, the answer is unknown, with its line.
";

/// The page of the guide.
pub fn page() -> String {
    let mut text = INTRODUCTION.to_owned();
    text += "\n## What an answer can rest on\n\n";
    text += "| construct | sentence of the report | words of the verdict line | without it |\n";
    text += "|---|---|---|---|\n";
    for kind in AssumptionKind::ALL {
        let entry = kind.entry();
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            entry.construct,
            entry.sentence.replace("{}", "f"),
            entry.condition.unwrap_or(""),
            entry.instead
        );
    }
    for (title, entries) in SECTIONS {
        let _ = write!(text, "\n## {title}\n\n");
        text += "| construct | what we do | direction | how it is reported |\n|---|---|---|---|\n";
        for entry in *entries {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} |",
                entry.construct,
                entry.treatment,
                entry.direction.name(),
                entry.reported
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::{Path, PathBuf};

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    /// `FOGHORN_BLESS=1` writes the page.
    #[test]
    fn the_page_is_generated() {
        let path = root().join("docs/guide/approximations.md");
        if std::env::var_os("FOGHORN_BLESS").is_some_and(|value| value == "1") {
            std::fs::write(&path, page()).expect("the page can be written");
        }
        let written = std::fs::read_to_string(&path).expect("the page");
        assert!(
            written == page(),
            "{} is not what the code lists; FOGHORN_BLESS=1 writes it",
            path.display()
        );
    }

    #[test]
    fn entries_are_rows_of_a_table() {
        for entry in all() {
            for cell in [entry.construct, entry.treatment, entry.reported] {
                assert!(!cell.is_empty() && !cell.contains(['|', '\n']), "{cell}");
            }
        }
    }

    /// Text in front of the name of something that is reported, in the sources.
    const REPORTING: &[&str] = &[
        "Unsupported::new(",
        "over_approximated(",
        "note_over_approximation(",
        "__foghorn_unsupported(",
        "self.outside(id, ",
        "what: ",
        "let what = ",
        "operation: ",
        "const NAME: &str = ",
    ];

    /// Calls whose last argument is such a name.
    const OBLIGING: &str = "self.oblige(";

    /// Sources whose names reach a report.
    const REPORTERS: &[&str] = &[
        "foghorn-frontend/src/translate",
        "foghorn-frontend/runtime/libc",
        "foghorn-acceleration/src",
        "foghorn-bmc/src/engine.rs",
        "foghorn-encode/src/execute",
        "foghorn-encode/src/memory",
        "foghorn-encode/src/semantics",
    ];

    fn sources(path: &Path, found: &mut Vec<PathBuf>) {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).expect("a folder");
            for entry in entries {
                sources(&entry.expect("an entry").path(), found);
            }
        } else if path.extension().is_some_and(|it| it == "rs" || it == "c") {
            found.push(path.to_owned());
        }
    }

    /// The literal that an expression begins with, up to what is filled in.
    fn literal(text: &str) -> Option<String> {
        let text = text.trim_start().trim_start_matches('&').trim_start();
        let text = text.strip_prefix("format!(").unwrap_or(text).trim_start();
        let text = text.strip_prefix('"')?;
        let name = text.split(['"', '{']).next()?.trim_end();
        (!name.is_empty()).then(|| name.to_owned())
    }

    #[test]
    fn everything_that_is_reported_has_an_entry() {
        let mut files = vec![];
        for reporter in REPORTERS {
            sources(&root().join("crates").join(reporter), &mut files);
        }
        assert!(files.len() > 40, "{}", files.len());
        let mut missing = vec![];
        let mut names = 0;
        for file in files {
            let text = std::fs::read_to_string(&file).expect("a source");
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            let mut places: Vec<usize> = vec![];
            for start in REPORTING {
                let found = text.match_indices(start);
                places.extend(found.map(|(at, _)| at + start.len()));
            }
            for (at, _) in text.match_indices(OBLIGING) {
                places.extend(text[at..].find('"').map(|quote| at + quote));
            }
            for name in places.into_iter().filter_map(|at| literal(&text[at..])) {
                names += 1;
                if !covers(&name) {
                    missing.push(format!("{}: {name}", file.display()));
                }
            }
        }
        assert!(names > 75, "{names}");
        assert!(
            missing.is_empty(),
            "no entry in foghorn-core/src/approximation/table.rs for\n{}",
            missing.join("\n")
        );
    }
}
