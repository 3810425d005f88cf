//! The bounded model checker: `foghorn bmc --json -`.
//!
//! Unlike a run it answers for all inputs; the header's `inputs` are not given to it. A program may
//! fail several checks: the one that the header names must be among them.

use crate::engine::{Answer, Engine, Found};
use crate::header::{Case, Expectation};
use crate::process::{self, Finished};
use crate::workspace;
use foghorn_core::{CheckGroup, CheckKind};
use serde::Deserialize;
use std::process::Command;
use std::time::Duration;

/// `foghorn bmc` as an engine.
#[derive(Clone, Debug)]
pub struct FoghornBmc {
    /// The name in headers.
    name: &'static str,
    /// The subcommand: the engine alone, or the whole plan.
    subcommand: &'static str,
    limit: Duration,
    /// The engine's own limit, in seconds.
    timeout: &'static str,
    arguments: Vec<&'static str>,
    /// Only every n-th program, by its name and the options.
    every: u64,
    /// Whether programs without a failure are left out.
    only_failures: bool,
    /// Whether programs are asked about whose headers do not name the engine.
    unnamed: bool,
}

impl Default for FoghornBmc {
    fn default() -> Self {
        Self::new()
    }
}

impl FoghornBmc {
    pub fn new() -> Self {
        FoghornBmc {
            name: "bmc",
            subcommand: "bmc",
            limit: Duration::from_secs(120),
            timeout: "60",
            arguments: vec![],
            every: 1,
            only_failures: false,
            unnamed: false,
        }
    }

    /// The same, on programs that fail only: a repair for which no engine has a proof costs its whole
    /// time.
    #[must_use]
    pub fn only_failures(self) -> Self {
        FoghornBmc {
            only_failures: true,
            ..self
        }
    }

    /// With other options than the default ones, on every n-th program.
    pub fn with(arguments: &[&'static str], every: u64) -> Self {
        FoghornBmc {
            arguments: arguments.to_vec(),
            every,
            ..Self::new()
        }
    }

    /// With loops summarised, all of them: it proves and does not refute.
    pub fn acceleration() -> Self {
        FoghornBmc {
            name: "acceleration",
            arguments: vec!["--loops", "summarised", "--closed-from", "0"],
            ..Self::new()
        }
    }

    /// Horn clauses.
    pub fn horn() -> Self {
        FoghornBmc {
            name: "horn",
            subcommand: "verify",
            arguments: vec!["--engine", "horn"],
            ..Self::new()
        }
    }

    /// Horn clauses in a form on every n-th program that the bounded model checker is asked about, for a few
    /// seconds: an answer is not expected, a wrong one would be.
    pub fn horn_beside(form: &[&'static str], every: u64) -> Self {
        let mut arguments = vec!["--engine", "horn"];
        arguments.extend(form);
        FoghornBmc {
            subcommand: "verify",
            arguments,
            timeout: "5",
            every,
            ..Self::new()
        }
    }

    /// The same, on programs whose headers name another engine.
    #[must_use]
    pub fn on_programs_of(self, name: &'static str) -> Self {
        FoghornBmc { name, ..self }
    }

    /// As `foghorn verify` does it, with invariants before and in it, on every n-th program.
    pub fn within_plan(every: u64) -> Self {
        FoghornBmc {
            subcommand: "verify",
            every,
            ..Self::new()
        }
    }

    /// kIkI with further options, on every n-th program, whether or not its header names kIkI, for a few seconds: an
    /// answer is not expected, a wrong one is.
    pub fn kiki(options: &[&'static str], every: u64) -> Self {
        let mut arguments = vec!["--engine", "kiki"];
        arguments.extend_from_slice(options);
        FoghornBmc {
            subcommand: "verify",
            name: "kiki",
            timeout: "3",
            arguments,
            every,
            unnamed: true,
            ..Self::new()
        }
    }

    /// kIkI with contracts for functions, on programs whose headers name it.
    pub fn kiki_alone() -> Self {
        FoghornBmc {
            name: "kiki",
            subcommand: "verify",
            arguments: vec!["--engine", "kiki", "--summaries"],
            timeout: "30",
            ..Self::new()
        }
    }

    /// As `foghorn verify` does it, on programs that read their input: the time is what a person
    /// waits for, on a machine with other work.
    pub fn reading() -> Self {
        FoghornBmc {
            name: "verify",
            subcommand: "verify",
            timeout: "30",
            ..Self::new()
        }
    }

    fn command(&self, case: &Case) -> Command {
        let mut command = Command::new(workspace::binary());
        command.current_dir(workspace::root());
        command
            .arg(self.subcommand)
            .arg(workspace::shown(&case.path));
        let groups: Vec<_> = case.checks.iter().map(|group| group.name()).collect();
        command.arg("--check").arg(groups.join(","));
        if case.checks.contains(&CheckGroup::Undefined) {
            command.arg("--misaligned");
        }
        // Where no answer is expected, only a wrong one counts, and that comes soon or not at all.
        let timeout = match case.unknown.contains_key(self.name) {
            true => SHORT_TIMEOUT,
            false => self.timeout,
        };
        command.args(["--json", "-", "--timeout", timeout]);
        command.args(&self.arguments).args(&case.options);
        command
    }
}

/// Seconds for a program of which the header says that there is no answer.
const SHORT_TIMEOUT: &str = "10";

impl Engine for FoghornBmc {
    fn name(&self) -> &str {
        self.name
    }

    fn applies(&self, case: &Case) -> bool {
        // Wherever the suites lie, the same programs are asked about.
        let folder = case.path.parent().and_then(|it| it.file_name());
        let name =
            [folder, case.path.file_name()].map(|it| it.unwrap_or_default().to_string_lossy());
        // Each set of options is tried on other programs.
        let options = self.arguments.iter().flat_map(|it| it.bytes());
        let name = name.iter().flat_map(|it| it.bytes());
        let number = name.chain(options).map(u64::from).sum::<u64>();
        let asked = matches!(case.expect, Expectation::Unsafe { .. }) || !self.only_failures;
        let named = case.engines.iter().any(|engine| engine == self.name);
        asked && (named || self.unnamed) && number.is_multiple_of(self.every)
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
            found,
            reproduce: process::shown(&command),
        }
    }
}

/// What is needed of the report.
#[derive(Deserialize)]
struct Report {
    verdict: String,
    reason: String,
    checks: Vec<Check>,
}

#[derive(Deserialize)]
struct Check {
    kind: CheckKind,
    line: u32,
    verdict: String,
}

pub(crate) fn read_answer(case: &Case, finished: &Finished) -> Found {
    let report: Report = match serde_json::from_slice(&finished.stdout) {
        Ok(report) => report,
        Err(error) => {
            return Found::Broken {
                problem: format!("no report: {error}\n{}", finished.stderr),
            };
        }
    };
    match report.verdict.as_str() {
        "safe" => Found::Safe,
        "unsafe" => unsafe_answer(case, &report),
        _ => Found::Unknown {
            reason: report.reason,
        },
    }
}

/// The failure that the header expects, if it is among those found; else the first.
fn unsafe_answer(case: &Case, report: &Report) -> Found {
    let failed: Vec<&Check> = report
        .checks
        .iter()
        .filter(|check| check.verdict == "unsafe")
        .collect();
    let expected = failed.iter().find(|check| match case.expect {
        Expectation::Safe => false,
        Expectation::Unsafe { kind, line } => check.kind == kind && check.line == line,
    });
    let shown = expected.or(failed.first());
    let list: Vec<String> = failed
        .iter()
        .map(|check| format!("{} in line {}", check.kind, check.line))
        .collect();
    Found::Unsafe {
        kind: shown.map(|check| check.kind),
        lines: shown.iter().map(|check| check.line).collect(),
        report: list.join(", "),
    }
}
