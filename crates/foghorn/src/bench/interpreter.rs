//! The interpreter against the machine.
//!
//! Five programs, each compiled by clang -O0 and run, and interpreted; only execution counts, not
//! compilation. The two ways alternate and the best of each counts. Output must agree, else the
//! comparison means nothing.

use super::Figures;
use crate::difftest::child::{self, Finished};
use anyhow::{Context, ensure};
use foghorn_core::Figure;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const PROGRAMS: &[(&str, &str)] = &[
    ("arrays", include_str!("programs/arrays.c")),
    ("structs", include_str!("programs/structs.c")),
    ("calls", include_str!("programs/calls.c")),
    ("floats", include_str!("programs/floats.c")),
    ("bits", include_str!("programs/bits.c")),
];

const ROUNDS: usize = 3;
const LIMIT: Duration = Duration::from_secs(120);

/// Measures all programs.
pub fn measure() -> anyhow::Result<Figures> {
    let folder = tempfile::tempdir()?;
    let mut figures = Figures::default();
    for (name, text) in PROGRAMS {
        figures
            .figures
            .push(measure_one(name, text, folder.path())?);
    }
    let worst = figures.figures.iter().map(|f| f.value).fold(0.0, f64::max);
    figures.figures.push(Figure {
        name: "interpreter_slowdown_worst".into(),
        value: worst,
        unit: "times".into(),
        detail: "largest of the ratios above".into(),
    });
    Ok(figures)
}

fn measure_one(name: &str, text: &str, folder: &Path) -> anyhow::Result<Figure> {
    let source = folder.join(format!("{name}.c"));
    std::fs::write(&source, text)?;
    let native = folder.join(name);
    compile(&source, &native)?;
    let program = crate::program::load_file(&source)?;
    let mut machine = Duration::MAX;
    let mut ours = Duration::MAX;
    let mut steps = 0;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let finished = run(&native)?;
        machine = machine.min(start.elapsed());
        let start = Instant::now();
        let interpreted = crate::program::interpret_quietly(&program)?;
        ours = ours.min(start.elapsed());
        ensure!(
            interpreted.stdout == finished.stdout,
            "{name}: outputs differ"
        );
        steps = interpreted.steps;
    }
    let nanoseconds = ours.as_nanos() as f64 / steps.max(1) as f64;
    Ok(Figure {
        name: format!("interpreter_slowdown_{name}"),
        value: ours.as_secs_f64() / machine.as_secs_f64(),
        unit: "times".into(),
        detail: format!(
            "clang -O0 {machine:.1?}, interpreter {ours:.1?}, {steps} instructions, \
             {nanoseconds:.1} ns each"
        ),
    })
}

fn compile(source: &Path, binary: &Path) -> anyhow::Result<()> {
    let clang = foghorn_frontend::default_clang();
    let mut command = Command::new(clang);
    command
        .args(["-O0", "-w"])
        .arg(source)
        .arg("-o")
        .arg(binary);
    let built = child::run(&mut command, LIMIT)?.context("clang did not end")?;
    ensure!(
        built.code == Some(0),
        "clang failed: {}",
        String::from_utf8_lossy(&built.stderr)
    );
    Ok(())
}

fn run(binary: &Path) -> anyhow::Result<Finished> {
    child::run(&mut Command::new(binary), LIMIT)?.context("the native program did not end")
}
