//! What `foghorn bench memory` measures: the experiments of chapter 8 of the SEAM thesis on our own versions of its
//! workloads, and where time goes on the shapes that dominate proofs.
//!
//! - §8.3: ten array programs under SEAM with and without store-maps and under LAMBDAS, by the time spent inside the
//!   representation; and the growth of that time on `bAnd` (figure 8.9) with SELECT_SIZE from 10 to 100.
//! - §8.1 and §8.2: programs over data structures under ARRAYS, LAMBDAS, SEAM and SEAM without ARM, by time inside the
//!   representation, solving time, size of the formula (different nodes) and skips.
//! - Six shapes of these with growing bounds under SEAM, phase by phase ([`shapes`]).
//!
//! Every query is expected to be unsatisfiable; an answer that says otherwise is an error. The solver comes from the
//! caller: this crate knows none. Sizes are chosen once, from the thesis and its benchmarks (`array_programs`,
//! `structures`), and stay.

mod array_programs;
mod machine;
mod measure;
mod shapes;
mod structures;

pub use shapes::shapes;

use foghorn_core::Figure;
use foghorn_term::{TermId, TermPool};
use machine::Machine;
use measure::{Contestant, Tallies, compare, detail, growth, merge};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;
use thiserror::Error;

/// How long the solver should try before it gives up, and what a query counts on which it did.
pub const GIVEN_UP: Duration = Duration::from_secs(10);

/// Whether a formula is satisfiable; `None` when the solver gives up.
pub type Solve<'a> = dyn FnMut(&TermPool, TermId) -> Option<bool> + 'a;

/// A program that is safe was said not to be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{program} under {representation}: expected unsatisfiable, got satisfiable")]
pub struct UnexpectedAnswer {
    pub program: String,
    pub representation: &'static str,
}

fn ratio(name: &str, a: f64, b: f64, detail: String) -> Figure {
    Figure {
        name: name.to_owned(),
        value: a / b.max(1e-9),
        unit: "times".to_owned(),
        detail,
    }
}

/// §8.3: the ten array programs.
///
/// # Errors
/// When the solver says that a program is not safe that is.
pub fn array_programs(solve: &mut Solve<'_>) -> Result<Vec<Figure>, UnexpectedAnswer> {
    let mut sum = Tallies::new();
    for program in array_programs::programs() {
        let build = |machine: &mut Machine| program.run(machine);
        let seam = [Contestant::Seam, Contestant::SeamLinear];
        merge(&mut sum, &compare(&program.name, &seam, 5, &build, solve)?);
        // LAMBDAS takes so much longer than the others that once is enough.
        let lambdas = [Contestant::Lambdas];
        merge(
            &mut sum,
            &compare(&program.name, &lambdas, 1, &build, solve)?,
        );
    }
    let time = |contestant| sum[&contestant].preprocessing.as_secs_f64();
    let seam = time(Contestant::Seam);
    let (linear, lambdas) = (time(Contestant::SeamLinear), time(Contestant::Lambdas));
    Ok(vec![
        ratio(
            "store_map_vs_linear_preprocessing",
            linear,
            seam,
            detail(&sum),
        ),
        ratio(
            "store_map_vs_lambdas_preprocessing",
            lambdas,
            seam,
            detail(&sum),
        ),
    ])
}

/// Elements of the array of `bAnd`.
const BAND_SIZE: u64 = 101;

/// Runs of each size of `bAnd`, which take well below a millisecond.
const BAND_RUNS: u32 = 15;

/// §8.3: `bAnd` with growing SELECT_SIZE. The exponent is that of time over memory operations, of both what goes beyond a
/// SELECT_SIZE of 0: filling the array and reading it once is the same for all, and with 101 writes to 10 swaps would
/// hide the growth.
///
/// # Errors
/// When the solver says that a program is not safe that is.
pub fn band(solve: &mut Solve<'_>) -> Result<Vec<Figure>, UnexpectedAnswer> {
    let contestants = [
        (Contestant::Seam, "band_growth_exponent", BAND_RUNS),
        (Contestant::SeamLinear, "band_growth_exponent_linear", 3),
        (Contestant::Lambdas, "band_growth_exponent_lambdas", 1),
    ];
    let mut figures = Vec::new();
    for (contestant, name, runs) in contestants {
        let (mut points, mut text, mut base) = (Vec::new(), String::new(), 0.0);
        for selected in (0..=100).step_by(10) {
            let operations = selected / 2 * (4 + BAND_SIZE);
            let build = |machine: &mut Machine| {
                array_programs::conjunction(machine, BAND_SIZE, selected);
            };
            let program = format!("bAnd {selected}");
            let tally = compare(&program, &[contestant], runs, &build, solve)?[&contestant];
            let seconds = tally.preprocessing.as_secs_f64();
            if selected == 0 {
                base = seconds;
            } else {
                points.push((operations as f64, seconds - base));
            }
            let _ = write!(
                text,
                "SELECT_SIZE {selected}: {:.3} ms ({operations} operations more); ",
                1e3 * seconds
            );
        }
        figures.push(Figure {
            name: name.to_owned(),
            value: growth(&points).unwrap_or(f64::NAN),
            unit: "exponent".to_owned(),
            detail: text,
        });
    }
    Ok(figures)
}

/// Runs of each program over data structures.
const STRUCTURE_RUNS: u32 = 3;

/// §8.1 and §8.2: programs over data structures.
///
/// # Errors
/// When the solver says that a program is not safe that is.
pub fn structures(solve: &mut Solve<'_>) -> Result<Vec<Figure>, UnexpectedAnswer> {
    let contestants = [
        Contestant::Seam,
        Contestant::SeamWithoutArm,
        Contestant::Lambdas,
        Contestant::Arrays,
    ];
    let mut groups: BTreeMap<&str, (Tallies, String)> = BTreeMap::new();
    let mut sum = Tallies::new();
    for (group, name, build) in structures::PROGRAMS {
        let program = format!("{group} {name}");
        let tallies = compare(&program, &contestants, STRUCTURE_RUNS, &build, solve)?;
        merge(&mut sum, &tallies);
        let (of_group, text) = groups.entry(group).or_default();
        merge(of_group, &tallies);
        let separator = if text.is_empty() { "" } else { "; " };
        let _ = write!(text, "{separator}{name}: {}", detail(&tallies));
    }
    let (seam, without) = (sum[&Contestant::Seam], sum[&Contestant::SeamWithoutArm]);
    let mut figures = vec![
        ratio(
            "arm_solving",
            without.solving.as_secs_f64(),
            seam.solving.as_secs_f64(),
            detail(&sum),
        ),
        ratio(
            "arm_size",
            without.size as f64,
            seam.size as f64,
            String::new(),
        ),
    ];
    for (group, (tallies, text)) in groups {
        let other = |contestant| tallies[&contestant].total();
        let best = other(Contestant::Lambdas).min(other(Contestant::Arrays));
        let seam = tallies[&Contestant::Seam].total();
        let name = format!("seam_vs_best_other_{group}");
        figures.push(ratio(&name, best, seam, text));
    }
    Ok(figures)
}

/// All of it.
///
/// # Errors
/// When the solver says that a program is not safe that is.
pub fn memory(solve: &mut Solve<'_>) -> Result<Vec<Figure>, UnexpectedAnswer> {
    let mut figures = array_programs(solve)?;
    figures.extend(band(solve)?);
    figures.extend(structures(solve)?);
    figures.extend(shapes("", solve)?);
    Ok(figures)
}
