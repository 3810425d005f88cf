//! What a verdict costs beside the engines: `foghorn verify` against `foghorn ir`.
//!
//! The programs are proved in no time, so that what is measured is the way to the engines: processes, the
//! program written and read, the plan. The two commands alternate and the best of each counts.

use super::Figures;
use anyhow::ensure;
use foghorn_core::Figure;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PROGRAMS: &[(&str, &str)] = &[
    ("nothing", "int main(void) { return 0; }\n"),
    (
        "one_check",
        "extern void __VERIFIER_assert(int);\nextern unsigned __VERIFIER_nondet_uint(void);\n\
         int main(void) {\n  unsigned x = __VERIFIER_nondet_uint() % 8;\n  \
         __VERIFIER_assert(x < 8);\n  return 0;\n}\n",
    ),
];

const ROUNDS: usize = 9;

/// Measures all programs.
pub fn measure() -> anyhow::Result<Figures> {
    let folder = tempfile::tempdir()?;
    let mut figures = Figures::default();
    for (name, text) in PROGRAMS {
        let source = folder.path().join(format!("{name}.c"));
        std::fs::write(&source, text)?;
        figures.figures.push(measure_one(name, &source)?);
    }
    Ok(figures)
}

fn measure_one(name: &str, source: &Path) -> anyhow::Result<Figure> {
    let (mut ir, mut verify) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        ir = ir.min(time("ir", source)?);
        verify = verify.min(time("verify", source)?);
    }
    Ok(Figure {
        name: format!("verify_over_ir_{name}"),
        value: verify.as_secs_f64() / ir.as_secs_f64(),
        unit: "times".into(),
        detail: format!(
            "{:.0} ms over {:.0} ms, best of {ROUNDS}",
            verify.as_secs_f64() * 1e3,
            ir.as_secs_f64() * 1e3
        ),
    })
}

/// How long a command of this very program takes.
fn time(command: &str, source: &Path) -> anyhow::Result<Duration> {
    let started = Instant::now();
    let status = Command::new(std::env::current_exe()?)
        .arg(command)
        .arg(source)
        .stdout(Stdio::null())
        .status()?;
    let elapsed = started.elapsed();
    ensure!(status.success(), "{command} ended with {status}");
    Ok(elapsed)
}
