//! Forms and solvers in turn, until every site has its answer.
//!
//! One system asks about all open sites at once. A refutation is run; then its site is out, and the rest
//! is asked again. A refutation that cannot be repeated is an imprecision of the form: the next form is
//! asked about the site.

use crate::answer::{meaning, script};
use crate::argue::argue;
use crate::clauses::{Clauses, Maker, Meaning, NoClauses, SiteRef, constants};
use crate::form::{Form, ProcedureForm};
use crate::mixed::{MixedProgram, forms_for, not_mixed};
use crate::sabotage::Sabotage;
use crate::vacuity;
use foghorn_core::{Budget, SiteKind, UnknownReason};
use foghorn_encode::claim::Argument;
use foghorn_encode::execute::event::Site as EventSite;
use foghorn_encode::execute::settings::Settings;
use foghorn_encode::fact::BlockFacts;
use foghorn_engine::{Candidate, Knowledge, Noticed, Silent, Sink, SitePlace, Task};
use foghorn_ir::Module;
use foghorn_ir::interpret::ProgramPoint;
use foghorn_ir::sites::SiteId;
use foghorn_query::door;
use foghorn_query::reason::of_unrepeated;
use foghorn_query::replay::{Replay, replay};
use foghorn_smt::SolverError;
use foghorn_smt::horn::{
    Derivation, HornAnswer, HornOptions, HornSolver, Interpretation, Invariants, Portfolio, Spacer,
    WorkerCommand,
};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// What is known of a site.
#[derive(Clone, Debug)]
pub enum Decision {
    Safe,
    Unsafe(Box<Candidate>),
    Open(UnknownReason),
}

/// How systems are solved.
#[derive(Clone, Debug, Default)]
pub struct Solving {
    pub forms: Vec<Form>,
    /// Starts a member of the portfolio; without it Spacer runs in this process.
    pub worker: Option<WorkerCommand>,
    /// Whether claims are made of proofs.
    pub argues: bool,
    /// A fault, in tests.
    pub sabotage: Sabotage,
}

/// A proof as it was found.
pub struct Proof {
    pub form: Form,
    pub clauses: Clauses,
    pub interpretations: Vec<Interpretation>,
    /// The sites that it proves.
    pub sites: Vec<SiteId>,
    /// The program that the clauses are about, where it is not the task's own.
    pub mixed: Option<Rc<MixedProgram>>,
}

impl Proof {
    /// The program that the clauses are about.
    pub fn module<'p>(&'p self, task: &'p Task) -> &'p Module {
        match &self.mixed {
            Some(mixed) => mixed.task.pure(),
            None => task.pure(),
        }
    }
}

/// All that was found.
#[derive(Default)]
pub struct Outcome {
    pub decisions: BTreeMap<SiteId, Decision>,
    pub proofs: Vec<Proof>,
    /// Why no system was solved as a whole, obligations included. Without a solution nothing is known of
    /// what the table of sites does not list, not even where it lists nothing.
    pub unsolved: Option<UnknownReason>,
    /// Checks that somebody wrote and no execution comes to.
    pub unreached: BTreeSet<SiteId>,
    /// No execution satisfies the program's own assumptions.
    pub contradictory: bool,
    /// Why the proved sites hold, for whoever proves them again.
    pub argument: Option<Argument>,
    /// What is known at heads of loops; nobody has proved it again yet.
    pub facts: Vec<BlockFacts>,
    pub noticed: Noticed,
    pub statistics: BTreeMap<String, f64>,
}

/// What looking for checks that nothing reaches may take even if the proof took less.
const LEAST_FOR_VACUITY: Duration = Duration::from_secs(1);

/// What of the time that is left a form gets if others follow.
const SHARE: f64 = 0.55;

/// The clauses of a task of which nothing is known.
pub fn clauses(task: &Task, form: Form, budget: &Budget) -> Result<Clauses, NoClauses> {
    let settings = door::settings(task, &Knowledge::of(task.hash()));
    let (dropped, sabotage) = (FxHashSet::default(), Sabotage::None);
    if form.procedures != ProcedureForm::Mixed {
        return make(task, &settings, form, (dropped, sabotage), budget);
    }
    let mixed = MixedProgram::new(task, &settings);
    let mixed = mixed.map_err(|why| NoClauses::Refused(not_mixed(&why)))?;
    let given = (dropped, sabotage);
    make(&mixed.task, &mixed.settings, form, given, budget)
}

/// The clauses of a task: made once to see which arguments are literals, and then with these.
fn make(
    task: &Task,
    settings: &Settings,
    form: Form,
    (dropped, sabotage): (FxHashSet<SiteRef>, Sabotage),
    budget: &Budget,
) -> Result<Clauses, NoClauses> {
    let mut first = Maker::new(task, settings.clone(), form, dropped.clone())?;
    first.sabotage = sabotage;
    let mut first = first.explore(budget)?;
    let constants = constants::find(&mut first);
    let mut second = Maker::new(task, settings.clone(), form, dropped)?;
    second.numbering = first.numbering.compact();
    second.constants = constants;
    second.sabotage = sabotage;
    second.explore(budget)
}

/// Decides the sites of a task of which nothing is known.
pub fn decide(task: &Task, solving: &Solving, budget: &Budget) -> Outcome {
    let settings = door::settings(task, &Knowledge::of(task.hash()));
    solve(task, &settings, solving, budget, &mut Silent)
}

/// Decides the open sites of a task.
pub fn solve(
    task: &Task,
    settings: &Settings,
    solving: &Solving,
    budget: &Budget,
    sink: &mut dyn Sink,
) -> Outcome {
    let mut work = Work {
        task,
        settings,
        solving,
        outcome: Outcome {
            unsolved: Some(out_of_time()),
            ..Outcome::default()
        },
        refuted: FxHashSet::default(),
    };
    let open = task.sites().iter().filter(|(_, site)| {
        let point = Some(site.point);
        !settings.is_proved(site.kind, point)
    });
    let mut open: BTreeSet<SiteId> = open.map(|(id, _)| id).collect();
    work.leave_alignment_open(&mut open);
    let forms = forms_for(task, &solving.forms);
    for (number, form) in forms.iter().enumerate() {
        let is_done = open.is_empty() && work.outcome.unsolved.is_none();
        if is_done || budget.check().is_err() {
            break;
        }
        let is_last = number + 1 == forms.len();
        let share = match budget.remaining() {
            Some(time) if !is_last => budget.within(time.mul_f64(SHARE)),
            _ => budget.clone(),
        };
        work.form(*form, &mut open, &share, sink);
    }
    for id in open {
        let decisions = &mut work.outcome.decisions;
        decisions
            .entry(id)
            .or_insert_with(|| Decision::Open(out_of_time()));
    }
    let mut outcome = work.outcome;
    if solving.argues {
        argue(task, settings, solving, budget, &mut outcome);
    }
    outcome
}

fn out_of_time() -> UnknownReason {
    UnknownReason::Budget {
        resource: "time".to_owned(),
    }
}

struct Work<'a> {
    task: &'a Task,
    settings: &'a Settings,
    solving: &'a Solving,
    outcome: Outcome,
    refuted: FxHashSet<SiteRef>,
}

impl Work<'_> {
    /// Asks about the open sites in one form.
    fn form(
        &mut self,
        form: Form,
        open: &mut BTreeSet<SiteId>,
        budget: &Budget,
        sink: &mut dyn Sink,
    ) {
        let mixed = match form.procedures {
            ProcedureForm::Inline | ProcedureForm::Summaries => None,
            ProcedureForm::Mixed => match MixedProgram::new(self.task, self.settings) {
                Ok(mixed) => Some(Rc::new(mixed)),
                Err(why) => {
                    let reason = NoClauses::Refused(not_mixed(&why));
                    return self.leave_open(open, &self.refusal(reason));
                }
            },
        };
        let mixed = mixed.as_ref();
        // Sites that this form cannot decide.
        let mut given_up: FxHashSet<SiteRef> = FxHashSet::default();
        loop {
            let dropped: FxHashSet<SiteRef> = self.refuted.union(&given_up).copied().collect();
            let sabotage = self.solving.sabotage;
            let made = match mixed {
                None => make(self.task, self.settings, form, (dropped, sabotage), budget),
                Some(mixed) => {
                    let dropped = (mixed.copies_of(&dropped), sabotage);
                    make(&mixed.task, &mixed.settings, form, dropped, budget)
                }
            };
            let clauses = match made {
                Ok(clauses) => clauses,
                Err(reason) => return self.leave_open(open, &self.refusal(reason)),
            };
            self.note(&clauses);
            let began = Instant::now();
            match self.ask(&clauses, budget) {
                Ok(HornAnswer::Solved(invariants)) => {
                    let most = began.elapsed().max(LEAST_FOR_VACUITY);
                    self.prove(form, clauses, invariants, open, &given_up, mixed);
                    return self.look_for_vacuity(&budget.within(most));
                }
                Ok(HornAnswer::Refuted(Some(derivation))) => {
                    match self.refute(&clauses, &derivation, open, budget, sink, mixed) {
                        Some(site) => {
                            given_up.insert(site);
                        }
                        None => return,
                    }
                }
                Ok(HornAnswer::Refuted(None)) => {
                    let what = "a refutation has no derivation".to_owned();
                    return self.leave_open(open, &UnknownReason::Failure { what });
                }
                Ok(HornAnswer::Unknown(what)) => {
                    return self.leave_open(open, &UnknownReason::Failure { what });
                }
                Err(SolverError::Exhausted(exhausted)) => {
                    let resource = exhausted.to_string();
                    return self.leave_open(open, &UnknownReason::Budget { resource });
                }
                Err(error) => {
                    let what = door::describe(&error);
                    return self.leave_open(open, &UnknownReason::Failure { what });
                }
            }
        }
    }

    fn ask(&self, clauses: &Clauses, budget: &Budget) -> Result<HornAnswer, SolverError> {
        let options = HornOptions {
            budget: budget.clone(),
            derivation: true,
        };
        if clauses.asked.is_empty()
            && !clauses
                .rules
                .iter()
                .any(|rule| matches!(rule.meaning, Meaning::Obligation(..)))
        {
            let interpretations = vec![];
            return Ok(HornAnswer::Solved(Invariants { interpretations }));
        }
        self.solver()
            .solve(&clauses.pool, &clauses.system, &[], &options)
    }

    fn solver(&self) -> Box<dyn HornSolver> {
        match &self.solving.worker {
            Some(worker) => Box::new(Portfolio::new(worker.clone())),
            None => Box::new(Spacer),
        }
    }

    /// Which of the checks that the last proof is about nothing comes to. Where another check fails, what lies behind
    /// it is not looked for.
    fn look_for_vacuity(&mut self, budget: &Budget) {
        if !self.refuted.is_empty() {
            return;
        }
        let mut solver = self.solver();
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

    fn note(&mut self, clauses: &Clauses) {
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

    fn refusal(&self, reason: NoClauses) -> UnknownReason {
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
    fn leave_alignment_open(&mut self, open: &mut BTreeSet<SiteId>) {
        let is_alignment = |id: &SiteId| {
            let site = self.task.sites().get(*id);
            site.filter(|site| site.kind == SiteKind::Alignment)
                .copied()
        };
        let left: Vec<_> = open
            .iter()
            .filter_map(|id| Some((*id, is_alignment(id)?)))
            .collect();
        for (id, site) in left {
            let reason = UnknownReason::Unsupported {
                construct: "alignment of accesses".to_owned(),
                location: self.task.pure().spans.describe(site.span),
            };
            open.remove(&id);
            self.outcome.decisions.insert(id, Decision::Open(reason));
        }
    }

    fn leave_open(&mut self, open: &BTreeSet<SiteId>, reason: &UnknownReason) {
        if self.outcome.unsolved.is_some() {
            self.outcome.unsolved = Some(reason.clone());
        }
        for id in open {
            let decisions = &mut self.outcome.decisions;
            decisions
                .entry(*id)
                .or_insert_with(|| Decision::Open(reason.clone()));
        }
    }

    fn prove(
        &mut self,
        form: Form,
        clauses: Clauses,
        invariants: Invariants,
        open: &mut BTreeSet<SiteId>,
        given_up: &FxHashSet<SiteRef>,
        mixed: Option<&Rc<MixedProgram>>,
    ) {
        let is_given_up = |id: &SiteId| {
            let site = self.task.sites().get(*id);
            site.is_some_and(|site| {
                let known = SiteRef {
                    kind: site.kind,
                    point: Some(site.point),
                };
                given_up.contains(&known)
            })
        };
        let (left, proved): (BTreeSet<SiteId>, BTreeSet<SiteId>) =
            open.iter().copied().partition(is_given_up);
        for id in &proved {
            self.outcome.decisions.insert(*id, Decision::Safe);
        }
        *open = left;
        self.outcome.unsolved = None;
        self.outcome.proofs.push(Proof {
            form,
            clauses,
            interpretations: invariants.interpretations,
            sites: proved.into_iter().collect(),
            mixed: mixed.cloned(),
        });
    }

    /// Runs a refutation. The site that need not be asked about again; `None` if nothing more can be
    /// found out in this form.
    fn refute(
        &mut self,
        clauses: &Clauses,
        derivation: &Derivation,
        open: &mut BTreeSet<SiteId>,
        budget: &Budget,
        sink: &mut dyn Sink,
        mixed: Option<&Rc<MixedProgram>>,
    ) -> Option<SiteRef> {
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
                self.leave_open(open, &reason);
                return None;
            }
            Some(Meaning::Step | Meaning::Propagation) | None => {
                let what = "a derivation fails nowhere".to_owned();
                self.leave_open(open, &UnknownReason::Failure { what });
                return None;
            }
        };
        let id = self.task.sites().find(site.kind, site.point?)?;
        let data = *self.task.sites().get(id)?;
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
                open.remove(&id);
                self.refuted.insert(site);
                return Some(site);
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
                return Some(site);
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
        Some(site)
    }
}
