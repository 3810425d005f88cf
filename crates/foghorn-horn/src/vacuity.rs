//! Checks that no execution comes to.
//!
//! A check that no path can come to holds, and says nothing; where that is so of a check that somebody wrote, it is
//! worth a warning, and half as much time as the proof took. The rules of the system without its failures derive where
//! executions are; a rule for each path that comes to a check asks whether it can. A derivation need not be an
//! execution, so that a check may be unreached and not be called so, but not the other way round. Decision 0180.

use crate::clauses::{Arrival, Clauses, Meaning, SiteRef};
use foghorn_core::Budget;
use foghorn_smt::SolverError;
use foghorn_smt::horn::{Application, HornAnswer, HornOptions, HornSolver, HornSystem, Rule};
use std::collections::BTreeSet;

/// What no execution comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vacuity {
    pub unreached: BTreeSet<SiteRef>,
    /// No execution comes anywhere: not to a check, not to a cut, not to an end.
    pub contradictory: bool,
}

/// Which of the sites nothing comes to. Where time runs out, those that were not decided are left out.
pub fn find(
    clauses: &mut Clauses,
    sites: &[SiteRef],
    solver: &mut dyn HornSolver,
    budget: &Budget,
) -> Result<Vacuity, SolverError> {
    let mut open: BTreeSet<SiteRef> = sites.iter().copied().collect();
    let mut found = Vacuity::default();
    while !open.is_empty() {
        let arrivals: Vec<&Arrival> = clauses
            .arrivals
            .iter()
            .filter(|arrival| arrival.at.is_some_and(|site| open.contains(&site)))
            .collect();
        let rules = arrivals.iter().map(|arrival| arrival.rule.clone());
        match first_derived(clauses, rules.collect(), solver, budget)? {
            Derived::Nothing => {
                found.unreached = open;
                break;
            }
            Derived::One(number) => match arrivals.get(number).and_then(|it| it.at) {
                Some(site) => {
                    open.remove(&site);
                }
                None => return Ok(Vacuity::default()),
            },
            Derived::Undecided => return Ok(Vacuity::default()),
        }
    }
    if !sites.is_empty() && found.unreached.len() == sites.len() {
        let rules = anywhere(clauses);
        let derived = first_derived(clauses, rules, solver, budget)?;
        found.contradictory = derived == Derived::Nothing;
    }
    Ok(found)
}

/// One rule for each cut, and those of the ends.
fn anywhere(clauses: &mut Clauses) -> Vec<Rule> {
    let yes = clauses.pool.bool(true);
    let clauses = &*clauses;
    let cuts = clauses.cuts.iter().map(|cut| Rule {
        name: "anywhere".to_owned(),
        variables: variables(clauses, cut),
        body: vec![Application {
            predicate: cut.predicate,
            arguments: cut.signature.free(&cut.formals),
        }],
        constraint: yes,
        head: None,
    });
    let ends = clauses.arrivals.iter().filter(|it| it.at.is_none());
    cuts.chain(ends.map(|it| it.rule.clone())).collect()
}

fn variables(clauses: &Clauses, cut: &crate::clauses::Cut) -> Vec<foghorn_term::TermId> {
    let mut variables = cut.signature.free(&cut.formals);
    variables.retain(|term| !clauses.pool.is_literal(*term));
    variables.sort_unstable();
    variables.dedup();
    variables
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Derived {
    Nothing,
    /// The rule with this number.
    One(usize),
    Undecided,
}

/// Which of some rules derives something, in the system without its failures.
fn first_derived(
    clauses: &Clauses,
    rules: Vec<Rule>,
    solver: &mut dyn HornSolver,
    budget: &Budget,
) -> Result<Derived, SolverError> {
    if rules.is_empty() {
        return Ok(Derived::Nothing);
    }
    if budget.check().is_err() {
        return Ok(Derived::Undecided);
    }
    let mut system = HornSystem {
        predicates: clauses.system.predicates.clone(),
        rules: vec![],
    };
    for (rule, origin) in clauses.system.rules.iter().zip(&clauses.rules) {
        if matches!(origin.meaning, Meaning::Step | Meaning::Propagation) {
            system.rules.push(rule.clone());
        }
    }
    let first = system.rules.len();
    system.rules.extend(rules);
    let options = HornOptions {
        budget: budget.clone(),
        derivation: true,
    };
    match solver.solve(&clauses.pool, &system, &[], &options) {
        Ok(HornAnswer::Solved(_)) => Ok(Derived::Nothing),
        Ok(HornAnswer::Refuted(Some(derivation))) => {
            let mut numbers = derivation.steps.values().map(|step| step.rule);
            let found = numbers.find_map(|number| number.checked_sub(first));
            Ok(found.map_or(Derived::Undecided, Derived::One))
        }
        Ok(HornAnswer::Refuted(None) | HornAnswer::Unknown(_)) => Ok(Derived::Undecided),
        Err(SolverError::Exhausted(_)) => Ok(Derived::Undecided),
        Err(error) => Err(error),
    }
}
