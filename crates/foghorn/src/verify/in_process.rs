//! Stages one after the other in this process: for commands that are looked into with a debugger or a
//! profiler.

use super::engines::engine;
use super::prepare::{Preparation, make};
use crate::command::Failure;
use foghorn_core::Budget;
use foghorn_driver::checks::CheckList;
use foghorn_driver::ledger::Ledger;
use foghorn_driver::{Outlet, Plan, StageEvent, run_stage};
use foghorn_engine::Knowledge;
use foghorn_witness::report::VerificationReport;
use std::time::Instant;

/// Carries out a plan stage by stage.
pub fn carry_out(plan: &Plan, preparation: &Preparation) -> Result<VerificationReport, Failure> {
    let started = Instant::now();
    let (task, _, notes) = make(preparation, &mut |_| {})?;
    let checks = CheckList::new(&task).all().to_vec();
    let mut ledger = Ledger::new(task.hash(), checks, &plan.stages);
    let mut budget = Budget::unlimited();
    if let Some(time) = plan.time {
        budget = budget.within(time);
    }
    for (number, stage) in plan.stages.iter().enumerate() {
        let entry = engine(&stage.engine).expect("invariant: plans name engines of the table");
        let engine = (entry.make)(&stage.options).map_err(Failure::usage)?;
        let budget = match stage.share.of(plan.time) {
            Some(time) => budget.within(time),
            None => budget.clone(),
        };
        let knowledge = ledger.knowledge().clone();
        let mut outlet = Directly {
            ledger: &mut ledger,
            number,
        };
        let report = run_stage(&*engine, &task, &knowledge, &budget, None, &mut outlet);
        ledger.enter(number, report);
        if ledger.is_decided() || ledger.has_failures() {
            break;
        }
    }
    let mut report = ledger.report();
    report.warnings.splice(0..0, notes);
    report.time_s = started.elapsed().as_secs_f64();
    report.peak_memory_mb = foghorn_driver::memory::own_peak_bytes() as f64 / 1e6;
    Ok(report)
}

struct Directly<'l> {
    ledger: &'l mut Ledger,
    number: usize,
}

impl Outlet for Directly<'_> {
    fn send(&mut self, event: StageEvent) {
        match event {
            StageEvent::Progress(_) => {}
            StageEvent::Failed(_, check) => {
                self.ledger.fail(self.number, *check);
            }
            StageEvent::Interim(report) => {
                self.ledger.enter(self.number, *report);
            }
        }
    }

    fn receive(&mut self) -> Option<Knowledge> {
        None
    }
}
