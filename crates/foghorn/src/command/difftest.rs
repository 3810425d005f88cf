//! `foghorn difftest`.

use super::{CommandResult, Failure};
use crate::arguments::DifftestArguments;
use crate::difftest::oracle::Oracle;
use crate::difftest::verdicts::asking::Asker;
use crate::difftest::verdicts::engines;
use crate::difftest::verdicts::source::Suites;
use crate::difftest::verdicts::{self, Hunt, Kept, Progress};
use crate::difftest::{Plan, Summary, run};
use crate::exit::Exit;
use anyhow::{Context, anyhow};
use std::io::IsTerminal;
use std::time::Duration;

pub fn execute(arguments: &DifftestArguments) -> CommandResult {
    if arguments.verdicts {
        return hunt(arguments);
    }
    let oracle = Oracle {
        foghorn: std::env::current_exe().map_err(Failure::internal)?,
        clang: foghorn_frontend::default_clang(),
        native_limit: Duration::from_secs(1),
        pure: arguments.pure,
        regions: arguments.regions,
        types: arguments.types,
        invariants: arguments.invariants,
    };
    let plan = Plan {
        count: arguments.count,
        seed: arguments.seed,
        jobs: arguments.jobs,
        shrink: !arguments.no_shrink,
        keep: arguments.keep.clone(),
    };
    let live = std::io::stderr().is_terminal();
    let progress = |done: u64| {
        if live {
            eprint!("\r{done}/{} programs", plan.count);
        }
    };
    let summary = run(&plan, &oracle, &progress).map_err(Failure::input)?;
    if live {
        eprintln!();
    }
    print(&summary, arguments);
    Ok(if summary.differences.is_empty() {
        Exit::Success
    } else {
        Exit::Internal
    })
}

/// Programs after which a hunt says where it is, if nobody watches it on a terminal.
const TOLD_EACH: u64 = 100;

/// Looks for wrong verdicts. A finding is printed when it is made: a hunt may take hours.
fn hunt(arguments: &DifftestArguments) -> CommandResult {
    let positive = arguments.timeout > 0.0 && arguments.timeout.is_finite();
    if !positive {
        return Err(Failure::usage(anyhow!(
            "--timeout must be a positive number"
        )));
    }
    let engines =
        engines::parse(&arguments.engines).map_err(|error| Failure::usage(anyhow!(error)))?;
    let suites = match &arguments.suites {
        Some(folder) => Suites::of(folder)
            .with_context(|| folder.display().to_string())
            .map_err(Failure::input)?,
        None => Suites::default(),
    };
    let hunt = Hunt {
        programs: arguments.count,
        seed: arguments.seed,
        jobs: arguments.jobs,
        engines,
        suites,
        asker: Asker {
            foghorn: std::env::current_exe().map_err(Failure::internal)?,
            limit: Duration::from_secs_f64(arguments.timeout),
        },
        clang: foghorn_frontend::default_clang(),
        shrink: !arguments.no_shrink,
        keep: arguments.keep.clone(),
        record: arguments.record.clone(),
    };
    let live = std::io::stderr().is_terminal();
    let progress = |progress: Progress<'_>| {
        if let Some(kept) = progress.found {
            print_finding(kept);
        }
        let (done, findings) = (progress.programs, progress.findings);
        let line = format!("{done} programs, {findings} findings");
        if live {
            eprint!("\r{line}");
        } else if done.is_multiple_of(TOLD_EACH) {
            eprintln!("{line}");
        }
    };
    let summary = hunt.run(&progress).map_err(Failure::input)?;
    if live {
        eprintln!();
    }
    print_hunt(&summary);
    Ok(match summary.findings.is_empty() {
        true => Exit::Success,
        false => Exit::Internal,
    })
}

fn print_finding(kept: &Kept) {
    let file = match &kept.file {
        Some(file) => format!(" ({})", file.display()),
        None => String::new(),
    };
    println!(
        "seed {}: {}: {}: {} [{}]{file}",
        kept.seed, kept.sort, kept.engines, kept.what, kept.origin
    );
    if kept.file.is_none() {
        println!("{}", kept.program);
    }
}

fn print_hunt(summary: &verdicts::Summary) {
    for (engine, tally) in &summary.tallies {
        println!(
            "{engine}: {} safe, {} unsafe, {} unknown, {} no answer; {} of {} checks decided, {:.0} s",
            tally.safe,
            tally.unsafe_,
            tally.unknown,
            tally.silent,
            tally.decided,
            tally.checks,
            tally.seconds,
        );
    }
    println!(
        "{} programs, {} differences ({} with every execution made, {} in which one fails, {} executions, {} \
         compared with the machine; {} seeds gave no program; {} seeds were recorded before)",
        summary.programs,
        summary.findings.len(),
        summary.exhausted,
        summary.failing,
        summary.executions,
        summary.compared,
        summary.skipped,
        summary.recorded,
    );
}

fn print(summary: &Summary, arguments: &DifftestArguments) {
    for difference in &summary.differences {
        println!("--- seed {}: {}", difference.seed, difference.what);
        println!("{}", difference.program);
    }
    if arguments.pure || arguments.regions {
        println!(
            "{} programs, {} differences ({} compared up to a limit of steps, {} that csmith did not \
             finish)",
            summary.total(),
            summary.differences.len(),
            summary.beginnings,
            summary.skipped,
        );
        return;
    }
    println!(
        "{} programs, {} differences, {} unsupported ({} skipped as they do not end, {} undefined \
         as the sanitizers say too, {} on which clang -O0 and -O2 disagree)",
        summary.total(),
        summary.differences.len(),
        summary.unsupported(),
        summary.skipped,
        summary.undefined,
        summary.native_disagreements,
    );
}
