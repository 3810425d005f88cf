//! `foghorn bench`.

use super::{CommandResult, Failure};
use crate::arguments::{BenchArguments, BenchName};
use crate::bench::{Figures, interpreter, libraries, start};
use crate::exit::Exit;
use std::path::Path;

pub fn execute(arguments: &BenchArguments) -> CommandResult {
    let figures = match arguments.name {
        BenchName::Interpreter => interpreter::measure(),
        BenchName::Terms => Ok(libraries::terms()),
        BenchName::Solvers => libraries::solvers(),
        BenchName::Absint => Ok(libraries::absint()),
        BenchName::Memory => libraries::memory(),
        BenchName::Dsa => Ok(libraries::dsa()),
        BenchName::Kiki => libraries::kiki(),
        BenchName::Horn => libraries::horn(),
        BenchName::Start => start::measure(),
    }
    .map_err(Failure::internal)?;
    match &arguments.json {
        None => print_table(&figures),
        Some(out) => write_json(&figures, out)?,
    }
    Ok(Exit::Success)
}

fn print_table(figures: &Figures) {
    let width = figures
        .figures
        .iter()
        .map(|f| f.name.len())
        .max()
        .unwrap_or(0);
    for figure in &figures.figures {
        println!(
            "{:width$}  {:>10.2} {:8}  {}",
            figure.name, figure.value, figure.unit, figure.detail
        );
    }
}

fn write_json(figures: &Figures, out: &Path) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(figures).map_err(Failure::internal)?;
    if out == Path::new("-") {
        println!("{text}");
        return Ok(());
    }
    std::fs::write(out, text + "\n").map_err(|error| {
        Failure::input(anyhow::Error::new(error).context(format!("cannot write {}", out.display())))
    })
}
