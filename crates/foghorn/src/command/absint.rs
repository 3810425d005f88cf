//! `foghorn absint`: abstract interpretation of a program in the goto language.

use super::{CommandResult, Failure};
use crate::arguments::{AbsintArguments, AbsintInter, AbsintPrint};
use crate::exit::Exit;
use crate::standard_input::read_text;
use anyhow::Context;
use foghorn_absint::analysis::CheckStatus;
use foghorn_absint::pipeline::{Mode, Print, Request, analyse_text, render};

pub fn execute(arguments: &AbsintArguments) -> CommandResult {
    let name = arguments.file.display().to_string();
    let text = read_text(&arguments.file).map_err(Failure::input)?;
    let print = match arguments.print {
        AbsintPrint::Invariants => Print::Invariants,
        AbsintPrint::Checks => Print::Checks,
        AbsintPrint::Dot => Print::Dot,
    };
    let request = Request {
        domain: arguments.domain.clone(),
        print,
        mode: match arguments.inter {
            AbsintInter::Summaries => Mode::Summaries,
            AbsintInter::Contexts => Mode::Contexts,
        },
        refinement_rounds: arguments.refine,
        ..Request::default()
    };
    let mut report = analyse_text(&text, &request)
        .with_context(|| name)
        .map_err(Failure::input)?;
    print!("{}", render(&mut report, print));
    let proved = report
        .checks
        .iter()
        .all(|check| matches!(check.status, CheckStatus::Safe | CheckStatus::Unreachable));
    Ok(if proved { Exit::Success } else { Exit::Unknown })
}
