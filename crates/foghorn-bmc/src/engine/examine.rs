//! Executions that the solver found: run before they are believed.

use super::Engine;
use crate::answer::SiteVerdict;
use foghorn_core::UnknownReason;
use foghorn_encode::execute::Trace;
use foghorn_encode::execute::event::{Site, SiteIndex, What};
use foghorn_query::layout::{Layout, USER_ADDRESSES};
use foghorn_query::question::first_violation;
use foghorn_query::replay::{Replay, Script, replay};
use foghorn_query::{Question, Settled, reason};
use foghorn_smt::SolverError;
use foghorn_smt::solver::Answer;
use foghorn_term::eval::{Evaluator, Model};
use foghorn_term::{Op, TermId};
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
        self.prefer_small_objects(formula)?;
        let started = Instant::now();
        let model = self.model(trace, formula)?;
        let mut evaluator = Evaluator::new(&self.session.pool, &model);
        let violated = first_violation(&mut evaluator, &trace.events, settled, question)
            .map_err(|error| SolverError::Internal(error.to_string()))?;
        let Some(index) = violated else {
            return Err(SolverError::Internal(
                "the solver's model violates no check".to_owned(),
            ));
        };
        let result = match &trace.events[index].what {
            What::Check { site, .. } => {
                let script = Script::new(&mut evaluator, &trace.events, &self.memo.objects)
                    .map_err(|error| SolverError::Internal(error.to_string()))?;
                self.replay_at(trace, settled, *site, script, formula);
                None
            }
            What::Obligation {
                what,
                span,
                of_cells,
                ..
            } => {
                settled.settle_obligations(&trace.events, index);
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

    /// The values in the solver's model of all that a replay asks for.
    fn model(&mut self, trace: &Trace, formula: TermId) -> Result<Model, SolverError> {
        let mut roots = vec![formula];
        roots.extend(trace.events.iter().map(|event| event.guard));
        roots.extend(trace.events.iter().filter_map(|event| match &event.what {
            What::Input { bits, .. } | What::Read { bits, .. } => Some(*bits),
            What::Assume { .. }
            | What::Check { .. }
            | What::Unwinding { .. }
            | What::Obligation { .. } => None,
        }));
        roots.extend(Layout::terms(&self.memo.objects));
        roots.extend(Script::terms(&self.memo.objects));
        self.session.model(&roots)
    }

    /// An execution of the formula in which objects lie where programs of today's machines have
    /// theirs, if there is one.
    fn relocate(&mut self, trace: &Trace, formula: TermId) -> Result<Option<Script>, SolverError> {
        let objects = self.memo.objects.in_order().iter();
        let bases: Vec<TermId> = objects
            .filter_map(|&number| self.memo.objects.get(number)?.base)
            .collect();
        let width = self.module.layout.pointer_bits();
        let lowest = self.session.pool.bv(width, USER_ADDRESSES.start);
        let mut parts = vec![formula];
        for base in bases {
            parts.push(self.session.pool.make(Op::BvUle, &[lowest, base]));
            if width == 64 {
                let end = self.session.pool.bv(width, USER_ADDRESSES.end);
                parts.push(self.session.pool.make(Op::BvUlt, &[base, end]));
            }
        }
        let likely = self.session.pool.and(&parts);
        if self.ask(likely)? != Answer::Satisfiable {
            return Ok(None);
        }
        let model = self.model(trace, formula)?;
        let mut evaluator = Evaluator::new(&self.session.pool, &model);
        let script = Script::new(&mut evaluator, &trace.events, &self.memo.objects);
        Ok(script.ok())
    }

    fn replay_at(
        &mut self,
        trace: &Trace,
        settled: &mut Settled,
        index: SiteIndex,
        script: Script,
        formula: TermId,
    ) {
        let site = &trace.sites[index];
        let (module, settings, budget) = (self.module, &self.options.settings, self.budget);
        let relocate = |script: &Script| match script.is_unlikely() {
            true => self.relocate(trace, formula).ok().flatten(),
            false => None,
        };
        let outcome = replay(module, settings, budget, script, site, relocate);
        let verdict = match outcome {
            Replay::Confirmed(counterexample) => SiteVerdict::Unsafe(Box::new(counterexample)),
            Replay::FailedElsewhere(counterexample) => {
                let failure = &counterexample.failure;
                let other = trace.sites.iter().position(|site| {
                    failure.is_at(site.span, site.point) && site.kind.admits(failure.kind)
                });
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
                SiteVerdict::Unknown(self.reason_unrepeated(site, why))
            }
            Replay::Unsupported {
                construct,
                location,
            } => SiteVerdict::Unknown(UnknownReason::Unsupported {
                construct,
                location,
            }),
            Replay::NotConfirmed(why) => SiteVerdict::Unknown(self.reason_unrepeated(site, why)),
        };
        settled.sites.insert(index);
        self.settle(site, verdict);
    }

    /// A model that does not replay is a fault of ours unless an operation was over-approximated.
    fn reason_unrepeated(&self, site: &Site, why: String) -> UnknownReason {
        let location = self.module.spans.describe(site.span);
        reason::of_unrepeated(site.kind, location, why)
    }
}
