//! From a formula to Horn rules.
//!
//! A formula under universal quantifiers is taken as a disjunction: positive predicate literals are
//! heads, negative ones the body, everything else goes negated into the constraint. A conjunction
//! in a head and a disjunction in a body split the clause in two.

use crate::horn::{Application, Rule};
use foghorn_term::{Op, TermId, TermPool};

/// A clause under construction.
#[derive(Clone)]
struct Partial {
    pending: Vec<(TermId, bool)>,
    body: Vec<Application>,
    head: Option<Application>,
    constraint: Vec<TermId>,
}

/// The rules that a formula stands for, or why it is not Horn.
pub(super) fn rules(
    pool: &mut TermPool,
    name: &str,
    variables: &[TermId],
    formula: TermId,
) -> Result<Vec<Rule>, String> {
    let mut open = vec![Partial {
        pending: vec![(formula, true)],
        body: Vec::new(),
        head: None,
        constraint: Vec::new(),
    }];
    let mut rules = Vec::new();
    while let Some(mut partial) = open.pop() {
        match partial.pending.pop() {
            Some((term, positive)) => step(pool, partial, term, positive, &mut open)?,
            None => {
                let constraint = match partial.constraint.as_slice() {
                    [] => pool.bool(true),
                    [one] => *one,
                    many => pool.and(many),
                };
                // A constraint that is false makes the rule say nothing.
                if pool.as_bool(constraint) == Some(false) {
                    continue;
                }
                rules.push(Rule {
                    name: match rules.len() {
                        0 => name.to_owned(),
                        n => format!("{name}.{n}"),
                    },
                    variables: variables.to_vec(),
                    body: partial.body,
                    constraint,
                    head: partial.head,
                });
            }
        }
    }
    Ok(rules)
}

/// Whether a predicate occurs in a term.
fn has_predicate(pool: &TermPool, term: TermId) -> bool {
    pool.post_order(&[term])
        .any(|subterm| matches!(pool.op(subterm), Op::Apply(_)))
}

/// Treats one literal of the disjunction.
fn step(
    pool: &mut TermPool,
    mut partial: Partial,
    term: TermId,
    positive: bool,
    open: &mut Vec<Partial>,
) -> Result<(), String> {
    let children = pool.children(term).to_vec();
    let mut split = |partial: &Partial, parts: &[(TermId, bool)]| {
        // Last first, so that the rules come out in the order of the parts.
        for part in parts.iter().rev() {
            let mut piece = partial.clone();
            piece.pending.push(*part);
            open.push(piece);
        }
    };
    match (pool.op(term), positive) {
        (Op::Not, _) => partial.pending.push((children[0], !positive)),
        (Op::Or, true) | (Op::And, false) => {
            partial
                .pending
                .extend(children.iter().rev().map(|child| (*child, positive)));
        }
        (Op::Implies, true) => {
            partial
                .pending
                .extend([(children[1], true), (children[0], false)]);
        }
        (Op::Apply(predicate), _) => {
            let application = Application {
                predicate,
                arguments: children,
            };
            if positive && partial.head.is_some() {
                return Err("a clause with two heads is not Horn".into());
            }
            if positive {
                partial.head = Some(application);
            } else {
                partial.body.push(application);
            }
        }
        (Op::And, true) | (Op::Or, false) if has_predicate(pool, term) => {
            let parts: Vec<_> = children.iter().map(|child| (*child, positive)).collect();
            split(&partial, &parts);
            return Ok(());
        }
        (Op::Implies, false) if has_predicate(pool, term) => {
            split(&partial, &[(children[0], true), (children[1], false)]);
            return Ok(());
        }
        _ => {
            if has_predicate(pool, term) {
                let name = pool.op(term).kind().name();
                return Err(format!("a predicate below {name} is not supported"));
            }
            // The disjunct `term` is the constraint's conjunct `not term`.
            let negated = if positive { pool.not(term) } else { term };
            partial.constraint.push(negated);
        }
    }
    open.push(partial);
    Ok(())
}
