//! The command line: one place that says what can be asked, with examples.

mod command;
mod difftest;
mod engines;
mod format;
mod home;
mod pointers;
mod verify;

use crate::verify::{EngineOptions, InterArgument};
use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

use command::check_help;
pub use difftest::DifftestArguments;
pub use engines::{HornArguments, KikiArguments};
pub use format::{ExplainArguments, Format, FormatArgument};
pub use home::{CompletionsArguments, DoctorArguments, ManualArguments};
pub use pointers::{DsaArguments, DsaIntegers, DsaMode};
pub use verify::{AfterFailureArgument, EngineArgument, VerifyArguments};

/// Foghorn: a software verifier for C and everything else that becomes LLVM IR.
#[derive(Debug, Parser)]
#[command(name = "foghorn", version, about)]
#[command(after_help = "\
Examples:
  foghorn verify program.c                 prove it, or show a run that fails
  foghorn invariants program.c             what holds at each loop
  foghorn run program.c                    execute a program and check every step
  foghorn ir program.c                     what Foghorn understood of it
  foghorn loops program.c                  its loops, by name
  foghorn difftest --count 100 --seed 1    compare the interpreter with the machine

Exit codes: 0 safe or done, 10 a check failed, 20 unknown, 1 usage, 2 bad input, 70 internal error.")]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Ir(IrArguments),
    Loops(LoopsArguments),
    Run(RunArguments),
    Dsa(DsaArguments),
    Difftest(DifftestArguments),
    Absint(AbsintArguments),
    #[command(subcommand)]
    Chc(ChcCommand),
    Verify(Box<VerifyArguments>),
    Invariants(InvariantsArguments),
    CheckCertificate(CertificateArguments),
    Bmc(BmcArguments),
    Horn(HornArguments),
    Kiki(KikiArguments),
    /// What `verify` starts for itself, to make a program ready
    #[command(name = "__prepare", hide = true)]
    Prepare,
    /// What `verify` starts for itself, to let an engine work
    #[command(name = "__stage", hide = true)]
    Stage,
    /// What `verify` starts for itself, to show a proof again
    #[command(name = "__certify", hide = true)]
    Certify,
    /// What the portfolio of Horn solvers starts for itself
    #[command(name = "__horn-member", hide = true)]
    HornMember,
    Bench(BenchArguments),
    Doctor(DoctorArguments),
    Explain(ExplainArguments),
    Completions(CompletionsArguments),
    Manual(ManualArguments),
}

/// The program to look at, for every command that takes one.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
pub struct ProgramArguments {
    /// C sources (.c, .i), LLVM files (.bc, .ll), or a compile_commands.json; linked together. `-` is
    /// standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Sizes of long and pointers: ilp32 (4 bytes) or lp64 (8 bytes)
    #[arg(long, value_enum, default_value_t = DataModelArgument::Lp64, ignore_case = true)]
    pub data_model: DataModelArgument,
    /// The function at which the program starts
    #[arg(long, default_value = "main", value_name = "FUNCTION")]
    pub entry: String,
    /// Take all visible functions instead of those that an entry reaches
    #[arg(long, conflicts_with = "entry")]
    pub library: bool,
    /// With compile_commands.json: only these of its sources
    #[arg(long, value_name = "SOURCE")]
    pub only: Vec<PathBuf>,
    /// Add a folder to clang's search path for headers
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// One more argument for clang, as it is
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub clang_arg: Vec<String>,
    /// A function whose call is an error, besides the known ones
    #[arg(long, value_name = "FUNCTION")]
    pub error_function: Vec<String>,
    /// malloc and calloc return null in some executions (default: they never fail)
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// main gets at most N arguments beside the name of the program (default: any number)
    #[arg(long, value_name = "N", conflicts_with = "no_arguments")]
    pub max_arguments: Option<u32>,
    /// main is called without arguments
    #[arg(long)]
    pub no_arguments: bool,
    /// main is called with arguments; the commands that ask for all executions say so.
    #[arg(skip)]
    pub with_arguments: bool,
    /// What a function without a body does, besides returning anything: it may change what it reaches,
    /// it changes no memory, or its call is an error (default: havoc; with --property: pure)
    #[arg(long, value_enum, value_name = "EFFECT")]
    pub external: Option<ExternalArgument>,
    /// The same for one function, as 'log=pure'
    #[arg(long, value_name = "FUNCTION=EFFECT", value_parser = external_function)]
    pub external_function: Vec<(String, ExternalArgument)>,
    /// What changes volatile objects: the program only, or each read gives any value
    #[arg(long, value_enum, default_value_t = VolatileArgument::Program, value_name = "BY")]
    pub volatile: VolatileArgument,
    /// Show clang's warnings too
    #[arg(long)]
    pub warnings: bool,
    /// Nobody looks at what the program prints; the commands that do not run it say so.
    #[arg(skip)]
    pub quiet: bool,
    /// Those of the files that stand for standard input or a pipe.
    #[arg(skip)]
    pub read_once: Vec<PathBuf>,
    /// What the program reads is chosen; the commands that do not run it say so.
    #[arg(skip)]
    pub chosen_input: bool,
    /// Accesses tell their types; the commands that use them say so.
    #[arg(skip)]
    pub effective_types: bool,
    /// The process is one that may crash.
    #[arg(skip)]
    pub isolated: bool,
    /// Keep local variables in memory, as clang emits them
    #[arg(long)]
    pub no_promote: bool,
    /// Put the bodies of functions in place of their calls: of small ones and those called once, or of all
    /// that are not recursive. Invariants get more precise; loops and checks are those of the copies
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "small")]
    pub inline: Option<InlineArgument>,
}

/// Which calls `--inline` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum InlineArgument {
    Small,
    All,
}

impl ProgramArguments {
    /// The same program, whose `main` is called with any arguments unless the user wants less.
    #[must_use]
    pub fn with_any_arguments(self) -> Self {
        ProgramArguments {
            with_arguments: !self.no_arguments,
            ..self
        }
    }

    /// The same program, of which nobody looks at what it prints and nobody types what it reads.
    #[must_use]
    pub fn quietly(self) -> Self {
        ProgramArguments {
            quiet: true,
            chosen_input: true,
            ..self
        }
    }

    /// The same program, whose accesses tell their types if somebody uses them.
    #[must_use]
    pub fn with_types(self, effective_types: bool) -> Self {
        ProgramArguments {
            effective_types,
            ..self
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum DataModelArgument {
    Ilp32,
    Lp64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum ExternalArgument {
    #[default]
    Havoc,
    Pure,
    Fail,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum VolatileArgument {
    #[default]
    Program,
    Input,
}

/// `f=pure`.
fn external_function(text: &str) -> Result<(String, ExternalArgument), String> {
    let (name, effect) = text
        .split_once('=')
        .ok_or_else(|| format!("'{text}' is not of the form FUNCTION=EFFECT"))?;
    let effect = ExternalArgument::from_str(effect.trim(), true)?;
    Ok((name.trim().to_owned(), effect))
}

/// Print a program in Foghorn's intermediate representation
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn ir program.c
  foghorn ir --stats a.c b.c
  foghorn ir --json --data-model ilp32 old.i
  foghorn ir library.c --library
  foghorn ir program.c --pure               memory as values, one region at a time
  foghorn ir program.c --inline=all         functions in place of their calls
  foghorn ir library.c --entry f -- -std=gnu89 -DDEBUG")]
pub struct IrArguments {
    #[command(flatten)]
    pub program: ProgramArguments,
    /// In the pure form: what reads and writes memory takes and gives contents of regions
    #[arg(long)]
    pub pure: bool,
    /// With --pure: divide regions by the types of accesses. Assumes that accesses respect effective
    /// types (not for code that is compiled with -fno-strict-aliasing)
    #[arg(long, requires = "pure")]
    pub types: bool,
    /// Print counts instead: functions, instructions, checks, what is not supported
    #[arg(long)]
    pub stats: bool,
    /// Print the counts as JSON
    #[arg(long)]
    pub json: bool,
    /// Arguments for clang
    #[arg(last = true, value_name = "CLANG ARGS")]
    pub clang: Vec<String>,
}

/// List the loops of a program: name, place, nesting, and how often they go round
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn loops program.c
  foghorn loops --json program.c

A name is what --unwind-set takes.")]
pub struct LoopsArguments {
    #[command(flatten)]
    pub program: ProgramArguments,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Arguments for clang
    #[arg(last = true, value_name = "CLANG ARGS")]
    pub clang: Vec<String>,
}

/// Execute a program in the interpreter, checking every step
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn run program.c
  foghorn run program.c --seed 7             other values for what the program does not determine
  foghorn run program.c --inputs values.txt  values from a file, one a line
  foghorn run program.c -- first second      arguments of the program

The program's own output goes to stdout, its exit code is the exit code. When a check fails the exit
code is 10 and the report, with the call stack, goes to stderr.")]
pub struct RunArguments {
    #[command(flatten)]
    pub program: ProgramArguments,
    /// Choose undetermined values by this seed (default: all zero)
    #[arg(long, value_name = "N", conflicts_with = "inputs")]
    pub seed: Option<u64>,
    /// Take undetermined values from this file
    #[arg(long, value_name = "FILE")]
    pub inputs: Option<PathBuf>,
    /// Write the undetermined values of this run to a file that --inputs can read
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// If the run fails, look for a shorter one with smaller values that fails at the same check
    #[arg(long)]
    pub shrink: bool,
    /// Tell the run that failed, line by line
    #[arg(long)]
    pub trace: bool,
    /// Write a C file that makes the compiled program fail in the same way, and how to build it
    #[arg(long, value_name = "DIR")]
    pub harness: Option<PathBuf>,
    #[arg(
        long,
        value_name = "LIST",
        default_value = "default,memory-leak",
        help = check_help()
    )]
    pub check: String,
    /// Also report accesses through pointers that are not aligned
    #[arg(long)]
    pub misaligned: bool,
    /// Stop after this many instructions
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Execute the pure form, and check what it says about memory
    #[arg(long)]
    pub pure: bool,
    /// Print how many instructions were executed, to stderr
    #[arg(long)]
    pub stats: bool,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
}

/// Show what holds at each loop, in C over the program's variables
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn invariants program.c
  foghorn invariants program.c --annotate
  foghorn invariants program.c --at 12 --domain polyhedra+bool+adapt
  foghorn invariants program.c --json")]
pub struct InvariantsArguments {
    #[command(flatten)]
    pub program: ProgramArguments,
    /// What holds just before this line, instead of at loops
    #[arg(long, value_name = "LINE")]
    pub at: Option<u32>,
    /// Print JSON
    #[arg(long, conflicts_with = "annotate")]
    pub json: bool,
    /// Print the source, with the invariant of each loop above its head
    #[arg(long, conflicts_with = "at")]
    pub annotate: bool,
    /// What invariants can say
    #[arg(long, value_name = "DOMAIN", default_value = "zones+bool+adapt")]
    pub domain: String,
    /// How functions are analysed together
    #[arg(long, value_enum, default_value_t = InterArgument::Contexts)]
    pub inter: InterArgument,
    #[arg(long, value_name = "LIST", default_value = "default", help = check_help())]
    pub check: String,
    /// Run the program and compare its states with the invariants, at the start of every block; of
    /// several domains, between commas
    #[arg(long, conflicts_with_all = ["at", "json", "annotate"])]
    pub audit: bool,
    /// Steps of the run that are compared
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub steps: u64,
}

/// Re-prove invariants bit by bit: one question to a solver per edge of the control flow
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn check-certificate program.c --write out.json     infer, check, and keep them
  foghorn check-certificate program.c --certificate out.json

Exit codes: 0 all follow, checks included; 10 an invariant does not follow; 20 a check does not follow,
or something was not decided.")]
pub struct CertificateArguments {
    #[command(flatten)]
    pub program: ProgramArguments,
    /// The certificate to check, instead of inferring one
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Write the certificate that was checked to a file
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// What inferred invariants can say
    #[arg(long, value_name = "DOMAIN", default_value = crate::verify::certify::DOMAIN)]
    pub domain: String,
    #[arg(long, value_name = "LIST", default_value = "default", help = check_help())]
    pub check: String,
    /// Do not believe the solver either: check the proof of each of its refutations
    #[arg(long)]
    pub proofs: bool,
    /// Seconds after which questions are not decided
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub timeout: Option<f64>,
}

/// Bounded model checking in this process, to measure and to try encodings
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn bmc program.c --stats
  foghorn bmc program.c --memory lambdas --solver z3 --dump-smt queries --stats
  foghorn bmc program.c --no-arm --no-store-map --unwind 8")]
pub struct BmcArguments {
    #[command(flatten)]
    pub program: ProgramArguments,
    #[arg(long, value_name = "LIST", default_value = "default", help = check_help())]
    pub check: String,
    #[command(flatten)]
    pub options: EngineOptions,
    /// Seconds after which it gives up
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub timeout: Option<f64>,
    /// Write the report as JSON to a file, or to stdout with '-'
    #[arg(long, value_name = "OUT")]
    pub json: Option<PathBuf>,
    /// Print what it took
    #[arg(long)]
    pub stats: bool,
}

/// Analyse a program in the goto language by abstract interpretation
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn absint loop.fog
  foghorn absint loop.fog --domain zones+bool --print checks
  foghorn absint loop.fog --domain 'terms(intervals)' --refine 3 --print checks
  foghorn absint loop.fog --print dot | dot -Tsvg > loop.svg

Exit codes: 0 every assertion is proved, 20 otherwise.")]
pub struct AbsintArguments {
    /// A program in the goto language
    #[arg(value_name = "FILE.fog")]
    pub file: PathBuf,
    /// The abstract domain, composed by name
    #[arg(long, default_value = "intervals+bool", value_name = "DOMAIN")]
    pub domain: String,
    /// What to print
    #[arg(long, value_enum, default_value_t = AbsintPrint::Invariants)]
    pub print: AbsintPrint,
    /// How functions are put together
    #[arg(long, value_enum, default_value_t = AbsintInter::Contexts)]
    pub inter: AbsintInter,
    /// Rounds of backward and forward analysis for each assertion that is not proved at once
    #[arg(long, default_value_t = 0, value_name = "ROUNDS")]
    pub refine: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AbsintPrint {
    Invariants,
    Checks,
    Dot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AbsintInter {
    /// Bottom-up summaries, then top-down
    Summaries,
    /// Top-down with memoised contexts
    Contexts,
}

/// Constrained Horn clauses
#[derive(Debug, Subcommand)]
pub enum ChcCommand {
    Solve(ChcSolveArguments),
    Export(ChcExportArguments),
}

/// Write a file of Horn clauses in the words of another tool
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn chc export system.smt2 --format clp
  foghorn chc export system.smt2 --format boogie --output system.bpl

mcmt takes rules with one premise at most; clp takes integers and truth values.")]
pub struct ChcExportArguments {
    #[arg(value_name = "FILE.smt2")]
    pub file: PathBuf,
    /// smt2, clp, boogie or mcmt
    #[arg(long, value_name = "FORMAT")]
    pub format: String,
    /// Write to a file instead of standard output
    #[arg(long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// Solve a file of Horn clauses (SMT-LIB, logic HORN)
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn chc solve system.smt2 --model
  foghorn chc solve system.smt2 --derivation --timeout 30
  foghorn chc solve system.smt2 --engine spacer-global
  foghorn chc solve system.smt2 --explain

Prints sat, unsat or unknown, as SMT-LIB means it. A model is checked clause by clause before sat is
printed, a derivation is replayed step by step before unsat is. Exit codes: 0 for sat and unsat, 20
for unknown.")]
pub struct ChcSolveArguments {
    #[arg(value_name = "FILE.smt2")]
    pub file: PathBuf,
    /// Print the predicates' interpretations after sat
    #[arg(long)]
    pub model: bool,
    /// Print the steps that derive false after unsat
    #[arg(long)]
    pub derivation: bool,
    /// Seconds it may take
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub timeout: Option<f64>,
    /// Who solves: `portfolio`, or one of its members alone (--explain lists them)
    #[arg(long, value_name = "NAME", default_value = "portfolio")]
    pub engine: String,
    /// How many members of the portfolio run at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub jobs: usize,
    /// Print who would solve the file and how, and stop
    #[arg(long)]
    pub explain: bool,
}

/// Measure one way of doing a thing against another
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn bench interpreter
  foghorn bench interpreter --json -")]
pub struct BenchArguments {
    /// What to measure
    #[arg(value_enum)]
    pub name: BenchName,
    /// Write the figures as JSON to a file, or to stdout with '-'
    #[arg(long, value_name = "OUT")]
    pub json: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BenchName {
    /// The interpreter against the same programs compiled by clang -O0
    Interpreter,
    /// Building and rewriting shared terms, over four sizes
    Terms,
    /// Our bit-vector solver against Z3 and others
    Solvers,
    /// Sparse against dense zones, and a large fixpoint
    Absint,
    /// ARRAYS, LAMBDAS and SEAM on array programs and data structures
    Memory,
    /// Pointer analysis and the pure form over programs of 1,000 to 200,000 instructions
    Dsa,
    /// kIkI: summaries against inlining, a solver that is kept against new ones, search against enumeration
    Kiki,
    /// Horn clauses over bodies of loops, depths of calls and numbers of regions; cells against arrays
    Horn,
    /// What `verify` costs beside its engines: against `ir`, on programs that are proved in no time
    Start,
}
