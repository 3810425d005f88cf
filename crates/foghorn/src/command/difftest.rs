//! `foghorn difftest`.

use super::{CommandResult, Failure};
use crate::arguments::DifftestArguments;
use crate::difftest::oracle::Oracle;
use crate::difftest::{Plan, Summary, run};
use crate::exit::Exit;
use std::io::IsTerminal;
use std::time::Duration;

pub fn execute(arguments: &DifftestArguments) -> CommandResult {
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
