//! Does an argument hold, and which checks follow from it?
//!
//! Each piece is executed once; then a solver is asked whether all that must follow does, and one by one
//! only if not.
//!
//! A check is asked where all checks before it on the way have passed. So a site that follows here holds
//! as long as no other has failed before it, and if all sites of a program follow, of one argument or
//! another, none of them can be the first to fail.

use crate::ask::{Asked, Asker};
use crate::piece::formula::{Reader, Scope};
use crate::piece::walk::{ClaimPlace, Entry, Notes, Question, State, Walker, What};
use crate::piece::world::{Known, Pointer, World};
use crate::rules::Rules;
use foghorn_core::{Budget, CheckSelection, SiteKind};
use foghorn_encode::claim::{Argument, LoopClaim, Subject};
use foghorn_ir::{BlockId, Body, FunctionId, InstId, Module, ValueId};
use foghorn_smt::SolverError;
use foghorn_term::{TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Instances of one claim about every object beyond this are not made.
const MOST_INSTANCES: usize = 200;
/// Rounds in which instances may speak of further places: one array is a copy of another, which is a copy of a third.
const ROUNDS: usize = 10;
/// Rounds in which all places are looked at, and how many are in a later one: claims may lead from place to place without
/// end.
const FULL_ROUNDS: usize = 2;
const MOST_LATER: usize = 12;

/// What a check of an argument found.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// What must follow and does not: then the argument shows nothing.
    pub failures: Vec<Failure>,
    /// The checks that were met, and whether they follow everywhere.
    pub sites: BTreeMap<(FunctionId, InstId, SiteKind), bool>,
    /// Questions that were asked, pieces that were executed.
    pub questions: usize,
    pub pieces: usize,
    /// How often a loop or recursion went round that was unwound.
    pub rounds: u32,
    /// Answers of the solver that something is impossible, and how many of them were checked by their
    /// proofs.
    pub refutations: usize,
    pub refutations_checked: usize,
}

/// Something that does not follow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    pub what: What,
    /// The piece in which it was to be shown.
    pub piece: Piece,
    /// The solver gave no answer, or was not asked; otherwise it found a counterexample.
    pub undecided: bool,
    /// Why it was not asked.
    pub why: Option<String>,
}

/// Where a piece begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Piece {
    Program,
    Function(FunctionId),
    Loop(FunctionId, BlockId),
}

impl Proof {
    /// Whether every claim follows from the claims.
    pub fn holds(&self) -> bool {
        self.failures.is_empty()
    }

    /// Whether nothing but claims does not follow.
    pub(crate) fn holds_but_claims(&self) -> bool {
        let mut failures = self.failures.iter();
        failures.all(|it| matches!(it.what, What::Claim(..) | What::Inexpressible(..)))
    }

    /// The claims that do not follow, for whoever weakens them.
    pub fn failed_claims(&self) -> BTreeSet<(ClaimPlace, usize)> {
        let failures = self.failures.iter();
        failures
            .filter_map(|failure| match &failure.what {
                What::Claim(place, index) | What::Inexpressible(place, index) => {
                    Some((place.clone(), *index))
                }
                What::Site(..) | What::Unwinding(..) | What::Obligation(_) => None,
            })
            .collect()
    }
}

/// Which questions are left out: what tests use to show that none is idle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sabotage {
    #[default]
    None,
    /// Claims where the program or a caller comes to a function.
    Requires,
    /// Claims where a function returns.
    Ensures,
    /// Claims where a loop is entered.
    Entering,
    /// Claims where an iteration ends.
    Iterating,
    /// That no loop goes round more often.
    Unwinding,
    /// Checks.
    Sites,
    /// What the encoding rests on.
    Obligations,
}

/// Checks an argument about a program in pure form.
pub fn prove(
    module: &Module,
    checks: &CheckSelection,
    argument: &Argument,
    budget: &Budget,
) -> Result<Proof, SolverError> {
    let how = How::default();
    run(module, checks, argument, budget, how)
}

/// Do the claims follow in these pieces? Checks are not asked.
pub(crate) fn prove_claims(
    module: &Module,
    checks: &CheckSelection,
    argument: &Argument,
    budget: &Budget,
    only: Option<BTreeSet<Piece>>,
) -> Result<Proof, SolverError> {
    let how = How {
        sabotage: Sabotage::Sites,
        only,
        ..How::default()
    };
    run(module, checks, argument, budget, how)
}

/// The same without belief in the solver: its proofs are written to a folder and checked.
pub fn prove_with_proofs(
    module: &Module,
    checks: &CheckSelection,
    argument: &Argument,
    budget: &Budget,
    folder: &Path,
) -> Result<Proof, SolverError> {
    let how = How {
        proofs: Some(folder.to_owned()),
        ..How::default()
    };
    run(module, checks, argument, budget, how)
}

/// The same with some questions left out.
pub fn prove_without(
    module: &Module,
    checks: &CheckSelection,
    argument: &Argument,
    budget: &Budget,
    sabotage: Sabotage,
) -> Result<Proof, SolverError> {
    let how = How {
        sabotage,
        ..How::default()
    };
    run(module, checks, argument, budget, how)
}

/// How an argument is looked at.
#[derive(Default)]
struct How {
    sabotage: Sabotage,
    /// Where the solver's proofs are written, if it is not believed.
    proofs: Option<PathBuf>,
    /// The pieces that are looked at, if not all.
    only: Option<BTreeSet<Piece>>,
}

fn run(
    module: &Module,
    checks: &CheckSelection,
    argument: &Argument,
    budget: &Budget,
    how: How,
) -> Result<Proof, SolverError> {
    let rules = Rules::new(module, argument);
    let mut prover = Prover {
        module,
        checks,
        rules: &rules,
        budget,
        asker: Asker::new(budget, how.proofs)?,
        pool: TermPool::new(),
        proof: Proof::default(),
        sabotage: how.sabotage,
        only: how.only,
    };
    prover.run()?;
    prover.proof.refutations = prover.asker.refutations;
    prover.proof.refutations_checked = prover.asker.checked;
    Ok(prover.proof)
}

struct Prover<'a, 'r> {
    module: &'a Module,
    checks: &'a CheckSelection,
    rules: &'r Rules<'a>,
    budget: &'r Budget,
    asker: Asker,
    pool: TermPool,
    proof: Proof,
    sabotage: Sabotage,
    only: Option<BTreeSet<Piece>>,
}

impl<'a> Prover<'a, '_> {
    fn run(&mut self) -> Result<(), SolverError> {
        let Some(entry) = self.module.entry else {
            self.give_up(Piece::Program, "the program has no entry");
            return Ok(());
        };
        if !self.module.constructors.is_empty() || !self.module.destructors.is_empty() {
            self.give_up(Piece::Program, "functions run before or after the entry");
            return Ok(());
        }
        let functions: Vec<(FunctionId, &'a Body)> = self.rules.functions().collect();
        let found = functions.iter().find(|(id, _)| *id == entry);
        let Some(&(_, body)) = found else {
            self.give_up(Piece::Program, "the entry has no body");
            return Ok(());
        };
        self.piece(Piece::Program, (entry, body))?;
        for (id, body) in functions {
            if self.rules.contract(id).is_none() {
                continue;
            }
            if self.rules.is_called(id) {
                self.piece(Piece::Function(id), (id, body))?;
            }
            for head in self.rules.plan(id).heads() {
                if self.rules.is_cut(id, head) {
                    self.piece(Piece::Loop(id, head), (id, body))?;
                }
            }
        }
        Ok(())
    }

    fn give_up(&mut self, piece: Piece, why: &str) {
        self.proof.failures.push(Failure {
            what: What::Obligation("the piece is executed to its end"),
            piece,
            undecided: true,
            why: Some(why.to_owned()),
        });
    }

    fn piece(&mut self, piece: Piece, of: (FunctionId, &'a Body)) -> Result<(), SolverError> {
        if self
            .only
            .as_ref()
            .is_some_and(|only| !only.contains(&piece))
        {
            return Ok(());
        }
        let pool = std::mem::replace(&mut self.pool, TermPool::new());
        let mut world = World::new(self.module, self.checks, pool);
        world.set_never_frees(!self.rules.frees_at_all());
        self.asker.begin()?;
        let asker = &mut self.asker;
        // Yes, if the solver does not say.
        let mut is_possible = |world: &mut World<'_>, guard: TermId| {
            !matches!(asker.ask(world, guard, &[]), Ok(Asked::Impossible))
        };
        let mut notes = Notes::new(&mut is_possible);
        let (rules, budget) = (self.rules, self.budget);
        match piece {
            Piece::Program => from_start(rules, budget, &mut world, &mut notes, of),
            Piece::Function(_) => from_call(rules, budget, &mut world, &mut notes, of),
            Piece::Loop(_, head) => {
                from_head(rules, budget, &mut world, &mut notes, of, head);
            }
        }
        self.proof.pieces += 1;
        let gave_up = notes.gave_up.take();
        instantiate(&mut world, &notes);
        self.proof.rounds = self.proof.rounds.max(notes.rounds);
        let questions = notes.questions;
        match gave_up {
            Some(why) => self.give_up(piece, &why),
            None => self.answer(piece, &mut world, questions)?,
        }
        self.pool = world.pool;
        self.asker.end()
    }

    fn is_left_out(&self, piece: Piece, what: &What) -> bool {
        let iterates = |function: FunctionId, head: u32| {
            piece == Piece::Loop(function, BlockId::from_u32(head))
        };
        match (self.sabotage, what) {
            (Sabotage::None, _) => false,
            (Sabotage::Requires, What::Claim(ClaimPlace::Requires(_), _))
            | (Sabotage::Ensures, What::Claim(ClaimPlace::Ensures(_), _))
            | (Sabotage::Unwinding, What::Unwinding(..))
            | (Sabotage::Sites, What::Site(..))
            | (Sabotage::Obligations, What::Obligation(_)) => true,
            (Sabotage::Entering, What::Claim(ClaimPlace::Loop(function, head), _)) => {
                !iterates(*function, *head)
            }
            (Sabotage::Iterating, What::Claim(ClaimPlace::Loop(function, head), _)) => {
                iterates(*function, *head)
            }
            (
                Sabotage::Requires
                | Sabotage::Ensures
                | Sabotage::Entering
                | Sabotage::Iterating
                | Sabotage::Unwinding
                | Sabotage::Sites
                | Sabotage::Obligations,
                _,
            ) => false,
        }
    }

    /// Asks what a piece has to show: all at once, then one by one.
    fn answer(
        &mut self,
        piece: Piece,
        world: &mut World<'a>,
        questions: Vec<Question>,
    ) -> Result<(), SolverError> {
        let mut open: Vec<(What, TermId)> = vec![];
        for question in questions {
            if let What::Site(function, id, kind) = &question.what {
                self.proof
                    .sites
                    .entry((*function, *id, *kind))
                    .or_insert(true);
            }
            if self.is_left_out(piece, &question.what) {
                continue;
            }
            let not = world.pool.not(question.goal);
            let fails = world.pool.and(&[question.guard, not]);
            if world.pool.as_bool(fails) != Some(false) {
                open.push((question.what, fails));
            }
        }
        self.proof.questions += open.len();
        if open.is_empty() {
            return Ok(());
        }
        while !open.is_empty() {
            let all: Vec<TermId> = open.iter().map(|(_, fails)| *fails).collect();
            let any = world.pool.or(&all);
            match self.asker.ask(world, any, &all)? {
                Asked::Impossible => break,
                Asked::Possible(failing) if failing.contains(&true) => {
                    let mut rest = vec![];
                    for ((what, fails), is_failing) in open.into_iter().zip(failing) {
                        match is_failing {
                            true => self.fail(piece, what, false),
                            false => rest.push((what, fails)),
                        }
                    }
                    open = rest;
                }
                Asked::Possible(_) | Asked::Undecided => {
                    for (what, fails) in std::mem::take(&mut open) {
                        match self.asker.ask(world, fails, &[])? {
                            Asked::Impossible => {}
                            Asked::Possible(_) => self.fail(piece, what, false),
                            Asked::Undecided => self.fail(piece, what, true),
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn fail(&mut self, piece: Piece, what: What, undecided: bool) {
        if let What::Site(function, id, kind) = what {
            self.proof.sites.insert((function, id, kind), false);
            return;
        }
        self.proof.failures.push(Failure {
            what,
            piece,
            undecided,
            why: None,
        });
    }
}

/// From the start of the program; the outside may give the entry any arguments.
fn from_start<'a>(
    rules: &Rules<'a>,
    budget: &Budget,
    world: &mut World<'a>,
    notes: &mut Notes<'_>,
    (function, body): (FunctionId, &'a Body),
) {
    let entry = Entry {
        life: world.first_life(),
        next: world.next_object(),
    };
    let mut params = vec![];
    for &param in &body.blocks[body.entry].params {
        params.push(match body.ty(param).region() {
            Some(_) => Known::Memory(world.first_memory()),
            None => world.any(body.ty(param), entry.next),
        });
    }
    let mut state = State {
        guard: world.pool.bool(true),
        life: entry.life,
        shadows: world.no_shadows(),
    };
    let of = (function, body);
    let mut walker = Walker::new(world, rules, notes, budget, of, entry);
    if let Some(contract) = rules.contract(function) {
        let own = &body.blocks[body.entry].params;
        walker.begin(&state, function, contract, own, &params);
        walker.grant(&mut state, contract, own, &params);
    }
    walker.walk(body.entry, params, state);
}

/// From any call of a function.
fn from_call<'a>(
    rules: &Rules<'a>,
    budget: &Budget,
    world: &mut World<'a>,
    notes: &mut Notes<'_>,
    (function, body): (FunctionId, &'a Body),
) {
    let entry = any_moment(world);
    let mut state = State {
        guard: world.pool.bool(true),
        life: entry.life,
        shadows: world.any_memory(),
    };
    let own = &body.blocks[body.entry].params;
    let mut params = vec![];
    for &param in own {
        params.push(world.any(body.ty(param), entry.next));
    }
    let of = (function, body);
    let mut walker = Walker::new(world, rules, notes, budget, of, entry);
    if let Some(contract) = rules.contract(function) {
        walker.grant(&mut state, contract, own, &params);
    }
    walker.walk(body.entry, params, state);
}

/// From any iteration of a loop.
fn from_head<'a>(
    rules: &Rules<'a>,
    budget: &Budget,
    world: &mut World<'a>,
    notes: &mut Notes<'_>,
    (function, body): (FunctionId, &'a Body),
    head: BlockId,
) {
    let entry = any_moment(world);
    let next = world.any_counter(entry.next);
    world.set_counter(next);
    let life = world.any_life(next);
    let mut state = State {
        guard: world.pool.bool(true),
        life,
        shadows: world.any_memory(),
    };
    let own: &[ValueId] = &body.blocks[head].params;
    let mut params = vec![];
    for &param in own {
        params.push(world.any(body.ty(param), next));
    }
    let of = (function, body);
    let copies = rules.copies(function, head);
    let before = Entry { life, next };
    let walker = Walker::new(world, rules, notes, budget, of, entry);
    let mut walker = walker.from_head(head, copies, before);
    walker.suppose_dominating(&mut state, head);
    if let LoopClaim::Invariant { holds, .. } = rules.loop_claim(function, head) {
        walker.suppose_at(&mut state, holds, (head, own), &params);
    }
    walker.walk(head, params, state);
}

/// Any moment of a run: some objects exist, some are alive.
fn any_moment(world: &mut World<'_>) -> Entry {
    let least = world.next_object();
    let next = world.any_counter(least);
    world.set_counter(next);
    Entry {
        life: world.any_life(next),
        next,
    }
}

/// Puts what is known of every object to use, at every place that the piece asked about.
fn instantiate(world: &mut World<'_>, notes: &Notes<'_>) {
    let mut seen: BTreeSet<(TermId, TermId)> = BTreeSet::new();
    let mut done = 0;
    for round in 0..ROUNDS {
        let left = MOST_INSTANCES.saturating_sub(seen.len());
        let most = match round < FULL_ROUNDS {
            true => left,
            false => left.min(MOST_LATER),
        };
        let asked = world.places[done..].iter().copied();
        let fresh = asked.filter(|it| !seen.contains(&(it.object, it.offset)));
        let fresh: BTreeMap<(TermId, TermId), Pointer> =
            fresh.map(|it| ((it.object, it.offset), it)).collect();
        done = world.places.len();
        if fresh.is_empty() || most == 0 {
            return;
        }
        for (at, every) in fresh.into_iter().take(most) {
            seen.insert(at);
            for premise in &notes.premises {
                let scope: &Scope = &premise.scope;
                let mut reader = Reader {
                    world,
                    scope,
                    every,
                };
                if let Some(holds) = reader.formula(&premise.formula) {
                    let axiom = world.pool.implies(premise.guard, holds);
                    world.axioms.push(axiom);
                }
            }
        }
    }
}

/// The subject that a parameter is.
pub(crate) fn of_parameter(own: &[ValueId], subject: Subject) -> Option<usize> {
    match subject {
        Subject::Value(number) => own.iter().position(|it| it.as_u32() == number),
        Subject::Result(_) => None,
    }
}
