//! Bounded model checking: failures within so many copies from the start (formula 2.9), each of them run.

use super::{Engine, key};
use crate::answer::SiteVerdict;
use crate::counterexample::Execution;
use crate::problem::{Problem, Suspect, Target};
use crate::strategy::ask;
use foghorn_core::{Budget, UnknownReason};
use foghorn_encode::execute::Trace;
use foghorn_encode::execute::event::{Site, SiteIndex};
use foghorn_query::reason;
use foghorn_query::replay::{Counterexample, Replay};
use foghorn_smt::SolverError;
use foghorn_smt::solver::Answer;
use rustc_hash::FxHashSet;

impl Engine<'_> {
    /// Looks for failures from the start until there are no more.
    pub(super) fn refute(
        &mut self,
        trace: &Trace,
        problem: &Problem,
        budget: &Budget,
    ) -> Result<(), SolverError> {
        let mut tried: FxHashSet<SiteIndex> = FxHashSet::default();
        loop {
            let settled = self.settled(trace, &tried);
            let pool = &mut self.session.pool;
            let suspects = problem.suspects(pool, &settled);
            let checks = suspects
                .iter()
                .filter_map(|(suspect, target)| match suspect {
                    Suspect::Check(site) => Some((*site, *target)),
                    Suspect::Inexact | Suspect::Precondition(_) => None,
                });
            let checks: Vec<(SiteIndex, Target)> = checks.collect();
            let targets = checks.iter().map(|it| it.1).collect();
            let mut assumptions = vec![problem.reach(pool, targets)];
            assumptions.extend(problem.from_the_start(pool));
            if ask(&mut self.session, &assumptions, budget)? != Answer::Satisfiable {
                return Ok(());
            }
            let execution = Execution {
                module: self.module,
                settings: &self.options.settings,
                budget: self.budget,
                events: &problem.events,
                objects: &self.memo.objects,
            };
            let mut failing = None;
            let replayed = execution.replay(&mut self.session, &assumptions, |evaluator| {
                let first = checks.iter().find(|(_, target)| {
                    let happens = evaluator.evaluate(target.condition);
                    happens.is_ok_and(|happens| happens.as_bool())
                });
                failing = first.map(|(site, _)| *site);
                failing.map(|site| trace.sites[site])
            })?;
            let (Some(index), Some((site, outcome))) = (failing, replayed) else {
                return Ok(());
            };
            tried.insert(index);
            self.judge(trace, &site, outcome);
        }
    }

    fn judge(&mut self, trace: &Trace, site: &Site, outcome: Replay) {
        let reason = match outcome {
            Replay::Confirmed(counterexample) => {
                return self.decide(site, SiteVerdict::Unsafe(Box::new(counterexample)));
            }
            Replay::FailedElsewhere(counterexample) => {
                let Counterexample { failure, .. } = &counterexample;
                let other = trace.sites.iter().find(|other| {
                    failure.is_at(other.span, other.point) && other.kind.admits(failure.kind)
                });
                let place = self.module.spans.describe(failure.span);
                let why = format!("the replay failed elsewhere: {} at {place}", failure.kind);
                if let Some(other) = other.copied()
                    && !self.is_settled(&other)
                {
                    let verdict = SiteVerdict::Unsafe(Box::new(counterexample));
                    self.decide(&other, verdict);
                }
                unrepeated(self, site, why)
            }
            Replay::Unsupported {
                construct,
                location,
            } => UnknownReason::Unsupported {
                construct,
                location,
            },
            Replay::NotConfirmed(why) => unrepeated(self, site, why),
        };
        self.open.insert(key(site), reason);
    }
}

fn unrepeated(engine: &Engine<'_>, site: &Site, why: String) -> UnknownReason {
    let location = engine.module.spans.describe(site.span);
    reason::of_unrepeated(site.kind, location, why)
}
