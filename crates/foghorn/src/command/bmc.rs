//! `foghorn bmc`: the bounded model checker in this process.

use super::{CommandResult, Failure, verify};
use crate::arguments::BmcArguments;
use crate::verify::bounds;
use crate::verify::in_process::carry_out;
use crate::verify::prepare::Preparation;
use foghorn_core::CheckSelection;
use foghorn_driver::{AfterFailure, Plan, Stage};

pub fn execute(arguments: &BmcArguments) -> CommandResult {
    let checks: CheckSelection = arguments.check.parse().map_err(Failure::usage)?;
    let options = &arguments.options;
    let (summarises, unwinds) = options.summarises_and_unwinds();
    let mut plan = Plan {
        checks: checks.groups().collect(),
        jobs: 1,
        time: verify::seconds(arguments.timeout)?,
        memory_mb: None,
        after_failure: AfterFailure::AsLongAgain,
        stages: vec![],
    };
    if summarises {
        let mut stage = Stage::new("acceleration", "loops are summarised");
        stage.options = options.acceleration();
        plan.add(stage);
    }
    if unwinds {
        let mut stage = Stage::new("bmc", "loops are unwound");
        stage.options = options.bmc();
        if !options.keep_going {
            stage.options.remove("keep-going");
        }
        plan.add(stage);
    }
    let preparation = Preparation {
        program: arguments.program.clone().quietly().with_any_arguments(),
        check: arguments.check.clone(),
        misaligned: options.misaligned,
        bounded: bounds::names(&options.unwind_set),
        task: std::path::PathBuf::new(),
    };
    let mut report = carry_out(&plan, &preparation)?;
    report.finish();
    verify::print(&report, arguments.json.as_deref(), arguments.stats).map_err(Failure::input)?;
    Ok(verify::exit(&report))
}
