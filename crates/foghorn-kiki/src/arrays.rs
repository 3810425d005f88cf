//! Contents of arrays at places that loops carry (the array domain of 2LS).
//!
//! Of an array that a loop changes, one cell is looked at: that at an offset which is a symbol, the same at the head and
//! where the loop goes back. What is shown of it is shown whatever the symbol is, so it holds of every offset by the
//! induction over iterations for that one. Formulas read the array at other places; there rows are stated once more, with
//! the place that is read for the symbol ([`instantiate`]). That is weaker than all offsets at once, and so it is sound.

use crate::cut::Cut;
use crate::cut::record::{Array, CutLoop, LoopKey, Quantity};
use crate::invariant::{Invariants, Row};
use crate::template::choose::{Shape, on_a_side_of};
use crate::template::{Count, Parts, Segment};
use foghorn_term::{BitVecValue, Op, TermId, TermPool};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Arrays of one loop that rows speak of.
const MOST_ARRAYS: usize = 2;

/// Numbers that part an array.
const MOST_BOUNDS: usize = 3;

/// Places of one loop at which rows are stated.
const MOST_PLACES: usize = 24;

/// A reading of a loop-back memory in a formula.
struct Reading {
    index: usize,
    parameter: usize,
    object: u64,
    offset: TermId,
    term: TermId,
}

fn readings(pool: &TermPool, loops: &[CutLoop], roots: &[TermId]) -> Vec<Reading> {
    let mut owners: FxHashMap<&str, (usize, usize)> = FxHashMap::default();
    for (index, cut) in loops.iter().enumerate() {
        for (function, parameter) in &cut.memories {
            owners.insert(function, (index, *parameter));
        }
    }
    let mut found = vec![];
    for term in pool.post_order(roots) {
        let Op::Apply(function) = pool.op(term) else {
            continue;
        };
        let name: &str = &pool.function_data(function).name;
        let Some(&(index, parameter)) = owners.get(name) else {
            continue;
        };
        let object = pool.as_bitvec(pool.child(term, 0));
        if let Some(object) = object.and_then(BitVecValue::to_u64) {
            found.push(Reading {
                index,
                parameter,
                object,
                offset: pool.child(term, 1),
                term,
            });
        }
    }
    found
}

/// Lets the policy follow each array that a formula reads at a place that is no literal; whether one is new.
pub(crate) fn follow_arrays(pool: &TermPool, policy: &mut Cut, roots: &[TermId]) -> bool {
    let loops = policy.loops();
    let mut found: Vec<BTreeSet<Array>> = vec![BTreeSet::new(); loops.len()];
    for reading in readings(pool, loops, roots) {
        if pool.as_bitvec(reading.offset).is_none() {
            found[reading.index].insert(Array {
                parameter: reading.parameter,
                object: reading.object,
            });
        }
    }
    let keys: Vec<LoopKey> = loops.iter().map(|cut| cut.key.clone()).collect();
    let mut is_new = false;
    for (key, arrays) in keys.into_iter().zip(found) {
        for array in arrays.into_iter().take(MOST_ARRAYS) {
            is_new |= policy.follow_array(&key, array);
        }
    }
    is_new
}

/// Writes down where formulas read arrays of which rows speak: what the quantities at the head are with that place for the
/// symbol.
pub(crate) fn instantiate(pool: &TermPool, loops: &mut [CutLoop], roots: &[TermId]) {
    for reading in readings(pool, loops, roots) {
        let cut = &mut loops[reading.index];
        let array = Array {
            parameter: reading.parameter,
            object: reading.object,
        };
        let Some(copy) = cut.copies.first() else {
            continue;
        };
        let mut values = copy.head.values.clone();
        let mut is_spoken_of = false;
        for (value, quantity) in values.iter_mut().zip(&cut.quantities) {
            match quantity {
                Quantity::AnyOffset { of, .. } if *of == array => {
                    is_spoken_of |= *value != reading.offset;
                    *value = reading.offset;
                }
                Quantity::AnyElement { of, .. } if *of == array => *value = reading.term,
                _ => {}
            }
        }
        if is_spoken_of && cut.places.len() < MOST_PLACES {
            cut.places.push(values);
        }
    }
}

/// Adds rows for the arrays of loops.
pub(crate) fn add_rows(pool: &TermPool, loops: &[CutLoop], all: &mut Invariants) {
    let mut done: Vec<&CutLoop> = vec![];
    for cut in loops {
        // Entries that share an invariant share its rows.
        let is_same = |it: &&CutLoop| it.key == cut.key && it.quantities == cut.quantities;
        if done.iter().any(is_same) {
            continue;
        }
        done.push(cut);
        all.extend(cut, rows(pool, cut));
    }
}

fn rows(pool: &TermPool, cut: &CutLoop) -> Vec<Row> {
    let width = |quantity: usize| pool.width(cut.first.values[quantity]);
    let mut rows = vec![];
    for (offset, quantity) in cut.quantities.iter().enumerate() {
        let Quantity::AnyOffset { of, .. } = quantity else {
            continue;
        };
        let mut others = cut.quantities.iter();
        let element = others.position(
            |other| matches!(other, Quantity::AnyElement { of: other, .. } if other == of),
        );
        let Some(element) = element else { continue };
        let cell = width(element) / 8;
        let bounds = cut.quantities.iter().enumerate();
        let bounds = bounds.filter_map(|(bound, quantity)| match quantity {
            Quantity::Register { .. } if width(bound) > 8 && width(bound) <= 64 => {
                Some((bound, cell))
            }
            Quantity::Offset { .. } => Some((bound, 1)),
            _ => None,
        });
        let shape = Shape {
            width: width(element),
            is_name: false,
            is_fixed: false,
            count: Count::Unknown,
        };
        for (bound, scale) in bounds.take(MOST_BOUNDS) {
            let parts = Parts {
                offset,
                bound,
                scale,
                cell,
            };
            let pattern = on_a_side_of(element, &shape);
            rows.push(Row::new(Box::new(Segment::new(parts, pattern))));
        }
    }
    rows
}
