//! k-induction with k-invariants: which checks cannot fail (formula 2.12).

use super::{Engine, key};
use crate::answer::SiteVerdict;
use crate::problem::{Problem, Suspect, Target};
use crate::strategy::ask;
use foghorn_core::{Budget, SiteKind, UnknownReason};
use foghorn_encode::execute::Trace;
use foghorn_encode::execute::event::{Site, SiteIndex, What};
use foghorn_query::reason;
use foghorn_smt::SolverError;
use foghorn_smt::solver::Answer;
use foghorn_term::TermId;
use foghorn_term::eval::Evaluator;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What may fail.
#[derive(Debug, Default)]
pub(super) struct Open {
    pub(super) sites: FxHashSet<SiteIndex>,
    /// Numbers of preconditions.
    pub(super) preconditions: BTreeSet<usize>,
}

impl Open {
    pub(super) fn is_empty(&self) -> bool {
        self.sites.is_empty() && self.preconditions.is_empty()
    }
}

impl Engine<'_> {
    /// Asks whether a check can fail until none can that is not known to be open; the rest is safe. The reason why nothing
    /// is, if there is one.
    pub(super) fn prove(
        &mut self,
        trace: &Trace,
        problem: &Problem,
        invariants: &[TermId],
    ) -> Result<Option<UnknownReason>, SolverError> {
        let open = match self.find_open(trace, problem, invariants, self.budget)? {
            Ok(open) => open,
            Err(reason) => return Ok(Some(reason)),
        };
        for &site in &open.sites {
            let site = &trace.sites[site];
            let reason = UnknownReason::Imprecision {
                operation: "what loops do before this check".to_owned(),
                location: self.module.spans.describe(site.span),
            };
            self.open.insert(key(site), reason);
        }
        let mut violated = None;
        for &number in &open.preconditions {
            let of = problem.preconditions[number];
            self.violated.insert(of.function);
            violated = Some(self.inexact(problem, of.position));
        }
        // Behind a call that may fail nothing is known.
        if violated.is_none() {
            self.close(trace, &open.sites);
            self.close_contracts();
        }
        Ok(violated)
    }

    /// What may fail; the reason why nothing is known, if there is one.
    pub(super) fn find_open(
        &mut self,
        trace: &Trace,
        problem: &Problem,
        invariants: &[TermId],
        budget: &Budget,
    ) -> Result<Result<Open, UnknownReason>, SolverError> {
        let mut open = Open::default();
        loop {
            let settled = self.settled(trace, &open.sites);
            let pool = &mut self.session.pool;
            let mut suspects = problem.suspects(pool, &settled);
            suspects.retain(|(suspect, _)| match suspect {
                Suspect::Precondition(number) => !open.preconditions.contains(number),
                Suspect::Check(_) | Suspect::Inexact => true,
            });
            let targets: Vec<Target> = suspects.iter().map(|it| it.1).collect();
            let mut assumptions = vec![problem.reach(pool, targets)];
            assumptions.extend_from_slice(problem.windows());
            assumptions.extend_from_slice(invariants);
            match ask(&mut self.session, &assumptions, budget)? {
                Answer::Unsatisfiable => return Ok(Ok(open)),
                Answer::Unknown(why) => return Ok(Err(reason::of_solver(why))),
                Answer::Satisfiable => match self.first_suspect(problem, &suspects)? {
                    (Suspect::Check(site), _) => {
                        open.sites.insert(site);
                    }
                    (Suspect::Precondition(number), _) => {
                        open.preconditions.insert(number);
                    }
                    (Suspect::Inexact, position) => {
                        return Ok(Err(self.inexact(problem, position)));
                    }
                },
            }
        }
    }

    /// What no question could make fail is safe, but for what the end of the program says of objects that are not known.
    pub(super) fn close(&mut self, trace: &Trace, open: &FxHashSet<usize>) {
        for (index, site) in trace.sites.iter().enumerate() {
            if open.contains(&index) || self.is_settled(site) {
                continue;
            }
            let is_about_end = matches!(site.kind, SiteKind::Leak | SiteKind::Cleanup);
            if is_about_end && self.cut.has_lost_heap() {
                let reason = UnknownReason::Imprecision {
                    operation: "objects that earlier iterations of a loop made".to_owned(),
                    location: self.module.spans.describe(site.span),
                };
                self.open.insert(key(site), reason);
                continue;
            }
            self.decide(site, SiteVerdict::Safe);
        }
    }

    /// Everything that the last run has met holds, and nothing in it is inexact: what an earlier run has met and this one has
    /// not is reached by no execution, or holds by constants.
    pub(super) fn close_unmet(&mut self) {
        let answers = self.report.answers.iter().map(|answer| answer.site);
        let unmet: Vec<Site> = answers.filter(|site| !self.is_settled(site)).collect();
        for site in unmet {
            self.decide(&site, SiteVerdict::Safe);
        }
    }

    /// The first of the suspects that the solver's last model makes happen.
    fn first_suspect(
        &mut self,
        problem: &Problem,
        suspects: &[(Suspect, Target)],
    ) -> Result<(Suspect, usize), SolverError> {
        let mut roots: Vec<TermId> = suspects.iter().map(|it| it.1.condition).collect();
        for event in &problem.events {
            roots.push(event.guard);
            match &event.what {
                What::Assume { condition }
                | What::Check { condition, .. }
                | What::Obligation { condition, .. } => roots.push(*condition),
                What::Input { .. } | What::Read { .. } | What::Unwinding { .. } => {}
            }
        }
        let model = self.session.model(&roots)?;
        let mut evaluator = Evaluator::new(&self.session.pool, &model);
        for (suspect, target) in suspects {
            let happens = evaluator
                .evaluate(target.condition)
                .map_err(|error| SolverError::Internal(error.to_string()))?;
            if happens.as_bool() {
                return Ok((*suspect, target.position));
            }
        }
        let what = "the solver's model violates no check".to_owned();
        Err(SolverError::Internal(what))
    }

    /// What an event that must not happen says about the answer.
    fn inexact(&mut self, problem: &Problem, position: usize) -> UnknownReason {
        match &problem.events[position].what {
            What::Obligation {
                what,
                span,
                of_cells,
                ..
            } => {
                self.is_too_coarse |= *of_cells;
                UnknownReason::Imprecision {
                    operation: what.to_string(),
                    location: self.module.spans.describe(*span),
                }
            }
            What::Unwinding { name, span } => UnknownReason::Imprecision {
                operation: format!("the recursion of {name}"),
                location: self.module.spans.describe(*span),
            },
            What::Input { .. } | What::Read { .. } | What::Assume { .. } | What::Check { .. } => {
                unreachable!("invariant: only these are suspects")
            }
        }
    }
}
