//! `verify --harness DIR`: one harness for each check that fails.
//!
//! The first failing check has its files in the folder itself, the n-th in a folder `n` of it. They
//! are written as soon as a failure is known, so that a time limit costs none. Stages run side by
//! side, so numbers are claimed by files that only one of them can make, and two that find the same failure
//! may both write it: each file is put in its place complete.

use crate::arguments::ProgramArguments;
use crate::command::harness::{self, FailingRun};
use foghorn_driver::{ConfirmedRun, HarnessWriter};
use foghorn_witness::report::{CheckId, HarnessReport};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Where harnesses go.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HarnessRequest {
    pub folder: PathBuf,
    pub program: ProgramArguments,
    /// A folder of this run alone, for what says which check has which number.
    pub claims: PathBuf,
}

/// Writes harnesses.
pub struct Harnesses {
    request: HarnessRequest,
}

impl Harnesses {
    pub fn new(request: HarnessRequest) -> Self {
        Harnesses { request }
    }

    fn folder_of(&self, check: &CheckId) -> PathBuf {
        let folder = &self.request.folder;
        match self.number_of(check) {
            Ok(1) => folder.clone(),
            Ok(number) => folder.join(number.to_string()),
            // A name that no number is: better than none.
            Err(_) => folder.join("other"),
        }
    }

    /// The number of a check, in the order in which they failed.
    fn number_of(&self, check: &CheckId) -> std::io::Result<u32> {
        let claims = &self.request.claims;
        let mine = claims.join(format!("claim-{}", std::process::id()));
        std::fs::write(&mine, check.as_str())?;
        let mut number = 1;
        loop {
            let claim = claims.join(format!("check-{number}"));
            // A link has its contents from the beginning; a new file would be empty for a moment.
            match std::fs::hard_link(&mine, &claim) {
                Ok(()) => {
                    std::fs::remove_file(&mine)?;
                    return Ok(number);
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                    if std::fs::read(&claim)? == check.as_str().as_bytes() {
                        return Ok(number);
                    }
                }
                Err(error) => return Err(error),
            }
            number += 1;
        }
    }
}

impl HarnessWriter for Harnesses {
    fn write(&self, run: &ConfirmedRun<'_>) -> HarnessReport {
        let folder = self.folder_of(&run.check.id);
        let failing = FailingRun {
            module: run.module,
            options: run.options,
            choices: run.choices,
            stdin: &[],
            failure: run.failure,
        };
        match harness::write(&folder, &self.request.program, &[], &failing) {
            Ok(written) => written,
            Err(failure) => HarnessReport {
                file: folder.join("harness.c").to_string_lossy().into_owned(),
                notes: vec![crate::message(&failure.error)],
                ..HarnessReport::default()
            },
        }
    }
}
