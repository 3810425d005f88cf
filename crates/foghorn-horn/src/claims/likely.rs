//! What holds by the way clauses are made, and what most programs do: claimed beside interpretations.
//!
//! Clauses know the sizes of objects whose sizes are constants, that objects are alive which nobody frees, and the numbers
//! of objects that are made once. No interpretation says so, but whoever proves it again has to know it.

use super::words::{Place, Word};
use crate::clauses::{Cut, Entry, Part, Role};
use crate::solve::Proof;
use foghorn_encode::claim::build::number;
use foghorn_encode::claim::{Expression, Formula, UNKNOWN};
use foghorn_ir::sites::reached_functions;
use foghorn_ir::{AllocationKind, Constant, Instruction, Module};
use num_bigint::BigInt;
use std::collections::BTreeSet;

/// Different sizes of heap objects beyond which nothing is claimed of them.
const MOST_SIZES: usize = 4;

/// Likely claims at a loop's head.
pub fn at_head(place: &Place<'_>, cut: &Cut, proof: &Proof) -> Vec<Formula> {
    let mut all = numbers(place, cut, proof);
    let sizes = heap_sizes(place.module);
    if let Some(sizes) = &sizes {
        all.extend(sizes_of_all(sizes));
    }
    let sizes = sizes.unwrap_or_default();
    for entry in &cut.signature.entries {
        if is_object(entry)
            && let Some(Word::Object(object)) = place.word(entry)
        {
            let guard = place.guard(entry);
            all.extend(of_pointer(&object, &sizes, guard.as_ref()));
        }
    }
    all
}

fn is_object(entry: &Entry) -> bool {
    match entry.role {
        Role::Value { part, .. } | Role::Content { part, .. } | Role::Entry { part, .. } => {
            part == Part::Object
        }
        Role::Ghost { .. }
        | Role::TrackedObject
        | Role::TrackedOffset
        | Role::NextHeap
        | Role::NextStack
        | Role::Mark { .. }
        | Role::EntryGhost { .. }
        | Role::EntryNextHeap
        | Role::EntryNextStack
        | Role::Result { .. }
        | Role::Failed => false,
    }
}

/// The numbers of objects that are made once, and that they are alive.
fn numbers(place: &Place<'_>, cut: &Cut, proof: &Proof) -> Vec<Formula> {
    let calls = cut.key.frames.iter().filter_map(|(_, _, _, call)| *call);
    let context: Vec<_> = calls.collect();
    let mut all = vec![];
    for (own, function, instruction, given) in proof.clauses.numbering.made_once() {
        if *own != context || function != place.function {
            continue;
        }
        let Some(object) = place.made(instruction) else {
            continue;
        };
        if let Some(given) = super::sum::object_number(&BigInt::from(given)) {
            all.push(object.clone().equals(given));
        }
        all.push(Formula::Alive(object));
    }
    all
}

/// The sizes that objects of the heap have; `None` if one is computed.
fn heap_sizes(module: &Module) -> Option<BTreeSet<u64>> {
    let mut sizes = BTreeSet::new();
    for function in reached_functions(module) {
        let Some(body) = &module.functions[function].body else {
            continue;
        };
        for data in body.instructions.values() {
            let Instruction::Allocate { kind, size, .. } = data.instruction else {
                continue;
            };
            match kind {
                AllocationKind::Heap => {}
                AllocationKind::Stack | AllocationKind::Permanent => continue,
            }
            match body.as_constant(size) {
                Some(Constant::Int(bytes)) => sizes.insert(u64::try_from(bytes).ok()?),
                _ => return None,
            };
        }
    }
    (!sizes.is_empty() && sizes.len() <= MOST_SIZES).then_some(sizes)
}

fn has_size(object: &Expression, size: u64) -> Formula {
    let size = Expression::Number(size.to_string());
    Expression::Size(Box::new(object.clone())).equals(size)
}

/// Every object of the heap has one of these sizes.
fn sizes_of_all(sizes: &BTreeSet<u64>) -> Option<Formula> {
    let k = Expression::EveryObject;
    let is_made = Formula::all([
        Formula::OnHeap(k.clone()),
        k.clone().less(Expression::NextObject),
    ]);
    let one = Formula::any(sizes.iter().map(|size| has_size(&k, *size)));
    Some(Formula::for_every(is_made.implies(one)))
}

/// A pointer leads nowhere, or to an object that is alive and has a certain size.
fn of_pointer(object: &Expression, sizes: &BTreeSet<u64>, guard: Option<&Formula>) -> Vec<Formula> {
    let is_none = object.clone().at_most(number(UNKNOWN.into()));
    let is_made = object.clone().less(Expression::NextObject);
    let mut all = vec![is_made];
    all.push(Formula::any([
        is_none.clone(),
        Formula::Alive(object.clone()),
    ]));
    if !sizes.is_empty() {
        all.push(Formula::any([
            is_none.clone(),
            Formula::OnHeap(object.clone()),
        ]));
    }
    for size in sizes {
        all.push(Formula::any([is_none.clone(), has_size(object, *size)]));
    }
    let of = |it: Formula| match guard {
        Some(guard) => Formula::for_every(guard.clone().implies(it)),
        None => it,
    };
    all.into_iter().map(of).collect()
}
