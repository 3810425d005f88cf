//! SV-COMP's property files (`.prp`): what a task asks to be checked.
//!
//! A file is a list of `CHECK( init(main()), LTL(…) )`. Each formula names the groups of checks
//! that answer it; a file with several asks for all of them. Comments (`//`, `#`) and blank lines
//! are allowed. What has no meaning for a verifier of failures (coverage) or is not checked yet
//! (termination) is refused with a message, never ignored.

use foghorn_core::CheckGroup;
use std::collections::BTreeSet;

/// What one property file asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Property {
    pub checks: BTreeSet<CheckGroup>,
    /// Functions whose call is an error.
    pub error_functions: Vec<String>,
    /// Where the program starts.
    pub entry: String,
}

/// Why a property file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PropertyError {
    #[error("line {line}: '{text}' is no property: CHECK( init(FUNCTION()), LTL(FORMULA) )")]
    Malformed { line: usize, text: String },
    #[error("line {line}: the property '{formula}' is not supported: {why}")]
    Unsupported {
        line: usize,
        formula: String,
        why: &'static str,
    },
    #[error("the file holds no property")]
    Empty,
    #[error("line {line}: two properties start in different functions")]
    TwoEntries { line: usize },
}

impl Property {
    /// Reads the text of a property file.
    pub fn parse(text: &str) -> Result<Self, PropertyError> {
        let mut property = Property::default();
        for (index, line) in text.lines().enumerate() {
            let line_number = index + 1;
            let line = line.trim();
            if line.is_empty() || line.starts_with("//") || line.starts_with('#') {
                continue;
            }
            property.add(line_number, line)?;
        }
        match property.entry.is_empty() {
            true => Err(PropertyError::Empty),
            false => Ok(property),
        }
    }

    fn add(&mut self, line: usize, text: &str) -> Result<(), PropertyError> {
        let malformed = || PropertyError::Malformed {
            line,
            text: text.to_owned(),
        };
        // Blanks mean nothing in these files, except within what we name in messages.
        let packed: String = text.split_whitespace().collect();
        if let Some(formula) = packed.strip_prefix("COVER(") {
            let formula = formula.trim_end_matches(')').to_owned();
            let why = "coverage is asked of test generators";
            return Err(PropertyError::Unsupported { line, formula, why });
        }
        let (entry, formula) = packed
            .strip_prefix("CHECK(init(")
            .and_then(|rest| rest.split_once("()),LTL("))
            .ok_or_else(malformed)?;
        let formula = formula.strip_suffix("))").ok_or_else(malformed)?;
        if entry.is_empty() {
            return Err(malformed());
        }
        if !self.entry.is_empty() && self.entry != entry {
            return Err(PropertyError::TwoEntries { line });
        }
        entry.clone_into(&mut self.entry);
        self.add_formula(line, formula)
    }

    fn add_formula(&mut self, line: usize, formula: &str) -> Result<(), PropertyError> {
        let unsupported = |why| PropertyError::Unsupported {
            line,
            formula: formula.to_owned(),
            why,
        };
        if let Some(function) = error_function(formula) {
            self.checks.insert(CheckGroup::Assertions);
            self.error_functions.push(function.to_owned());
            return Ok(());
        }
        let group = match formula {
            "Gvalid-free" | "Gvalid-deref" => CheckGroup::MemorySafety,
            "Gvalid-memtrack" => CheckGroup::MemoryLeak,
            "Gvalid-memcleanup" => CheckGroup::MemoryCleanup,
            "G!overflow" => CheckGroup::IntegerOverflow,
            "Fend" => return Err(unsupported("termination is not checked yet")),
            "G!data-race" => return Err(unsupported("programs are executed by one thread")),
            _ => return Err(unsupported("its formula is not known")),
        };
        self.checks.insert(group);
        Ok(())
    }
}

/// The function of `G ! call(FUNCTION())`, without its blanks.
fn error_function(formula: &str) -> Option<&str> {
    let name = formula.strip_prefix("G!call(")?;
    // Older files omit the parentheses of the function.
    let name = name.strip_suffix(')')?.trim_end_matches("()");
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use CheckGroup::{Assertions, IntegerOverflow, MemoryCleanup, MemoryLeak, MemorySafety};

    #[track_caller]
    fn check(text: &str, groups: &[CheckGroup], functions: &[&str]) {
        let property = Property::parse(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(property.checks.into_iter().collect::<Vec<_>>(), groups);
        assert_eq!(property.error_functions, functions);
        assert_eq!(property.entry, "main");
    }

    #[test]
    fn the_files_of_the_competition() {
        check(
            "CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n",
            &[Assertions],
            &["reach_error"],
        );
        check(
            "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )",
            &[Assertions],
            &["__VERIFIER_error"],
        );
        let memory_safety = "CHECK( init(main()), LTL(G valid-free) )\n\
            CHECK( init(main()), LTL(G valid-deref) )\n\
            CHECK( init(main()), LTL(G valid-memtrack) )\n";
        check(memory_safety, &[MemorySafety, MemoryLeak], &[]);
        check(
            "CHECK( init(main()), LTL(G valid-memcleanup) )",
            &[MemoryCleanup],
            &[],
        );
        check(
            "CHECK( init(main()), LTL(G ! overflow) )",
            &[IntegerOverflow],
            &[],
        );
    }

    #[test]
    fn blanks_and_comments_mean_nothing() {
        let text = "# two\nCHECK(init(main()),LTL(G!call(f)))\n// and\nCHECK( init( main() ), LTL( G ! call( g() ) ) )";
        check(text, &[Assertions], &["f", "g"]);
    }

    #[track_caller]
    fn refuse(text: &str, expected: &str) {
        let error = Property::parse(text).expect_err("refused").to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn what_is_not_checked_is_refused() {
        refuse("CHECK( init(main()), LTL(F end) )", "termination");
        refuse(
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
            "coverage",
        );
        refuse("CHECK( init(main()), LTL(G ! data-race) )", "one thread");
        refuse("CHECK( init(main()), LTL(G nice) )", "line 1");
        refuse("", "no property");
        refuse("\n# nothing\n", "no property");
        refuse("\nassert everything", "line 2");
        refuse("CHECK( init(), LTL(G ! overflow) )", "line 1");
        refuse(
            "CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(f()), LTL(G ! overflow) )",
            "line 2",
        );
    }
}
