//! The benchmark of memory representations with Z3, without the rest of Foghorn around it.
#![allow(clippy::print_stdout)]

use foghorn_smt::solver::{Answer, Solver};
use foghorn_smt::z3::Z3Solver;

fn main() {
    let mut solve = |pool: &foghorn_term::TermPool, formula| {
        let mut solver = Z3Solver::new().ok()?;
        solver.assert(pool, formula).ok()?;
        match solver.check(pool).ok()? {
            Answer::Satisfiable => Some(true),
            Answer::Unsatisfiable => Some(false),
            _ => None,
        }
    };
    match foghorn_encode::bench::memory(&mut solve) {
        Ok(figures) => {
            for figure in figures {
                println!(
                    "{}: {:.2} {}\n    {}",
                    figure.name,
                    figure.value,
                    figure.unit,
                    figure.detail.replace("; ", "\n    ")
                );
            }
        }
        Err(error) => println!("{error}"),
    }
}
