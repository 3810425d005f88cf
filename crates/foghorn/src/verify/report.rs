//! From the engine's answers to the report that people and programs read.

use super::assumptions::{Circumstances, Noticed};
use super::harnesses::Harnesses;
use super::sites::Sites;
use super::trials::Trials;
use foghorn_bmc::replay::Counterexample;
use foghorn_bmc::{BmcReport, SiteAnswer, SiteVerdict};
use foghorn_core::{Assumption, SiteKind, SpanId, UnknownReason};
use foghorn_ir::Module;
use foghorn_ir::interpret::{Choice, Options, Outcome, ProgramPoint};
use foghorn_witness::outside::printable;
use foghorn_witness::report::{CheckReport, VerdictName, VerificationReport};
use foghorn_witness::trace::Trace;
use foghorn_witness::{replay, shrink};
use std::collections::BTreeMap;
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
    pub circumstances: Circumstances<'m>,
    pub harnesses: Option<Harnesses<'m>>,
    /// All checks of the program.
    pub sites: &'m Sites<'m>,
    /// Whether an earlier engine proved a site.
    pub is_proved: &'m dyn Fn(SiteKind, ProgramPoint) -> bool,
    /// Loops that have a bound of their own.
    pub own_bounds: BTreeMap<Arc<str>, u32>,
}

impl Reporter<'_> {
    /// The answer of the bounded model checker, and of the trials where that has none.
    pub fn bmc(&self, report: &BmcReport, trials: &Trials) -> VerificationReport {
        let (answers, unmatched) = with_trials(&report.answers, trials);
        let mut answers: Vec<&SiteAnswer> = answers.iter().collect();
        answers.sort_by_key(|answer| (answer.site.point.map(order), answer.site.kind));
        let mut checks: Vec<CheckReport> =
            answers.iter().map(|answer| self.check(answer)).collect();
        for trial in unmatched {
            let check = self.trial(trial);
            checks.retain(|known| known.id != check.id);
            checks.push(check);
        }
        let open = report.incomplete.as_ref();
        let checks = self.sites.complete(checks, self.is_proved, open);
        let mut whole = VerificationReport::new("bmc", checks, report.incomplete.clone());
        whole.bound = (report.statistics.closed_loops == 0).then_some(report.bound);
        whole.assume(self.assumptions(report));
        whole.contradictory = report.contradictory;
        whole.explain();
        whole.warnings = self.warnings(report);
        if let Some(reason) = &report.incomplete {
            whole.note_early_end(reason);
        }
        whole.statistics = statistics(report);
        whole
    }

    /// A failing trial at a place that the engine did not come to.
    pub fn trial(&self, trial: &Counterexample) -> CheckReport {
        let mut report = self.sites.failed(&trial.failure);
        report.kind = trial.failure.kind;
        self.show(&mut report, trial);
        report
    }

    /// One check site. What is `unsafe` was run once more, on the program as the front end made it.
    pub fn check(&self, answer: &SiteAnswer) -> CheckReport {
        let mut report = self.described(answer);
        report.unreached = answer.vacuous;
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
                    let options = self.options_of(counterexample);
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
        let options = self.options_of(counterexample);
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
            if !smaller.layout.is_empty() {
                let layout = shrunk.run.layout.iter();
                smaller.layout = layout.map(|placement| placement.base).collect();
            }
        }
        self.printable(smaller)
    }

    /// The same failure with arguments that a person can type, if there is one.
    fn printable(&self, counterexample: Counterexample) -> Counterexample {
        let run = printable(self.module, &self.options(), &counterexample.choices, &[]);
        match run {
            Ok(Some(run)) if run.is_trustworthy() => match run.outcome {
                Outcome::Failed(failure)
                    if (failure.kind, failure.span)
                        == (counterexample.failure.kind, counterexample.failure.span) =>
                {
                    let layout = run.layout.iter().map(|placement| placement.base);
                    let layout = match counterexample.layout.is_empty() {
                        true => vec![],
                        false => layout.collect(),
                    };
                    Counterexample {
                        choices: run.choices,
                        failure,
                        steps: run.steps,
                        layout,
                    }
                }
                _ => counterexample,
            },
            Ok(_) | Err(_) => counterexample,
        }
    }

    fn described(&self, answer: &SiteAnswer) -> CheckReport {
        let site = &answer.site;
        let mut report = self.sites.check(site.kind, site.point, site.span);
        if let SiteVerdict::Unsafe(counterexample) = &answer.verdict {
            report.kind = counterexample.failure.kind;
        }
        report.verdict = VerdictName::Safe;
        report
    }

    /// How the program is run.
    pub fn options(&self) -> Options {
        Options {
            checks: self.circumstances.checks.groups().collect(),
            alignment: self.circumstances.misaligned,
            ..Options::default()
        }
    }

    /// How a failing run is made again.
    fn options_of(&self, counterexample: &Counterexample) -> Options {
        Options {
            layout: counterexample.layout.clone(),
            ..self.options()
        }
    }

    /// The failing run, told; or why it does not fail in the program as it was.
    fn trace(&self, counterexample: &Counterexample) -> Result<Trace, UnknownReason> {
        let options = self.options_of(counterexample);
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

    fn assumptions(&self, report: &BmcReport) -> Vec<Assumption> {
        let notes = &report.notes;
        self.circumstances.assumptions(&Noticed {
            external_calls: notes.external_calls.iter().map(|name| &**name).collect(),
            addresses_as_pointers: notes.addresses_as_pointers,
            fixed_arguments: notes.fixed_arguments,
        })
    }

    /// What goes on behind a bound, a sentence each.
    pub fn loops(&self, bound: u32, unwound: &[(Arc<str>, SpanId)]) -> Vec<String> {
        let sentences = unwound.iter().map(|(name, span)| {
            let place = self.module.spans.describe(*span);
            let bound = self.own_bounds.get(name).unwrap_or(&bound);
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
        let is_there =
            |answer: &SiteAnswer| answer.site.span == span && answer.site.kind.admits(kind);
        let refuted = |answer: &SiteAnswer| matches!(answer.verdict, SiteVerdict::Unsafe(_));
        // A place can have several checks; the trial does not say at which of them it failed.
        if answers
            .iter()
            .any(|answer| is_there(answer) && refuted(answer))
        {
            continue;
        }
        let open = |answer: &SiteAnswer| !matches!(answer.verdict, SiteVerdict::Safe);
        let found = answers
            .iter()
            .position(|answer| is_there(answer) && open(answer));
        match found.or_else(|| answers.iter().position(is_there)) {
            Some(place) => {
                answers[place].verdict = SiteVerdict::Unsafe(Box::new(trial.clone()));
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
