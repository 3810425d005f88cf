//! Arguments of `difftest`.

use clap::Args;
use std::path::PathBuf;

/// Compare the interpreter with the machine on random C programs, or engines with the truth
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn difftest --count 500 --seed 1
  foghorn difftest --count 1 --seed 4711 --keep /tmp/case
  foghorn difftest --count 1000 --pure --regions
  foghorn difftest --verdicts --programs 500 --suites tests/suites --keep /tmp/found
  foghorn difftest --verdicts --programs 100 --engines bmc,lambdas,arrays
  foghorn difftest --verdicts --programs 2000 --seed 1 --record hunt.jsonl    goes on where it was ended

Each program comes from csmith, is compiled by clang at -O0 and -O2 and run, and is interpreted.
Output and exit code must agree. A difference is shrunk and reported with its seed.
With --pure and --regions the machine is not asked: the interpreter compares the program's first two
million steps with the pure form, with the pointer analysis, or with both.
With --verdicts every program is executed for all of its inputs, and then every engine is asked about
it: what it calls safe must not fail, what it calls unsafe must. Exit codes: 0 nothing found, 70 a
difference.")]
pub struct DifftestArguments {
    /// How many programs
    #[arg(long, default_value_t = 100, visible_alias = "programs")]
    pub count: u64,
    /// The seed of the first program; the next ones follow
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Programs at work at once
    #[arg(long, default_value_t = 2)]
    pub jobs: usize,
    /// Keep the programs that differ in this folder
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Interpret the pure form and the impure one: both must do the same to memory, print the same
    /// and end in the same way
    #[arg(long)]
    pub pure: bool,
    /// Compare every access with the regions of the pointer analysis
    #[arg(long)]
    pub regions: bool,
    /// With --pure and --regions: divide regions by the types of accesses
    #[arg(long)]
    pub types: bool,
    /// Only compare the state at the start of every block with inferred invariants, of intervals,
    /// of zones and of kIkI
    #[arg(long, conflicts_with_all = ["pure", "regions"])]
    pub invariants: bool,
    /// Compare the engines' verdicts with all executions of small programs
    #[arg(long, conflicts_with_all = ["pure", "regions", "types", "invariants"])]
    pub verdicts: bool,
    /// With --verdicts: who is asked, by names; 'default' asks bmc, absint and kiki about each program,
    /// and in turn one of the plan, horn and acceleration and one memory representation; 'all' asks
    /// all about each program
    #[arg(
        long,
        value_name = "LIST",
        default_value = "default",
        requires = "verdicts"
    )]
    pub engines: String,
    /// With --verdicts: also programs of this folder that are changed; their headers say what is true
    #[arg(long, value_name = "DIR", requires = "verdicts")]
    pub suites: Option<PathBuf>,
    /// With --verdicts: seconds that an engine may take for a program; of some programs it has ten times as many
    #[arg(long, value_name = "S", default_value_t = 1.0, requires = "verdicts")]
    pub timeout: f64,
    /// With --verdicts: a line for each program in this file; seeds that are in it count and are not looked at again
    #[arg(long, value_name = "FILE", requires = "verdicts")]
    pub record: Option<PathBuf>,
    /// Do not shrink programs that differ
    #[arg(long)]
    pub no_shrink: bool,
}
