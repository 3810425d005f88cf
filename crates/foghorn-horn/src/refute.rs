//! A refutation is run before it is believed.

use crate::answer::{meaning, script};
use crate::clauses::{Clauses, Meaning, SiteRef};
use crate::mixed::MixedProgram;
use crate::solve::Decision;
use crate::work::Work;
use foghorn_core::{Budget, UnknownReason};
use foghorn_encode::execute::event::Site as EventSite;
use foghorn_engine::{Sink, SitePlace};
use foghorn_ir::interpret::ProgramPoint;
use foghorn_query::door;
use foghorn_query::reason::of_unrepeated;
use foghorn_query::replay::{Replay, replay};
use foghorn_smt::horn::Derivation;
use std::rc::Rc;

/// What became of a refutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refutation {
    /// The site fails.
    Confirmed,
    /// The form cannot decide the site.
    GivesUp(SiteRef),
    /// Nothing more can be found out in this form.
    Ends,
}

impl Work<'_> {
    /// Runs a refutation.
    pub fn refute(
        &mut self,
        (clauses, derivation): (&Clauses, &Derivation),
        budget: &Budget,
        sink: &mut dyn Sink,
        mixed: Option<&Rc<MixedProgram>>,
    ) -> Refutation {
        let original = |point: ProgramPoint| match mixed {
            Some(mixed) => mixed.original(point),
            None => Some(point),
        };
        let site = match meaning(clauses, derivation) {
            Some(Meaning::Failure(site)) => SiteRef {
                kind: site.kind,
                point: site.point.and_then(original),
            },
            Some(Meaning::Obligation(what, span)) => {
                let reason = UnknownReason::Imprecision {
                    operation: what.clone(),
                    location: self.task.pure().spans.describe(*span),
                };
                self.leave_open(&reason);
                return Refutation::Ends;
            }
            Some(Meaning::Step | Meaning::Propagation) | None => {
                let what = "a derivation fails nowhere".to_owned();
                self.leave_open(&UnknownReason::Failure { what });
                return Refutation::Ends;
            }
        };
        let listed = site.point.and_then(|point| {
            let id = self.task.sites().find(site.kind, point)?;
            Some((id, *self.task.sites().get(id)?))
        });
        let Some((id, data)) = listed else {
            return Refutation::Ends;
        };
        let expected = EventSite {
            kind: data.kind,
            point: Some(data.point),
            span: data.span,
        };
        let given = script(clauses, derivation, &original);
        let pure = self.task.pure();
        let run = replay(pure, self.settings, budget, given, &expected, |_| None);
        let why = match run {
            Replay::Confirmed(found) => {
                let candidate = door::candidate(&found);
                sink.failure(Some(SitePlace::Listed(id)), &candidate);
                let decision = Decision::Unsafe(Box::new(candidate));
                self.outcome.decisions.insert(id, decision);
                self.open.remove(&id);
                self.refuted.insert(site);
                self.settled.insert(site);
                return Refutation::Confirmed;
            }
            Replay::FailedElsewhere(found) => {
                sink.failure(None, &door::candidate(&found));
                "the run fails elsewhere".to_owned()
            }
            Replay::Unsupported {
                construct,
                location,
            } => {
                let reason = UnknownReason::Unsupported {
                    construct,
                    location,
                };
                self.outcome.decisions.insert(id, Decision::Open(reason));
                return Refutation::GivesUp(site);
            }
            Replay::NotConfirmed(why) => why,
        };
        let reason = match clauses.imprecisions.first() {
            Some((operation, span)) => UnknownReason::Imprecision {
                operation: operation.clone(),
                location: pure.spans.describe(*span),
            },
            None => of_unrepeated(data.kind, pure.spans.describe(data.span), why),
        };
        self.outcome.decisions.insert(id, Decision::Open(reason));
        Refutation::GivesUp(site)
    }
}
