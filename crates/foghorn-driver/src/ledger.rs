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
mod tests {
    use super::*;
    use crate::message::StageAnswer;
    use foghorn_core::CheckKind;
    use foghorn_witness::report::CheckIds;

    fn ledger() -> Ledger {
        let mut ids = CheckIds::default();
        let check = |line| CheckReport {
            id: ids.next("main", CheckKind::Assertion, line, 1),
            kind: CheckKind::Assertion,
            file: "a.c".to_owned(),
            line,
            column: 1,
            function: "main".to_owned(),
            verdict: VerdictName::Unknown,
            reason: None,
            unreached: false,
            proved_by: vec![],
            certified: None,
            trace: None,
            harness: None,
        };
        let checks = (1..=2).map(check).collect();
        let stages = ["a", "b"].map(|engine| Stage::new(engine, ""));
        Ledger::new(ProgramHash::default(), checks, &stages)
    }

    fn bounded() -> UnknownReason {
        UnknownReason::Bounded { bound: 8 }
    }

    fn proves(sites: &[usize]) -> StageReport {
        let answers = sites.iter().map(|&site| StageAnswer {
            site: SiteId::new(site),
            open: None,
            unreached: false,
        });
        StageReport {
            answers: answers.collect(),
            incomplete: Some(bounded()),
            ..StageReport::default()
        }
    }

    fn failing(ledger: &Ledger, index: usize) -> CheckReport {
        CheckReport {
            verdict: VerdictName::Unsafe,
            ..ledger.checks[index].clone()
        }
    }

    #[test]
    fn two_halves_make_a_proof() {
        let mut ledger = ledger();
        assert!(ledger.enter(0, proves(&[0])));
        assert!(!ledger.is_decided());
        assert_eq!(ledger.report().verdict, VerdictName::Unknown);
        assert_eq!(ledger.report().unknown, Some(bounded()));
        assert!(ledger.enter(1, proves(&[1])));
        assert!(ledger.is_decided());
        let report = ledger.report();
        assert_eq!(report.verdict, VerdictName::Safe);
        assert_eq!(report.engine, "a+b");
        assert_eq!(report.checks[1].proved_by, ["b"]);
        assert_eq!(report.bound, None);
    }

    /// What a stage said before it was replaced by less stays known.
    #[test]
    fn nothing_is_taken_back() {
        let mut ledger = ledger();
        ledger.enter(0, proves(&[0]));
        assert!(!ledger.enter(0, proves(&[])));
        ledger.stop(0, UnknownReason::Interrupted, 1.0);
        let report = ledger.report();
        assert_eq!(report.checks[0].verdict, VerdictName::Safe);
        assert_eq!(report.checks[1].reason, Some(UnknownReason::Interrupted));
    }

    #[test]
    fn a_failure_is_a_failure_whoever_proves_it() {
        let mut ledger = ledger();
        let check = failing(&ledger, 0);
        assert!(ledger.fail(1, check.clone()));
        assert!(!ledger.fail(0, check));
        ledger.enter(0, proves(&[0, 1]));
        let report = ledger.report();
        assert_eq!(report.verdict, VerdictName::Unsafe);
        assert_eq!(report.checks[0].verdict, VerdictName::Unsafe);
        assert_eq!(report.engine, "b");
    }

    #[test]
    fn who_comes_to_its_end_has_proved_the_rest() {
        let mut ledger = ledger();
        let complete = StageReport {
            incomplete: None,
            ..proves(&[1])
        };
        ledger.enter(1, complete);
        assert!(ledger.is_decided());
        let report = ledger.report();
        assert_eq!(report.verdict, VerdictName::Safe);
        assert_eq!(report.engine, "b");
    }

    /// Who only helps does not say why there is no answer, even if it comes last.
    #[test]
    fn the_strongest_voice_has_the_word() {
        let stages = [Stage::new("a", ""), Stage::new("b", "").with_voice(0)];
        let mut ledger = Ledger::new(ProgramHash::default(), ledger().checks, &stages);
        ledger.enter(0, proves(&[]));
        ledger.stop(1, UnknownReason::Interrupted, 0.0);
        assert_eq!(ledger.report().unknown, Some(bounded()));
    }

    /// No check in the list, and still somebody has to look.
    #[test]
    fn an_empty_list_is_no_proof() {
        let stages = [Stage::new("a", "")];
        let ledger = Ledger::new(ProgramHash::default(), vec![], &stages);
        assert!(!ledger.is_decided());
        assert_eq!(ledger.report().verdict, VerdictName::Unknown);
        let mut asked = ledger.clone();
        asked.enter(0, StageReport::default());
        assert_eq!(asked.report().verdict, VerdictName::Safe);
        let ledger = ledger.with_nothing(true);
        assert!(ledger.is_decided());
        assert_eq!(ledger.report().verdict, VerdictName::Safe);
    }

    /// All listed checks are proved, but a call leads nowhere known.
    #[test]
    fn what_is_not_listed_counts() {
        let mut ledger = ledger();
        let mut report = proves(&[0, 1]);
        report.incomplete = None;
        let open = CheckReport {
            reason: Some(bounded()),
            ..failing(&ledger, 0)
        };
        let id = CheckIds::default().next("main", CheckKind::InvalidCall, 7, 1);
        report.further.push(CheckReport {
            id,
            verdict: VerdictName::Unknown,
            ..open
        });
        ledger.enter(0, report);
        assert!(!ledger.is_decided());
        assert_eq!(ledger.report().verdict, VerdictName::Unknown);
    }

    #[test]
    fn who_was_not_asked_proves_nothing() {
        let mut ledger = ledger();
        ledger.enter(
            0,
            StageReport {
                skipped: Some("it cannot".to_owned()),
                ..StageReport::default()
            },
        );
        assert!(!ledger.is_decided());
        let why = "it cannot".to_owned();
        let reason = Some(UnknownReason::NotAsked { why });
        assert_eq!(ledger.report().unknown, reason);
    }

    #[test]
    fn a_run_that_was_not_repeated_says_more_than_a_bound() {
        let unrepeated = UnknownReason::Unrepeated {
            check: "assertion".to_owned(),
            location: "a.c:1:1".to_owned(),
            why: "it ended".to_owned(),
        };
        let mut ledger = ledger();
        let mut first = proves(&[]);
        first.answers.push(StageAnswer {
            site: SiteId::new(0),
            open: Some(unrepeated.clone()),
            unreached: false,
        });
        ledger.enter(0, first);
        ledger.enter(1, proves(&[1]));
        assert_eq!(ledger.report().checks[0].reason, Some(unrepeated));
    }
}
