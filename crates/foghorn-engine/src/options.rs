//! What an engine is told, as data: by the names of the command line.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// Options by name; a flag has the value `yes`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EngineOptions(BTreeMap<String, String>);

/// An option that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("--{name}: {problem}")]
pub struct OptionError {
    pub name: String,
    pub problem: String,
}

/// The value of a flag that is set.
const SET: &str = "yes";

impl EngineOptions {
    /// Sets an option.
    pub fn set(&mut self, name: &str, value: impl fmt::Display) {
        self.0.insert(name.to_owned(), value.to_string());
    }

    /// Sets a flag if it is wanted.
    pub fn set_flag(&mut self, name: &str, is_set: bool) {
        if is_set {
            self.set(name, SET);
        }
    }

    /// Takes an option out.
    pub fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    pub fn flag(&self, name: &str) -> bool {
        self.text(name) == Some(SET)
    }

    /// The value of an option, read as a number or whatever it is; `None` if it is not set.
    pub fn value<T: FromStr>(&self, name: &str) -> Result<Option<T>, OptionError> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        text.parse().map(Some).map_err(|_| OptionError {
            name: name.to_owned(),
            problem: format!("'{text}' is not understood"),
        })
    }

    /// Several values of one option, separated by commas.
    pub fn list(&self, name: &str) -> Vec<&str> {
        let text = self.text(name).unwrap_or_default();
        text.split(',').filter(|item| !item.is_empty()).collect()
    }

    /// Names and values, in the order of names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }
}

impl OptionError {
    /// An option with a value that does not fit.
    pub fn new(name: &str, problem: impl fmt::Display) -> Self {
        OptionError {
            name: name.to_owned(),
            problem: problem.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_what_they_are() {
        let mut options = EngineOptions::default();
        options.set("unwind", 8);
        options.set_flag("vacuity", true);
        options.set_flag("facts", false);
        options.set("unwind-set", "main.0=3,f.1=2");
        assert_eq!(options.value::<u32>("unwind"), Ok(Some(8)));
        assert_eq!(options.value::<u32>("depth"), Ok(None));
        assert!(options.flag("vacuity") && !options.flag("facts"));
        assert_eq!(options.list("unwind-set"), ["main.0=3", "f.1=2"]);
        let error = options.value::<u32>("unwind-set").expect_err("no number");
        assert_eq!(
            error.to_string(),
            "--unwind-set: 'main.0=3,f.1=2' is not understood"
        );
    }
}
