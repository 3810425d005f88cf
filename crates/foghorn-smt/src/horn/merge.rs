//! All ways from one predicate to another as one rule.
//!
//! A rule for each path pays where a solver would otherwise divide cases by itself over memory. Where a loop has hundreds
//! of paths over numbers, as a state machine has, Spacer asks the same question of each of them, for each obligation: one
//! rule with a disjunction asks it once (large-block encoding, as SeaHorn's large steps have it). So rules with the same
//! premises and the same head become one here; what they have in common stands outside of the disjunction, and a limit of
//! a variable that its premises imply anyway is left out ([`super::intervals`]).
//!
//! The merged system has the same solutions, and derives the same facts. Which path a derivation takes is found when it is
//! rebuilt, on the rules as they were.

use super::simplify::{Simplified, conjuncts};
use super::{Application, HornSystem, Rule};
use foghorn_term::{FunctionId, Op, Substitution, TermId, TermPool};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Fewer rules than this for one pair are left as they are: nothing is gained by one question for two.
const LEAST: usize = 4;

/// The predicates of the premises, and of the head.
type Ends = (Vec<FunctionId>, Option<FunctionId>);

fn ends(rule: &Rule) -> Ends {
    let premises = rule.body.iter().map(|it| it.predicate).collect();
    (premises, rule.head.as_ref().map(|it| it.predicate))
}

/// Whether so many rules have the same ends, on average.
pub(crate) fn has_ways(system: &HornSystem, number: usize) -> bool {
    let pairs: BTreeSet<Ends> = system.rules.iter().map(ends).collect();
    system.rules.len() >= number * pairs.len().max(1)
}

/// The system with one rule for each pair of ends; `None` if nothing much would change.
pub(crate) fn merge(mut form: Simplified) -> Option<Simplified> {
    let mut groups: BTreeMap<Ends, Vec<Rule>> = BTreeMap::new();
    for rule in &form.system.rules {
        groups.entry(ends(rule)).or_default().push(rule.clone());
    }
    if groups.values().all(|rules| rules.len() < LEAST) {
        return None;
    }
    let mut merged = vec![];
    for rules in groups.into_values() {
        match rules.len() < LEAST {
            true => merged.extend(rules),
            false => merged.push(one(&mut form.pool, &rules)),
        }
    }
    form.unmerged = Some(form.system.clone());
    form.system.rules = merged;
    Some(form)
}

/// One of the rules, over the variables of all.
struct Case {
    conjuncts: Vec<TermId>,
    /// The arguments of the head.
    head: Vec<TermId>,
    own: Vec<TermId>,
}

/// One rule for rules with the same ends.
fn one(pool: &mut TermPool, rules: &[Rule]) -> Rule {
    let first = &rules[0];
    let body: Vec<Application> = first
        .body
        .iter()
        .map(|it| any(pool, it.predicate))
        .collect();
    let formals: Vec<TermId> = body
        .iter()
        .flat_map(|it| it.arguments.iter().copied())
        .collect();
    let mut cases: Vec<Case> = rules.iter().map(|it| case(pool, it, &formals)).collect();
    let head = first.head.as_ref().map(|it| head(pool, it, &mut cases));
    let common: Vec<TermId> = cases[0]
        .conjuncts
        .iter()
        .copied()
        .filter(|it| cases.iter().all(|case| case.conjuncts.contains(it)))
        .collect();
    let shared: FxHashSet<TermId> = common.iter().copied().collect();
    let mut alternatives = vec![];
    for case in &mut cases {
        case.conjuncts.retain(|it| !shared.contains(it));
        alternatives.push(pool.and(&case.conjuncts));
    }
    let mut all = common;
    all.push(pool.or(&alternatives));
    let constraint = pool.and(&all);
    let mut variables = formals;
    variables.extend(cases.iter().flat_map(|case| case.own.iter().copied()));
    let of_head = head.iter().flat_map(|it| it.arguments.iter().copied());
    variables.extend(of_head.filter(|it| matches!(pool.op(*it), Op::Symbol(_))));
    variables.sort_unstable();
    variables.dedup();
    Rule {
        name: first.name.clone(),
        variables,
        body,
        constraint,
        head,
    }
}

/// A predicate over variables of its own.
fn any(pool: &mut TermPool, predicate: FunctionId) -> Application {
    let sorts = pool.function_data(predicate).arguments.to_vec();
    let fresh = |sort| {
        let sort = pool.sort_of(sort);
        pool.fresh_symbol("any", sort)
    };
    Application {
        predicate,
        arguments: sorts.into_iter().map(fresh).collect(),
    }
}

/// A rule whose premises are over these variables.
fn case(pool: &mut TermPool, rule: &Rule, formals: &[TermId]) -> Case {
    let quantified: FxHashSet<TermId> = rule.variables.iter().copied().collect();
    let mut renaming = Substitution::new();
    let mut equations = vec![];
    let arguments = rule.body.iter().flat_map(|it| it.arguments.iter());
    for (argument, formal) in arguments.zip(formals) {
        let is_first = quantified.contains(argument) && renaming.get(*argument).is_none();
        match is_first {
            true => renaming.insert(pool, *argument, *formal),
            false => equations.push((*argument, *formal)),
        }
    }
    // A path's own variables are no other path's, which may have the same names.
    let mut own = vec![];
    for variable in &rule.variables {
        if renaming.get(*variable).is_none() {
            let sort = pool.sort(*variable);
            let fresh = pool.fresh_symbol("own", sort);
            renaming.insert(pool, *variable, fresh);
            own.push(fresh);
        }
    }
    let mut all = vec![];
    for (argument, formal) in equations {
        let argument = pool.substitute(argument, &renaming);
        all.push(pool.equal(formal, argument));
    }
    let constraint = pool.substitute(rule.constraint, &renaming);
    all.extend(conjuncts(pool, constraint));
    let head = rule.head.iter().flat_map(|it| it.arguments.iter());
    let head = head.map(|it| pool.substitute(*it, &renaming)).collect();
    Case {
        conjuncts: all,
        head,
        own,
    }
}

/// The head of all cases: an argument that is the same in all of them stands in it, others are variables.
fn head(pool: &mut TermPool, of: &Application, cases: &mut [Case]) -> Application {
    let mut arguments = vec![];
    for position in 0..of.arguments.len() {
        let first = cases[0].head[position];
        if cases.iter().all(|case| case.head[position] == first) {
            arguments.push(first);
            continue;
        }
        let sort = pool.sort(first);
        let variable = pool.fresh_symbol("next", sort);
        for case in cases.iter_mut() {
            let equal = pool.equal(variable, case.head[position]);
            case.conjuncts.push(equal);
        }
        arguments.push(variable);
    }
    Application {
        predicate: of.predicate,
        arguments,
    }
}
