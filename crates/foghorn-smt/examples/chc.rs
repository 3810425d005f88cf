//! `chc FILE.smt2 [--model] [--derivation] [--timeout SECONDS]`: solves a file of Horn clauses.

#![allow(clippy::print_stdout)]

use foghorn_smt::chc::{self, ChcOptions};
use foghorn_smt::horn::HornAnswer;
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = ChcOptions::default();
    let mut model = false;
    let mut path = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--model" => model = true,
            "--derivation" => options.derivation = true,
            "--timeout" => {
                let seconds = arguments.next().ok_or("--timeout needs seconds")?;
                options.timeout = Some(Duration::from_secs_f64(seconds.parse()?));
            }
            _ => path = Some(argument),
        }
    }
    let text = std::fs::read_to_string(path.ok_or("which file?")?)?;
    let file = chc::read(&text)?;
    let answer = chc::solve(&file, &options)?;
    println!("{}", answer.word());
    match answer {
        HornAnswer::Solved(invariants) if model => print!("{}", chc::model_text(&invariants)),
        HornAnswer::Refuted(Some(derivation)) => {
            print!("{}", chc::derivation_text(&file, &derivation));
        }
        HornAnswer::Unknown(reason) => println!("; {reason}"),
        HornAnswer::Solved(_) | HornAnswer::Refuted(None) => {}
    }
    Ok(())
}
