//! What `foghorn bench dsa` measures: how the analysis and the pure form grow with the program.
//!
//! Programs are made by rule, from one thousand to two hundred thousand instructions. Each function
//! makes a list element with an array, fills the array in a loop, copies the element, publishes it
//! in a global and hands the list to two other functions; one in eight calls through a table of
//! callbacks. Function `i` calls `i / 2` and `i / 4`, so that the depth of the call graph grows
//! with the logarithm and functions are shared by many callers in many contexts.
//!
//! Time is that of the processor where the system tells it, so that a busy machine does not count.

use crate::memory_ssa::plan::purify;
use crate::{Mode, Options, analyse};
use foghorn_core::Figure;
use foghorn_ir::{Module, parse_module};
use std::fmt::Write;
use std::time::Instant;

/// Sizes of the programs, in instructions, about.
pub const SIZES: [usize; 6] = [1_000, 3_000, 10_000, 30_000, 100_000, 200_000];

/// Instructions of one function, about.
const PER_FUNCTION: usize = 33;

/// Small programs are analysed again until so much time was spent on them: the system counts
/// processor time in steps of some milliseconds.
const LEAST_SECONDS: f64 = 0.2;

struct Measured {
    instructions: usize,
    regions: usize,
    analysis: f64,
    without_contexts: f64,
    flat: f64,
    pure: f64,
}

/// Measures all sizes.
pub fn run() -> Vec<Figure> {
    let curve: Vec<Measured> = SIZES.iter().map(|&size| measure(size)).collect();
    let mut figures = vec![
        growth("dsa_growth_exponent", &curve, |m| m.analysis),
        growth("dsa_ci_growth_exponent", &curve, |m| m.without_contexts),
        growth("dsa_flat_growth_exponent", &curve, |m| m.flat),
        growth("dsa_pure_growth_exponent", &curve, |m| m.pure),
        growth("dsa_regions_growth_exponent", &curve, |m| m.regions as f64),
    ];
    let (Some(small), Some(large)) = (curve.get(2), curve.last()) else {
        return figures;
    };
    let per = |m: &Measured, seconds: f64| 1e9 * seconds / m.instructions as f64;
    figures.push(Figure {
        name: "dsa_time_per_instruction_200k_to_10k".into(),
        value: per(large, large.analysis) / per(small, small.analysis),
        unit: "times".into(),
        detail: format!(
            "{:.0} ns and {:.0} ns per instruction",
            per(large, large.analysis),
            per(small, small.analysis)
        ),
    });
    figures.push(Figure {
        name: "dsa_pure_to_analysis_200k".into(),
        value: large.pure / large.analysis,
        unit: "times".into(),
        detail: format!(
            "the way to the pure form {:.3} s, of which two analyses; one analysis {:.3} s",
            large.pure, large.analysis
        ),
    });
    figures
}

fn growth(name: &str, curve: &[Measured], of: impl Fn(&Measured) -> f64) -> Figure {
    let points: Vec<(f64, f64)> = curve
        .iter()
        .map(|m| ((m.instructions as f64).ln(), of(m).max(1e-9).ln()))
        .collect();
    let detail: Vec<String> = curve
        .iter()
        .map(|m| format!("{}: {:.4}", m.instructions, of(m)))
        .collect();
    Figure {
        name: name.to_owned(),
        value: slope(&points),
        unit: "exponent".into(),
        detail: detail.join(", "),
    }
}

/// The slope of the line through the points, by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let (sum_x, sum_y) = points
        .iter()
        .fold((0.0, 0.0), |(x, y), p| (x + p.0, y + p.1));
    let (mean_x, mean_y) = (sum_x / count, sum_y / count);
    let over: f64 = points.iter().map(|p| (p.0 - mean_x) * (p.1 - mean_y)).sum();
    let under: f64 = points.iter().map(|p| (p.0 - mean_x).powi(2)).sum();
    over / under
}

fn measure(size: usize) -> Measured {
    let text = program(size / PER_FUNCTION);
    let module = parse_module(&text).expect("invariant: the generator writes valid programs");
    let options = Options::default();
    let mode = |mode| Options {
        mode,
        ..Options::default()
    };
    let (without_contexts, flat) = (mode(Mode::Ci), mode(Mode::Flat));
    let statistics = analyse(&module, &options).statistics(&module);
    Measured {
        instructions: statistics.instructions,
        regions: statistics.regions,
        analysis: mean(|| (), |()| drop(analyse(&module, &options))),
        without_contexts: mean(|| (), |()| drop(analyse(&module, &without_contexts))),
        flat: mean(|| (), |()| drop(analyse(&module, &flat))),
        pure: mean(
            || module.clone(),
            |mut module: Module| drop(purify(&mut module, &options)),
        ),
    }
}

/// The time of one run, in seconds: the mean of as many as it takes.
fn mean<T>(prepare: impl Fn() -> T, run: impl Fn(T)) -> f64 {
    let (mut runs, mut total) = (0.0, 0.0);
    while total < LEAST_SECONDS {
        let input = prepare();
        let start = Clock::now();
        run(input);
        total += start.seconds();
        runs += 1.0;
    }
    total / runs
}

/// Processor time of this thread, or time on the wall.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    wall: Instant,
    processor: Option<f64>,
}

impl Clock {
    pub fn now() -> Self {
        Clock {
            wall: Instant::now(),
            processor: processor_seconds(),
        }
    }

    /// Seconds since then.
    pub fn seconds(self) -> f64 {
        match (self.processor, processor_seconds()) {
            (Some(before), Some(now)) => now - before,
            (None, _) | (_, None) => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// Linux tells it in the first number of a file, in nanoseconds.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

/// The text of a program of so many functions.
fn program(functions: usize) -> String {
    let count = functions.max(4);
    let callbacks = count / 16 + 1;
    let mut text = String::from("foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\n");
    for number in 1..=count {
        // Writing to a string does not fail.
        let _ = writeln!(text, "global @g{number} size 8 align 8 = zero");
    }
    for number in 0..callbacks {
        let other = (number + 1) % callbacks;
        let _ = writeln!(
            text,
            "\nglobal @table{number} size 16 align 8 = {{\n  0: @callback{number},\n  8: @callback{other}\n}}\n\
             \nfunction @callback{number}(ptr) {{\nblock0(v0:ptr):\n  v1:ptr = pointer-add v0 + 20\n  \
             store {number}:i32 to v1, align 4\n  return\n}}"
        );
    }
    for number in 1..=count {
        function(&mut text, number, callbacks);
    }
    text += "\nfunction @main(i32) -> i32 {\nblock0(v0:i32):\n";
    for (value, number) in (count / 2..=count).enumerate() {
        let _ = writeln!(text, "  v{}:ptr = call @f{number}(null, v0)", value + 1);
    }
    text + "  return 0:i32\n}\n"
}

fn function(text: &mut String, number: usize, callbacks: usize) {
    let callback = number % callbacks;
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "\nfunction @f{number}(ptr, i32) -> ptr {{
block0(v0:ptr, v1:i32):
  v2:ptr = allocate heap 48, align 16
  v3:ptr = pointer-add v2 + 8
  v4:ptr = allocate heap 64, align 16
  store v4 to v3, align 8
  v5:ptr = pointer-add v2 + 16
  store v1 to v5, align 4
  v6:ptr = pointer-add v2 + 24
  store v4 to v6, align 8
  store v0 to v2, align 8
  jump block1(0:i32)
block1(v7:i32):
  v8:i1 = compare slt v7, v1
  branch v8, block2, block3
block2:
  v9:i64 = sext v7
  v10:ptr = load v3, align 8
  v11:ptr = pointer-add v10 + v9 * 4
  store v7 to v11, align 4
  v12:i32 = add v7, 1
  jump block1(v12)
block3:
  v13:ptr = allocate stack 48, align 8
  memory-copy v13, v2, 48
  v14:ptr = pointer-add v13 + 8
  v15:ptr = load v14, align 8
  v16:i32 = load v15, align 4
  v17:ptr = pointer-add v13 + 16
  store v16 to v17, align 4
  store v2 to @g{number}, align 8
"
    );
    let mut result = 2;
    for callee in [number / 2, number / 4] {
        if callee > 0 {
            let next = 18 + callee % 2;
            let next = if result == next { 20 } else { next };
            let _ = writeln!(text, "  v{next}:ptr = call @f{callee}(v{result}, v1)");
            result = next;
        }
    }
    if number.is_multiple_of(8) {
        let _ = writeln!(
            text,
            "  v21:ptr = load @table{callback}, align 8\n  call-indirect v21(v2)"
        );
    }
    let _ = writeln!(text, "  return v{result}\n}}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_ir::verify_module;

    #[test]
    fn programs_are_valid_and_of_the_asked_size() {
        for size in [200, 1_000, 10_000] {
            let module = parse_module(&program(size / PER_FUNCTION)).expect("it parses");
            let breaches = verify_module(&module);
            assert!(breaches.is_empty(), "{breaches:?}");
            let analysis = analyse(&module, &Options::default());
            let statistics = analysis.statistics(&module);
            assert!(statistics.instructions * 10 > size * 8, "{statistics:?}");
            assert!(statistics.instructions * 10 < size * 13, "{statistics:?}");
            assert_eq!(statistics.unresolved_calls, 0);
            assert_eq!(statistics.collapsed_nodes, 0);
        }
    }

    #[test]
    fn slopes_are_exponents() {
        let points = |power: i32| -> Vec<(f64, f64)> {
            let values = [1.0_f64, 2.0, 4.0, 8.0];
            values.map(|x| (x.ln(), x.powi(power).ln())).to_vec()
        };
        assert!((slope(&points(1)) - 1.0).abs() < 1e-9);
        assert!((slope(&points(2)) - 2.0).abs() < 1e-9);
    }
}
