//! What `foghorn verify` is going to run.

use super::request::EngineName;
use crate::arguments::{EngineArgument, VerifyArguments};
use foghorn_core::CheckSelection;
use foghorn_driver::{Plan, Stage};
use std::time::Duration;

/// What the abstract interpreter gets in front of another engine, at most.
const FIRST: Duration = Duration::from_secs(10);

/// The part of the whole time that it gets, at most.
const FIRST_PART: f64 = 0.2;

/// The stages, each with its engine.
pub fn plan(
    arguments: &VerifyArguments,
    checks: &CheckSelection,
    time: Option<Duration>,
) -> (Plan, Vec<EngineName>) {
    let engines = match (arguments.engine, arguments.no_invariants) {
        (EngineArgument::Auto, false) => vec![EngineName::Absint, EngineName::Bmc],
        (EngineArgument::Absint, _) => vec![EngineName::Absint],
        (EngineArgument::Auto | EngineArgument::Bmc, _) => vec![EngineName::Bmc],
    };
    let stages = engines.iter().map(|&engine| {
        let mut stage = stage(arguments, engine);
        stage.memory_mb = arguments.memory_limit;
        stage.time = match engine {
            EngineName::Absint if engines.len() > 1 => {
                let part = time.map(|time| time.mul_f64(FIRST_PART));
                Some(part.map_or(FIRST, |part| part.min(FIRST)))
            }
            EngineName::Absint | EngineName::Bmc => time,
        };
        stage
    });
    let plan = Plan {
        checks: checks.groups().collect(),
        stages: stages.collect(),
    };
    (plan, engines)
}

fn stage(arguments: &VerifyArguments, engine: EngineName) -> Stage {
    let why = match engine {
        EngineName::Absint => "proves what follows from invariants",
        EngineName::Bmc => "refutes, and proves what it can unwind completely",
    };
    let mut stage = Stage::new(engine.name(), why);
    let mut set = |name: &str, value: String| {
        stage.options.insert(name.to_owned(), value);
    };
    match engine {
        EngineName::Absint => {
            let invariants = &arguments.invariants;
            set("inter", format!("{:?}", invariants.inter).to_lowercase());
            if let Some(domain) = &invariants.domain {
                set("domain", domain.clone());
            }
        }
        EngineName::Bmc => {
            let options = &arguments.options;
            if !arguments.no_trials {
                set("trials", "a few concrete runs first".to_owned());
            }
            set("memory", format!("{:?}", options.memory).to_lowercase());
            set("solver", format!("{:?}", options.solver).to_lowercase());
            if let Some(bound) = options.unwind {
                set("unwind", bound.to_string());
            }
        }
    }
    stage
}
