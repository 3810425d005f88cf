//! The door's terms and those of engines that execute a program symbolically: options, settings, sites,
//! runs.

use crate::replay::Counterexample;
use foghorn_dsa::Site as ObjectSite;
use foghorn_encode::execute::Notes;
use foghorn_encode::execute::event::Site;
use foghorn_encode::execute::settings::{Facts, InitialRegion, InitialRegions, Settings};
use foghorn_encode::memory::{MemoryChoice, Statistics};
use foghorn_engine::{Candidate, EngineOptions, Knowledge, Noticed, OptionError, SitePlace, Task};
use foghorn_smt::SolverError;
use foghorn_smt::choice::SolverChoice;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The option `memory`, with `no-arm` and `no-store-map`.
pub fn memory(options: &EngineOptions) -> Result<MemoryChoice, OptionError> {
    match options.text("memory") {
        None | Some("seam") => Ok(MemoryChoice::Seam {
            arm: !options.flag("no-arm"),
            store_map: !options.flag("no-store-map"),
        }),
        Some("lambdas") => Ok(MemoryChoice::Lambdas),
        Some("arrays") => Ok(MemoryChoice::Arrays),
        Some(other) => {
            let problem = format!("'{other}' is none of seam, lambdas, arrays");
            Err(OptionError::new("memory", problem))
        }
    }
}

/// The option `solver`.
pub fn solver(options: &EngineOptions) -> Result<SolverChoice, OptionError> {
    match options.text("solver") {
        None | Some("auto") => Ok(SolverChoice::Auto),
        Some("z3") => Ok(SolverChoice::Z3),
        Some("sat") => Ok(SolverChoice::Sat),
        Some("portfolio") => Ok(SolverChoice::Portfolio),
        Some("yices") => Ok(SolverChoice::Yices),
        Some(other) => {
            let problem = format!("'{other}' is none of auto, sat, z3, yices, portfolio");
            Err(OptionError::new("solver", problem))
        }
    }
}

/// The option `unwind-set`: bounds of loops by name.
pub fn bounds(options: &EngineOptions) -> Result<BTreeMap<Arc<str>, u32>, OptionError> {
    let problem = |text: String| OptionError::new("unwind-set", text);
    let list = options.list("unwind-set");
    let pairs = list.iter().map(|item| {
        let (name, bound) = item
            .split_once('=')
            .ok_or_else(|| problem(format!("'{item}' is not LOOP=N")))?;
        let bound = bound
            .parse()
            .map_err(|_| problem(format!("'{bound}' in '{item}' is no number")))?;
        Ok((name.into(), bound))
    });
    pairs.collect()
}

/// What the initial memories can hold.
pub fn initial_regions(task: &Task) -> InitialRegions {
    let Some(entry) = task.pure().entry else {
        return InitialRegions::default();
    };
    let regions = task.regions().of_function(entry).iter();
    let initial = regions.map(|facts| InitialRegion {
        globals: facts
            .sites
            .iter()
            .filter_map(|site| match site {
                ObjectSite::Global(global) => Some(*global),
                ObjectSite::Instruction(..) | ObjectSite::Environment => None,
            })
            .collect(),
        environment: facts.sites.contains(&ObjectSite::Environment),
    });
    InitialRegions(initial.collect())
}

/// What is known of a task, in the terms of the engine.
pub fn settings(task: &Task, knowledge: &Knowledge) -> Settings {
    let proved = knowledge.proved().filter_map(|(id, _)| {
        let site = task.sites().get(id)?;
        Some((site.kind, site.point))
    });
    Settings {
        checks: task.checks().clone(),
        alignment: task.alignment(),
        initial: initial_regions(task),
        proved: proved.collect(),
        facts: Facts::new(&knowledge.certified_facts()),
    }
}

/// Where a site is, in the terms of the door.
pub fn place(task: &Task, site: &Site) -> SitePlace {
    let listed = site.point.and_then(|it| task.sites().find(site.kind, it));
    match listed {
        Some(id) => SitePlace::Listed(id),
        None => SitePlace::Further {
            kind: site.kind,
            point: site.point,
            span: site.span,
        },
    }
}

/// A run as a candidate.
pub fn candidate(counterexample: &Counterexample) -> Candidate {
    Candidate {
        choices: counterexample.choices.clone(),
        layout: counterexample.layout.clone(),
        failure: counterexample.failure.clone(),
        steps: counterexample.steps,
    }
}

/// What an execution noticed.
pub fn noticed(notes: &Notes) -> Noticed {
    let calls = notes.external_calls.iter();
    let over = notes.over_approximations.iter();
    Noticed {
        external_calls: calls.map(ToString::to_string).collect(),
        addresses_as_pointers: notes.addresses_as_pointers,
        fixed_arguments: notes.fixed_arguments,
        over_approximations: over.map(|(what, span)| (what.to_string(), *span)).collect(),
    }
}

/// What a solver's error says about the run.
pub fn describe(error: &SolverError) -> String {
    match error {
        SolverError::File { .. } => format!("cannot write {error}"),
        other => other.to_string(),
    }
}

/// The statistics of a memory representation, by the names of reports.
pub fn memory_statistics(memory: &Statistics) -> BTreeMap<String, f64> {
    let entries = [
        ("preprocessing_s", memory.preprocessing.as_secs_f64()),
        ("memory_reads", memory.reads as f64),
        ("row_hits", memory.hits as f64),
        ("row_skips", memory.skips as f64),
        ("arm_skips", memory.arm_skips as f64),
        ("row_splits", memory.splits as f64),
        ("store_map_hits", memory.store_map_hits as f64),
    ];
    let entries = entries.into_iter();
    entries
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}
