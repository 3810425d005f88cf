//! The options of engines on the command line, and as engines are told.

use clap::{Args, ValueEnum};
use foghorn_engine::EngineOptions as Options;
use foghorn_invariants::Scope;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

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
    /// The options of the engine `absint`.
    pub fn absint(&self) -> Options {
        let mut options = Options::default();
        options.set("inter", format!("{:?}", self.inter).to_lowercase());
        options.set_flag("backward", self.backward);
        if let Some(domain) = &self.domain {
            options.set("domain", domain);
        }
        options
    }
}

/// In what form a program becomes Horn clauses; without one, several take turns.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
pub struct HornFormOptions {
    /// Horn clauses: a predicate for every block, or only where it must be
    #[arg(long, value_name = "small|large")]
    pub step: Option<String>,
    /// Horn clauses: one arbitrary object carries its contents, or arrays do
    #[arg(long, value_name = "cells|arrays")]
    pub horn_memory: Option<String>,
    /// Horn clauses: machine integers over linear arithmetic, or as bit-vectors
    #[arg(long, value_name = "lia|bits")]
    pub integers: Option<String>,
    /// Horn clauses: what becomes of calls
    #[arg(long, value_name = "inline|summaries|mixed")]
    pub procedures: Option<String>,
    /// Horn clauses: what of memory is followed
    #[arg(long, value_name = "reg|ptr|mem")]
    pub track: Option<String>,
}

impl HornFormOptions {
    /// The options of the engine `horn`.
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        let all = [
            ("step", &self.step),
            ("horn-memory", &self.horn_memory),
            ("integers", &self.integers),
            ("procedures", &self.procedures),
            ("track", &self.track),
        ];
        for (name, value) in all {
            if let Some(value) = value {
                options.set(name, value);
            }
        }
        options
    }
}

/// How kIkI works.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
pub struct KikiOptions {
    /// Which parts of kIkI work
    #[arg(long, value_enum, default_value_t = KikiArgument::All)]
    pub kiki: KikiArgument,
    /// Templates of invariants, such as 'intervals' or 'intervals+zones' (default: all but octagons)
    #[arg(long, value_name = "TEMPLATES")]
    pub template: Option<String>,
    /// How parameters of templates are found: enumeration, search or mixed
    #[arg(long, value_name = "STRATEGY")]
    pub strategy: Option<String>,
    /// The largest number of copies of a loop for k-induction
    #[arg(long, value_name = "N")]
    pub k_max: Option<u32>,
    /// Look at functions one by one first: contracts stand in the place of their calls
    #[arg(long)]
    pub summaries: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum KikiArgument {
    /// Invariants of one copy, and what they prove
    Ai,
    /// k-induction without invariants
    Kind,
    /// Failures from the start
    Bmc,
    /// All three together
    #[default]
    All,
}

impl KikiOptions {
    /// The options of the engine `kiki`.
    pub fn kiki(&self, common: &EngineOptions) -> Options {
        let mut options = Options::default();
        options.set("kiki", format!("{:?}", self.kiki).to_lowercase());
        options.set("solver", format!("{:?}", common.solver).to_lowercase());
        if let Some(template) = &self.template {
            options.set("template", template);
        }
        if let Some(strategy) = &self.strategy {
            options.set("strategy", strategy);
        }
        if let Some(most) = self.k_max {
            options.set("k-max", most);
        }
        options.set_flag("summaries", self.summaries);
        options
    }
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
    /// What becomes of loops: `verify` summarises and unwinds them, unless bounds are given
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
    /// Once a check has failed, use the whole time for the others, as --after-failure rest does
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
    /// Summarised, and unwound for what that does not prove
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

    /// The options that the bounded model checker and loop summarisation share.
    fn common(&self) -> Options {
        let mut options = Options::default();
        options.set("memory", format!("{:?}", self.memory).to_lowercase());
        options.set("solver", format!("{:?}", self.solver).to_lowercase());
        options.set_flag("no-arm", self.no_arm);
        options.set_flag("no-store-map", self.no_store_map);
        options.set_flag("no-vacuity", self.no_vacuity);
        if let Some(bound) = self.unwind {
            options.set("unwind", bound);
        }
        if !self.unwind_set.is_empty() {
            options.set("unwind-set", self.unwind_set.join(","));
        }
        if let Some(folder) = &self.dump_smt {
            options.set("dump-smt", folder.display());
        }
        options
    }

    /// The options of the engine `bmc`.
    pub fn bmc(&self) -> Options {
        let mut options = self.common();
        // Whoever runs the engine says how long the search goes on.
        options.set_flag("keep-going", true);
        options
    }

    /// The options of the engine `acceleration`.
    pub fn acceleration(&self) -> Options {
        let mut options = self.common();
        options.set("closed-from", self.closed_from);
        let (_, unwinds) = self.summarises_and_unwinds();
        options.set_flag("any-program", !unwinds);
        options
    }
}
