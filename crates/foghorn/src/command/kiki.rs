//! `foghorn kiki`: kIkI in this process, with what it found out about loops.

use super::{CommandResult, Failure, verify};
use crate::arguments::KikiArguments;
use crate::exit::Exit;
use crate::verify::EngineOptions;
use crate::verify::prepare::{Preparation, make};
use foghorn_core::Budget;
use foghorn_encode::claim::{Argument, LoopClaim};
use foghorn_engine::{Knowledge, Task};
use foghorn_kiki::audit::{AuditOptions, audit};
use foghorn_kiki::{KikiReport, News, SiteVerdict, door, show};
use std::fmt::Write as _;
use std::io::Write as _;

pub fn execute(arguments: &KikiArguments) -> CommandResult {
    let options = arguments.kiki.kiki(&EngineOptions::default());
    let mut options = door::from_options(&options).map_err(Failure::usage)?;
    if arguments.audit {
        options.decided = 0;
    }
    options.summaries |= arguments.preconditions;
    let mut budget = Budget::unlimited();
    if let Some(time) = verify::seconds(arguments.timeout)? {
        budget = budget.within(time);
    }
    let preparation = Preparation {
        program: arguments.program.clone().quietly().with_any_arguments(),
        check: arguments.check.clone(),
        misaligned: false,
        bounded: vec![],
        task: std::path::PathBuf::new(),
    };
    let (task, _, _) = make(&preparation, &mut |_| {})?;
    let mut formulas = String::new();
    let knowledge = Knowledge::of(task.hash());
    let found = door::check_task(&task, &knowledge, &options, &budget, &mut |news| {
        // The last run, with the most copies, is shown.
        if let News::Executed { pool, problem } = news
            && arguments.show_ssa
        {
            formulas = show::describe(pool, problem);
        }
    });
    let found = found.map_err(|error| Failure::internal(anyhow::anyhow!(error)))?;
    if arguments.audit {
        return compare(arguments, &task, &found);
    }
    let mut text = formulas;
    if arguments.show_invariants {
        describe_invariants(&mut text, &found);
    }
    if arguments.preconditions {
        for line in &found.contracts {
            let _ = writeln!(text, "{line}");
        }
    }
    if let Some(argument) = found.argument.as_ref().filter(|_| arguments.show_claims) {
        describe_claims(&mut text, argument);
    }
    let exit = describe_checks(&mut text, &task, &found);
    if arguments.stats {
        for (name, value) in found.statistics.entries() {
            let _ = writeln!(text, "{name:>20} {value}");
        }
    }
    // A reader that has seen enough (`| head`) is no error.
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(exit)
}

/// The memory of a run that is compared with invariants.
const AUDITED_MEMORY: u64 = 256 << 20;

/// Runs the program beside its invariants.
fn compare(arguments: &KikiArguments, task: &Task, found: &KikiReport) -> CommandResult {
    let options = AuditOptions {
        checks: task.checks().clone(),
        steps: arguments.steps,
        runs: 1,
        max_memory: AUDITED_MEMORY,
    };
    let compared = audit(task.pure(), &found.shown, &options);
    if let Some(problem) = compared.problem {
        return Err(Failure::input(anyhow::anyhow!(problem)));
    }
    for violation in &compared.violations {
        println!("{violation}");
    }
    let (states, excluded) = (compared.states, compared.violations.len());
    let (loops, rows) = (found.shown.len(), found.shown.iter());
    let rows: usize = rows
        .map(|shown| {
            shown
                .invariant
                .rows
                .iter()
                .filter(|row| !row.template.is_top())
                .count()
        })
        .sum();
    println!("kiki: {loops} invariants of {rows} rows, {states} states, {excluded} outside them");
    Ok(match excluded {
        0 => Exit::Success,
        _ => Exit::Internal,
    })
}

fn describe_invariants(text: &mut String, found: &KikiReport) {
    for invariant in &found.invariants {
        let copies = match invariant.copies {
            1 => "1 copy".to_owned(),
            copies => format!("{copies} copies"),
        };
        let _ = writeln!(
            text,
            "{}, after each iteration ({copies}):",
            invariant.loop_name
        );
        for row in &invariant.rows {
            let _ = writeln!(text, "  {row}");
        }
    }
}

fn describe_claims(text: &mut String, argument: &Argument) {
    for (name, claims) in &argument.functions {
        for (head, claim) in &claims.loops {
            match claim {
                LoopClaim::Invariant { holds, copies } => {
                    let _ = writeln!(text, "block{head} of {name} ({copies}-inductive):");
                    for claim in holds {
                        let _ = writeln!(text, "  {claim}");
                    }
                }
                LoopClaim::Unwound { times } => {
                    let _ = writeln!(text, "block{head} of {name}: at most {times} times");
                }
            }
        }
    }
}

/// One line for each check, and what they come to.
fn describe_checks(text: &mut String, task: &Task, found: &KikiReport) -> Exit {
    let (mut failing, mut open) = (0, usize::from(found.incomplete.is_some()));
    for answer in &found.answers {
        let place = task.pure().spans.describe(answer.site.span);
        let kind = answer.site.kind.representative();
        let verdict = match &answer.verdict {
            SiteVerdict::Safe => "holds".to_owned(),
            SiteVerdict::Unsafe(_) => {
                failing += 1;
                "fails".to_owned()
            }
            SiteVerdict::Unknown(reason) => {
                open += 1;
                format!("unknown: {reason}")
            }
        };
        let _ = writeln!(text, "{kind} at {place}: {verdict}");
    }
    for warning in &found.warnings {
        let _ = writeln!(text, "note: {warning}");
    }
    let (verdict, exit) = match (failing, open) {
        (0, 0) => ("safe", Exit::Success),
        (0, _) => ("unknown", Exit::Unknown),
        _ => ("unsafe", Exit::Unsafe),
    };
    let _ = writeln!(text, "verdict: {verdict}");
    exit
}
