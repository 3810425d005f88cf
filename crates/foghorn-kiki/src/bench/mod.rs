//! Figures of kIkI: summaries against inlining, a solver that keeps what it has learned against one that starts afresh,
//! search for bounds against enumeration. All of them in one run.

mod afresh;
mod programs;

pub use afresh::Comparison;
pub(crate) use afresh::Twice;

use crate::answer::{KikiReport, SiteVerdict};
use crate::engine::check;
use crate::options::{Kiki, Mode};
use crate::strategy::Strategy;
use crate::template::{Kind, Selection};
use foghorn_core::{Budget, Figure};
use foghorn_encode::execute::settings::Settings;
use foghorn_ir::Module;
use foghorn_smt::SolverError;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Lengths of chains of functions.
const CHAINS: [usize; 6] = [5, 12, 25, 50, 100, 200];

/// Loop programs that a kept solver is compared on.
const LOOPS: u32 = 20;

/// What takes longer is given up, and said to have taken this.
const GIVEN_UP: Duration = Duration::from_secs(120);

/// Inlining is given up after so many times what summaries take.
const PATIENCE: u32 = 6;

/// Bits of the largest bound that is found state by state.
const ENUMERATED_BITS: u32 = 10;

/// All figures.
pub fn run() -> Result<Vec<Figure>, SolverError> {
    let mut figures = chains()?;
    figures.push(kept_solver()?);
    figures.extend(searches()?);
    Ok(figures)
}

fn options() -> Kiki {
    Kiki {
        settings: Settings {
            checks: "assertions".parse().expect("invariant: it is a group"),
            ..Settings::default()
        },
        argues: false,
        ..Kiki::default()
    }
}

/// How long a check takes, and whether everything was proved.
fn time(module: &Module, options: &Kiki) -> Result<(Duration, KikiReport), SolverError> {
    time_within(module, options, GIVEN_UP)
}

fn time_within(
    module: &Module,
    options: &Kiki,
    most: Duration,
) -> Result<(Duration, KikiReport), SolverError> {
    let budget = Budget::unlimited().within(most);
    let started = Instant::now();
    let report = check(module, options, &budget, &mut |_| {})?;
    Ok((started.elapsed(), report))
}

fn is_proved(report: &KikiReport) -> bool {
    let mut answers = report.answers.iter();
    report.incomplete.is_none() && answers.all(|it| matches!(it.verdict, SiteVerdict::Safe))
}

/// Chains of functions, with summaries and inlined.
fn chains() -> Result<Vec<Figure>, SolverError> {
    let with = Kiki {
        summaries: true,
        ..options()
    };
    let mut curve = vec![];
    let mut longest = (Duration::ZERO, Duration::ZERO);
    let mut unproved = 0;
    for length in CHAINS {
        let module = programs::chain(length);
        let (summarised, report) = time(&module, &with)?;
        unproved += u32::from(!is_proved(&report));
        curve.push((length as f64, summarised.as_secs_f64()));
        if length == CHAINS[CHAINS.len() - 1] {
            let (inlined, _) = time_within(&module, &options(), summarised * PATIENCE)?;
            longest = (summarised, inlined);
        }
    }
    let seconds: Vec<String> = curve.iter().map(|it| format!("{:.2}", it.1)).collect();
    let (summarised, inlined) = (longest.0.as_secs_f64(), longest.1.as_secs_f64());
    let length = CHAINS[CHAINS.len() - 1];
    Ok(vec![
        Figure {
            name: "kiki_summaries_growth_exponent".to_owned(),
            value: exponent(&curve[1..]),
            unit: "exponent".to_owned(),
            detail: format!("chains of {CHAINS:?} functions: {} s", seconds.join(", ")),
        },
        Figure {
            name: "kiki_summaries_unproved".to_owned(),
            value: f64::from(unproved),
            unit: "chains".to_owned(),
            detail: format!("of {}", CHAINS.len()),
        },
        Figure {
            name: "kiki_inlining_over_summaries".to_owned(),
            value: inlined / summarised,
            unit: "times".to_owned(),
            detail: format!(
                "{length} functions: {inlined:.2} s inlined, given up at {PATIENCE} times; {summarised:.2} s with summaries",
            ),
        },
    ])
}

/// The slope of a curve where both axes are logarithmic, by least squares.
fn exponent(curve: &[(f64, f64)]) -> f64 {
    let points: Vec<(f64, f64)> = curve.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = points.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(&|it| it.0), mean(&|it| it.1));
    let products: f64 = points.iter().map(|it| (it.0 - x) * (it.1 - y)).sum();
    let squares: f64 = points.iter().map(|it| (it.0 - x) * (it.0 - x)).sum();
    products / squares
}

/// One solver for all questions of a program, against one for each.
fn kept_solver() -> Result<Figure, SolverError> {
    let comparison = Arc::new(Mutex::new(Comparison::default()));
    for number in 0..LOOPS {
        let options = Kiki {
            compared: Some(Arc::clone(&comparison)),
            most_copies: 8,
            ..options()
        };
        time(&programs::loop_program(number), &options)?;
    }
    let all = comparison.lock().map(|all| *all).unwrap_or_default();
    Ok(Figure {
        name: "kiki_afresh_over_kept_solver".to_owned(),
        value: all.afresh.as_secs_f64() / all.kept.as_secs_f64(),
        unit: "times".to_owned(),
        detail: format!(
            "{LOOPS} programs, {} questions, {} answered differently: {:.2} s afresh, {:.2} s kept",
            all.questions,
            all.differing,
            all.afresh.as_secs_f64(),
            all.kept.as_secs_f64()
        ),
    })
}

/// Questions until the bound of a counter is found.
fn searches() -> Result<Vec<Figure>, SolverError> {
    let questions = |strategy: Strategy, bits: u32| -> Result<u32, SolverError> {
        let options = Kiki {
            mode: Mode::Invariants,
            selection: Selection::of(&[Kind::Intervals]),
            strategy,
            decided: 0,
            ..options()
        };
        let (_, report) = time(&programs::count_to(1 << bits), &options)?;
        Ok(report.statistics.queries)
    };
    let mut by_search = vec![];
    for bits in [ENUMERATED_BITS, 16, 24, 31] {
        by_search.push((bits, questions(Strategy::Search, bits)?));
    }
    let enumerated = questions(Strategy::Enumeration, ENUMERATED_BITS)?;
    let last = by_search[by_search.len() - 1];
    Ok(vec![
        Figure {
            name: "kiki_search_questions_per_bit".to_owned(),
            value: f64::from(last.1) / f64::from(last.0),
            unit: "questions".to_owned(),
            detail: format!("bits of the bound, questions: {by_search:?}"),
        },
        Figure {
            name: "kiki_enumeration_over_search".to_owned(),
            value: f64::from(enumerated) / f64::from(by_search[0].1),
            unit: "times".to_owned(),
            detail: format!(
                "a bound of {}: {enumerated} questions state by state, {} by search",
                1 << ENUMERATED_BITS,
                by_search[0].1
            ),
        },
    ])
}
