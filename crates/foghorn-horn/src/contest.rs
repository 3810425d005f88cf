//! Forms side by side, until every site has its answer.
//!
//! Nobody knows beforehand which form of a program's clauses is solved: over linear arithmetic most are, and where they
//! are not, bit-vectors often take a second, or mixed semantics does. So the systems of all forms race
//! ([`foghorn_smt::horn::Race`]). The first form has a lead, since making clauses costs time and most answers come at
//! once. Where a form answers, the others go on with what is left: a site that was decided is in no system any more, and
//! a refutation that cannot be repeated is an imprecision of the form, which gives the site up.

use crate::clauses::{Clauses, Meaning, NoClauses, SiteRef};
use crate::form::{Form, ProcedureForm};
use crate::mixed::{MixedProgram, not_mixed};
use crate::refute::Refutation;
use crate::solve::make;
use crate::work::Work;
use foghorn_core::{Budget, UnknownReason};
use foghorn_engine::Sink;
use foghorn_query::door;
use foghorn_smt::SolverError;
use foghorn_smt::horn::portfolio::{EntrantId, Race, plan};
use foghorn_smt::horn::{HornAnswer, HornOptions, HornSolver, Invariants, Spacer};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How long the forms that are in a race are asked before the next one enters.
const LEAD: Duration = Duration::from_millis(1500);

/// What of the time that is left a form gets if others follow, where they cannot race.
const SHARE: f64 = 0.55;

/// What looking for checks that nothing reaches may take: half of the time that the answer took, but at least and at most
/// this. Whoever waits for a verdict waits for this too.
const LEAST_FOR_VACUITY: Duration = Duration::from_secs(1);
const MOST_FOR_VACUITY: Duration = Duration::from_secs(3);

/// A form, and what has become of it.
struct Contestant {
    form: Form,
    mixed: Option<Rc<MixedProgram>>,
    /// Sites that it cannot decide.
    given_up: FxHashSet<SiteRef>,
    /// Nothing more can be found out in it.
    is_out: bool,
    asked: Option<Asked>,
}

/// A system that is being solved.
struct Asked {
    clauses: Clauses,
    entrant: Option<EntrantId>,
    since: Instant,
}

/// Forms of the clauses of a task, and who solves them.
pub(crate) struct Contest<'w, 'a, 'b> {
    work: &'w mut Work<'a>,
    contestants: Vec<Contestant>,
    /// So many of them may be in the race.
    admitted: usize,
    /// Without processes for solvers, one form is asked after the other.
    race: Option<Race>,
    budget: &'b Budget,
}

impl<'w, 'a, 'b> Contest<'w, 'a, 'b> {
    /// Nobody has been asked yet.
    pub fn new(work: &'w mut Work<'a>, forms: &[Form], budget: &'b Budget) -> Self {
        let worker = work.solving.worker.clone();
        let contestants = forms.iter().map(|form| Contestant {
            form: *form,
            mixed: None,
            given_up: FxHashSet::default(),
            is_out: false,
            asked: None,
        });
        Contest {
            contestants: contestants.collect(),
            work,
            admitted: 1,
            race: worker.map(|worker| Race::new(worker, 1)),
            budget,
        }
    }

    /// Asks until nothing is open, nobody is left or the time is over.
    pub fn run(mut self, sink: &mut dyn Sink) {
        while !self.work.is_done() && self.budget.check().is_ok() {
            let admitted = 0..self.admitted.min(self.contestants.len());
            let mut waiting = admitted.filter(|number| {
                let it = &self.contestants[*number];
                !it.is_out && it.asked.is_none()
            });
            if let Some(number) = waiting.next() {
                self.enter(number);
                continue;
            }
            let is_anybody_in = self.contestants.iter().any(|it| it.asked.is_some());
            let are_more = self.admitted < self.contestants.len();
            match (is_anybody_in, are_more) {
                (false, false) => break,
                (false, true) => self.admitted += 1,
                (true, _) => self.wait(sink),
            }
        }
    }

    /// Makes the clauses of a form, and has them solved.
    fn enter(&mut self, number: usize) {
        let made = self.make(number);
        let clauses = match made {
            Ok(clauses) => clauses,
            Err(reason) => {
                let reason = self.work.refusal(reason);
                return self.end(number, Some(&reason));
            }
        };
        self.work.note(&clauses);
        let is_obligation = |meaning: &Meaning| matches!(meaning, Meaning::Obligation(..));
        let mut meanings = clauses.rules.iter().map(|rule| &rule.meaning);
        let asks_nothing = clauses.asked.is_empty() && !meanings.any(is_obligation);
        let mut entrant = None;
        if let Some(race) = self.race.as_mut().filter(|_| !asks_nothing) {
            let turns = plan(&clauses.pool, &clauses.system, false);
            let options = options(self.budget);
            match race.enter(&clauses.pool, &clauses.system, &[], &options, turns) {
                Ok(id) => entrant = Some(id),
                Err(error) => return self.end(number, Some(&failure(&error))),
            }
        }
        self.contestants[number].asked = Some(Asked {
            clauses,
            entrant,
            since: Instant::now(),
        });
        if asks_nothing {
            let interpretations = vec![];
            self.solved(number, Invariants { interpretations });
        }
    }

    fn make(&mut self, number: usize) -> Result<Clauses, NoClauses> {
        let work = &*self.work;
        let (task, settings) = (work.task, work.settings);
        let it = &mut self.contestants[number];
        let dropped: FxHashSet<SiteRef> = work.settled.union(&it.given_up).copied().collect();
        let sabotage = work.solving.sabotage;
        if it.form.procedures != ProcedureForm::Mixed {
            return make(task, settings, it.form, (dropped, sabotage), self.budget);
        }
        let mixed = match &it.mixed {
            Some(mixed) => mixed.clone(),
            None => {
                let mixed = MixedProgram::new(task, settings);
                Rc::new(mixed.map_err(|why| NoClauses::Refused(not_mixed(&why)))?)
            }
        };
        it.mixed = Some(mixed.clone());
        let given = (mixed.copies_of(&dropped), sabotage);
        make(&mixed.task, &mixed.settings, it.form, given, self.budget)
    }

    /// Waits for the next answer.
    fn wait(&mut self, sink: &mut dyn Sink) {
        let are_more = self.admitted < self.contestants.len();
        match self.next_answer(are_more) {
            Ok(Some((number, answer))) => self.settle(number, answer, sink),
            Ok(None) => self.end_all(None),
            Err(SolverError::Exhausted(_)) if are_more && self.budget.check().is_ok() => {
                self.admitted += 1;
            }
            Err(error) => {
                let reason = match error {
                    SolverError::Exhausted(exhausted) => UnknownReason::Budget {
                        resource: exhausted.to_string(),
                    },
                    other => failure(&other),
                };
                self.end_all(Some(&reason));
            }
        }
    }

    fn next_answer(&mut self, are_more: bool) -> Result<Option<(usize, HornAnswer)>, SolverError> {
        let Some(race) = &mut self.race else {
            return self.answer_here(are_more);
        };
        let limit = match are_more {
            true => self.budget.within(LEAD),
            false => self.budget.clone(),
        };
        let Some(arrival) = race.run(&limit)? else {
            return Ok(None);
        };
        let is_it = |it: &Contestant| {
            let asked = it.asked.as_ref();
            asked.is_some_and(|asked| asked.entrant == Some(arrival.entrant))
        };
        if let Some(member) = arrival.member {
            let statistics = &mut self.work.outcome.statistics;
            let name = format!("horn_answers_of_{member}");
            *statistics.entry(name).or_default() += 1.0;
        }
        let number = self.contestants.iter().position(is_it);
        Ok(number.map(|number| (number, arrival.answer)))
    }

    /// The answer of the first system that has none, from a solver in this process.
    fn answer_here(&mut self, are_more: bool) -> Result<Option<(usize, HornAnswer)>, SolverError> {
        let mut asked = self.contestants.iter().enumerate();
        let asked = asked.find_map(|(number, it)| Some((number, it.asked.as_ref()?)));
        let Some((number, asked)) = asked else {
            return Ok(None);
        };
        let limit = match self.budget.remaining() {
            Some(time) if are_more => self.budget.within(time.mul_f64(SHARE)),
            _ => self.budget.clone(),
        };
        let clauses = &asked.clauses;
        let answer = Spacer.solve(&clauses.pool, &clauses.system, &[], &options(&limit));
        match answer {
            Ok(answer) => Ok(Some((number, answer))),
            Err(SolverError::Exhausted(exhausted)) if are_more => {
                let reason = exhausted.to_string();
                Ok(Some((number, HornAnswer::Unknown(reason))))
            }
            Err(error) => Err(error),
        }
    }

    fn settle(&mut self, number: usize, answer: HornAnswer, sink: &mut dyn Sink) {
        let failed = |what: String| UnknownReason::Failure { what };
        match answer {
            HornAnswer::Solved(invariants) => self.solved(number, invariants),
            HornAnswer::Refuted(Some(derivation)) => {
                let Some(asked) = self.withdraw(number) else {
                    return;
                };
                let mixed = self.contestants[number].mixed.clone();
                let given = (&asked.clauses, &derivation);
                match self.work.refute(given, self.budget, sink, mixed.as_ref()) {
                    Refutation::Confirmed => self.begin_again(),
                    Refutation::GivesUp(site) => {
                        self.contestants[number].given_up.insert(site);
                    }
                    Refutation::Ends => self.contestants[number].is_out = true,
                }
            }
            HornAnswer::Refuted(None) => {
                let what = "a refutation has no derivation".to_owned();
                self.end(number, Some(&failed(what)));
            }
            HornAnswer::Unknown(what) => self.end(number, Some(&failed(what))),
        }
    }

    fn solved(&mut self, number: usize, invariants: Invariants) {
        let Some(asked) = self.withdraw(number) else {
            return;
        };
        let it = &mut self.contestants[number];
        it.is_out = true;
        let half = asked.since.elapsed() / 2;
        let most = half.clamp(LEAST_FOR_VACUITY, MOST_FOR_VACUITY);
        let given_up = std::mem::take(&mut it.given_up);
        let mixed = it.mixed.clone();
        let form = it.form;
        self.work
            .prove(form, asked.clauses, invariants, &given_up, mixed.as_ref());
        self.work.look_for_vacuity(&self.budget.within(most));
        self.begin_again();
    }

    /// What is asked has changed: all systems are made anew.
    fn begin_again(&mut self) {
        for number in 0..self.contestants.len() {
            self.withdraw(number);
        }
        self.admitted = 1;
    }

    fn withdraw(&mut self, number: usize) -> Option<Asked> {
        let asked = self.contestants[number].asked.take()?;
        if let (Some(race), Some(entrant)) = (&mut self.race, asked.entrant) {
            race.withdraw(entrant);
        }
        Some(asked)
    }

    fn end(&mut self, number: usize, reason: Option<&UnknownReason>) {
        self.withdraw(number);
        self.contestants[number].is_out = true;
        if let Some(reason) = reason {
            self.work.leave_open(reason);
        }
    }

    fn end_all(&mut self, reason: Option<&UnknownReason>) {
        for number in 0..self.contestants.len() {
            self.end(number, reason);
        }
    }
}

fn options(budget: &Budget) -> HornOptions {
    HornOptions {
        budget: budget.clone(),
        derivation: true,
    }
}

fn failure(error: &SolverError) -> UnknownReason {
    UnknownReason::Failure {
        what: door::describe(error),
    }
}
