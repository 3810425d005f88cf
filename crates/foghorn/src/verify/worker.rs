//! The processes that `foghorn verify` starts: one that prepares the program, one for each stage.

use super::certificate::{CertificateRequest, certify};
use super::engines::ENGINES;
use super::harnesses::{HarnessRequest, Harnesses};
use super::prepare::{Preparation, Ready, prepare};
use crate::command::Failure;
use foghorn_driver::{Events, Mail};
use foghorn_engine::Progress;
use serde::{Deserialize, Serialize};
use std::process::ExitCode;

/// The argument that makes this binary a process that prepares a program.
pub const PREPARE: &str = "__prepare";
/// The argument that makes this binary the process of a stage.
pub const STAGE: &str = "__stage";
/// The argument that makes this binary the process that shows a proof again.
pub const CERTIFY: &str = "__certify";

/// Whose fault it is that there is no program, for the other process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WorkerFailure {
    pub message: String,
    pub exit: u8,
}

impl From<&Failure> for WorkerFailure {
    fn from(failure: &Failure) -> Self {
        WorkerFailure {
            message: crate::message(&failure.error),
            exit: failure.exit.code(),
        }
    }
}

/// The life of a process that prepares a program.
pub fn serve_preparation() -> ExitCode {
    foghorn_driver::serve(
        |mut preparation: Preparation, events: &Events<Progress>, _: &Mail| {
            preparation.program.isolated = true;
            let result: Result<Ready, Failure> =
                prepare(&preparation, &mut |progress| events.send(progress));
            Ok(result.map_err(|failure| WorkerFailure::from(&failure)))
        },
    )
}

/// The life of the process that shows a proof again.
pub fn serve_certificate() -> ExitCode {
    foghorn_driver::serve(
        |request: CertificateRequest, _: &Events<Progress>, _: &Mail| certify(request),
    )
}

/// The life of the process of a stage.
pub fn serve_stage() -> ExitCode {
    foghorn_driver::serve_stage(ENGINES, |request: HarnessRequest| {
        Box::new(Harnesses::new(request))
    })
}
