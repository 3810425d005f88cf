//! From the engine's answers to the report that people and programs read.

use super::harnesses::Harnesses;
use super::outside::Outside;
use super::trials::Trials;
use foghorn_bmc::replay::Counterexample;
use foghorn_bmc::{BmcReport, SiteAnswer, SiteVerdict};
use foghorn_core::{CheckKind, CheckSelection, SpanId, UnknownReason};
use foghorn_ir::interpret::{Choice, Options, Outcome};
use foghorn_ir::{AllocationKind, Instruction, Module};
use foghorn_witness::report::{CheckIds, CheckReport, VerdictName, VerificationReport};
use foghorn_witness::trace::Trace;
use foghorn_witness::{replay, shrink};
use std::sync::Arc;

/// Replays that may be made to find a smaller run for one failure.
const SHRINKING_REPLAYS: u32 = 200;
/// Longer runs are not made smaller, since each replay costs as much as they do.
const SHRUNK_STEPS: u64 = 200_000;
/// Nor are runs with more values than this.
const SHRUNK_CHOICES: usize = 500;

/// Makes reports of checks, in the terms of the program as it was before the pure form.
pub struct Reporter<'m> {
    pub module: &'m Module,
    pub checks: &'m CheckSelection,
    /// Whether misaligned accesses are reported.
    pub misaligned: bool,
    pub outside: &'m Outside,
    /// Whether allocations can fail.
    pub malloc_may_fail: bool,
    pub harnesses: Option<Harnesses<'m>>,
}

impl Reporter<'_> {
    /// The answer of the bounded model checker, and of the trials where that has none.
    pub fn bmc(&self, report: &BmcReport, trials: &Trials) -> VerificationReport {
        let mut ids = CheckIds::default();
        let (answers, unmatched) = with_trials(&report.answers, trials);
        let mut answers: Vec<&SiteAnswer> = answers.iter().collect();
        answers.sort_by_key(|answer| (answer.site.point.map(order), answer.site.kind));
        let mut checks: Vec<CheckReport> = answers
            .iter()
            .map(|answer| self.check(answer, &mut ids))
            .collect();
        let trials = unmatched.into_iter();
        checks.extend(trials.map(|trial| self.trial(trial, &mut ids)));
        let mut whole = VerificationReport::new("bmc", checks, report.incomplete.clone());
        whole.bound = (report.statistics.closed_loops == 0).then_some(report.bound);
        whole.assumptions = self.assumptions(report);
        whole.warnings = self.warnings(report);
        if let Some(reason) = &report.incomplete {
            whole.note_early_end(reason);
        }
        whole.statistics = statistics(report);
        whole
    }

    /// A failing trial at a place that the engine did not come to.
    pub fn trial(&self, trial: &Counterexample, ids: &mut CheckIds) -> CheckReport {
        let failure = &trial.failure;
        let span = self.module.spans.span(failure.span);
        let frame = failure.stack.iter().find(|frame| !frame.is_model);
        let function = frame.map_or_else(String::new, |frame| frame.function.to_string());
        let mut report = CheckReport {
            id: ids.next(&function, failure.kind, span.line, span.column),
            kind: failure.kind,
            file: self.module.spans.file_name(span.file).to_string(),
            line: span.line,
            column: span.column,
            function,
            verdict: VerdictName::Unknown,
            reason: None,
            trace: None,
            harness: None,
        };
        self.show(&mut report, trial);
        report
    }

    /// One check site. What is `unsafe` was run once more, on the program as the front end made it.
    pub fn check(&self, answer: &SiteAnswer, ids: &mut CheckIds) -> CheckReport {
        let mut report = self.described(answer, ids);
        match &answer.verdict {
            SiteVerdict::Safe => {}
            SiteVerdict::Unknown(why) => {
                report.verdict = VerdictName::Unknown;
                report.reason = Some(why.clone());
            }
            SiteVerdict::Unsafe(counterexample) => self.show(&mut report, counterexample),
        }
        report
    }

    /// Runs a counterexample and enters what came of it.
    fn show(&self, report: &mut CheckReport, counterexample: &Counterexample) {
        let counterexample = &self.smaller(counterexample);
        match self.trace(counterexample) {
            Ok(run) => {
                report.verdict = VerdictName::Unsafe;
                report.harness = self.harnesses.as_ref().map(|harnesses| {
                    let options = self.options();
                    let choices = &counterexample.choices;
                    let at = counterexample.failure.span;
                    harnesses.write(self.module, &options, choices, &run.failure, at)
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
    fn smaller(&self, counterexample: &Counterexample) -> Counterexample {
        let mut smaller = counterexample.clone();
        if counterexample.steps > SHRUNK_STEPS || counterexample.choices.len() > SHRUNK_CHOICES {
            return smaller;
        }
        let options = self.options();
        let choices = &counterexample.choices;
        let shrunk = shrink(self.module, &options, choices, &[], SHRINKING_REPLAYS);
        if let Ok(Some(shrunk)) = shrunk
            && shrunk.run.is_trustworthy()
            && let Outcome::Failed(failure) = shrunk.run.outcome
            && (failure.kind, failure.span)
                == (counterexample.failure.kind, counterexample.failure.span)
        {
            smaller.choices = shrunk.run.choices;
            smaller.failure = failure;
            smaller.steps = shrunk.run.steps;
        }
        smaller
    }

    fn described(&self, answer: &SiteAnswer, ids: &mut CheckIds) -> CheckReport {
        let site = &answer.site;
        let kind = match &answer.verdict {
            SiteVerdict::Unsafe(counterexample) => counterexample.failure.kind,
            SiteVerdict::Safe | SiteVerdict::Unknown(_) => site.kind.representative(),
        };
        let span = self.module.spans.span(site.span);
        let function = site.point.map_or_else(String::new, |point| {
            // What the pure form adds has no name in the program.
            let function = self.module.functions.get(point.function);
            function.map_or_else(String::new, |function| function.name.to_string())
        });
        CheckReport {
            id: ids.next(&function, kind, span.line, span.column),
            kind,
            file: self.module.spans.file_name(span.file).to_string(),
            line: span.line,
            column: span.column,
            function,
            verdict: VerdictName::Safe,
            reason: None,
            trace: None,
            harness: None,
        }
    }

    /// How the program is run.
    pub fn options(&self) -> Options {
        Options {
            checks: self.checks.groups().collect(),
            alignment: self.misaligned,
            ..Options::default()
        }
    }

    /// The failing run, told; or why it does not fail in the program as it was.
    fn trace(&self, counterexample: &Counterexample) -> Result<Trace, UnknownReason> {
        let options = self.options();
        let choices: &[Choice] = &counterexample.choices;
        let failure = |what: String| UnknownReason::Failure { what };
        let again = replay(self.module, &options, choices, &[])
            .map_err(|error| failure(error.to_string()))?;
        match (&again.run.outcome, again.trace) {
            (Outcome::Failed(found), Some(trace))
                if found.kind == counterexample.failure.kind
                    && found.span == counterexample.failure.span =>
            {
                Ok(trace)
            }
            _ => Err(failure(
                "the failing run fails in the pure form of the program only".to_owned(),
            )),
        }
    }

    fn assumptions(&self, report: &BmcReport) -> Vec<String> {
        let mut assumptions: Vec<String> = self
            .checks
            .assumptions()
            .into_iter()
            .map(ToOwned::to_owned)
            .collect();
        let called = report.notes.external_calls.iter().map(AsRef::as_ref);
        assumptions.extend(self.outside.assumptions(called));
        if !self.misaligned && self.checks.contains(CheckKind::Misaligned) {
            assumptions
                .push("misaligned accesses are no errors (--misaligned reports them)".to_owned());
        }
        if !self.malloc_may_fail && self.allocates() {
            let text = "malloc and calloc do not fail (--malloc-may-fail lets them)";
            assumptions.push(text.to_owned());
        }
        if report.notes.addresses_as_pointers {
            let text =
                "an integer that was not computed from an object's address does not reach it";
            assumptions.push(text.to_owned());
        }
        if report.notes.fixed_arguments {
            assumptions.push("main is called without arguments (argc is 1)".to_owned());
        }
        assumptions
    }

    /// Whether anything in the program takes memory from the heap.
    fn allocates(&self) -> bool {
        let bodies = self.module.functions.values();
        let mut instructions = bodies
            .filter_map(|function| function.body.as_ref())
            .flat_map(|body| body.instructions.values());
        instructions.any(|data| {
            let kind = AllocationKind::Heap;
            matches!(data.instruction, Instruction::Allocate { kind: own, .. } if own == kind)
        })
    }

    /// What goes on behind a bound, a sentence each.
    pub fn loops(&self, bound: u32, unwound: &[(Arc<str>, SpanId)]) -> Vec<String> {
        let sentences = unwound.iter().map(|(name, span)| {
            let place = self.module.spans.describe(*span);
            format!("{place}: {name} can go beyond bound {bound}")
        });
        sentences.collect()
    }

    fn warnings(&self, report: &BmcReport) -> Vec<String> {
        let mut warnings = vec![];
        for (what, span) in &report.notes.over_approximations {
            let place = self.module.spans.describe(*span);
            warnings.push(format!("{place}: {what} is not modelled precisely"));
        }
        warnings.extend(self.loops(report.bound, &report.unwound));
        let vacuous = report.answers.iter().filter(|answer| answer.vacuous);
        for answer in vacuous {
            let place = self.module.spans.describe(answer.site.span);
            let kind = answer.site.kind.representative();
            warnings.push(format!("{place}: no execution reaches this check ({kind})"));
        }
        warnings
    }
}

/// The engine's answers, with those sites refuted at which only a trial fails; and the trials that
/// fail at no site that the engine knows.
fn with_trials<'t>(
    answers: &[SiteAnswer],
    trials: &'t Trials,
) -> (Vec<SiteAnswer>, Vec<&'t Counterexample>) {
    let mut answers = answers.to_vec();
    let mut unmatched = vec![];
    for trial in trials.failures() {
        let (kind, span) = (trial.failure.kind, trial.failure.span);
        let found = answers
            .iter_mut()
            .find(|answer| answer.site.span == span && answer.site.kind.admits(kind));
        match found {
            Some(answer) => {
                if !matches!(answer.verdict, SiteVerdict::Unsafe(_)) {
                    answer.verdict = SiteVerdict::Unsafe(Box::new(trial.clone()));
                }
            }
            None => unmatched.push(trial),
        }
    }
    (answers, unmatched)
}

/// The order of the program: functions as they come, instructions as they were made.
fn order(point: foghorn_ir::interpret::ProgramPoint) -> (usize, usize) {
    use cranelift_entity::EntityRef;
    (point.function.index(), point.instruction.index())
}

fn statistics(report: &BmcReport) -> std::collections::BTreeMap<String, f64> {
    let own = &report.statistics;
    let memory = &own.memory;
    let entries = [
        ("instructions", own.instructions as f64),
        ("events", own.events as f64),
        ("terms", own.terms as f64),
        ("formula_size", own.formula_size as f64),
        ("queries", f64::from(own.queries)),
        ("closed_loops", f64::from(own.closed_loops)),
        ("executing_s", own.executing.as_secs_f64()),
        ("preprocessing_s", memory.preprocessing.as_secs_f64()),
        ("solving_s", own.solving.as_secs_f64()),
        ("replaying_s", own.replaying.as_secs_f64()),
        ("memory_reads", memory.reads as f64),
        ("row_hits", memory.hits as f64),
        ("row_skips", memory.skips as f64),
        ("arm_skips", memory.arm_skips as f64),
        ("row_splits", memory.splits as f64),
        ("store_map_hits", memory.store_map_hits as f64),
    ];
    entries
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}
