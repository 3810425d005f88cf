//! What `foghorn bench horn` measures: how clauses and their solution grow with the program.
//!
//! Programs are made by rule and are all safe: one loop whose body has 10 to 1,000 instructions, calls 1 to 100 deep
//! inlined, with summaries, and with mixed semantics and a check in each, 1 to 50 regions in one loop, and cells against
//! arrays on four programs with memory. They are solved as the commands solve them. Each is asked
//! within a limit; one that is not answered counts as having taken all of it, and the detail says so.

use crate::form::{Form, MemoryForm, ProcedureForm};
use crate::solve::{Decision, Solving, decide};
use foghorn_core::{Budget, CheckSelection, Figure};
use foghorn_engine::{Circumstances, Task};
use foghorn_ir::parse_module;
use foghorn_smt::horn::WorkerCommand;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// A program gets so long.
const LIMIT: Duration = Duration::from_secs(10);

const BODIES: [usize; 3] = [10, 100, 1_000];
const DEPTHS: [usize; 3] = [1, 10, 100];
const REGIONS: [usize; 4] = [1, 5, 20, 50];

/// Measures everything.
///
/// # Errors
/// A sentence if a program of the benchmark is refused or refuted: then it is not what it is meant to be.
pub fn run(worker: Option<&WorkerCommand>) -> Result<Vec<Figure>, String> {
    let bench = Bench { worker };
    let usual = Form::default();
    let summaries = Form {
        procedures: ProcedureForm::Summaries,
        ..usual
    };
    let mixed = Form {
        procedures: ProcedureForm::Mixed,
        ..usual
    };
    let mut figures = vec![
        bench.growth("horn_body_growth_exponent", &BODIES, body, usual)?,
        bench.growth("horn_inlined_calls_growth_exponent", &DEPTHS, calls, usual)?,
        bench.growth("horn_summaries_growth_exponent", &DEPTHS, calls, summaries)?,
        bench.growth("horn_mixed_growth_exponent", &DEPTHS, failing_calls, mixed)?,
        bench.growth("horn_regions_growth_exponent", &REGIONS, regions, usual)?,
    ];
    for (name, text) in [
        ("fill", FILL),
        ("copy", COPY),
        ("list_build", LIST_BUILD),
        ("list_free", LIST_FREE),
    ] {
        figures.push(bench.arrays_to_cells(name, text)?);
    }
    Ok(figures)
}

struct Measured {
    seconds: f64,
    answered: bool,
}

impl Measured {
    fn tell(&self) -> String {
        match self.answered {
            true => format!("{:.3} s", self.seconds),
            false => format!("no answer in {:.0} s", self.seconds),
        }
    }
}

/// Solves as the commands do.
struct Bench<'b> {
    worker: Option<&'b WorkerCommand>,
}

impl Bench<'_> {
    fn measure(&self, text: &str, form: Form) -> Result<Measured, String> {
        let task = task(text)?;
        let solving = Solving {
            forms: vec![form],
            worker: self.worker.cloned(),
            ..Solving::default()
        };
        let began = Instant::now();
        let outcome = decide(&task, &solving, &Budget::unlimited().within(LIMIT));
        let took = began.elapsed().min(LIMIT).as_secs_f64();
        let (mut answered, mut count) = (true, 0);
        for decision in outcome.decisions.values() {
            count += 1;
            match decision {
                Decision::Safe => {}
                Decision::Open(_) => answered = false,
                Decision::Unsafe(_) => return Err(format!("a safe program is refuted:\n{text}")),
            }
        }
        if count == 0 {
            return Err(format!("a program has no check:\n{text}"));
        }
        Ok(Measured {
            seconds: if answered { took } else { LIMIT.as_secs_f64() },
            answered,
        })
    }

    /// The slope of time over size, both in logarithms.
    fn growth(
        &self,
        name: &str,
        sizes: &[usize],
        text: fn(usize) -> String,
        form: Form,
    ) -> Result<Figure, String> {
        let (mut points, mut detail) = (vec![], vec![]);
        for &size in sizes {
            let measured = self.measure(&text(size), form)?;
            points.push(((size as f64).ln(), measured.seconds.max(1e-4).ln()));
            detail.push(format!("{size}: {}", measured.tell()));
        }
        Ok(Figure {
            name: name.to_owned(),
            value: slope(&points),
            unit: "exponent".to_owned(),
            detail: detail.join(", "),
        })
    }

    fn arrays_to_cells(&self, name: &str, text: &str) -> Result<Figure, String> {
        let usual = Form::default();
        let arrays = Form {
            memory: MemoryForm::Arrays,
            ..usual
        };
        let (cells, arrays) = (self.measure(text, usual)?, self.measure(text, arrays)?);
        Ok(Figure {
            name: format!("horn_arrays_to_cells_{name}"),
            value: arrays.seconds / cells.seconds,
            unit: "times".to_owned(),
            detail: format!("arrays {}, cells {}", arrays.tell(), cells.tell()),
        })
    }
}

fn task(text: &str) -> Result<Task, String> {
    let text = format!("foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n{text}");
    let program = parse_module(&text).map_err(|error| error.to_string())?;
    let mut pure = program.clone();
    let options = foghorn_dsa::Options::default();
    let pointers = foghorn_dsa::memory_ssa::plan::purify(&mut pure, &options);
    let checks: CheckSelection = "assertions,memory-safety"
        .parse()
        .map_err(|_| "the groups of checks have other names".to_owned())?;
    let circumstances = Circumstances::default();
    let made = Task::new(program, pure, &pointers, checks, false, circumstances);
    made.map(|made| made.0).map_err(|error| error.to_string())
}

fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let above: f64 = points.iter().map(|(a, b)| (a - x) * (b - y)).sum();
    let below: f64 = points.iter().map(|(a, _)| (a - x) * (a - x)).sum();
    above / below
}

/// A loop with so many instructions in its body.
fn body(instructions: usize) -> String {
    let mut text = "function @main() -> i32 {\n\
        block0:\n jump block1(0:i32)\n\
        block1(v0:i32):\n v1:i1 = compare slt v0, 1000\n branch v1, block2, block3\n\
        block2:\n v2:i32 = add v0, 1\n"
        .to_owned();
    for number in 3..=instructions + 1 {
        // Writing to a string does not fail.
        let _ = writeln!(text, "v{number}:i32 = add v{}, 1", number - 1);
    }
    let (last, sum) = (instructions + 1, instructions + 2);
    let _ = write!(
        text,
        "v{sum}:i32 = add v0, {instructions}\n v{}:i1 = compare eq v{last}, v{sum}\n\
         check assertion v{}\n jump block1(v2)\nblock3:\n return 0:i32\n}}\n",
        sum + 1,
        sum + 1
    );
    text
}

/// Functions that call each other, so deep.
fn calls(depth: usize) -> String {
    chain(depth, "v2:i1 = compare ult v1, 2000\n")
}

/// The same with a check in each.
fn failing_calls(depth: usize) -> String {
    chain(depth, "v2:i1 = compare ult v1, 2000\n check assertion v2\n")
}

fn chain(depth: usize, check: &str) -> String {
    let mut text = format!(
        "function @main() -> i32 {{\n\
         block0:\n v0:i32 = nondet input \"n\"\n v1:i1 = compare ult v0, 1000\n assume v1\n\
         v2:i32 = call @f{depth}(v0)\n v3:i32 = add v0, {depth}\n v4:i1 = compare eq v2, v3\n\
         check assertion v4\n return 0:i32\n}}\n\
         function @f0(i32) -> i32 {{\nblock0(v0:i32):\n return v0\n}}\n"
    );
    for number in 1..=depth {
        let _ = write!(
            text,
            "function @f{number}(i32) -> i32 {{\nblock0(v0:i32):\n v1:i32 = call @f{}(v0)\n {check}\
             v3:i32 = add v1, 1\n return v3\n}}\n",
            number - 1
        );
    }
    text
}

/// So many regions, each written in every iteration.
fn regions(count: usize) -> String {
    let mut text = "function @main() -> i32 {\nblock0:\n".to_owned();
    for number in 0..count {
        let _ = write!(
            text,
            "v{number}:ptr = allocate stack 4, align 4\n store 0:i32 to v{number}, align 4\n"
        );
    }
    let head = count + 1;
    let _ = write!(
        text,
        "v{count}:i32 = nondet input \"n\"\n jump block1(0:i32)\n\
         block1(v{head}:i32):\n v{}:i1 = compare slt v{head}, v{count}\n branch v{}, block2, block3\n\
         block2:\n v{}:i32 = add v{head}, 1\n",
        head + 1,
        head + 1,
        head + 2
    );
    for number in 0..count {
        let _ = writeln!(text, "store v{} to v{number}, align 4", head + 2);
    }
    let _ = write!(text, "jump block1(v{})\nblock3:\n", head + 2);
    for number in 0..count {
        let (loaded, holds) = (head + 3 + 2 * number, head + 4 + 2 * number);
        let _ = write!(
            text,
            "v{loaded}:i32 = load v{number}, align 4\n v{holds}:i1 = compare eq v{loaded}, v{head}\n\
             check assertion v{holds}\n"
        );
    }
    text + " return 0:i32\n}\n"
}

const FILL: &str = "function @main() -> i32 {\n\
    block0:\n v0:ptr = allocate stack 40, align 16\n jump block1(0:i64)\n\
    block1(v1:i64):\n v2:i1 = compare slt v1, 10\n branch v2, block2, block3\n\
    block2:\n v3:ptr = pointer-add v0 + v1 * 4\n store 7:i32 to v3, align 4\n\
    v4:i64 = add v1, 1\n jump block1(v4)\n\
    block3:\n v5:i64 = nondet input \"j\"\n v6:i1 = compare ult v5, 10\n assume v6\n\
    v7:ptr = pointer-add v0 + v5 * 4\n v8:i32 = load v7, align 4\n v9:i1 = compare eq v8, 7\n\
    check assertion v9\n return 0:i32\n}\n";

const COPY: &str = "function @main() -> i32 {\n\
    block0:\n v0:ptr = allocate stack 40, align 16\n v1:ptr = allocate stack 40, align 16\n jump block1(0:i64)\n\
    block1(v2:i64):\n v3:i1 = compare slt v2, 10\n branch v3, block2, block3(0:i64)\n\
    block2:\n v4:ptr = pointer-add v0 + v2 * 4\n store 7:i32 to v4, align 4\n\
    v5:i64 = add v2, 1\n jump block1(v5)\n\
    block3(v6:i64):\n v7:i1 = compare slt v6, 10\n branch v7, block4, block5\n\
    block4:\n v8:ptr = pointer-add v0 + v6 * 4\n v9:i32 = load v8, align 4\n\
    v10:ptr = pointer-add v1 + v6 * 4\n store v9 to v10, align 4\n v11:i64 = add v6, 1\n jump block3(v11)\n\
    block5:\n v12:i64 = nondet input \"j\"\n v13:i1 = compare ult v12, 10\n assume v13\n\
    v14:ptr = pointer-add v1 + v12 * 4\n v15:i32 = load v14, align 4\n v16:i1 = compare eq v15, 7\n\
    check assertion v16\n return 0:i32\n}\n";

const LIST_BUILD: &str = "function @main() -> i32 {\n\
    block0:\n jump block1(null)\n\
    block1(v0:ptr):\n v1:i32 = nondet input \"more\"\n v2:i1 = compare ne v1, 0\n\
    branch v2, block2, block3(v0)\n\
    block2:\n v3:ptr = allocate heap 8, align 16\n store v0 to v3, align 8\n jump block1(v3)\n\
    block3(v4:ptr):\n v5:i1 = compare ne v4, null\n branch v5, block4, block5\n\
    block4:\n v6:ptr = load v4, align 8\n jump block3(v6)\n\
    block5:\n return 0:i32\n}\n";

const LIST_FREE: &str = "function @main() -> i32 {\n\
    block0:\n jump block1(null)\n\
    block1(v0:ptr):\n v1:i32 = nondet input \"more\"\n v2:i1 = compare ne v1, 0\n\
    branch v2, block2, block3(v0)\n\
    block2:\n v3:ptr = allocate heap 8, align 16\n store v0 to v3, align 8\n jump block1(v3)\n\
    block3(v4:ptr):\n v5:i1 = compare ne v4, null\n branch v5, block4, block5\n\
    block4:\n v6:ptr = load v4, align 8\n free v4\n jump block3(v6)\n\
    block5:\n return 0:i32\n}\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_of_the_benchmark_are_proved() {
        for text in [body(10), calls(3), FILL.to_owned()] {
            let measured = Bench { worker: None }
                .measure(&text, Form::default())
                .expect("it is safe");
            assert!(measured.answered, "{text}");
        }
        task(&regions(3)).expect("it is a program");
    }

    #[test]
    fn a_square_has_the_slope_two() {
        let points: Vec<(f64, f64)> = [1.0, 2.0, 4.0_f64]
            .iter()
            .map(|x| (x.ln(), (x * x).ln()))
            .collect();
        assert!((slope(&points) - 2.0).abs() < 1e-9);
    }
}
