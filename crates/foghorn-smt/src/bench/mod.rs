//! `bench solvers`: each solver on the same formulas, shaped like those of bounded model checking.
//!
//! [`formulas`] makes them: arithmetic of unrolled loops, masks, multipliers, long chains of
//! if-then-else. Every answer is compared with what the generator knows; a wrong one is an error,
//! not a slow time.

mod formulas;

pub use formulas::{BenchFormula, formulas};

use crate::error::SolverError;
use crate::sat::SatSolver;
use crate::smtlib::{SmtLibProfile, SmtLibSolver};
use crate::solver::{Answer, Limits, Solver};
use crate::z3::Z3Solver;
use foghorn_core::{Budget, Figure};
use std::time::{Duration, Instant};

/// What is measured and how long it may take.
#[derive(Clone, Debug)]
pub struct BenchOptions {
    /// Per query; a query that takes longer counts as this long.
    pub timeout: Duration,
    /// Programs to run as processes beside the solvers in process.
    pub z3_program: Option<String>,
    pub yices_program: Option<String>,
    /// The solver of this name only.
    pub only: Option<String>,
}

impl Default for BenchOptions {
    fn default() -> Self {
        BenchOptions {
            timeout: Duration::from_secs(20),
            z3_program: None,
            yices_program: None,
            only: None,
        }
    }
}

trait Contestant: Solver + Limits {}
impl<S: Solver + Limits> Contestant for S {}

type Make = Box<dyn Fn() -> Result<Box<dyn Contestant>, SolverError>>;

fn contestants(options: &BenchOptions) -> Vec<(&'static str, Make)> {
    let mut list: Vec<(&'static str, Make)> = vec![
        ("sat", Box::new(|| Ok(Box::new(SatSolver::new())))),
        ("z3", Box::new(|| Ok(Box::new(Z3Solver::new()?)))),
        (
            "z3-qfbv",
            Box::new(|| Ok(Box::new(Z3Solver::for_bit_vectors()?))),
        ),
    ];
    if let Some(program) = options.z3_program.clone() {
        let make = move || -> Result<Box<dyn Contestant>, SolverError> {
            Ok(Box::new(SmtLibSolver::new(SmtLibProfile::z3(&program))))
        };
        list.push(("z3-process", Box::new(make)));
    }
    if let Some(program) = options.yices_program.clone() {
        let make = move || -> Result<Box<dyn Contestant>, SolverError> {
            Ok(Box::new(SmtLibSolver::new(SmtLibProfile::yices(&program))))
        };
        list.push(("yices-smt2", Box::new(make)));
    }
    list
}

/// Totals of one solver.
#[derive(Clone, Copy, Default)]
struct Tally {
    seconds: f64,
    solved: usize,
    given_up: usize,
}

/// The tallies of one solver, by family.
type Families = Vec<(&'static str, Tally)>;

/// Times every solver on every formula, the solvers alternating, so that whatever else the machine
/// does meets all of them. An answer that contradicts the generator is an error.
pub fn solvers(options: &BenchOptions) -> Result<Vec<Figure>, SolverError> {
    let wanted = |name: &str| options.only.as_deref().is_none_or(|only| only == name);
    let contestants: Vec<_> = contestants(options)
        .into_iter()
        .filter(|(name, _)| wanted(name))
        .collect();
    let mut tallies: Vec<Families> = contestants.iter().map(|_| Vec::new()).collect();
    for formula in &formulas() {
        for ((name, make), families) in contestants.iter().zip(&mut tallies) {
            let (answer, seconds) = time(make, formula, options.timeout)?;
            tracing::info!(solver = name, formula = formula.name, seconds, "timed");
            enter(name, formula, answer, seconds, families)?;
        }
    }
    let mut figures = Vec::new();
    let mut totals = Vec::new();
    for ((name, _), families) in contestants.iter().zip(&tallies) {
        let made = report(name, families);
        totals.extend(made.last().map(|total| (*name, total.value)));
        figures.extend(made);
    }
    figures.extend(ratios(&totals));
    if wanted("hints") {
        figures.extend(crate::horn::hints::measure()?);
    }
    Ok(figures)
}

/// Enters one result, if it is right.
fn enter(
    name: &str,
    formula: &BenchFormula,
    answer: Option<Answer>,
    seconds: f64,
    families: &mut Families,
) -> Result<(), SolverError> {
    if families.last().map(|(family, _)| *family) != Some(formula.family) {
        families.push((formula.family, Tally::default()));
    }
    let tally = &mut families
        .last_mut()
        .expect("invariant: a family was pushed")
        .1;
    tally.seconds += seconds;
    match answer {
        Some(answer) if answer == formula.expected => tally.solved += 1,
        Some(answer) => {
            return Err(SolverError::Internal(format!(
                "{name} says {} of {}, which is {}",
                answer.word(),
                formula.name,
                formula.expected.word()
            )));
        }
        None => tally.given_up += 1,
    }
    Ok(())
}

/// The time of each solver relative to Z3's: below one is ahead of it.
fn ratios(totals: &[(&'static str, f64)]) -> Vec<Figure> {
    let Some((_, z3)) = totals.iter().find(|(name, _)| *name == "z3") else {
        return Vec::new();
    };
    let others = totals.iter().filter(|(name, _)| *name != "z3");
    others
        .map(|(name, seconds)| Figure {
            name: format!("solvers/{name}-over-z3"),
            value: seconds / z3,
            unit: "ratio".to_owned(),
            detail: format!("{seconds:.3} s / {z3:.3} s"),
        })
        .collect()
}

fn time(
    make: &Make,
    formula: &BenchFormula,
    timeout: Duration,
) -> Result<(Option<Answer>, f64), SolverError> {
    let start = Instant::now();
    let mut solver = make()?;
    solver.set_budget(Budget::unlimited().within(timeout));
    let result = match solver.assert(&formula.pool, formula.term) {
        Ok(()) => solver.check(&formula.pool),
        Err(error) => Err(error),
    };
    let seconds = start.elapsed().as_secs_f64();
    match result {
        Ok(answer) if answer.is_definite() => Ok((Some(answer), seconds)),
        Ok(_) | Err(SolverError::Exhausted(_)) => Ok((None, seconds.max(timeout.as_secs_f64()))),
        Err(error) => Err(error),
    }
}

fn report(name: &str, families: &[(&'static str, Tally)]) -> Vec<Figure> {
    let mut total = Tally::default();
    let mut figures = Vec::new();
    let figure = |name: String, tally: &Tally| Figure {
        name,
        value: tally.seconds,
        unit: "s".to_owned(),
        detail: format!("{} solved, {} given up", tally.solved, tally.given_up),
    };
    for (family, tally) in families {
        total.seconds += tally.seconds;
        total.solved += tally.solved;
        total.given_up += tally.given_up;
        figures.push(figure(format!("solvers/{name}/{family}"), tally));
    }
    figures.push(figure(format!("solvers/{name}/total"), &total));
    figures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_a_hundred_formulas_of_four_families() {
        let suite = formulas();
        assert!(suite.len() >= 100, "{}", suite.len());
        let mut families: Vec<&str> = suite.iter().map(|f| f.family).collect();
        families.dedup();
        assert_eq!(families.len(), 4);
        let satisfiable = suite
            .iter()
            .filter(|f| f.expected == Answer::Satisfiable)
            .count();
        assert!((20..=80).contains(&satisfiable), "{satisfiable}");
    }

    /// The smallest of each family, with answers checked against the generator's.
    #[test]
    fn sat_answers_as_the_generator_expects() {
        let mut seen = Vec::new();
        for formula in formulas() {
            if seen.iter().filter(|f| **f == formula.family).count() >= 2 {
                continue;
            }
            seen.push(formula.family);
            let mut solver = SatSolver::new();
            solver.assert(&formula.pool, formula.term).unwrap();
            let answer = solver.check(&formula.pool).unwrap();
            assert_eq!(answer, formula.expected, "{}", formula.name);
        }
    }
}
