//! Candidates for failing runs: run before they are believed, made smaller, and told.

use crate::checks::site_of;
use foghorn_core::UnknownReason;
use foghorn_engine::{Candidate, Task};
use foghorn_ir::Module;
use foghorn_ir::interpret::{Choice, Failure, Options, Outcome, Run};
use foghorn_witness::outside::printable;
use foghorn_witness::report::{CheckReport, HarnessReport, VerdictName};
use foghorn_witness::trace::{FailedCheck, Trace};
use foghorn_witness::{replay, shrink};

/// Replays that may be made to find a smaller run for one failure.
const SHRINKING_REPLAYS: u32 = 200;
/// Longer runs are not made smaller, since each replay costs as much as they do.
const SHRUNK_STEPS: u64 = 200_000;
/// Nor are runs with more values than this.
const SHRUNK_CHOICES: usize = 500;

/// Writes failing runs down as programs.
pub trait HarnessWriter {
    /// What goes wrong is said in the notes: the failure itself is worth more than its harness.
    fn write(&self, run: &ConfirmedRun<'_>) -> HarnessReport;
}

/// A run that failed in the program as the front end made it.
pub struct ConfirmedRun<'a> {
    pub module: &'a Module,
    pub options: &'a Options,
    pub choices: &'a [Choice],
    pub failure: &'a FailedCheck,
    /// The check that fails.
    pub check: &'a CheckReport,
}

/// How a task's program is run.
pub fn run_options(task: &Task) -> Options {
    Options {
        checks: task.checks().groups().collect(),
        alignment: task.alignment(),
        ..Options::default()
    }
}

/// Runs candidates on the program as it was before the pure form.
pub struct Confirmer<'t> {
    pub task: &'t Task,
    pub harnesses: Option<&'t dyn HarnessWriter>,
}

impl Confirmer<'_> {
    /// Runs a candidate for a failure of this check and enters what came of it.
    pub fn confirm(&self, report: &mut CheckReport, candidate: &Candidate) {
        let candidate = self.smaller(candidate);
        report.kind = candidate.failure.kind;
        match self.trace(&candidate) {
            Ok(run) => {
                report.verdict = VerdictName::Unsafe;
                let options = self.options_of(&candidate);
                report.harness = self.harnesses.map(|harnesses| {
                    harnesses.write(&ConfirmedRun {
                        module: self.task.program(),
                        options: &options,
                        choices: &candidate.choices,
                        failure: &run.failure,
                        check: report,
                    })
                });
                report.trace = Some(run);
            }
            Err(why) => {
                report.verdict = VerdictName::Unknown;
                report.reason = Some(why);
            }
        }
    }

    /// The same failure with fewer and smaller values, as far as a few replays find one.
    fn smaller(&self, candidate: &Candidate) -> Candidate {
        if candidate.steps > SHRUNK_STEPS || candidate.choices.len() > SHRUNK_CHOICES {
            return candidate.clone();
        }
        let (options, choices) = (self.options_of(candidate), &candidate.choices);
        let shrunk = shrink(
            self.task.program(),
            &options,
            choices,
            &[],
            SHRINKING_REPLAYS,
        );
        let smaller = match shrunk {
            Ok(Some(shrunk)) => same_failure(self.task, candidate, shrunk.run),
            Ok(None) | Err(_) => None,
        };
        self.printable(smaller.unwrap_or_else(|| candidate.clone()))
    }

    /// The same failure with arguments that a person can type, if there is one.
    fn printable(&self, candidate: Candidate) -> Candidate {
        let options = run_options(self.task);
        let run = printable(self.task.program(), &options, &candidate.choices, &[]);
        match run {
            Ok(Some(run)) => same_failure(self.task, &candidate, run).unwrap_or(candidate),
            Ok(None) | Err(_) => candidate,
        }
    }

    /// How a failing run is made again.
    fn options_of(&self, candidate: &Candidate) -> Options {
        Options {
            layout: candidate.layout.clone(),
            ..run_options(self.task)
        }
    }

    /// The failing run, told; or why it does not fail in the program as it was.
    fn trace(&self, candidate: &Candidate) -> Result<Trace, UnknownReason> {
        let options = self.options_of(candidate);
        let failure = |what: String| UnknownReason::Failure { what };
        let again = replay(self.task.program(), &options, &candidate.choices, &[])
            .map_err(|error| failure(error.to_string()))?;
        match (&again.run.outcome, again.trace) {
            (Outcome::Failed(found), Some(trace))
                if is_same(self.task, found, &candidate.failure) =>
            {
                Ok(trace)
            }
            _ => Err(failure(
                "the failing run fails in the pure form of the program only".to_owned(),
            )),
        }
    }
}

/// Whether two runs fail at the same check. One may be a run of the pure form.
fn is_same(task: &Task, one: &Failure, other: &Failure) -> bool {
    (one.kind, one.span) == (other.kind, other.span) && site_of(task, one) == site_of(task, other)
}

/// A run as a candidate, if it fails where another one does. A layout is kept only if it matters.
fn same_failure(task: &Task, candidate: &Candidate, run: Run) -> Option<Candidate> {
    let is_trustworthy = run.is_trustworthy();
    let Outcome::Failed(failure) = run.outcome else {
        return None;
    };
    let is_same = is_same(task, &failure, &candidate.failure);
    (is_trustworthy && is_same).then(|| Candidate {
        choices: run.choices,
        failure,
        steps: run.steps,
        layout: match candidate.layout.is_empty() {
            true => vec![],
            false => run.layout.iter().map(|placement| placement.base).collect(),
        },
    })
}
