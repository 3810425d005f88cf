//! The summary of one function, from the program that calls it with any arguments ([`crate::modular`]).

use super::prove::Open;
use super::{Engine, key};
use crate::answer::{SiteAnswer, SiteVerdict};
use crate::cut::calls::Target as Summarised;
use crate::cut::record::CutLoop;
use crate::follow;
use crate::invariant::{Invariant, Invariants, Row};
use crate::modular::contract::{Contract, rows};
use crate::problem::{Problem, Suspect, Target};
use crate::strategy::{Inference, Inferred, ask};
use foghorn_encode::claim::Argument;
use foghorn_encode::execute::Trace;
use foghorn_smt::SolverError;
use foghorn_smt::solver::Answer;
use foghorn_term::{Sort, TermId};
use std::collections::BTreeMap;

impl Engine<'_> {
    /// The contract of a function, if there is one that somebody can use. Checks that cannot fail whatever the arguments
    /// are decided.
    pub(crate) fn summarise(
        &mut self,
        target: Summarised,
    ) -> Result<Option<Contract>, SolverError> {
        self.cut.set_copies(1);
        let Ok(mut trace) = self.execute(self.budget) else {
            return Ok(None);
        };
        self.assert_axioms(&mut trace)?;
        self.report.notes = trace.notes.clone();
        let arguments = self.cut.arguments_of_target().to_vec();
        let preconditions = self.cut.preconditions().to_vec();
        let loops = self.cut.take_loops();
        if self.cut.refusal().is_some() {
            return Ok(None);
        }
        let events = std::mem::take(&mut trace.events);
        let problem = Problem::new(&mut self.session.pool, loops, events, 1)
            .with_sabotage(self.options.sabotage)
            .with_preconditions(&preconditions);
        self.list_sites(&trace);
        let Some((assumed, open)) = self.infer_until_closed(&trace, &problem)? else {
            return Ok(None);
        };
        if open.preconditions.is_empty() {
            self.close(&trace, &open.sites);
        }
        let mut loops = problem.loops.iter();
        let Some(driver) = loops.find(|cut| cut.head.function == target.driver) else {
            return Ok(None);
        };
        let fails = match open.is_empty() {
            true => None,
            // Whether the calls within itself are as they should be would have to be shown by the same induction.
            false if !driver.placeholders.is_empty() => return Ok(None),
            false => {
                let found = self.failing_arguments(&problem, driver, &arguments, &assumed, &open);
                match found? {
                    Some(rows) => Some(self.without_redundant(rows, &arguments)?),
                    None => return Ok(None),
                }
            }
        };
        let own = self.pending.iter();
        let own = own.filter(|shown| shown.key.function == target.driver);
        let own: Vec<&Invariant> = own.map(|shown| &shown.invariant).collect();
        let ensures = rows(&own);
        let ensures = self.without_redundant(ensures, &driver.first.values)?;
        self.report.shown.append(&mut self.pending);
        let claims = match self.options.argues {
            true => self.claims(&problem, 1, Some(target.driver))?,
            false => Argument::default(),
        };
        let contract = Contract {
            function: target.function,
            arguments: arguments.len(),
            ensures,
            fails,
            sites: self.sites_of(&trace),
            claims,
        };
        Ok(Some(contract).filter(Contract::is_useful))
    }

    /// Looks for invariants, cheap ones first, as long as something may fail; `None` if the formulas are not exact.
    fn infer_until_closed(
        &mut self,
        trace: &Trace,
        problem: &Problem,
    ) -> Result<Option<(Vec<TermId>, Open)>, SolverError> {
        let mut assumed = vec![];
        let mut last = None;
        self.pending.clear();
        for selection in self.options.selection.stages() {
            let found = self.infer(problem, 1, &selection, &assumed)?;
            assumed.extend(found);
            let Ok(open) = self.find_open(trace, problem, &assumed, self.budget)? else {
                return Ok(None);
            };
            let is_closed = open.is_empty();
            last = Some(open);
            if is_closed || self.budget.check().is_err() {
                break;
            }
        }
        Ok(last.map(|open| (assumed, open)))
    }

    /// Rows that hold of all arguments with which something fails that is open.
    fn failing_arguments(
        &mut self,
        problem: &Problem,
        driver: &CutLoop,
        arguments: &[TermId],
        assumed: &[TermId],
        open: &Open,
    ) -> Result<Option<Vec<Row>>, SolverError> {
        let pool = &mut self.session.pool;
        let suspects = problem.suspects(pool, &rustc_hash::FxHashSet::default());
        let failing = suspects.into_iter().filter(|(suspect, _)| match suspect {
            Suspect::Check(site) => open.sites.contains(site),
            Suspect::Precondition(number) => open.preconditions.contains(number),
            Suspect::Inexact => false,
        });
        let targets: Vec<Target> = failing.map(|(_, target)| target).collect();
        let mut about = driver.clone();
        about.quantities.truncate(arguments.len());
        about.names.truncate(arguments.len());
        about.first.values.truncate(arguments.len());
        about.copies.clear();
        about.placeholders.clear();
        let problem = problem.of_arguments(pool, about, arguments, &targets);
        let cheap = self.options.selection.stages().into_iter().next();
        let Some(selection) = cheap else {
            return Ok(None);
        };
        let most = self.options.most_rows;
        let none = BTreeMap::new();
        let known = (&selection, &Invariants::default());
        let mut invariants = Invariants::choose(pool, &problem.loops, &none, known, most);
        let roots = follow::roots(&problem.loops, &problem.events);
        let constants = follow::constants(pool, &roots);
        let mut inference = Inference {
            problem: &problem,
            session: &mut self.session,
            strategy: self.options.strategy,
            budget: self.budget,
            assumed,
            constants: &constants,
            states: 0,
            watch: &mut |_| {},
        };
        let inferred = inference.run(&mut invariants)?;
        let found = invariants.of(&problem.loops[0]);
        Ok(found
            .filter(|_| inferred == Inferred::Fixpoint)
            .map(|found| rows(&[found])))
    }

    /// Rows without those that follow from the ones before them, which are simpler: what is said shortly is worth more to
    /// people and to callers. `like` has terms of the widths of the quantities.
    fn without_redundant(
        &mut self,
        rows: Vec<Row>,
        like: &[TermId],
    ) -> Result<Vec<Row>, SolverError> {
        let pool = &mut self.session.pool;
        let sorts: Vec<Sort> = like.iter().map(|&value| pool.sort(value)).collect();
        let any = sorts.into_iter().map(|sort| pool.fresh_symbol("any", sort));
        let any: Vec<TermId> = any.collect();
        let (mut kept, mut known) = (vec![], vec![]);
        for row in rows {
            let pool = &mut self.session.pool;
            let holds = row.template.formula(pool, &any);
            let mut formulas: Vec<TermId> = known.clone();
            formulas.push(pool.not(holds));
            if ask(&mut self.session, &formulas, self.budget)? != Answer::Unsatisfiable {
                known.push(holds);
                kept.push(row);
            }
        }
        Ok(kept)
    }

    /// The checks that were met, with what is known of them.
    fn sites_of(&self, trace: &Trace) -> Vec<SiteAnswer> {
        let sites = trace.sites.iter().map(|site| SiteAnswer {
            site: *site,
            verdict: self
                .decided
                .get(&key(site))
                .cloned()
                .unwrap_or(SiteVerdict::Safe),
            vacuous: false,
        });
        sites.collect()
    }

    /// What is met in functions with contracts holds, where all of them are called as they should be.
    pub(super) fn close_contracts(&mut self) {
        let contracts = self.cut.contracts();
        for contract in contracts {
            for answer in &contract.sites {
                if self.is_settled(&answer.site) {
                    continue;
                }
                let answers = &mut self.report.answers;
                if !answers.iter().any(|it| key(&it.site) == key(&answer.site)) {
                    answers.push(answer.clone());
                }
                self.decide(&answer.site, SiteVerdict::Safe);
            }
        }
    }
}
