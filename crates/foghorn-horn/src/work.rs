//! What is still open of a task, and what became of the rest.

use crate::clauses::{Clauses, NoClauses, SiteRef};
use crate::form::Form;
use crate::mixed::MixedProgram;
use crate::solve::{Decision, Outcome, Proof, Solving, out_of_time};
use crate::vacuity;
use foghorn_core::{Budget, SiteKind, UnknownReason};
use foghorn_encode::execute::settings::Settings;
use foghorn_engine::Task;
use foghorn_ir::sites::SiteId;
use foghorn_smt::horn::{HornSolver, Invariants, Portfolio, Spacer};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The sites of a task while they are decided.
pub(crate) struct Work<'a> {
    pub task: &'a Task,
    pub settings: &'a Settings,
    pub solving: &'a Solving,
    pub outcome: Outcome,
    pub open: BTreeSet<SiteId>,
    /// Sites that failed in a run.
    pub refuted: FxHashSet<SiteRef>,
    /// All sites that need not be asked about any more.
    pub settled: FxHashSet<SiteRef>,
}

impl<'a> Work<'a> {
    /// All that the settings leave open and clauses can speak of.
    pub fn new(task: &'a Task, settings: &'a Settings, solving: &'a Solving) -> Self {
        let open = task.sites().iter().filter(|(_, site)| {
            let point = Some(site.point);
            !settings.is_proved(site.kind, point)
        });
        let mut work = Work {
            task,
            settings,
            solving,
            outcome: Outcome {
                unsolved: Some(out_of_time()),
                ..Outcome::default()
            },
            open: open.map(|(id, _)| id).collect(),
            refuted: FxHashSet::default(),
            settled: FxHashSet::default(),
        };
        work.leave_alignment_open();
        work
    }

    /// Whether nothing is left to find out.
    pub fn is_done(&self) -> bool {
        self.open.is_empty() && self.outcome.unsolved.is_none()
    }

    /// What was found; what is open has run out of time unless something else is known of it.
    pub fn finish(mut self) -> Outcome {
        for id in self.open {
            let decisions = &mut self.outcome.decisions;
            decisions
                .entry(id)
                .or_insert_with(|| Decision::Open(out_of_time()));
        }
        self.outcome
    }

    /// A site as clauses name it.
    pub fn reference(&self, id: SiteId) -> Option<SiteRef> {
        self.task.sites().get(id).map(|site| SiteRef {
            kind: site.kind,
            point: Some(site.point),
        })
    }

    /// Which of the checks that the last proof is about nothing comes to. Where another check fails, what lies behind
    /// it is not looked for.
    pub fn look_for_vacuity(&mut self, budget: &Budget) {
        if !self.refuted.is_empty() {
            return;
        }
        let mut solver: Box<dyn HornSolver> = match &self.solving.worker {
            Some(worker) => Box::new(Portfolio::new(worker.clone())),
            None => Box::new(Spacer),
        };
        let proof = self.outcome.proofs.last_mut();
        let Some(proof) = proof.filter(|proof| proof.mixed.is_none()) else {
            return;
        };
        let table = self.task.sites();
        let written = proof.sites.iter().filter_map(|id| {
            let site = table.get(*id).filter(|site| site.kind.is_written())?;
            let point = Some(site.point);
            let kind = site.kind;
            Some((SiteRef { kind, point }, *id))
        });
        let written: BTreeMap<SiteRef, SiteId> = written.collect();
        let sites: Vec<SiteRef> = written.keys().copied().collect();
        // What a solver cannot say of this is no part of the answer.
        let found = vacuity::find(&mut proof.clauses, &sites, &mut *solver, budget);
        let found = found.unwrap_or_default();
        let unreached = found.unreached.iter().map(|site| written[site]);
        self.outcome.unreached.extend(unreached);
        self.outcome.contradictory |= found.contradictory && self.outcome.proofs.len() == 1;
    }

    pub fn note(&mut self, clauses: &Clauses) {
        let noticed = &mut self.outcome.noticed;
        for name in &clauses.external_calls {
            if !noticed.external_calls.contains(name) {
                noticed.external_calls.push(name.clone());
            }
        }
        for entry in &clauses.over_approximations {
            if !noticed.over_approximations.contains(entry) {
                noticed.over_approximations.push(entry.clone());
            }
        }
        noticed.addresses_as_pointers = self.task.regions().addresses_as_pointers;
        let mut set = |name: &str, value: usize| {
            let entry = self.outcome.statistics.entry(name.to_owned()).or_default();
            *entry = entry.max(value as f64);
        };
        set("horn_rules", clauses.system.rules.len());
        set("horn_predicates", clauses.system.predicates.len());
        set("terms", clauses.pool.len());
    }

    pub fn refusal(&self, reason: NoClauses) -> UnknownReason {
        match reason {
            NoClauses::Refused(refusal) => UnknownReason::Unsupported {
                construct: refusal.construct,
                location: self.task.pure().spans.describe(refusal.span),
            },
            NoClauses::TooMany(_) => UnknownReason::Budget {
                resource: "rules".to_owned(),
            },
            NoClauses::Exhausted(resource) => UnknownReason::Budget { resource },
        }
    }

    /// Where objects lie is no part of the clauses, so neither is whether an access is aligned.
    fn leave_alignment_open(&mut self) {
        for id in std::mem::take(&mut self.open) {
            let site = self.task.sites().get(id);
            let Some(site) = site.filter(|site| site.kind == SiteKind::Alignment) else {
                self.open.insert(id);
                continue;
            };
            let reason = UnknownReason::Unsupported {
                construct: "alignment of accesses".to_owned(),
                location: self.task.pure().spans.describe(site.span),
            };
            self.outcome.decisions.insert(id, Decision::Open(reason));
        }
    }

    /// What is open stays open for this reason, where nothing else is known.
    pub fn leave_open(&mut self, reason: &UnknownReason) {
        if self.outcome.unsolved.is_some() {
            self.outcome.unsolved = Some(reason.clone());
        }
        for id in &self.open {
            let decisions = &mut self.outcome.decisions;
            decisions
                .entry(*id)
                .or_insert_with(|| Decision::Open(reason.clone()));
        }
    }

    /// A system without derivable failures proves what is open but what its form had given up.
    pub fn prove(
        &mut self,
        form: Form,
        clauses: Clauses,
        invariants: Invariants,
        given_up: &FxHashSet<SiteRef>,
        mixed: Option<&Rc<MixedProgram>>,
    ) {
        let is_given_up = |id: &SiteId| {
            let known = self.reference(*id);
            known.is_some_and(|known| given_up.contains(&known))
        };
        let (left, proved): (BTreeSet<SiteId>, BTreeSet<SiteId>) =
            self.open.iter().copied().partition(is_given_up);
        for id in &proved {
            self.outcome.decisions.insert(*id, Decision::Safe);
            let known = self.reference(*id);
            self.settled.extend(known);
        }
        self.open = left;
        self.outcome.unsolved = None;
        self.outcome.proofs.push(Proof {
            form,
            clauses,
            interpretations: invariants.interpretations,
            sites: proved.into_iter().collect(),
            mixed: mixed.cloned(),
        });
    }
}
