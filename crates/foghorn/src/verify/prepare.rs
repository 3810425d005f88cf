//! The program once: translated, prepared, analysed and written down for every stage.

use super::bounds;
use super::circumstances::{Asked, circumstances};
use crate::arguments::ProgramArguments;
use crate::command::Failure;
use crate::program;
use foghorn_core::{Assumption, CheckSelection};
use foghorn_driver::checks::CheckList;
use foghorn_engine::{Noticed, ProgramHash, Progress, Task};
use foghorn_frontend::Translation;
use foghorn_witness::report::CheckReport;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What is to be prepared.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Preparation {
    pub program: ProgramArguments,
    /// Groups of checks, as on the command line.
    pub check: String,
    pub misaligned: bool,
    /// Loops that were given bounds, by name: they have to exist.
    pub bounded: Vec<String>,
    /// Where the task is written.
    pub task: PathBuf,
}

/// What was prepared.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ready {
    pub hash: ProgramHash,
    /// All checks, undecided, by the numbers of their sites.
    pub checks: Vec<CheckReport>,
    pub is_loop_free: bool,
    /// Nothing in it could fail, in either of its forms.
    pub has_nothing: bool,
    /// What every answer rests on.
    pub assumptions: Vec<Assumption>,
    /// What the front end has to say, and clang too if that was asked for.
    pub notes: Vec<String>,
}

/// Prepares a program in this process and writes it down.
pub fn prepare(
    preparation: &Preparation,
    tell: &mut dyn FnMut(Progress),
) -> Result<Ready, Failure> {
    let (task, bytes, notes) = make(preparation, tell)?;
    Task::write(&bytes, &preparation.task).map_err(Failure::internal)?;
    Ok(Ready {
        hash: task.hash(),
        checks: CheckList::new(&task).all().to_vec(),
        is_loop_free: task.is_loop_free(),
        has_nothing: task.has_nothing(),
        assumptions: task.circumstances().assumptions(&Noticed::default()),
        notes,
    })
}

/// The task, as it is and as it is written, and what the front end has to say.
pub fn make(
    preparation: &Preparation,
    tell: &mut dyn FnMut(Progress),
) -> Result<(Task, Vec<u8>, Vec<String>), Failure> {
    let checks: CheckSelection = preparation.check.parse().map_err(Failure::usage)?;
    tell(Progress::phase("translating"));
    let translation = program::load(&preparation.program, &[])?;
    let notes = notes(&translation, preparation.program.warnings);
    let bounded = preparation.bounded.iter().map(String::as_str);
    bounds::check_names(&translation.module, bounded, &[])?;
    tell(Progress::phase("analysing pointers"));
    let mut pure = translation.module.clone();
    let pointers = program::purify(&mut pure);
    let asked = Asked {
        program: &preparation.program,
        checks: &checks,
        misaligned: preparation.misaligned,
    };
    let circumstances = circumstances(&asked, &translation, &pure);
    let (task, bytes) = Task::new(
        translation.module,
        pure,
        &pointers,
        checks,
        preparation.misaligned,
        circumstances,
    )
    .map_err(Failure::internal)?;
    Ok((task, bytes, notes))
}

fn notes(translation: &Translation, clang: bool) -> Vec<String> {
    let mut notes = translation.notes.clone();
    if clang {
        let lines = translation.warnings.iter().flat_map(|text| text.lines());
        let lines = lines.filter(|line| line.contains("warning: "));
        notes.extend(lines.map(|line| format!("clang: {line}")));
    }
    notes
}
