//! Arguments of the command about pointers: `dsa`.

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
