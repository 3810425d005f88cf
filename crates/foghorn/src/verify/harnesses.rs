//! `verify --harness DIR`: one harness for each check that fails.
//!
//! The first failing check has its files in the folder itself, the n-th in a folder `n` of it. They
//! are written as soon as a failure is known, so that a time limit costs none, and written again
//! when a better run is found for the same check.

use crate::arguments::ProgramArguments;
use crate::command::harness::{self, FailingRun};
use foghorn_core::{CheckKind, SpanId};
use foghorn_ir::Module;
use foghorn_ir::interpret::Options;
use foghorn_witness::report::HarnessReport;
use foghorn_witness::trace::FailedCheck;
use std::cell::RefCell;
use std::path::PathBuf;

/// Where harnesses go.
pub struct Harnesses<'a> {
    pub folder: PathBuf,
    pub program: &'a ProgramArguments,
    /// The checks that have one, in the order in which they failed.
    known: RefCell<Vec<(CheckKind, SpanId)>>,
}

impl<'a> Harnesses<'a> {
    pub fn new(folder: PathBuf, program: &'a ProgramArguments) -> Self {
        Harnesses {
            folder,
            program,
            known: RefCell::default(),
        }
    }

    /// Writes the harness of a failing run. What goes wrong is said in its notes: the failure
    /// itself is worth more than its harness.
    pub fn write(
        &self,
        module: &Module,
        options: &Options,
        choices: &[foghorn_ir::interpret::Choice],
        failure: &FailedCheck,
        at: SpanId,
    ) -> HarnessReport {
        let folder = self.folder_of(failure.kind, at);
        let run = FailingRun {
            module,
            options,
            choices,
            stdin: &[],
            failure,
        };
        match harness::write(&folder, self.program, &[], &run) {
            Ok(written) => written,
            Err(failure) => HarnessReport {
                file: folder.join("harness.c").to_string_lossy().into_owned(),
                notes: vec![crate::message(&failure.error)],
                ..HarnessReport::default()
            },
        }
    }

    fn folder_of(&self, kind: CheckKind, at: SpanId) -> PathBuf {
        let mut known = self.known.borrow_mut();
        let position = known.iter().position(|&check| check == (kind, at));
        let number = position.unwrap_or_else(|| {
            known.push((kind, at));
            known.len() - 1
        });
        match number {
            0 => self.folder.clone(),
            later => self.folder.join((later + 1).to_string()),
        }
    }
}
