//! What `foghorn bench memory` measures: the experiments of chapter 8 of the SEAM thesis on our own versions of its
//! workloads.
//!
//! - §8.3: ten array programs under SEAM with and without store-maps and under LAMBDAS, by the time spent inside the
//!   representation; and the growth of that time on `bAnd` (figure 8.9) with SELECT_SIZE from 10 to 100.
//! - §8.1 and §8.2: programs over data structures under ARRAYS, LAMBDAS, SEAM and SEAM without ARM, by time inside the
//!   representation, solving time, size of the formula (different nodes) and skips.
//!
//! The ways that are compared alternate, and of several runs the fastest counts, so that what else the machine does weighs
//! on all alike. Every query is expected to be unsatisfiable; an answer that says otherwise is an error. The solver comes
//! from the caller: this crate knows none.

mod array_programs;
mod machine;
mod structures;

use crate::memory::{Arrays, Lambdas, MemoryRepresentation, Seam, SeamOptions, Statistics};
use foghorn_term::{TermId, TermPool};
use machine::{Machine, Query, WIDTH};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use thiserror::Error;

/// One figure: a ratio or a growth. Absolute times are detail.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub name: String,
    pub value: f64,
    pub unit: &'static str,
    pub detail: String,
}

/// Whether a formula is satisfiable; `None` when the solver gives up, which it should after some ten seconds.
pub type Solve<'a> = dyn FnMut(&TermPool, TermId) -> Option<bool> + 'a;

/// A program that is safe was said not to be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{program} under {representation}: expected unsatisfiable, got satisfiable")]
pub struct UnexpectedAnswer {
    pub program: String,
    pub representation: &'static str,
}

/// A representation that takes part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Contestant {
    Seam,
    SeamLinear,
    SeamWithoutArm,
    Lambdas,
    Arrays,
}

impl Contestant {
    fn name(self) -> &'static str {
        match self {
            Contestant::Seam => "seam",
            Contestant::SeamLinear => "seam-linear",
            Contestant::SeamWithoutArm => "seam-no-arm",
            Contestant::Lambdas => "lambdas",
            Contestant::Arrays => "arrays",
        }
    }

    fn make(self) -> Box<dyn MemoryRepresentation> {
        let seam = |arm, store_map| Box::new(Seam::new(WIDTH, SeamOptions { arm, store_map }));
        match self {
            Contestant::Seam => seam(true, true),
            Contestant::SeamLinear => seam(true, false),
            Contestant::SeamWithoutArm => seam(false, true),
            Contestant::Lambdas => Box::new(Lambdas::new(WIDTH)),
            // The programs copy eight bytes at most; the bound is no tighter than it has to be.
            Contestant::Arrays => Box::new(Arrays::with_bound(WIDTH, 16)),
        }
    }
}

/// What a program took under a representation.
#[derive(Clone, Copy, Default)]
struct Tally {
    preprocessing: Duration,
    solving: Duration,
    /// Queries that the solver gave up on; they count as long as it tried.
    given_up: usize,
    size: usize,
    skips: u64,
    arm_skips: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.preprocessing += other.preprocessing;
        self.solving += other.solving;
        self.given_up += other.given_up;
        self.size += other.size;
        self.skips += other.skips;
        self.arm_skips += other.arm_skips;
    }

    fn total(&self) -> f64 {
        (self.preprocessing + self.solving).as_secs_f64()
    }
}

/// What several representations took in sum.
type Tallies = BTreeMap<Contestant, Tally>;

/// Skips of any kind: writes that a read was found not to meet.
fn skips(statistics: &Statistics) -> u64 {
    statistics.skips + statistics.store_map_misses
}

/// Times of one program under several representations: alternating, the fastest of several runs.
fn compare(
    program: &str,
    contestants: &[Contestant],
    runs: u32,
    build: &dyn Fn(&mut Machine),
    solve: &mut Solve<'_>,
) -> Result<Tallies, UnexpectedAnswer> {
    let mut tallies = Tallies::new();
    for _ in 0..runs {
        for &contestant in contestants {
            let mut machine = Machine::new(contestant.make());
            build(&mut machine);
            let query = machine.finish();
            let (solving, given_up) = prove(program, contestant, &query, solve)?;
            let statistics = query.memory.statistics();
            let tally = Tally {
                preprocessing: statistics.preprocessing,
                solving,
                given_up: usize::from(given_up),
                size: query.pool.dag_size(&[query.formula]),
                skips: skips(&statistics),
                arm_skips: statistics.arm_skips,
            };
            let best = tallies.entry(contestant).or_insert(tally);
            best.preprocessing = best.preprocessing.min(tally.preprocessing);
            best.solving = best.solving.min(tally.solving);
        }
    }
    Ok(tallies)
}

/// How long the solver takes to find that no check fails, and whether it gave up.
fn prove(
    program: &str,
    contestant: Contestant,
    query: &Query,
    solve: &mut Solve<'_>,
) -> Result<(Duration, bool), UnexpectedAnswer> {
    if query.pool.as_bool(query.formula) == Some(false) {
        return Ok((Duration::ZERO, false));
    }
    let start = Instant::now();
    match solve(&query.pool, query.formula) {
        answer @ (Some(false) | None) => Ok((start.elapsed(), answer.is_none())),
        Some(true) => Err(UnexpectedAnswer {
            program: program.to_owned(),
            representation: contestant.name(),
        }),
    }
}

fn merge(sum: &mut Tallies, more: &Tallies) {
    for (&contestant, tally) in more {
        sum.entry(contestant).or_default().add(tally);
    }
}

fn detail(tallies: &Tallies) -> String {
    let mut text = String::new();
    for (contestant, tally) in tallies {
        let separator = if text.is_empty() { "" } else { "; " };
        let _ = write!(
            text,
            "{separator}{}: pre-processing {:.2} ms, solving {:.2} ms ({} given up), size {}, skips {} ({} by ARM)",
            contestant.name(),
            1e3 * tally.preprocessing.as_secs_f64(),
            1e3 * tally.solving.as_secs_f64(),
            tally.given_up,
            tally.size,
            tally.skips,
            tally.arm_skips,
        );
    }
    text
}

fn ratio(name: &str, a: f64, b: f64, detail: String) -> Figure {
    Figure {
        name: name.to_owned(),
        value: a / b.max(1e-9),
        unit: "times",
        detail,
    }
}

/// §8.3: the ten array programs.
///
/// # Errors
/// When the solver says that a program is not safe that is.
pub fn array_programs(solve: &mut Solve<'_>) -> Result<Vec<Figure>, UnexpectedAnswer> {
    let mut sum = Tallies::new();
    for (name, build) in array_programs::PROGRAMS {
        // LAMBDAS takes so much longer than the others that once is enough.
        let seam = [Contestant::Seam, Contestant::SeamLinear];
        merge(&mut sum, &compare(name, &seam, 3, &build, solve)?);
        merge(
            &mut sum,
            &compare(name, &[Contestant::Lambdas], 1, &build, solve)?,
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

/// §8.3: `bAnd` with growing SELECT_SIZE. The exponent is that of the time over the number of memory operations.
///
/// # Errors
/// When the solver says that a program is not safe that is.
pub fn band(solve: &mut Solve<'_>) -> Result<Vec<Figure>, UnexpectedAnswer> {
    let contestants = [
        Contestant::Seam,
        Contestant::SeamLinear,
        Contestant::Lambdas,
    ];
    let mut points: BTreeMap<Contestant, Vec<(f64, f64)>> = BTreeMap::new();
    let mut text = String::new();
    for selected in (10..=100).step_by(10) {
        let swaps = selected / 2;
        let operations = 2 * BAND_SIZE + swaps * (4 + BAND_SIZE);
        let build = |machine: &mut Machine| {
            array_programs::conjunction(machine, BAND_SIZE, selected);
        };
        let name = format!("bAnd {selected}");
        let tallies = compare(&name, &contestants, 3, &build, solve)?;
        let _ = write!(text, "{selected} ({operations} operations):");
        for (&contestant, tally) in &tallies {
            let seconds = tally.preprocessing.as_secs_f64();
            let _ = write!(text, " {} {:.3} ms", contestant.name(), 1e3 * seconds);
            let list = points.entry(contestant).or_default();
            list.push((operations as f64, seconds));
        }
        text.push_str("; ");
    }
    let mut figures = Vec::new();
    for (contestant, name) in [
        (Contestant::Seam, "band_growth_exponent"),
        (Contestant::SeamLinear, "band_growth_exponent_linear"),
        (Contestant::Lambdas, "band_growth_exponent_lambdas"),
    ] {
        figures.push(Figure {
            name: name.to_owned(),
            value: growth(&points[&contestant]),
            unit: "exponent",
            detail: std::mem::take(&mut text),
        });
    }
    Ok(figures)
}

/// The slope of the line through the points in logarithmic scale, by least squares.
fn growth(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let (x, y) = logs
        .iter()
        .fold((0.0, 0.0), |sum, log| (sum.0 + log.0, sum.1 + log.1));
    let (x, y) = (x / count, y / count);
    let above: f64 = logs.iter().map(|log| (log.0 - x) * (log.1 - y)).sum();
    let below: f64 = logs.iter().map(|log| (log.0 - x).powi(2)).sum();
    above / below
}

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
    let mut groups: BTreeMap<&str, Tallies> = BTreeMap::new();
    let mut sum = Tallies::new();
    for (group, name, build) in structures::PROGRAMS {
        let program = format!("{group} {name}");
        let tallies = compare(&program, &contestants, 2, &build, solve)?;
        merge(&mut sum, &tallies);
        merge(groups.entry(group).or_default(), &tallies);
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
    for (group, tallies) in groups {
        let other = |contestant| tallies[&contestant].total();
        let best = other(Contestant::Lambdas).min(other(Contestant::Arrays));
        let seam = tallies[&Contestant::Seam].total();
        let name = format!("seam_vs_best_other_{group}");
        figures.push(ratio(&name, best, seam, detail(&tallies)));
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
    Ok(figures)
}
