//! `compile_commands.json`: how a project compiles its files.

use crate::error::FrontendError;
use crate::link::Input;
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    command: Option<String>,
    #[serde(default)]
    arguments: Option<Vec<String>>,
}

/// The files of a project, with the arguments that matter to us.
#[derive(Clone, Debug)]
pub struct CompileCommands {
    path: PathBuf,
    inputs: Vec<Input>,
}

/// Reads a database.
pub fn read_compile_commands(path: &Path) -> Result<CompileCommands, FrontendError> {
    let text = std::fs::read_to_string(path).map_err(|source| FrontendError::Read {
        path: path.to_owned(),
        source,
    })?;
    let entries: Vec<Entry> =
        serde_json::from_str(&text).map_err(|error| FrontendError::CompileCommands {
            path: path.to_owned(),
            message: format!("not a compilation database: {error}"),
        })?;
    let inputs = entries
        .into_iter()
        .map(|entry| Input {
            clang_args: relevant(&entry.arguments()),
            path: entry.file,
            // Folders are absolute as a rule; one that is not is meant from the database.
            folder: Some(beside(path).join(entry.directory)),
        })
        .collect();
    Ok(CompileCommands {
        path: path.to_owned(),
        inputs,
    })
}

/// The folder of a file.
fn beside(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

impl Entry {
    fn arguments(&self) -> Vec<String> {
        match (&self.arguments, &self.command) {
            (Some(arguments), _) => arguments.clone(),
            (None, Some(command)) => split(command),
            (None, None) => vec![],
        }
    }
}

impl CompileCommands {
    /// All files.
    pub fn all(&self) -> Vec<Input> {
        self.inputs.clone()
    }

    /// The files whose path ends in one of `names`; each name must choose at least one.
    pub fn choose(&self, names: &[PathBuf]) -> Result<Vec<Input>, FrontendError> {
        let mut chosen = vec![];
        for name in names {
            let found = self.inputs.iter().filter(|input| is_named(input, name));
            let before = chosen.len();
            chosen.extend(found.cloned());
            if chosen.len() == before {
                return Err(FrontendError::CompileCommands {
                    path: self.path.clone(),
                    message: format!("no entry for {}", name.display()),
                });
            }
        }
        Ok(chosen)
    }
}

fn is_named(input: &Input, name: &Path) -> bool {
    let whole = match &input.folder {
        Some(folder) => folder.join(&input.path),
        None => input.path.clone(),
    };
    whole.ends_with(name) || whole == name
}

/// Splits a command line as a shell does: blanks, quotes and backslashes.
fn split(command: &str) -> Vec<String> {
    let mut words = vec![];
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut characters = command.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (_, '\\') => word.get_or_insert_default().extend(characters.next()),
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The arguments that decide what the source means: macros, folders of headers, the language.
fn relevant(arguments: &[String]) -> Vec<String> {
    const WITH_VALUE: &[&str] = &[
        "-I",
        "-D",
        "-U",
        "-include",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-imacros",
        "-x",
    ];
    const ALONE: &[&str] = &[
        "-std=",
        "-ansi",
        "-m32",
        "-m64",
        "-fsigned-char",
        "-funsigned-char",
        "-fshort-enums",
        "-fms-extensions",
        "-fgnu89-inline",
        "-fwrapv",
        "-nostdinc",
        "-pthread",
        "-fshort-wchar",
        "-fpack-struct",
    ];
    let mut kept = vec![];
    let mut rest = arguments.iter().skip(1);
    while let Some(argument) = rest.next() {
        if WITH_VALUE.contains(&argument.as_str()) {
            kept.push(argument.clone());
            kept.extend(rest.next().cloned());
        } else if WITH_VALUE
            .iter()
            .chain(ALONE)
            .any(|known| argument.starts_with(known))
        {
            kept.push(argument.clone());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::{relevant, split};

    #[test]
    fn command_lines_split_as_in_a_shell() {
        let words = split(r#"cc -DNAME="a b" -D'X=\n' a\ b.c"#);
        assert_eq!(words, ["cc", "-DNAME=a b", r"-DX=\n", "a b.c"]);
    }

    #[test]
    fn only_what_decides_the_meaning_is_kept() {
        let words = split("cc -O2 -Wall -Iinclude -D A=1 -std=c99 -c a.c -o a.o");
        assert_eq!(relevant(&words), ["-Iinclude", "-D", "A=1", "-std=c99"]);
    }
}
