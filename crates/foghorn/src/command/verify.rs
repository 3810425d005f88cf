//! `foghorn verify`: a verdict, from worker processes under limits.

use super::{CommandResult, Failure};
use crate::arguments::{ExternalArgument, VerifyArguments};
use crate::exit::Exit;
use crate::render::progress::ProgressLine;
use crate::render::report;
use crate::render::style::Style;
use crate::standard_input::read_text;
use crate::verify::plan::{Turn, plan};
use crate::verify::request::LoopsArgument;
use crate::verify::sites::stopped;
use crate::verify::work::WorkerFailure;
use crate::verify::{EngineName, Interim, Request, WorkerEvent, merge};
use anyhow::Context;
use foghorn_core::{Budget, CheckSelection, UnknownReason};
use foghorn_driver::{End, Limits, Plan, Supervised, interrupt, own_worker, supervise};
use foghorn_witness::property::Property;
use foghorn_witness::report::{CheckReport, VerdictName, VerificationReport};

use std::path::Path;
use std::time::{Duration, Instant};

pub fn execute(arguments: &VerifyArguments) -> CommandResult {
    let request = request(arguments)?;
    let checks: CheckSelection = request.check.parse().map_err(Failure::usage)?;
    let options = &request.options;
    options.bmc(checks.clone()).map_err(Failure::usage)?;
    let invariants = &request.invariants;
    invariants
        .proof(checks.clone(), options.misaligned)
        .map_err(Failure::usage)?;
    let (plan, turns) = plan(arguments, &checks, request.time);
    if arguments.explain {
        print!("{plan}");
        return Ok(Exit::Success);
    }
    let report = carry_out(request, &plan, &turns)?;
    print(&report, arguments.json.as_deref(), arguments.stats).map_err(Failure::input)?;
    Ok(exit(&report))
}

/// Runs the stages until one has an answer.
fn carry_out(
    mut request: Request,
    plan: &Plan,
    turns: &[Turn],
) -> Result<VerificationReport, Failure> {
    let started = Instant::now();
    let whole = request.time;
    let budget = Budget::unlimited();
    interrupt::cancels(&budget)
        .context("cannot listen for interrupts")
        .map_err(Failure::internal)?;
    let mut so_far: Option<VerificationReport> = None;
    for (stage, turn) in plan.stages.iter().zip(turns) {
        let engine = turn.engine;
        request.invariants.domain.clone_from(&turn.domain);
        let left = whole.map(|whole| whole.saturating_sub(started.elapsed()));
        request.engine = engine;
        request.only_loops = turn.only_loops;
        request.time = stage.time.into_iter().chain(left).min();
        let ended = run(&request, stage.memory_mb, &budget)?;
        if let Some(interim) = &ended.interim {
            request.proved.clone_from(&interim.proved);
            if !request.options.no_facts {
                request.facts.clone_from(&interim.facts);
            }
        }
        // Runs that passed once pass again.
        request.trials &= engine != EngineName::Bmc;
        let mut report = answer(ended, engine)?;
        if let Some(earlier) = &so_far {
            merge::add_earlier(&mut report, earlier);
        }
        report.time_s = started.elapsed().as_secs_f64();
        let has_time = whole.is_none_or(|whole| started.elapsed() < whole);
        if report.verdict == VerdictName::Unsafe && has_time {
            merge::ended_after_failure(&mut report);
        }
        let decided = report.verdict != VerdictName::Unknown;
        so_far = Some(report);
        if decided || budget.check().is_err() {
            break;
        }
    }
    let mut report = so_far.expect("invariant: a plan has a stage");
    report.finish();
    Ok(report)
}

/// What the worker is asked for: a property file stands for checks, error functions and entry.
fn request(arguments: &VerifyArguments) -> Result<Request, Failure> {
    let mut request = Request {
        engine: EngineName::Bmc,
        program: arguments.program.clone().quietly().with_any_arguments(),
        check: arguments.check.clone(),
        options: arguments.options.clone(),
        invariants: arguments.invariants.clone(),
        time: seconds(arguments.timeout)?,
        trials: !arguments.no_trials,
        harness: arguments.harness.clone(),
        proved: vec![],
        facts: vec![],
        only_loops: false,
    };
    let options = &mut request.options;
    let has_bounds = options.unwind.is_some() || !options.unwind_set.is_empty();
    if !has_bounds {
        options.loops.get_or_insert(LoopsArgument::Both);
    }
    if let Some(path) = &arguments.property {
        let text = read_text(path).map_err(Failure::input)?;
        let property = Property::parse(&text)
            .with_context(|| path.display().to_string())
            .map_err(Failure::input)?;
        let names: Vec<&str> = property.checks.iter().map(|group| group.name()).collect();
        request.check = names.join(",");
        // Its programs are closed: what they take from outside they ask for.
        request.program.with_arguments = false;
        request.program.entry = property.entry;
        // The competition's functions without a body do nothing but return.
        request
            .program
            .external
            .get_or_insert(ExternalArgument::Pure);
        request
            .program
            .error_function
            .extend(property.error_functions);
    }
    Ok(request)
}

type Answer = Result<VerificationReport, WorkerFailure>;

/// The worker's end, with what it sent before.
struct Ended {
    supervised: Supervised<Answer>,
    failed: Vec<CheckReport>,
    interim: Option<Box<Interim>>,
    /// All checks of the program, if it came to that.
    sites: Vec<CheckReport>,
    /// The last bound that was finished, and what goes on behind it.
    beyond: Option<(u32, Vec<String>)>,
}

fn run(request: &Request, memory_mb: Option<u64>, budget: &Budget) -> Result<Ended, Failure> {
    let command = own_worker("__worker")
        .context("cannot find the program to start a worker from")
        .map_err(Failure::internal)?;
    let limits = Limits {
        time: request.time,
        memory_bytes: memory_mb.map(|limit| limit << 20),
        ..Limits::default()
    };
    let mut line = ProgressLine::on_stderr();
    let (mut failed, mut sites, mut interim, mut beyond) = (vec![], vec![], None, None);
    let supervised = supervise(command, request, &limits, budget, |event| match event {
        WorkerEvent::Progress(progress) => line.update(&progress),
        WorkerEvent::Sites(all) => sites = all,
        WorkerEvent::Failed(check) => enter(&mut failed, *check),
        WorkerEvent::Proved(proved) => interim = Some(proved),
        WorkerEvent::Beyond { bound, loops } => beyond = Some((bound, loops)),
    });
    line.clear();
    Ok(Ended {
        supervised,
        failed,
        interim,
        sites,
        beyond,
    })
}

/// Notes a failure; of two runs that fail at one check the later one is the better one.
fn enter(failed: &mut Vec<CheckReport>, check: CheckReport) {
    let same = |known: &CheckReport| {
        (known.kind, &known.file, known.line, known.column)
            == (check.kind, &check.file, check.line, check.column)
    };
    match failed.iter().position(same) {
        Some(index) => failed[index] = check,
        None => failed.push(check),
    }
}

/// The report, also of a worker that did not come to its end.
fn answer(ended: Ended, engine: EngineName) -> Result<VerificationReport, Failure> {
    let Ended {
        supervised,
        failed,
        interim,
        sites,
        beyond,
    } = ended;
    let reason = match supervised.end {
        End::Answered(Ok(mut report)) => {
            report.time_s = supervised.elapsed.as_secs_f64();
            return Ok(report);
        }
        End::Answered(Err(failure)) => {
            let exit = match failure.exit {
                1 => Exit::Usage,
                2 => Exit::Input,
                _ => Exit::Internal,
            };
            let error = anyhow::anyhow!(failure.message);
            return Err(Failure { exit, error });
        }
        End::NotStarted(why) => return Err(Failure::internal(anyhow::anyhow!(why))),
        End::OutOfTime => budget("time"),
        End::OutOfMemory => budget("memory"),
        End::Cancelled => UnknownReason::Interrupted,
        End::Failed(what) => UnknownReason::Failure {
            what: format!("the engine failed: {what}"),
        },
        End::Crashed { how, stderr } => UnknownReason::Failure {
            what: format!("the engine crashed: {how} {}", stderr.trim())
                .trim_end()
                .to_owned(),
        },
    };
    let mut report = match interim {
        Some(interim) => merge::stopped(interim.report, reason.clone()),
        None => {
            let checks = stopped(failed, &sites, &reason);
            let mut report = VerificationReport::new(engine.name(), checks, Some(reason.clone()));
            report.partial = true;
            report
        }
    };
    if let Some((bound, loops)) = beyond {
        report.bound = Some(bound);
        report.warnings = loops;
    }
    report.note_early_end(&reason);
    report.time_s = supervised.elapsed.as_secs_f64();
    report.peak_memory_mb = supervised.peak_memory_bytes as f64 / 1e6;
    Ok(report)
}

fn budget(resource: &str) -> UnknownReason {
    UnknownReason::Budget {
        resource: resource.to_owned(),
    }
}

/// A number of seconds from the command line.
pub fn seconds(number: Option<f64>) -> Result<Option<Duration>, Failure> {
    number
        .map(|seconds| {
            Duration::try_from_secs_f64(seconds)
                .with_context(|| format!("{seconds} is no number of seconds"))
                .map_err(Failure::usage)
        })
        .transpose()
}

/// Prints the report: JSON where it is asked for, else for people. A file that cannot be written does not
/// cost the answer.
pub fn print(report: &VerificationReport, json: Option<&Path>, stats: bool) -> anyhow::Result<()> {
    let mut written = Ok(());
    if let Some(path) = json {
        let text = serde_json::to_string_pretty(report)?;
        if path == Path::new("-") {
            println!("{text}");
            return Ok(());
        }
        written = std::fs::write(path, text + "\n")
            .with_context(|| format!("cannot write {}", path.display()));
    }
    let style = Style::of(&std::io::stdout());
    print!("{}", report::report(report, style));
    if stats {
        for (name, value) in &report.statistics {
            println!("{name:>20} {value}");
        }
    }
    written
}

/// The exit code of a verdict.
pub fn exit(report: &VerificationReport) -> Exit {
    match report.verdict {
        VerdictName::Safe => Exit::Success,
        VerdictName::Unsafe => Exit::Unsafe,
        VerdictName::Unknown => Exit::Unknown,
    }
}
