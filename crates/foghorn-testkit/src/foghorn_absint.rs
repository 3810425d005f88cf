//! The abstract interpreter: `foghorn verify --engine absint --json -`.
//!
//! It never says `unsafe`, so of a program that is not safe it must only not say `safe`; it looks at
//! all of them, whether or not their header names it. A program whose header names it must be
//! proved, so that a proof that is lost is noticed.

use crate::engine::{Answer, Engine, Found};
use crate::foghorn_bmc::read_answer;
use crate::header::{Case, Expectation};
use crate::process;
use crate::workspace;
use foghorn_core::CheckGroup;
use std::process::Command;
use std::time::Duration;

/// `foghorn verify --engine absint` as an engine.
#[derive(Clone, Debug)]
pub struct FoghornAbsint {
    limit: Duration,
    arguments: Vec<&'static str>,
}

impl Default for FoghornAbsint {
    fn default() -> Self {
        Self::new()
    }
}

impl FoghornAbsint {
    pub fn new() -> Self {
        Self::with(&[])
    }

    /// With other options than the default ones.
    pub fn with(arguments: &[&'static str]) -> Self {
        FoghornAbsint {
            limit: Duration::from_secs(120),
            arguments: arguments.to_vec(),
        }
    }

    fn command(&self, case: &Case) -> Command {
        let mut command = Command::new(workspace::binary());
        command.current_dir(workspace::root());
        command.arg("verify").arg(workspace::shown(&case.path));
        let groups: Vec<_> = case.checks.iter().map(|group| group.name()).collect();
        command.arg("--check").arg(groups.join(","));
        if case.checks.contains(&CheckGroup::Undefined) {
            command.arg("--misaligned");
        }
        command.args(["--engine", "absint", "--json", "-"]);
        // Where only a wrong answer counts, the answer of the cheapest domains says enough; all of
        // them take minutes over the suites.
        let time = if is_named(case) { "20" } else { "1" };
        command.args(["--timeout", time]);
        command.args(&self.arguments).args(&case.options);
        command
    }
}

impl Engine for FoghornAbsint {
    fn name(&self) -> &str {
        "absint"
    }

    fn applies(&self, _: &Case) -> bool {
        true
    }

    fn answer(&self, case: &Case) -> Answer {
        let mut command = self.command(case);
        let found = match process::run(&mut command, &[], self.limit) {
            Ok(finished) => read_answer(case, &finished),
            Err(error) => Found::Broken {
                problem: error.to_string(),
            },
        };
        Answer {
            found: judged(case, found),
            reproduce: process::shown(&command),
        }
    }
}

fn is_named(case: &Case) -> bool {
    case.engines.iter().any(|engine| engine == "absint")
}

/// For a program whose header does not name the engine, and for one that fails, only a wrong answer
/// counts.
fn judged(case: &Case, found: Found) -> Found {
    match (found, case.expect, is_named(case)) {
        // What is not expected of it is as good as the truth.
        (Found::Unknown { .. }, Expectation::Safe, false) => Found::Safe,
        (Found::Unknown { .. }, Expectation::Unsafe { kind, line }, _) => Found::Unsafe {
            kind: Some(kind),
            lines: vec![line],
            report: String::new(),
        },
        (found, _, _) => found,
    }
}
