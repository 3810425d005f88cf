//! Which solver a command uses, and whether its queries are written to files.
//!
//! Every command that has a solver takes it from [`open`], so that `--solver` and `--dump-smt` mean
//! the same everywhere.

use crate::auto::AutoSolver;
use crate::dump::Dumping;
use crate::error::SolverError;
use crate::portfolio::Portfolio;
use crate::sat::SatSolver;
use crate::smtlib::{SmtLibProfile, SmtLibSolver};
use crate::solver::{Interrupt, Limits, PushPop, UnsatCore};
use crate::z3::Z3Solver;
use foghorn_core::Budget;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A solver with every capability that engines use.
pub trait EngineSolver: PushPop + UnsatCore + Interrupt + Limits + Send {}
impl<S: PushPop + UnsatCore + Interrupt + Limits + Send> EngineSolver for S {}

/// The solvers that can be asked for by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SolverChoice {
    /// `sat` where it can, Z3 elsewhere.
    #[default]
    Auto,
    Sat,
    Z3,
    /// `auto` and Z3 side by side; the first answer counts.
    Portfolio,
    /// `yices-smt2` as a process.
    Yices,
}

impl SolverChoice {
    pub const ALL: [SolverChoice; 5] = [
        SolverChoice::Auto,
        SolverChoice::Sat,
        SolverChoice::Z3,
        SolverChoice::Portfolio,
        SolverChoice::Yices,
    ];

    pub fn name(self) -> &'static str {
        match self {
            SolverChoice::Auto => "auto",
            SolverChoice::Sat => "sat",
            SolverChoice::Z3 => "z3",
            SolverChoice::Portfolio => "portfolio",
            SolverChoice::Yices => "yices",
        }
    }
}

/// A name that no solver has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no solver `{0}`: choose auto, sat, z3, portfolio or yices")]
pub struct NoSuchSolver(String);

impl FromStr for SolverChoice {
    type Err = NoSuchSolver;

    fn from_str(name: &str) -> Result<Self, NoSuchSolver> {
        let mut all = Self::ALL.into_iter();
        all.find(|choice| choice.name() == name)
            .ok_or_else(|| NoSuchSolver(name.to_owned()))
    }
}

/// What a command was asked for.
#[derive(Clone, Debug, Default)]
pub struct SolverOptions {
    pub choice: SolverChoice,
    /// A folder that receives every query as an SMT-LIB file.
    pub dump: Option<PathBuf>,
    pub budget: Budget,
}

/// A solver as it was asked for.
pub fn open(options: &SolverOptions) -> Result<Box<dyn EngineSolver>, SolverError> {
    let dump = options.dump.as_deref();
    let mut solver = match options.choice {
        SolverChoice::Auto => dumped(AutoSolver::new(), dump)?,
        SolverChoice::Sat => dumped(SatSolver::new(), dump)?,
        SolverChoice::Z3 => dumped(Z3Solver::new()?, dump)?,
        SolverChoice::Portfolio => {
            dumped(Portfolio::new(AutoSolver::new(), Z3Solver::new()?), dump)?
        }
        SolverChoice::Yices => {
            let profile = SmtLibProfile::yices(&yices_program());
            dumped(SmtLibSolver::new(profile), dump)?
        }
    };
    solver.set_budget(options.budget.clone());
    Ok(solver)
}

/// The program that the set-up put beside the build, else what the search path has.
pub fn yices_program() -> String {
    const NAME: &str = "yices-smt2";
    let binary = std::env::current_exe().unwrap_or_default();
    // Binaries lie in `target/PROFILE`, those of tests one folder deeper.
    let folders = binary.ancestors().skip(3).take(2);
    let mut beside = folders.map(|root| root.join(".deps/yices/bin").join(NAME));
    let found = beside.find(|program| program.exists());
    found.map_or(NAME.to_owned(), |program| {
        program.to_string_lossy().into_owned()
    })
}

fn dumped<S: EngineSolver + 'static>(
    solver: S,
    folder: Option<&Path>,
) -> Result<Box<dyn EngineSolver>, SolverError> {
    Ok(match folder {
        None => Box::new(solver),
        Some(folder) => Box::new(Dumping::new(solver, folder)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Answer;
    use foghorn_term::{Sort, TermPool};

    #[test]
    fn every_choice_opens_answers_and_dumps() {
        for choice in SolverChoice::ALL {
            assert_eq!(choice.name().parse(), Ok(choice));
            let folder = tempfile::tempdir().unwrap();
            let mut pool = TermPool::new();
            let (x, n) = (pool.bv_symbol("x", 8), pool.symbol("b", Sort::Bool));
            let three = pool.bv(8, 3);
            let less = pool.bv_ult(x, three);
            let options = SolverOptions {
                choice,
                dump: Some(folder.path().to_owned()),
                ..SolverOptions::default()
            };
            let mut solver = open(&options).unwrap();
            solver.assert(&pool, less).unwrap();
            assert_eq!(
                solver.check_assuming(&pool, &[n]).unwrap(),
                Answer::Satisfiable
            );
            assert!(solver.value(&pool, x).unwrap().as_bitvec().to_u64() < Some(3));
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        }
        assert!("oracle".parse::<SolverChoice>().is_err());
    }
}
