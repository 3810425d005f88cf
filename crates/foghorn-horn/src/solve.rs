//! The open sites of a task, and what is found out about them.
//!
//! One system of clauses asks about all open sites at once; systems of several forms race ([`crate::contest`]). A
//! refutation is run ([`crate::refute`]).

use crate::argue::argue;
use crate::clauses::{Clauses, Maker, NoClauses, SiteRef, constants};
use crate::contest::Contest;
use crate::form::{Form, ProcedureForm};
use crate::mixed::{MixedProgram, forms_for, not_mixed};
use crate::sabotage::Sabotage;
use crate::work::Work;
use foghorn_core::{Budget, UnknownReason};
use foghorn_encode::claim::Argument;
use foghorn_encode::execute::settings::Settings;
use foghorn_encode::fact::BlockFacts;
use foghorn_engine::{Candidate, Knowledge, Noticed, Silent, Sink, Task};
use foghorn_ir::Module;
use foghorn_ir::sites::SiteId;
use foghorn_query::door;
use foghorn_smt::horn::{Interpretation, WorkerCommand};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

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
pub(crate) fn make(
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
    let mut work = Work::new(task, settings, solving);
    let forms = forms_for(task, &solving.forms);
    Contest::new(&mut work, &forms, budget).run(sink);
    let mut outcome = work.finish();
    if solving.argues {
        argue(task, settings, solving, budget, &mut outcome);
    }
    outcome
}

pub(crate) fn out_of_time() -> UnknownReason {
    UnknownReason::Budget {
        resource: "time".to_owned(),
    }
}
