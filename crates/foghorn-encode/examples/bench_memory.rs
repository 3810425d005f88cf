//! The benchmark of memory representations with Z3, without the rest of Foghorn around it: all of it, or the part that the
//! argument names (`arrays`, `band`, `structures`, `shapes` and perhaps which shape).
#![allow(clippy::print_stdout)]

use foghorn_core::Budget;
use foghorn_encode::bench;
use foghorn_smt::solver::{Answer, Limits, Solver};
use foghorn_smt::z3::Z3Solver;
use std::time::Instant;

fn main() {
    let mut solve = |pool: &foghorn_term::TermPool, formula| {
        let start = Instant::now();
        let mut solver = Z3Solver::new().ok()?;
        solver.set_budget(Budget::unlimited().within(bench::GIVEN_UP));
        solver.assert(pool, formula).ok()?;
        let answer = solver.check(pool);
        println!("{:?} {:.3}", answer, start.elapsed().as_secs_f64());
        match answer.ok()? {
            Answer::Satisfiable => Some(true),
            Answer::Unsatisfiable => Some(false),
            _ => None,
        }
    };
    let figures = match std::env::args().nth(1).as_deref() {
        Some("arrays") => bench::array_programs(&mut solve),
        Some("band") => bench::band(&mut solve),
        Some("structures") => bench::structures(&mut solve),
        Some("shapes") => bench::shapes(&std::env::args().nth(2).unwrap_or_default(), &mut solve),
        _ => bench::memory(&mut solve),
    };
    match figures {
        Ok(figures) => {
            for figure in figures {
                let detail = figure.detail.replace("; ", "\n    ");
                println!(
                    "{}: {:.2} {}\n    {detail}",
                    figure.name, figure.value, figure.unit
                );
            }
        }
        Err(error) => println!("{error}"),
    }
}
