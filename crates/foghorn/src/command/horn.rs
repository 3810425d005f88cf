//! `foghorn horn`: the clauses of a program, and what their solution says of it.

use super::{CommandResult, Failure};
use crate::arguments::HornArguments;
use crate::exit::Exit;
use crate::verify::horn::worker;
use crate::verify::prepare::{Preparation, make};
use anyhow::{Context, anyhow};
use foghorn_core::Budget;
use foghorn_engine::Task;
use foghorn_horn::clauses::{Clauses, NoClauses};
use foghorn_horn::form::Form;
use foghorn_horn::solve::{Decision, Outcome, Solving};
use foghorn_horn::{door, show, solve};
use foghorn_smt::chc::export::{Format, export};
use std::io::Write;
use std::time::Duration;

pub fn execute(arguments: &HornArguments) -> CommandResult {
    let forms = door::forms(&arguments.form.options()).map_err(Failure::usage)?;
    let preparation = Preparation {
        program: arguments.program.clone().with_any_arguments(),
        check: arguments.check.clone(),
        misaligned: false,
        bounded: vec![],
        task: std::path::PathBuf::new(),
    };
    let (task, _, _) = make(&preparation, &mut |_| {})?;
    if let [name, out] = &arguments.export[..] {
        return write(&task, forms[0], name, out);
    }
    let timeout = Duration::try_from_secs_f64(arguments.timeout)
        .map_err(|error| Failure::usage(anyhow!("--timeout: {error}")))?;
    let budget = Budget::unlimited().within(timeout);
    let solving = Solving {
        forms,
        worker: worker(),
        ..Solving::default()
    };
    let outcome = solve::decide(&task, &solving, &budget);
    if arguments.show_invariants {
        for proof in &outcome.proofs {
            for shown in show::show(proof.module(&task), &proof.clauses, &proof.interpretations) {
                let show::Shown {
                    function,
                    location,
                    place,
                    text,
                } = shown;
                println!("{location} {place} {function}: {text}");
            }
        }
    }
    Ok(tell(&task, &outcome))
}

/// Writes the clauses for another tool.
fn write(task: &Task, form: Form, name: &str, out: &str) -> CommandResult {
    let Some(format) = Format::named(name) else {
        let names: Vec<&str> = Format::ALL.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        return Err(Failure::usage(anyhow!(
            "--export: there is no format {name}; there are {names}"
        )));
    };
    let clauses = clauses(task, form)?;
    let text = export(&clauses.pool, &clauses.system, format).map_err(Failure::input)?;
    let result = match out {
        "-" => {
            let mut stdout = std::io::stdout();
            stdout
                .write_all(text.as_bytes())
                .and_then(|()| stdout.flush())
        }
        path => std::fs::write(path, text),
    };
    result
        .with_context(|| format!("cannot write {out}"))
        .map_err(Failure::input)?;
    Ok(Exit::Success)
}

/// The clauses of a task.
fn clauses(task: &Task, form: Form) -> Result<Clauses, Failure> {
    solve::clauses(task, form, &Budget::unlimited()).map_err(|reason| {
        Failure::input(match reason {
            NoClauses::Refused(refusal) => {
                let place = task.pure().spans.describe(refusal.span);
                anyhow!("{place}: {} has no clauses", refusal.construct)
            }
            NoClauses::TooMany(most) => anyhow!("the program has more than {most} rules"),
            NoClauses::Exhausted(resource) => anyhow!("out of {resource}"),
        })
    })
}

/// One line a site that is not proved, and how many are.
fn tell(task: &Task, outcome: &Outcome) -> Exit {
    let (mut safe, mut failed, mut open) = (0, 0, 0);
    for (id, decision) in &outcome.decisions {
        let Some(site) = task.sites().get(*id) else {
            continue;
        };
        let (kind, place) = (
            site.kind.representative(),
            task.pure().spans.describe(site.span),
        );
        match decision {
            Decision::Safe => safe += 1,
            Decision::Unsafe(_) => {
                failed += 1;
                println!("{place}: {kind} fails");
            }
            Decision::Open(reason) => {
                open += 1;
                println!("{place}: {kind}: unknown: {reason}");
            }
        }
    }
    if let Some(reason) = outcome.unsolved.as_ref().filter(|_| open == 0) {
        open += 1;
        println!("the program as a whole: unknown: {reason}");
    }
    println!("{safe} proved, {failed} refuted, {open} open");
    match (failed, open) {
        (0, 0) => Exit::Success,
        (0, _) => Exit::Unknown,
        _ => Exit::Unsafe,
    }
}
