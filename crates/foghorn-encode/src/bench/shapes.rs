//! Where time goes on six shapes that dominate proofs of real code, with growing bounds, under SEAM: array list push and
//! swap, byte buffer append, cursor advance, list push, string compare.
//!
//! Each phase of pre-processing, and solving, gets the exponent of its growth with the bound, and so does the formula. A
//! phase may grow as n log n, or as the formula does, or as the program: where its operations are more than linear in the
//! bound, nothing that looks at each of them can be less.

use super::machine::Machine;
use super::measure::{Contestant, Tally, compare, growth};
use super::{Figure, Solve, UnexpectedAnswer, structures};
use std::fmt::Write as _;
use std::time::Duration;

/// A shape: its name, the bound up to which it is solved, and its program for a bound.
type Shape = (&'static str, u64, fn(&mut Machine, u64));

const SHAPES: [Shape; 6] = [
    ("array_list_push", 64, structures::array_list_push),
    ("array_list_swap", 16, structures::array_list_swap),
    ("byte_buf_append", 4, structures::buffer_append),
    ("cursor_advance", 64, structures::cursor_advance),
    ("list_push", 8, structures::list_push),
    ("string_compare", 64, structures::string_compare),
];

/// The bounds, around those of §8.1's benchmark and beyond: 16 is its largest.
const BOUNDS: [u64; 5] = [4, 8, 16, 32, 64];

/// Runs of each shape at each bound.
const RUNS: u32 = 5;

/// A phase and how to find it in a tally.
type Phase = (&'static str, fn(&Tally) -> Duration);

const PHASES: [Phase; 6] = [
    ("read", |tally| tally.phases.reading),
    ("write", |tally| tally.phases.writing),
    ("merge", |tally| tally.phases.merging),
    ("assume", |tally| tally.phases.assuming),
    ("simplify", |tally| tally.phases.simplifying),
    ("solve", |tally| tally.solving),
];

/// Below this a phase is noise, whatever its exponent.
const NOTICEABLE: Duration = Duration::from_micros(20);

/// The growth of every phase on every shape.
///
/// # Errors
/// When the solver says that a program is not safe that is.
pub fn shapes(solve: &mut Solve<'_>) -> Result<Vec<Figure>, UnexpectedAnswer> {
    let mut figures = Vec::new();
    for (name, solved, build) in SHAPES {
        let mut tallies = Vec::new();
        for bound in BOUNDS {
            let build = |machine: &mut Machine| build(machine, bound);
            let tally = if bound <= solved {
                compare(name, &[Contestant::Seam], RUNS, &build, solve)?
            } else {
                compare(name, &[Contestant::Seam], RUNS, &build, &mut |_, _| {
                    Some(false)
                })?
            };
            let mut tally = tally[&Contestant::Seam];
            if bound > solved {
                tally.solving = Duration::ZERO;
            }
            tallies.push((bound, tally));
        }
        figures.extend(of_shape(name, &tallies));
    }
    Ok(figures)
}

fn of_shape(name: &str, tallies: &[(u64, Tally)]) -> Vec<Figure> {
    let figure = |what: &str, value: f64, detail: String| Figure {
        name: format!("shape_{name}_{what}"),
        value,
        unit: "exponent",
        detail,
    };
    let sizes = tallies
        .iter()
        .map(|(bound, tally)| (*bound as f64, tally.size as f64));
    let sizes: Vec<(f64, f64)> = sizes.collect();
    let mut text = String::new();
    for (bound, size) in &sizes {
        let _ = write!(text, "{bound}: {size}; ");
    }
    let mut figures = vec![figure("formula", growth(&sizes).unwrap_or(0.0), text)];
    for (phase, time) in PHASES {
        let noticeable = tallies
            .iter()
            .filter(|(_, tally)| time(tally) >= NOTICEABLE);
        let points: Vec<(f64, f64)> = noticeable
            .map(|(bound, tally)| (*bound as f64, time(tally).as_secs_f64()))
            .collect();
        let Some(exponent) = growth(&points) else {
            continue;
        };
        let mut text = String::new();
        for (bound, tally) in tallies {
            let milliseconds = 1e3 * time(tally).as_secs_f64();
            let _ = write!(text, "{bound}: {milliseconds:.3} ms; ");
        }
        figures.push(figure(phase, exponent, text));
    }
    figures
}
