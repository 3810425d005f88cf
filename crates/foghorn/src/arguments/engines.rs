//! Arguments of the commands that show one engine at work.

use super::ProgramArguments;
use super::command::check_help;
use crate::verify::{HornFormOptions, KikiOptions};
use clap::Args;

/// Make Horn clauses of a program: solve them, show their solution, or write them for other tools
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn horn program.c --show-invariants
  foghorn horn program.c --step small --export smt2 program.smt2
  foghorn horn program.c --horn-memory arrays --integers bits")]
pub struct HornArguments {
    #[command(flatten)]
    pub program: ProgramArguments,
    #[command(flatten)]
    pub form: HornFormOptions,
    /// Write the clauses to a file (`-` is standard output) as smt2, clp, boogie or mcmt, and do not solve
    /// them
    #[arg(long, num_args = 2, value_names = ["FORMAT", "OUT"])]
    pub export: Vec<String>,
    /// Print what the solution says: what holds at each loop, and a contract for each procedure
    #[arg(long)]
    pub show_invariants: bool,
    #[arg(long, value_name = "LIST", default_value = "default", help = check_help())]
    pub check: String,
    /// Seconds for all
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub timeout: f64,
}

/// k-invariants, k-induction and bounded model checking in this process, to see what is found
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn kiki program.c --show-invariants
  foghorn kiki program.c --template intervals+zones --strategy search --k-max 4 --show-invariants
  foghorn kiki program.c --kiki kind --show-ssa
  foghorn kiki program.c --summaries --preconditions

Exit codes: 0 every check is proved, 10 a check fails, 20 otherwise.")]
pub struct KikiArguments {
    #[command(flatten)]
    pub program: ProgramArguments,
    #[arg(long, value_name = "LIST", default_value = "default", help = check_help())]
    pub check: String,
    #[command(flatten)]
    pub kiki: KikiOptions,
    /// Print what holds at the heads of loops
    #[arg(long)]
    pub show_invariants: bool,
    /// Print what is known of functions whoever calls them: what they require for no check to fail, and what they ensure
    #[arg(long)]
    pub preconditions: bool,
    /// Print what a certificate would claim, if everything is proved
    #[arg(long)]
    pub show_claims: bool,
    /// Print the program as formulas, with its loops cut
    #[arg(long)]
    pub show_ssa: bool,
    /// Run the program beside its invariants: compare each state that comes back to the head of a loop with what was
    /// shown of it. Every loop is cut
    #[arg(long)]
    pub audit: bool,
    /// Steps after which the run of an audit is cut off
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2_000_000,
        requires = "audit"
    )]
    pub steps: u64,
    /// Seconds after which it gives up
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub timeout: Option<f64>,
    /// Print what it took
    #[arg(long)]
    pub stats: bool,
}
