//! What `foghorn verify` is going to run.

use super::request::{EngineName, LoopsArgument};
use crate::arguments::{EngineArgument, VerifyArguments};
use foghorn_core::CheckSelection;
use foghorn_driver::{Plan, Stage, memory};
use foghorn_invariants::prove::LADDER;
use std::time::Duration;

/// What an engine gets before the next one has its turn: a part of the whole time, and a limit.
#[derive(Clone, Copy)]
struct Share {
    part: f64,
    limit: Duration,
}

impl Share {
    fn of(self, time: Option<Duration>) -> Duration {
        let part = time.map(|time| time.mul_f64(self.part));
        part.map_or(self.limit, |part| part.min(self.limit))
    }
}

/// The cheapest domain, which takes moments or is not worth waiting for.
const GLANCE: Share = Share {
    part: 0.05,
    limit: Duration::from_secs(1),
};

/// Most programs that can be unwound completely, or fail, do so soon.
const FIRST_LOOK: Share = Share {
    part: 0.3,
    limit: Duration::from_secs(15),
};

/// The other domains.
const INVARIANTS: Share = Share {
    part: 0.2,
    limit: Duration::from_secs(10),
};

/// One engine's turn.
#[derive(Clone, Debug)]
pub struct Turn {
    pub engine: EngineName,
    /// The one domain of the abstract interpreter in this turn.
    pub domain: Option<String>,
    /// Whether it is skipped for a program without loops, which is unwound completely at once.
    pub only_loops: bool,
}

/// The stages, each with its engine. Cheap attempts come first, whatever the engine.
pub fn plan(
    arguments: &VerifyArguments,
    checks: &CheckSelection,
    time: Option<Duration>,
) -> (Plan, Vec<Turn>) {
    let given = &arguments.invariants.domain;
    let mut turns: Vec<(EngineName, Option<String>, Option<Share>)> = vec![];
    match (arguments.engine, arguments.no_invariants) {
        (EngineArgument::Absint, _) => turns.push((EngineName::Absint, given.clone(), None)),
        (EngineArgument::Bmc, _) | (EngineArgument::Auto, true) => {
            turns.push((EngineName::Bmc, None, None));
        }
        (EngineArgument::Auto, false) => {
            if given.is_none() {
                let cheapest = Some(LADDER[0].to_owned());
                turns.push((EngineName::Absint, cheapest, Some(GLANCE)));
                // Who wants every failure gets them from one search.
                let share = (!arguments.options.keep_going).then_some(FIRST_LOOK);
                turns.push((EngineName::Bmc, None, share));
            }
            turns.push((EngineName::Absint, given.clone(), Some(INVARIANTS)));
            turns.push((EngineName::Bmc, None, None));
        }
    }
    let memory_mb = memory_limit(arguments.memory_limit);
    let stages = turns.iter().map(|(engine, domain, share)| {
        let mut stage = stage(arguments, *engine, domain.as_ref());
        stage.memory_mb = memory_mb;
        stage.time = share.map_or(time, |share| Some(share.of(time)));
        stage
    });
    let plan = Plan {
        checks: checks.groups().collect(),
        stages: stages.collect(),
    };
    let turns = turns.into_iter();
    let several = turns.len() > 1;
    let turns = turns.enumerate().map(|(place, (engine, domain, _))| Turn {
        engine,
        domain,
        only_loops: several && place == 0,
    });
    (plan, turns.collect())
}

/// Megabytes that a stage may use. Without a limit of the user's, a quarter of what there is stays
/// for everything else, so that a machine does not begin to swap.
fn memory_limit(given: Option<u64>) -> Option<u64> {
    match given {
        Some(0) => None,
        Some(limit) => Some(limit),
        None => memory::available_bytes().map(|bytes| (bytes / 4 * 3) >> 20),
    }
}

fn stage(arguments: &VerifyArguments, engine: EngineName, domain: Option<&String>) -> Stage {
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
            if let Some(domain) = domain {
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
            match options.unwind {
                Some(bound) => set("unwind", bound.to_string()),
                None if options.unwind_set.is_empty() => {
                    let loops = options.loops.unwrap_or(LoopsArgument::Both);
                    set("loops", format!("{loops:?}").to_lowercase());
                }
                None => {}
            }
        }
    }
    stage
}
