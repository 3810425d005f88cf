//! Benchmarks that live in the libraries they measure.

use super::Figures;
use foghorn_core::Budget;
use foghorn_smt::bench::BenchOptions;
use foghorn_smt::solver::{Answer, Limits, Solver};
use foghorn_smt::z3::Z3Solver;
use foghorn_term::{TermId, TermPool};
use std::path::PathBuf;

/// Building and rewriting terms.
pub fn terms() -> Figures {
    let figures = foghorn_term::bench::terms();
    Figures { figures }
}

/// Solvers on formulas in the shape of bounded model checking.
pub fn solvers() -> anyhow::Result<Figures> {
    let options = BenchOptions {
        z3_program: installed("z3/bin/z3"),
        yices_program: installed("yices/bin/yices-smt2"),
        ..BenchOptions::default()
    };
    let figures = foghorn_smt::bench::solvers(&options)?;
    Ok(Figures { figures })
}

/// Pointer analysis and memory SSA over sizes.
pub fn dsa() -> Figures {
    let figures = foghorn_dsa::bench::run();
    Figures { figures }
}

/// Summaries, a solver that is kept, search for bounds.
pub fn kiki() -> anyhow::Result<Figures> {
    let figures = foghorn_kiki::bench::run()?;
    Ok(Figures { figures })
}

/// Horn clauses over sizes of loops, depths of calls and numbers of regions.
pub fn horn() -> anyhow::Result<Figures> {
    let figures = foghorn_horn::bench::run(crate::verify::horn::worker().as_ref())
        .map_err(anyhow::Error::msg)?;
    Ok(Figures { figures })
}

/// Domains and the fixpoint engine.
pub fn absint() -> Figures {
    let figures = foghorn_absint::bench::run();
    Figures { figures }
}

/// Memory representations on the workloads of the SEAM thesis, solved by Z3.
pub fn memory() -> anyhow::Result<Figures> {
    let mut solve = |pool: &TermPool, formula: TermId| {
        let mut solver = Z3Solver::new().ok()?;
        solver.set_budget(Budget::unlimited().within(foghorn_encode::bench::GIVEN_UP));
        solver.assert(pool, formula).ok()?;
        match solver.check(pool).ok()? {
            Answer::Satisfiable => Some(true),
            Answer::Unsatisfiable => Some(false),
            Answer::Unknown(_) => None,
        }
    };
    let figures = foghorn_encode::bench::memory(&mut solve)?;
    Ok(Figures { figures })
}

/// A solver that `./x setup` installed: its folder is beside `target`, where this binary is.
fn installed(program: &str) -> Option<String> {
    let binary = std::env::current_exe().ok()?;
    let folder: PathBuf = binary.parent()?.join("../../.deps").join(program);
    folder
        .exists()
        .then(|| folder.to_string_lossy().into_owned())
}
