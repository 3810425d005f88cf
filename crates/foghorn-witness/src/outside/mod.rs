//! What the outside handed to a run: the arguments of the program and its environment.
//!
//! The models that make them say by their names what each object is
//! ([`foghorn_ir::Function::handed_over`]), and a byte of one gets its value when the run first looks
//! at it. [`Texts`] listens to a run and puts the strings together; [`Outside`] is what a reader, a
//! shell ([`shell`]) and a harness need of them.
//!
//! A string ends at its first zero byte, as it does for the program. Bytes that nobody looked at are
//! anything but zero; they are shown as `a`.

mod printable;
pub mod shell;
mod texts;

pub use printable::printable;
pub use texts::Texts;

use serde::{Deserialize, Serialize};
use shell::word;

/// The arguments and the environment of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// How many arguments there are, the name of the program included; `None` if `main` was not
    /// given any here.
    pub count: Option<u64>,
    /// The first of them. The program cannot look at the rest.
    pub arguments: Vec<Vec<u8>>,
    /// The environment as a list, where the program sees it as one.
    pub entries: Option<Vec<Vec<u8>>>,
    /// The variables that the program asked for by name; `None` for one that is not set.
    pub variables: Vec<(Vec<u8>, Option<Vec<u8>>)>,
}

/// The same for reports; every text is a word of a shell's command line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutsideReport {
    /// The name of the program first; empty if `main` takes none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub arguments: Vec<String>,
    /// `NAME=value`, or `NAME` for one that is not set.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub environment: Vec<String>,
    /// How a shell starts the program that way.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub command: String,
}

/// Arguments that nobody looks at and that are shown all the same; beyond these they are counted.
const SHOWN: u64 = 16;

impl Outside {
    pub fn is_empty(&self) -> bool {
        self.count.is_none() && self.entries.is_none() && self.variables.is_empty()
    }

    /// The arguments as a report shows them.
    fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = self.arguments.iter().map(|text| word(text)).collect();
        let rest = self.count.unwrap_or(0).saturating_sub(words.len() as u64);
        words.extend((0..rest.min(SHOWN)).map(|_| word(b"a")));
        words
    }

    /// The form for reports.
    pub fn report(&self) -> OutsideReport {
        let arguments = self.words();
        let listed = self.entries.iter().flatten().map(|entry| word(entry));
        let asked = self.variables.iter().map(|(name, value)| match value {
            Some(value) => word(&[name, &b"="[..], value].concat()),
            None => word(name),
        });
        OutsideReport {
            environment: listed.chain(asked).collect(),
            command: match self.is_empty() {
                true => String::new(),
                false => self.command(&arguments),
            },
            arguments,
        }
    }

    fn command(&self, arguments: &[String]) -> String {
        let mut words = vec![];
        if self.entries.is_some() {
            words.extend(["env".to_owned(), "-i".to_owned()]);
            words.extend(self.entries.iter().flatten().map(|entry| word(entry)));
        } else if !self.variables.is_empty() {
            words.push("env".to_owned());
            let unset = self.variables.iter().filter(|(_, value)| value.is_none());
            words.extend(unset.flat_map(|(name, _)| ["-u".to_owned(), word(name)]));
            for (name, value) in &self.variables {
                let value = value.iter();
                words.extend(value.map(|value| word(&[name, &b"="[..], value].concat())));
            }
        }
        words.push("PROGRAM".to_owned());
        words.extend(arguments.iter().skip(1).cloned());
        let shown = arguments.len() as u64;
        if let Some(more) = self
            .count
            .unwrap_or(0)
            .checked_sub(shown)
            .filter(|&it| it > 0)
        {
            words.push(format!("… (and {more} more)"));
        }
        words.join(" ")
    }
}

impl OutsideReport {
    pub fn is_empty(&self) -> bool {
        self.command.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_what_a_shell_takes() {
        let outside = Outside {
            count: Some(3),
            arguments: vec![b"p".to_vec(), b"a b".to_vec()],
            entries: None,
            variables: vec![
                (b"HOME".to_vec(), Some(b"/x".to_vec())),
                (b"LANG".to_vec(), None),
            ],
        };
        let report = outside.report();
        assert_eq!(report.arguments, ["p", "'a b'", "a"]);
        assert_eq!(report.environment, ["HOME=/x", "LANG"]);
        assert_eq!(report.command, "env -u LANG HOME=/x PROGRAM 'a b' a");
    }

    #[test]
    fn arguments_beyond_what_is_shown_are_counted() {
        let outside = Outside {
            count: Some(1000),
            arguments: vec![b"p".to_vec()],
            ..Outside::default()
        };
        let command = outside.report().command;
        assert!(command.ends_with("a … (and 983 more)"), "{command}");
    }

    #[test]
    fn nothing_from_outside_is_nothing_to_tell() {
        assert!(Outside::default().report().is_empty());
    }
}
