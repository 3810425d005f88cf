//! `foghorn chc solve`.

use super::{CommandResult, Failure};
use crate::arguments::ChcSolveArguments;
use crate::exit::Exit;
use crate::standard_input::read_text;
use anyhow::{Context, anyhow};
use foghorn_smt::chc::{self, ChcOptions};
use foghorn_smt::horn::HornAnswer;
use std::time::Duration;

pub fn execute(arguments: &ChcSolveArguments) -> CommandResult {
    let name = arguments.file.display().to_string();
    let timeout = match arguments.timeout.map(Duration::try_from_secs_f64) {
        None => None,
        Some(Ok(timeout)) => Some(timeout),
        Some(Err(error)) => return Err(Failure::usage(anyhow!("--timeout: {error}"))),
    };
    let text = read_text(&arguments.file).map_err(Failure::input)?;
    let file = chc::read(&text)
        .with_context(|| name.clone())
        .map_err(Failure::input)?;
    let options = ChcOptions {
        timeout,
        derivation: arguments.derivation,
    };
    let answer = chc::solve(&file, &options)
        .with_context(|| name)
        .map_err(Failure::internal)?;
    println!("{}", answer.word());
    Ok(match answer {
        HornAnswer::Solved(invariants) => {
            if arguments.model {
                print!("{}", chc::model_text(&invariants));
            }
            Exit::Success
        }
        HornAnswer::Refuted(derivation) => {
            if let Some(derivation) = derivation {
                print!("{}", chc::derivation_text(&file, &derivation));
            }
            Exit::Success
        }
        HornAnswer::Unknown(reason) => {
            eprintln!("unknown: {reason}");
            Exit::Unknown
        }
    })
}
