//! How a program is measured under several representations.
//!
//! Times are CPU times where they can be, because the machine may have other things to do: solving is CPU time of the
//! process. What a representation does is made of calls of less than a microsecond, for which only the clock is fast
//! enough; the sum of these and the CPU time of the thread over the whole program are both no less than the CPU time spent
//! inside, so the smaller one is taken. The ways that are compared alternate, and of several runs the fastest counts.

use super::machine::{Machine, Query, WIDTH};
use super::{Solve, UnexpectedAnswer};
use crate::memory::{Arrays, Lambdas, MemoryRepresentation, Phases, Seam, SeamOptions, Statistics};
use cpu_time::{ProcessTime, ThreadTime};
use foghorn_term::text::print_term;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// A representation that takes part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Contestant {
    Seam,
    SeamLinear,
    SeamWithoutArm,
    Lambdas,
    Arrays,
}

impl Contestant {
    pub fn name(self) -> &'static str {
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
            // No copy of unknown length is longer than that.
            Contestant::Arrays => Box::new(Arrays::with_bound(WIDTH, super::structures::BUFFER)),
        }
    }
}

/// What a program took under a representation.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    pub preprocessing: Duration,
    pub phases: Phases,
    pub solving: Duration,
    /// Queries that the solver gave up on; they count as long as it may try.
    pub given_up: usize,
    /// Different nodes of the formula.
    pub size: usize,
    pub skips: u64,
    pub arm_skips: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.preprocessing += other.preprocessing;
        self.phases = combined(self.phases, other.phases, |a, b| a + b);
        self.solving += other.solving;
        self.given_up += other.given_up;
        self.size += other.size;
        self.skips += other.skips;
        self.arm_skips += other.arm_skips;
    }

    /// The faster of two runs, phase by phase.
    fn improve(&mut self, other: &Tally) {
        self.preprocessing = self.preprocessing.min(other.preprocessing);
        self.phases = combined(self.phases, other.phases, Duration::min);
        self.solving = self.solving.min(other.solving);
    }

    pub fn total(&self) -> f64 {
        (self.preprocessing + self.solving).as_secs_f64()
    }
}

fn combined(a: Phases, b: Phases, of: impl Fn(Duration, Duration) -> Duration) -> Phases {
    Phases {
        reading: of(a.reading, b.reading),
        writing: of(a.writing, b.writing),
        merging: of(a.merging, b.merging),
        assuming: of(a.assuming, b.assuming),
        simplifying: of(a.simplifying, b.simplifying),
    }
}

/// What several representations took in sum.
pub(super) type Tallies = BTreeMap<Contestant, Tally>;

pub(super) fn merge(sum: &mut Tallies, more: &Tallies) {
    for (&contestant, tally) in more {
        sum.entry(contestant).or_default().add(tally);
    }
}

/// Skips of any kind: writes that a read was found not to meet.
fn skips(statistics: &Statistics) -> u64 {
    statistics.skips + statistics.store_map_misses
}

/// Times of one program under several representations: alternating, the fastest of several runs.
pub(super) fn compare(
    program: &str,
    contestants: &[Contestant],
    runs: u32,
    build: &dyn Fn(&mut Machine),
    solve: &mut Solve<'_>,
) -> Result<Tallies, UnexpectedAnswer> {
    let mut tallies = Tallies::new();
    let mut formulas: BTreeMap<Contestant, String> = BTreeMap::new();
    for _ in 0..runs {
        for &contestant in contestants {
            // Where the solver gave up once, trying again would only take as long again.
            if tallies
                .get(&contestant)
                .is_some_and(|best: &Tally| best.given_up > 0)
            {
                continue;
            }
            let (tally, formula) = once(program, contestant, build, solve)?;
            let best = tallies.entry(contestant).or_insert(tally);
            best.improve(&tally);
            formulas.insert(contestant, formula);
        }
    }
    share_solving(&mut tallies, &formulas);
    Ok(tallies)
}

/// Representations that leave the very same formula ask the same question: its fastest answer counts for all of them.
fn share_solving(tallies: &mut Tallies, formulas: &BTreeMap<Contestant, String>) {
    let mut fastest: BTreeMap<&str, Duration> = BTreeMap::new();
    for (contestant, formula) in formulas {
        let solving = tallies[contestant].solving;
        let best = fastest.entry(formula).or_insert(solving);
        *best = solving.min(*best);
    }
    for (contestant, tally) in tallies.iter_mut() {
        if let Some(formula) = formulas.get(contestant) {
            tally.solving = fastest[formula.as_str()];
        }
    }
}

fn once(
    program: &str,
    contestant: Contestant,
    build: &dyn Fn(&mut Machine),
    solve: &mut Solve<'_>,
) -> Result<(Tally, String), UnexpectedAnswer> {
    let mut machine = Machine::new(contestant.make());
    let thread = ThreadTime::now();
    build(&mut machine);
    let query = machine.finish();
    let running = thread.elapsed();
    let statistics = query.memory.statistics();
    let (solving, given_up) = prove(program, contestant, &query, solve)?;
    let tally = Tally {
        preprocessing: statistics.preprocessing.min(running),
        phases: statistics.phases,
        solving,
        given_up: usize::from(given_up),
        size: query.pool.dag_size(&[query.formula]),
        skips: skips(&statistics),
        arm_skips: statistics.arm_skips,
    };
    Ok((tally, print_term(&query.pool, query.formula)))
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
    let start = ProcessTime::now();
    match solve(&query.pool, query.formula) {
        Some(false) => Ok((start.elapsed(), false)),
        None => Ok((start.elapsed().max(super::GIVEN_UP), true)),
        Some(true) => Err(UnexpectedAnswer {
            program: program.to_owned(),
            representation: contestant.name(),
        }),
    }
}

/// What the representations took, for people.
pub(super) fn detail(tallies: &Tallies) -> String {
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

/// The slope of the line through the points in logarithmic scale, by least squares; `None` where nothing grows.
pub(super) fn growth(points: &[(f64, f64)]) -> Option<f64> {
    let positive = points.iter().filter(|&&(x, y)| x > 0.0 && y > 0.0);
    let logs: Vec<(f64, f64)> = positive.map(|&(x, y)| (x.ln(), y.ln())).collect();
    if logs.len() < 2 {
        return None;
    }
    let count = logs.len() as f64;
    let (x, y) = logs
        .iter()
        .fold((0.0, 0.0), |sum, log| (sum.0 + log.0, sum.1 + log.1));
    let (x, y) = (x / count, y / count);
    let above: f64 = logs.iter().map(|log| (log.0 - x) * (log.1 - y)).sum();
    let below: f64 = logs.iter().map(|log| (log.0 - x).powi(2)).sum();
    Some(above / below)
}
