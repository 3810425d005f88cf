//! `foghorn bmc`: the bounded model checker in this process.

use super::{CommandResult, Failure, verify};
use crate::arguments::BmcArguments;
use crate::verify::{EngineName, InvariantOptions, Request, work};
use foghorn_core::Budget;

pub fn execute(arguments: &BmcArguments) -> CommandResult {
    let request = Request {
        engine: EngineName::Bmc,
        program: arguments.program.clone().quietly().with_any_arguments(),
        check: arguments.check.clone(),
        options: arguments.options.clone(),
        invariants: InvariantOptions::default(),
        time: verify::seconds(arguments.timeout)?,
        trials: false,
        harness: None,
        proved: vec![],
        facts: vec![],
        only_loops: false,
    };
    let budget = Budget::unlimited();
    let mut report = work(&request, &budget, &mut |_| {})?;
    report.finish();
    verify::print(&report, arguments.json.as_deref(), arguments.stats).map_err(Failure::input)?;
    Ok(verify::exit(&report))
}
