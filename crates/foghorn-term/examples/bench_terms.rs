//! Runs the benchmark of terms and prints its figures.
#![allow(clippy::print_stdout, reason = "an example is a program of its own")]

fn main() {
    for figure in foghorn_term::bench::terms() {
        println!(
            "{:<70} {:>12.3} {}\n    {}",
            figure.name, figure.value, figure.unit, figure.detail
        );
    }
}
