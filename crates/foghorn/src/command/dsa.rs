//! `foghorn dsa`: regions, graphs and the call graph of a program.

use super::{CommandResult, Failure};
use crate::arguments::{DsaArguments, DsaIntegers, DsaMode};
use crate::exit::Exit;
use crate::program;
use foghorn_dsa::bench::Clock;
use foghorn_dsa::draw::{MOST_NODES, Picture};
use foghorn_dsa::forms::compare_forms;
use foghorn_dsa::observe::RegionObserver;
use foghorn_dsa::statistics::Statistics;
use foghorn_dsa::{Analysis, Integers, Mode, Options, analyse};
use foghorn_ir::Module;
use foghorn_ir::interpret::{Options as RunOptions, Outcome, Program, RecordedWorld, Zeros};
use std::path::Path;
use std::time::Instant;

pub fn execute(arguments: &DsaArguments) -> CommandResult {
    let program = arguments.program.clone().with_types(arguments.types);
    let module = program::load(&program, &arguments.clang)?.module;
    let options = Options {
        mode: match arguments.mode {
            DsaMode::Flat => Mode::Flat,
            DsaMode::Ci => Mode::Ci,
            DsaMode::Cs => Mode::Cs,
        },
        integers: match arguments.integers {
            DsaIntegers::Carried => Integers::Carried,
            DsaIntegers::Exposed => Integers::Exposed,
        },
        types: arguments.types,
        ..Options::default()
    };
    let (start, clock) = (Instant::now(), Clock::now());
    let analysis = analyse(&module, &options);
    let seconds = (start.elapsed().as_secs_f64(), clock.seconds());
    if arguments.audit || arguments.audit_pure {
        return audits(&module, &analysis, &options, arguments);
    }
    let function = match &arguments.function {
        None => None,
        Some(name) => Some(module.function_named(name).ok_or_else(|| {
            Failure::usage(anyhow::anyhow!("the program has no function '{name}'"))
        })?),
    };
    let picture = Picture {
        function,
        most: arguments.most.unwrap_or(MOST_NODES),
    };
    if let Some(out) = &arguments.dot {
        write(out, &analysis.dot(&module, picture))?;
    }
    if let Some(out) = &arguments.svg {
        write(out, &analysis.svg(&module, picture))?;
    }
    if arguments.json {
        let text = serde_json::to_string_pretty(&analysis.report(&module));
        println!("{}", text.map_err(Failure::internal)?);
    } else if arguments.stats {
        print_statistics(&module, &analysis, seconds)?;
    } else if arguments.dot.is_none() && arguments.svg.is_none() {
        print_regions(&module, &analysis);
    }
    Ok(Exit::Success)
}

fn write(out: &Path, text: &str) -> Result<(), Failure> {
    if out == Path::new("-") {
        print!("{text}");
        return Ok(());
    }
    std::fs::write(out, text).map_err(|error| {
        Failure::input(anyhow::Error::new(error).context(format!("cannot write {}", out.display())))
    })
}

/// Runs the program and compares. Exit code 10 if the analysis or the pure form was wrong.
fn audits(
    module: &Module,
    analysis: &Analysis,
    options: &Options,
    arguments: &DsaArguments,
) -> CommandResult {
    let mut right = true;
    if arguments.audit {
        right &= audit(module, analysis, arguments.steps)?;
    }
    if arguments.audit_pure {
        let compared = compare_forms(module, options, arguments.steps).map_err(Failure::input)?;
        if let Some(difference) = &compared.difference {
            println!("pure form: {difference}");
        }
        println!(
            "pure form: {} events of memory, {} steps{}",
            compared.events,
            compared.steps,
            if compared.cut { ", cut off" } else { "" }
        );
        right &= compared.difference.is_none();
    }
    Ok(match right {
        true => Exit::Success,
        false => Exit::Unsafe,
    })
}

fn audit(module: &Module, analysis: &Analysis, steps: Option<u64>) -> Result<bool, Failure> {
    let mut observer = RegionObserver::new(module, analysis);
    let options = RunOptions {
        max_steps: steps,
        ..RunOptions::default()
    };
    let mut world = RecordedWorld::default();
    let run = Program::new(module)
        .run_observed(&options, &mut Zeros, &mut world, &mut observer)
        .map_err(Failure::input)?;
    for violation in &observer.violations {
        let function = &module.functions[violation.function];
        let span = function
            .body
            .as_ref()
            .map(|body| body.instructions[violation.instruction].span);
        let place = span.map_or_else(String::new, |span| module.spans.describe(span));
        println!("{place}: in {}: {}", function.name, violation.what);
    }
    let cut = run.outcome == Outcome::OutOfSteps;
    println!(
        "{} accesses, {} violations, {} steps{}",
        observer.accesses,
        observer.violation_count,
        run.steps,
        if cut { ", cut off" } else { "" }
    );
    Ok(observer.violation_count == 0)
}

fn print_regions(module: &Module, analysis: &Analysis) {
    for (id, function) in module.functions.iter().filter(|(_, f)| f.body.is_some()) {
        let regions = analysis.function(id);
        println!("{}: {} regions", function.name, regions.regions.len());
        for (region, info) in &regions.regions {
            let mut notes = vec![info.cell.to_string()];
            notes.extend(info.read.then(|| "read".to_owned()));
            notes.extend(info.modified.then(|| "modified".to_owned()));
            let parameter = regions.parameters.contains(&region);
            notes.extend(parameter.then(|| "parameter".to_owned()));
            notes.extend(info.singleton.then(|| "singleton".to_owned()));
            notes.extend(info.finite.then(|| "finite".to_owned()));
            notes.extend(info.escapes.then(|| "escapes".to_owned()));
            println!("  {region} {}: {}", info.name, notes.join(", "));
        }
    }
}

fn print_statistics(
    module: &Module,
    analysis: &Analysis,
    (wall, processor): (f64, f64),
) -> Result<(), Failure> {
    let statistics: Statistics = analysis.statistics(module);
    let json = serde_json::to_value(&statistics).map_err(Failure::internal)?;
    for (name, value) in json.as_object().into_iter().flatten() {
        println!("{}: {value}", name.replace('_', " "));
    }
    println!("seconds: {wall:.3}");
    println!("processor seconds: {processor:.3}");
    for (function, id) in analysis.assumed_conversions(module) {
        let body = module.functions[function].body.as_ref();
        let span = body.map(|body| body.instructions[id].span);
        let at = span.map_or_else(String::new, |span| module.spans.describe(span));
        println!("integer as pointer: {at}");
    }
    for (place, count) in analysis.collapse_counts() {
        let at = module.spans.describe(place.span);
        let times = match count {
            1 => String::new(),
            _ => format!(" ({count} times)"),
        };
        println!("collapse: {at}: {}{times}", place.reason.name());
    }
    Ok(())
}
