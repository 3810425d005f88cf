//! A verdict from processes of this binary: one prepares the program, each stage of a plan is another.
//!
//! Whoever asks for one verdict and whoever asks several engines about the same program do the same here; what is
//! written on the way, and when it counts from, is theirs.

use super::harnesses::HarnessRequest;
use super::prepare::{Preparation, Ready};
use super::worker::{PREPARE, STAGE, WorkerFailure};
use crate::command::Failure;
use crate::exit::Exit;
use anyhow::Context;
use foghorn_core::{Budget, UnknownReason};
use foghorn_driver::schedule::{Launcher, Notice, Prepared, carry_out};
use foghorn_driver::{End, Limits, Plan, StageWork, own_worker, supervise};
use foghorn_engine::Progress;
use foghorn_witness::report::VerificationReport;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Prepares the program in a process of its own; the inner error says why there is no answer.
pub fn prepare(
    preparation: &Preparation,
    time: Option<Duration>,
    memory_mb: Option<u64>,
    budget: &Budget,
    on_event: impl FnMut(Progress),
) -> Result<Result<Ready, UnknownReason>, Failure> {
    let command = own_worker(PREPARE)
        .context("cannot find the program to start a worker from")
        .map_err(Failure::internal)?;
    let limits = Limits {
        time,
        memory_bytes: memory_mb.map(|limit| limit << 20),
        ..Limits::default()
    };
    let supervised = supervise(command, preparation, &limits, budget, on_event);
    match supervised.end {
        End::Answered(answer) => match answer {
            Ok(ready) => Ok(Ok(ready)),
            Err(failure) => Err(of_worker(failure)),
        },
        End::NotStarted(why) => Err(Failure::internal(anyhow::anyhow!(why))),
        End::Cancelled => Ok(Err(UnknownReason::Interrupted)),
        other => Ok(Err(other
            .unknown_reason()
            .expect("invariant: there is no answer"))),
    }
}

fn of_worker(failure: WorkerFailure) -> Failure {
    let exit = match failure.exit {
        1 => Exit::Usage,
        2 => Exit::Input,
        _ => Exit::Internal,
    };
    let error = anyhow::anyhow!(failure.message);
    Failure { exit, error }
}

/// The program that was prepared, as stages read it.
pub fn prepared(task: PathBuf, ready: &Ready) -> Prepared {
    Prepared {
        task,
        hash: ready.hash,
        checks: ready.checks.clone(),
        is_loop_free: ready.is_loop_free,
        has_nothing: ready.has_nothing,
        assumptions: ready.assumptions.clone(),
    }
}

/// Has a plan carried out, each stage in a process of its own.
pub fn answer(
    plan: &Plan,
    prepared: &Prepared,
    harness: Option<&HarnessRequest>,
    started: Instant,
    budget: &Budget,
    notify: &mut dyn FnMut(Notice<'_>),
) -> VerificationReport {
    let launcher = Launcher {
        command: &|| own_worker(STAGE),
        request: &|stage| StageWork {
            stage,
            harness: harness.cloned(),
        },
    };
    carry_out(plan, prepared, &launcher, started, budget, notify)
}
