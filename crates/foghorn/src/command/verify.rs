//! `foghorn verify`: a verdict, from processes under limits.

use super::{CommandResult, Failure};
use crate::arguments::{ExternalArgument, VerifyArguments};
use crate::exit::Exit;
use crate::render::formats;
use crate::render::progress::ProgressLine;
use crate::render::report;
use crate::render::stream::Stream;
use crate::render::style::Style;
use crate::standard_input::read_text;
use crate::verify::certificate::CertificateRequest;
use crate::verify::engines::engine;
use crate::verify::options::LoopsArgument;
use crate::verify::plan::plan;
use crate::verify::prepare::{Preparation, Ready};
use crate::verify::worker::CERTIFY;
use crate::verify::{bounds, harnesses::HarnessRequest, processes};
use anyhow::Context;
use foghorn_certify::ProofCertificate;
use foghorn_core::{Budget, CheckSelection, UnknownReason};
use foghorn_driver::schedule::Notice;
use foghorn_driver::{End, Limits, Plan, interrupt, own_worker, supervise};
use foghorn_encode::claim::Argument;
use foghorn_engine::{ProgramHash, Progress};
use foghorn_witness::property::Property;
use foghorn_witness::report::{VerdictName, VerificationReport};
use std::path::Path;
use std::time::{Duration, Instant};

pub fn execute(arguments: &VerifyArguments) -> CommandResult {
    let started = Instant::now();
    let asked = read_property(arguments)?;
    let checks: CheckSelection = asked.check.parse().map_err(Failure::usage)?;
    let time = seconds(asked.timeout)?;
    let jobs = asked.jobs.unwrap_or_else(cores).max(1);
    let plan = plan(&asked, &checks, time, jobs);
    for stage in &plan.stages {
        let entry = engine(&stage.engine).expect("invariant: plans name engines of the table");
        (entry.make)(&stage.options).map_err(Failure::usage)?;
    }
    if arguments.explain {
        print!("{plan}");
        return Ok(Exit::Success);
    }
    let is_json = is_standard_output(asked.json.as_deref());
    let is_taken = is_json || is_standard_output(asked.json_stream.as_deref());
    formats::demand_one_reader(&asked.format, is_taken).map_err(Failure::usage)?;
    let is_taken = is_taken || formats::takes_standard_output(&asked.format);
    let mut screen = Screen {
        line: ProgressLine::on_stderr(),
        shows_failures: !is_taken,
        stream: Stream::open(asked.json_stream.as_deref()).map_err(Failure::input)?,
        started,
        shown: vec![],
        arguments: vec![],
    };
    let report = verify(&asked, &plan, started, &mut screen)?;
    let Screen {
        mut stream, shown, ..
    } = screen;
    stream.finish(&report);
    let written = formats::write(&asked.format, &report).map_err(Failure::input);
    if is_taken && !is_json {
        return written.map(|()| exit(&report));
    }
    print_rest(&report, &shown, asked.json.as_deref(), arguments.stats).map_err(Failure::input)?;
    written.map(|()| exit(&report))
}

/// Prepares the program once, and carries out the plan.
fn verify(
    arguments: &VerifyArguments,
    plan: &Plan,
    started: Instant,
    screen: &mut Screen,
) -> Result<VerificationReport, Failure> {
    let budget = Budget::unlimited();
    interrupt::cancels(&budget)
        .context("cannot listen for interrupts")
        .map_err(Failure::internal)?;
    let folder = tempfile::Builder::new()
        .prefix("foghorn-")
        .tempdir()
        .context("cannot make a folder for the program")
        .map_err(Failure::internal)?;
    let task = folder.path().join("program.task");
    let ready = prepare(arguments, plan, &task, &budget, screen)?;
    let preparing = started.elapsed();
    let mut report = match ready {
        Ok(ready) => {
            screen.stream.start(&ready);
            let prepared = processes::prepared(task, &ready);
            let harness = arguments.harness.as_ref().map(|place| HarnessRequest {
                folder: place.clone(),
                program: arguments.program.clone(),
                claims: folder.path().to_owned(),
            });
            let mut notify = |notice: Notice<'_>| screen.show(notice);
            let harness = harness.as_ref();
            let mut report =
                processes::answer(plan, &prepared, harness, started, &budget, &mut notify);
            report.warnings.splice(0..0, ready.notes);
            if report.verdict == VerdictName::Safe && !arguments.no_certificate {
                let hash = prepared.hash;
                let proof = Proved {
                    task: &prepared.task,
                    hash,
                    plan,
                    started,
                };
                certify(arguments, &proof, &mut report, screen, &budget)?;
            }
            report
        }
        Err(reason) => unprepared(plan, reason),
    };
    screen.line.clear();
    report.time_s = started.elapsed().as_secs_f64();
    let preparing = preparing.as_secs_f64();
    report
        .statistics
        .insert("preparing_s".to_owned(), preparing);
    report.finish();
    Ok(report)
}

/// A program of which every check was proved.
struct Proved<'p> {
    task: &'p Path,
    hash: ProgramHash,
    plan: &'p Plan,
    started: Instant,
}

/// Certification that is not asked for has at least this long, and else a multiple of the time that the proof took.
const LEAST_CERTIFICATION: Duration = Duration::from_secs(3);
const MOST_OF_PROOF: u32 = 2;
/// What certification may take beyond its time before it is ended.
const GRACE: Duration = Duration::from_millis(500);

/// Shows the proofs again in a process of its own. Without success the answer stays what it is, and says
/// so; only a certificate that was asked for and cannot be written is an error.
fn certify(
    arguments: &VerifyArguments,
    proved: &Proved<'_>,
    report: &mut VerificationReport,
    screen: &mut Screen,
    budget: &Budget,
) -> Result<(), Failure> {
    let took = proved.started.elapsed();
    let time = match arguments.certificate {
        Some(_) => proved.plan.time,
        None => {
            // Who set a limit of time waits no longer for something else.
            let left = proved.plan.time.map(|limit| limit.saturating_sub(took));
            let time = (took * MOST_OF_PROOF).max(LEAST_CERTIFICATION);
            Some(left.map_or(time, |left| left.min(time)).max(GRACE))
        }
    };
    let sites = report.checks.iter().zip(0_u32..);
    let request = CertificateRequest {
        task: proved.task.to_owned(),
        hash: proved.hash,
        time,
        proved: sites
            .map(|(check, site)| (site, check.proved_by.clone()))
            .collect(),
        bound: report.bound,
        arguments: std::mem::take(&mut screen.arguments),
    };
    screen.line.update(&Progress::phase("certifying"));
    let limits = Limits {
        // It looks at its time by itself; this is for what does not.
        time: time.map(|time| time + GRACE),
        memory_bytes: proved.plan.memory_mb.map(|limit| limit << 20),
        ..Limits::default()
    };
    let command = own_worker(CERTIFY)
        .context("cannot find the program to start a worker from")
        .map_err(Failure::internal)?;
    let ignore = |_: Progress| {};
    let supervised = supervise(command, &request, &limits, budget, ignore);
    let made: Option<ProofCertificate> = match supervised.end {
        End::Answered(made) => Some(made),
        _ => None,
    };
    report.certificate = Some(match &made {
        Some(made) => note_certificate(report, made),
        None => {
            for check in &mut report.checks {
                check.certified = Some(false);
            }
            let count = report.checks.len();
            format!("{count} of {count} not certified: the check came to no end")
        }
    });
    let took = proved.started.elapsed().saturating_sub(took).as_secs_f64();
    report.statistics.insert("certifying_s".to_owned(), took);
    if let (Some(path), Some(made)) = (&arguments.certificate, &made) {
        let text = serde_json::to_string(made).map_err(Failure::internal)?;
        std::fs::write(path, text + "\n")
            .with_context(|| format!("cannot write {}", path.display()))
            .map_err(Failure::input)?;
    }
    Ok(())
}

/// Says of each check whether its proof was shown again, and of all in a few words.
fn note_certificate(report: &mut VerificationReport, made: &ProofCertificate) -> String {
    let mut open = 0;
    let mut why = None;
    for (check, record) in report.checks.iter_mut().zip(&made.sites) {
        check.certified = Some(record.argument.is_some());
        if record.argument.is_none() {
            open += 1;
            why = why.or(record.reason.as_deref());
        }
    }
    report
        .statistics
        .insert("uncertified_checks".to_owned(), f64::from(open));
    let count = report.checks.len();
    match (open, why) {
        (0, _) => "certified".to_owned(),
        (open, why) => {
            let why = why.map_or_else(String::new, |why| format!(": {why}"));
            format!("{open} of {count} not certified{why}")
        }
    }
}

/// Prepares the program; the inner error says why there is no answer.
fn prepare(
    arguments: &VerifyArguments,
    plan: &Plan,
    task: &Path,
    budget: &Budget,
    screen: &mut Screen,
) -> Result<Result<Ready, UnknownReason>, Failure> {
    let preparation = preparation(arguments, task);
    let on_event = |progress: Progress| screen.line.update(&progress);
    processes::prepare(&preparation, plan.time, plan.memory_mb, budget, on_event)
}

/// What is prepared for these arguments.
pub fn preparation(arguments: &VerifyArguments, task: &Path) -> Preparation {
    Preparation {
        program: arguments.program.clone(),
        check: arguments.check.clone(),
        misaligned: arguments.options.misaligned,
        bounded: bounds::names(&arguments.options.unwind_set),
        task: task.to_owned(),
    }
}

/// The report on a program of which not even the checks are known.
fn unprepared(plan: &Plan, reason: UnknownReason) -> VerificationReport {
    let engine = plan.stages.last().map_or("", |stage| &stage.engine);
    let mut report = VerificationReport::new(engine, vec![], Some(reason));
    report.partial = true;
    report
}

/// What is shown while the search goes on.
struct Screen {
    line: ProgressLine<std::io::Stderr>,
    shows_failures: bool,
    stream: Stream,
    started: Instant,
    /// The checks whose failures were shown.
    shown: Vec<foghorn_witness::report::CheckId>,
    /// What engines say why their proofs hold.
    arguments: Vec<Argument>,
}

impl Screen {
    fn show(&mut self, notice: Notice<'_>) {
        match notice {
            Notice::Progress(_, progress) => self.line.update(progress),
            Notice::Argued(argument) => self.arguments.push(argument.clone()),
            Notice::Failed(check) => {
                self.line.clear();
                self.stream.fail(check, self.started.elapsed());
                if self.shows_failures {
                    let style = Style::of(&std::io::stdout());
                    print!("{}", report::failure(check, style));
                    self.shown.push(check.id.clone());
                }
            }
        }
    }
}

fn is_standard_output(path: Option<&Path>) -> bool {
    path == Some(Path::new("-"))
}

/// How many stages run at once if nothing is said: what the variable `FOGHORN_JOBS` says, else as many as
/// there are cores.
pub fn cores() -> usize {
    let given = std::env::var("FOGHORN_JOBS").ok();
    let given = given.and_then(|text| text.parse().ok());
    given.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// The arguments with what a property file stands for: checks, error functions and entry.
pub fn read_property(arguments: &VerifyArguments) -> Result<VerifyArguments, Failure> {
    let mut asked = arguments.clone();
    asked.program = asked.program.quietly().with_any_arguments();
    let options = &mut asked.options;
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
        asked.check = names.join(",");
        // Its programs are closed: what they take from outside they ask for.
        asked.program.with_arguments = false;
        asked.program.entry = property.entry;
        // The competition's functions without a body do nothing but return.
        asked.program.external.get_or_insert(ExternalArgument::Pure);
        asked
            .program
            .error_function
            .extend(property.error_functions);
    }
    Ok(asked)
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
    print_rest(report, &[], json, stats)
}

/// Prints the report without the failures that were shown before.
fn print_rest(
    report: &VerificationReport,
    shown: &[foghorn_witness::report::CheckId],
    json: Option<&Path>,
    stats: bool,
) -> anyhow::Result<()> {
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
    print!("{}", report::rest(report, shown, style));
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
