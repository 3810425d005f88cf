//! The engine's side of a stage: from a task to a report, in this process.

use crate::checks::{CheckList, site_of};
use crate::confirm::{Confirmer, HarnessWriter};
use crate::message::{StageAnswer, StageEvent, StageReport};
use foghorn_core::{Budget, CheckKind, SiteKind, SpanId};
use foghorn_engine::{
    Candidate, Engine, EngineReport, Knowledge, Progress, Sink, SitePlace, SiteVerdict, Task,
    Unwound,
};
use foghorn_ir::interpret::ProgramPoint;
use foghorn_ir::sites::SiteId;
use foghorn_witness::report::{CheckReport, VerdictName};
use std::collections::{BTreeMap, BTreeSet};

/// The other end: where events go, and where the knowledge of others comes from.
pub trait Outlet {
    fn send(&mut self, event: StageEvent);
    /// What others found since the last time.
    fn receive(&mut self) -> Option<Knowledge>;
}

/// Lets an engine work on a task. What it calls unsafe is run, and told as it comes.
pub fn run_stage(
    engine: &dyn Engine,
    task: &Task,
    knowledge: &Knowledge,
    budget: &Budget,
    harnesses: Option<&dyn HarnessWriter>,
    outlet: &mut dyn Outlet,
) -> StageReport {
    if let Err(why) = engine.can(task) {
        return StageReport {
            skipped: Some(why),
            ..StageReport::default()
        };
    }
    let checks = CheckList::new(task);
    let mut listener = Listener {
        task,
        checks: &checks,
        confirmer: Confirmer { task, harnesses },
        known: knowledge.clone(),
        examined: BTreeMap::new(),
        outlet,
    };
    let report = engine.run(task, knowledge, budget, &mut listener);
    let mut report = listener.digest(&report);
    report.peak_memory_mb = crate::memory::own_peak_bytes() as f64 / 1e6;
    report
}

/// Hears what an engine says and passes it on in the terms of reports.
struct Listener<'a, 't> {
    task: &'t Task,
    checks: &'a CheckList<'t>,
    confirmer: Confirmer<'a>,
    /// What others know, as far as the engine has heard of it.
    known: Knowledge,
    /// Candidates that were run already, by the place of the failure, and what came of them.
    examined: BTreeMap<(CheckKind, SpanId, Option<ProgramPoint>), CheckReport>,
    outlet: &'a mut dyn Outlet,
}

impl Sink for Listener<'_, '_> {
    fn progress(&mut self, progress: Progress) {
        self.outlet.send(StageEvent::Progress(progress));
    }

    fn failure(&mut self, site: Option<SitePlace>, candidate: &Candidate) {
        self.examine(site, candidate);
    }

    fn interim(&mut self, report: &EngineReport) {
        let report = self.digest(report);
        self.outlet.send(StageEvent::Interim(Box::new(report)));
    }

    fn news(&mut self) -> Option<Knowledge> {
        let news = self.outlet.receive()?;
        // What speaks of another program is nothing to us.
        self.known.join(&news).ok()?;
        Some(news)
    }
}

impl Listener<'_, '_> {
    /// Runs a candidate, unless that was done before, and tells of it if it fails. What came of it.
    fn examine(&mut self, site: Option<SitePlace>, candidate: &Candidate) -> CheckReport {
        let failure = &candidate.failure;
        let place = (failure.kind, failure.span, failure.point);
        if let Some(known) = self.examined.get(&place) {
            return known.clone();
        }
        let listed = match site {
            Some(SitePlace::Listed(id)) => Some(id),
            Some(SitePlace::Further { .. }) => None,
            None => site_of(self.task, failure),
        };
        let mut check = match (listed, site) {
            (Some(id), _) => self.checks.of(SitePlace::Listed(id)),
            (None, Some(site)) => self.checks.of(site),
            (None, None) => self.checks.further(&candidate.failure),
        };
        self.confirmer.confirm(&mut check, candidate);
        if check.verdict == VerdictName::Unsafe {
            let event = StageEvent::Failed(listed, Box::new(check.clone()));
            self.outlet.send(event);
        }
        self.examined.insert(place, check.clone());
        check
    }

    /// A report in the terms of the list of checks.
    fn digest(&mut self, report: &EngineReport) -> StageReport {
        let mut digest = StageReport {
            incomplete: report.incomplete.clone(),
            assumptions: self.task.circumstances().assumptions(&report.noticed),
            warnings: self.warnings(report),
            unwound: report.unwound.iter().map(|it| self.sentence(it)).collect(),
            bound: report.bound,
            contradictory: report.contradictory,
            facts: report.facts.clone(),
            certified: report.certified,
            argument: report.argument.clone(),
            statistics: report.statistics.clone(),
            ..StageReport::default()
        };
        let mut answered: BTreeSet<SiteId> = BTreeSet::new();
        for answer in &report.answers {
            let open = match &answer.verdict {
                SiteVerdict::Safe => None,
                SiteVerdict::Unknown(reason) => Some(reason.clone()),
                SiteVerdict::Unsafe(candidate) => {
                    let check = self.examine(Some(answer.site), candidate);
                    if let SitePlace::Listed(id) = answer.site {
                        answered.insert(id);
                    }
                    match check.verdict {
                        VerdictName::Unsafe => continue,
                        VerdictName::Safe | VerdictName::Unknown => check.reason,
                    }
                }
            };
            match (answer.site, &open) {
                (SitePlace::Listed(site), _) => {
                    answered.insert(site);
                    digest.answers.push(StageAnswer {
                        site,
                        open,
                        unreached: answer.unreached,
                    });
                }
                // What an engine needs for itself is no check that somebody asked about. A call that leads
                // nowhere known is one all the same: what it would do is not in the program.
                (SitePlace::Further { kind, .. }, Some(_))
                    if kind != SiteKind::Call
                        && !self.task.checks().contains(kind.representative()) => {}
                (further @ SitePlace::Further { .. }, Some(_)) => {
                    let check = self.checks.of(further);
                    digest.further.push(CheckReport {
                        reason: open,
                        ..check
                    });
                }
                (SitePlace::Further { .. }, None) => {}
            }
        }
        if report.incomplete.is_none() {
            digest.answers.extend(self.unreached(&answered));
        }
        digest
    }

    /// The sites that an engine which came to its end has not met: no run comes there, unless somebody
    /// else has proved them, so that the engine did not look.
    fn unreached(&self, answered: &BTreeSet<SiteId>) -> Vec<StageAnswer> {
        let sites = self.task.sites().iter();
        let others = sites.filter(|(id, _)| !answered.contains(id) && !self.known.is_proved(*id));
        let unreached = others.map(|(site, data)| StageAnswer {
            site,
            open: None,
            unreached: data.kind.is_written(),
        });
        unreached.collect()
    }

    fn warnings(&self, report: &EngineReport) -> Vec<String> {
        let spans = &self.task.program().spans;
        let imprecise = report.noticed.over_approximations.iter();
        let imprecise = imprecise.map(|(what, span)| {
            let place = spans.describe(*span);
            format!("{place}: {what} is not modelled precisely")
        });
        imprecise.chain(report.warnings.iter().cloned()).collect()
    }

    fn sentence(&self, unwound: &Unwound) -> String {
        let place = self.task.program().spans.describe(unwound.span);
        let Unwound { name, bound, .. } = unwound;
        format!("{place}: {name} can go beyond bound {bound}")
    }
}
