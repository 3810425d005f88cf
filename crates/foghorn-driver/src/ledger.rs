//! What is known of each check so far, whoever found it, and the report that comes of it.
//!
//! Stages run side by side and end in any order, so what they say is put together here as a union:
//! a check that failed has failed, a check that anybody proved is proved. Where neither is known, the
//! reason is that of the stage with the strongest voice, and of two such stages that of the later one.

use crate::message::StageReport;
use crate::plan::Stage;
use cranelift_entity::EntityRef;
use foghorn_core::UnknownReason;
use foghorn_engine::{Claim, Knowledge, ProgramHash};
use foghorn_ir::sites::SiteId;
use foghorn_witness::report::{CheckId, CheckReport, VerdictName, VerificationReport};
use std::collections::BTreeMap;

/// The state of all checks of a run.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// All checks, undecided, by the numbers of their sites.
    checks: Vec<CheckReport>,
    knowledge: Knowledge,
    failed: BTreeMap<CheckId, Failed>,
    stages: Vec<Entry>,
    /// There is nothing in the program that could fail, in either of its forms.
    has_nothing: bool,
}

/// A check that failed.
#[derive(Clone, Debug)]
struct Failed {
    engine: String,
    order: usize,
    check: CheckReport,
}

/// What a stage said last, and why it said no more.
#[derive(Clone, Debug, Default)]
struct Entry {
    engine: String,
    voice: u8,
    report: Option<StageReport>,
    stopped: Option<UnknownReason>,
    peak_memory_mb: f64,
}

impl Ledger {
    /// The ledger of a run of these stages.
    pub fn new(program: ProgramHash, checks: Vec<CheckReport>, stages: &[Stage]) -> Self {
        let stages = stages.iter().map(|stage| Entry {
            engine: stage.engine.clone(),
            voice: stage.voice,
            ..Entry::default()
        });
        Ledger {
            checks,
            knowledge: Knowledge::of(program),
            failed: BTreeMap::new(),
            stages: stages.collect(),
            has_nothing: false,
        }
    }

    /// The same for a program in which nothing could fail: no engine has to be asked. That the list of
    /// checks is empty does not say so much, since what stands behind a call that leads nowhere known is
    /// not in it.
    #[must_use]
    pub fn with_nothing(self, has_nothing: bool) -> Self {
        Ledger {
            has_nothing,
            ..self
        }
    }

    /// All that is known and may be used by others.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// Notes that a check failed; whether that is new. Of two runs that fail at one check the first is
    /// kept: it was shown.
    pub fn fail(&mut self, stage: usize, check: CheckReport) -> bool {
        let order = self.failed.len();
        let is_new = !self.failed.contains_key(&check.id);
        if is_new {
            let engine = self.stages[stage].engine.clone();
            let failed = Failed {
                engine,
                order,
                check,
            };
            self.failed.insert(failed.check.id.clone(), failed);
        }
        is_new
    }

    pub fn has_failures(&self) -> bool {
        !self.failed.is_empty()
    }

    /// Enters what a stage says, in the place of what it said before; whether anything is known now
    /// that was not.
    pub fn enter(&mut self, stage: usize, report: StageReport) -> bool {
        let entry = &mut self.stages[stage];
        let mut grew = false;
        for answer in report.answers.iter().filter(|answer| answer.open.is_none()) {
            let claim = Claim {
                by: entry.engine.clone(),
                unreached: answer.unreached,
            };
            grew |= self.knowledge.prove(answer.site, claim);
        }
        for facts in &report.facts {
            let facts = facts.clone();
            grew |= self
                .knowledge
                .add_facts(&entry.engine, report.certified, facts);
        }
        entry.peak_memory_mb = entry.peak_memory_mb.max(report.peak_memory_mb);
        entry.report = Some(report);
        grew
    }

    /// Notes that a stage ended without an answer of its own.
    pub fn stop(&mut self, stage: usize, reason: UnknownReason, peak_memory_mb: f64) {
        let entry = &mut self.stages[stage];
        entry.stopped = Some(reason);
        entry.peak_memory_mb = entry.peak_memory_mb.max(peak_memory_mb);
    }

    /// Whether nothing is left to find out.
    pub fn is_decided(&self) -> bool {
        let is_settled = |index| self.is_settled(index);
        let all_settled = !self.checks.is_empty() && (0..self.checks.len()).all(is_settled);
        self.is_proved() || (all_settled && self.has_failures())
    }

    /// Whether some stage came to its end with every check, or all together did.
    fn is_proved(&self) -> bool {
        let mut reports = self.reports();
        if self.has_nothing || reports.any(|(_, report)| report.is_complete()) {
            return true;
        }
        let mut further = self.reports().flat_map(|(_, report)| &report.further);
        (0..self.checks.len()).all(|index| self.is_settled(index))
            && !self.checks.is_empty()
            && further.all(|check| self.failed.contains_key(&check.id))
    }

    fn is_settled(&self, index: usize) -> bool {
        self.knowledge.is_proved(SiteId::new(index))
            || self.failed.contains_key(&self.checks[index].id)
    }

    /// What stages said that were asked.
    fn reports(&self) -> impl DoubleEndedIterator<Item = (&Entry, &StageReport)> {
        let entries = self.stages.iter();
        let reports = entries.filter_map(|entry| Some((entry, entry.report.as_ref()?)));
        reports.filter(|(_, report)| report.skipped.is_none())
    }

    /// Why the run as a whole proves no more: what the stage with the strongest voice says; if none was
    /// asked, why not.
    fn incomplete(&self) -> Option<UnknownReason> {
        let is_asked = |entry: &&Entry| {
            let report = entry.report.as_ref();
            entry.stopped.is_some() || report.is_some_and(|it| it.skipped.is_none())
        };
        let asked = self.stages.iter().filter(is_asked);
        let Some(loudest) = asked.clone().map(|entry| entry.voice).max() else {
            let reports = self.stages.iter().filter_map(|entry| entry.report.as_ref());
            let why = reports
                .filter_map(|report| report.skipped.clone())
                .next_back()?;
            return Some(UnknownReason::NotAsked { why });
        };
        let reasons = asked.filter(|entry| entry.voice == loudest);
        let mut reasons = reasons.filter_map(|entry| {
            let own = entry.report.as_ref().and_then(|it| it.incomplete.clone());
            entry.stopped.clone().or(own)
        });
        reasons.next_back()
    }

    /// Why checks are open, by site: a run that could not be repeated says most, else the last stage that
    /// was asked has the word.
    fn reasons(&self) -> BTreeMap<SiteId, UnknownReason> {
        let mut reasons: BTreeMap<SiteId, UnknownReason> = BTreeMap::new();
        let mut reports: Vec<(&Entry, &StageReport)> = self.reports().collect();
        reports.sort_by_key(|(entry, _)| entry.voice);
        for (_, report) in reports {
            let open = report.answers.iter();
            for (site, reason) in open.filter_map(|it| Some((it.site, it.open.as_ref()?))) {
                let known = reasons.get(&site);
                if !matches!(known, Some(UnknownReason::Unrepeated { .. })) {
                    reasons.insert(site, reason.clone());
                }
            }
        }
        reasons
    }

    /// The checks with their verdicts, in the order of the program.
    fn decided_checks(&self) -> Vec<CheckReport> {
        let complete = self.reports().any(|(_, report)| report.is_complete());
        let (mut reasons, incomplete) = (self.reasons(), self.incomplete());
        let mut all = vec![];
        for (index, check) in self.checks.iter().enumerate() {
            let site = SiteId::new(index);
            if let Some(failed) = self.failed.get(&check.id) {
                all.push(failed.check.clone());
                continue;
            }
            let mut check = check.clone();
            match self.knowledge.claims(site) {
                Some(claims) => {
                    check.verdict = VerdictName::Safe;
                    check.unreached = claims.iter().any(|claim| claim.unreached);
                    for claim in claims {
                        if !check.proved_by.contains(&claim.by) {
                            check.proved_by.push(claim.by.clone());
                        }
                    }
                }
                None if complete => check.verdict = VerdictName::Safe,
                None => check.reason = reasons.remove(&site).or_else(|| incomplete.clone()),
            }
            all.push(check);
        }
        let listed: Vec<CheckId> = all.iter().map(|check| check.id.clone()).collect();
        let mut further: Vec<&Failed> = self.failed.values().collect();
        further.sort_by_key(|failed| failed.order);
        let further = further.into_iter().map(|failed| &failed.check);
        all.extend(further.filter(|check| !listed.contains(&check.id)).cloned());
        if !complete {
            let open = self.reports().flat_map(|(_, report)| &report.further);
            for check in open {
                if !all.iter().any(|known| known.id == check.id) {
                    all.push(check.clone());
                }
            }
        }
        all
    }

    /// The report of the run.
    pub fn report(&self) -> VerificationReport {
        let checks = self.decided_checks();
        let open = checks.iter().any(|it| it.verdict == VerdictName::Unknown);
        let nothing = self.checks.is_empty() && !self.is_proved() && !self.has_failures();
        let unasked = || UnknownReason::NotAsked {
            why: "no engine came to its end".to_owned(),
        };
        let incomplete = match (open, nothing) {
            (true, _) => self.incomplete(),
            (false, true) => Some(self.incomplete().unwrap_or_else(unasked)),
            (false, false) => None,
        };
        let mut whole = VerificationReport::new("", checks, incomplete.clone());
        whole.engine = self.engine(&whole);
        let mut reports: Vec<(&Entry, &StageReport)> = self.reports().collect();
        reports.sort_by_key(|(entry, _)| std::cmp::Reverse(entry.voice));
        for (_, report) in reports {
            whole.assume(report.assumptions.iter().cloned());
            whole.contradictory |= report.contradictory;
        }
        whole.explain();
        if whole.verdict == VerdictName::Unsafe
            && let Some(reason) = &incomplete
        {
            whole.note_early_end(reason);
        }
        self.add_bounds(&mut whole);
        self.add_statistics(&mut whole);
        whole
    }

    /// Bounds and warnings: of each engine what it said last.
    fn add_bounds(&self, whole: &mut VerificationReport) {
        let is_safe = whole.verdict == VerdictName::Safe;
        let mut engines = vec![];
        let mut warnings = vec![];
        for (entry, report) in self.reports().rev() {
            if engines.contains(&&entry.engine) {
                continue;
            }
            engines.push(&entry.engine);
            if !is_safe || report.is_complete() {
                whole.bound = whole.bound.max(report.bound);
            }
            let unwound = report.unwound.iter().filter(|_| !is_safe);
            for warning in report.warnings.iter().chain(unwound) {
                if !warnings.contains(warning) {
                    warnings.push(warning.clone());
                }
            }
        }
        whole.warnings = warnings;
    }

    /// What it took: the last engine's numbers by their names, those of others with the engine's name
    /// before them.
    fn add_statistics(&self, whole: &mut VerificationReport) {
        let last = self.reports().next_back().map(|(entry, _)| &entry.engine);
        for (entry, report) in self.reports() {
            whole.peak_memory_mb = whole.peak_memory_mb.max(entry.peak_memory_mb);
            for (name, value) in &report.statistics {
                let name = match last == Some(&entry.engine) {
                    true => name.clone(),
                    false => format!("{}_{name}", entry.engine),
                };
                whole.statistics.insert(name, *value);
            }
        }
    }

    /// The engines that the answer is owed to.
    fn engine(&self, whole: &VerificationReport) -> String {
        let mut names: Vec<String> = vec![];
        match whole.verdict {
            VerdictName::Unsafe => {
                let first = self.failed.values().min_by_key(|failed| failed.order);
                names.extend(first.map(|failed| failed.engine.clone()));
            }
            VerdictName::Safe => {
                let complete = self.reports().find(|(_, report)| report.is_complete());
                names.extend(complete.map(|(entry, _)| entry.engine.clone()));
                if names.is_empty() {
                    names = self.stages.iter().map(|it| it.engine.clone()).collect();
                    names.dedup();
                    let by = |name: &String| {
                        let mut checks = whole.checks.iter();
                        checks.any(|check| check.proved_by.contains(name))
                    };
                    names.retain(by);
                }
            }
            VerdictName::Unknown => {}
        }
        if names.is_empty() {
            let asked = self.stages.iter().filter(|entry| {
                let skipped = entry.report.as_ref().and_then(|it| it.skipped.as_ref());
                skipped.is_none() && (entry.report.is_some() || entry.stopped.is_some())
            });
            let asked = asked.max_by_key(|entry| entry.voice);
            names.extend(asked.map(|entry| entry.engine.clone()));
        }
        names.dedup();
        names.join("+")
    }
}

#[cfg(test)]
mod tests;
