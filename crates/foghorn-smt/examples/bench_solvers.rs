//! `bench_solvers [TIMEOUT [SOLVER]]`: prints the figures of `bench solvers`.

#![allow(clippy::print_stdout)]

use foghorn_smt::bench::{BenchOptions, solvers};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds: u64 = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 20,
    };
    let deps = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.deps");
    let options = BenchOptions {
        timeout: Duration::from_secs(seconds),
        z3_program: Some(format!("{deps}/z3/bin/z3")),
        yices_program: Some(format!("{deps}/yices/bin/yices-smt2")),
        only: std::env::args().nth(2),
    };
    for figure in solvers(&options)? {
        println!(
            "{:40} {:10.3} {} ({})",
            figure.name, figure.value, figure.unit, figure.detail
        );
    }
    Ok(())
}
