//! `foghorn explain`: what a kind of failure means.

use super::{CommandResult, Failure};
use crate::arguments::ExplainArguments;
use crate::exit::Exit;
use foghorn_core::{CheckGroup, CheckKind, EXPLANATIONS, Explanation};
use std::fmt::Write as _;
use std::io::Write;

pub fn execute(arguments: &ExplainArguments) -> CommandResult {
    let text = match arguments.what.as_deref() {
        None => list(|_| true),
        Some(what) => match (kind_of(what), what.parse::<CheckGroup>()) {
            (Some(kind), _) => tell(kind.explanation()),
            (None, Ok(group)) => list(|kind| kind.group() == Some(group)),
            (None, Err(_)) => {
                let advice = "`foghorn explain` lists the kinds";
                let error = anyhow::anyhow!("'{what}' is no kind of check, group or id; {advice}");
                return Err(Failure::usage(error));
            }
        },
    };
    // A reader that has seen enough (`| head`) is no error.
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(Exit::Success)
}

/// A kind by its name, or by an id as reports have them: `function/kind@line:column`.
fn kind_of(what: &str) -> Option<CheckKind> {
    let name = match what.rsplit_once('@') {
        Some((before, _)) => before.rsplit('/').next().unwrap_or(before),
        None => what,
    };
    name.parse().ok()
}

fn list(wanted: impl Fn(CheckKind) -> bool) -> String {
    let mut text = String::new();
    for it in EXPLANATIONS.iter().filter(|it| wanted(it.kind)) {
        writeln!(text, "{:<22} {}", it.kind.name(), it.meaning).expect("strings take everything");
    }
    text
}

fn tell(of: &Explanation) -> String {
    let mut text = format!("{}: {}\n", of.kind, of.meaning);
    if !of.example.is_empty() {
        text += "\nFor example:\n\n";
        for line in of.example.lines() {
            writeln!(text, "    {line}").expect("strings take everything");
        }
    }
    write!(text, "\nWhat to do: {}\n", of.repair).expect("strings take everything");
    if let Some(group) = of.kind.group() {
        writeln!(text, "Checked with: --check {group}").expect("strings take everything");
    }
    if let Some(number) = of.cwe {
        writeln!(text, "Weakness: CWE-{number}").expect("strings take everything");
    }
    text
}
