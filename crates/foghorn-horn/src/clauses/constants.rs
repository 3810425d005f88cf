//! Arguments that have one value whatever happens.
//!
//! Most offsets are zero, and few solvers find that out soon. So the clauses of a program are made twice:
//! from the first ones the arguments are found that every rule gives the same literal, given that the others
//! are what they are (the greatest such set: by induction over derivations they never have another value); the second ones have the
//! literals in their places, which decides many bounds and carries at once.

use super::{Clauses, CutKey, Part, Role};
use crate::objects::Numbering;
use foghorn_term::eval::Value;
use foghorn_term::{FunctionId, Op, Substitution, TermId, TermPool};
use rustc_hash::FxHashMap;

/// The literals of arguments, by place and role.
pub type Constants = FxHashMap<(CutKey, Role), Value>;

/// What is known of an argument so far: nothing derives it, it is one literal, or several.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    One(TermId),
    Many,
}

type Table = FxHashMap<FunctionId, Vec<Known>>;

/// Finds the arguments of cuts that are literals. Numbers of objects are those of the compact numbering.
pub fn find(clauses: &mut Clauses) -> Constants {
    let mut table: Table = FxHashMap::default();
    for predicate in &clauses.system.predicates {
        let arity = clauses.pool.function_data(*predicate).arguments.len();
        let is_cut = clauses.cuts.iter().any(|cut| cut.predicate == *predicate);
        let first = if is_cut { Known::Nothing } else { Known::Many };
        table.insert(*predicate, vec![first; arity]);
    }
    loop {
        let mut changed = false;
        for rule in &clauses.system.rules {
            let Some(head) = &rule.head else { continue };
            let known = substitution(&clauses.pool, &table, &rule.body);
            let Some(known) = known else { continue };
            for (place, &argument) in head.arguments.iter().enumerate() {
                let now = table[&head.predicate][place];
                if now == Known::Many {
                    continue;
                }
                let term = clauses.pool.substitute(argument, &known);
                let next = match (now, clauses.pool.is_literal(term)) {
                    (Known::Nothing, true) => Known::One(term),
                    (Known::One(other), true) if other == term => now,
                    _ => Known::Many,
                };
                if next != now {
                    changed = true;
                    table.entry(head.predicate).or_default()[place] = next;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let mut found = Constants::default();
    for cut in &clauses.cuts {
        let free = cut.signature.entries.iter().filter(|it| it.fixed.is_none());
        for (entry, known) in free.zip(&table[&cut.predicate]) {
            if let Known::One(term) = known
                && !matches!(entry.role, Role::TrackedObject | Role::TrackedOffset)
                && let Some(value) = clauses.pool.literal_value(*term)
                && let Some(value) = match is_object(&entry.role) {
                    true => renumber(&clauses.numbering, &value),
                    false => Some(value),
                }
            {
                found.insert((cut.key.clone(), entry.role), value);
            }
        }
    }
    found
}

/// The literals that the premises of a rule give to its variables; `None` if nothing derives one of them.
fn substitution(
    pool: &TermPool,
    table: &Table,
    body: &[foghorn_smt::horn::Application],
) -> Option<Substitution> {
    let mut known = Substitution::new();
    for premise in body {
        for (argument, what) in premise.arguments.iter().zip(&table[&premise.predicate]) {
            match what {
                Known::Nothing => return None,
                Known::One(literal) if matches!(pool.op(*argument), Op::Symbol(_)) => {
                    known.insert(pool, *argument, *literal);
                }
                Known::One(_) | Known::Many => {}
            }
        }
    }
    Some(known)
}

/// Whether an argument is the number of an object, or a counter of them.
fn is_object(role: &Role) -> bool {
    match role {
        Role::Value { part, .. }
        | Role::Content { part, .. }
        | Role::Entry { part, .. }
        | Role::Result { part, .. } => *part == Part::Object,
        Role::TrackedObject
        | Role::NextHeap
        | Role::NextStack
        | Role::Mark { .. }
        | Role::EntryNextHeap
        | Role::EntryNextStack => true,
        Role::Ghost { .. } | Role::EntryGhost { .. } | Role::TrackedOffset | Role::Failed => false,
    }
}

/// Objects that are made any number of times have no numbers of their own.
fn renumber(numbering: &Numbering, value: &Value) -> Option<Value> {
    match value {
        Value::Int(number) => {
            let compacted = numbering.compacted(i64::try_from(number).ok()?)?;
            Some(Value::Int(compacted.into()))
        }
        _ => None,
    }
}
