//! What the command asks of a worker, and what the worker says while it works.

use crate::arguments::ProgramArguments;
use clap::{Args, ValueEnum};
use foghorn_absint::registry::{FUNCTORS, NUMERIC, RegistryError};
use foghorn_acceleration::Acceleration;
use foghorn_bmc::{Bmc, MemoryChoice, Settings};
use foghorn_core::{CheckSelection, SiteKind};
use foghorn_driver::Progress;
use foghorn_encode::fact::BlockFacts;
use foghorn_encode::memory::SeamOptions;
use foghorn_invariants::prove::LADDER;
use foghorn_invariants::{ProofOptions, Scope};
use foghorn_smt::choice::SolverChoice;
use foghorn_witness::report::{CheckReport, VerificationReport};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// One piece of work.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    pub engine: EngineName,
    pub program: ProgramArguments,
    /// Groups of checks, as on the command line.
    pub check: String,
    pub options: EngineOptions,
    pub invariants: InvariantOptions,
    pub time: Option<Duration>,
    /// Whether the program is run a few times before the engine starts.
    pub trials: bool,
    /// Where the harnesses of failing runs go.
    pub harness: Option<PathBuf>,
    /// Sites that an earlier engine proved.
    pub proved: Vec<ProvedSite>,
    /// What an earlier engine knows of blocks.
    pub facts: Vec<BlockFacts>,
    /// Whether a program without loops is left to the engines that come later.
    pub only_loops: bool,
}

/// Who does the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EngineName {
    Absint,
    Bmc,
}

impl EngineName {
    pub fn name(self) -> &'static str {
        match self {
            EngineName::Absint => "absint",
            EngineName::Bmc => "bmc",
        }
    }
}

/// A site that is proved, by its place in the pure form, which is the same for every engine.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ProvedSite {
    pub kind: SiteKind,
    pub function: u32,
    pub instruction: u32,
}

/// What the abstract interpreter has proved so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Interim {
    pub report: VerificationReport,
    pub proved: Vec<ProvedSite>,
    pub facts: Vec<BlockFacts>,
}

/// What comes before the answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum WorkerEvent {
    Progress(Progress),
    /// All checks of the program, undecided.
    Sites(Vec<CheckReport>),
    /// A check that failed, with the run that fails.
    Failed(Box<CheckReport>),
    /// What holds already, should there be no more.
    Proved(Box<Interim>),
    /// A bound within which no other check fails, and what goes on behind it, a sentence each.
    Beyond {
        bound: u32,
        loops: Vec<String>,
    },
}

/// How the abstract interpreter works.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
pub struct InvariantOptions {
    /// One domain instead of cheap ones first, such as 'zones+bool' or 'polyhedra+bool'
    #[arg(long, value_name = "DOMAIN")]
    pub domain: Option<String>,
    /// How functions are analysed together
    #[arg(long, value_enum, default_value_t = InterArgument::Contexts)]
    pub inter: InterArgument,
    /// Also look at open checks from their failures backwards
    #[arg(long)]
    pub backward: bool,
    /// Also check with a solver that invariants are inductive, bit by bit
    #[arg(long)]
    pub certify: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum InterArgument {
    /// Each by itself
    None,
    /// Summaries from the bottom up, then from the top down
    Summaries,
    /// From the entry on, once for each context
    #[default]
    Contexts,
}

impl InterArgument {
    pub fn scope(self) -> Scope {
        match self {
            InterArgument::None => Scope::Function,
            InterArgument::Summaries => Scope::Summaries,
            InterArgument::Contexts => Scope::Contexts,
        }
    }
}

impl InvariantOptions {
    /// The analyser's own form of the options; an error names what cannot be understood.
    pub fn proof(&self, checks: CheckSelection, alignment: bool) -> anyhow::Result<ProofOptions> {
        let ladder = match &self.domain {
            Some(domain) => {
                foghorn_absint::registry::domain(domain).map_err(|error| explain(&error))?;
                vec![domain.clone()]
            }
            None => LADDER.iter().map(|&domain| domain.to_owned()).collect(),
        };
        Ok(ProofOptions {
            ladder,
            scope: self.inter.scope(),
            checks,
            alignment,
            backward: self.backward,
        })
    }
}

/// What can be said instead of a domain that does not exist.
fn explain(error: &RegistryError) -> anyhow::Error {
    let bases: Vec<&str> = NUMERIC.iter().map(|entry| entry.name).collect();
    let functors: Vec<&str> = FUNCTORS.iter().map(|entry| entry.name).collect();
    anyhow::anyhow!(
        "--domain: {error}; a domain is one of {}, and +{} add to it",
        bases.join(", "),
        functors.join(", +")
    )
}

/// How the bounded model checker works.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
pub struct EngineOptions {
    /// How memory is encoded
    #[arg(long, value_enum, default_value_t = MemoryArgument::Seam)]
    pub memory: MemoryArgument,
    /// SEAM without address range maps
    #[arg(long)]
    pub no_arm: bool,
    /// SEAM without store-maps
    #[arg(long)]
    pub no_store_map: bool,
    /// Who solves: our own solver where it can (auto), or one of these
    #[arg(long, value_enum, default_value_t = SolverArgument::Auto)]
    pub solver: SolverArgument,
    /// Unwind loops and recursion up to this bound, instead of growing bounds
    #[arg(long, value_name = "N")]
    pub unwind: Option<u32>,
    /// The bound of one loop, by its name in `foghorn loops`
    #[arg(long, value_name = "LOOP=N")]
    pub unwind_set: Vec<String>,
    /// What becomes of loops: `verify` summarises them first and then unwinds them, unless bounds are given
    #[arg(long, value_enum)]
    pub loops: Option<LoopsArgument>,
    /// Loops with fewer iterations, as constants decide, are unwound rather than summarised
    #[arg(
        long,
        alias = "summarised-from",
        value_name = "N",
        default_value_t = 16
    )]
    pub closed_from: u32,
    /// Also report accesses through pointers that are not aligned
    #[arg(long)]
    pub misaligned: bool,
    /// Do not assume what invariants say about loops; that they prove checks is not meant
    #[arg(long)]
    pub no_facts: bool,
    /// Once a check has failed, use the whole time for the others instead of a few seconds
    #[arg(long)]
    pub keep_going: bool,
    /// Do not look for checks that nothing reaches
    #[arg(long)]
    pub no_vacuity: bool,
    /// Write every query to this folder as SMT-LIB
    #[arg(long, value_name = "DIR")]
    pub dump_smt: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum MemoryArgument {
    Arrays,
    Lambdas,
    #[default]
    Seam,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum LoopsArgument {
    /// One iteration after the other, up to a bound
    Unwound,
    /// Any number of iterations at once, where it is known what one does: this proves and does not refute
    #[value(alias = "closed")]
    Summarised,
    /// First summarised, then unwound for what that does not prove
    Both,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum SolverArgument {
    #[default]
    Auto,
    /// Z3, in this process
    Z3,
    /// Our own, for bit-vectors
    Sat,
    /// Auto and Z3 side by side; the first answer counts
    Portfolio,
    /// yices-smt2, in a process of its own
    Yices,
}

/// How far loops that cannot be summarised, and recursion, are unwound where loops are summarised.
const UNWOUND_BESIDE_SUMMARIES: u32 = 16;

impl EngineOptions {
    /// Whether loops are summarised, and whether they are unwound.
    pub fn summarises_and_unwinds(&self) -> (bool, bool) {
        let is_able = self.memory == MemoryArgument::Seam;
        match self.loops {
            Some(LoopsArgument::Summarised) => (is_able, false),
            Some(LoopsArgument::Both) => (is_able, true),
            Some(LoopsArgument::Unwound) | None => (false, true),
        }
    }

    /// The options of an attempt with summarised loops, where those of unwinding are these.
    pub fn acceleration(&self, bmc: &Bmc) -> Acceleration {
        Acceleration {
            settings: bmc.settings.clone(),
            memory: SeamOptions {
                arm: !self.no_arm,
                store_map: !self.no_store_map,
            },
            solver: bmc.solver,
            unwind: self.unwind.unwrap_or(UNWOUND_BESIDE_SUMMARIES),
            unwind_set: bmc.unwind_set.clone(),
            from: self.closed_from,
            vacuity: bmc.vacuity,
            dump: bmc.dump.clone(),
        }
    }

    /// The engine's own form of the options; an error names what cannot be understood.
    pub fn bmc(&self, checks: CheckSelection) -> anyhow::Result<Bmc> {
        Ok(Bmc {
            settings: Settings {
                checks,
                alignment: self.misaligned,
                ..Settings::default()
            },
            memory: match self.memory {
                MemoryArgument::Arrays => MemoryChoice::Arrays,
                MemoryArgument::Lambdas => MemoryChoice::Lambdas,
                MemoryArgument::Seam => MemoryChoice::Seam {
                    arm: !self.no_arm,
                    store_map: !self.no_store_map,
                },
            },
            solver: match self.solver {
                SolverArgument::Auto => SolverChoice::Auto,
                SolverArgument::Z3 => SolverChoice::Z3,
                SolverArgument::Sat => SolverChoice::Sat,
                SolverArgument::Portfolio => SolverChoice::Portfolio,
                SolverArgument::Yices => SolverChoice::Yices,
            },
            unwind: self.unwind,
            unwind_set: bounds(&self.unwind_set)?,
            vacuity: !self.no_vacuity,
            keep_going: self.keep_going,
            dump: self.dump_smt.clone(),
            ..Bmc::default()
        })
    }
}

fn bounds(list: &[String]) -> anyhow::Result<BTreeMap<Arc<str>, u32>> {
    list.iter()
        .map(|item| {
            let (name, bound) = item
                .split_once('=')
                .ok_or_else(|| anyhow::anyhow!("--unwind-set: '{item}' is not LOOP=N"))?;
            let bound = bound
                .parse()
                .map_err(|_| anyhow::anyhow!("--unwind-set: '{bound}' in '{item}' is no number"))?;
            Ok((name.into(), bound))
        })
        .collect()
}
