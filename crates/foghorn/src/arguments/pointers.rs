//! Arguments of the commands about pointers: `dsa`, and `difftest`, which audits it.

use super::ProgramArguments;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Show which memory a program's accesses may share: regions, graphs, call graph
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn dsa program.c                 regions of every function
  foghorn dsa program.c --svg out.svg   the graph of the whole program, as a picture
  foghorn dsa program.c --stats --mode ci
  foghorn dsa program.c --audit         run it and compare every access with the prediction")]
pub struct DsaArguments {
    #[command(flatten)]
    pub program: ProgramArguments,
    /// What to tell apart: nothing, no contexts, or contexts
    #[arg(long, value_enum, default_value_t = DsaMode::Cs)]
    pub mode: DsaMode,
    /// What an integer that becomes a pointer may point to: what it was computed from, or whatever
    /// was turned into an integer
    #[arg(long, value_enum, default_value_t = DsaIntegers::Exposed)]
    pub integers: DsaIntegers,
    /// Divide regions by the types of accesses. Assumes that accesses respect effective types (not
    /// for code that is compiled with -fno-strict-aliasing, as Linux is)
    #[arg(long)]
    pub types: bool,
    /// Write the graph for Graphviz to a file, or to stdout with '-'
    #[arg(long, value_name = "OUT")]
    pub dot: Option<PathBuf>,
    /// Draw the graph to a file, or to stdout with '-'
    #[arg(long, value_name = "OUT")]
    pub svg: Option<PathBuf>,
    /// The function whose graph is drawn (default: the whole program as its environment sees it)
    #[arg(long, value_name = "FUNCTION")]
    pub function: Option<String>,
    /// The most nodes that a picture shows: the most connected ones (default: 60)
    #[arg(long, value_name = "N")]
    pub most: Option<usize>,
    /// Print everything as JSON
    #[arg(long)]
    pub json: bool,
    /// Print counts: nodes, regions, collapses with their reasons and lines
    #[arg(long)]
    pub stats: bool,
    /// Run the program and compare every access with what was predicted
    #[arg(long)]
    pub audit: bool,
    /// Run the program in the pure form too, and compare all that it does
    #[arg(long)]
    pub audit_pure: bool,
    /// With --audit and --audit-pure: stop after this many instructions
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Arguments for clang
    #[arg(last = true, value_name = "CLANG ARGS")]
    pub clang: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DsaMode {
    Flat,
    Ci,
    Cs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DsaIntegers {
    Carried,
    Exposed,
}

/// Compare the interpreter with the machine on random C programs
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn difftest --count 500 --seed 1
  foghorn difftest --count 1 --seed 4711 --keep /tmp/case
  foghorn difftest --count 1000 --pure --regions

Each program comes from csmith, is compiled by clang at -O0 and -O2 and run, and is interpreted.
Output and exit code must agree. A difference is shrunk and reported with its seed.
With --pure and --regions the machine is not asked: the interpreter compares the program's first two
million steps with the pure form, with the pointer analysis, or with both.")]
pub struct DifftestArguments {
    /// How many programs
    #[arg(long, default_value_t = 100)]
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
    /// Only compare the state at the start of every block with inferred invariants, of intervals
    /// and of zones
    #[arg(long, conflicts_with_all = ["pure", "regions"])]
    pub invariants: bool,
    /// Do not shrink programs that differ
    #[arg(long)]
    pub no_shrink: bool,
}
