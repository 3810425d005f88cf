//! The answer for a whole program, as `foghorn verify --json` prints it.
//!
//! The schema is `docs/verification-report.schema.json`, explained in `docs/guide/json.md`.
//! Fields are only ever added.
//!
//! Invariants: the program's verdict is the meet of its checks' verdicts, except that an
//! `unknown` of the whole run (a time limit, a crash of the engine) may stand beside checks that
//! are decided; a check is `unsafe` only if its run was executed, and then has a trace.

use crate::trace::Trace;
use foghorn_core::assumption::enumerate;
use foghorn_core::{Assumption, CheckKind, UnknownReason, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Names one check site of a program, the same in every run on the same source:
/// `function/kind@line:column`, and `#n` for the n-th of several at one place, from 2.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CheckId(String);

impl CheckId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CheckId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Gives out ids; sites must come in the order of the program for the ids to be stable.
#[derive(Clone, Debug, Default)]
pub struct CheckIds {
    given: BTreeMap<String, u32>,
}

impl CheckIds {
    /// The id of the next site of this kind at this place.
    pub fn next(&mut self, function: &str, kind: CheckKind, line: u32, column: u32) -> CheckId {
        let place = format!("{function}/{kind}@{line}:{column}");
        let count = self.given.entry(place.clone()).or_default();
        *count += 1;
        CheckId(match *count {
            1 => place,
            ordinal => format!("{place}#{ordinal}"),
        })
    }
}

/// Warnings of one kind beyond this are counted, not listed.
const LISTED: usize = 20;

/// The three answers, by the names that reports use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VerdictName {
    Safe,
    Unsafe,
    Unknown,
}

impl VerdictName {
    pub fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Safe => Self::Safe,
            Verdict::Unsafe => Self::Unsafe,
            Verdict::Unknown { .. } => Self::Unknown,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
            Self::Unknown => "unknown",
        }
    }
}

/// The answer for one check site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckReport {
    pub id: CheckId,
    pub kind: CheckKind,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    pub verdict: VerdictName,
    /// Why the verdict is unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<UnknownReason>,
    /// No execution reaches it: it is safe and says nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub unreached: bool,
    /// The engines that proved it, if the verdict is safe.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub proved_by: Vec<String>,
    /// Whether the proof was shown again by a program that knows no engine.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub certified: Option<bool>,
    /// The failing run, if the verdict is unsafe.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub trace: Option<Trace>,
    /// The same run as a program, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub harness: Option<HarnessReport>,
}

/// A harness that was written: a C file that makes the compiled program fail in the same way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HarnessReport {
    pub file: String,
    /// The command that builds it with the program, and the one that runs it.
    pub build: String,
    pub run: String,
    /// What of the run the file cannot force, or why there is none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
}

/// The answer for a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VerificationReport {
    pub verdict: VerdictName,
    /// One sentence: why it is unknown, how many checks fail, or what was proved.
    pub reason: String,
    /// The same for programs; only with an unknown verdict.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unknown: Option<UnknownReason>,
    pub checks: Vec<CheckReport>,
    /// What the answer rests on: functions without a body, floating-point mode, ….
    pub assumptions: Vec<String>,
    /// The same in a few words each, as the verdict line names it behind "if".
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub conditions: Vec<String>,
    /// No execution satisfies the program's own assumptions, so that every check holds.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub contradictory: bool,
    /// The list of checks is not whole: the engine was stopped before it told all of them.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub partial: bool,
    /// Where some checks fail, why others were not decided.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ended_early: Option<UnknownReason>,
    /// Things to know that do not change the answer: checks that nothing reaches, ….
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<String>,
    /// Whether the proofs were shown again: "certified", or of how many checks not and why.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub certificate: Option<String>,
    pub engine: String,
    /// The bound up to which loops and recursion were followed; `null` if there was none.
    pub bound: Option<u32>,
    pub time_s: f64,
    pub peak_memory_mb: f64,
    pub statistics: BTreeMap<String, f64>,
}

impl VerificationReport {
    /// The answer that these checks make together. `incomplete` says why the run as a whole
    /// proves nothing even if every check listed is safe.
    pub fn new(engine: &str, checks: Vec<CheckReport>, incomplete: Option<UnknownReason>) -> Self {
        let (verdict, unknown) = meet(&checks, incomplete);
        let mut report = VerificationReport {
            verdict,
            reason: String::new(),
            unknown,
            checks,
            assumptions: vec![],
            conditions: vec![],
            contradictory: false,
            partial: false,
            ended_early: None,
            warnings: vec![],
            certificate: None,
            engine: engine.to_owned(),
            bound: None,
            time_s: 0.0,
            peak_memory_mb: 0.0,
            statistics: BTreeMap::new(),
        };
        report.explain();
        report
    }

    /// The last touch: what was found in words, and warnings about what limits it.
    pub fn finish(&mut self) {
        self.explain();
        let unreached = self.checks.iter().filter(|check| check.unreached);
        let count = unreached.clone().count();
        let listed = unreached.take(LISTED).map(|check| {
            format!(
                "{}:{}:{}: no execution reaches this check ({})",
                check.file, check.line, check.column, check.kind
            )
        });
        let mut warnings: Vec<String> = listed.collect();
        if count > LISTED {
            let more = count - LISTED;
            warnings.push(format!("no execution reaches {more} more checks"));
        }
        warnings.extend(self.early_end());
        self.warnings.extend(warnings);
    }

    /// Says anew what was found, after checks or circumstances were added.
    pub fn explain(&mut self) {
        self.reason = match self.verdict {
            VerdictName::Safe => self.proved(),
            VerdictName::Unsafe => self.failures(),
            VerdictName::Unknown => {
                let unknown = self.unknown.as_ref();
                unknown.map_or_else(String::new, ToString::to_string)
            }
        };
    }

    /// Adds what the answer rests on, each thing once.
    pub fn assume(&mut self, assumptions: impl IntoIterator<Item = Assumption>) {
        for assumption in assumptions {
            if !self.assumptions.contains(&assumption.sentence) {
                self.assumptions.push(assumption.sentence);
            }
            let condition = assumption.kind.entry().condition.map(str::to_owned);
            if let Some(condition) = condition.filter(|it| !self.conditions.contains(it)) {
                self.conditions.push(condition);
            }
        }
    }

    /// The verdict with what it rests on: `safe, if malloc does not fail`. A run that fails needs no
    /// condition, and where nothing is known none helps.
    pub fn headline(&self) -> String {
        let name = self.verdict.name();
        match (self.verdict, self.conditions.is_empty()) {
            (VerdictName::Safe, false) => format!("{name}, if {}", enumerate(&self.conditions)),
            (VerdictName::Safe, true) | (VerdictName::Unsafe | VerdictName::Unknown, _) => {
                name.to_owned()
            }
        }
    }

    /// Where some checks fail, the reason why others were not decided is not the answer, but it is
    /// worth a warning.
    pub fn note_early_end(&mut self, reason: &UnknownReason) {
        if self.verdict == VerdictName::Unsafe {
            self.ended_early = Some(reason.clone());
        }
    }

    /// Where a check failed, the search for others ended before its time was over. That is no lack of
    /// time, and more of it would not help.
    pub fn end_after_failure(&mut self) {
        if self.with_verdict(VerdictName::Unknown).next().is_none() {
            self.ended_early = None;
            return;
        }
        let open = self.checks.iter_mut();
        for check in open.filter(|check| check.verdict == VerdictName::Unknown) {
            let says_more = |reason: &UnknownReason| {
                matches!(
                    reason,
                    UnknownReason::Unrepeated { .. }
                        | UnknownReason::Unsupported { .. }
                        | UnknownReason::Imprecision { .. }
                )
            };
            if !check.reason.as_ref().is_some_and(says_more) {
                check.reason = Some(UnknownReason::AfterFailure);
            }
        }
        self.ended_early = Some(UnknownReason::AfterFailure);
    }

    /// The warning about a search that ended early.
    fn early_end(&self) -> Option<String> {
        let text = match self.ended_early.as_ref()? {
            UnknownReason::AfterFailure => {
                "the search ended soon after the first failure (--after-failure rest uses all the time)"
                    .to_owned()
            }
            reason => format!("the search ended early: {reason}"),
        };
        Some(format!("{text}; other checks may fail too"))
    }

    /// The checks with this verdict.
    pub fn with_verdict(&self, verdict: VerdictName) -> impl Iterator<Item = &CheckReport> {
        self.checks
            .iter()
            .filter(move |check| check.verdict == verdict)
    }

    /// What a safe answer says, which is less than it seems where nothing is reached.
    fn proved(&self) -> String {
        let count = self.checks.len();
        let unreached = self.checks.iter().filter(|check| check.unreached).count();
        let hold = match count {
            1 => "1 check holds".to_owned(),
            count => format!("{count} checks hold"),
        };
        if self.contradictory {
            format!("{hold}, but only since no execution satisfies the program's assumptions")
        } else if count == 0 {
            "0 checks: the program has nothing that was checked".to_owned()
        } else if unreached == count {
            format!("{hold}, but no execution reaches {}", any_of(count))
        } else if unreached > 0 {
            format!("{hold} in every execution; no execution reaches {unreached} of them")
        } else {
            format!("{hold} in every execution")
        }
    }

    /// How many checks fail, of how many, and how many have no answer.
    fn failures(&self) -> String {
        let failed = self.with_verdict(VerdictName::Unsafe).count();
        let open = self.with_verdict(VerdictName::Unknown).count();
        if self.partial {
            let fail = if failed == 1 { "fails" } else { "fail" };
            return format!("{} {fail}; others were not decided", counted(failed));
        }
        let fail = if failed == 1 { "fails" } else { "fail" };
        let open = match open {
            0 => String::new(),
            1 => ", 1 was not decided".to_owned(),
            open => format!(", {open} were not decided"),
        };
        format!("{failed} of {} {fail}{open}", counted(self.checks.len()))
    }
}

fn any_of(count: usize) -> &'static str {
    match count {
        1 => "it",
        _ => "any of them",
    }
}

fn meet(
    checks: &[CheckReport],
    incomplete: Option<UnknownReason>,
) -> (VerdictName, Option<UnknownReason>) {
    let any = |verdict| checks.iter().find(|check| check.verdict == verdict);
    if any(VerdictName::Unsafe).is_some() {
        return (VerdictName::Unsafe, None);
    }
    // A candidate that could not be repeated says more than the end of the search.
    let mut reasons = checks.iter().filter_map(|check| check.reason.as_ref());
    let unrepeated = reasons.find(|reason| matches!(reason, UnknownReason::Unrepeated { .. }));
    if let Some(reason) = unrepeated {
        return (VerdictName::Unknown, Some(reason.clone()));
    }
    if incomplete.is_some() {
        return (VerdictName::Unknown, incomplete);
    }
    match any(VerdictName::Unknown) {
        Some(check) => {
            let unexplained = || UnknownReason::Failure {
                what: format!("check {} was not decided", check.id),
            };
            let reason = check.reason.clone().unwrap_or_else(unexplained);
            (VerdictName::Unknown, Some(reason))
        }
        None => (VerdictName::Safe, None),
    }
}

fn counted(checks: usize) -> String {
    match checks {
        1 => "1 check".to_owned(),
        count => format!("{count} checks"),
    }
}

#[cfg(test)]
mod tests;
