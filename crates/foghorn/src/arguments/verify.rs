//! Arguments of `verify`.

use super::command::check_help;
use super::{FormatArgument, ProgramArguments};
use crate::verify::{EngineOptions, HornFormOptions, InvariantOptions, KikiOptions};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// Prove that a program is free of errors, or show a run that fails
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn verify program.c
  foghorn verify --check assertions --timeout 60 program.c
  foghorn verify --json - a.c b.c
  foghorn verify --unwind 10 program.c
  foghorn verify --harness out program.c    the failing run as a program of its own
  foghorn verify --engine absint --domain zones+bool program.c
  foghorn verify --property unreach-call.prp --data-model ilp32 task.i
  foghorn verify --format sarif=foghorn.sarif program.c

Three answers: safe (no execution fails a check), unsafe (with a run that fails, which was executed),
unknown (with the reason). Exit codes: 0 safe, 10 unsafe, 20 unknown, 1 usage, 2 bad input, 70
internal error.")]
pub struct VerifyArguments {
    #[command(flatten)]
    pub program: ProgramArguments,
    #[arg(long, value_name = "LIST", default_value = "default", help = check_help())]
    pub check: String,
    /// What to check, as an SV-COMP property file says it
    #[arg(long, value_name = "FILE.prp", conflicts_with = "check")]
    pub property: Option<PathBuf>,
    /// The engine
    #[arg(long, value_enum, default_value_t = EngineArgument::Auto)]
    pub engine: EngineArgument,
    /// Leave an engine out of the plan of all
    #[arg(long, value_enum, value_name = "ENGINES", value_delimiter = ',')]
    pub without: Vec<EngineArgument>,
    /// How many stages of the plan run at once (default: $FOGHORN_JOBS, else as many as there are cores)
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// After a check has failed: stop, look for others for the rest of the time, or for so many seconds
    /// (default: as long as the first failure took and at least 1 s; stop with --property and with
    /// one group of checks)
    #[arg(long, value_name = "stop|rest|SECONDS", value_parser = after_failure)]
    pub after_failure: Option<AfterFailureArgument>,
    /// Do not look for invariants first
    #[arg(long)]
    pub no_invariants: bool,
    #[command(flatten)]
    pub options: EngineOptions,
    #[command(flatten)]
    pub invariants: InvariantOptions,
    #[command(flatten)]
    pub horn: HornFormOptions,
    #[command(flatten)]
    pub kiki: KikiOptions,
    /// Seconds after which it gives up
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub timeout: Option<f64>,
    /// Megabytes of memory after which it gives up, 0 for no limit (default: three quarters of what
    /// the machine or its container has)
    #[arg(long, value_name = "MB")]
    pub memory_limit: Option<u64>,
    /// Write the report as JSON to a file, or to stdout with '-'
    #[arg(long, value_name = "OUT")]
    pub json: Option<PathBuf>,
    /// Write each failure the moment it is known, and the report at the end, as lines of JSON to a file,
    /// or to stdout with '-'
    #[arg(long, value_name = "OUT", conflicts_with = "json")]
    pub json_stream: Option<PathBuf>,
    /// Write the answer for other tools: short (a line a finding), json, sarif, junit or github, to stdout or to
    /// a file; may be given several times
    #[arg(long, value_name = "FORMAT[=OUT]", value_parser = super::format::parse_format)]
    pub format: Vec<FormatArgument>,
    /// Print what it took
    #[arg(long)]
    pub stats: bool,
    /// For each failure, write a C file that makes the compiled program fail in the same way
    #[arg(long, value_name = "DIR")]
    pub harness: Option<PathBuf>,
    /// Show every proof again by another program, however long it takes, and write why each check holds
    /// to a file for `check-certificate`
    #[arg(long, value_name = "OUT")]
    pub certificate: Option<PathBuf>,
    /// Do not show proofs again (by default it is tried for as long as the proof took)
    #[arg(long, conflicts_with = "certificate")]
    pub no_certificate: bool,
    /// Do not run the program a few times before the engine starts
    #[arg(long)]
    pub no_trials: bool,
    /// Print the plan, and do nothing
    #[arg(long)]
    pub explain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineArgument {
    /// All of them, side by side, as `--explain` shows
    Auto,
    /// A few concrete runs
    Trial,
    /// Abstract interpretation
    Absint,
    /// Loop summarisation
    Acceleration,
    /// Bounded model checking, after trials and loop summarisation
    Bmc,
    /// Constrained Horn clauses, with certified facts about loops
    Horn,
    /// Invariants in templates, k-induction and bounded model checking on one solver
    Kiki,
}

/// What follows the first failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterFailureArgument {
    Stop,
    Rest,
    For(Duration),
}

fn after_failure(text: &str) -> Result<AfterFailureArgument, String> {
    match text {
        "stop" => Ok(AfterFailureArgument::Stop),
        "rest" => Ok(AfterFailureArgument::Rest),
        number => {
            let seconds = number.parse::<f64>().ok();
            let time = seconds.and_then(|it| Duration::try_from_secs_f64(it).ok());
            let time = time.map(AfterFailureArgument::For);
            time.ok_or_else(|| format!("'{number}' is none of stop, rest and a number of seconds"))
        }
    }
}
