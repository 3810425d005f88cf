//! Executions that the solver found: run before they are believed.

use super::Engine;
use crate::answer::SiteVerdict;
use crate::event::{Event, Site, SiteIndex, What};
use crate::execute::Trace;
use crate::query::{self, Question, Settled};
use crate::replay::{Replay, Script, replay};
use crate::settings::Loops;
use foghorn_core::UnknownReason;
use foghorn_smt::SolverError;
use foghorn_term::TermId;
use foghorn_term::eval::Evaluator;
use std::time::Instant;

impl Engine<'_> {
    /// Looks at the execution that the solver found and settles what it violates first. The reason
    /// why later answers are not trusted, if it is the encoding that is at fault.
    pub(super) fn examine(
        &mut self,
        trace: &Trace,
        settled: &mut Settled,
        formula: TermId,
        question: Question,
    ) -> Result<Option<UnknownReason>, SolverError> {
        if self.options.loops == Loops::Unwound {
            self.prefer_small_objects(formula)?;
        }
        let started = Instant::now();
        let mut roots = vec![formula];
        roots.extend(trace.events.iter().map(|event| event.guard));
        roots.extend(trace.events.iter().filter_map(|event| match &event.what {
            What::Input { bits, .. } | What::Read { bits, .. } => Some(*bits),
            What::Assume { .. }
            | What::Check { .. }
            | What::Unwinding { .. }
            | What::Obligation { .. } => None,
        }));
        let model = query::model(&mut *self.solver, &self.pool, &roots)?;
        let mut evaluator = Evaluator::new(&self.pool, &model);
        let violated = query::first_violation(&mut evaluator, &trace.events, settled, question)
            .map_err(|error| SolverError::Internal(error.to_string()))?;
        let Some(index) = violated else {
            return Err(SolverError::Internal(
                "the solver's model violates no check".to_owned(),
            ));
        };
        let result = match &trace.events[index].what {
            What::Check { site, .. } if self.options.loops == Loops::Closed => {
                // Loops that are closed allow executions that the program does not have.
                settled.sites.insert(*site);
                self.leave_open(&trace.sites[*site]);
                None
            }
            What::Check { site, .. } => {
                let script = Script::new(&mut evaluator, &trace.events)
                    .map_err(|error| SolverError::Internal(error.to_string()))?;
                self.replay_at(trace, settled, *site, script);
                None
            }
            What::Obligation {
                what,
                span,
                of_cells,
                ..
            } => {
                // One answer for all iterations that pass here.
                let same = |event: &Event| {
                    matches!(&event.what, What::Obligation { what: other, span: place, .. }
                        if other == what && place == span)
                };
                let passing = trace.events.iter().enumerate();
                let passing = passing.filter(|(_, event)| same(event));
                settled.obligations.extend(passing.map(|(index, _)| index));
                self.report.cells_too_coarse |= *of_cells;
                Some(UnknownReason::Imprecision {
                    operation: what.to_string(),
                    location: self.module.spans.describe(*span),
                })
            }
            What::Input { .. }
            | What::Read { .. }
            | What::Assume { .. }
            | What::Unwinding { .. } => unreachable!("invariant: only these are open"),
        };
        self.report.statistics.replaying += started.elapsed();
        Ok(result)
    }

    fn replay_at(
        &mut self,
        trace: &Trace,
        settled: &mut Settled,
        index: SiteIndex,
        script: Script,
    ) {
        let site = &trace.sites[index];
        let settings = &self.options.settings;
        let outcome = replay(self.module, settings, self.budget, script, site);
        let verdict = match outcome {
            Replay::Confirmed(counterexample) => SiteVerdict::Unsafe(Box::new(counterexample)),
            Replay::FailedElsewhere(counterexample) => {
                let failure = &counterexample.failure;
                let other = trace
                    .sites
                    .iter()
                    .position(|site| site.span == failure.span && site.kind.admits(failure.kind));
                let place = self.module.spans.describe(failure.span);
                let why = format!("the replay failed elsewhere: {} at {place}", failure.kind);
                if let Some(other) = other.filter(|other| !settled.sites.contains(other)) {
                    let verdict = SiteVerdict::Unsafe(Box::new(counterexample));
                    self.settle(&trace.sites[other], verdict);
                    settled.sites.insert(other);
                    // The expected site stays open: with the other one settled, the next model
                    // does not fail there.
                    return;
                }
                SiteVerdict::Unknown(failure_reason(site, &why))
            }
            Replay::Unsupported {
                construct,
                location,
            } => SiteVerdict::Unknown(UnknownReason::Unsupported {
                construct,
                location,
            }),
            Replay::NotConfirmed(why) => SiteVerdict::Unknown(failure_reason(site, &why)),
        };
        settled.sites.insert(index);
        self.settle(site, verdict);
    }
}

/// A model that does not replay is a fault of ours unless an operation was over-approximated.
fn failure_reason(site: &Site, why: &str) -> UnknownReason {
    UnknownReason::Failure {
        what: format!(
            "a failing run was found for the {} here, but it could not be repeated: {why}",
            site.kind.representative()
        ),
    }
}
