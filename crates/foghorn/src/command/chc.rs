//! `foghorn chc solve` and `foghorn chc export`.

use super::{CommandResult, Failure};
use crate::arguments::{ChcExportArguments, ChcSolveArguments};
use crate::exit::Exit;
use crate::standard_input::read_text;
use anyhow::{Context, anyhow};
use foghorn_smt::chc::export::Format;
use foghorn_smt::chc::{self, ChcEngine, ChcFile, ChcOptions};
use foghorn_smt::horn::member::{Form, HintUse, MEMBERS, Method};
use foghorn_smt::horn::portfolio;
use foghorn_smt::horn::{HintMode, HornAnswer, Member, Portfolio, WorkerCommand};
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

pub fn execute(arguments: &ChcSolveArguments) -> CommandResult {
    let name = arguments.file.display().to_string();
    let timeout = match arguments.timeout.map(Duration::try_from_secs_f64) {
        None => None,
        Some(Ok(timeout)) => Some(timeout),
        Some(Err(error)) => return Err(Failure::usage(anyhow!("--timeout: {error}"))),
    };
    let file = read_file(&arguments.file)?;
    let engine = engine(arguments)?;
    if arguments.explain {
        say(&explain(&file, &engine))?;
        return Ok(Exit::Success);
    }
    let options = ChcOptions {
        timeout,
        derivation: arguments.derivation,
        engine,
    };
    let answer = chc::solve(&file, &options)
        .with_context(|| name)
        .map_err(Failure::internal)?;
    let mut text = format!("{}\n", answer.word());
    let exit = match answer {
        HornAnswer::Solved(invariants) => {
            if arguments.model {
                text.push_str(&chc::model_text(&invariants));
            }
            Exit::Success
        }
        HornAnswer::Refuted(derivation) => {
            if let Some(derivation) = derivation.filter(|_| arguments.derivation) {
                text.push_str(&chc::derivation_text(&file, &derivation));
            }
            Exit::Success
        }
        HornAnswer::Unknown(reason) => {
            eprintln!("unknown: {reason}");
            Exit::Unknown
        }
    };
    say(&text)?;
    Ok(exit)
}

/// Writes all of an answer to standard output, or says why that cannot be done.
fn say(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .context("cannot write to standard output")
        .map_err(Failure::input)
}

/// How a file begins that gzip has packed.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The clauses of a file.
fn read_file(path: &Path) -> Result<ChcFile, Failure> {
    let name = path.display();
    // What cannot be opened is said by the reader of texts, and a pipe is read only once.
    let is_file = std::fs::metadata(path).is_ok_and(|data| data.is_file());
    let mut start = [0; 2];
    let packed = is_file
        && std::fs::File::open(path)
            .and_then(|mut file| file.read_exact(&mut start))
            .is_ok_and(|()| start == GZIP);
    if packed {
        let error =
            anyhow!("{name} is packed by gzip; unpack it first, or give it as <(zcat {name})");
        return Err(Failure::input(error));
    }
    let text = read_text(path).map_err(Failure::input)?;
    if text.trim().is_empty() {
        return Err(Failure::input(anyhow!("{name}: there is nothing in it")));
    }
    chc::read(&text)
        .with_context(|| name.to_string())
        .map_err(Failure::input)
}

/// Writes a file of clauses in another language.
pub fn export(arguments: &ChcExportArguments) -> CommandResult {
    let name = arguments.file.display().to_string();
    let Some(format) = Format::named(&arguments.format) else {
        let names: Vec<&str> = Format::ALL.iter().map(|(name, _)| *name).collect();
        return Err(Failure::usage(anyhow!(
            "--format: there is no format {}; there are {}",
            arguments.format,
            names.join(", ")
        )));
    };
    let file = read_file(&arguments.file)?;
    let text = chc::export::export(&file.pool, &file.system, format)
        .with_context(|| name)
        .map_err(Failure::input)?;
    let (result, out) = match &arguments.output {
        Some(path) => (std::fs::write(path, &text), path.display().to_string()),
        None => {
            let mut out = std::io::stdout();
            let result = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            (result, "to standard output".to_owned())
        }
    };
    result
        .with_context(|| format!("cannot write {out}"))
        .map_err(Failure::input)?;
    Ok(Exit::Success)
}

/// Who was asked for.
fn engine(arguments: &ChcSolveArguments) -> Result<ChcEngine, Failure> {
    if arguments.engine != "portfolio" {
        return match Member::named(&arguments.engine) {
            Some(member) => Ok(ChcEngine::Alone(member)),
            None => {
                let names: Vec<&str> = MEMBERS.iter().map(|member| member.name).collect();
                Err(Failure::usage(anyhow!(
                    "--engine: there is no engine {}; there are portfolio, {}",
                    arguments.engine,
                    names.join(", ")
                )))
            }
        };
    }
    let program = std::env::current_exe()
        .context("cannot find this program to start workers")
        .map_err(Failure::internal)?;
    let worker = WorkerCommand {
        program,
        arguments: vec!["__horn-member".to_owned()],
    };
    Ok(ChcEngine::Portfolio(
        Portfolio::new(worker).with_jobs(arguments.jobs),
    ))
}

/// The portfolio as data: the members for this file in their order with their first slices, then
/// the others.
fn explain(file: &ChcFile, engine: &ChcEngine) -> String {
    let (predicates, rules) = (file.system.predicates.len(), file.system.rules.len());
    let mut text = format!("{predicates} predicates, {rules} rules\n");
    let turns = match engine {
        ChcEngine::Alone(member) => {
            text.push_str(&format!("alone: {}\n", describe(member)));
            return text;
        }
        ChcEngine::Spacer | ChcEngine::Portfolio(_) => {
            portfolio::plan(&file.pool, &file.system, false)
        }
    };
    text.push_str("slices of processor time, doubled each round:\n");
    for (number, turn) in (1..).zip(&turns) {
        let seconds = turn.until.as_secs_f64();
        text.push_str(&format!(
            "{number}. {seconds} s {}\n",
            describe(turn.member)
        ));
    }
    text.push_str("not for this file:\n");
    let is_chosen = |member: &Member| turns.iter().any(|turn| turn.member == member);
    for member in MEMBERS.iter().filter(|member| !is_chosen(member)) {
        text.push_str(&format!("-  {}\n", describe(member)));
    }
    text
}

fn describe(member: &Member) -> String {
    let form = match member.form {
        Form::Given => "rules as given",
        Form::Simplified => "rules simplified",
        Form::Generalised => "rules simplified, large constants as parameters",
        Form::Merged => "rules simplified, and one for all ways between two predicates",
        Form::Cells => "rules simplified, arrays as cells",
        Form::GeneralisedCells => {
            "rules simplified, arrays as cells, large constants as parameters"
        }
    };
    let method = match member.method {
        Method::Unrolling => "derivations of growing depth".to_owned(),
        Method::Execution => "concrete runs".to_owned(),
        Method::Spacer {
            transformations,
            settings,
        } => {
            let mut parts = vec!["spacer".to_owned()];
            parts.extend(transformations.then(|| "own transformations".to_owned()));
            let own = settings.iter();
            parts.extend(own.map(|(name, value)| format!("{name}={value}")));
            parts.join(" ")
        }
    };
    let hints = match member.hints {
        HintUse::AsGiven => "hints as given",
        HintUse::All(HintMode::EveryFrame) => "hints in every frame",
        HintUse::All(HintMode::InductionOnly) => "hints in generalisation",
        HintUse::Ignored => "no hints",
    };
    let (name, about) = (member.name, member.about);
    format!("{name}: {form}; {method}; {hints} ({about})")
}

/// A member's process: answers one request of a portfolio.
pub fn serve_member() -> std::process::ExitCode {
    match portfolio::serve(std::io::stdin(), std::io::stdout()) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("foghorn: a worker of the portfolio failed: {error}");
            Exit::Internal.into()
        }
    }
}
