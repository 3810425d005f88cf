//! Invariants against execution: a program is run, and each state that it reaches at the start of a
//! block has to satisfy what was inferred there.

use foghorn_absint::registry::RegistryError;
use foghorn_ir::Module;
use foghorn_ir::interpret::{Options, Program, RecordedWorld, Seeded};

use crate::analysis::{AnalysisOptions, analyse};
use crate::watch::{Checker, Watched};
use foghorn_dsa::table::RegionTable;

/// More violations than this of one run are not told.
const MOST_TOLD: usize = 3;

/// How long to run, and how often.
#[derive(Clone, Copy, Debug)]
pub struct AuditOptions {
    pub steps: u64,
    /// Runs with other inputs.
    pub runs: u64,
    pub max_memory: u64,
}

/// What was compared.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    pub states: usize,
    /// States that the invariants exclude.
    pub violations: Vec<String>,
    /// Why a program could not be run.
    pub problem: Option<String>,
}

/// Runs a program, and compares its states with the invariants of a domain.
pub fn audit(
    module: &Module,
    regions: &RegionTable,
    analysis_options: &AnalysisOptions,
    options: AuditOptions,
) -> Result<Audit, RegistryError> {
    let analysis = analyse(module, regions, analysis_options)?;
    let watched = Watched::new(module, &analysis);
    let program = Program::with_events(&watched.module);
    let run_options = Options {
        checks: analysis_options.translation.checks.clone(),
        max_steps: Some(options.steps),
        max_memory: options.max_memory,
        ..Options::default()
    };
    let mut audit = Audit::default();
    for seed in 0..options.runs {
        let mut checker = Checker::new(&watched, &analysis);
        let (mut choices, mut world) = (Seeded::new(seed), RecordedWorld::default());
        let run = program.run_observed(&run_options, &mut choices, &mut world, &mut checker);
        if let Err(problem) = run {
            audit.problem = Some(problem.to_string());
        }
        audit.states += checker.states;
        let found = checker.violations.into_iter().take(MOST_TOLD);
        audit.violations.extend(found);
    }
    Ok(audit)
}
