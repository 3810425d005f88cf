//! Equalities of a rule, solved.
//!
//! A rule quantifies its variables, so a conjunct `x = t` lets `t` stand for `x` everywhere in the
//! rule and then says nothing more.

use super::super::Rule;
use foghorn_term::{Op, Substitution, TermId, TermPool};
use rustc_hash::FxHashSet;

/// Passes over a rule; each solves all equalities that do not get into each other's way.
const MOST_PASSES: usize = 12;

/// Solves the equalities. False if the constraint is false and the rule says nothing.
pub(super) fn tidy(pool: &mut TermPool, rule: &mut Rule) -> bool {
    for _ in 0..MOST_PASSES {
        let solution = solve(pool, rule);
        if solution.is_empty() {
            break;
        }
        substitute(pool, rule, &solution);
    }
    forget_unused(pool, rule);
    pool.as_bool(rule.constraint) != Some(false)
}

/// The conjuncts of a constraint.
pub(crate) fn conjuncts(pool: &TermPool, constraint: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut pending = vec![constraint];
    let mut seen = FxHashSet::default();
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.op(term) {
            Op::And => pending.extend(pool.children(term).iter().rev()),
            _ => found.push(term),
        }
    }
    found
}

/// Replacements that can be made at once: no variable that is replaced occurs in what another is
/// replaced by.
fn solve(pool: &mut TermPool, rule: &Rule) -> Substitution {
    let variables: FxHashSet<TermId> = rule.variables.iter().copied().collect();
    let mut solution = Substitution::new();
    let mut used: FxHashSet<TermId> = FxHashSet::default();
    for conjunct in conjuncts(pool, rule.constraint) {
        for (variable, value) in candidates(pool, conjunct) {
            if !variables.contains(&variable)
                || used.contains(&variable)
                || solution.get(variable).is_some()
            {
                continue;
            }
            let inner: Vec<TermId> = leaves(pool, value);
            if inner
                .iter()
                .any(|leaf| *leaf == variable || solution.get(*leaf).is_some())
            {
                continue;
            }
            used.extend(inner);
            solution.insert(pool, variable, value);
            break;
        }
    }
    solution
}

/// The symbols of a term.
pub(super) fn leaves(pool: &TermPool, term: TermId) -> Vec<TermId> {
    pool.post_order(&[term])
        .filter(|t| matches!(pool.op(*t), Op::Symbol(_)))
        .collect()
}

/// What a conjunct may be solved for.
fn candidates(pool: &mut TermPool, conjunct: TermId) -> Vec<(TermId, TermId)> {
    match (pool.op(conjunct), pool.children(conjunct)) {
        (Op::Symbol(_), _) => vec![(conjunct, pool.bool(true))],
        (Op::Not, [inner]) if matches!(pool.op(*inner), Op::Symbol(_)) => {
            vec![(*inner, pool.bool(false))]
        }
        (Op::Equal, [left, right]) => {
            let (left, right) = (*left, *right);
            vec![(left, right), (right, left)]
        }
        _ => Vec::new(),
    }
}

/// Replaces everywhere in a rule.
pub(super) fn substitute(pool: &mut TermPool, rule: &mut Rule, by: &Substitution) {
    rule.constraint = pool.substitute(rule.constraint, by);
    for application in rule.body.iter_mut().chain(rule.head.as_mut()) {
        for argument in &mut application.arguments {
            *argument = replaced(pool, *argument, by);
        }
    }
}

/// An argument under a substitution. Most are variables or literals, for which nothing has to be set up.
pub(super) fn replaced(pool: &mut TermPool, argument: TermId, by: &Substitution) -> TermId {
    match pool.op(argument) {
        Op::Symbol(_) => by.get(argument).unwrap_or(argument),
        _ if pool.is_literal(argument) => argument,
        _ => pool.substitute(argument, by),
    }
}

/// Forgets the variables that occur nowhere.
fn forget_unused(pool: &TermPool, rule: &mut Rule) {
    let mut roots = vec![rule.constraint];
    let applications = rule.body.iter().chain(rule.head.as_ref());
    roots.extend(applications.flat_map(|application| application.arguments.iter()));
    let used: FxHashSet<TermId> = pool
        .post_order(&roots)
        .filter(|term| matches!(pool.op(*term), Op::Symbol(_)))
        .collect();
    rule.variables.retain(|variable| used.contains(variable));
}
